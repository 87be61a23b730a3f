//! Tests of the input formats: each gives the same picture and is recognised by its content.

use pchr::document::ImageFormat;
use pchr::format::json::{Dialect, image_file, write};
use pchr::format::legacy;

use crate::desk::{Desk, said};
use crate::fixture::{Builder, puppet};

/// The puppet drawn from one image.
fn one_image() -> Builder {
    let mut one = puppet();
    one.parts.images.truncate(1);
    one.parts.meshes.iter_mut().for_each(|mesh| mesh.image = 0);
    one
}

/// Writes a document as JSON with its image in a subfolder.
fn put_json(desk: &Desk, name: &str, dialect: Dialect) {
    put_as_json(&one_image(), desk, name, dialect);
}

fn put_as_json(puppet: &Builder, desk: &Desk, name: &str, dialect: Dialect) {
    let document = puppet.document();
    let mut text = Vec::new();
    write(&document, dialect, &["images/one.png".into()], &mut text).unwrap();
    desk.put_bytes(name, &text);
    std::fs::create_dir_all(desk.path("images")).unwrap();
    let image = document.images().next().unwrap();
    desk.put_bytes("images/one.png", &image_file(&image).unwrap());
}

#[test]
fn a_character_looks_the_same_in_all_of_them_whatever_the_file_is_called() {
    let desk = Desk::new();
    desk.put("v1.json", &one_image());
    put_json(&desk, "mirror.pchr", Dialect::Pchr);
    put_json(&desk, "exported", Dialect::Pachario);
    let (packed, _) = legacy::write(&one_image().document()).unwrap();
    desk.put_bytes("legacy.png", &packed);
    let args = ["-a", "walk", "-f", "2", "-s", "64x48", "-o"];
    for file in ["v1.json", "mirror.pchr", "exported", "legacy.png"] {
        desk.capture(file, &[&args[..], &["picture.png"]].concat());
        desk.capture("v1.json", &[&args[..], &["wanted.png"]].concat());
        assert!(desk.picture("picture.png").drawn().is_some(), "{file}");
        assert_eq!(
            desk.bytes("picture.png"),
            desk.bytes("wanted.png"),
            "{file}"
        );
    }
}

#[test]
fn what_is_odd_about_the_bind_pose_of_a_text_is_said_at_its_line() {
    let desk = Desk::new();
    let mut flat = one_image();
    flat.parts.animations[0].transforms[1].scale_y = 0.0;
    put_as_json(&flat, &desk, "flat.json", Dialect::Pchr);
    let args = ["capture", "flat.json", "--renderer", "cpu", "-o", "a.png"];
    let output = desk.run(&args);
    let said = said(&output);
    let wanted = "flat.json: PCHR-W112 bone-bind-degenerate: animations[0].frames[0][1] at line ";
    assert!(said.contains(wanted), "{said}");
}

#[test]
fn what_is_wrong_with_a_text_is_said_in_its_words_and_lines() {
    let desk = Desk::new();
    put_json(&desk, "hero.json", Dialect::Pachario);
    let capture = |args: &[&str]| {
        let output = desk.run(
            &[
                &["capture", "hero.json", "--renderer", "cpu", "-o", "a.png"],
                args,
            ]
            .concat(),
        );
        (
            output.status.code().unwrap(),
            said(&output).lines().next().unwrap_or_default().to_owned(),
        )
    };
    assert_eq!(capture(&[]), (0, String::new()));
    desk.put_bytes("images/one.png", b"GIF89a");
    let (code, line) = capture(&[]);
    let place = "images[0].path at line 5, column ";
    assert_eq!(code, 4);
    assert!(
        line.starts_with(&format!(
            "error: hero.json: PCHR-E008 image-decode: {place}"
        )),
        "{line}"
    );
    std::fs::remove_file(desk.path("images/one.png")).unwrap();
    let (code, line) = capture(&[]);
    assert_eq!(code, 4);
    assert!(
        line.contains("PCHR-E061 sidecar-missing: images[0] at line 5, column 5 ")
            && line.contains("one.png"),
        "{line}"
    );
    let text = String::from_utf8(desk.bytes("hero.json")).unwrap();
    let outside = desk.path("images");
    std::fs::rename(&outside, desk.path("elsewhere")).unwrap();
    std::fs::create_dir(desk.path("in")).unwrap();
    desk.put_bytes(
        "hero.json",
        text.replace("images/one.png", "../elsewhere/one.png")
            .as_bytes(),
    );
    std::fs::rename(desk.path("hero.json"), desk.path("in/hero.json")).unwrap();
    let image = one_image().document();
    let image = image.images().next().unwrap();
    assert_eq!(image.format(), ImageFormat::Rgba8888);
    desk.put_bytes("elsewhere/one.png", &image_file(&image).unwrap());
    let run = |more: &[&str]| {
        let output = desk.run(
            &[
                &[
                    "capture",
                    "in/hero.json",
                    "--renderer",
                    "cpu",
                    "-o",
                    "a.png",
                ],
                more,
            ]
            .concat(),
        );
        (output.status.code().unwrap(), said(&output).to_owned())
    };
    let (code, said) = run(&[]);
    assert!(
        code == 4 && said.contains("PCHR-E060 sidecar-path"),
        "{said}"
    );
    assert_eq!(run(&["--allow-outside"]), (0, String::new()));
}
