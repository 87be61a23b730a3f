//! Tests of `pchr-view thumbnail` and `pchr-view contact`.

use crate::desk::{Desk, said, succeeded};

#[test]
fn a_thumbnail_is_a_fitted_transparent_picture_and_a_broken_file_has_none() {
    let desk = Desk::new();
    succeeded(&desk.run(&["thumbnail", "puppet.pchr", "small.png", "-s", "64"]));
    let picture = desk.picture("small.png");
    assert_eq!([picture.width, picture.height], [64, 64]);
    assert_eq!(picture.at(0, 0)[3], 0);
    assert!(picture.pixels.iter().any(|pixel| pixel[3] == 255));
    let all = desk.bytes("puppet.pchr");
    desk.put_bytes("cut.pchr", &all[..all.len() / 2]);
    let output = desk.run(&["thumbnail", "cut.pchr", "cut.png"]);
    assert_eq!((output.status.code(), said(&output).lines().count()), (Some(4), 1), "{output:?}");
    assert!(!desk.path("cut.png").exists());
    let output = desk.run(&["thumbnail", "puppet.pchr", "puppet.pchr"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(desk.bytes("puppet.pchr"), all);
    assert_eq!(desk.run(&["thumbnail", "nowhere.pchr", "a.png"]).status.code(), Some(1));
}

#[test]
fn an_overview_shows_every_file_and_says_why_one_is_missing() {
    let desk = Desk::new();
    let all = desk.bytes("puppet.pchr");
    for name in ["art/b10.pchr", "art/b9.pchr", "art/deep & deeper/100%.pchr", "art/.hidden.pchr"] {
        desk.put_bytes(name, &all);
    }
    desk.put_bytes("art/readme.txt", b"no");
    succeeded(&desk.run(&["contact", "art", "-o", "all.png", "-s", "64"]));
    let picture = desk.picture("all.png");
    assert_eq!([picture.width, picture.height], [12 + 3 * 76, 12 + 93]);
    desk.put_bytes("art/cut.pchr", &all[..all.len() / 2]);
    for name in ["all.png", "all.html"] {
        let output = desk.run(&["contact", "art", "-o", name]);
        assert_eq!(output.status.code(), Some(4), "{output:?}");
        assert!(said(&output).ends_with("error: 1 of 4 files are invalid\n"), "{output:?}");
    }
    let page = String::from_utf8(desk.bytes("all.html")).unwrap();
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}: {page}"));
    assert!(place(">b9.pchr<") < place(">b10.pchr<"), "as people sort names");
    place("href=\"art/deep%20%26%20deeper/100%25.pchr\"");
    place("deep &amp; deeper/100%.pchr");
    assert!(place("class=\"broken\"") < place("cut.pchr</a>"));
    assert!(!page.contains(".hidden") && !page.contains("readme"));
    assert_eq!(page.matches("data:image/png;base64,").count(), 3);
    for args in [&["contact", "art", "-o", "all.gif"][..], &["contact", "art/deep", "-o", "a.png"]]
    {
        assert_ne!(desk.run(args).status.code(), Some(0));
    }
}
