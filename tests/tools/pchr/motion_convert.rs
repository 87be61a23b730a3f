//! Tests of `pchr convert` between motion formats, and from motions to characters.

use pchr::document::BoneTransform;
use pchr_foreign::format::{pxd, seanim};
use pchr_foreign::motion::{AdditiveRotation, Binding, Moment, Motion, Poser, Skeleton, Transform};
use serde_json::Value;

use crate::desk::{Desk, json_of, said};
use crate::pchr::atlas::run;
use crate::pchr::motion::walk;
use crate::pchr::pose::skeleton;

/// Creates a folder with a motion, skeletons with the same and with other bones, PXD files, and a character.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.put_bytes("walk.seanim", &walk());
    desk.put_bytes("hero.skl.pxd", &skeleton());
    for (name, bytes) in crate::pchr::pxd::files() {
        if name != "hero.skl.pxd" {
            desk.put_bytes(&format!("hero@{name}"), &bytes);
        }
    }
    desk.put_bytes("fox.pchr", include_bytes!("../../../assets/sample.pchr"));
    desk
}

fn read_skeleton(desk: &Desk, file: &str) -> Skeleton {
    pxd::read_skeleton(&desk.bytes(file)).unwrap().0
}

fn read_seanim(desk: &Desk, file: &str) -> Motion {
    seanim::read(desk.bytes(file)).unwrap().0
}

fn locals(motion: &Motion, skeleton: &Skeleton, frame: u32) -> Vec<Transform> {
    let binding = Binding::new(motion, skeleton);
    let mut poser = Poser::new(motion, skeleton, &binding, AdditiveRotation::default());
    poser.pose(Moment::Frame(frame));
    poser.locals().to_vec()
}

fn near(a: &[Transform], b: &[Transform]) -> bool {
    let numbers =
        |all: &[Transform]| -> Vec<f64> { all.iter().flat_map(Transform::numbers).collect() };
    let (a, b) = (numbers(a), numbers(b));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
}

fn losses(report: &str) -> Vec<(String, u64)> {
    let report: Value = serde_json::from_str(report).unwrap();
    let loss =
        |loss: &Value| (loss["what"].as_str().unwrap().to_owned(), loss["count"].as_u64().unwrap());
    report["notCarriedOver"].as_array().unwrap().iter().map(loss).collect()
}

#[test]
fn seanim_becomes_a_pxd_animation_of_a_skeleton_and_comes_back() {
    let desk = desk();
    let to = ["--skeleton", "hero.skl.pxd", "-o", "out/walk.anm.pxd", "--json"];
    let listed = losses(&run(&desk, &[&["convert", "walk.seanim"], &to[..]].concat()));
    let wanted = [("notes", 2), ("bytes of the custom block", 4), ("loop flags", 1)];
    assert_eq!(listed, wanted.map(|(what, count)| (what.to_owned(), count)));
    let bones = read_skeleton(&desk, "hero.skl.pxd");
    let walk = read_seanim(&desk, "walk.seanim");
    let made = pxd::read_animation(&desk.bytes("out/walk.anm.pxd")).unwrap().0;
    for frame in [0, 5, 24] {
        assert!(near(&locals(&walk, &bones, frame), &locals(&made, &bones, frame)));
    }
    let args = ["out/walk.anm.pxd", "--skeleton", "hero.skl.pxd"];
    run(&desk, &[&["convert"], &args[..], &["-o", "again.seanim"]].concat());
    let again = read_seanim(&desk, "again.seanim");
    assert_eq!((again.frames(), again.rate), (25, 30.0));
    assert_eq!(again.tracks()[1].target.text(), "rig:arm l");
    for frame in [0, 5, 24] {
        assert!(near(&locals(&walk, &bones, frame), &locals(&again, &bones, frame)));
    }
}

#[test]
fn numbers_of_animations_come_back_from_seanim_whole_turns_aside() {
    let desk = desk();
    run(&desk, &["convert", "fox.pchr", "-o", "out/{animation}.seanim"]);
    let fox = pchr::format::read(desk.bytes("fox.pchr")).unwrap();
    for animation in fox.animations() {
        let name = animation.name();
        let file = format!("out/{name}.seanim");
        run(&desk, &["validate", "--strict", &file]);
        run(&desk, &["convert", "fox.pchr", "--motion", &file, "-o", "more.pchr"]);
        let more = pchr::format::read(desk.bytes("more.pchr")).unwrap();
        assert_eq!(more.animations().len(), fox.animations().len() + 1);
        let added = more.animations().last().unwrap();
        assert!(added.name().starts_with(name), "{}", added.name());
        assert_eq!(added.looping(), animation.looping());
        for (was, is) in animation.transforms().zip(added.transforms()) {
            let numbers =
                |it: BoneTransform| [it.x, it.y, it.scale_x, it.scale_y].map(f32::to_bits);
            assert_eq!(numbers(was), numbers(is), "{name}");
            // Whole turns have no place in a motion.
            let is_turned = was.rotation.abs() > 180.0;
            let turned = (was.rotation - is.rotation).rem_euclid(360.0);
            let is_near = turned.min(360.0 - turned) < 1e-3;
            assert!(was.rotation == is.rotation || is_turned && is_near, "{was:?} {is:?}");
        }
    }
    assert!(!run(&desk, &["pose", "fox.pchr", "--csv"]).is_empty());
    // A character's skeleton can be used for 3D motions.
    let posed =
        run(&desk, &["pose", "out/idle.seanim", "--skeleton", "fox.pchr", "--space", "world"]);
    assert!(posed.contains("Frame 0"), "{posed}");
}

#[test]
fn keys_at_times_are_kept_or_listed_with_their_error() {
    let desk = Desk::new();
    desk.put_bytes("hand.gltf", crate::timed::TIMED.as_bytes());
    let pose = |file: &str, clip: &str, time: &str| {
        let output = desk.run_pchr(&["pose", file, "-a", clip, "--time", time, "--json"]);
        assert_eq!(said(&output), "");
        let report = json_of(&output);
        report["poses"][0]["bones"].clone()
    };
    let convert = |args: &[&str]| {
        let output = desk.run_pchr(&[&["convert", "hand.gltf", "--json"], args].concat());
        let report = json_of(&output);
        (report["notCarriedOver"].clone(), said(&output).to_owned())
    };
    // glTF holds all of it.
    assert_eq!(convert(&["-o", "again.glb"]), (Value::Array(vec![]), String::new()));
    for file in ["hand.gltf", "again.glb"] {
        for (time, x) in [("0.0123", 1.0), ("0.777", 2.0), ("7", 3.0)] {
            assert_eq!(pose(file, "reach", time)[0]["translation"][0], x, "{file}");
        }
        for (time, z) in [("0.4833", 0.0), ("0.49999", 0.0), ("0.5", 1.0)] {
            assert_eq!(pose(file, "flip", time)[1]["rotation"][2], z, "{file} {time}");
        }
    }
    let listed = |what: &str, first: &str, degrees: f64, units: f64| {
        serde_json::json!([{"what": what, "count": 1, "first": first,
            "largestError": {"degrees": degrees, "units": units, "scale": 0.0}}])
    };
    let round = |mut losses: Value| {
        for part in ["degrees", "units"] {
            let number = &mut losses[0]["largestError"][part];
            *number = ((number.as_f64().unwrap() * 1e4).round() / 1e4).into();
        }
        losses
    };
    let (losses, told) = convert(&["-a", "flip", "-o", "flip.seanim"]);
    let steps = "channels with steps, each of which takes one frame";
    assert_eq!(round(losses), listed(steps, "bones[0].rotation", 90.0, 0.0));
    assert!(told.contains("not carried over: 1 channel with steps, each of which takes one frame (bones[0].rotation; largest error 90 degrees)"), "{told}");
    let (losses, told) = convert(&["-a", "reach", "-o", "reach.anm.pxd"]);
    let between = "channels with keys between frames, sampled on each frame";
    assert_eq!(round(losses), listed(between, "bones[0].translation", 0.0, 0.6209));
    assert!(told.contains("(bones[0].translation; largest error 0.621 units)"), "{told}");
}
