//! Files that transcripts ask for with `make NAME FILE`.

use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};
use pchr::document::{ImageFormat, ImageParts};
use pchr_foreign::format::{pxd, seanim};
use pchr_foreign::motion::{Bone, Conventions, Skeleton, Transform};

use crate::cli::compare::encoded;
use crate::fixture::{Builder, puppet};
use crate::pchr::{atlas, motion, pack_folder, pose, pxd as pxd_files, validate};
use crate::{rig, suite, timed};

pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let of_pxd = |file: &str| {
        let files = pxd_files::files().into_iter();
        files.filter(|(name, _)| *name == file).map(|(_, bytes)| bytes).next().unwrap()
    };
    match name {
        "odd" => validate::odd().bytes(),
        "broken" => validate::broken().bytes(),
        "comment" => b"# vertices = 5\n".to_vec(),
        "budget" => b"bones = 1\natlas = \"2048x2048\"\noverdraw = 1.01\n".to_vec(),
        "grown" => suite::stage::grown().bytes(),
        "gallery" => gallery().bytes(),
        "damaged" => damaged().bytes(),
        "uv" => changed(|puppet| {
            puppet.parts.fps = 0;
            for vertex in &mut puppet.parts.meshes[1].vertices {
                vertex.uv[0] = 3.0;
            }
        }),
        "indices" => changed(|puppet| puppet.parts.meshes[0].indices = vec![9; 3000]),
        "long-name" => changed(|puppet| puppet.parts.bones[2].name = "n".repeat(1000)),
        "bones-1200" => {
            let bone = |builder: Builder, i| builder.bone(&format!("bone_{i}"), None);
            (0..1200).fold(Builder::new(), bone).bytes()
        }
        "long-walk" => changed(|puppet| {
            let walk = &mut puppet.parts.animations[1];
            walk.transforms = walk.transforms.repeat(5);
            walk.frame_count = 20;
        }),
        "endless" => changed(|puppet| {
            let walk = &mut puppet.parts.animations[1];
            walk.transforms = walk.transforms.repeat(8192);
            walk.frame_count = 32_768;
        }),
        "shorter" => changed(|puppet| {
            let walk = &mut puppet.parts.animations[1];
            walk.transforms.truncate(9);
            walk.frame_count = 3;
        }),
        "crowd" => changed(crowd),
        "edited" => changed(edited),
        "keys" => format!(
            r#"{{"version": 1, "fps": 12, "{}": 1, "odd": 2, "images": [], "bones": [{{"name": "b", "parentIdx": -1}}], "animations": [], "meshes": []}}"#,
            "k".repeat(100_000)
        )
        .into(),
        "sample" => include_bytes!("../../assets/sample.pchr").to_vec(),
        "three" => suite::stage::THREE.into(),
        "two" => TWO.into(),
        "page" => atlas::page(),
        "atlas" => atlas::TEXT.into(),
        "animated" => animated(),
        "sans" => UBUNTU_LIGHT.to_vec(),
        "mono" => HACK_REGULAR.to_vec(),
        "walk" => motion::walk(),
        "odd-motion" => motion::odd(),
        "motion-50" => {
            let names: Vec<String> = (0..50).map(|bone| format!("bone{bone}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            seanim::write(&motion::motion(&names)).unwrap()
        }
        "skeleton-50" => {
            let bone = |index: u32| Bone {
                name: (*format!("bone{index}")).into(),
                ..Bone::default()
            };
            bones((0..50).map(bone).collect())
        }
        "hero" => pose::skeleton(),
        "pxd-walk" => of_pxd("walk.anm.pxd"),
        "pxd-keys" => of_pxd("keys.anm.pxd"),
        "pxd-hero" => of_pxd("hero.skl.pxd"),
        "biped" => rig::biped_file(),
        "biped-five" => bones(rig::biped().bones()[..5].to_vec()),
        "biped-other" => {
            let mut other = rig::biped().bones().to_vec();
            for bone in &mut other {
                bone.name = format!("other {}", bone.name.text()).as_str().into();
            }
            bones(other)
        }
        "biped-small" => {
            let small = rig::biped().with_rests(|rest| Transform {
                translation: rest.translation.map(|side| side * 0.8),
                ..*rest
            });
            pxd::write_skeleton(&small).unwrap()
        }
        "biped-kick" => rig::numbered_file(),
        "biped-walk" => rig::walk_file(),
        "timed" => timed::TIMED.into(),
        _ => {
            let name = name.strip_prefix("picture-").expect("a known fixture");
            let name = if name == "axe" {
                "gro\u{df}.PNG".to_owned()
            } else {
                format!("{name}.png")
            };
            let mut files = pack_folder::pictures().into_iter();
            let found = files.find(|(path, _)| path.rsplit('/').next() == Some(&name));
            found.expect("a known picture").1
        }
    }
}

/// Suite of two cases, each with its own file and 4 baselines.
const TWO: &str = r#"[defaults]
resolution = "48x32"
msaa = 1

[[case]]
name = "fine"
file = "fine.pchr"
animation = "walk"
frame = "0..4"

[[case]]
name = "hero"
file = "hero.pchr"
animation = "walk"
frame = "0..4"
"#;

fn changed(change: impl FnOnce(&mut Builder)) -> Vec<u8> {
    let mut puppet = puppet();
    change(&mut puppet);
    puppet.bytes()
}

/// Red is higher in walk, green has other weights, the shadow another name, and jump is gone.
fn edited(puppet: &mut Builder) {
    let parts = &mut puppet.parts;
    for frame in 1..=2 {
        parts.animations[1].transforms[frame * 3 + 1].y += 4.0;
    }
    for vertex in &mut parts.meshes[2].vertices[..2] {
        vertex.bone_ids = [2, 1, 0, 0];
        vertex.bone_weights = [0.5, 0.5, 0.0, 0.0];
    }
    parts.meshes[0].name = "floor".into();
    parts.animations.pop();
}

fn bones(bones: Vec<Bone>) -> Vec<u8> {
    pxd::write_skeleton(&Skeleton::new(bones, Conventions::PXD).unwrap()).unwrap()
}

/// PNG of two pixels.
fn png(color: png::ColorType, depth: png::BitDepth, data: &[u8]) -> Vec<u8> {
    encoded([2, 1], color, depth, data, |_| {})
}

/// Puppet with images of several kinds; the last is not a PNG.
pub(crate) fn gallery() -> Builder {
    use png::{BitDepth, ColorType};
    let rgba = [9, 9, 9, 255, 9, 9, 9, 7];
    let rgba = png(ColorType::Rgba, BitDepth::Eight, &rgba);
    let grey = png(ColorType::Grayscale, BitDepth::Sixteen, &[1, 2, 3, 4]);
    let mut builder = puppet();
    for (name, data) in [("rgba", rgba), ("grey", grey), ("broken", vec![1, 2, 3])] {
        builder.parts.images.push(ImageParts {
            name: name.into(),
            width: 4,
            height: 1,
            format: ImageFormat::Png,
            data,
        });
    }
    builder
}

/// Puppet with one image, a PNG whose pixels do not decode.
fn damaged() -> Builder {
    let mut data = png(png::ColorType::Rgba, png::BitDepth::Eight, &[9, 9, 9, 255, 9, 9, 9, 7]);
    let pixels = data.windows(4).position(|name| name == b"IDAT").unwrap() + 4;
    data[pixels..pixels + 4].fill(0xff);
    let mut builder = puppet();
    builder.parts.images.truncate(1); // a legacy file has one
    let image = &mut builder.parts.images[0];
    (image.width, image.format, image.data) = (2, ImageFormat::Png, data);
    builder.parts.meshes.iter_mut().for_each(|mesh| mesh.image = 0);
    builder
}

/// Thirty animations, some of which have names that no file can have.
fn crowd(puppet: &mut Builder) {
    let clip = puppet.parts.animations[4].clone();
    let names = ["all", "CON", "a/b", "A_b", "", "x"];
    let named = |i: usize| {
        let mut clip = clip.clone();
        clip.name = names.get(i).map_or(format!("clip {i}"), |name| (*name).to_owned());
        clip
    };
    puppet.parts.animations = (0..30).map(named).collect();
}

/// Animated PNG of one pixel and two frames.
fn animated() -> Vec<u8> {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, 1, 1);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_animated(2, 0).unwrap();
    let mut writer = encoder.write_header().unwrap();
    for value in [9, 200] {
        writer.write_image_data(&[value; 4]).unwrap();
    }
    writer.finish().unwrap();
    png
}
