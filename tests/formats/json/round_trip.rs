//! Tests of round trips through both JSON dialects and legacy packed files.

use std::ops::Range;

use pchr::document::{
    AnimationParts, BoneParts, BoneTransform, Document, DocumentParts, FileFormat, ImageFormat,
    ImageParts, MeshParts, Vertex,
};
use pchr::format::json::Dialect;
use pchr::format::pchr::{build, write};
use pchr::format::{legacy, read};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::corpus;
use crate::fixture::{puppet, transform_of};
use crate::gltf::characters::files_of_corpus;
use crate::json::Files;

/// Any `f32`, with infinities, subnormal numbers, and every kind of NaN.
fn float() -> impl Strategy<Value = f32> {
    let bits = [1, 0x7f80_0001, 0xffc0_1234].map(f32::from_bits); // the second is a signalling NaN
    let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, f32::MIN_POSITIVE, f32::MAX];
    let special = prop::sample::select([&special[..], &bits].concat());
    prop_oneof![3 => any::<u32>().prop_map(f32::from_bits), 2 => -1000.0_f32..1000.0, 1 => special]
}

fn finite() -> impl Strategy<Value = f32> {
    float().prop_map(|value| if value.is_finite() { value } else { 0.5 })
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[a-z]{0,8}", 2 => any::<String>(), 1 => Just("a\"\\\n\u{0}\u{1f}\u{2028}é🦊".to_owned())]
}

fn transform() -> impl Strategy<Value = BoneTransform> {
    let numbers = (float(), float(), float(), float(), float(), any::<u8>(), any::<i16>());
    numbers.prop_map(transform_of)
}

fn image() -> impl Strategy<Value = ImageParts> {
    let image = |format| {
        move |(name, width, height, data): (String, u16, u16, Vec<u8>)| ImageParts {
            name,
            width,
            height,
            format,
            data,
        }
    };
    let png = (name(), any::<u16>(), any::<u16>(), vec(any::<u8>(), 0..40));
    let rgba = (name(), 0_u16..5, 0_u16..5).prop_flat_map(|(name, width, height)| {
        let data = vec(any::<u8>(), usize::from(width * height) * 4);
        (Just(name), Just(width), Just(height), data)
    });
    prop_oneof![png.prop_map(image(ImageFormat::Png)), rgba.prop_map(image(ImageFormat::Rgba8888))]
}

/// Weights; those that do not count are negative or -0.
fn weight() -> impl Strategy<Value = f32> {
    finite().prop_map(|value| if value > 0.0 { value } else { -value.abs() })
}

pub(crate) fn vertex(
    bones: u16,
    number: BoxedStrategy<f32>,
    weight: BoxedStrategy<f32>,
) -> BoxedStrategy<Vertex> {
    let slot = (any::<u16>(), weight).prop_map(move |(id, weight)| match weight {
        weight if weight <= 0.0 => (id, weight), // an unused slot may name any bone
        weight if bones > 0 => (id % bones, weight),
        weight => (id, -weight),
    });
    let vertex = (vec(number, 4), vec(slot, 4)).prop_map(|(numbers, slots)| Vertex {
        position: [numbers[0], numbers[1]],
        uv: [numbers[2], numbers[3]],
        bone_ids: [0, 1, 2, 3].map(|i| slots[i].0),
        bone_weights: [0, 1, 2, 3].map(|i| slots[i].1),
    });
    vertex.boxed()
}

fn mesh(
    bones: u16,
    images: u16,
    vertex: fn(u16) -> BoxedStrategy<Vertex>,
) -> impl Strategy<Value = MeshParts> {
    (name(), any::<u16>(), vec(vertex(bones), 1..6), vec(any::<u16>(), 0..5)).prop_map(
        move |(name, image, vertices, corners)| {
            let count = vertices.len() as u16;
            let indices = corners
                .iter()
                .flat_map(|c| [c % count, (c / 3) % count, (c / 7) % count])
                .collect();
            MeshParts { name, image: image % images, vertices, indices }
        },
    )
}

/// Documents with everything that a file can hold, sound or odd.
fn document() -> impl Strategy<Value = DocumentParts> {
    let vertex = |bones| vertex(bones, finite().boxed(), weight().boxed());
    document_of(0..6, vertex, || transform().boxed())
}

/// Documents with some of everything, and these numbers of bones, vertices (for a number of bones) and transforms.
pub(crate) fn document_of(
    bones: Range<u16>,
    vertex: fn(u16) -> BoxedStrategy<Vertex>,
    transform: fn() -> BoxedStrategy<BoneTransform>,
) -> impl Strategy<Value = DocumentParts> {
    (vec(image(), 1..4), bones)
        .prop_flat_map(move |(images, bones)| {
            let names = vec((name(), any::<u16>()), usize::from(bones));
            let meshes = vec(mesh(bones, images.len() as u16, vertex), 0..7);
            let animation =
                (name(), any::<u8>(), 0_u16..4).prop_flat_map(move |(name, flags, frame_count)| {
                    vec(transform(), usize::from(frame_count * bones)).prop_map(move |transforms| {
                        AnimationParts { name: name.clone(), flags, frame_count, transforms }
                    })
                });
            let header = (any::<u16>(), prop_oneof![Just(0), any::<u16>()], vec(any::<u8>(), 0..4));
            (Just(images), names, meshes, vec(animation, 0..4), header)
        })
        .prop_map(|(images, names, meshes, animations, (fps, flags, trailing))| {
            let bone = |(i, (name, parent)): (u16, (String, u16))| BoneParts {
                name,
                parent: (parent % (i + 1)).checked_sub(1),
            };
            let bones = (0..).zip(names).map(bone).collect();
            DocumentParts { fps, flags, images, bones, meshes, animations, trailing }
        })
}

/// Clears the slots of vertices that do not count.
pub(crate) fn clear_unused(parts: &mut DocumentParts) {
    for vertex in parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.vertices) {
        for (id, weight) in vertex.bone_ids.iter_mut().zip(&mut vertex.bone_weights) {
            if *weight <= 0.0 {
                (*id, *weight) = (0, 0.0);
            }
        }
    }
}

/// Limits a document to what Pachario JSON and legacy packed files can express.
fn plain(mut parts: DocumentParts) -> DocumentParts {
    let number = |value: f32| if value.is_finite() { value } else { 1.0 };
    (parts.flags, parts.trailing) = (0, Vec::new());
    for image in &mut parts.images {
        image.format = ImageFormat::Png;
    }
    clear_unused(&mut parts);
    for animation in &mut parts.animations {
        animation.flags &= 1;
        for t in &mut animation.transforms {
            for value in [&mut t.x, &mut t.y, &mut t.rotation, &mut t.scale_x, &mut t.scale_y] {
                *value = number(*value);
            }
            t.flags &= 1;
        }
    }
    parts
}

fn check(parts: &DocumentParts) -> Document {
    build(parts).unwrap_or_else(|error| panic!("{error}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pchr_json_says_everything(parts in document()) {
        let document = check(&parts);
        let (files, losses) = Files::of(&document, Dialect::Pchr);
        prop_assert!(losses.is_empty());
        let back = files.read().unwrap();
        prop_assert_eq!(back.source(), FileFormat::PchrJson);
        prop_assert_eq!(back.bytes(), document.bytes());
        prop_assert_eq!(back.warnings().iter().count(), document.warnings().iter().count());
    }

    #[test]
    fn pachario_json_says_what_it_has_words_for(parts in document().prop_map(plain)) {
        let document = check(&parts);
        let (files, losses) = Files::of(&document, Dialect::Pachario);
        prop_assert!(losses.is_empty(), "{losses:?}");
        // The dialect shows only in bones, meshes and animations.
        if parts.bones.is_empty() && parts.meshes.is_empty() && parts.animations.is_empty() {
            return Ok(());
        }
        let back = files.read().unwrap();
        prop_assert_eq!(back.source(), FileFormat::PacharioJson);
        prop_assert_eq!(back.bytes(), document.bytes());
    }

    #[test]
    fn what_pachario_json_has_no_words_for_is_told_and_the_rest_is_there(parts in document()) {
        let document = check(&parts);
        let (files, losses) = Files::of(&document, Dialect::Pachario);
        if files.text.contains("\"bones\": []") && files.text.contains("\"meshes\": []") {
            return Ok(());
        }
        let back = files.read().unwrap();
        prop_assert_eq!(losses.is_empty(), back.bytes() == document.bytes(), "{:?}", losses);
        let names = |document: &Document| -> Vec<String> {
            document.meshes().map(|mesh| mesh.name().to_owned()).collect()
        };
        prop_assert_eq!(names(&back), names(&document));
    }

    #[test]
    fn legacy_packed_files_say_the_same_as_pachario_json(mut parts in document().prop_map(plain)) {
        parts.images.truncate(1);
        parts.meshes.iter_mut().for_each(|mesh| mesh.image = 0);
        let document = check(&parts);
        let (bytes, losses) = legacy::write(&document).unwrap();
        prop_assert!(losses.is_empty());
        let back = read(bytes).unwrap();
        prop_assert_eq!(back.source(), FileFormat::LegacyPacked);
        prop_assert_eq!(back.bytes(), document.bytes());
    }
}

#[test]
fn every_float_survives_its_decimals() {
    // Every exponent with mantissas that are hard to tell from their neighbours, and a walk through the others.
    let mantissas = [0, 1, 2, 0x40_0000, 0x7f_fffe, 0x7f_ffff, 0x2a_aaaa, 0x55_5555];
    let edges =
        (0..=255_u32).flat_map(|exponent| mantissas.map(|mantissa| (exponent << 23) | mantissa));
    let walk = (0..200_000_u32).map(|step| step.wrapping_mul(2_654_435_761));
    let bits: Vec<u32> = edges.chain(walk).collect();
    let transform = |bits: &[u32]| {
        let at = |i: usize| f32::from_bits(bits.get(i).copied().unwrap_or(0));
        transform_of((at(0), at(1), at(2), at(3), at(4), 1, 0))
    };
    let transforms: Vec<BoneTransform> = bits.chunks(5).map(transform).collect();
    let mut parts = puppet().parts;
    let count = transforms.len() / 3;
    let (name, transforms) = ("floats".into(), transforms[..count * 3].to_vec());
    parts.animations =
        vec![AnimationParts { name, flags: 0, frame_count: count as u16, transforms }];
    let document = check(&parts);
    let (files, _) = Files::of(&document, Dialect::Pchr);
    assert!(files.read().unwrap().bytes() == document.bytes());
    let document = check(&plain(parts));
    let (files, losses) = Files::of(&document, Dialect::Pachario);
    assert!(losses.is_empty() && files.read().unwrap().bytes() == document.bytes());
}

#[test]
fn sections_may_stand_in_any_order() {
    let document = check(&plain(puppet().parts));
    for dialect in [Dialect::Pchr, Dialect::Pachario] {
        let (files, _) = Files::of(&document, dialect);
        let value: serde_json::Value = serde_json::from_str(&files.text).unwrap();
        for first in ["animations", "meshes", "bones", "fps"] {
            // One key comes first, and the others are in alphabetical order.
            let mut text = format!("{{\"{first}\":{}", value[first]);
            for (key, value) in value.as_object().unwrap().iter().filter(|(key, _)| *key != first) {
                text += &format!(",\"{key}\":{value}");
            }
            let moved = Files { text: text + "}", ..files.clone() };
            let is_same = moved.read().unwrap().bytes() == document.bytes();
            assert!(is_same, "{dialect:?}, {first} first");
        }
    }
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn every_file_of_the_corpus_survives_all_formats() {
    let mut count = 0;
    let folders = ["synthetic", "malformed"].map(|it| corpus::root().join(it).read_dir().unwrap());
    let files = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|end| end == "pchr"));
    for path in files.chain(files_of_corpus()) {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(document) = read(bytes.clone()) else { continue };
        count += 1;
        if document.source() == FileFormat::Pchr {
            assert!(document.bytes() == bytes, "{}", path.display());
        }
        let again = write(&DocumentParts::from(&document)).unwrap();
        assert!(again == document.bytes(), "{}", path.display());
        for dialect in [Dialect::Pchr, Dialect::Pachario] {
            let (files, losses) = Files::of(&document, dialect);
            let back =
                files.read().unwrap_or_else(|invalid| panic!("{}: {invalid}", path.display()));
            let same = back.bytes() == document.bytes();
            assert_eq!(same, losses.is_empty(), "{}: {losses:?}", path.display());
            assert!(same || dialect == Dialect::Pachario, "{}", path.display());
        }
    }
    assert!(count > 40, "{count} files");
}
