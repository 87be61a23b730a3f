//! Seed inputs for fuzzing, made from the tests' own characters.

use arbitrary::Unstructured;
use pchr::document::Document;
use pchr::format::json::{Dialect, image_file, write};
use pchr::format::legacy;
use pchr::format::pchr::build;
use pchr_foreign::acl::Clip;
use pchr_foreign::format::{gltf, pxd, seanim, seanim_json};
use pchr_foreign::motion::{
    AdditiveRotation, AnimationType, Binding, Bone, Channels, Conventions, Key, LocalKeys,
    Modifier, Motion, Note, Precision, Sampled, Skeleton, TrackKeys,
};

use super::document::{odd_png, parts};
use super::files::Files;

#[path = "../support/acl.rs"]
mod acl;
#[path = "../support/fixture.rs"]
mod fixture;
#[path = "../support/font.rs"]
mod font;

/// Seeds of a target, by its name.
#[must_use]
pub fn of(target: &str) -> Vec<Vec<u8>> {
    match target {
        "read_pose_draw" | "write_read" => {
            characters().iter().map(|it| it.bytes().to_vec()).collect()
        }
        "read_json" => texts(),
        "read_pct" => ATLASES.iter().map(|text| (*text).into()).collect(),
        "read_seanim" => motions(),
        "read_pxd" => hedgehogs(),
        "read_gltf" => scenes(),
        "read_atlas_json" => JSON_ATLASES.iter().map(|text| (*text).into()).collect(),
        "images" => pictures(),
        "typeface" => fonts(),
        "suite" => vec![SUITE.into()],
        "baseline" => vec![BASELINE.into()],
        "report" => reports(),
        _ => noise(),
    }
}

/// Small fonts, and the smaller ones of Debian's packages where they are installed.
fn fonts() -> Vec<Vec<u8>> {
    let installed = ["truetype/lohit-devanagari/Lohit-Devanagari.ttf", "opentype/tlwg/Garuda.otf"];
    let mut fonts = vec![font::composites(6, [5, 6, 8, 11]), font::subroutines(6, 3, [0, 1, 3, 6])];
    let folder = std::path::Path::new("/usr/share/fonts");
    fonts.extend({ installed.iter() }.filter_map(|file| std::fs::read(folder.join(file)).ok()));
    fonts
}

/// Targets for inputs of the programs. Only the fuzzer has them.
pub const PROGRAMS: [&str; 4] = ["suite", "baseline", "report", "capture_plan"];

/// PCT texts: blocks, separate sprites, names of all kinds, aliases, and faults.
const ATLASES: [&str; 4] = [
    "PCT:1.0\nP:white.png,RGBA8888,64,64,2\nB:2,2,4,8,8|12,12,2,1\nframe#01-07~1\n",
    "PCT:1.0\nP:a.png,RGBA8888,64,64,1\nP:b.png,RGBA8888,32,32,0\nF:hero/walk\nF:3\n#1\n0/a_1|0|1,1,8,8\n0/a_2~2|2|9,1,4,4|8,8,2,3\n#0\nB:0,0,2,4,4\n1/x#8-11,y,z\nturned|1|40,2,6,9\nA:0/a_1=copy,0/b#1-3~1\n",
    "PCT:1\r\nP:a.png,RGBA8888\r\nB:0,0,1,2,2\r\n#x|,,=\r\nB:1,1,9,1,1\r\nB:1,2,3,4,5\r\nA:x=y\r\nA:z\r\nX\r\n",
    "\u{feff}PCT:1.7\nP:a.png,RGBA8888,-4,99999999999,2\nn|3|1.5,-2,8px, 8|4,4,-1,-1,9\n9/m|7|2147483647,0,2147483647,1\nA:n=n,m\nm|0|0,0,0,0\n",
];

/// JSON atlases: hash, array and multi-atlas, with trims, a rotation, aliases, values without a counterpart, and faults.
const JSON_ATLASES: [&str; 4] = [
    r#"{"frames":{"a/b_1.png":{"frame":{"x":2,"y":4,"w":40,"h":30},"rotated":true,"trimmed":true,"spriteSourceSize":{"x":5,"y":6,"w":40,"h":30},"sourceSize":{"w":64,"h":64},"pivot":{"x":0.5,"y":0.5}},"b":{"frame":{"x":50,"y":4.0,"w":8,"h":9}},"c":{"frame":{"x":50,"y":4,"w":8,"h":9}}},"meta":{"image":"hero.png","format":"RGBA8888","size":{"w":128,"h":64},"scale":"0.5","frameTags":[]}}"#,
    r#"{"frames":[{"filename":"a","frame":{"x":0,"y":0,"w":8,"h":8},"duration":100},{"filename":"a","frame":{"x":1.5,"y":"0","w":8,"h":-8}}],"meta":{"image":"a.png"}}"#,
    r#"{"textures":[{"image":"a.png","format":"RGBA8888","size":{"w":8,"h":8},"scale":1,"frames":[{"filename":"x","rotated":false,"trimmed":false,"sourceSize":{"w":4,"h":4},"spriteSourceSize":{"x":0,"y":0,"w":4,"h":4},"frame":{"x":0,"y":0,"w":4,"h":4}}]},{"image":"b.png","frames":[]}],"meta":{}}"#,
    r#"{"frames":{"":{"frame":null},"a":[],"a":{"frame":{"x":1e99,"y":0,"w":1}}},"meta":5}"#,
];

const SUITE: &str = r##"[defaults]
resolution = "64x64"
background = "#808080"
overlay = ["bones,names", "weights=root"]
max_outliers = "0.1%"

[[case]]
name = "walk"
file = "hero.pchr"
animation = "walk"
frame = "0..24:6"
tolerance = 4

[[case]]
file = "*.pchr"
time = 0.5
smooth = true
z-order = ["hat=1.5"]

[adapter."llvmpipe"]
tolerance = 4
"##;

const BASELINE: &str = r#"{"options": {"resolution": "64x64"},
"madeBy": [{"version": "1", "renderer": "cpu", "adapter": null, "backend": null, "driver": null, "software": false}],
"frames": {"0000.png": {"camera": {"center": [0.5, 0], "zoom": 1.44, "yDown": false}, "madeBy": 0}}}"#;

const REPORT: &str = r#"{"version": "1", "suite": "suite.toml", "shard": {"index": 1, "total": 2},
"plan": {"filter": null, "cases": 2, "frames": 2, "digest": "0"}, "exitCode": 3,
"summary": {"cases": 1, "frames": 1, "passed": 0, "failed": 1, "missing": 0, "updated": 0, "skipped": 0, "errors": 0},
"cases": [{"name": "a", "file": "a.pchr", "drawnBy": {"renderer": "cpu", "adapter": null, "backend": null, "driver": null, "software": false},
"notes": ["</script>"], "error": null, "frames": [{"name": "0000", "animation": "walk", "frame": 0, "status": "failed", "message": "it differs",
"command": "pchr-view capture a.pchr", "difference": {"pixels": 4, "ignored": 0, "differing": 1, "tolerance": 0, "outliers": 1,
"allowedOutliers": 0, "alphaOnly": false, "largest": {"difference": 9, "at": [1, 1], "channel": "red", "expected": [0, 0, 0, 255],
"actual": [9, 0, 0, 255]}, "meanFlip": 0.5, "histogram": [{"from": 1, "to": 1, "pixels": 0}, {"from": 2, "to": 2, "pixels": 0},
{"from": 3, "to": 4, "pixels": 0}, {"from": 5, "to": 8, "pixels": 0}, {"from": 9, "to": 16, "pixels": 1}, {"from": 17, "to": 32, "pixels": 0},
{"from": 33, "to": 64, "pixels": 0}, {"from": 65, "to": 128, "pixels": 0}, {"from": 129, "to": 255, "pixels": 0}]},
"pictures": {"expected": "pictures/a/0000.expected.png", "actual": "pictures/a/0000.actual.png", "difference": null}}]}]}"#;

/// A report, and the reports of two parts.
fn reports() -> Vec<Vec<u8>> {
    let other = REPORT
        .replace("\"index\": 1", "\"index\": 2")
        .replace("\"name\": \"a\"", "\"name\": \"b\"");
    let parts = Files::new(vec![("2".to_owned(), other.into_bytes())]);
    vec![REPORT.into(), parts.join(REPORT.as_bytes())]
}

/// Motions of each precision and of some channels, and variants with faults of writers.
fn motions() -> Vec<Vec<u8>> {
    let numbers: [(bool, Precision, u32); 4] = [
        (true, Precision::Single, 5),
        (false, Precision::Double, 5),
        (true, Precision::Double, 256),
        (false, Precision::Single, 70_000),
    ];
    let mut files = Vec::new();
    for (rotation, precision, frame_count) in numbers {
        let file = motion(rotation, precision, frame_count);
        for (at, byte) in [(28, 0), (12, file[12] | 0x80), (12, file[12] & 0xf), (24, 4)] {
            let mut file = file.clone();
            file[at] = byte;
            files.push(file);
        }
        let (motion, _) = seanim::read(file.clone()).expect("it is sound");
        let mut mirror = Vec::new();
        seanim_json::write(&motion, &mut mirror).expect("writing to memory succeeds");
        files.extend([file, mirror]);
    }
    files
}

/// Motion with rotations or with scales, and some of everything else.
fn motion(rotation: bool, precision: Precision, frame_count: u32) -> Vec<u8> {
    let channels = Channels { translation: true, rotation, scale: !rotation };
    let mut motion = Motion::new(channels, precision);
    motion.frame_count = frame_count;
    let vector = |frame, x| Key { frame, value: [x, 2.0, -0.5] };
    let turns = [Key { frame: 1, value: [0.0, 0.6, 0.0, 0.8] }];
    let vectors = [vector(frame_count - 1, 1.0), vector(0, 3.0)];
    for name in ["root", "arm", "arm.L"] {
        let keys = TrackKeys {
            translation: &vectors,
            rotation: if rotation { &turns } else { &[] },
            scale: if rotation { &[] } else { &vectors },
        };
        motion.add_track(name, 0, keys).expect("its channels are stored");
    }
    motion.modifiers.push(Modifier {
        track: 1,
        animation_type: AnimationType::Relative,
        offset: 0,
    });
    for (frame, name) in [(3, "step"), (1, "hit")] {
        motion.notes.push(Note { frame, name: name.into(), offset: 0 });
    }
    motion.custom = rotation.then(|| vec![1, 2, 3]);
    seanim::write(&motion).expect("it is sound")
}

/// PXD files: a skeleton, a motion with keys, and clips with every bit count.
fn hedgehogs() -> Vec<Vec<u8>> {
    let bone = |name: &str, parent| Bone { name: name.into(), parent, ..Bone::default() };
    let bones = vec![bone("hand", Some(1)), bone("arm", None), bone("x", None)];
    let skeleton = Skeleton::new(bones, Conventions::PXD).expect("no circle");
    let mut files = vec![pxd::write_skeleton(&skeleton).expect("it is sound")];
    let all = Channels { translation: true, rotation: true, scale: true };
    let mut motion = Motion::new(all, Precision::Single);
    motion.frame_count = 9;
    let vectors = [2, 5, 8].map(|frame| Key { frame, value: [1.0, 2.0, -0.5] });
    let turns = [Key { frame: 1, value: [0.0, 0.6, 0.0, 0.8] }];
    let keys = TrackKeys { translation: &vectors, rotation: &turns, scale: &vectors[..1] };
    for bone in 0..3_u32 {
        motion.add_track(bone, 0, keys).expect("all are stored");
    }
    files.push(pxd::write_animation(&motion).expect("it is sound"));
    motion.set_root_keys(keys).expect("all are stored");
    files.push(pxd::write_animation(&motion).expect("it is sound"));
    let sampled = |tracks, samples, bits| {
        let chunk = acl::busy(tracks, samples, bits).chunk();
        let (clip, _) = Clip::read(&chunk, 0).expect("it is sound");
        Sampled { clip, offset: 0 }
    };
    for (tracks, samples) in [(1, 1), (3, 10), (9, 40), (17, 33)] {
        let mut motion = Motion::default();
        motion.rate = 30.0;
        motion.frame_count = samples;
        motion.set_sampled(sampled(tracks, samples, |part, index, segment| {
            let bits = (part + index * 3 + segment) % 18;
            if bits == 17 { 32 } else { bits as u8 + 3 }
        }));
        files.push(pxd::write_animation(&motion).expect("it is sound"));
        motion.set_sampled_root(sampled(1, samples, |_, _, segment| 9 + segment as u8));
        files.push(pxd::write_animation(&motion).expect("it is sound"));
    }
    files
}

/// glTF files: a skeleton with a motion in both containers, and features that other programs write: steps, splines, sparse and
/// normalised numbers, matrices, several skins.
fn scenes() -> Vec<Vec<u8>> {
    let (motion, _) = seanim::read(motion(true, Precision::Single, 9)).expect("it is sound");
    let bones = ["root", "arm", "x"].map(|name| Bone {
        name: name.into(),
        parent: (name != "root").then_some(0),
        ..Bone::default()
    });
    let skeleton = Skeleton::new(bones.to_vec(), Conventions::GLTF).expect("no circle");
    let binding = Binding::new(&motion, &skeleton);
    let keys = LocalKeys::new(&motion, &skeleton, &binding, AdditiveRotation::OnRest);
    let keys = keys.expect("it has keys");
    let clip = gltf::GltfClip { name: "walk", motion: &motion, keys: &keys, frames: None };
    let written = [gltf::Container::Binary, gltf::Container::Text]
        .map(|container| gltf::write(&skeleton, &[clip, clip], container).expect("it is sound").0);
    written.into_iter().chain(SCENES.map(|text| text.into())).collect()
}

const SCENES: [&str; 3] = [
    r#"{"asset":{"version":"2.0"},"nodes":[{"name":"a","children":[1]},{"matrix":[1,0,0,0,0,2,0,0,0,0,1,0,4,5,6,1]},{"mesh":0}],"skins":[{"joints":[1]},{"joints":[2,1]}],"meshes":[{}],"buffers":[{"byteLength":64,"uri":"data:application/octet-stream;base64,AAAAAAAAAD8AAIA/AAAAQAAAQEAAAIBAAACgQAAAwEAAAAAAAAAAPwAAgD8AAABAAABAQAAAgEAAAKBAAADAQA=="}],"bufferViews":[{"buffer":0,"byteLength":64},{"buffer":0,"byteLength":24,"byteStride":8}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"SCALAR"},{"bufferView":0,"byteOffset":8,"componentType":5126,"count":3,"type":"VEC3"},{"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":1,"indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":0,"byteOffset":4}}},{"bufferView":1,"componentType":5122,"normalized":true,"count":3,"type":"VEC4"}],"animations":[{"name":"s","channels":[{"sampler":0,"target":{"node":1,"path":"translation"}},{"sampler":1,"target":{"node":0,"path":"scale"}},{"sampler":2,"target":{"node":2,"path":"rotation"}},{"sampler":2,"target":{"path":"pointer"}},{"sampler":2,"target":{"node":2,"path":"weights"}}],"samplers":[{"input":0,"output":1,"interpolation":"STEP"},{"input":0,"output":2},{"input":0,"output":3}]}],"extensionsRequired":["EXT_x"]}"#,
    r#"{"asset":{"version":"2.0"},"nodes":[{}],"buffers":[{"byteLength":64,"uri":"x%20yz.bin"}],"bufferViews":[{"buffer":0,"byteLength":64}],"accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR"},{"bufferView":0,"componentType":5126,"count":3,"type":"VEC4"}],"animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"rotation"}}],"samplers":[{"input":0,"output":1,"interpolation":"CUBICSPLINE"}],"extras":{"pchr":{"rate":24.5,"frameCount":7,"loop":true,"notes":[{"frame":3,"nameHex":"ff"}],"root":["scale"]}}}]}"#,
    r#"{"asset":{"version":"1.0"},"nodes":[{"children":[0]}]}"#,
];

/// The tests' puppet, and small documents with some of everything.
fn characters() -> Vec<Document> {
    let made = noise()
        .into_iter()
        .filter_map(|bytes| build(&parts(&mut Unstructured::new(&bytes)).ok()?).ok());
    let mut all = vec![fixture::puppet().document()];
    all.extend(made);
    all
}

/// Documents in each JSON dialect with their images, legacy packed files, and odd texts.
fn texts() -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    for document in characters() {
        for dialect in [Dialect::Pchr, Dialect::Pachario] {
            let files = document.images().enumerate().map(|(i, image)| {
                (format!("{i}.png"), image_file(&image).expect("pixels").into_owned())
            });
            let files: Vec<(String, Vec<u8>)> = files.collect();
            let names: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
            let mut text = Vec::new();
            write(&document, dialect, &names, &mut text).expect("writing to memory succeeds");
            texts.push(Files::new(files).join(&text));
        }
        texts.extend(legacy::write(&document).ok().map(|(packed, _)| packed));
    }
    let deep = |open: &str, close: &str| {
        format!("{{\"version\":1,\"x\":{}1{}}}", open.repeat(40), close.repeat(40))
    };
    let odd = [
        "\u{feff}{\"version\": 1, \"fps\": \"NaN\", \"images\": []}".to_owned(),
        r#"{"bones":[{"name":"a","parentIdx":-1}],"meshes":[{"name":"m","imageIdx":0,"vertices":[{"x":1,"y":2,"u":0,"v":0,"bones":[{"idx":0,"weight":0.1},{"idx":0,"weight":0.2},{"idx":0,"weight":0.3},{"idx":0,"weight":0.2},{"idx":0,"weight":0.2}]}],"triangles":[0,0,0]}],"images":["gone"],"colour":{"a":[1,{"b":null}]}}"#.to_owned(),
        r#"{"a.b.c":1,"version":1}"#.to_owned(),
        deep("[", "]"),
        deep("{\"a\":", "}"),
        deep("{\"a.b\":[", "]}"),
        "[]".to_owned(),
        "{}".to_owned(),
    ];
    texts.extend(odd.map(String::into_bytes));
    texts
}

/// Pictures of each colour type.
fn pictures() -> Vec<Vec<u8>> {
    let mut pictures = noise();
    let made = noise().into_iter().filter_map(|bytes| odd_png(&mut Unstructured::new(&bytes)).ok());
    pictures.extend(made.collect::<Vec<_>>());
    pictures.push(include_bytes!("../../crates/pchr-tools/assets/self-test.png").to_vec());
    pictures
}

/// Random bytes, for targets that accept any input.
fn noise() -> Vec<Vec<u8>> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut byte = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    let lengths = (0..24).map(|i| 64_usize << (i % 6));
    lengths.map(|length| (0..length).map(|_| byte()).collect()).collect()
}
