//! Tests of files as other programs write them.

use pchr::format::{SidecarError, Sidecars};
use pchr_foreign::format::gltf;
use pchr_foreign::motion::{Conventions, Motion, ParentScale, Skeleton, TimedTrack};
use serde_json::{Value, json};

use super::{binary, framed, lost, read};

fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// File with a node that is moved by one sampler.
pub(super) fn moved(
    path: &str,
    interpolation: &str,
    times: &[f32],
    values: &[f32],
    lanes: usize,
) -> Vec<u8> {
    let data = [bytes(times), bytes(values)].concat();
    let shape = if lanes == 4 { "VEC4" } else { "VEC3" };
    let json = json!({
        "asset": {"version": "2.0"},
        "nodes": [{"name": "a"}],
        "buffers": [{"byteLength": data.len()}],
        "bufferViews": [
            {"buffer": 0, "byteLength": times.len() * 4},
            {"buffer": 0, "byteOffset": times.len() * 4, "byteLength": values.len() * 4},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": times.len(), "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5126, "count": values.len() / lanes, "type": shape},
        ],
        "animations": [{
            "name": "x",
            "channels": [{"sampler": 0, "target": {"node": 0, "path": path}}],
            "samplers": [{"input": 0, "output": 1, "interpolation": interpolation}],
        }],
    });
    binary(&json, &data)
}

pub(super) fn only(file: &[u8]) -> (Motion, Vec<String>) {
    let mut file = read(file);
    assert!(file.warnings.is_empty());
    assert_eq!(file.clips.len(), 1);
    let clip = file.clips.remove(0);
    (clip.motion, [lost(&clip.losses), lost(&file.losses)].concat())
}

fn track(motion: &Motion) -> &TimedTrack {
    assert_eq!(motion.tracks().len(), 1);
    motion.tracks()[0].timed().unwrap()
}

/// Translations along x, brought to frames that they lie on.
fn xs(motion: &Motion) -> Vec<(u32, f32)> {
    let keys = framed(&Skeleton::of_tracks(motion), motion).bones[0].translation.clone();
    { keys.iter() }.map(|key| (key.frame, key.value[0] as f32)).collect()
}

#[test]
fn linear_keys_stay_on_the_frames_of_their_rate() {
    for (rate, frames) in
        [(24.0_f32, [0, 5, 7, 100]), (30.0, [0, 1, 2, 900]), (120.0, [0, 1, 7, 9])]
    {
        let times = frames.map(|frame| frame as f32 / rate);
        let values: Vec<f32> = (0..12).map(|i| i as f32).collect();
        let (motion, losses) = only(&moved("translation", "LINEAR", &times, &values, 3));
        assert_eq!(losses, [""; 0]);
        assert_eq!((motion.rate, motion.frames()), (rate, frames[3] + 1));
        let expected = frames.into_iter().zip([0.0, 3.0, 6.0, 9.0]);
        assert_eq!(xs(&motion), expected.collect::<Vec<_>>());
        assert_eq!(motion.conventions, Conventions::GLTF);
    }
}

#[test]
fn numbers_are_read_however_they_are_packed() {
    // The times have a stride of 8, the rotations are normalised int16 with an offset, and all translations are sparse.
    let mut data = bytes(&[0.0, 9.0, 1.0, 9.0, 2.0]);
    let rotations = data.len();
    for number in [7_i16, 0, 0, 0, 32767, 0, 0, 0, -32768, 0, 32767, 0, 0] {
        data.extend(number.to_le_bytes());
    }
    data.resize(data.len().next_multiple_of(4), 0);
    let indices = data.len();
    data.extend([1_u8, 2, 0, 0]);
    let values = data.len();
    data.extend(bytes(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    let json = json!({
        "asset": {"version": "2.0"},
        "nodes": [{"name": "a"}],
        "buffers": [{"byteLength": data.len()}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 20, "byteStride": 8}, {"buffer": 0, "byteOffset": rotations, "byteLength": 26},
            {"buffer": 0, "byteOffset": indices, "byteLength": 2}, {"buffer": 0, "byteOffset": values, "byteLength": 24},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR"},
            {"bufferView": 1, "byteOffset": 2, "componentType": 5122, "normalized": true, "count": 3, "type": "VEC4"},
            {"componentType": 5126, "count": 3, "type": "VEC3", "sparse": {"count": 2,
                "indices": {"bufferView": 2, "componentType": 5121}, "values": {"bufferView": 3}}},
        ],
        "animations": [{
            "channels": [
                {"sampler": 0, "target": {"node": 0, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 0, "path": "translation"}},
            ],
            "samplers": [{"input": 0, "output": 1}, {"input": 0, "output": 2}],
        }],
    });
    let (motion, _) = only(&binary(&json, &data));
    let TimedTrack { translation, rotation, .. } = track(&motion);
    let wanted = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0], [0.0, 1.0, 0.0, 0.0]];
    assert_eq!(rotation.as_ref().unwrap().values(), wanted);
    let translation = translation.as_ref().unwrap();
    assert_eq!(translation.times(), [0.0, 1.0, 2.0]);
    assert_eq!(translation.values(), [[0.0; 3], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
}

/// Names and parents of the bones.
fn bones(nodes: Value, skins: Value) -> String {
    let json = json!({
        "asset": {"version": "2.0"}, "nodes": nodes, "skins": skins, "meshes": [{}, {"x": []}], "cameras": [{}],
        "extensionsUsed": ["KHR_lights_punctual"],
        "animations": [{
            "channels": [
                {"sampler": 0, "target": {"node": 1, "path": "weights"}},
                {"sampler": 0, "target": {"path": "pointer"}},
            ],
            "samplers": [{"input": 0, "output": 0}],
        }],
    });
    let file = read(json.to_string().as_bytes());
    let wanted = [
        "1 channels of morph weights (animations[0].channels[0])",
        "1 channels of extensions (animations[0].channels[1])",
        "2 meshes (meshes[0])",
        "1 cameras (cameras[0])",
        "1 extensions (extensionsUsed[0])",
    ];
    assert_eq!([lost(&file.clips[0].losses), lost(&file.losses)].concat(), wanted);
    assert_eq!(file.skeleton.conventions.parent_scale, ParentScale::Inherited);
    let bones = file.skeleton.bones().iter();
    let named = bones.map(|it| format!("{}:{}", it.name.text(), it.parent.map_or(-1, i64::from)));
    named.collect::<Vec<_>>().join(" ")
}

#[test]
fn bones_are_joints_and_the_nodes_that_place_them() {
    let nodes = json!([
        {"name": "scene", "children": [1, 6]}, {"name": "armature", "children": [2]},
        {"name": "hips", "children": [3]}, {"name": "between", "children": [4, 5]}, {"name": "head"},
        {"name": "mesh", "mesh": 0}, {"name": "prop", "children": [7]}, {"name": "tip"},
    ]);
    assert_eq!(bones(nodes.clone(), json!([{"joints": [4, 2]}])), "between:2 head:0 hips:-1");
    let wanted = "hips:-1 between:0 head:1 tip:-1";
    assert_eq!(bones(nodes.clone(), json!([{"joints": [2, 4]}, {"joints": [7, 2]}])), wanted);
    let mut placed = nodes.clone();
    placed[1]["scale"] = json!([0.01, 0.01, 0.01]);
    assert_eq!(bones(placed, json!([{"joints": [2, 4]}])), "armature:-1 hips:0 between:1 head:2");
    let wanted = "scene:-1 armature:0 hips:1 between:2 head:3 mesh:3 prop:0 tip:6";
    assert_eq!(bones(nodes, json!([])), wanted);
}

#[test]
fn matrices_become_their_parts() {
    let node = |matrix: Value| {
        let json = json!({"asset": {"version": "2.1"}, "nodes": [{"name": "a", "matrix": matrix}]});
        let file = read(json.to_string().as_bytes());
        (file.skeleton.bones()[0].rest, super::said(&file.warnings))
    };
    // Half a turn about Y, twice the size, and mirrored.
    let (rest, found) = node(json!([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, -2, 0, 1, 2, 3, 1]));
    assert!(found.is_empty());
    assert_eq!(rest.translation, [1.0, 2.0, 3.0]);
    let matrix = glam::DMat3::from_quat(glam::DQuat::from_array(rest.rotation))
        * glam::DMat3::from_diagonal(rest.scale.into());
    let mirrored = glam::DMat3::from_diagonal(glam::DVec3::new(2.0, 2.0, -2.0));
    assert!(matrix.abs_diff_eq(mirrored, 1e-12));
    let (rest, found) = node(json!([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]));
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(rest.scale, [0.0, 1.0, 1.0]);
    let (_, found) = node(json!([1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]));
    let said = "GLTF-W106 node-matrix: nodes[0].matrix at line 1, column 47 (byte 46): it shears, which translation, rotation and scale cannot express; the closest ones are used";
    assert_eq!(found, [said]);
}

/// Sidecar files by their paths.
struct Beside(Vec<(&'static str, Vec<u8>)>);

impl Sidecars for Beside {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError> {
        let file = self.0.iter().find(|(name, _)| *name == path);
        Ok(file.ok_or_else(|| SidecarError::Unreadable("not there".into()))?.1.clone())
    }
}

#[test]
fn buffers_lie_beside_a_text_or_in_it() {
    let data = bytes(&[0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let text = |uri: &str| {
        json!({
            "asset": {"version": "2.0"}, "nodes": [{"name": "a"}],
            "buffers": [{"byteLength": 1 << 20, "uri": "unused.bin"}, {"byteLength": 32, "uri": uri}],
            "bufferViews": [{"buffer": 1, "byteLength": 32}],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
                {"bufferView": 0, "byteOffset": 8, "componentType": 5126, "count": 2, "type": "VEC3"},
            ],
            "animations": [{
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                "samplers": [{"input": 0, "output": 1}],
            }],
        })
        .to_string()
    };
    let mut files = Beside(vec![("my file%.bin", data.clone())]);
    let beside = gltf::read(text("my%20file%.bin").as_bytes(), &mut files).unwrap();
    let hex: String = data.iter().map(|byte| format!("%{byte:02x}")).collect();
    let within = read(text(&format!("data:,{hex}")).as_bytes());
    let coded = "data:application/gltf-buffer;base64,AAAAAAAAAD8AAIA/AAAAQAAAQEAAAIBAAACgQAAAwEA=";
    let coded = read(text(coded).as_bytes());
    let broken = "DATA:;BASE64,AAAAAAAAAD8AAIA/AAAAQAAA\nQEAAAIBAAACg\r\n QAAAwEA=";
    let broken = read(text(broken).as_bytes());
    let mut named = Beside(vec![("/srv/art/my file", data.clone())]);
    let named = gltf::read(text("file:///srv/art/my%20file").as_bytes(), &mut named).unwrap();
    for file in [&beside, &within, &coded, &broken, &named] {
        assert_eq!(xs(&file.clips[0].motion), [(0, 1.0), (15, 4.0)]);
    }
    let remote = gltf::read(text("file://server/my%20file%25.bin").as_bytes(), &mut files);
    let remote = remote.unwrap_err().to_string();
    assert!(remote.ends_with("a file of another machine; save it beside this one"), "{remote}");
    let missing = gltf::read(text("other.bin").as_bytes(), &mut files).unwrap_err().to_string();
    assert!(missing.starts_with("GLTF-E011 buffer: buffers[1].uri at line"), "{missing}");
    assert!(missing.ends_with(": \"other.bin\": not there"), "{missing}");
}
