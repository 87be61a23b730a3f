//! Playback of numbered animations: the frame at a time, loop modes, sections, direction and speed.
//!
//! ```
//! use pchr::character::Character;
//! use pchr::format;
//! use pchr::playback::{FadeCurve, FadeOptions, Player};
//! use pchr::pose::{BindChoice, timelines};
//! use pchr::scene::{Frame, ViewOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let document = format::read(std::fs::read("../../assets/sample.pchr")?)?;
//! let walk = document.animation_named("walk").ok_or("no walk")?;
//! let jump = document.animation_named("jump").ok_or("no jump")?;
//! let timelines = timelines(&document);
//! let fox = Character::new(document, BindChoice::Auto);
//!
//! // The fox walks, jumps once, and walks on. From one to the other takes a fifth of a second.
//! let fade = FadeOptions { seconds: 0.2, curve: FadeCurve::Smooth };
//! let mut player = Player::default();
//! player.start(walk, FadeOptions::default());
//! player.start(jump, fade);
//! player.queue(walk, fade);
//!
//! // For each picture: the time that passed, the events in it, and the pose.
//! let mut frame = Frame::default();
//! let mut landed = false;
//! for _ in 0..120 {
//!     let happened = player.advance(&timelines, 1.0 / 60.0);
//!     landed |= happened.started > 0;
//!     if let Some((at, mix)) = player.moment(&timelines) {
//!         frame.fill(&fox, Some(at), &ViewOptions { mix, ..ViewOptions::default() });
//!     }
//! }
//! assert!(landed && player.clip.animation == Some(walk));
//! # Ok(())
//! # }
//! ```
//!
//! ```text
//! seconds ──Timeline::at──► FrameAt
//! time passed ──Playback::advance──► Playback ──Playback::frame_at──► FrameAt
//! time passed ──Player::advance──► Happened; Player ──Player::moment──► FrameAt, Mix
//! ```
//!
//! [`Playback`] plays one animation, [`Player`] one after the other with cross-fades and a queue, or two at once in a steady
//! [`Blend`].
//!
//! Playback is pure: an animation is its number and its [`Timeline`], and time is an argument. `pose::timelines` makes the time
//! lines of a document.

mod frame_spec;
mod player_and_fades;
mod state;
mod timeline;

pub use frame_spec::{FrameAt, FrameNumber, FrameSpec, FrameSpecError, Mix};
pub use player_and_fades::{Blend, Fade, FadeCurve, FadeOptions, Player};
pub use state::{FPS_RANGE, Playback, SPEED_RANGE};
pub use timeline::{Happened, LoopMode, Timeline};

#[cfg(test)]
mod tests {
    //! Tests of playback with animations of different lengths.

    use super::*;
    use crate::document::AnimationId;

    /// Returns timelines at 10 frames per second: walk has 6 frames and loops, once has 4 and does not, still has 1 and loops.
    fn timelines() -> [Timeline; 3] {
        let line =
            |(frame_count, looping)| Timeline { frame_count, fps: 10.0, looping, smooth: false };
        [(6, true), (4, false), (1, true)].map(line)
    }

    const WALK: AnimationId = AnimationId(0);
    const ONCE: AnimationId = AnimationId(1);
    const STILL: AnimationId = AnimationId(2);

    fn playing(animation: AnimationId) -> Playback {
        Playback { animation: Some(animation), ..Playback::default() }
    }

    fn frame(timelines: &[Timeline], playback: &Playback) -> u16 {
        playback.frame_at(timelines).unwrap().frame
    }

    /// Returns the frames that are shown, one change after the other, until playback stops.
    fn shown_in_turn(timelines: &[Timeline], playback: &mut Playback, most: usize) -> Vec<u16> {
        let mut frames = vec![frame(timelines, playback)];
        while frames.len() < most {
            let Some(wait) = playback.until_change(timelines) else { break };
            assert!((0.0..=0.1 / playback.speed + 1e-9).contains(&wait), "{wait}");
            playback.advance(timelines, wait.max(1e-9));
            let now = frame(timelines, playback);
            if playback.playing || frames.last() != Some(&now) {
                frames.push(now);
            }
            if !playback.playing {
                break;
            }
        }
        frames
    }

    #[test]
    fn frames_follow_each_other_as_the_mode_and_the_direction_say() {
        let timelines = timelines();
        let (whole, section) = (None, Some([3, 1]));
        // From outside a section it goes in, and stays.
        let rows = [
            (whole, LoopMode::Once, false, 2.0, vec![2, 3, 4, 5]),
            (whole, LoopMode::Once, true, 2.0, vec![2, 1, 0]),
            (whole, LoopMode::Loop, false, 2.0, vec![2, 3, 4, 5, 0, 1, 2, 3]),
            (whole, LoopMode::Loop, true, 2.0, vec![2, 1, 0, 5, 4, 3, 2, 1]),
            (whole, LoopMode::PingPong, false, 2.0, vec![2, 3, 4, 5, 4, 3, 2, 1, 0, 1, 2]),
            (whole, LoopMode::PingPong, true, 2.0, vec![2, 1, 0, 1, 2, 3, 4, 5, 4]),
            (section, LoopMode::Loop, false, 0.0, vec![0, 1, 2, 3, 1, 2, 3]),
            (section, LoopMode::Loop, false, 5.0, vec![5, 1, 2, 3, 1, 2, 3]),
            (section, LoopMode::Loop, true, 5.0, vec![5, 4, 3, 2, 1, 3, 2]),
            (section, LoopMode::Once, false, 2.0, vec![2, 3]),
            (section, LoopMode::Once, true, 5.0, vec![5, 4, 3, 2, 1]),
            (section, LoopMode::PingPong, false, 5.0, vec![5, 4, 3, 2, 1, 2, 3]),
            (section, LoopMode::PingPong, true, 0.0, vec![0, 1, 2, 3, 2, 1, 2]),
        ];
        for (section, mode, backwards, from, wanted) in rows {
            let speeds = if section.is_none() { &[1.0, 0.3, 4.0][..] } else { &[1.0] };
            for &speed in speeds {
                let mut playback = playing(WALK);
                playback.set_section(&timelines, section);
                playback.mode = Some(mode);
                playback.seek(&timelines, from);
                playback.backwards = backwards;
                playback.speed = speed;
                let ends = usize::from(mode == LoopMode::Once);
                let seen = shown_in_turn(&timelines, &mut playback, wanted.len() + ends);
                assert_eq!(seen, wanted, "{section:?} {mode:?} {backwards}");
                assert_eq!(playback.playing, mode != LoopMode::Once);
            }
        }
    }

    #[test]
    fn without_an_override_the_file_says_whether_it_loops() {
        let timelines = timelines();
        assert_eq!(playing(WALK).mode(&timelines), LoopMode::Loop);
        assert_eq!(playing(ONCE).mode(&timelines), LoopMode::Once);
        let turned = Playback { mode: Some(LoopMode::PingPong), ..playing(ONCE) };
        assert_eq!(turned.mode(&timelines), LoopMode::PingPong);
        assert_eq!(shown_in_turn(&timelines, &mut playing(ONCE), 9), [0, 1, 2, 3]);
    }

    #[test]
    fn the_ends_and_steps_are_those_of_the_section() {
        let timelines = timelines();
        let mut playback = playing(WALK);
        playback.set_section(&timelines, Some([1, 3]));
        playback.last(&timelines);
        assert_eq!((frame(&timelines, &playback), playback.playing), (3, false));
        playback.step(&timelines, 1);
        assert_eq!(frame(&timelines, &playback), 1);
        playback.step(&timelines, -1);
        assert_eq!(frame(&timelines, &playback), 3);
        playback.seek(&timelines, 5.0);
        assert_eq!(frame(&timelines, &playback), 5);
        playback.first(&timelines);
        assert_eq!(frame(&timelines, &playback), 1);
        playback.set_section(&timelines, Some([4, 99]));
        assert_eq!(playback.range(&timelines), Some([4, 5]));
        playback.choose(Some(ONCE));
        assert_eq!(playback.range(&timelines), Some([0, 3]));
    }

    #[test]
    fn the_end_stops_and_playing_again_starts_from_the_other_end() {
        let timelines = timelines();
        let mut playback = playing(ONCE);
        playback.advance(&timelines, 60.0);
        assert_eq!((frame(&timelines, &playback), playback.playing), (3, false));
        playback.toggle(&timelines);
        assert_eq!((frame(&timelines, &playback), playback.playing), (0, true));
        playback.toggle_backwards(&timelines);
        assert_eq!((frame(&timelines, &playback), playback.backwards), (3, true));
        playback.advance(&timelines, 60.0);
        assert_eq!((frame(&timelines, &playback), playback.playing), (0, false));
        playback.toggle_backwards(&timelines);
        assert_eq!((frame(&timelines, &playback), playback.playing), (3, true));
        playback.toggle_backwards(&timelines);
        assert!(!playback.playing);
    }

    #[test]
    fn turning_round_pausing_and_other_modes_keep_the_frame_on_screen() {
        let timelines = timelines();
        let changes: [fn(&mut Playback, &[Timeline]); 8] = [
            |playback, timelines| playback.toggle(timelines),
            |playback, timelines| playback.toggle_backwards(timelines),
            |playback, timelines| playback.set_mode(timelines, Some(LoopMode::Once)),
            |playback, timelines| playback.set_mode(timelines, Some(LoopMode::PingPong)),
            |playback, timelines| playback.set_mode(timelines, None),
            |playback, timelines| playback.set_section(timelines, Some([1, 4])),
            |playback, timelines| playback.set_section(timelines, None),
            |playback, timelines| playback.set_fps(timelines, Some(33.0)),
        ];
        for time in 0..60 {
            for (i, change) in changes.iter().enumerate() {
                for backwards in [false, true] {
                    let mut playback = playing(WALK);
                    playback.backwards = backwards;
                    playback.advance(&timelines, 0.01 * f64::from(time));
                    let before = frame(&timelines, &playback);
                    change(&mut playback, &timelines);
                    let after = frame(&timelines, &playback);
                    assert_eq!(after, before, "change {i} at {time}, backwards {backwards}");
                }
            }
        }
    }

    #[test]
    fn there_and_back_goes_on_after_a_pause_as_it_went() {
        let timelines = timelines();
        let mut playback = playing(WALK);
        playback.set_mode(&timelines, Some(LoopMode::PingPong));
        playback.advance(&timelines, 0.7);
        assert_eq!((frame(&timelines, &playback), playback.backwards), (3, true));
        playback.toggle(&timelines);
        playback.toggle(&timelines);
        playback.advance(&timelines, 0.1);
        assert_eq!((frame(&timelines, &playback), playback.backwards), (2, true));
        // A loop plays forwards again.
        playback.set_mode(&timelines, None);
        playback.toggle(&timelines);
        playback.toggle(&timelines);
        assert!(playback.playing && !playback.backwards);
    }

    #[test]
    fn smooth_frames_blend_within_what_plays_and_loop_only_as_a_whole() {
        let timelines = timelines();
        let at = |mode, section, backwards, frames: f64| {
            let (mode, seconds) = (Some(mode), frames / 10.0);
            let walking = Playback { smooth: true, mode, section, ..playing(WALK) };
            let playback = Playback { backwards, seconds, ..walking };
            let at = playback.frame_at(&timelines).unwrap();
            ((at.frame, at.next), (at.blend * 100.0).round())
        };
        let section = Some([1, 3]);
        assert_eq!(at(LoopMode::Loop, None, false, 5.25), ((5, 0), 25.0));
        assert_eq!(at(LoopMode::Loop, Some([0, 5]), true, 5.25), ((5, 0), 25.0));
        assert_eq!(at(LoopMode::Loop, section, false, 2.5), ((2, 3), 50.0));
        assert_eq!(at(LoopMode::Loop, section, false, 3.5), ((3, 4), 0.0));
        assert_eq!(at(LoopMode::Loop, section, true, 0.5), ((1, 2), 0.0));
        assert_eq!(at(LoopMode::Loop, section, false, 4.5), ((4, 5), 50.0));
        for mode in [LoopMode::Once, LoopMode::PingPong] {
            let end = Playback { smooth: true, mode: Some(mode), ..playing(WALK) };
            for time in 0..300 {
                let mut playback = end.clone();
                playback.advance(&timelines, 0.013 * f64::from(time));
                let at = playback.frame_at(&timelines).unwrap();
                assert!(at.next >= at.frame, "{at:?}");
            }
        }
    }

    #[test]
    fn walking_through_the_animations_goes_round_and_starts_at_the_first_frame() {
        let timelines = timelines();
        let mut playback = playing(WALK);
        playback.seek(&timelines, 2.0);
        let mut walk = |by| {
            playback.walk(&timelines, by);
            (playback.animation.unwrap(), frame(&timelines, &playback))
        };
        assert_eq!(walk(1), (ONCE, 0));
        assert_eq!(walk(2), (WALK, 0));
        assert_eq!(walk(-1), (STILL, 0));
        let mut nothing = Playback::default();
        nothing.walk(&timelines, 1);
        assert_eq!(nothing.animation, Some(AnimationId(0)));
    }

    #[test]
    fn speeds_stay_within_their_range() {
        let mut playback = playing(WALK);
        for (asked, got) in [(0.6, 0.6), (99.0, 8.0), (-1.0, 0.05), (f64::NAN, 0.05)] {
            playback.set_speed(asked);
            assert_eq!(playback.speed, got);
        }
    }

    #[test]
    fn what_never_changes_says_so() {
        let timelines = timelines();
        assert_eq!(playing(STILL).until_change(&timelines), None);
        let turned = Playback { mode: Some(LoopMode::PingPong), ..playing(STILL) };
        assert_eq!(turned.until_change(&timelines), None);
        let mut single = playing(WALK);
        single.set_section(&timelines, Some([2, 2]));
        assert!(single.until_change(&timelines).is_some(), "it goes there first");
        single.seek(&timelines, 2.0);
        assert_eq!(single.until_change(&timelines), None);
        let paused = Playback { playing: false, ..playing(WALK) };
        assert_eq!(paused.until_change(&timelines), None);
        assert_eq!(Playback::default().until_change(&timelines), None);
        let smooth = Playback { smooth: true, ..playing(WALK) };
        assert_eq!(smooth.until_change(&timelines), Some(0.0));
    }

    #[test]
    fn what_is_chosen_after_an_end_in_reverse_plays() {
        let once = Timeline { frame_count: 10, fps: 10.0, looping: false, smooth: false };
        let timelines = [once, once];
        let mut playback = Playback::default();
        playback.choose(Some(AnimationId(0)));
        playback.toggle_backwards(&timelines);
        playback.advance(&timelines, 5.0);
        assert!(!playback.playing && playback.backwards);
        playback.choose(Some(AnimationId(1)));
        playback.advance(&timelines, 0.35);
        assert!(playback.playing);
        assert_eq!(playback.frame_at(&timelines).unwrap().frame, 3);
    }
}
