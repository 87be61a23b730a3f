//! Tests of the pictures of a frame, by the pixels on the screen.

use std::time::Duration;

use serde_json::json;

use crate::browser::Browser;
use crate::report::made::{
    BLUE, Color, PLACED, Page, RED, WHITE, allow_clipboard, case, content, failed, missing, mixed,
    png, shown,
};

/// Number of rings that are shown.
const RINGS: &str = "[...document.querySelectorAll('.ring')].filter(ring => !ring.hidden).length";

fn rgb([r, g, b, _]: Color) -> [u8; 3] {
    [r, g, b]
}

/// Screen position of a point in a picture, which is given in fractions of the sides.
fn on_screen(browser: &mut Browser, side: &str, [x, y]: [f64; 2]) -> [f64; 2] {
    browser.wait(PLACED);
    let [left, top, width, height] = browser.place(&format!("#panes .{side}"));
    [left + x * width, top + y * height]
}

fn color(browser: &mut Browser, side: &str, at: [f64; 2]) -> [u8; 3] {
    browser.shot().at(on_screen(browser, side, at))
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn they_stand_side_by_side() {
    let browser = &mut Page::new(&mixed()).open();
    for (side, wanted) in [("expected", RED), ("actual", BLUE), ("difference", WHITE)] {
        assert_eq!(color(browser, side, [0.5, 0.5]), rgb(wanted), "{side}");
    }
    browser.key("4");
    assert_eq!(browser.number("document.querySelectorAll('#panes .layer').length"), 1.0);
    assert_eq!(color(browser, "difference", [0.5, 0.5]), rgb(WHITE));
    // The next frame is shown in the same mode.
    browser.key("j");
    assert_eq!(shown(browser), "walk/0003");
    assert_eq!(color(browser, "difference", [0.5, 0.5]), rgb(WHITE));
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn the_slider_follows_mouse_and_keys() {
    let browser = &mut Page::new(&mixed()).open();
    browser.key("2");
    // Checks the share of the picture that shows the expected one: red, to the left of blue.
    let split = |browser: &mut Browser, share: f64| {
        let at = [share - 0.05, share + 0.05].map(|x| on_screen(browser, "expected", [x, 0.2]));
        let shot = browser.shot();
        assert_eq!(at.map(|at| shot.at(at)), [rgb(RED), rgb(BLUE)], "{share}");
    };
    split(browser, 0.5);
    let from = on_screen(browser, "expected", [0.5, 0.5]);
    let path = [0.4, 0.3, 0.25].map(|x| on_screen(browser, "expected", [x, 0.5]));
    browser.drag(&[from, path[0], path[1], path[2]]);
    split(browser, 0.25);
    assert_eq!(browser.text("byId('handle').getAttribute('aria-valuenow')"), "25");

    // The handle now has the focus.
    (0..20).for_each(|_| browser.key("ArrowRight"));
    split(browser, 0.45);
    browser.key("End");
    assert_eq!(color(browser, "expected", [0.95, 0.2]), rgb(RED));
    browser.key("Home");
    assert_eq!(color(browser, "expected", [0.05, 0.2]), rgb(BLUE));
    assert_eq!(browser.text("byId('handle').getAttribute('aria-valuetext')"), "0 % expected");

    // A press anywhere in a picture that fits moves the handle there.
    let to = on_screen(browser, "expected", [0.7, 0.8]);
    browser.drag(&[to]);
    split(browser, 0.7);
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn blinking_alternates_until_it_is_paused_or_out_of_sight() {
    let browser = &mut Page::new(&mixed()).open();
    browser.key("b");
    for (side, wanted) in [("expected", RED), ("actual", BLUE), ("expected", RED)] {
        // Paused as soon as that picture is shown.
        browser.value(&format!(
            "new Promise(done => {{
                const look = () => panes.dataset.shown === '{side}' ? done(byId('pause').click()) : setTimeout(look, 5);
                look();
            }})"
        ));
        assert_eq!(color(browser, side, [0.5, 0.5]), rgb(wanted));
        assert_eq!(browser.text("document.querySelector('#panes figcaption').textContent"), side);
        browser.click("#pause");
    }
    // Number of changes in 2.6 seconds.
    let watch = |browser: &mut Browser| {
        browser.number(
            "new Promise(done => {
                let changes = 0;
                const watch = new MutationObserver(() => changes++);
                watch.observe(panes, { attributeFilter: ['data-shown'] });
                setTimeout(() => (watch.disconnect(), done(changes)), 2600);
            })",
        )
    };
    // Two changes a second, which is one flash.
    let changes = watch(browser);
    assert!((2.0..=6.0).contains(&changes), "{changes}");
    browser.key(" ");
    assert_eq!(content(browser, "pause"), "Resume");
    assert_eq!(watch(browser), 0.0);
    let before = browser.text("panes.dataset.shown");
    browser.key("o");
    assert_ne!(browser.text("panes.dataset.shown"), before);
    browser.click("#pause");
    browser.value("byId('rate').value = 4; byId('rate').dispatchEvent(new Event('change')), 0");
    let more = watch(browser);
    assert!(more > changes && more <= 11.0, "{more}");

    // In a low window the page starts with the list, so the pictures are not visible.
    browser.size(400, 300);
    browser.value("scrollTo(0, 0)");
    browser.wait("!view.inSight");
    assert_eq!(watch(browser), 0.0);
    browser.value("panes.scrollIntoView()");
    browser.wait("view.inSight");
    assert!(watch(browser) > 0.0);
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn nothing_moves_for_those_who_want_that() {
    let page = Page::new(&mixed());
    let browser = &mut page.open();
    browser.prefer("light", "reduce");
    browser.open(&page.path(), "");
    browser.key("3");
    let shown = browser.text("panes.dataset.shown");
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(browser.text("panes.dataset.shown"), shown);
    browser.click("#other");
    assert_ne!(browser.text("panes.dataset.shown"), shown);
}

/// Page with pictures whose red and green encode the position of each pixel, and whose blue identifies the picture.
fn map() -> Page {
    let map = |blue| png(64, 64, move |x, y| [x as u8 * 4, y as u8 * 4, blue, 255]);
    let pictures = [("expected", map(0)), ("actual", map(100)), ("difference", map(200))];
    Page::with(&[case("map", &[failed("0000"), failed("0001")])], &pictures)
}

/// Picture pixels in the middle of each pane.
fn middles(browser: &mut Browser) -> Vec<[u8; 2]> {
    let ports = browser.value(
        "[...document.querySelectorAll('.port')].map(port => port.getBoundingClientRect()).map(({ x, y, width, height }) => [x + width / 2, y + height / 2])",
    );
    let shot = browser.shot();
    let middle = |(i, port): (usize, &serde_json::Value)| {
        let [x, y, side] = shot.at([0, 1].map(|i| port[i].as_f64().unwrap()));
        assert_eq!(usize::from(side), i * 100, "the picture of pane {i}");
        assert_eq!([x % 4, y % 4], [0, 0], "pixels are not blended");
        [x / 4, y / 4]
    };
    ports.as_array().unwrap().iter().enumerate().map(middle).collect()
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn zoom_shows_pixels_and_panes_move_together() {
    let browser = &mut map().open();
    let fits = content(browser, "scale");
    assert_eq!(fits, "4×");
    browser.keys("+++++++++");
    assert_eq!(content(browser, "scale"), "16×");
    // Every pixel is a square of 16 by 16 without seams.
    let [left, top, ..] = browser.place("#panes .port");
    let [x, y, ..] = browser.place("#panes .expected");
    let shot = browser.shot();
    for (i, j) in (0..200).flat_map(|i| (0..200).map(move |j| (i, j))) {
        let at = [left.ceil() + 4.0 + f64::from(i), top.ceil() + 4.0 + f64::from(j)];
        let pixel = [(at[0] + 0.5 - x) / 16.0, (at[1] + 0.5 - y) / 16.0];
        let [r, g] = pixel.map(|pixel| (pixel.floor() * 4.0) as u8);
        assert_eq!(shot.at(at), [r, g, 0], "at {at:?}");
    }

    let before = middles(browser);
    assert_eq!(before, [before[0]; 3]);
    let [left, top, width, height] = browser.place("#panes .port");
    let from = [left + width / 2.0, top + height / 2.0];
    browser.drag(&[from, [from[0] - 40.0, from[1] - 20.0], [from[0] - 80.0, from[1] + 48.0]]);
    let [x, y] = before[0];
    let after = middles(browser);
    assert_eq!(after, [[x + 5, y - 3]; 3]);

    // The pictures have the focus: arrow keys move them, and the frame stays.
    browser.key("ArrowRight");
    browser.key("ArrowDown");
    assert_eq!(middles(browser), [[x + 7, y - 1]; 3]);
    assert_eq!(shown(browser), "map/0000");

    // The next frame shows the same area, and 0 shows all of it.
    browser.key("j");
    assert_eq!(shown(browser), "map/0001");
    browser.wait(PLACED);
    assert_eq!(middles(browser), [[x + 7, y - 1]; 3]);
    browser.key("0");
    assert_eq!(content(browser, "scale"), fits);
    browser.keys("----");
    assert_eq!(content(browser, "scale"), "1×");
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn the_largest_difference_is_marked_and_the_pixel_below_the_pointer_named() {
    let browser = &mut map().open();
    assert_eq!(browser.number(RINGS), 0.0);
    browser.key("m");
    assert_eq!(browser.number(RINGS), 3.0);
    let [x, y, width, height] = browser.place(".ring");
    let [left, top, side, _] = browser.place("#panes .expected");
    // The middle of pixel 5, 2.
    let wanted = [left + 5.5 * side / 64.0, top + 2.5 * side / 64.0];
    assert!((x + width / 2.0 - wanted[0]).abs() < 1.0);
    assert!((y + height / 2.0 - wanted[1]).abs() < 1.0);
    browser.hover(wanted);
    let pixel = browser.text("byId('pixel').textContent.replaceAll(/\\s+/g, ' ')");
    assert_eq!(pixel, "pixel 5, 2expected #140800actual #140864");
    browser.key("m");
    assert_eq!(browser.number(RINGS), 0.0);
    browser.click("#show-largest");
    assert_eq!(content(browser, "scale"), "8×");
    assert_eq!(browser.number(RINGS), 3.0);
    let [left, top, width, height] = browser.place("#panes .port");
    let [x, y, ..] = browser.place(".ring");
    assert!(x >= left && y >= top && x < left + width && y < top + height);
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn a_difference_that_is_easily_missed_is_marked_unasked() {
    let mut frame = failed("0000");
    frame["difference"]["pixels"] = json!(65536);
    let browser = &mut Page::new(&[case("small", &[frame])]).open();
    browser.wait(&format!("{RINGS} === 3"));
    let pressed = "byId('mark').getAttribute('aria-pressed')";
    assert_eq!(browser.text(pressed), "true");
    browser.click("#mark");
    assert_eq!(browser.text(pressed), "false");
    assert_eq!(browser.number(RINGS), 0.0);
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn figures_say_what_differs() {
    let browser = &mut Page::new(&mixed()).open();
    let text = browser.text("byId('figures').innerText.replaceAll(/\\s+/g, ' ')");
    for figure in [
        "Outliers 3 of 256 pixels, 1.17 %",
        "Allowed 1, tolerance 2 of 255",
        "Largest 170 of 255 at 5, 2",
        "Not equal 10 pixels, 3.91 %",
        "Mean FLIP 0.0125",
        "4 1 3 2 · 3–4 · 5–8 1 9–16 · 17–32 · 33–64 1 65–128 1 129–255",
        "pchr-view capture hero.pchr -f 0 -o it.png",
        "pchr-view test suite.toml --case=walk --update",
    ] {
        assert!(text.contains(figure), "{figure} is not in {text}");
    }
    let heights =
        browser.value("[...document.querySelectorAll('.bar-of')].map(bar => bar.offsetHeight)");
    let heights: Vec<u32> = serde_json::from_value(heights).unwrap();
    let there: Vec<_> = (0..9).filter(|i| heights[*i] > 0).collect();
    assert_eq!((heights.len(), &there[..]), (9, &[0, 1, 4, 7, 8][..]));
    assert!(heights[0] > heights[1] && heights[1] > heights[4]);
    allow_clipboard(browser);
    browser.click(".command button");
    browser.wait("document.querySelector('.command button').textContent === 'Copied'");
    let copied = browser.text("navigator.clipboard.readText()");
    assert_eq!(copied, "pchr-view capture hero.pchr -f 0 -o it.png");
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn a_picture_without_a_baseline_stands_alone() {
    let browser = &mut Page::new(&[case("fresh", &[missing("0000")])]).open();
    assert_eq!(color(browser, "actual", [0.5, 0.5]), rgb(BLUE));
    assert_eq!(browser.number("document.querySelectorAll('#panes .layer').length"), 1.0);
    browser.key("2");
    assert_eq!(color(browser, "actual", [0.1, 0.5]), rgb(BLUE));
    assert_eq!(browser.number("document.querySelectorAll('#modes :disabled').length"), 3.0);
    let text = browser.text("byId('frame').innerText");
    assert!(text.contains("It has no baseline yet."), "{text}");
    assert!(text.contains("pchr-view test suite.toml --case=fresh --update"), "{text}");
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn another_size_is_said_plainly() {
    let mut frame = failed("0000");
    frame["difference"] = json!(null);
    frame["pictures"]["difference"] = json!(null);
    let pictures = [("expected", png(8, 16, |_, _| RED)), ("actual", png(16, 12, |_, _| BLUE))];
    let browser = &mut Page::with(&[case("size", &[frame])], &pictures).open();
    browser.wait("byId('sizes').textContent !== ''");
    browser.wait("[...document.querySelectorAll('#panes img')].every(image => image.naturalWidth)");
    let sizes = "Different sizes: expected 8 × 16, actual 16 × 12 pixels";
    assert_eq!(content(browser, "sizes"), sizes);
    let disabled =
        "[...document.querySelectorAll('#modes :disabled')].map(b => b.dataset.mode).join()";
    assert_eq!(browser.text(disabled), "difference");
    // Both pictures have one scale and start at one corner.
    let [.., width, height] = browser.place("#panes .expected");
    let [.., other, _] = browser.place("#panes .actual");
    assert_eq!(height, width * 2.0);
    assert_eq!(other, width * 2.0);
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn what_is_transparent_shows_what_is_behind() {
    let mut frame = failed("0000");
    frame["difference"]["alphaOnly"] = json!(true);
    let clear = |alpha| png(16, 16, move |_, _| [0, 0, 0, alpha]);
    let pictures = [("expected", clear(255)), ("actual", clear(0)), ("difference", clear(255))];
    let browser = &mut Page::with(&[case("clear", &[frame])], &pictures).open();
    let text = browser.text("byId('figures').innerText");
    assert!(text.contains("only alpha differs"), "{text}");
    let at = on_screen(browser, "actual", [0.02, 0.02]);
    let next = [at[0] + 8.0, at[1]];
    let shot = browser.shot();
    assert_ne!(shot.at(at), shot.at(next), "a checkerboard");
    for (behind, wanted) in [("white", 255), ("black", 0)] {
        browser.click(&format!("#behind [data-behind='{behind}']"));
        let shot = browser.shot();
        assert_eq!([shot.at(at), shot.at(next)], [[wanted; 3]; 2]);
    }
}
