//! Tests of playback: looping, speed, the timeline and sections.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::desk::{Desk, PATIENCE, SCREEN, keep};
use crate::fixture::{FIRST, FRAMES, GREEN, RED, squares};
use crate::look::{Canvas, assert_square, bounds, canvas, frame_of, risen};

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn it_plays_and_space_pauses_and_then_nothing_is_drawn() {
    let mut desk = Desk::open(&squares(GREEN), &[]);
    let mut seen = std::collections::BTreeSet::new();
    let start = Instant::now();
    while seen.len() < usize::from(FRAMES) {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "only {seen:?} were shown"
        );
        let shot = desk.shot();
        assert_square(&shot, RED, FIRST);
        seen.insert(bounds(&shot, GREEN).unwrap());
        sleep(Duration::from_millis(20));
    }
    assert_eq!(seen.len(), usize::from(FRAMES));

    desk.key("space");
    let paused = desk.settled();
    let before = desk.cpu_ticks();
    sleep(Duration::from_secs(10));
    let used = desk.cpu_ticks() - before;
    assert!(desk.shot() == paused, "the picture changes while paused");
    assert!(
        used <= 1,
        "{used} ticks of processor time in 10 s while paused"
    );

    desk.key("space");
    desk.wait_for("another frame", |shot| {
        bounds(shot, GREEN) != bounds(&paused, GREEN)
    });
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn keys_step_and_jump_to_the_ends() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let steps = [
        ("period", 1),
        ("period", 2),
        ("comma", 1),
        ("End", FRAMES - 1),
        ("period", 0),
        ("comma", FRAMES - 1),
        ("Home", 0),
    ];
    for (key, frame) in steps {
        desk.key(key);
        let shot = desk.settled();
        assert_square(&shot, GREEN, risen(frame));
    }
}

/// Watches until the frames of `wanted` were seen in direct succession, and returns how long they took. Other frames are
/// ignored, since a slow machine may skip some.
fn watch(desk: &mut Desk, wanted: &[u16]) -> Duration {
    let seen = look_out(desk, wanted, PATIENCE);
    seen.unwrap_or_else(|frames| panic!("{frames:?} without {wanted:?}"))
}

/// Does the same as [`watch`] for at most `patience`. Otherwise returns the frames that were seen.
fn look_out(desk: &mut Desk, wanted: &[u16], patience: Duration) -> Result<Duration, Vec<u16>> {
    let start = Instant::now();
    let mut seen: Vec<(u16, Instant)> = Vec::new();
    while start.elapsed() < patience {
        if let Some(frame) = frame_of(&desk.shot())
            && seen.last().is_none_or(|(last, _)| *last != frame)
        {
            seen.push((frame, Instant::now()));
        }
        let last = &seen[seen.len().saturating_sub(wanted.len())..];
        if last.iter().map(|(frame, _)| frame).eq(wanted) {
            return Ok(last[last.len() - 1].1 - last[0].1);
        }
        sleep(Duration::from_millis(8));
    }
    Err(seen.into_iter().map(|(frame, _)| frame).collect())
}

/// Frame shown once the screen is settled.
fn rests_at(desk: &mut Desk) -> u16 {
    let shot = desk.settled();
    frame_of(&shot).expect("a frame is shown")
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn shift_and_space_play_backwards_and_turn_round_what_plays() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    desk.key("shift+space");
    watch(&mut desk, &[4, 3, 2, 1, 0, 4, 3]);
    desk.key("space");
    let paused = rests_at(&mut desk);
    desk.key("space");
    watch(&mut desk, &[0, 1, 2, 3, 4, 0]);
    desk.key("shift+space");
    watch(&mut desk, &[3, 2, 1, 0]);
    assert!(paused < FRAMES);
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn l_goes_from_looping_to_there_and_back_and_to_once() {
    let mut desk = Desk::open(&squares(GREEN), &[]);
    watch(&mut desk, &[3, 4, 0, 1]);
    desk.key("l");
    watch(&mut desk, &[2, 3, 4, 3, 2, 1, 0, 1, 2]);
    desk.key("l");
    // Without looping, playback stops at an end and starts again from the other.
    desk.wait_for("an end", |shot| matches!(frame_of(shot), Some(0 | 4)));
    assert!([0, 4].contains(&rests_at(&mut desk)));
    desk.key("Home space");
    watch(&mut desk, &[0, 1, 2, 3, 4]);
    assert_eq!(rests_at(&mut desk), 4);
    desk.key("space");
    watch(&mut desk, &[0, 1, 2, 3, 4]);
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn brackets_change_the_speed_and_backspace_resets_it() {
    let mut desk = Desk::open(&squares(GREEN), &[]);
    // At 5 frames per second. A slow machine shows frames late, but rarely early.
    let round = [0, 1, 2, 3, 4, 0];
    desk.key("bracketleft bracketleft bracketleft");
    let slow = watch(&mut desk, &round);
    assert!(slow > Duration::from_millis(2500), "{slow:?}");
    desk.key("BackSpace");
    watch(&mut desk, &[2, 3]); // a frame may have been on screen for long
    let own = watch(&mut desk, &round);
    assert!(own > Duration::from_millis(600), "{own:?}");
    desk.key("bracketright bracketright bracketright bracketright");
    let start = Instant::now();
    while watch(&mut desk, &round) > Duration::from_millis(600) {
        assert!(start.elapsed() < PATIENCE, "playback never gets faster");
    }
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_section_bounds_playing_steps_and_ends() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused", "--frame", "1"]);
    desk.key("shift+bracketleft period period shift+bracketright");
    assert_eq!(rests_at(&mut desk), 3);
    desk.key("period");
    assert_eq!(rests_at(&mut desk), 1);
    desk.key("End");
    assert_eq!(rests_at(&mut desk), 3);
    desk.key("space");
    watch(&mut desk, &[1, 2, 3, 1, 2, 3, 1]);
    desk.key("shift+space");
    watch(&mut desk, &[3, 2, 1, 3, 2, 1]);
    desk.key("shift+l");
    watch(&mut desk, &[1, 0, 4, 3]);
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn the_timeline_is_scrubbed_while_paused_and_while_playing() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let canvas = canvas(&desk.settled()).unwrap();
    let ([x, y], at) = timeline(&mut desk, canvas);

    // The shown frame follows the pointer to the left and back to the right.
    desk.press(x, y);
    let mut seen = vec![at];
    let left = (canvas.x..x).rev().step_by(8);
    for x in left {
        desk.point(x, y);
        seen.extend(frame_of(&desk.shot()));
    }
    desk.wait_for("the first frame", |shot| frame_of(shot) == Some(0));
    assert!(seen.is_sorted_by(|a, b| a >= b), "{seen:?}");
    seen.clear();
    for x in (canvas.x..canvas.x + canvas.width).step_by(8) {
        desk.point(x, y);
        seen.extend(frame_of(&desk.shot()));
    }
    desk.wait_for("the last frame", |shot| frame_of(shot) == Some(FRAMES - 1));
    assert!(seen.is_sorted(), "{seen:?}");
    desk.release();
    assert_eq!(rests_at(&mut desk), FRAMES - 1, "it stays");

    // During playback the pointer holds the frame; playback goes on after the release.
    desk.key("space");
    watch(&mut desk, &[0, 1, 2]);
    desk.press(x, y);
    desk.wait_for("the frame under the pointer", |shot| {
        frame_of(shot) == Some(at)
    });
    desk.release();
    watch(&mut desk, &[0, 1, 2, 3, 4, 0]);
}

/// Point of the timeline for a frame between the first and the last; that frame is then shown.
fn timeline(desk: &mut Desk, canvas: Canvas) -> ([usize; 2], u16) {
    // The timeline is below the picture. A press far to the right selects a late frame.
    let x = canvas.x + canvas.width * 6 / 10;
    let below = canvas.y + canvas.height;
    // A press closer to the picture counts as one on the picture, within the toolkit's tolerance, and may move it.
    let rows = (below + 8..SCREEN[1].into()).step_by(6);
    let y = rows.into_iter().find(|y| {
        desk.press(x, *y);
        let found = desk.soon(|shot| frame_of(shot).is_some_and(|frame| frame > 0));
        desk.release();
        found
    });
    let y = y.unwrap_or_else(|| {
        let seen = keep(&desk.shot());
        panic!(
            "no press below the picture selects another frame: see {}",
            seen.display()
        )
    });
    let at = rests_at(desk);
    assert!((1..FRAMES - 1).contains(&at), "{at}");
    ([x, y], at)
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_section_is_dragged_out_on_the_timeline() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    let canvas = canvas(&desk.settled()).unwrap();
    let ([x, y], at) = timeline(&mut desk, canvas);
    // The section loops, from the first frame to the one where the drag began.
    let round: Vec<u16> = (0..=at).chain(0..=at).chain([0]).collect();
    // The toolkit loses a drag that begins and ends within one drawn frame. A busy machine may do that to any drag.
    let section = |desk: &mut Desk| {
        desk.xdotool(&["keydown", "shift"]);
        desk.press(x, y);
        for x in (canvas.x..x).rev().step_by(16) {
            desk.point(x, y);
        }
        desk.settled();
        desk.release();
        desk.xdotool(&["keyup", "shift"]);
        desk.settled();
        desk.key("Home space");
        let seen = look_out(desk, &round, PATIENCE / 3);
        if seen.is_err() {
            desk.key("space");
        }
        seen
    };
    let seen = section(&mut desk).or_else(|_| section(&mut desk));
    let seen = seen.or_else(|_| section(&mut desk));
    assert!(seen.is_ok(), "{seen:?} without {round:?}");
}

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_frame_is_typed_and_enter_goes_there() {
    let mut desk = Desk::open(&squares(GREEN), &["--paused"]);
    for (text, key, frame) in [
        ("3", "Return", 3),
        ("-2", "Return", 1),
        ("100%", "Return", 4),
        ("0", "Escape", 4),
        ("0.4s", "Return", 2),
    ] {
        desk.key("ctrl+g");
        desk.settled();
        desk.xdotool(&["type", "--", text]);
        desk.key(key);
        assert_eq!(rests_at(&mut desk), frame, "{text}");
    }
}
