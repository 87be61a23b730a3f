//! Tests of the list: order, filters and navigation.

use serde_json::json;

use crate::report::made::{Page, case, content, failed, frame, mixed, rows, shown};

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn failures_come_first_and_passed_frames_are_folded() {
    let browser = &mut Page::new(&mixed()).open();
    let wrong = "3 of 256 pixels differ by more than 2";
    assert_eq!(
        rows(browser),
        [
            "walk: 2 failed, 2 passed".to_owned(),
            format!("failed: walk 0001. {wrong}"),
            format!("failed: walk 0003. {wrong}"),
            "2 passed".to_owned(),
            "wave/left: 1 failed".to_owned(),
            format!("failed: wave/left up/0000. {wrong}"),
            "fresh: 1 missing".to_owned(),
            "missing: fresh 0000".to_owned(),
            "broken: 1 error".to_owned(),
            "error: broken . broken.pchr: frame data ends at byte 40".to_owned(),
            "told: 1 updated".to_owned(),
            "updated: told 0000".to_owned(),
            "absent: 1 skipped".to_owned(),
            "skipped: absent 0000".to_owned(),
            "calm: 3 passed".to_owned(),
        ]
    );
    assert_eq!(shown(browser), "walk/0001");
    let verdict = "3 of 12 frames differ, 1 without a baseline, 1 error";
    assert_eq!(content(browser, "verdict"), verdict);
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn buttons_and_words_filter() {
    let browser = &mut Page::new(&mixed()).open();
    let count = "byId('count').textContent";
    assert_eq!(browser.text(count), "12 frames");

    browser.click("[data-status='missing']");
    assert_eq!(rows(browser), ["fresh: 1 missing", "missing: fresh 0000"]);
    assert_eq!(browser.text(count), "1 of 12 frames");
    assert_eq!(shown(browser), "fresh/0000");
    let pressed = "[...document.querySelectorAll('#statuses [aria-pressed=true]')].map(b => b.dataset.status).join()";
    assert_eq!(browser.text(pressed), "missing");

    // Frames with the selected status are not folded.
    browser.click("[data-status='passed']");
    assert_eq!(rows(browser).len(), 2 + 5);
    browser.click("[data-status='passed']");
    assert_eq!(browser.text(pressed), "");
    assert_eq!(browser.text(count), "12 frames");

    // Words match cases, frames, files and animations, and all of them must match.
    for (words, frames) in
        [("WAVE", 1), ("calm 0002", 1), ("calm.pchr", 3), ("walk 0001", 2), ("walk", 11)]
    {
        browser.key("/");
        browser.keys(words);
        assert_eq!(browser.text(count), format!("{frames} of 12 frames"), "{words}");
        browser.key("Escape");
    }
    browser.key("/");
    browser.keys("nowhere");
    assert_eq!(rows(browser), Vec::<String>::new());
    browser.click("#all");
    assert_eq!(browser.text(count), "12 frames");
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn keys_walk_from_the_first_to_the_last_frame_that_is_not_passed() {
    let browser = &mut Page::new(&mixed()).open();
    let way = "walk/0001 walk/0003 wave/left/up/0000 fresh/0000 broken told/0000 absent/0000";
    let position = "byId('position').textContent";
    for (i, name) in way.split(' ').enumerate() {
        assert_eq!(shown(browser), name);
        assert_eq!(browser.text(position), format!("{} of 7", i + 1));
        browser.key("j");
    }
    // Nothing follows the last frame.
    assert_eq!(shown(browser), "absent/0000");
    for name in way.rsplit(' ') {
        assert_eq!(shown(browser), name);
        browser.key("k");
    }
    assert_eq!(shown(browser), "walk/0001");
    browser.click("#next");
    assert_eq!(shown(browser), "walk/0003");
    browser.click("#previous");
    assert_eq!(shown(browser), "walk/0001");
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn arrows_walk_and_unfold_the_list() {
    let browser = &mut Page::new(&mixed()).open();
    browser.value("byId('tree').focus()");
    let active =
        "document.getElementById(byId('tree').getAttribute('aria-activedescendant')).ariaLabel";
    browser.key("ArrowDown");
    browser.key("ArrowDown");
    assert_eq!(browser.text(active), "2 passed");
    browser.key("ArrowRight");
    assert_eq!(rows(browser)[4], "passed: walk 0000");
    browser.key("ArrowDown");
    assert_eq!(shown(browser), "walk/0000");
    assert_eq!(content(browser, "message"), "It matches its baseline.");
    browser.key("ArrowLeft");
    browser.key("ArrowLeft");
    assert_eq!(rows(browser)[4], "wave/left: 1 failed");
    browser.key("End");
    assert_eq!(browser.text(active), "calm: 3 passed");
    browser.key("Enter");
    assert_eq!(rows(browser).last().unwrap(), "passed: calm 0002");
    browser.key("Home");
    assert_eq!(browser.text(active), "walk: 2 failed, 2 passed");
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn an_address_names_a_frame_even_a_folded_one() {
    let page = Page::new(&mixed());
    let browser = &mut page.open_at("#wave/left/up/0000");
    assert_eq!(shown(browser), "wave/left/up/0000");
    browser.key("j");
    assert_eq!(browser.text("location.hash"), "#fresh/0000");
    browser.value("location.hash = '#calm/0001'");
    browser.wait("byId('name').textContent.includes('calm')");
    assert_eq!(shown(browser), "calm/0001");
    browser.click("[data-status='failed']");
    browser.value("location.hash = '#walk/0002'");
    browser.wait("byId('name').textContent.includes('walk/0002')");
    browser.open(&page.path(), "#no/such/frame%");
    assert_eq!(shown(browser), "walk/0001");
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn ten_thousand_frames_are_a_few_elements() {
    let many: Vec<_> = (0..100)
        .map(|i| {
            let frames: Vec<_> = (0..100).map(|i| frame(&format!("{i:04}"), "passed")).collect();
            case(&format!("case {i:03}"), &frames)
        })
        .chain([case("odd", &[failed("0000")])])
        .collect();
    let page = Page::new(&many);
    let browser = &mut page.open();
    let elements = "document.querySelectorAll('*').length";
    assert_eq!(content(browser, "count"), "10,001 frames");
    assert!(browser.number(elements) < 600.0);

    browser.click("[data-status='passed']");
    assert_eq!(content(browser, "count"), "10,000 of 10,001 frames");
    browser.value("byId('tree').focus()");
    browser.key("End");
    assert_eq!(shown(browser), "case 099/0099");
    assert_eq!(rows(browser).last().unwrap(), "passed: case 099 0099");
    assert!(browser.number(elements) < 600.0);

    browser.key("/");
    browser.keys("042.pchr 0042");
    assert_eq!(rows(browser), ["case 042: 1 passed", "passed: case 042 0042"]);
    assert_eq!(browser.problems(), Vec::<String>::new());
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn a_run_without_failures_says_so_and_one_that_could_not_be_made_why() {
    let mut passed = case("calm", &[frame("0000", "passed"), frame("0001", "passed")]);
    let browser = &mut Page::new(&[passed.clone()]).open();
    assert_eq!(content(browser, "verdict"), "all 2 frames passed");
    assert_eq!(browser.text("byId('head').dataset.verdict"), "good");
    passed["drawnBy"] = json!({
        "renderer": "gpu", "adapter": "llvmpipe", "backend": "vulkan", "driver": "Mesa 22.3", "software": true,
    });
    browser.open(&Page::new(&[passed]).path(), "");
    let facts = browser.text("byId('facts').innerText");
    assert!(facts.contains("llvmpipe · vulkan · Mesa 22.3 (in software)"), "{facts}");
    browser.open(&Page::new(&[]).path(), "");
    assert_eq!(content(browser, "verdict"), "no frames");
    let page = Page::of_errors(&["suite.toml:2: <b>file</b> is a text", "suite.toml:4: no"]);
    browser.open(&page.path(), "");
    assert_eq!(content(browser, "verdict"), "could not be run");
    let errors = browser.text("byId('errors').innerText");
    assert_eq!(errors, "suite.toml:2: <b>file</b> is a text\nsuite.toml:4: no");
    assert_eq!(browser.value("byId('body').hidden"), true);
    assert_eq!(browser.problems(), Vec::<String>::new());
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn unused_baselines_are_listed_and_come_with_the_way_out() {
    let left = case("walk", &[frame("0000", "passed"), frame("0003", "unused")]);
    let mut gone = case("gone", &[frame("0000", "unused")]);
    gone["file"] = "".into();
    let page = Page::new(&[left, gone]);
    let browser = &mut page.open_at("#gone/0000");
    assert_eq!(content(browser, "verdict"), "2 unused baselines");
    assert_eq!(browser.text("byId('head').dataset.verdict"), "bad");
    assert_eq!(browser.text("byId('about').innerText"), "no case of the suite has this name");
    let figures = browser.text("byId('figures').innerText");
    assert!(figures.contains("pchr-view test suite.toml --case=gone --prune"), "{figures}");
    assert!(rows(browser).contains(&"unused: walk 0003".to_owned()));
    browser.open(
        &Page::new(&[case("walk", &[frame("0000", "passed"), frame("0003", "removed")])]).path(),
        "",
    );
    assert_eq!(content(browser, "verdict"), "1 baseline removed");
    assert_eq!(browser.problems(), Vec::<String>::new());
}
