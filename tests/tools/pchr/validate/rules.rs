//! Tests of the table of rules: a small file that breaks only one rule is reported with the example of the table.

use pchr::document::{BoneTransform, ImageFormat, PchrRule, Vertex};
use serde_json::Value;

use super::{Desk, report, validate};
use crate::fixture::{Builder, RED, puppet};

/// Rules that `pchr validate` never reports, and where they occur.
const OF_OTHERS: [PchrRule; 2] = [
    PchrRule::LegacyPacked,  // programs built without JSON
    PchrRule::ImageFileName, // `pchr unpack`
];

/// PCHR v1 file that breaks one rule once.
fn broken(rule: PchrRule) -> Option<Vec<u8>> {
    let sound = puppet().bytes();
    let patched = |at: usize, byte: u8| {
        let mut bytes = sound.clone();
        bytes[at] = byte;
        Some(bytes)
    };
    let changed = |change: fn(&mut Builder)| {
        let mut builder = puppet();
        change(&mut builder);
        Some(builder.bytes())
    };
    let vertex = |change: fn(&mut Vertex)| {
        let mut builder = puppet();
        change(&mut builder.parts.meshes[0].vertices[0]);
        Some(builder.bytes())
    };
    let moved = |animation: usize, change: fn(&mut BoneTransform)| {
        let mut builder = puppet();
        change(&mut builder.parts.animations[animation].transforms[1]);
        Some(builder.bytes())
    };
    let at = |text: &[u8]| sound.windows(text.len()).position(|bytes| bytes == text).unwrap();
    match rule {
        PchrRule::Magic => patched(0, b'p').map(|bytes| [b"pchr", &bytes[4..]].concat()),
        PchrRule::Version => patched(4, 2),
        PchrRule::UnexpectedEnd => Some(sound[..sound.len() - 10].to_vec()),
        PchrRule::NameUtf8 => patched(at(b"green"), 0xff),
        PchrRule::Limit => changed(|file| png(file, 20_000, &header(20_000))),
        PchrRule::ImageFormat => patched(at(b"image 0") + 7 + 4, 7),
        PchrRule::ImageLength => changed(|file| file.parts.images[0].data.truncate(3)),
        PchrRule::ImageDecode => changed(|file| png(file, 1, b"GIF89a")),
        PchrRule::BoneParentOrder => changed(|file| file.parts.bones[1].parent = Some(2)),
        PchrRule::MeshImage => changed(|file| file.parts.meshes[0].image = 3),
        PchrRule::MeshIndexCount => changed(|file| file.parts.meshes[0].indices.truncate(5)),
        PchrRule::MeshIndexRange => changed(|file| file.parts.meshes[0].indices[0] = 4),
        PchrRule::VertexBoneRange => vertex(|it| it.bone_ids[0] = 3),
        PchrRule::VertexNotFinite => vertex(|it| it.position[0] = f32::NAN),
        PchrRule::HeaderFlags => changed(|file| file.parts.flags = 1),
        PchrRule::FpsZero => changed(|file| file.parts.fps = 0),
        PchrRule::TrailingBytes => Some([&sound[..], b"PCHR\n"].concat()),
        PchrRule::NameDuplicate => changed(|file| file.parts.bones[2].name = "red".into()),
        PchrRule::ImagesNone => Some(Builder::new().bone("root", None).bytes()),
        PchrRule::ImageEmpty => changed(|file| {
            file.parts.images[0].width = 0;
            file.parts.images[0].data.clear();
        }),
        PchrRule::ImageSize => changed(|file| png(file, 4, &whole(2))),
        PchrRule::BonesNone => Some(Builder::new().image(1, &[RED]).bytes()),
        PchrRule::BoneBindDegenerate => moved(0, |it| it.scale_y = 0.0),
        PchrRule::WeightNone => vertex(|it| it.bone_weights = [0.0; 4]),
        PchrRule::WeightNegative => vertex(|it| it.bone_weights = [1.0, -0.25, 0.0, 0.0]),
        PchrRule::WeightSum => vertex(|it| it.bone_weights[0] = 0.5),
        PchrRule::UvRange => vertex(|it| it.uv[0] = 1.5),
        PchrRule::AnimationsNone => changed(|file| file.parts.animations.clear()),
        PchrRule::AnimationFlags => changed(|file| file.parts.animations[0].flags = 2),
        PchrRule::AnimationEmpty => changed(|file| {
            file.parts.animations[0].frame_count = 0;
            file.parts.animations[0].transforms.clear();
        }),
        PchrRule::TransformFlags => moved(1, |it| it.flags = 3),
        PchrRule::TransformNotFinite => moved(1, |it| it.x = f32::INFINITY),
        _ => None,
    }
}

const MIRROR: &str = r#"{
  "version": 1, "fps": 10,
  "images": [{"name": "grey", "width": 2, "height": 2, "format": "png", "path": "grey.png"}],
  "bones": [{"name": "root", "parent": -1}],
  "meshes": [],
  "animations": [{"name": "bind", "flags": 0, "frames": [
    [{"x": 0, "y": 0, "rotation": 0, "scaleX": 1, "scaleY": 1, "flags": 1, "zOrder": 0}]
  ]}]
}"#;

const PACHARIO: &str = r#"{
  "version": 1, "fps": 10,
  "images": [{"name": "grey", "path": "grey.png", "width": 2, "height": 2}],
  "bones": [{"name": "root", "parentIdx": -1}],
  "meshes": [{"name": "dot", "imageIdx": 0, "triangles": [0, 0, 0], "vertices": [
    {"x": 0, "y": 0, "u": 0, "v": 0, "bones": [{"idx": 0, "weight": 1}]}
  ]}],
  "animations": [{"name": "bind", "loop": false, "frames": [
    [{"x": 0, "y": 0, "rotation": 0, "scaleX": 1, "scaleY": 1, "visible": true, "zOrder": 0}]
  ]}]
}"#;

/// Pachario JSON without images and animations, which only causes warnings.
const BARE: &str = r#"{
  "version": 1, "fps": 10, "images": [],
  "bones": [{"name": "root", "parentIdx": -1}], "meshes": [], "animations": []
}"#;

/// JSON or legacy packed file that breaks one rule once.
fn broken_text(rule: PchrRule) -> Option<Vec<u8>> {
    let with = |text: &str, of: &str, by: &str| {
        assert!(text.contains(of), "{of}");
        text.replacen(of, by, 1)
    };
    let mirror = |of: &str, by: &str| Some(with(MIRROR, of, by).into_bytes());
    let pachario = |of: &str, by: &str| with(PACHARIO, of, by);
    let five = [0.2501, 0.2502, 0.2503, 0.2494, 0.0001]
        .map(|weight| format!("{{\"idx\": 0, \"weight\": {weight}}}"));
    match rule {
        PchrRule::LegacyLength => Some(packed(PACHARIO, 9)),
        PchrRule::LegacyImages => {
            let more = "{\"name\": \"more\", \"path\": \"more.png\", \"width\": 2, \"height\": 2}";
            let images = "\"images\": [";
            Some(packed(&pachario(images, &format!("{images}{more}, ")), 8))
        }
        PchrRule::LegacyImageUnused => Some(packed(BARE, 8)),
        PchrRule::JsonSyntax => mirror("10,", ","),
        PchrRule::JsonValue => mirror("-1", "\"root\""),
        PchrRule::JsonKey => mirror("\"parent\"", "\"color\": 1, \"parent\""),
        PchrRule::FrameLength => mirror("\"frames\": [", "\"frames\": [[], "),
        PchrRule::SidecarPath => mirror("grey.png", "../grey.png"),
        PchrRule::SidecarMissing => mirror("grey.png", "gray.png"),
        PchrRule::SidecarPixels => mirror("2, \"format\": \"png\"", "4, \"format\": \"rgba8888\""),
        PchrRule::JsonKeyIgnored => {
            Some(pachario("\"parentIdx\"", "\"color\": 1, \"parentIdx\"").into_bytes())
        }
        PchrRule::InfluencesDropped => {
            Some(pachario("{\"idx\": 0, \"weight\": 1}", &five.join(", ")).into_bytes())
        }
        _ => None,
    }
}

/// Legacy packed file with an image of 8 bytes that declares `image_len` bytes.
fn packed(text: &str, image_len: u32) -> Vec<u8> {
    let text_len = u32::try_from(text.len()).unwrap();
    let header = [*b"PCHR", 1_u32.to_le_bytes(), text_len.to_le_bytes(), image_len.to_le_bytes()];
    [header.as_flattened(), text.as_bytes(), b"no image"].concat()
}

/// Makes the first image a PNG that is declared as a square.
fn png(file: &mut Builder, size: u16, data: &[u8]) {
    let image = &mut file.parts.images[0];
    (image.width, image.height) = (size, size);
    image.format = ImageFormat::Png;
    image.data = data.to_vec();
}

fn header(size: u32) -> Vec<u8> {
    let mut data = Vec::new();
    drop(png::Encoder::new(&mut data, size, size).write_header().unwrap());
    data
}

fn whole(size: u32) -> Vec<u8> {
    let texels = vec![128; (size * size) as usize];
    let (color, depth) = (png::ColorType::Grayscale, png::BitDepth::Eight);
    crate::cli::compare::encoded([size; 2], color, depth, &texels, |_| {})
}

#[test]
fn every_rule_is_reported_as_the_table_says() {
    let desk = Desk::new();
    desk.put_bytes("grey.png", &whole(2));
    let case =
        |rule: &PchrRule| broken(*rule).or_else(|| broken_text(*rule)).map(|bytes| (*rule, bytes));
    let cases: Vec<(PchrRule, Vec<u8>)> = PchrRule::ALL.iter().filter_map(case).collect();
    let mut known: Vec<PchrRule> = cases.iter().map(|(rule, _)| *rule).chain(OF_OTHERS).collect();
    known.sort_unstable();
    assert_eq!(known, PchrRule::ALL, "each rule has a file that breaks it");

    let names: Vec<&str> = cases.iter().map(|(rule, _)| rule.rule().id()).collect();
    for (name, (_, bytes)) in names.iter().zip(&cases) {
        desk.put_bytes(name, bytes);
    }
    let files = report(&validate(&desk, &[&["--json"], &names[..]].concat()));
    assert_eq!(files.len(), cases.len());
    let mut wrong = Vec::new();
    for ((rule, _), file) in cases.iter().zip(&files) {
        let told = |finding: &Value| {
            let text = |key: &str| finding[key].as_str().unwrap();
            let place = if finding["line"].is_u64() { "line" } else { "byte" };
            let (id, path, message) = (text("id"), text("path"), text("message"));
            own_words(format!("{id} at a {place}, {} x {path}: {message}", finding["count"]))
        };
        let bare = |finding: &&Value| {
            let of_bare = [PchrRule::ImagesNone, PchrRule::AnimationsNone];
            of_bare.iter().any(|other| rule != other && finding["id"] == other.rule().id())
        };
        let findings = file["findings"].as_array().unwrap().iter();
        let told: Vec<String> = findings.filter(|finding| !bare(finding)).map(told).collect();
        let in_bytes = [PchrRule::LegacyLength, PchrRule::LegacyImageUnused].contains(rule);
        let place = if in_bytes || broken(*rule).is_some() { "byte" } else { "line" };
        let wanted =
            own_words(format!("{} at a {place}, 1 x {}", rule.rule().id(), rule.rule().example()));
        if told != [wanted.as_str()] {
            wrong.push(format!("{told:#?}\n  wanted: {wanted}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Removes the system's error text, which differs between systems.
fn own_words(mut text: String) -> String {
    const THEN: &str = "cannot read ";
    text.truncate(text.find(THEN).map_or(text.len(), |at| at + THEN.len()));
    text
}

#[test]
fn what_is_found_in_images_and_poses_of_a_text_stands_at_its_lines() {
    let desk = Desk::new();
    desk.put_bytes("grey.png", b"no image");
    let text = MIRROR.replace("\"scaleX\": 1", "\"scaleX\": 0");
    desk.put_bytes("a.json", text.as_bytes());
    desk.put_bytes("legacy", &packed(PACHARIO, 8));
    let files = report(&validate(&desk, &["--json", "a.json", "legacy"]));
    let place =
        |finding: &Value| (finding["id"].clone(), finding["path"].clone(), finding["line"].clone());
    let places = |file: &Value| file["findings"].as_array().unwrap().iter().map(place).collect();
    let places: Vec<Vec<_>> = files.iter().map(places).collect();
    let image = ("PCHR-E008".into(), "images[0].path".into(), 3.into());
    let bone = ("PCHR-W112".into(), "animations[0].frames[0][0]".into(), 7.into());
    assert_eq!(places, [vec![image.clone(), bone], vec![image]]);
    let offset = files[0]["findings"][0]["offset"].as_u64().unwrap() as usize;
    assert!(text[offset..].starts_with("\"grey.png\""));
    let offset = files[1]["findings"][0]["offset"].as_u64().unwrap() as usize;
    assert!(packed(PACHARIO, 8)[offset..].starts_with(b"\"grey.png\""));
}
