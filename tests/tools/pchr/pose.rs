//! Tests of `pchr pose`: it prints the transforms that an engine must reproduce.

use pchr_foreign::format::pxd;
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::pchr::atlas::run;
use crate::pchr::motion::walk;
use crate::pchr::schema::{objections, validator};
use crate::rig;

/// Skeleton with hips at height 90, an arm 10 from the hips, and a tail that no track moves.
pub(crate) fn skeleton() -> Vec<u8> {
    let hips = ("Hips", None, [0.0, 90.0, 0.0]);
    let arm = ("rig:arm l", Some(0), [10.0, 0.0, 0.0]);
    let skeleton = rig::skeleton(&[hips, arm, ("tail", Some(0), [0.0, 0.0, -5.0])]);
    pxd::write_skeleton(&skeleton).unwrap()
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put_bytes("walk.seanim", &walk());
    desk.put_bytes("hero.skl.pxd", &skeleton());
    desk.put_bytes("hero.pchr", include_bytes!("../../../assets/sample.pchr"));
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
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn a_motion_poses_the_bones_that_it_names() {
    let desk = desk();
    let args = ["walk.seanim", "--skeleton", "hero.skl.pxd", "-f", "0,24"];
    let local = json(&desk, &args);
    let bones = json!([{"name": "Hips", "parent": null}, {"name": "rig:arm l", "parent": 0}, {"name": "tail", "parent": 0}]);
    assert_eq!(local["bones"], bones);
    assert!(local.get("unmatched").is_none());
    let poses = local["poses"].as_array().unwrap();
    assert_eq!(poses.len(), 2);
    assert_eq!((&poses[1]["frame"], &poses[1]["time"]), (&json!(24), &json!(0.8)));
    let bones = &poses[1]["bones"];
    // The hips are relative, the arm is absolute by its modifier, and the tail is at rest.
    assert_eq!(bones[0]["translation"], json!([0.1, 90.0, 24.0]));
    assert_eq!(bones[1]["translation"], json!([0.1, 0.0, 24.0]));
    let tail = json!({"translation": [0.0, 0.0, -5.0], "rotation": [0.0, 0.0, 0.0, 1.0], "scale": [1.0, 1.0, 1.0]});
    assert_eq!(bones[2], tail);
    let world = json(&desk, &[&args[..], &["--space", "world"]].concat());
    let arm = numbers(&world["poses"][1]["bones"][1]["translation"]);
    assert!((arm[0] - 0.2).abs() < 1e-6 && (arm[2] - 48.0).abs() < 1e-6, "{arm:?}");
    let skin = json(&desk, &[&args[..], &["--space", "skin"]].concat());
    let tail = numbers(&skin["poses"][1]["bones"][2]["matrix"]);
    let moved = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.1, 0.0, 24.0, 1.0];
    for (number, expected) in tail.iter().zip(moved) {
        assert!((number - expected).abs() < 1e-6, "{tail:?}");
    }
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
    assert_ne!(smooth["poses"], json(&desk, &["hero.pchr", "--time", "0.01"])["poses"]);
}
