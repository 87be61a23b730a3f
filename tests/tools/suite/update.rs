//! Tests of `--update`: it writes the files that need it, names them, and touches no others.

use std::collections::BTreeSet;

use crate::desk::Desk;
use crate::fixture::puppet;
use crate::suite::stage::{THREE, blessed, desk, ended, json, nudge, stamps, test, told};

/// Files below `baselines` that a command touched.
fn touched(desk: &Desk, args: &[&str]) -> BTreeSet<String> {
    let before = stamps(desk, "baselines");
    ended(&test(desk, args), 0, "");
    let after = stamps(desk, "baselines");
    assert!(before.keys().all(|name| after.contains_key(name)));
    let changed = after
        .into_iter()
        .filter(|(name, stamp)| before.get(name) != Some(stamp));
    changed.map(|(name, _)| name).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Baselines may come from an untrusted source, as links or named pipes.
#[cfg(unix)]
#[test]
fn nothing_is_written_through_links_and_pipes() {
    use std::os::unix::fs::symlink;

    let desk = blessed(THREE);
    let right = desk.files("baselines");
    std::fs::create_dir(desk.path("home")).unwrap();
    desk.put_bytes("home/rc", b"mine");
    desk.put_bytes("home/0000.png", b"mine");
    let home = desk.files("home");
    let replace = |name: &str| {
        let path = desk.path(name);
        std::fs::remove_file(&path).unwrap();
        path
    };
    symlink("../../home/rc", replace("baselines/walk/0000.png")).unwrap();
    symlink("../../home/rc", replace("baselines/walk/baseline.json")).unwrap();
    symlink("../../home/absent", replace("baselines/walk/0002.png")).unwrap();
    for name in ["baselines/walk/0001.png", "baselines/jump/baseline.json"] {
        let mut mkfifo = std::process::Command::new("mkfifo");
        assert!(mkfifo.arg(replace(name)).status().unwrap().success());
    }
    ended(&test(&desk, &["--update=all"]), 0, "");
    assert!(desk.files("home") == home);
    assert!(desk.files("baselines") == right);
    // A linked folder is not entered.
    std::fs::remove_dir_all(desk.path("baselines/walk")).unwrap();
    symlink("../home", desk.path("baselines/walk")).unwrap();
    let output = test(&desk, &["--update=all"]);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    let text = told(&output);
    assert!(
        text.contains("baselines/walk is a link, which is not followed"),
        "{text}"
    );
    assert!(desk.files("home") == home);
}

#[test]
fn only_what_differs_or_is_missing_is_written_and_each_of_it_is_named() {
    let desk = blessed(THREE);
    let right = desk.files("baselines");
    nudge(&desk, "baselines/walk/0002.png");
    std::fs::remove_file(desk.path("baselines/jump/0001.png")).unwrap();
    let before = stamps(&desk, "baselines");
    let output = test(&desk, &["--update"]);
    ended(&output, 0, "");
    let text = told(&output);
    for path in ["jump/0001.png", "walk/0002.png"] {
        assert!(
            text.contains(&format!("         wrote baselines/{path}\n")),
            "{text}"
        );
    }
    assert_eq!(text.matches("wrote").count(), 2, "{text}");
    assert!(
        text.contains("updated  walk (4 frames): 1 updated\n"),
        "{text}"
    );
    assert!(
        text.ends_with("3 cases, 9 frames: 7 passed, 2 updated\n"),
        "{text}"
    );
    let after = stamps(&desk, "baselines");
    let same = |name: &str| before.get(name) == after.get(name);
    for name in [
        "walk/0000.png",
        "walk/0001.png",
        "walk/0003.png",
        "blink/0001.png",
        "jump/0000.png",
        "walk/baseline.json",
    ] {
        assert!(same(name), "{name}");
    }
    assert!(
        right == desk.files("baselines"),
        "the baselines are unchanged"
    );
    assert_eq!(touched(&desk, &["--update"]), set(&[]));
    assert_eq!(touched(&desk, &["--update=all"]), set(&[]));
}

#[test]
fn a_file_that_does_not_load_keeps_its_baselines_and_the_others_are_updated() {
    let whole = puppet().bytes();
    let mut picture = puppet();
    let mut broken = Vec::new();
    let mut png = png::Encoder::new(&mut broken, 1, 1);
    png.set_color(png::ColorType::Rgba);
    png.write_header()
        .unwrap()
        .write_image_data(&[1, 2, 3, 255])
        .unwrap();
    let middle = broken.len() / 2;
    broken[middle] ^= 0x55;
    picture.parts.images[1].format = pchr::document::ImageFormat::Png;
    picture.parts.images[1].data = broken;
    for wrong in [
        whole[..whole.len() - 9].to_vec(),
        picture.bytes(),
        b"what is this?".to_vec(),
    ] {
        let desk = desk(&format!(
            "{THREE}[[case]]\nname = \"zzz\"\nfile = \"zzz.pchr\"\n"
        ));
        desk.put_bytes("zzz.pchr", &whole);
        ended(&test(&desk, &["--update"]), 0, "");
        let right = desk.files("baselines");
        let stamp = |desk: &Desk| stamps(desk, "baselines/zzz");
        let before = stamp(&desk);
        desk.put_bytes("zzz.pchr", &wrong);
        for args in [
            &["--update"][..],
            &["--update=all"],
            &["--update", "--prune"],
        ] {
            nudge(&desk, "baselines/walk/0000.png");
            std::fs::remove_file(desk.path("baselines/jump/0000.png")).unwrap();
            let output = test(&desk, args);
            ended(
                &output,
                4,
                "error: 1 of 10 frames could not be drawn: a file is invalid",
            );
            assert!(told(&output).contains("error    zzz: zzz.pchr: "));
            assert!(right == desk.files("baselines"), "{args:?}");
            assert!(before == stamp(&desk), "{args:?}");
        }
        ended(&test(&desk, &["--update", "--filter", "walk"]), 0, "");
    }
}

#[test]
fn a_record_says_how_baselines_were_made_and_forgets_what_is_gone() {
    let desk = blessed(THREE);
    let record = json(&desk, "baselines/walk/baseline.json");
    assert_eq!(
        record["options"],
        serde_json::json!({"animation": "walk", "frame": "all", "msaa": "1", "renderer": "cpu", "resolution": "48x32"})
    );
    let version = String::from_utf8(desk.run(&["--version"]).stdout).unwrap();
    let maker = &record["madeBy"][0];
    assert_eq!(
        version.trim(),
        format!("pchr-view {}", maker["version"].as_str().unwrap())
    );
    assert_eq!(
        (
            &maker["renderer"],
            record["madeBy"].as_array().unwrap().len()
        ),
        (&"cpu".into(), 1)
    );
    let frames = record["frames"].as_object().unwrap();
    assert_eq!(
        frames.keys().collect::<Vec<_>>(),
        ["0000.png", "0001.png", "0002.png", "0003.png"]
    );
    // The recorded camera is the one that `capture` reports.
    let output = desk.run(&[
        "capture",
        "puppet.pchr",
        "-q",
        "--renderer=cpu",
        "-a",
        "walk",
        "-s",
        "48x32",
        "-o",
        "x.png",
        "--json",
    ]);
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let camera = &said["captures"][0]["camera"];
    assert_eq!(record["cameras"], serde_json::json!([camera]), "once");
    assert_eq!(frames["0003.png"]["camera"], 0);
    assert_eq!(frames["0000.png"]["madeBy"], 0);

    // The record loses the entry of a removed picture and frame.
    std::fs::remove_file(desk.path("baselines/walk/0003.png")).unwrap();
    desk.put_bytes(
        "suite.toml",
        THREE
            .replacen("frame = \"all\"", "frame = \"0..3\"", 1)
            .as_bytes(),
    );
    ended(&test(&desk, &[]), 0, "");
    assert_eq!(touched(&desk, &["--update"]), set(&["walk/baseline.json"]));
    let record = json(&desk, "baselines/walk/baseline.json");
    assert_eq!(record["frames"].as_object().unwrap().len(), 3);
    assert_eq!(record["options"]["frame"], "0..3");
}

#[test]
fn options_that_are_others_than_the_baselines_are_noted() {
    let desk = blessed(THREE);
    let changed = THREE.replacen("msaa = 1\n", "msaa = 4\nhide = [\"shadow\"]\n", 1);
    desk.put_bytes("suite.toml", changed.as_bytes());
    let output = test(&desk, &[]);
    assert_eq!(output.status.code(), Some(3));
    let text = told(&output);
    for note in [
        "         note: hide was not given when the baselines were made, and is [\"shadow\"] now\n",
        "         note: msaa was \"1\" when the baselines were made, and is \"4\" now\n",
    ] {
        assert_eq!(text.matches(note).count(), 3, "{text}");
    }
    desk.put_bytes("suite.toml", THREE.replacen("msaa = 1\n", "", 1).as_bytes());
    let text = told(&test(&desk, &[])).to_owned();
    assert!(
        text.contains("note: msaa was \"1\" when the baselines were made, and is not given now\n"),
        "{text}"
    );
    ended(&test(&desk, &["--update=all"]), 0, "");
    let output = test(&desk, &[]);
    ended(&output, 0, "");
    assert!(!told(&output).contains("note"), "{}", told(&output));
}

#[test]
fn what_killed_runs_left_goes_with_the_next_update() {
    let desk = blessed(THREE);
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let names = [
        "baselines/walk/.pchr-AbCdEf.tmp",
        "baselines/walk/.pchr-new.tmp",
        "baselines/walk/mine.tmp",
    ];
    for name in names {
        desk.put_bytes(name, b"half");
    }
    for name in [names[0], names[2]] {
        let file = std::fs::File::options().write(true).open(desk.path(name));
        file.unwrap().set_modified(old).unwrap();
    }
    ended(&test(&desk, &[]), 0, "");
    assert!(
        names.iter().all(|name| desk.path(name).exists()),
        "a run without --update removes nothing"
    );
    let note = "note: removed 1 temporary file left by killed runs";
    ended(&test(&desk, &["--update"]), 0, note);
    let there = names.map(|name| desk.path(name).exists());
    assert_eq!(there, [false, true, true]);
}

#[test]
fn all_writes_whatever_has_other_bytes_also_if_it_shows_the_same() {
    let desk = blessed(THREE);
    let right = desk.files("baselines");
    // The same pixels, compressed in another way.
    let same = desk.picture("baselines/walk/0001.png");
    nudge(&desk, "baselines/walk/0001.png");
    let mut bytes = Vec::new();
    let mut png = png::Encoder::new(&mut bytes, 48, 32);
    png.set_color(png::ColorType::Rgba);
    png.set_compression(png::Compression::NoCompression);
    let mut png = png.write_header().unwrap();
    png.write_image_data(same.pixels.as_flattened()).unwrap();
    png.finish().unwrap();
    desk.put_bytes("baselines/walk/0001.png", &bytes);
    ended(&test(&desk, &[]), 0, "");
    assert_eq!(touched(&desk, &["--update"]), set(&[]));
    assert_eq!(touched(&desk, &["--update=all"]), set(&["walk/0001.png"]));
    assert!(right == desk.files("baselines"));
    // An unreadable file may hold anything, so only `=all` overwrites it.
    desk.put_bytes("baselines/blink/0000.png", b"damaged");
    let output = test(&desk, &["--update"]);
    ended(
        &output,
        1,
        "error: 1 of 9 frames could not be drawn or compared",
    );
    assert_eq!(desk.bytes("baselines/blink/0000.png"), b"damaged");
    assert_eq!(touched(&desk, &["--update=all"]), set(&["blink/0000.png"]));
    desk.put_bytes("baselines/walk/baseline.json", b"?");
    assert_eq!(test(&desk, &["--update"]).status.code(), Some(1));
    assert_eq!(
        touched(&desk, &["--update=all"]),
        set(&["walk/baseline.json"])
    );
    assert!(right == desk.files("baselines"));
}
