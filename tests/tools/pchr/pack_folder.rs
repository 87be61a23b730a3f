//! Tests of `pchr pack` with a folder: PNG files become an atlas and its pages; and of many images, and permissions.

use pchr::image::{Effort, Pixels, encode_png};

use crate::desk::{Desk, json_of, succeeded};
use crate::fixture::puppet;

/// PNG file with visible pixels in the middle and a transparent border.
fn png([width, height]: [u32; 2], color: [u8; 4]) -> Vec<u8> {
    let seen = |x: u32, y: u32| x > 1 && x + 3 < width && y > 2 && y + 2 < height;
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let rgba = pixels.flat_map(|(x, y)| if seen(x, y) { color } else { [0; 4] });
    let pixels = Pixels { width, height, rgba: rgba.collect() };
    let mut png = Vec::new();
    encode_png(&pixels, Effort::Some, &mut png).unwrap();
    png
}

/// Pictures of a folder: frames and single ones.
pub(crate) fn pictures() -> Vec<(String, Vec<u8>)> {
    let frame = |n: u8| (format!("pictures/hero/walk_{n}.png"), png([20, 30], [n, 200, 9, 255]));
    let mut files: Vec<_> = (1..=11).map(frame).collect();
    files.push(("pictures/hero/rest.png".into(), png([20, 30], [3, 200, 9, 255])));
    files.push(("pictures/sword.png".into(), png([40, 12], [9, 9, 200, 128])));
    files.push(("pictures/Äxte/gro\u{df}.PNG".into(), png([15, 15], [1; 4])));
    files
}

fn desk() -> Desk {
    let desk = Desk::new();
    for (name, bytes) in pictures() {
        desk.put_bytes(&name, &bytes);
    }
    desk
}

#[test]
fn a_folder_becomes_an_atlas() {
    let desk = desk();
    desk.put_bytes("pictures/notes.txt", b"x");
    desk.put_bytes("pictures/.hidden.png", b"x");
    let report = json_of(&desk.run_pchr(&["pack", "pictures", "-o", "out/atlas.pct", "--json"]));
    assert_eq!(report["packed"]["sprites"], 14);
    assert_eq!(report["packed"]["aliases"], 1);
    assert_eq!(report["packed"]["pages"][0]["file"], "atlas.png");
    assert_eq!(report["outputs"][1]["path"], "out/atlas.pct");
    let text = String::from_utf8(desk.bytes("out/atlas.pct")).unwrap();
    assert!(text.starts_with("PCT:1.0\nP:atlas.png,RGBA8888,"), "{text}");
    assert!(text.contains("walk_"), "{text}");
    assert!(text.contains("\nA:") && text.ends_with("=0/walk_3\n"), "{text}");

    succeeded(&desk.run_pchr(&["pack", "pictures", "-o", "again/atlas.pct"]));
    assert!(desk.files("again") == desk.files("out"), "the same bytes");
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_is_an_error() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = desk();
    let mode = |mode| {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(desk.path("pictures/hero"), mode).unwrap();
    };
    mode(0);
    if std::fs::read_dir(desk.path("pictures/hero")).is_err() {
        let output = desk.run_pchr(&["pack", "pictures", "-o", "a.pct"]);
        let said = crate::desk::said(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.starts_with("error: cannot read pictures/hero: "), "{said}");
    }
    mode(0o755);
}

#[test]
fn any_number_of_images_is_unpacked_whatever_they_are_called() {
    let desk = Desk::new();
    let mut many = puppet();
    many.parts.images = vec![many.parts.images[0].clone(); 2000];
    desk.put("many.pchr", &many);
    // The limit on open files is lower than the number of outputs.
    let script = "ulimit -n 64; exec \"$0\" -q unpack many.pchr -o out";
    succeeded(&desk.script(env!("CARGO_BIN_EXE_pchr"), script).output().unwrap());
    assert_eq!(desk.files("out").len(), 2001);
    succeeded(&desk.run_pchr(&["-q", "pack", "out/many.json", "-o", "again.pchr"]));
    assert!(desk.bytes("again.pchr") == desk.bytes("many.pchr"));
}

#[cfg(unix)]
#[test]
fn an_output_that_is_overwritten_keeps_its_permissions() {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;

    let desk = Desk::new();
    let path = desk.path("secret.pchr");
    desk.put_bytes("secret.pchr", b"");
    set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    succeeded(&desk.run_pchr(&["convert", "puppet.pchr", "-o", "secret.pchr"]));
    assert_eq!(metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
}
