//! Tests of `pchr pose`: it prints the transforms that an engine must reproduce.

use pchr_foreign::format::pxd;
use pchr_foreign::motion::{Bone, Conventions, Skeleton, Transform};
use serde_json::{Value, json};

use crate::desk::{Desk, said};
use crate::fixture::{Builder, at};
use crate::pchr::atlas::{put, run};
use crate::pchr::motion::walk;
use crate::pchr::pxd::files as pxd_files;
use crate::pchr::schema::{objections, validator};

/// Skeleton with hips at height 90, an arm 10 from the hips, and a tail that no track moves.
pub(crate) fn skeleton() -> Vec<u8> {
    let bone = |name: &str, parent, translation| Bone {
        name: name.into(),
        parent,
        rest: Transform {
            translation,
            ..Transform::IDENTITY
        },
        offset: 0,
    };
    let bones = vec![
        bone("Hips", None, [0.0, 90.0, 0.0]),
        bone("rig:arm l", Some(0), [10.0, 0.0, 0.0]),
        bone("tail", Some(0), [0.0, 0.0, -5.0]),
    ];
    pxd::write_skeleton(&Skeleton::new(bones, Conventions::PXD).unwrap()).unwrap()
}

fn desk() -> Desk {
    let desk = Desk::new();
    put(&desk, "walk.seanim", &walk());
    put(&desk, "hero.skl.pxd", &skeleton());
    put(
        &desk,
        "hero.pchr",
        include_bytes!("../../../assets/sample.pchr"),
    );
    desk
}

fn json(desk: &Desk, args: &[&str]) -> Value {
    let mut all = vec!["pose", "--json"];
    all.extend(args);
    let report = serde_json::from_str(&run(desk, &all)).unwrap();
    let objections = objections(&validator("pose"), &report);
    assert!(objections.is_empty(), "{objections:?}");
    report
}

fn numbers(value: &Value) -> Vec<f64> {
    let numbers = value.as_array().unwrap().iter();
    numbers.map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn a_motion_poses_the_bones_that_it_names() {
    let desk = desk();
    let args = ["walk.seanim", "--skeleton", "hero.skl.pxd", "-f", "0,24"];
    let local = json(&desk, &args);
    assert_eq!(
        local["bones"],
        json!([
            {"name": "Hips", "parent": null},
            {"name": "rig:arm l", "parent": 0},
            {"name": "tail", "parent": 0},
        ])
    );
    assert!(local.get("unmatched").is_none());
    let poses = local["poses"].as_array().unwrap();
    assert_eq!(poses.len(), 2);
    assert_eq!(
        (&poses[1]["frame"], &poses[1]["time"]),
        (&json!(24), &json!(0.8))
    );
    let bones = &poses[1]["bones"];
    // The hips are relative, the arm is absolute by its modifier, and the tail is at rest.
    assert_eq!(bones[0]["translation"], json!([0.1, 90.0, 24.0]));
    assert_eq!(bones[1]["translation"], json!([0.1, 0.0, 24.0]));
    assert_eq!(
        bones[2],
        json!({"translation": [0.0, 0.0, -5.0], "rotation": [0.0, 0.0, 0.0, 1.0], "scale": [1.0, 1.0, 1.0]})
    );
    let world = json(&desk, &[&args[..], &["--space", "world"]].concat());
    let arm = numbers(&world["poses"][1]["bones"][1]["translation"]);
    assert!(
        (arm[0] - 0.2).abs() < 1e-6 && (arm[2] - 48.0).abs() < 1e-6,
        "{arm:?}"
    );
    let skin = json(&desk, &[&args[..], &["--space", "skin"]].concat());
    let tail = numbers(&skin["poses"][1]["bones"][2]["matrix"]);
    let moved = [
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.1, 0.0, 24.0, 1.0,
    ];
    for (number, expected) in tail.iter().zip(moved) {
        assert!((number - expected).abs() < 1e-6, "{tail:?}");
    }
}

#[test]
fn times_lie_between_frames_and_what_no_bone_has_is_listed() {
    let desk = Desk::new();
    put(&desk, "walk.seanim", &walk());
    // The motion loops: a round of 25 frames takes 25/30 s.
    let posed = json(
        &desk,
        &["walk.seanim", "--time", "0.2,-0.8333333,1.0333333"],
    );
    assert_eq!(posed["poses"][0]["frame"], Value::Null);
    assert_eq!(
        posed["poses"][0]["bones"][0]["translation"],
        json!([0.1, 0.0, 6.0])
    );
    assert_eq!(
        posed["poses"][1]["bones"][0]["translation"],
        json!([0.1, 0.0, 0.0])
    );
    assert_eq!(posed["poses"][2]["bones"], posed["poses"][0]["bones"]);
    assert_eq!(posed["poses"][2]["frame"], Value::Null);
    put(&desk, "other.skl.pxd", &{
        let bone = Bone {
            name: "HIPS".into(),
            ..Bone::default()
        };
        pxd::write_skeleton(&Skeleton::new(vec![bone], Conventions::PXD).unwrap()).unwrap()
    });
    let args = [
        "pose",
        "walk.seanim",
        "--skeleton",
        "other.skl.pxd",
        "--json",
    ];
    let output = desk.run_pchr(&args);
    let posed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(posed["unmatched"], json!(["arm L"]));
    let said = said(&output);
    assert!(
        said.contains("1 of 2 tracks move no bone of the skeleton: arm L"),
        "{said}"
    );
}

#[test]
fn a_pxd_animation_finds_its_skeleton_and_a_skeleton_alone_is_at_rest() {
    let desk = desk();
    for (name, bytes) in pxd_files() {
        if name != "hero.skl.pxd" {
            put(&desk, &format!("hero@{name}"), &bytes);
        }
    }
    let output = desk.run_pchr(&["pose", "hero@keys.anm.pxd", "--space", "world", "--json"]);
    let posed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(said(&output).contains("skeleton hero.skl.pxd"));
    assert_eq!(posed["bones"][1]["name"], "rig:arm l");
    let bones = &posed["poses"][0]["bones"];
    // Track 0 moves the hips, the arm has no keys, and root motion stays separate.
    assert_eq!(bones[0]["translation"], json!([1.0, 2.0, -0.5]));
    assert_eq!(bones[1]["translation"], json!([11.0, 2.0, -0.5]));
    assert_eq!(
        posed["poses"][0]["root"]["translation"],
        json!([0.0, 2.0, -0.5])
    );
    // Three compressed tracks, for as many bones.
    let sampled = json(&desk, &["hero@walk.anm.pxd", "--time", "0.05"]);
    assert_eq!(sampled["poses"][0]["bones"].as_array().unwrap().len(), 3);
    let rest = json(&desk, &["hero.skl.pxd", "--space", "world"]);
    let bones = &rest["poses"][0]["bones"];
    assert_eq!(bones[1]["translation"], json!([10.0, 90.0, 0.0]));
    assert_eq!(bones[2]["translation"], json!([0.0, 90.0, -5.0]));
}

#[test]
fn local_matrices_of_a_character_lead_to_those_of_the_world() {
    let desk = desk();
    let args = ["hero.pchr", "-f", "3"];
    let local = json(&desk, &args);
    let world = json(&desk, &[&args[..], &["--space", "world"]].concat());
    let matrix = |pose: &Value, bone: usize| numbers(&pose["poses"][0]["bones"][bone]["matrix"]);
    let bones = local["bones"].as_array().unwrap();
    assert!(bones.len() > 3 && bones.iter().any(|bone| bone["parent"].is_number()));
    for (index, bone) in bones.iter().enumerate() {
        let own = matrix(&local, index);
        let expected = match bone["parent"].as_u64() {
            None => own,
            Some(parent) => {
                let up = matrix(&world, usize::try_from(parent).unwrap());
                let turned = |x: f64, y: f64| [up[0] * x + up[2] * y, up[1] * x + up[3] * y];
                let [across, along] = [turned(own[0], own[1]), turned(own[2], own[3])];
                let [x, y] = turned(own[4], own[5]);
                [across, along, [x + up[4], y + up[5]]].concat()
            }
        };
        for (number, expected) in matrix(&world, index).iter().zip(expected) {
            let off = (number - expected).abs();
            assert!(off < 1e-3, "bone {index}: {off}");
        }
    }
    let smooth = json(&desk, &["hero.pchr", "--time", "0.01", "--smooth"]);
    let stepped = json(&desk, &["hero.pchr", "--time", "0.01"]);
    assert_ne!(smooth["poses"], stepped["poses"]);
}

#[test]
fn csv_and_tables_have_a_line_for_each_bone() {
    let desk = desk();
    let args = ["pose", "walk.seanim", "--skeleton", "hero.skl.pxd"];
    let csv = run(&desk, &[&args[..], &["-f", "0..2", "--csv"]].concat());
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines[0],
        "time,frame,bone,name,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz"
    );
    assert_eq!(lines[1], "0,0,0,Hips,0.1,90,0,0,0,0,1,1,1,1");
    assert_eq!(lines.len(), 7);
    let table = run(&desk, &args);
    assert!(table.contains("Frame 0, 0 s"), "{table}");
    assert!(table.contains("rig:arm l"), "{table}");
    let csv = run(&desk, &["pose", "hero.pchr", "--csv"]);
    assert!(
        csv.starts_with("time,frame,bone,name,a,b,c,d,tx,ty\n"),
        "{csv}"
    );
}

#[test]
fn a_rounded_time_of_a_frame_shows_that_frame_in_both_programs() {
    let desk = Desk::new();
    for fps in [24_u16, 25, 30, 60, 65_535] {
        let frames: Vec<_> = (0..240_u16).map(|x| [at(f32::from(x), 0.0)]).collect();
        let character = Builder::new()
            .fps(fps)
            .bones(1)
            .still("bind", true, 1)
            .animation("run", true, &frames);
        desk.put("run.pchr", &character);
        let shown = |texts: &[String]| -> Vec<f64> {
            let posed = json(&desk, &["run.pchr", "--time", &texts.join(",")]);
            let poses = posed["poses"].as_array().unwrap().iter();
            poses
                .map(|pose| numbers(&pose["bones"][0]["matrix"])[4])
                .collect()
        };
        let times = (0..240_u16).map(|frame| f64::from(frame) / f64::from(fps));
        let times: Vec<f64> = times.collect();
        let expected: Vec<f64> = (0..240_u16).map(f64::from).collect();
        let ways: [fn(f64) -> String; 4] = [
            |time| format!("{time}"),
            |time| format!("{}", time as f32),
            |time| format!("{time:.6}"),
            |time| format!("{time:.9}"),
        ];
        for way in ways {
            let texts: Vec<String> = times.iter().copied().map(way).collect();
            assert_eq!(shown(&texts), expected, "{fps}");
            for frame in [1, 39, 239] {
                let time = texts[frame].as_str();
                let args = ["capture", "run.pchr", "--renderer", "cpu", "--json"];
                let args = [&args[..], &["--time", time, "-s", "8x8", "-o", "a.png"]].concat();
                let report: Value = serde_json::from_slice(&desk.run(&args).stdout).unwrap();
                assert_eq!(report["captures"][0]["frame"], frame, "{time} at {fps}");
            }
        }
        // Half a frame before the end and the start of the loop.
        let half = 0.5 / f64::from(fps);
        let before = [format!("{}", -half), format!("{}", half)];
        assert_eq!(shown(&before), [239.0, 0.0], "{fps}");
    }
}
