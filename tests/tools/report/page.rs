//! Tests of the page as a file: it has no errors, loads nothing from elsewhere, and treats names only as text.

use serde_json::{Value, json};

use crate::report::made::{Page, case, content, failed, frame, missing, mixed, rows, shown};

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn it_needs_nothing_but_itself_and_complains_of_nothing() {
    let page = Page::new(&mixed());
    let browser = &mut page.open();
    browser.wait("document.querySelectorAll('#panes img').length === 3 && [...document.querySelectorAll('#panes img')].every(image => image.naturalWidth === 16)");
    for key in ["2", "3", "4", "1", "+", "m", "j", "j", "j", "j", "j", "j", "?", "Escape"] {
        browser.key(key);
    }
    assert_eq!(browser.problems(), Vec::<String>::new());
    let text = std::fs::read_to_string(page.path()).unwrap();
    let markup = text.split("<script>").next().unwrap();
    for address in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!markup.contains(address), "{address}");
    }
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn its_hashes_are_right_and_nothing_else_may_run_or_be_fetched() {
    let browser = &mut Page::new(&mixed()).open();
    // With wrong hashes, the page would have no style and do nothing.
    let hash = |selector: &str| {
        format!(
            "crypto.subtle.digest('SHA-256', new TextEncoder().encode(document.querySelector('{selector}').textContent))\
             .then(hash => 'sha256-' + btoa(String.fromCharCode(...new Uint8Array(hash))))"
        )
    };
    let policy = browser.text("document.querySelector('meta[http-equiv]').content");
    for part in ["style", "script:not([type])"] {
        let hash = browser.text(&hash(part));
        assert!(policy.contains(&hash), "{part}: {hash} is not in {policy}");
    }
    browser.value("addEventListener('securitypolicyviolation', event => (window.refused ??= []).push(event.effectiveDirective)), 0");
    browser.value(
        "(() => {
            const add = (name, attributes, text = '') => {
                const element = Object.assign(document.createElement(name), attributes);
                element.textContent = text;
                document.body.append(element);
            };
            add('script', {}, 'window.ran = 1');
            add('script', { src: 'data:text/javascript,window.ran=1' });
            add('style', {}, 'body { display: none }');
            add('img', { src: 'http://127.0.0.1:9/a.png' });
            add('iframe', { src: 'http://127.0.0.1:9/' });
            const button = document.createElement('button');
            button.setAttribute('onclick', 'window.ran = 1');
            document.body.append(button);
            button.click();
        })()",
    );
    let fetched =
        browser.text("fetch('http://127.0.0.1:9/').then(() => 'fetched', () => 'refused')");
    assert_eq!(fetched, "refused");
    browser.wait("window.refused?.length >= 7");
    let mut refused: Vec<String> = serde_json::from_value(browser.value("window.refused")).unwrap();
    refused.sort();
    refused.dedup();
    let directives = "connect-src frame-src img-src script-src-attr script-src-elem style-src-elem";
    assert_eq!(refused.join(" "), directives);
    assert_eq!(browser.value("window.ran ?? null"), Value::Null);
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn names_are_text_whatever_they_say() {
    const NAMES: [&str; 9] = [
        "<script>alert(1)</script>",
        "</script><img src=x onerror=alert(1)>",
        "<!--<script>",
        "\"'`&amp;&lt;",
        "line\nbreak\ttab",
        "\u{202e}txet left-to-right",
        "../../..//x",
        "%41%zz#?&=",
        "{{pictures}}\u{2028}\0\u{7}",
    ];
    let mut names = NAMES;
    names.sort_unstable();
    let cases: Vec<_> = names
        .iter()
        .map(|name| {
            let mut failure = failed(name);
            failure["animation"] = json!(name);
            failure["message"] = json!(name);
            failure["command"] = json!(name);
            let mut case = case(name, &[failure, missing("0001"), frame("0002", "passed")]);
            case["notes"] = json!([name]);
            case["drawnBy"] = json!({
                "renderer": "gpu", "adapter": name, "backend": name, "driver": name, "software": false,
            });
            case
        })
        .collect();
    let page = Page::new(&cases);
    let browser = &mut page.open();
    assert_eq!(browser.number("cases.length"), names.len() as f64);
    for name in names {
        // The name also survives as part of the page's address.
        let said = name.replace('\u{202e}', "\\u{202e}").replace('\u{2028}', "\\u{2028}");
        assert_eq!(shown(browser), format!("{said}/{said}"));
        assert_eq!(content(browser, "message"), said);
        assert_eq!(browser.text("document.querySelector('.command code').textContent"), said);
        let hash = browser.text("location.hash");
        let hash = browser.text(&format!("decodeURIComponent({hash:?})"));
        assert_eq!(hash, format!("#{name}/{name}"));
        let others =
            "document.querySelectorAll('img:not([src^=\"data:image/png;base64,\"])').length";
        assert_eq!(browser.number(others), 0.0);
        browser.key("j");
        browser.key("j");
    }
    assert!(rows(browser).len() >= 2 * names.len());
    assert_eq!(browser.number("document.querySelectorAll('script:not([type])').length"), 1.0);
    assert_eq!(browser.problems(), Vec::<String>::new());
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn without_scripts_it_says_what_it_would_show() {
    let page = Page::new(&mixed());
    let browser = &mut page.open();
    browser.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    browser.open(&page.path(), "");
    let text = browser.text("document.body.innerText");
    let wanted = "12 frames of 7 cases: 3 failed, 1 without a baseline, 1 error,";
    assert!(text.contains(wanted), "{text}");
}
