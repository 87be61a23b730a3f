//! Tests with the `gltf` crate, an independent reader: it reads what was written, and its checks pass.

use ::gltf::Gltf;
use ::gltf::animation::util::ReadOutputs;
use pchr_foreign::motion::{BoneKeys, Motion};

use super::{keys, made, singles, write};

#[test]
fn another_reader_finds_what_was_written() {
    let (skeleton, walk, odd) = (made::skeleton(), made::motion(), made::odd_motions());
    let mut motions: Vec<(&str, &Motion)> = vec![("walk", &walk)];
    motions.extend(odd.iter().map(|(name, motion)| (*name, motion)));
    let (file, _) = write(&skeleton, &motions);
    let theirs = Gltf::from_slice(&file).unwrap();
    let data = theirs.blob.as_deref().unwrap();
    for (node, bone) in theirs.nodes().zip(skeleton.bones()) {
        assert_eq!(node.name().unwrap_or_default(), bone.name.text());
        let (translation, rotation, scale) = node.transform().decomposed();
        let theirs = translation.into_iter().chain(rotation).chain(scale);
        assert!(theirs.eq(bone.rest.numbers().map(|number| number as f32)));
        for child in node.children() {
            assert_eq!(skeleton.bones()[child.index()].parent, Some(node.index() as u32));
        }
    }
    let skin = theirs.skins().next().unwrap();
    assert!(skin.joints().map(|joint| joint.index()).eq(0..skeleton.bones().len()));
    for (animation, (name, motion)) in theirs.animations().zip(&motions) {
        assert_eq!(animation.name().unwrap_or_default(), *name);
        let keys = keys(&skeleton, motion);
        let none = BoneKeys::default();
        let mut channels = 0;
        for channel in animation.channels() {
            let bone = keys.bones.get(channel.target().node().index());
            let keys = bone.or(keys.root.as_ref()).unwrap_or(&none);
            let reader = channel.reader(|_| Some(data));
            let times: Vec<f32> = reader.read_inputs().unwrap().collect();
            let vectors = |values: Vec<[f32; 3]>| -> Vec<[u32; 3]> {
                values.into_iter().map(|value| value.map(f32::to_bits)).collect()
            };
            let (frames, is_same): (Vec<u32>, bool) = match reader.read_outputs().unwrap() {
                ReadOutputs::Translations(values) => {
                    let (frames, ours): (_, Vec<_>) =
                        singles(&keys.translation).into_iter().unzip();
                    (frames, ours == vectors(values.collect()))
                }
                ReadOutputs::Scales(values) => {
                    let (frames, ours): (_, Vec<_>) = singles(&keys.scale).into_iter().unzip();
                    (frames, ours == vectors(values.collect()))
                }
                ReadOutputs::Rotations(values) => {
                    let (frames, ours): (_, Vec<_>) = singles(&keys.rotation).into_iter().unzip();
                    let values = values.into_f32().map(|value| value.map(f32::to_bits));
                    (frames, ours == values.collect::<Vec<_>>())
                }
                ReadOutputs::MorphTargetWeights(_) => panic!("there are no meshes"),
            };
            if frames.is_empty() {
                assert!(bone.is_none(), "only the node above the skeleton makes a clip longer");
                continue;
            }
            let rate = f64::from(motion.frames_per_second());
            let expected = frames.into_iter().map(|frame| (f64::from(frame) / rate) as f32);
            assert!(times.into_iter().eq(expected), "{name}");
            assert!(is_same, "{name}");
            channels += 1;
        }
        let lists = |keys: &BoneKeys| {
            let empty =
                [keys.translation.is_empty(), keys.rotation.is_empty(), keys.scale.is_empty()];
            empty.into_iter().filter(|is_empty| !is_empty).count()
        };
        let expected: usize = keys.bones.iter().chain(&keys.root).map(lists).sum();
        assert_eq!(channels, expected, "{name}");
    }
}
