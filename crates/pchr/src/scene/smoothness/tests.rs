//! Which steps are out of line, and which are not.

use super::*;
use crate::character::Character;
use crate::document::BoneTransform;
use crate::fixture::{Builder, WHITE, at, hidden};
use crate::pose::BindChoice;

/// A character whose bone `hand`, with a square of 100 pixels, moves along X; `None` hides it. A second square stands still.
fn rig(looping: bool, places: &[Option<f32>]) -> Character {
    let place = |x: &Option<f32>| x.map_or_else(hidden, |x| at(x, 0.0));
    let frames: Vec<Vec<BoneTransform>> =
        places.iter().map(|x| vec![at(0.0, 0.0), place(x), at(0.0, 0.0)]).collect();
    let rig = Builder::new().image(1, &[WHITE]).bone("root", None);
    let rig = rig.bone("hand", Some(0)).bone("still", Some(0));
    let rig = rig.quad("a", 0, 1, [0.0, 0.0], [100.0, 100.0]);
    let rig = rig.quad("b", 0, 2, [0.0, 0.0], [100.0, 100.0]);
    Character::new(rig.animation("walk", looping, &frames).document(), BindChoice::Auto)
}

fn of(looping: bool, places: &[Option<f32>]) -> ClipSmoothness {
    let rig = rig(looping, places);
    let mut clips = SmoothnessJob { subject: &rig }.run();
    assert_eq!(clips.len(), 1);
    clips.remove(0)
}

fn shown(places: &[f32]) -> Vec<Option<f32>> {
    places.iter().copied().map(Some).collect()
}

const HAND: BoneId = BoneId(1);

#[test]
fn a_loop_that_goes_on_closes_and_one_that_leaps_jumps() {
    let round = of(true, &shown(&[0.0, 4.0, 8.0, 4.0]));
    let seam = round.seam.as_ref().unwrap();
    assert_eq!((seam.end, seam.bones[0].distance), (ClipEnd::Closes, 4.0));
    assert_eq!((round.loop_jump(), round.pops.len()), (None, 0));
    let leap = of(true, &shown(&[0.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0]));
    let jump = Jump { bone: HAND, distance: 28.0, usual: 4.0 };
    assert_eq!(leap.loop_jump(), Some(jump));
    let seam = leap.seam.unwrap();
    assert_eq!((seam.picture, leap.usual), (14.0, 2.0), "half of the vertices move");
    assert!(leap.pops.is_empty(), "the loop is told once");
}

#[test]
fn an_animation_that_plays_once_ends_elsewhere_and_is_no_fault() {
    let attack = of(false, &shown(&[0.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0]));
    assert_eq!(attack.seam.as_ref().unwrap().end, ClipEnd::Elsewhere);
    assert_eq!((attack.loop_jump(), attack.pops.len()), (None, 0));
}

#[test]
fn a_loop_that_ends_with_its_first_picture_repeats_it_unless_nothing_moves() {
    let end = |looping, places: &[f32]| of(looping, &shown(places)).seam.unwrap().end;
    assert_eq!(end(true, &[0.0, 4.0, 8.0, 4.0, 0.0]), ClipEnd::Repeats);
    assert_eq!(end(false, &[0.0, 4.0, 8.0, 4.0, 0.0]), ClipEnd::Repeats);
    assert_eq!(end(true, &[0.0, 4.0, 8.0, 4.0, 0.001]), ClipEnd::Closes);
    assert_eq!(end(true, &[0.0; 4]), ClipEnd::Closes);
    let hides = [Some(0.0), Some(4.0), Some(0.0), None];
    assert_eq!(of(true, &hides).seam.unwrap().end, ClipEnd::Closes, "another picture");
}

#[test]
fn without_a_word_of_the_file_only_an_end_near_the_start_is_a_fault() {
    let end = |places: &[f32]| {
        let rig = rig(true, &shown(places));
        let mut left = MOST_PLACES;
        let mut track = Track::new(&rig, AnimationId(0), &mut Places::new(&rig), &mut left);
        track.loops = None;
        track.judge().seam.unwrap().end
    };
    let near = [0.0, 2.0, 22.0, 42.0, 62.0, 80.0, 60.0, 40.0, 22.0, 20.0];
    assert_eq!(end(&near), ClipEnd::Jumps);
    assert_eq!(end(&near.map(|x| if x == 20.0 { 24.0 } else { x })), ClipEnd::Elsewhere);
    assert_eq!(end(&[0.0, 4.0, 8.0, 4.0]), ClipEnd::Closes);
}

#[test]
fn of_a_file_that_is_too_large_the_beginning_is_measured() {
    let rig = rig(true, &shown(&[0.0, 4.0, 8.0, 4.0]));
    let mut left = 17; // two frames of 8 vertices
    let track = Track::new(&rig, AnimationId(0), &mut Places::new(&rig), &mut left);
    let clip = track.judge();
    assert_eq!((clip.left_out, clip.seam, left), (Some(2), None, 1));
}

#[test]
fn a_step_out_of_line_is_a_jump_and_one_there_and_back_a_flick() {
    let jump = of(true, &shown(&[0.0, 2.0, 4.0, 34.0, 36.0, 38.0, 19.0]));
    let [pop] = jump.pops.as_slice() else { panic!("{:?}", jump.pops) };
    assert_eq!((pop.frame, pop.kind, pop.others, pop.swaps), (3, PopKind::Jump, 0, false));
    assert_eq!(pop.jump, Jump { bone: HAND, distance: 30.0, usual: 2.0 });
    let flick = of(true, &shown(&[0.0, 2.0, 4.0, 50.0, 8.0, 10.0, 8.0, 6.0]));
    let [pop] = flick.pops.as_slice() else { panic!("{:?}", flick.pops) };
    assert_eq!((pop.frame, pop.kind, pop.jump.distance), (3, PopKind::Flick, 42.0));
    let fast = of(true, &shown(&[0.0, 2.0, 12.0, 40.0, 52.0, 54.0, 40.0, 12.0, 2.0]));
    assert_eq!(fast.pops, [], "a fast movement has a start and an end");
}

#[test]
fn meshes_that_come_and_go_do_not_move() {
    let mut places = shown(&[0.0, 2.0, 4.0, 34.0, 36.0, 38.0, 19.0]);
    places[2] = None;
    let swapped = of(true, &places);
    assert_eq!(swapped.pops, []);
    assert_eq!(of(true, &[None; 4]).seam.unwrap().bones.len(), 1, "the other square");
}

#[test]
fn still_short_and_broken_clips_have_nothing_out_of_line() {
    for places in [&[5.0; 4][..], &[5.0], &[5.0, 90.0], &[f32::NAN; 4], &[f32::MAX, f32::MIN, 0.0]]
    {
        let clip = of(true, &shown(places));
        assert_eq!(
            (clip.loop_jump(), clip.pops, clip.left_out),
            (None, vec![], None),
            "{places:?}"
        );
    }
    assert_eq!(of(true, &shown(&[5.0])).seam, None);
}
