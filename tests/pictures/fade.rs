//! Tests of cross-fades, of poses from local transforms, and of the player.

use pchr::character::Character;
use pchr::document::{
    AnimationId, AnimationParts, BoneId, BoneParts, BoneTransform, Document, DocumentParts, MeshId,
};
use pchr::playback::{
    Blend, FadeCurve, FadeOptions, FrameAt, Happened, LoopMode, Mix, Player, Timeline,
};
use pchr::pose::{
    BindChoice, BindPose, LocalPose, Pose, PoseJob, affine2, from_affine2, timelines,
};
use pchr::scene::{Frame, ViewOptions};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::fixture::{Builder, at, read, transform_of};

const A: AnimationId = AnimationId(0);
const B: AnimationId = AnimationId(1);

fn transform() -> impl Strategy<Value = BoneTransform> {
    let place = -500.0_f32..500.0;
    let scale = -1.5_f32..1.5;
    (place.clone(), place, -720.0_f32..720.0, scale.clone(), scale, 0_u8..2, any::<i16>())
        .prop_map(transform_of)
}

fn clip(name: &str, frames: u16, transforms: Vec<BoneTransform>) -> AnimationParts {
    AnimationParts { name: name.into(), flags: 1, frame_count: frames, transforms }
}

/// A chain of bones and two animations of three frames.
fn document() -> impl Strategy<Value = Document> {
    (1_usize..20).prop_flat_map(|bones| {
        let clips = [vec(transform(), bones * 3), vec(transform(), bones * 3)];
        (clips, vec(any::<prop::sample::Index>(), bones)).prop_map(move |([a, b], parents)| {
            let bone = |(i, parent): (usize, &prop::sample::Index)| BoneParts {
                name: format!("bone {i}"),
                parent: (parent.index(i + 1) as u16).checked_sub(1),
            };
            let bones = parents.iter().enumerate().map(bone).collect();
            let animations = vec![clip("a", 3, a), clip("b", 3, b)];
            read(&DocumentParts { fps: 10, bones, animations, ..DocumentParts::default() })
        })
    })
}

fn moment(animation: AnimationId) -> impl Strategy<Value = FrameAt> {
    (0_u16..3, 0_u16..3, prop_oneof![Just(0.0_f32), 0.0_f32..1.0])
        .prop_map(move |(frame, next, blend)| FrameAt { animation, frame, next, blend })
}

fn posed(document: &Document, at: FrameAt, mix: Option<Mix>) -> Pose {
    let bind = &BindPose::new(document, BindChoice::Auto);
    let mut pose = Pose::default();
    PoseJob { document, bind, at: Some(at), mix }.run(&mut pose);
    pose
}

fn bits(pose: &Pose) -> Vec<u32> {
    let maps = pose.world_from_bone().iter().chain(pose.world_from_bind());
    maps.flatten().flatten().map(|value| value.to_bits()).collect()
}

fn locals(document: &Document, at: FrameAt) -> LocalPose {
    let mut locals = LocalPose::default();
    assert!(locals.sample(document, at));
    locals
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_fade_begins_and_ends_with_the_plain_poses_bit_for_bit(
        document in document(),
        from in moment(A),
        to in moment(B),
        before in -2.0_f32..=0.0,
        after in 1.0_f32..3.0,
    ) {
        for amount in [0.0, before, f32::NAN] {
            let mixed = posed(&document, from, Some(Mix { to, amount }));
            prop_assert_eq!(bits(&mixed), bits(&posed(&document, from, None)));
            prop_assert_eq!(mixed.at(), Some(from));
        }
        for amount in [1.0, after] {
            let mixed = posed(&document, from, Some(Mix { to, amount }));
            prop_assert_eq!(bits(&mixed), bits(&posed(&document, to, None)));
            prop_assert_eq!(mixed.at(), Some(to));
        }
    }

    #[test]
    fn local_transforms_lead_to_the_same_bits(
        document in document(),
        from in moment(A),
        to in moment(B),
        amount in 0.0_f32..=1.0,
    ) {
        let bind = BindPose::new(&document, BindChoice::Auto);
        let mut pose = Pose::default();
        let mut mixed = locals(&document, from);
        pose.set_locals(&bind, &mixed);
        prop_assert_eq!(bits(&pose), bits(&posed(&document, from, None)));
        mixed.blend_towards(&locals(&document, to), amount);
        pose.set_locals(&bind, &mixed);
        prop_assert_eq!(bits(&pose), bits(&posed(&document, from, Some(Mix { to, amount }))));

        // The same with matrices in world space.
        let mut other = Pose::default();
        other.set_world_matrices(&bind, pose.world_from_bone());
        prop_assert_eq!(other.world_from_bone(), pose.world_from_bone());
        for (a, b) in other.world_from_bind().iter().flatten().zip(pose.world_from_bind().iter().flatten()) {
            for (a, b) in a.iter().zip(b) {
                prop_assert!((a - b).abs() <= 1e-3 * b.abs().max(1.0), "{} {}", a, b);
            }
        }
        let matrices: Vec<_> = mixed.transforms().iter().map(|local| {
            let (sin, cos) = f64::from(local.rotation).to_radians().sin_cos();
            let (sin, cos) = (sin as f32, cos as f32);
            [
                [cos * local.scale_x, -sin * local.scale_y, local.x, 0.0],
                [sin * local.scale_x, cos * local.scale_y, local.y, 0.0],
            ]
        }).collect();
        other.set_local_matrices(&bind, &matrices);
        for (a, b) in other.world_from_bone().iter().flatten().flatten().zip(pose.world_from_bone().iter().flatten().flatten()) {
            prop_assert!((a - b).abs() <= 0.5, "{} {}", a, b);
        }
    }

    #[test]
    fn places_and_scales_are_between_and_turns_take_the_shorter_arc(
        document in document(),
        amount in 0.0_f32..1.0,
    ) {
        let [from, to] = [A, B].map(|animation| locals(&document, FrameAt::exact(animation, 1)));
        let mut mixed = from.clone();
        mixed.blend_towards(&to, amount);
        for ((from, to), mixed) in from.transforms().iter().zip(to.transforms()).zip(mixed.transforms()) {
            let fields = |it: &BoneTransform| [it.x, it.y, it.scale_x, it.scale_y];
            for ((from, to), mixed) in fields(from).into_iter().zip(fields(to)).zip(fields(mixed)) {
                let exact = f64::from(from) + (f64::from(to) - f64::from(from)) * f64::from(amount);
                prop_assert!((f64::from(mixed) - exact).abs() < 1e-3);
            }
            // The angle to the mix is `amount` times the angle to `to`, which is at most half a turn.
            let turn = |to: &BoneTransform| f64::from(to.rotation) - f64::from(from.rotation);
            let (way, arc) = (turn(mixed), (turn(to) + 180.0).rem_euclid(360.0) - 180.0);
            let is_half = (arc.abs() - 180.0).abs() < 1e-3; // either way is right
            prop_assert!(way.abs() <= 180.0 + 1e-3);
            let expected = arc * f64::from(amount);
            prop_assert!(is_half || (way - expected).abs() < 1e-2, "{} {}", way, expected);
            let owner = if amount >= 0.5 { to } else { from };
            prop_assert_eq!((mixed.flags, mixed.z_order), (owner.flags, owner.z_order));
        }
    }
}

/// Document with two bones; in the second animation the second bone is hidden and in front.
fn two_looks() -> Document {
    let look = |flags, z_order| BoneTransform { flags, z_order, ..at(1.0, 2.0) };
    let builder = Builder::new().bone("body", None).bone("hat", None);
    let builder = builder.animation("a", true, &[[look(1, 0), look(1, 1)]]);
    builder.animation("b", true, &[[look(1, 9), look(0, 1)]]).document()
}

#[test]
fn order_and_visibility_change_at_one_half() {
    let document = two_looks();
    let [from, to] = [A, B].map(|animation| FrameAt::exact(animation, 0));
    let shown = |amount| posed(&document, from, Some(Mix { to, amount })).at().unwrap().animation;
    assert_eq!([0.1, 0.499, 0.5, 0.9].map(shown), [A, A, B, B]);
}

#[test]
fn a_fade_to_nothing_shows_the_clip_alone() {
    let document = two_looks();
    let from = FrameAt::exact(A, 0);
    for to in [FrameAt::exact(B, 7), FrameAt::exact(AnimationId(5), 0)] {
        let mixed = posed(&document, from, Some(Mix { to, amount: 0.7 }));
        assert_eq!(bits(&mixed), bits(&posed(&document, from, None)));
        assert_eq!(mixed.at(), Some(from));
    }
}

#[test]
fn names_are_looked_up() {
    let document = two_looks();
    assert_eq!(document.animation_named("b"), Some(B));
    assert_eq!(document.bone_named("hat"), Some(BoneId(1)));
    assert_eq!(document.bone_named("Hat"), None);
    assert_eq!(document.mesh_named("hat"), None::<MeshId>);
    let timeline = document.animation(B).unwrap().timeline();
    assert_eq!(timeline, timelines(&document)[1]);
}

#[test]
fn points_hang_on_bones() {
    let document = two_looks();
    let mut turned = locals(&document, FrameAt::exact(A, 0));
    turned.get_mut(BoneId(1)).unwrap().rotation = 90.0;
    let mut pose = Pose::default();
    pose.set_locals(&BindPose::new(&document, BindChoice::Auto), &turned);
    assert_eq!(pose.attached(BoneId(1), [10.0, 0.0]), Some([1.0, 12.0]));
    assert_eq!(pose.attached(BoneId(2), [0.0; 2]), None);
    let map = pose.bone(BoneId(1)).unwrap();
    assert_eq!(map.transform_point2(glam::vec2(10.0, 0.0)), glam::vec2(1.0, 12.0));
    let rows = pose.world_from_bone()[1];
    assert_eq!(from_affine2(&affine2(&rows)), rows);
}

#[test]
fn a_frame_is_filled_from_local_transforms() {
    let document = two_looks();
    let character = Character::new(document.clone(), BindChoice::Auto);
    let view = ViewOptions::default();
    let mut frame = Frame::default();
    let locals = locals(&document, FrameAt::exact(B, 0));
    assert!(frame.fill_with(&character, &locals, &view));
    let plain = Frame::new(&character, Some(FrameAt::exact(B, 0)), &view);
    assert_eq!(bits(frame.pose()), bits(plain.pose()));
    assert_eq!(frame.draws(), plain.draws());
    // Transforms of another character, or of a frame that does not exist, leave the vertices as stored.
    let mut none = LocalPose::default();
    assert!(!none.sample(&document, FrameAt::exact(AnimationId(99), 0)));
    for other in [none, LocalPose::of([locals.transforms(), locals.transforms()].concat())] {
        assert!(!frame.fill_with(&character, &other, &view) && !frame.pose().is_skinned());
    }
}

/// Clips of 5 frames at 10 frames per second; the second plays once.
const CLIPS: [Timeline; 2] = [
    Timeline { frame_count: 5, fps: 10.0, looping: true, smooth: true },
    Timeline { frame_count: 5, fps: 10.0, looping: false, smooth: true },
];

fn options(seconds: f64) -> FadeOptions {
    FadeOptions { seconds, curve: FadeCurve::Linear }
}

/// Player whose clips are blended between frames.
fn playing(animation: AnimationId) -> Player {
    let mut player = Player::default();
    player.clip.smooth = true;
    player.start(animation, FadeOptions::default());
    player
}

#[test]
fn what_happened_is_reported_once() {
    let mut player = playing(A);
    let nothing = Happened::default();
    assert_eq!(player.advance(&CLIPS, 0.45), nothing);
    let wrapped = |wrapped| Happened { wrapped, ..nothing };
    assert_eq!(player.advance(&CLIPS, 0.05), wrapped(1));
    assert_eq!(player.advance(&CLIPS, 0.49), nothing);
    assert_eq!(player.advance(&CLIPS, 1.02), wrapped(3));
    for still in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(player.advance(&CLIPS, still), nothing);
    }
    player.clip.set_mode(&CLIPS, Some(LoopMode::PingPong));
    player.clip.seek(&CLIPS, 0.0);
    assert_eq!(player.advance(&CLIPS, 0.39), nothing);
    assert_eq!((player.advance(&CLIPS, 0.02).turned, player.advance(&CLIPS, 0.8).turned), (1, 2));
    let mut once = playing(B);
    assert_eq!(once.advance(&CLIPS, 0.39), nothing);
    assert!(once.advance(&CLIPS, 0.2).ended);
    assert_eq!(once.advance(&CLIPS, 0.2), nothing);
}

#[test]
fn a_fade_goes_from_clip_to_clip_while_both_play() {
    let mut player = playing(A);
    let _ = player.advance(&CLIPS, 0.1);
    player.start(B, options(0.2));
    let (from, mix) = player.moment(&CLIPS).unwrap();
    assert_eq!((from.animation, from.position()), (A, 1.0));
    assert_eq!(mix.unwrap().amount.to_bits(), 0);
    assert!(!player.advance(&CLIPS, 0.05).faded);
    let (from, mix) = player.moment(&CLIPS).unwrap();
    let mix = mix.unwrap();
    assert!((from.position() - 1.5).abs() < 1e-6 && (mix.to.position() - 0.5).abs() < 1e-6);
    assert!((mix.amount - 0.25).abs() < 1e-6);
    player.seek_fade(0.75);
    assert!((player.moment(&CLIPS).unwrap().1.unwrap().amount - 0.75).abs() < 1e-6);
    player.seek_fade(0.25);
    player.clip.pause();
    assert_eq!(player.advance(&CLIPS, 9.0), Happened::default());
    assert!(player.fade().is_some(), "a pause stops the fade");
    player.clip.playing = true;
    assert!(player.advance(&CLIPS, 0.2).faded && player.fade().is_none());
    assert_eq!(player.moment(&CLIPS).unwrap().0.animation, B);
}

#[test]
fn a_blend_keeps_both_in_phase_until_the_other_plays_itself() {
    let mut player = playing(A);
    let blend = Blend { with: B, amount: 0.25 };
    player.set_blend(Some(blend));
    for _ in 0..20 {
        let _ = player.advance(&CLIPS, 0.13);
        let (at, mix) = player.moment(&CLIPS).unwrap();
        let mix = mix.unwrap();
        assert_eq!((at.animation, mix.to.animation, mix.amount), (A, B, 0.25));
        assert_eq!(mix.to.position(), at.position().min(4.0), "B plays once");
    }
    player.start(A, options(0.2));
    assert!(player.fade().is_none() && player.blend() == Some(blend));
    player.start(B, options(0.2));
    assert_eq!((player.blend(), player.moment(&CLIPS).unwrap().1.unwrap().to.animation), (None, B));
    for wrong in [Blend { with: B, amount: 0.5 }, Blend { with: A, amount: f32::NAN }] {
        player.set_blend(Some(wrong));
        assert_eq!(player.blend(), None);
    }
    player.set_blend(Some(Blend { with: A, amount: 7.0 }));
    assert_eq!(player.blend(), Some(Blend { with: A, amount: 1.0 }));
    assert!(player.fade().is_none());
}

#[test]
fn a_smooth_fade_starts_and_ends_slowly() {
    let weights = [0.0, 0.25, 0.5, 0.75, 1.0, 7.0, -3.0].map(|t| FadeCurve::Smooth.at(t));
    assert_eq!(weights, [0.0, 0.15625, 0.5, 0.84375, 1.0, 1.0, 0.0]);
    assert_eq!([0.0, 0.25, 1.5].map(|t| FadeCurve::Linear.at(t)), [0.0, 0.25, 1.0]);
}

#[test]
fn a_fade_that_is_interrupted_goes_on_from_the_clip_with_more_weight() {
    for (share, animation) in [(0.25, A), (0.75, B)] {
        let mut player = playing(A);
        player.start(B, options(1.0));
        player.seek_fade(share);
        player.start(A, options(1.0));
        assert_eq!(player.fade().unwrap().from.animation, Some(animation));
    }
}

#[test]
fn the_queue_takes_over_on_time() {
    let mut player = playing(B);
    player.queue(A, FadeOptions::default());
    player.queue(B, options(0.1));
    assert_eq!(player.queued(), 2);
    // The first clip ends after its 5 frames of 0.1 s; its last frame lasts as long as the others. The second loops 0.5 s later.
    let happened = player.advance(&CLIPS, 0.49);
    assert_eq!((happened.started, happened.ended), (0, false));
    assert_eq!(player.moment(&CLIPS).unwrap().0.frame, 4);
    let happened = player.advance(&CLIPS, 0.21);
    assert_eq!((happened.started, happened.ended), (1, true));
    let (at, mix) = player.moment(&CLIPS).unwrap();
    assert_eq!((at.animation, mix), (A, None));
    assert!((at.position() - 2.0).abs() < 1e-6);
    let happened = player.advance(&CLIPS, 0.35);
    assert_eq!((happened.started, happened.wrapped), (1, 1));
    assert!((player.fade().unwrap().share() - 0.5).abs() < 1e-6);
    // One long step has the same effect as many short ones.
    let mut steps = playing(B);
    let mut leap = playing(B);
    for player in [&mut steps, &mut leap] {
        player.queue(A, options(0.2));
        player.queue(B, options(0.05));
    }
    let mut all = 0;
    for _ in 0..100 {
        all += steps.advance(&CLIPS, 0.0113).started;
    }
    assert_eq!(all, leap.advance(&CLIPS, 1.13).started);
    let [a, b] = [&steps, &leap].map(|player| player.moment(&CLIPS).unwrap());
    assert_eq!(a.0.animation, b.0.animation);
    assert!((a.0.position() - b.0.position()).abs() < 1e-6);
}

#[test]
fn a_queued_clip_that_does_not_exist_is_skipped() {
    let mut player = playing(B);
    player.queue(AnimationId(99), options(0.2));
    player.queue(A, FadeOptions::default());
    assert_eq!(player.advance(&CLIPS, 0.6).started, 1);
    assert_eq!(player.moment(&CLIPS).unwrap().0.animation, A);
    assert_eq!(player.queued(), 0);
}

#[test]
fn a_queued_clip_starts_after_one_that_has_ended_already() {
    let mut player = playing(B);
    assert!(player.advance(&CLIPS, 5.0).ended);
    player.queue(A, options(0.2));
    assert_eq!(player.advance(&CLIPS, 0.1).started, 1);
    let (from, mix) = player.moment(&CLIPS).unwrap();
    assert_eq!((from.animation, from.frame), (B, 4));
    assert!((mix.unwrap().amount - 0.5).abs() < 1e-6);
}

#[test]
fn a_fade_is_scrubbed_forwards_and_backwards_with_both_clips() {
    let mut player = playing(A);
    let _ = player.advance(&CLIPS, 0.1);
    player.start(B, options(0.2));
    let _ = player.advance(&CLIPS, 0.05);
    let shown = |player: &Player| {
        let (from, mix) = player.moment(&CLIPS).unwrap();
        let mix = mix.unwrap();
        (from, mix.to, mix.amount)
    };
    let near = |(from, to, amount): (FrameAt, FrameAt, f32), wanted: [f64; 3]| {
        let got = [from.position(), to.position(), amount.into()];
        assert!(got.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5), "{got:?} {wanted:?}");
    };
    near(shown(&player), [1.5, 0.5, 0.25]);
    player.clip.pause();
    player.scrub(&CLIPS, |clip| clip.seek(&CLIPS, 1.0));
    near(shown(&player), [2.0, 1.0, 0.5]);
    player.scrub(&CLIPS, |clip| clip.seek(&CLIPS, 3.0));
    near(shown(&player), [3.0, 3.0, 1.0]);
    // The fade has not ended: scrubbing back shows the same poses.
    player.scrub(&CLIPS, |clip| clip.seek(&CLIPS, 1.0));
    near(shown(&player), [2.0, 1.0, 0.5]);
    player.scrub(&CLIPS, |clip| clip.seek(&CLIPS, 0.0));
    near(shown(&player), [1.0, 0.0, 0.0]);
    player.step(&CLIPS, 1);
    near(shown(&player), [2.0, 1.0, 0.5]);
    player.step(&CLIPS, -1);
    near(shown(&player), [1.0, 0.0, 0.0]);
    player.scrub(&CLIPS, |clip| clip.last(&CLIPS));
    player.clip.toggle(&CLIPS);
    assert!(player.advance(&CLIPS, 0.01).faded || player.fade().is_some());
}

#[test]
fn steps_over_the_end_of_a_loop_go_on_in_the_fade() {
    let mut player = playing(B);
    player.start(A, options(1.0));
    player.clip.pause();
    for step in 1..=7_u16 {
        player.step(&CLIPS, 1);
        let share = player.fade().unwrap().share();
        assert!((share - f64::from(step) / 10.0).abs() < 1e-9, "{share}");
    }
    assert_eq!(player.clip.frame_at(&CLIPS).unwrap().frame, 2);
    player.step(&CLIPS, -7);
    assert!(player.fade().unwrap().share() < 1e-9);
}
