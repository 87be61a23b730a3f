//! Tests of the pictures that a page embeds, and of its notes about the others.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::report::made::{
    BLUE, Color, PLACED, Page, RED, WHITE, allow_clipboard, case, content, failed, frame, missing,
    png, shown,
};

/// Gives a frame `NAME.png` as its actual picture, and no others.
fn drawn(mut frame: Value, name: &str) -> Value {
    frame["pictures"] =
        json!({"expected": null, "actual": format!("pictures/{name}.png"), "difference": null});
    frame
}

fn middle(browser: &mut Browser) -> [u8; 3] {
    browser.wait(PLACED);
    let [left, top, width, height] = browser.place("#panes .actual");
    browser.shot().at([left + width / 2.0, top + height / 2.0])
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn every_frame_has_its_own_pictures_in_whatever_order_it_is_listed() {
    // Each frame has its own colour, by its position in the list.
    let frame_of = |frame: Value, place: usize| drawn(frame, &place.to_string());
    let mut broken = case("c", &[frame_of(frame("0000", "updated"), 4)]);
    broken["error"] = json!("c.pchr: frame data ends at byte 40");
    let cases = [
        case("a", &[frame_of(missing("0000"), 3)]),
        case(
            "b",
            &[
                frame_of(frame("0000", "updated"), 2),
                frame_of(missing("0001"), 1),
                frame_of(failed("0002"), 0),
            ],
        ),
        broken,
        case("d", &[frame("0000", "passed")]),
    ];
    let color = |place: u8| [40 * place + 20, 250 - 50 * place, 90, 255];
    let pictures = ["0", "1", "2", "3", "4"].map(|name| {
        let place = name.parse().unwrap();
        (name, png(16, 16, move |_, _| color(place)))
    });
    let browser = &mut Page::with(&cases, &pictures).open();
    let names = ["b/0002", "b/0001", "b/0000", "a/0000", "c", "c/0000"];
    let mut places = 0..;
    for name in names {
        assert_eq!(shown(browser), name);
        if name != "c" {
            let [r, g, b, _] = color(places.next().unwrap());
            assert_eq!(middle(browser), [r, g, b], "{name}");
        }
        browser.key("j");
    }
    for id in ["beyond", "beside"] {
        assert_eq!(browser.value(&format!("byId('{id}').checkVisibility()")), json!(false));
    }
    assert_eq!(browser.problems(), Vec::<String>::new());
}

/// Picture of 9.9 MB that no encoder can compress.
fn noise() -> Vec<u8> {
    png(1650, 1500, |x, y| {
        let mixed = u64::from(y * 1650 + x + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let [r, g, b, ..] = mixed.to_be_bytes();
        [r, g, b, mixed as u8]
    })
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn what_a_page_does_not_hold_lies_beside_it() {
    let large = |name: &str| {
        let mut frame = failed(name);
        for (side, path) in frame["pictures"].as_object_mut().unwrap() {
            *path = json!(format!("pictures/{name} {side}.png"));
        }
        frame
    };
    let cases = [
        case("fresh", &[missing("0000")]),
        case("walk", &["0000", "0001", "0002", "0003"].map(large)),
        case("wave", &[failed("0000")]),
    ];
    let noise = noise();
    assert!(noise.len() > 9_700_000, "{}", noise.len());
    let names: Vec<String> = ["0000", "0001", "0002", "0003"]
        .iter()
        .flat_map(|name| ["expected", "actual", "difference"].map(|side| format!("{name} {side}")))
        .collect();
    let plain = |color: Color| png(16, 16, move |_, _| color);
    let mut pictures: Vec<(&str, Vec<u8>)> =
        names.iter().map(|name| (name.as_str(), noise.clone())).collect();
    for (name, color) in [("expected", RED), ("actual", BLUE), ("difference", WHITE)] {
        pictures.push((name, plain(color)));
    }
    let page = Page::with(&cases, &pictures);
    // Two frames of 30 MB fit, but not three. Small pictures are embedded all the same.
    let more = std::fs::metadata(page.path()).unwrap().len() - 8 * noise.len() as u64;
    assert!(more < 200_000, "{more}");

    let browser = &mut page.open();
    assert_eq!(
        browser.text("byId('beyond').innerText"),
        "The pictures of 2 frames are not in this page: they are in pictures/ beside it."
    );
    let thumbs = "document.querySelectorAll('.row[aria-selected=true] .thumb img').length";
    let images =
        "[...document.querySelectorAll('#panes img')].map(image => image.naturalWidth).join()";
    let files = "byId('beside').checkVisibility()";
    for name in ["0000", "0001"] {
        assert_eq!(shown(browser), format!("walk/{name}"));
        browser.wait(&format!("{images} === '1650,1650,1650'"));
        browser.wait(&format!("{thumbs} === 2"));
        assert_eq!(browser.value(files), json!(false));
        browser.key("j");
    }

    allow_clipboard(browser);
    for name in ["0002", "0003"] {
        assert_eq!(shown(browser), format!("walk/{name}"));
        assert_eq!(browser.text(images), "");
        assert_eq!(browser.number(thumbs), 0.0);
        assert_eq!(browser.value("byId('stage').checkVisibility()"), json!(false));
        let said = browser.text("byId('beside').innerText");
        let wanted = "The pictures of this frame would make this page too large";
        assert!(said.starts_with(wanted), "{said}");
        let paths = browser
            .value("[...document.querySelectorAll('#beside code')].map(code => code.textContent)");
        let wanted =
            ["expected", "actual", "difference"].map(|side| format!("pictures/{name} {side}.png"));
        assert_eq!(paths, json!(wanted));
        browser.click("#beside .command:nth-of-type(2) button");
        browser.wait("[...document.querySelectorAll('#beside button')].some(button => button.textContent === 'Copied')");
        let copied = browser.text("navigator.clipboard.readText()");
        assert_eq!(copied, wanted[1]);
        assert!(std::fs::read(page.path().with_file_name(copied)).unwrap() == noise);

        // Everything else is present, and nothing requests a picture.
        let message = content(browser, "message");
        assert_eq!(message, "3 of 256 pixels differ by more than 2");
        let figures = browser.text("byId('figures').innerText.replaceAll(/\\s+/g, ' ')");
        for figure in ["Outliers 3 of 256", "Largest 170 of 255 at 5, 2", "capture hero.pchr"] {
            assert!(figures.contains(figure), "{figure} is not in {figures}");
        }
        assert_eq!(browser.value("byId('show-largest')"), Value::Null);
        for key in ["2", "+", "m", "m", "0", "1"] {
            browser.key(key);
        }
        browser.shot();
        browser.key("j");
    }
    assert_eq!(shown(browser), "wave/0000");
    assert_eq!(browser.value(files), json!(false));
    assert_eq!(middle(browser), BLUE[..3]);
    assert_eq!(browser.number(thumbs), 2.0);
    browser.key("j");
    assert_eq!(shown(browser), "fresh/0000");
    assert_eq!(middle(browser), BLUE[..3]);

    browser.size(360, 740);
    browser.key("k");
    browser.key("k");
    assert_eq!(shown(browser), "walk/0003");
    let over = "Math.max(...[document.documentElement, byId('frame')].map(e => e.scrollWidth - e.clientWidth))";
    assert_eq!(browser.number(over), 0.0);
    assert_eq!(browser.problems(), Vec::<String>::new());
}
