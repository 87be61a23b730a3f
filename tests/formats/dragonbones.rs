//! Tests of DragonBones files: what a character becomes, and what DragonBones' runtime could not read.

use pchr::document::{BoneTransform, Document, Vertex};
use pchr_foreign::format::dragonbones::{self, DragonBonesFiles};
use serde_json::{Value, json};

use crate::fixture::{Builder, RED, at, hidden, puppet, vertex};

/// The skeleton of a character, and the list of what it lost.
fn written(document: &Document) -> (Value, Vec<String>) {
    let DragonBonesFiles { skeleton, losses, .. } = dragonbones::write(document, "hero").unwrap();
    let losses = losses.iter().map(|it| format!("{} {} ({})", it.count, it.what, it.first));
    (serde_json::from_slice(&skeleton).unwrap(), losses.collect())
}

fn armature(builder: &Builder) -> Value {
    written(&builder.document()).0["armature"][0].take()
}

/// An animation by its place.
fn clip(builder: &Builder, index: usize) -> Value {
    armature(builder)["animation"][index].take()
}

#[test]
fn bones_slots_and_meshes_are_those_of_the_bind_pose() {
    let (skeleton, losses) = written(&puppet().document());
    let armature = &skeleton["armature"][0];
    assert_eq!(losses, ["3 rgba8888 images (they become PNG files) (images[0].format)"]);
    assert_eq!(skeleton["version"], "5.5");
    assert_eq!((&skeleton["frameRate"], &armature["frameRate"]), (&json!(10), &json!(10)));
    let wanted = json!([{"name": "root"},
        {"name": "red", "parent": "root", "transform": {"x": -40}},
        {"name": "green", "parent": "root", "transform": {"x": 40}}]);
    assert_eq!(armature["bone"], wanted);
    let wanted = json!([{"name": "shadow", "parent": "root"},
        {"name": "part.red", "parent": "red"}, {"name": "part.green", "parent": "green"}]);
    assert_eq!(armature["slot"], wanted);
    assert_eq!(armature["aabb"], json!({"x": -70, "y": -20, "width": 140, "height": 60}));
    assert_eq!(armature["defaultActions"], json!([{"gotoAndPlay": "walk"}]));
    let wanted = json!({"name": "part.green", "display": [{
        "type": "mesh", "name": "part.green", "path": "image 1", "width": 1, "height": 1,
        "vertices": [20, 20, 60, 20, 60, -20, 20, -20],
        "uvs": [0, 1, 1, 1, 1, 0, 0, 0],
        "triangles": [0, 1, 2, 0, 2, 3],
        "weights": [1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1],
        "slotPose": [1, 0, 0, 1, 0, 0],
        "bonePose": [2, 1, 0, 0, 1, 40, 0],
        "edges": [], "userEdges": [],
    }]});
    assert_eq!(armature["skin"][0]["slot"][2], wanted);
}

#[test]
fn each_image_is_an_atlas() {
    let document = puppet().document();
    let files = dragonbones::write(&document, "hero").unwrap().beside;
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let expected = ["hero_tex_0.png", "hero_tex_0.json", "hero_tex_1.png", "hero_tex_1.json"];
    assert_eq!(names[..4], expected);
    let atlas: Value = serde_json::from_slice(&files[3].1).unwrap();
    let sprite = json!([{"name": "image 1", "x": 0, "y": 0, "width": 1, "height": 1}]);
    let expected = json!({
        "name": "hero", "imagePath": "hero_tex_1.png", "width": 1, "height": 1,
        "SubTexture": sprite,
    });
    assert_eq!(atlas, expected);
    let document = Builder::rect(1, &[RED], [0.0; 2], [1.0; 2]).document();
    let files = dragonbones::write(&document, "hero").unwrap().beside;
    assert_eq!([&files[0].0, &files[1].0], ["hero_tex.png", "hero_tex.json"]);
}

#[test]
fn keys_are_held_while_a_value_stays() {
    let walk = clip(&puppet(), 1);
    assert_eq!((&walk["duration"], &walk["playTimes"]), (&json!(4), &json!(0)));
    assert_eq!(walk["zOrder"], json!({"frame": [{"duration": 4}]}));
    let shifts = json!([{}, {"x": 10}, {"x": 20}, {"x": 30}]);
    assert_eq!(walk["bone"], json!([{"name": "red", "translateFrame": shifts}]));
    assert_eq!(walk["slot"], json!([]));
    let jump = clip(&puppet(), 4);
    assert_eq!(jump["playTimes"], 1);
    assert_eq!(jump["bone"], json!([{"name": "root", "translateFrame": [{}, {"y": -60}]}]));
}

#[test]
fn the_draw_order_moves_slots_and_visibility_hides_them() {
    let swap = clip(&puppet(), 3);
    let frames = json!([{"zOrder": [1, 1, 2, -1]}, {"zOrder": [0, 1, 1, -1]}]);
    assert_eq!(swap["zOrder"]["frame"], frames);
    let blink = clip(&puppet(), 2);
    let frames = json!([{}, {"value": -1}, {}]);
    assert_eq!(blink["slot"], json!([{"name": "part.green", "displayFrame": frames}]));
    // A mesh that is hidden in the setup pose shows by a key of its own.
    let unhidden = Builder::rect(1, &[RED], [0.0; 2], [1.0; 2])
        .animation("bind", false, &[[hidden()]])
        .animation("show", false, &[[at(0.0, 0.0)], [at(0.0, 0.0)]]);
    assert_eq!(armature(&unhidden)["slot"][0]["displayIndex"], -1);
    let frames = json!([{"duration": 2}]);
    assert_eq!(clip(&unhidden, 1)["slot"][0]["displayFrame"], frames);
    assert_eq!(clip(&unhidden, 0)["slot"], json!([]));
}

#[test]
fn turns_and_scales_are_relative_to_the_setup_pose() {
    let turned = |rotation, scale_x| BoneTransform { rotation, scale_x, ..at(0.1, 0.0) };
    let frames = [[turned(30.0, 0.0)], [turned(200.0, 3.0)], [turned(-140.0, 3.0)]];
    let builder = Builder::rect(1, &[RED], [0.0; 2], [1.0; 2]).animation("spin", true, &frames);
    let armature = armature(&builder);
    // A scale of 0 has no multiples.
    let setup = json!({"x": 0.100000001490116, "skX": -30, "skY": -30});
    assert_eq!(armature["bone"][0]["transform"], setup);
    let bone = &armature["animation"][0]["bone"][0];
    let turns = json!([{}, {"rotate": -170, "clockwise": 1}, {"rotate": 170}]);
    assert_eq!(bone["rotateFrame"], turns);
    let scales = json!([{"x": 0}, {"duration": 2, "x": 3}]);
    assert_eq!(bone["scaleFrame"], scales);
    assert_eq!(bone["translateFrame"], Value::Null);
    // Nothing inverts the bind pose of the bone: it moves no vertex.
    assert_eq!(armature["bone"][1], json!({"name": "pchr static"}));
    let display = &armature["skin"][0]["slot"][0]["display"][0];
    assert_eq!(display["weights"].as_array().unwrap()[..3], [json!(1), json!(1), json!(1)]);
    assert_eq!(display["bonePose"], json!([1, 1, 0, 0, 1, 0, 0]));
    assert_eq!(armature["slot"][0]["parent"], "bone 0");
}

#[test]
fn a_mesh_without_a_bone_is_a_slot_of_the_static_one() {
    let builder = Builder::new().image(1, &[RED]).mesh("m", 0, [Vertex::default(); 3], [0, 1, 2]);
    let armature = armature(&builder);
    assert_eq!(armature["bone"], json!([{"name": "pchr static"}]));
    assert_eq!(armature["slot"], json!([{"name": "m", "parent": "pchr static"}]));
    assert_eq!(armature["skin"][0]["slot"][0]["display"][0]["weights"], json!([0, 0, 0]));
    assert_eq!(armature["defaultActions"], json!([]));
}

#[test]
fn names_differ_and_are_no_properties_of_objects() {
    let names = ["constructor", "", "a", "a", "a_2", "__proto__"];
    let builder = names.iter().fold(Builder::new(), |builder, name| builder.bone(name, None));
    let (skeleton, losses) = written(&builder.document());
    let names = skeleton["armature"][0]["bone"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|bone| bone["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["constructor_2", "bone1", "a", "a_2", "a_2_2", "__proto___2"]);
    let what = "names that are empty, repeated, or properties of JavaScript's objects (changed)";
    assert_eq!(losses, [format!("5 {what} (bones[0].name)")]);
}

#[test]
fn whole_numbers_have_no_decimals_and_others_the_fewest() {
    let quad = Builder::rect(1, &[RED], [0.1, -2.0], [16_777_216.0, 1e-9]);
    let document = quad.document();
    let written = dragonbones::write(&document, "hero").unwrap();
    let text = String::from_utf8(written.skeleton).unwrap();
    assert!(text.contains("[0.1,2,16777216,2,16777216,-1e-9,0.1,-1e-9]"), "{text}");
}

#[test]
fn more_than_the_runtime_numbers_is_refused() {
    let refused = |builder: &Builder| dragonbones::write(&builder.document(), "x").err();
    let text = |builder: &Builder| refused(builder).map(|error| error.to_string());
    let meshes = |counts: &[usize]| {
        let start = Builder::new().image(1, &[RED]).bones(1);
        counts.iter().fold(start, |builder, count| {
            builder.mesh("m", 0, vec![vertex(0, [0.0; 2]); *count], [])
        })
    };
    assert_eq!(text(&meshes(&[16_383])), None);
    let wanted = "meshes[0]: \"m\" has 16384 vertices, and 65536 numbers come before its weights; DragonBones' runtime reads at most 32767 vertices and 65535 numbers";
    assert_eq!(text(&meshes(&[16_384])).unwrap(), wanted);
    // 7 numbers for each vertex of the first, 4 of the last.
    assert_eq!(text(&meshes(&[9_360, 3])), None);
    assert!(text(&meshes(&[9_360, 4])).unwrap().starts_with("meshes[1]: "));
    let moving = |frames: u16| {
        let frames: Vec<_> = (0..frames).map(|frame| [at(f32::from(frame), 0.0)]).collect();
        Builder::new().bones(1).animation("long", false, &frames)
    };
    assert_eq!(text(&moving(32_767)), None);
    let wanted = "animations[0].frames[32767]: up to here, the keys of \"long\" have more than 65536 numbers, which is all that DragonBones' runtime reads; split the animation";
    assert_eq!(text(&moving(32_768)).unwrap(), wanted);
}
