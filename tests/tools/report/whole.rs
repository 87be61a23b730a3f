//! Tests of a whole run, from the suite to the page: the page shows what the program drew.

use crate::browser::Browser;
use crate::desk::{Desk, said, succeeded};
use crate::fixture::{BLUE, GREEN, RED, puppet};
use crate::report::made::{content, rows, shown};

const SUITE: &str = "
[defaults]
resolution = \"200x120\"
fit = \"none\"
msaa = 1

[[case]]
name = \"puppet\"
file = \"puppet.pchr\"
animation = \"walk\"
frame = \"all\"

[[case]]
name = \"still\"
file = \"still.pchr\"
";

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn a_run_with_planted_differences_shows_them() {
    let desk = Desk::new();
    desk.put("still.pchr", &puppet());
    desk.put_bytes("suite.toml", SUITE.as_bytes());
    succeeded(&desk.run(&["test", "suite.toml", "--update", "--force"]));

    // The green square turns blue, and one frame loses its baseline.
    let mut changed = puppet();
    changed.parts.images[1].data = BLUE.to_vec();
    desk.put("puppet.pchr", &changed);
    std::fs::remove_file(desk.path("baselines/puppet/0002.png")).unwrap();
    let run = desk.run(&["test", "suite.toml", "--report", "out"]);
    assert_eq!(run.status.code(), Some(3), "{}", said(&run));

    let browser = &mut Browser::start();
    browser.open(&desk.path("out/index.html"), "");
    let rows: Vec<String> = rows(browser);
    let starts = "puppet: 3 failed, 1 missing|failed: puppet 0000|failed: puppet 0001|failed: puppet 0003|missing: puppet 0002|still: ";
    assert_eq!(rows.len(), 6, "{rows:?}");
    for (row, start) in rows.iter().zip(starts.split('|')) {
        assert!(row.starts_with(start), "{row}");
    }
    browser
        .wait("[...document.querySelectorAll('#panes img')].every(it => it.naturalWidth === 200)");
    let figures = browser.text("byId('figures').innerText.replaceAll(/\\s+/g, ' ')");
    // Only the square of 40 by 40 pixels differs: green 40, 200, 60 and blue 30, 60, 230.
    assert!(figures.contains("Outliers 1,600 of 24,000 pixels, 6.67 %"), "{figures}");
    assert!(figures.contains("Largest 170 of 255"), "{figures}");

    // Screen x is world x + 100, and screen y is 60 - world y: the squares cover x from -60 to -20 and from 20 to 60.
    let shot = browser.shot();
    for (side, wanted) in [("expected", GREEN), ("actual", BLUE)] {
        let [left, top, width, _] = browser.place(&format!("#panes .{side}"));
        let scale = width / 200.0;
        let at = |x: f64, y: f64| shot.at([left + x * scale, top + y * scale]);
        assert_eq!(at(60.5, 60.5), RED[..3], "{side}");
        assert_eq!(at(140.5, 60.5), wanted[..3], "{side}");
    }
    // The command draws the picture of the frame.
    let command = browser.text("document.querySelector('.command code').textContent");
    let command = command.replace('\'', "");
    let words: Vec<&str> = command.split_whitespace().collect();
    assert_eq!(words[..2], ["pchr-view", "capture"]);
    succeeded(&desk.run(&words[1..]));
    assert_eq!(desk.picture("actual.png"), desk.picture("out/pictures/puppet/0000.actual.png"));

    for _ in 0..3 {
        browser.key("j");
    }
    assert_eq!(shown(browser), "puppet/0002");
    let update = browser.text("[...document.querySelectorAll('.command code')].at(-1).textContent");
    assert_eq!(update, "pchr-view test suite.toml --case=puppet --update");
    let mut words: Vec<&str> = update.split(' ').skip(1).collect();
    words.push("--force");
    succeeded(&desk.run(&words));
    let all = desk.run(&["test", "suite.toml", "--report", "out"]);
    succeeded(&all);
    browser.open(&desk.path("out/index.html"), "");
    assert_eq!(content(browser, "verdict"), "all 5 frames passed");
    assert_eq!(browser.problems(), Vec::<String>::new());
}
