//! Tests of the page's accessibility: keyboard, screen readers, small screens, and both themes.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::report::made::{Page, content, mixed, shown};

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn tab_reaches_every_control_and_shows_where_it_is() {
    let browser = &mut Page::new(&mixed()).open();
    browser.key("2");
    browser.key("m");
    // All visible controls and focusable elements.
    let all = "[...document.querySelectorAll('button, input, select, summary, [tabindex=\"0\"]')]
        .filter(element => element.checkVisibility() && !element.disabled)";
    let wanted = browser.number(&format!(
        "({all}).forEach((element, i) => element.dataset.stop = i), {all}.length"
    ));
    let mut reached = BTreeSet::new();
    for _ in 0..80 {
        browser.key("Tab");
        let stop = browser.value("document.activeElement.dataset.stop ?? null");
        if stop != Value::Null {
            reached.insert(stop.as_str().unwrap().to_owned());
            let seen = browser.text("getComputedStyle(document.activeElement).outlineStyle");
            let is_handle = browser.value("document.activeElement.id === 'handle'");
            assert!(seen != "none" || is_handle == Value::Bool(true), "{stop}: {seen}");
        }
    }
    assert_eq!(reached.len() as f64, wanted);
    assert!(wanted > 20.0, "{wanted}");
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn everything_that_takes_the_focus_has_a_name() {
    let browser = &mut Page::new(&mixed()).open();
    for mode in ["1", "2", "3", "4"] {
        browser.key(mode);
        let tree = browser.call("Accessibility.getFullAXTree", json!({}));
        let nodes = tree["nodes"].as_array().unwrap();
        let focusable = |node: &&Value| {
            let properties = node["properties"].as_array().into_iter().flatten();
            let mut properties = properties.map(|p| (&p["name"], &p["value"]["value"]));
            node["ignored"] == false
                && properties.any(|(name, value)| name == "focusable" && value == true)
        };
        let roles = nodes.iter().filter(focusable).map(|node| {
            let role = node["role"]["value"].as_str().unwrap();
            let name = node["name"]["value"].as_str().unwrap_or_default();
            // The main region is named after the frame.
            assert!(!name.trim().is_empty(), "a {role} has no name: {node}");
            role.to_owned()
        });
        let roles: BTreeSet<String> = roles.collect();
        for role in ["button", "searchbox", "tree"] {
            assert!(roles.contains(role), "{role} in {roles:?}");
        }
        assert_eq!(roles.contains("slider"), mode == "2");
        let items = nodes.iter().filter(|node| node["role"]["value"] == "treeitem");
        assert!(items.count() > 10);
    }
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn what_changes_is_told() {
    let browser = &mut Page::new(&mixed()).open();
    assert_eq!(browser.text("byId('count').getAttribute('role')"), "status");
    browser.key("/");
    assert_eq!(browser.text("document.activeElement.id"), "find");
    browser.keys("wave");
    assert_eq!(content(browser, "count"), "1 of 12 frames");
    browser.key("Enter");
    assert_eq!(browser.text("document.activeElement.id"), "tree");
    let active =
        "document.getElementById(byId('tree').getAttribute('aria-activedescendant')).ariaSelected";
    assert_eq!(browser.text(active), "true");
    browser.key("?");
    assert_eq!(browser.value("byId('keys').open"), Value::Bool(true));
    let before = shown(browser);
    browser.key("j");
    assert_eq!(shown(browser), before);
    browser.key("Escape");
    assert_eq!(browser.value("byId('keys').open"), Value::Bool(false));
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn it_fits_every_width() {
    let page = Page::new(&mixed());
    let browser = &mut page.open();
    for (width, height) in [(360, 740), (640, 500), (799, 900), (800, 600), (1920, 1080)] {
        browser.size(width, height);
        for mode in ["1", "2", "3", "4"] {
            browser.key(mode);
            let over = "Math.max(...[document.documentElement, byId('frame'), byId('tree')].map(e => e.scrollWidth - e.clientWidth))";
            assert_eq!(browser.number(over), 0.0, "{width} wide, mode {mode}");
        }
        let cut = "[...document.querySelectorAll('button, h1, h2, input, .port')].filter(e => e.checkVisibility())
            .filter(e => e.getBoundingClientRect().right > innerWidth + 0.5 || e.getBoundingClientRect().left < -0.5).length";
        assert_eq!(browser.number(cut), 0.0, "{width} wide");
    }
}

/// Script that lists texts whose contrast with their background is below 4.5 to 1, as WCAG 2.2 defines it.
const PALE: &str = "(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const over = (colors) => {
        canvas.clearRect(0, 0, 1, 1);
        for (const color of colors) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); }
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = (rgb) => rgb.slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const pale = [];
    let seen = 0;
    for (const element of document.querySelectorAll('body *')) {
        const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
        if (!own || !element.checkVisibility() || element.disabled || element.closest('script, style, noscript, dialog')) continue;
        const grounds = [];
        for (let e = element; e; e = e.parentElement) grounds.unshift(getComputedStyle(e).backgroundColor);
        const ground = over(grounds);
        const text = over([...grounds, getComputedStyle(element).color]);
        const [a, b] = [light(ground), light(text)].sort((a, b) => b - a);
        const ratio = (a + 0.05) / (b + 0.05);
        seen++;
        if (ratio < 4.5) pale.push(`${element.localName}.${element.className} ${element.textContent.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
    }
    return [seen, pale];
})()";

fn assert_readable(browser: &mut Browser, scheme: &str) {
    browser.prefer(scheme, "no-preference");
    let [seen, pale] = [0, 1].map(|i| browser.value(PALE)[i].clone());
    assert!(seen.as_u64().unwrap() > 60, "{seen}");
    assert_eq!(pale, json!([]), "{scheme}");
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn text_can_be_read_in_both_themes() {
    let browser = &mut Page::new(&mixed()).open();
    for _ in 0..4 {
        assert_readable(browser, "light");
        let light = browser.shot().at([4.0, 500.0]);
        assert_readable(browser, "dark");
        let dark = browser.shot().at([4.0, 500.0]);
        assert!(light[0] > 200 && dark[0] < 60, "{light:?} {dark:?}");
        browser.key("j");
    }
}
