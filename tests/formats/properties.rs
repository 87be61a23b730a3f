//! Property tests: claims about every document, on random ones.

use pchr::character::{Character, owners};
use pchr::document::{
    AnimationId, AnimationParts, BoneId, BoneParts, BoneTransform, Document, DocumentParts,
};
use pchr::format;
use pchr::pose::{Affine, BindChoice, BindPose, FrameAt, Pose, PoseJob};
use pchr::scene::{Frame, Subject as _, ViewOptions};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::fixture::{read, transform_of};
use crate::json::round_trip::{clear_unused, document_of, vertex};

fn pose(document: &Document, choice: BindChoice, at: Option<FrameAt>) -> Pose {
    let bind = &BindPose::new(document, choice);
    let mut pose = Pose::default();
    PoseJob { document, bind, at, mix: None }.run(&mut pose);
    pose
}

/// The first frame of the first animation.
const FIRST: Option<FrameAt> =
    Some(FrameAt { animation: AnimationId(0), frame: 0, next: 0, blend: 0.0 });

/// Parents of bones: a chain, all below the first, or arbitrary.
fn parents(count: usize) -> impl Strategy<Value = Vec<Option<u16>>> {
    let last = move |i: usize| (i as u16).checked_sub(1);
    prop_oneof![
        Just((0..count).map(last).collect()),
        Just((0..count).map(move |i| last(i).map(|_| 0)).collect()),
        vec(any::<prop::sample::Index>(), count).prop_map(|picks| {
            let parent = |(i, pick): (usize, &prop::sample::Index)| {
                (pick.index(i + 1) as u16).checked_sub(1) // 0: a root
            };
            picks.iter().enumerate().map(parent).collect()
        }),
    ]
}

fn bones(parents: &[Option<u16>]) -> Vec<BoneParts> {
    let bone = |(i, parent): (usize, &Option<u16>)| BoneParts {
        name: format!("bone {i}"),
        parent: *parent,
    };
    parents.iter().enumerate().map(bone).collect()
}

/// Scales near 1, so that a product of 200 stays within the range of `f32`; of either sign, or 0.
fn scale() -> impl Strategy<Value = f32> {
    prop_oneof![9 => 0.6_f32..1.4, 3 => -1.4_f32..-0.6, 1 => Just(1.0_f32), 1 => Just(0.0_f32)]
}

fn rotation() -> impl Strategy<Value = f32> {
    let quarters = (-8_i16..8).prop_map(|i| f32::from(i) * 90.0);
    prop_oneof![6 => -720.0_f32..720.0, 2 => quarters, 1 => -1e5_f32..1e5]
}

fn transform() -> impl Strategy<Value = BoneTransform> {
    let place = -500.0_f32..500.0;
    (place.clone(), place, rotation(), scale(), scale(), 0_u8..2, z_order()).prop_map(transform_of)
}

/// Draw orders, often equal, sometimes as far apart as possible.
fn z_order() -> impl Strategy<Value = i16> {
    prop_oneof![4 => -2_i16..=2, 1 => any::<i16>(), 1 => Just(i16::MIN), 1 => Just(i16::MAX)]
}

fn clip(transforms: Vec<BoneTransform>) -> AnimationParts {
    AnimationParts { name: "clip".into(), flags: 1, frame_count: 1, transforms }
}

fn skeleton() -> impl Strategy<Value = DocumentParts> {
    (1_usize..200).prop_flat_map(|count| (parents(count), vec(transform(), count))).prop_map(
        |(parents, transforms)| {
            let (bones, animations) = (bones(&parents), vec![clip(transforms)]);
            DocumentParts { fps: 24, bones, animations, ..DocumentParts::default() }
        },
    )
}

/// World transform of a bone in double precision, with measures for the error.
#[derive(Clone, Copy)]
struct Reference {
    world: [[f64; 3]; 2],
    levels: f64,
    /// Product of the largest scale of each level; no entry of the linear part is larger.
    scale: f64,
    /// Length of the path from the origin along the bones.
    way: f64,
}

/// Computes world transforms by the definition: `T · R · S`, applied before the parent's world transform.
fn reference(parts: &DocumentParts) -> Vec<Reference> {
    let root =
        Reference { world: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], levels: 0.0, scale: 1.0, way: 0.0 };
    let mut all: Vec<Reference> = Vec::new();
    for (bone, t) in parts.bones.iter().zip(&parts.animations[0].transforms) {
        let parent = bone.parent.map_or(root, |parent| all[usize::from(parent)]);
        let (sin, cos) = f64::from(t.rotation).to_radians().sin_cos();
        let [x, y, scale_x, scale_y] = [t.x, t.y, t.scale_x, t.scale_y].map(f64::from);
        let local = [[cos * scale_x, -sin * scale_y, x], [sin * scale_x, cos * scale_y, y]];
        let world = parent.world.map(|[a, b, c]| {
            let column = |i: usize| a * local[0][i] + b * local[1][i];
            [column(0), column(1), column(2) + c]
        });
        all.push(Reference {
            world,
            levels: parent.levels + 1.0,
            scale: parent.scale * scale_x.abs().max(scale_y.abs()),
            way: parent.way + parent.scale * x.hypot(y),
        });
    }
    all
}

/// Error that each level of the hierarchy may add, relative to the bone's scale and to the length of its path.
const ERROR_PER_LEVEL: f64 = 1e-6;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn composition_agrees_with_double_precision(parts in skeleton()) {
        let pose = pose(&read(&parts), BindChoice::None, FIRST);
        let reference = reference(&parts);
        prop_assert_eq!(pose.world_from_bone().len(), reference.len());
        for (i, (world, wanted)) in pose.world_from_bone().iter().zip(&reference).enumerate() {
            let share = ERROR_PER_LEVEL * wanted.levels;
            let bound = [wanted.scale, wanted.scale, wanted.way]
                .map(|size| share * size + f64::from(f32::MIN_POSITIVE));
            for (row, wanted) in world.iter().zip(&wanted.world) {
                for ((got, wanted), bound) in row.iter().zip(wanted).zip(bound) {
                    let off = (f64::from(*got) - wanted).abs();
                    prop_assert!(off <= bound, "bone {}: {} and {}, off {:e} of {:e}", i, got, wanted, off, bound);
                }
            }
        }
    }

    #[test]
    fn a_bind_pose_leaves_its_own_frame_as_it_is_stored(parts in skeleton()) {
        let document = read(&parts);
        let bind = BindPose::new(&document, BindChoice::Auto);
        let pose = pose(&document, BindChoice::Auto, FIRST);
        for (i, (skin, world)) in pose.world_from_bind().iter().zip(pose.world_from_bone()).enumerate() {
            if bind.degenerate().contains(&BoneId(i as u16)) {
                prop_assert_eq!(skin, &pchr::pose::IDENTITY);
                continue;
            }
            let bound = 1e-5 * condition(world);
            for (got, wanted) in skin.iter().flatten().zip(pchr::pose::IDENTITY.iter().flatten()) {
                prop_assert!(f64::from((got - wanted).abs()) <= bound, "bone {}: {:?}, {:e}", i, skin, bound);
            }
        }
    }
}

/// Factor by which an inverse magnifies rounding errors.
fn condition(map: &Affine) -> f64 {
    let [[a, c, x, _], [b, d, y, _]] = map.map(|row| row.map(f64::from));
    let largest = [a, b, c, d].map(f64::abs).into_iter().fold(0.0, f64::max);
    let det = (a * d - b * c).abs();
    (largest * largest / det) * (1.0 + x.hypot(y) * largest.recip().max(1.0)) + x.hypot(y)
}

/// Number of bones in a small document.
const BONES: usize = 6;

/// Weights that move a vertex, and ones that do not.
fn weight() -> impl Strategy<Value = f32> {
    let odd = prop::sample::select(vec![0.0, -0.0, f32::from_bits(1)]);
    prop_oneof![3 => 0.01_f32..2.0, 3 => odd, 1 => -2.0_f32..-0.01]
}

/// A small document with some of everything.
fn document() -> impl Strategy<Value = DocumentParts> {
    let vertex = |bones| vertex(bones, (-100.0_f32..100.0).boxed(), weight().boxed());
    document_of(BONES as u16..BONES as u16 + 1, vertex, || transform().boxed())
}

/// All frames of a document.
fn moments(document: &Document) -> Vec<Option<FrameAt>> {
    let of_clip = |id| {
        let count = document.animation(id).map_or(0, |clip| clip.frame_count());
        (0..count).map(move |frame| Some(FrameAt::exact(id, frame)))
    };
    document.animation_ids().flat_map(of_clip).chain([None]).collect()
}

/// World positions of all vertices.
fn skinned(document: &Document, at: Option<FrameAt>) -> Vec<[f32; 2]> {
    let pose = pose(document, BindChoice::Auto, at);
    let mut points = Vec::new();
    for mesh in document.meshes() {
        pose.place(&mesh, &mut points);
    }
    points
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn slots_without_a_positive_weight_never_matter(mut parts in document()) {
        let padded = read(&parts);
        clear_unused(&mut parts);
        let clean = read(&parts);
        prop_assert_eq!(owners(&padded), owners(&clean));
        for at in moments(&padded) {
            prop_assert_eq!(skinned(&padded, at), skinned(&clean, at));
        }
    }

    #[test]
    fn an_owner_has_the_largest_sum_of_weights_and_then_the_lowest_index(parts in document()) {
        let owners = owners(&read(&parts));
        prop_assert_eq!(owners.len(), parts.meshes.len());
        for (mesh, owner) in parts.meshes.iter().zip(owners) {
            let mut sums = [0.0_f64; BONES];
            for vertex in &mesh.vertices {
                for (weight, id) in vertex.bone_weights.into_iter().zip(vertex.bone_ids) {
                    if weight > 0.0 {
                        sums[usize::from(id)] += f64::from(weight);
                    }
                }
            }
            let most = sums.into_iter().fold(0.0, f64::max);
            let wanted = sums.iter().position(|sum| most > 0.0 && *sum == most);
            prop_assert_eq!(owner, wanted.map(|bone| BoneId(bone as u16)));
        }
    }

    #[test]
    fn meshes_are_drawn_by_order_then_index_and_hidden_ones_not_at_all(parts in document()) {
        let document = read(&parts);
        let owners = owners(&document);
        let character = Character::new(document.clone(), BindChoice::Auto);
        let mut frame = Frame::default();
        for at in moments(&document) {
            frame.fill(&character, at, &ViewOptions::default());
            let transform = |mesh: usize| {
                let at = at?;
                let clip = &parts.animations[at.animation.index()];
                Some(clip.transforms[usize::from(at.frame) * BONES + owners[mesh]?.index()])
            };
            let visible = |mesh: &usize| transform(*mesh).is_none_or(|t| t.flags & 1 == 1);
            let mut wanted: Vec<usize> = (0..parts.meshes.len()).filter(visible).collect();
            wanted.sort_by_key(|mesh| transform(*mesh).map_or(0, |t| t.z_order));
            let drawn: Vec<usize> = frame.draws().iter().map(|draw| draw.mesh.index()).collect();
            prop_assert_eq!(drawn, wanted);
        }
    }

    #[test]
    fn what_is_written_is_read_again(parts in document()) {
        let bytes = format::pchr::write(&parts).unwrap();
        let document = format::read(bytes.clone()).unwrap();
        prop_assert_eq!(document.bytes(), &bytes);
        prop_assert_eq!(DocumentParts::from(&document), parts);
    }

    #[test]
    fn a_damaged_file_is_refused_or_drawn_but_never_a_panic(
        parts in document(),
        damage in vec(damage(), 1..6),
    ) {
        let mut bytes = format::pchr::write(&parts).unwrap();
        for damage in damage {
            inflict(damage, &mut bytes);
        }
        let Ok(document) = format::read(bytes) else { return Ok(()) };
        // A damaged count can yield as many frames as the bytes hold, so only some are tried.
        let some: Vec<_> = moments(&document).into_iter().take(50).collect();
        let character = Character::new(document, BindChoice::Auto);
        let mut frame = Frame::default();
        let view = ViewOptions::default();
        for at in &some {
            frame.fill(&character, *at, &view);
        }
        let _ = character.sweep(&view).over(&mut some.into_iter());
    }
}

/// A place in a file, a kind of damage to it, and a number that is likely to cause trouble as a count or an index.
fn damage() -> impl Strategy<Value = (prop::sample::Index, u8, u16)> {
    let odd = prop::sample::select(vec![0_u16, 1, 0x7f, 0x7fff, 0xffff]);
    (any::<prop::sample::Index>(), 0..15_u8, prop_oneof![any::<u16>(), odd])
}

/// Sets a byte or a 16-bit number, cuts the file, or removes or inserts a byte.
fn inflict((at, kind, number): (prop::sample::Index, u8, u16), bytes: &mut Vec<u8>) {
    let at = at.index(bytes.len() + 1);
    let number = number.to_le_bytes();
    match kind {
        0..12 => {
            let new = number.into_iter().take(if kind < 6 { 1 } else { 2 });
            bytes.iter_mut().skip(at).zip(new).for_each(|(to, byte)| *to = byte);
        }
        12 => bytes.truncate(at),
        13 if at < bytes.len() => drop(bytes.remove(at)),
        _ => bytes.insert(at, number[0]),
    }
}
