//! Tests of captures of 3D motions: cameras, skeletons, and motions on characters.

use serde_json::Value;

use crate::desk::{Desk, Picture, said, succeeded};
use crate::rig;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put_bytes("hero.skl.pxd", &rig::biped_file());
    desk.put_bytes("hero@kick.anm.pxd", &rig::numbered_file());
    desk.put_bytes("walk.seanim", &rig::walk_file());
    desk
}

fn report(desk: &Desk, args: &[&str]) -> Value {
    let args = [
        &["capture", "--renderer", "cpu", "--json", "-s", "128x96"],
        args,
    ]
    .concat();
    let output = desk.run(&args);
    succeeded(&output);
    serde_json::from_slice(&output.stdout).unwrap()
}

fn shot(desk: &Desk, args: &[&str]) -> Picture {
    report(desk, &[args, &["-o", "shot.png"]].concat());
    desk.picture("shot.png")
}

fn refused(desk: &Desk, args: &[&str], code: i32) -> String {
    let args = [&["capture", "-o", "x.png"], args].concat();
    let output = desk.run(&args);
    assert_eq!(output.status.code(), Some(code), "{}", said(&output));
    said(&output).to_owned()
}

#[test]
fn a_motion_is_drawn_on_the_skeleton_beside_it_and_moves() {
    let desk = desk();
    let first = shot(&desk, &["hero@kick.anm.pxd", "-f", "0"]);
    let last = shot(&desk, &["hero@kick.anm.pxd", "-f", "10"]);
    assert!(first.drawn().is_some());
    assert!(first.pixels != last.pixels);
    // A skeleton named on the command line gives the same picture; no skeleton gives another.
    let named = &[
        "hero@kick.anm.pxd",
        "--skeleton",
        "hero.skl.pxd",
        "-f",
        "10",
    ];
    assert!(shot(&desk, named).pixels == last.pixels);
    std::fs::rename(desk.path("hero.skl.pxd"), desk.path("hero.skl")).unwrap();
    let alone = shot(&desk, &["hero@kick.anm.pxd", "-f", "10"]);
    assert!(alone.pixels != last.pixels);
}

/// A file that is there, and that the system cannot read: an error of input and output, also for root.
#[cfg(target_os = "linux")]
#[test]
fn a_skeleton_that_the_system_cannot_read_is_a_failure() {
    let desk = desk();
    let skeleton = desk.path("hero.skl.pxd");
    std::fs::remove_file(&skeleton).unwrap();
    std::os::unix::fs::symlink("/proc/self/mem", &skeleton).unwrap();
    let said = refused(&desk, &["hero@kick.anm.pxd"], 1);
    assert!(
        said.contains("error: hero@kick.anm.pxd: cannot read hero.skl.pxd: "),
        "{said}"
    );
    assert!(!desk.path("x.png").exists());
    let said = refused(&desk, &["puppet.pchr", "--motion", "hero@kick.anm.pxd"], 1);
    assert!(said.contains("cannot read hero.skl.pxd: "), "{said}");
}

#[test]
fn the_whole_model_moves_unless_it_is_kept_in_place() {
    let desk = desk();
    let at = |frame: &str, more: &[&str]| {
        let fixed = [
            "hero@kick.anm.pxd",
            "-f",
            frame,
            "--view",
            "side",
            "--zoom",
            "60",
        ];
        let args = [&fixed[..], &["--center", "0,1,0"], more].concat();
        shot(&desk, &args).drawn().unwrap()
    };
    let middle = |(columns, _): (std::ops::RangeInclusive<usize>, _)| {
        columns.start().midpoint(*columns.end())
    };
    // Seen from the side to which X points, Z points to the left. Half a metre at 60 pixels per metre.
    let moved = middle(at("10", &["--in-place"])) - middle(at("10", &[]));
    assert!((28..=32).contains(&moved), "{moved}");
    let start = middle(at("0", &["--in-place"])).abs_diff(middle(at("0", &[])));
    assert_eq!(start, 0);
}

#[test]
fn the_camera_that_is_told_gives_the_picture_again() {
    let desk = desk();
    for view in [
        &["--view", "top"][..],
        &["--view", "-120,40", "--fov", "55"],
        &["--up", "z"],
    ] {
        let subject = ["walk.seanim", "--skeleton", "hero.skl.pxd", "-f", "6"];
        let told = report(&desk, &[&subject[..], view, &["-o", "a.png"]].concat());
        let camera = &told["captures"][0]["camera"];
        let number = |value: &Value| value.as_f64().unwrap().to_string();
        let center: Vec<String> = camera["center"]
            .as_array()
            .unwrap()
            .iter()
            .map(number)
            .collect();
        let angles = format!(
            "{},{}",
            number(&camera["view"]["yaw"]),
            number(&camera["view"]["pitch"])
        );
        let (center, zoom, fov) = (
            center.join(","),
            number(&camera["zoom"]),
            number(&camera["view"]["fov"]),
        );
        let up = camera["view"]["up"].as_str().unwrap();
        let again = [
            "--view", &angles, "--fov", &fov, "--up", up, "--center", &center, "--zoom", &zoom,
        ];
        report(&desk, &[&subject[..], &again, &["-o", "b.png"]].concat());
        assert!(desk.bytes("a.png") == desk.bytes("b.png"), "{view:?}");
        // The whole model is visible, within a margin of 5 %.
        let (columns, rows) = desk.picture("a.png").drawn().unwrap();
        assert!(*columns.start() > 0 && *columns.end() < 127, "{columns:?}");
        assert!(*rows.start() > 0 && *rows.end() < 95, "{rows:?}");
    }
}

#[test]
fn a_motion_plays_on_a_character() {
    let desk = desk();
    desk.put_bytes("fox.pchr", include_bytes!("../../../assets/sample.pchr"));
    let plain = shot(&desk, &["fox.pchr"]);
    succeeded(&desk.run_pchr(&["convert", "fox.pchr", "-a", "wave", "-o", "wave.seanim"]));
    let told = report(
        &desk,
        &[
            "fox.pchr",
            "--motion",
            "wave.seanim",
            "-f",
            "9",
            "-o",
            "a.png",
        ],
    );
    assert_eq!(told["captures"][0]["animation"], "wave 2");
    report(&desk, &["fox.pchr", "-a", "wave", "-f", "9", "-o", "b.png"]);
    assert!(desk.picture("a.png").pixels == desk.picture("b.png").pixels);
    assert!(plain.pixels != desk.picture("a.png").pixels || plain.width != 128);
}

#[test]
fn a_motion_that_numbers_its_bones_plays_on_a_character_with_the_skeleton_beside_it() {
    let desk = desk();
    desk.put_bytes("fox.pchr", include_bytes!("../../../assets/sample.pchr"));
    let exported = "motions/fox@wave.anm.pxd";
    std::fs::create_dir(desk.path("motions")).unwrap();
    for args in [
        &["convert", "fox.pchr", "-a", "wave", "-o", "wave.seanim"][..],
        &["convert", "fox.pchr", "-o", "motions/fox.skl.pxd"],
        &[
            "convert",
            "wave.seanim",
            "--skeleton",
            "motions/fox.skl.pxd",
            "-o",
            exported,
        ],
    ] {
        succeeded(&desk.run_pchr(args));
    }
    let play = |more: &[&str]| {
        let fixed = ["fox.pchr", "--motion", exported, "-f", "9"];
        shot(&desk, &[&fixed[..], more].concat()).pixels
    };
    let beside = play(&[]);
    let chosen = play(&["--skeleton", "motions/fox.skl.pxd"]);
    assert!(beside == chosen);
    let still = shot(&desk, &["fox.pchr", "--motion", exported, "-f", "0"]);
    assert!(beside != still.pixels);
    let suite = r#"
[defaults]
resolution = "64x64"

[[case]]
name = "wave"
file = "fox.pchr"
motion = "motions/fox@wave.anm.pxd"
frame = "9"
"#;
    desk.put_bytes("suite.toml", suite.as_bytes());
    succeeded(&desk.run(&["test", "suite.toml", "--update", "--force"]));
    std::fs::remove_file(desk.path("motions/fox.skl.pxd")).unwrap();
    let args = ["fox.pchr", "--motion", exported];
    let told = refused(&desk, &args, 4);
    assert!(told.contains("it needs its skeleton"), "{told}");
}

#[test]
fn a_suite_notes_what_capture_warns_of() {
    let desk = desk();
    let mut bones = rig::biped().bones().to_vec();
    bones.truncate(5);
    let five = pchr_foreign::motion::Skeleton::new(bones, Default::default()).unwrap();
    let five = pchr_foreign::format::pxd::write_skeleton(&five).unwrap();
    desk.put_bytes("five.skl.pxd", &five);
    let suite = r#"
[defaults]
resolution = "64x64"

[[case]]
name = "kick"
file = "hero@kick.anm.pxd"
skeleton = "five.skl.pxd"
frame = "0"
"#;
    desk.put_bytes("suite.toml", suite.as_bytes());
    succeeded(&desk.run(&["test", "suite.toml", "--update", "--force"]));
    let output = desk.run(&["test", "suite.toml", "--json"]);
    succeeded(&output);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let notes = told["cases"][0]["notes"].as_array().unwrap();
    assert_eq!(notes.len(), 6, "{notes:?}");
    let all = told["cases"][0]["notes"].to_string();
    assert!(all.contains("ARMATURE-W104"), "{all}");
    assert!(all.contains("more warnings about the file"), "{all}");
}

#[test]
fn a_motion_that_moves_no_bone_says_so_once() {
    let desk = desk();
    let mut bones = rig::biped().bones().to_vec();
    for bone in &mut bones {
        bone.name = format!("other {}", bone.name.text()).as_str().into();
    }
    let other = pchr_foreign::motion::Skeleton::new(bones, Default::default()).unwrap();
    let other = pchr_foreign::format::pxd::write_skeleton(&other).unwrap();
    desk.put_bytes("other.skl.pxd", &other);
    let args = ["walk.seanim", "--skeleton", "other.skl.pxd", "-o", "a.png"];
    let warnings = report(&desk, &args)["warnings"].to_string();
    let said = "moves a bone of the skeleton";
    assert_eq!(warnings.matches(said).count(), 1, "{warnings}");
}

#[test]
fn options_of_another_kind_of_content_are_refused() {
    let desk = desk();
    desk.put_bytes("fox.pchr", include_bytes!("../../../assets/sample.pchr"));
    let sheet = ["capture", "fox.pchr", "-f", "0", "-o", "atlas.pct"];
    succeeded(&desk.run(&sheet));
    for (args, text) in [
        (
            &["fox.pchr", "--view", "top"][..],
            "--view is for 3D motions",
        ),
        (&["fox.pchr", "--fov", "30"], "--fov is for 3D motions"),
        (&["fox.pchr", "--up", "z"], "--up is for 3D motions"),
        (&["fox.pchr", "--in-place"], "--in-place is for 3D motions"),
        (
            &["fox.pchr", "--skeleton", "hero.skl.pxd"],
            "--motion adds one to a character",
        ),
        (
            &["atlas.pct", "--motion", "walk.seanim"],
            "--motion is for skeletons and characters",
        ),
        (&["fox.pchr", "--center", "1,2,3"], "expected X,Y"),
        (&["fox.pchr", "--overlay", "axes"], "axes is for 3D motions"),
        (
            &["fox.pchr", "--overlay", "trail=hips:1"],
            "no mesh is named \"hips\"",
        ),
        (
            &["walk.seanim", "--overlay", "bones,wireframe"],
            "--overlay wireframe is for meshes",
        ),
        (&["walk.seanim", "--overlay", "bounds"], "is for meshes"),
        (&["walk.seanim", "--overlay", "order"], "is for meshes"),
        (
            &["walk.seanim", "--overlay", "weights=hips"],
            "--overlay weights is for meshes",
        ),
        (&["walk.seanim", "--overlay", "mesh=#0"], "is for meshes"),
        (&["walk.seanim", "--center", "1,2"], "expected X,Y,Z"),
        (&["walk.seanim", "--y-down"], "with --up"),
        (
            &["walk.seanim", "--overlay", "trail=nose"],
            "no bone is named \"nose\"",
        ),
        (&["walk.seanim", "--fov", "151"], "0 (orthographic) to 150"),
        (&["walk.seanim", "--fov", "-1"], "invalid angle \"-1\""),
        (
            &["walk.seanim", "--view", "back to front"],
            "front, side, top",
        ),
    ] {
        let told = refused(&desk, args, 2);
        assert!(told.contains(text), "{args:?}: {told}");
    }
    let missing = refused(&desk, &["walk.seanim", "--skeleton", "none.skl.pxd"], 1);
    assert!(missing.contains("cannot read none.skl.pxd"), "{missing}");
    let wrong = refused(&desk, &["walk.seanim", "--skeleton", "walk.seanim"], 4);
    assert!(wrong.contains("not a skeleton; expected"), "{wrong}");
    let wrong = refused(&desk, &["hero.skl.pxd", "--motion", "hero.skl.pxd"], 4);
    assert!(wrong.contains("a skeleton without motions"), "{wrong}");
}

#[test]
fn tracks_without_a_bone_are_told() {
    let desk = desk();
    let mut motion = rig::walk();
    let target = pchr_foreign::motion::Target::Name("tag_weapon".into());
    motion.add_track(target, 0, Default::default()).unwrap();
    let file = pchr_foreign::format::seanim::write(&motion).unwrap();
    desk.put_bytes("armed.seanim", &file);
    let told = report(
        &desk,
        &["armed.seanim", "--skeleton", "hero.skl.pxd", "-o", "a.png"],
    );
    let warnings = told["warnings"].to_string();
    assert!(
        warnings.contains("the skeleton has no bone named"),
        "{warnings}"
    );
}

#[test]
fn what_is_odd_is_told_of_motions_on_characters_and_of_other_skeletons() {
    let desk = desk();
    desk.put_bytes("fox.pchr", include_bytes!("../../../assets/sample.pchr"));
    let told = report(
        &desk,
        &["fox.pchr", "--motion", "walk.seanim", "-o", "a.png"],
    );
    let warnings = told["warnings"].to_string();
    assert!(warnings.contains("PLANE-W104"), "{warnings}");
    assert!(
        warnings.starts_with("[\"PLANE-W110 motion-unmatched: "),
        "{warnings}"
    );
    let output = desk.run(&[
        "capture",
        "fox.pchr",
        "--motion",
        "walk.seanim",
        "-o",
        "a.png",
        "--renderer",
        "cpu",
    ]);
    let first = said(&output).lines().next().unwrap_or_default();
    assert!(
        first.starts_with(
            "warning: fox.pchr: PLANE-W110 motion-unmatched: tracks at byte 0 (0x0): only "
        ),
        "{first}"
    );
    assert!(
        first.contains("only 1 of the 5 tracks moves a bone of the character, not \"thigh_l\""),
        "{first}"
    );
    let mut bones = rig::biped().bones().to_vec();
    bones.truncate(5);
    let five = pchr_foreign::motion::Skeleton::new(bones, Default::default()).unwrap();
    let five = pchr_foreign::format::pxd::write_skeleton(&five).unwrap();
    desk.put_bytes("five.skl.pxd", &five);
    let kick = [
        "hero@kick.anm.pxd",
        "--skeleton",
        "five.skl.pxd",
        "-o",
        "a.png",
    ];
    let warnings = report(&desk, &kick)["warnings"].to_string();
    assert!(
        warnings.contains("16 tracks, but the skeleton has 5 bones"),
        "{warnings}"
    );
    desk.put_bytes("empty.gltf", br#"{"asset":{"version":"2.0"}}"#);
    let warnings = report(&desk, &["empty.gltf", "-o", "a.png"])["warnings"].to_string();
    assert!(warnings.contains("nothing to show"), "{warnings}");
    // A damaged file is reported as the format of its extension.
    desk.put_bytes("empty.seanim", b"");
    let told = refused(&desk, &["empty.seanim"], 4);
    assert!(told.contains("SEANIM-"), "{told}");
    desk.put_bytes("broken.skl.pxd", &rig::biped_file()[..200]);
    let told = refused(&desk, &["walk.seanim", "--skeleton", "broken.skl.pxd"], 4);
    assert!(
        told.contains("ARMATURE-E001") && told.contains("broken.skl.pxd: "),
        "{told}"
    );
}

#[test]
fn gltf_is_captured_at_exactly_the_time() {
    let desk = Desk::new();
    desk.put_bytes("hand.gltf", crate::timed::TIMED.as_bytes());
    let fixed = ["--center", "1,0,0", "--zoom", "20", "--view", "front"];
    let shot = |args: &[&str]| shot(&desk, &[&["hand.gltf"], &fixed[..], args].concat()).pixels;
    let reach = |args: &[&str]| shot(&[&["-a", "reach"], args].concat());
    // Moved by 1 at 0.0123 s, 11 frames of 30 before it reaches 1.5.
    let [start, key, half] = ["0", "0.0123", "0.3946"].map(|time| reach(&["--time", time]));
    assert!(start == reach(&["-f", "0"]));
    assert!(key != start && key != half);
    assert!(key == reach(&["--time", "0.0123", "--smooth"]));
    // After the end and before the start nothing moves.
    assert!(reach(&["--time", "9", "--loop", "off"]) == reach(&["-f", "30"]));
    assert!(reach(&["--time", "-9", "--loop", "off"]) == start);
    let flip = |args: &[&str]| shot(&[&["-a", "flip"], args].concat());
    let [first, turned] = ["0", "15"].map(|frame| flip(&["-f", frame]));
    assert!(first != turned);
    for time in ["0.4833", "0.4999"] {
        assert!(flip(&["--time", time, "--smooth"]) == first, "{time}");
    }
    assert!(flip(&["--time", "0.5", "--smooth"]) == turned);
}

#[test]
fn a_suite_holds_motions_against_baselines_with_their_cameras() {
    let desk = desk();
    let suite = r#"
[defaults]
resolution = "64x64"

[[case]]
name = "walk"
file = "walk.seanim"
skeleton = "hero.skl.pxd"
frame = "0..24:12"
view = "side"
overlay = ["grid", "trail=shin_l"]

[[case]]
name = "kick"
file = "hero@kick.anm.pxd"
fov = 40
in-place = true
"#;
    desk.put_bytes("suite.toml", suite.as_bytes());
    succeeded(&desk.run(&["test", "suite.toml", "--update", "--force"]));
    succeeded(&desk.run(&["test", "suite.toml"]));
    let record: Value =
        serde_json::from_slice(&desk.bytes("baselines/walk/baseline.json")).unwrap();
    assert_eq!(record["cameras"][0]["view"]["yaw"], 90.0, "{record}");
    // A changed file is noticed: an invalid motion is an error, and another skeleton makes the pictures differ.
    desk.put_bytes("hero@kick.anm.pxd", b"BINA");
    assert_eq!(
        desk.run(&["test", "suite.toml", "--filter", "kick"])
            .status
            .code(),
        Some(4)
    );
    let kneeling = {
        let mut skeleton = rig::biped();
        skeleton = skeleton.with_rests(|rest| {
            let mut rest = *rest;
            rest.translation[1] *= 0.8;
            rest
        });
        pchr_foreign::format::pxd::write_skeleton(&skeleton).unwrap()
    };
    desk.put_bytes("hero.skl.pxd", &kneeling);
    assert_eq!(
        desk.run(&["test", "suite.toml", "--filter", "walk"])
            .status
            .code(),
        Some(3)
    );
    // Without its skeleton, a motion that numbers its bones is an error rather than a picture of points.
    std::fs::remove_file(desk.path("hero.skl.pxd")).unwrap();
    desk.put_bytes("hero@kick.anm.pxd", &rig::numbered_file());
    let output = desk.run(&["test", "suite.toml", "--filter", "kick"]);
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    let told = format!(
        "{}{}",
        said(&output),
        String::from_utf8_lossy(&output.stdout)
    );
    assert!(told.contains("refers to its bones by number"), "{told}");
}

#[test]
fn what_a_motion_lacks_is_told_in_one_line() {
    let desk = desk();
    let said_of = |args: &[&str]| {
        let args = [
            &["capture", "--renderer", "cpu", "-s", "64x64", "-o", "x.png"],
            args,
        ];
        let output = desk.run(&args.concat());
        succeeded(&output);
        said(&output).to_owned()
    };
    // Several skeletons, none of which matches the motion's name.
    desk.put_bytes("other.skl.pxd", &rig::biped_file());
    desk.put_bytes("kick.anm.pxd", &rig::numbered_file());
    let told = said_of(&["kick.anm.pxd"]);
    let wanted = "none: hero.skl.pxd; other.skl.pxd; choose one with --skeleton FILE";
    assert!(told.contains(wanted), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert_eq!(said_of(&["hero@kick.anm.pxd"]), "");
    // A motion with notes only.
    let mut motion = pchr_foreign::motion::Motion::new(
        Default::default(),
        pchr_foreign::motion::Precision::Single,
    );
    motion.frame_count = rig::FRAMES;
    motion.notes = rig::walk().notes;
    let file = pchr_foreign::format::seanim::write(&motion).unwrap();
    desk.put_bytes("notes.seanim", &file);
    let told = said_of(&["notes.seanim"]);
    assert!(told.contains("none, only 2 notes"), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    // A broken skeleton is reported with the position of the fault.
    let mut broken = rig::biped_file();
    broken.truncate(broken.len() / 2);
    desk.put_bytes("torn.skl.pxd", &broken);
    desk.put_bytes("torn@kick.anm.pxd", &rig::numbered_file());
    let told = said_of(&["torn@kick.anm.pxd"]);
    let validated = desk.run_pchr(&["validate", "torn.skl.pxd", "--json"]);
    let report: Value = serde_json::from_slice(&validated.stdout).unwrap();
    let offset = report[0]["findings"][0]["offset"].as_u64().unwrap();
    assert!(
        told.contains(&format!("at byte {offset} ")),
        "{told} {offset}"
    );
}

#[test]
fn frames_beyond_those_that_are_shown_are_told_as_such() {
    let desk = desk();
    let mut motion = rig::walk();
    motion.frame_count = 70_000;
    let file = pchr_foreign::format::seanim::write(&motion).unwrap();
    desk.put_bytes("long.seanim", &file);
    for (frame, text) in [
        (
            "66000",
            "frame 66000 cannot be shown; only 0..=65534 of the animation's 70000 frames can",
        ),
        (
            "70000",
            "frame 70000 does not exist; the animation has 70000 frames, of which 0..=65534 can be shown",
        ),
    ] {
        let told = refused(&desk, &["long.seanim", "-f", frame], 2);
        assert!(told.contains(text), "{told}");
    }
}
