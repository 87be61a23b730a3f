//! Tests of actions, without a window.

/// Applies actions of any kind, one after the other.
macro_rules! apply {
    ($state:expr, $($action:expr),+) => { $($state.apply($action);)+ };
}

/// What is in the last request of a kind.
macro_rules! requested {
    ($state:expr, $kind:pat => $value:expr) => {{
        let mut requests = $state.take_requests().into_iter().rev();
        requests.find_map(|it| if let $kind = it { Some($value) } else { None }).unwrap()
    }};
}

mod blend;
mod companion;
mod compare;
pub(in crate::viewer) mod curves;
mod fade;
mod file;
pub(in crate::viewer) mod image;
mod interface;
mod look;
mod onion;
pub(in crate::viewer) mod orbit;
pub(in crate::viewer) mod page;
mod session;
mod stage;
mod tool;
mod undo;
mod view;
pub(in crate::viewer) mod walk;

use std::fs;
use std::sync::Arc;

use pchr::document::{AnimationId, BoneTransform, DocumentParts, ImageFormat, ImageId, PchrRule};
use pchr::format;
use pchr::image::{Effort, Levels, Pixels, encode_png};
use pchr::overlay::Layer;
use pchr::playback::{FadeCurve, FadeOptions, FrameAt, FrameSpec, LoopMode};
use pchr::pose::{BindChoice, BindSource};
use pchr::scene::CurveKind;
use pchr_tools::session::Session;
use pchr_tools::view::{FilterArg, ImageSwap, LoopArg, Playing, Shown};

use self::file::{asked, finish_file, finish_loaded, load_of};
use self::orbit::WALK;
use super::*;
use crate::fixture::{Builder, WHITE, at, hidden};
use crate::viewer::action::{
    CameraAction, CurvesAction, FileAction, ImageAction, PageAction, PartAction, PlaybackAction,
};
use crate::viewer::backgrounds_and_rulers::{Background, Facing};
use crate::viewer::desktop::{load, load_done};
use crate::viewer::loaded::{Listing, LoadDone, LoadError, LoadId, Wish};
use crate::viewer::model::meshes::OrderStep;
use crate::viewer::settings::Memory;
use crate::viewer::switch::Tab;

pub(in crate::viewer) use {apply, requested};

const FPS: f64 = 10.0;
const SIZE: [u32; 2] = [400, 300];

/// A window in which nothing is open yet.
fn empty() -> State {
    let mut state = State::new(&ViewerOptions::default());
    state.apply(CameraAction::Viewport(SIZE));
    state
}

/// Returns three squares on three bones, all at draw order 0. `walk` (10 frames, looping) moves the first to the right
/// and hides the third in its second half; `once` (4 frames) does not loop.
fn parts() -> DocumentParts {
    let rest = at(0.0, 0.0);
    let clip = |count: u16| -> Vec<_> {
        let third = |frame| if frame * 2 < count { rest } else { hidden() };
        (0..count).map(|frame| [at(f32::from(frame) * 10.0, 0.0), rest, third(frame)]).collect()
    };
    let square = |builder: Builder, bone: u16| {
        builder.quad(&format!("square {bone}"), 0, bone, [0.0, 0.0], [20.0, 20.0])
    };
    (0..3)
        .fold(Builder::new().image(1, &[WHITE]).bones(3), square)
        .animation("bind", false, &clip(1))
        .animation("walk", true, &clip(10))
        .animation("once", false, &clip(4))
        .parts
}

fn written(parts: &DocumentParts) -> &'static [u8] {
    format::pchr::write(parts).unwrap().leak()
}

fn file() -> &'static [u8] {
    written(&parts())
}

/// The same character with other names of bones and meshes: no version of it.
fn stranger() -> &'static [u8] {
    let mut parts = parts();
    parts.bones.iter_mut().for_each(|bone| bone.name.push_str(" of another"));
    parts.meshes.iter_mut().for_each(|mesh| mesh.name.push_str(" of another"));
    written(&parts)
}

/// Opens files as a drop does, and answers with this list.
fn open_files(state: &mut State, files: &[&str], chosen: usize) {
    state.apply(FileAction::Open(files.iter().map(PathBuf::from).collect()));
    list_files(state, files, chosen);
}

/// Opens files and answers with this content of the first.
fn show(state: &mut State, files: &[&str], bytes: &'static [u8]) {
    open_files(state, files, 0);
    finish_file(state, bytes);
}

/// A window that shows the first of these files.
fn showing(files: &[&str], bytes: &'static [u8]) -> State {
    let mut state = open();
    show(&mut state, files, bytes);
    let _ = state.take_requests();
    state
}

/// Options of a command line with these files.
fn of_files(files: &[&str]) -> ViewerOptions {
    ViewerOptions { files: files.iter().map(Into::into).collect(), ..ViewerOptions::default() }
}

/// Options of a command line that says what is seen first.
fn of_look(shown: Shown) -> ViewerOptions {
    ViewerOptions { shown, ..ViewerOptions::default() }
}

/// Answers the last requested list.
fn list_files(state: &mut State, files: &[&str], chosen: usize) {
    let files = files.iter().map(PathBuf::from).collect();
    let listing = Listing { files, chosen, ..Listing::default() };
    state.apply(FileAction::Listed(state.files.listing.0, Ok(listing)));
}

fn finish(state: &mut State, bytes: &'static [u8]) {
    let id = state.files.load;
    let source = Source::Sample(bytes);
    let result = load(&source, || true).map(Arc::new);
    state.apply(FileAction::Loaded(LoadDone { id, source, files: Vec::new(), result }));
}

/// Carries out an action that reads a file, which has this content.
fn read_as(state: &mut State, action: FileAction, bytes: &'static [u8]) {
    state.apply(action);
    finish_file(state, bytes);
}

/// The file that an action asks for.
fn asks(state: &mut State, action: FileAction) -> Option<String> {
    let _ = asked(state);
    state.apply(action);
    load_of(&asked(state)).map(|path| path.to_str().unwrap().to_owned())
}

/// The wish of the load that was asked for last.
fn wish_of(requests: &[Request]) -> Option<&Wish> {
    requests.iter().rev().find_map(|request| match request {
        Request::Load(_, _, wish) => Some(wish),
        _ => None,
    })
}

/// Reads the file again, which has this content now.
fn reload_with(state: &mut State, bytes: &'static [u8]) {
    state.apply(FileAction::Reload);
    finish(state, bytes);
}

/// Carries out the load that was asked for last.
fn load_last(state: &mut State) {
    let (id, source) = (state.files.load, state.loading().unwrap().clone());
    state.apply(FileAction::Loaded(LoadDone { id, ..load_done(&source, || true) }));
}

fn open_with(options: ViewerOptions) -> State {
    let mut state = State::new(&options);
    state.apply(CameraAction::Viewport(SIZE));
    finish(&mut state, file());
    state
}

pub(super) fn open() -> State {
    open_with(ViewerOptions::default())
}

fn frame(state: &State) -> u16 {
    state.model().unwrap().frame().pose().at().unwrap().frame
}

fn frame_after(state: &mut State, action: PlaybackAction) -> u16 {
    state.apply(action);
    frame(state)
}

fn order(state: &State) -> Vec<u16> {
    state.model().unwrap().rows().iter().map(|mesh| mesh.0).collect()
}

fn drawn(state: &State) -> Vec<u16> {
    state.model().unwrap().frame().draws().iter().map(|draw| draw.mesh.0).collect()
}

#[test]
fn it_asks_for_the_sample_or_for_the_first_file_and_the_outside_to_quit() {
    let of_sample = ViewerOptions { sample: b"sample", ..ViewerOptions::default() };
    for (options, source) in
        [(of_sample, Source::Sample(b"sample")), (of_files(&["a", "b"]), Source::File("a".into()))]
    {
        let mut state = State::new(&options);
        let load = Request::Load(LoadId(1), source, Wish::default());
        assert_eq!(state.take_requests(), [load]);
        assert_eq!(state.take_requests(), []);
        state.apply(Action::Quit);
        assert_eq!(state.take_requests(), [Request::Quit]);
    }
}

#[test]
fn a_file_opens_with_its_first_animation_that_is_not_the_bind_pose_fitted_and_playing() {
    let state = open();
    assert_eq!(state.playback().animation, Some(AnimationId(1)));
    assert!(state.playback().playing);
    // The first square walks from 0 to 110.
    assert_eq!(state.camera().center, [55.0, 10.0]);
    let zoom = f64::from(SIZE[0]) * 0.9 / 110.0;
    assert!((state.camera().zoom - zoom).abs() < 1e-9);
    assert_eq!(state.model().unwrap().findings().count(), 0);
}

#[test]
fn time_passes_only_while_it_plays_and_smoothly_with_every_picture() {
    let mut state = open();
    assert_eq!(frame_after(&mut state, PlaybackAction::Advance(0.35)), 3);
    assert!((state.until_change().unwrap() - 0.05).abs() < 1e-9);
    state.apply(PlaybackAction::TogglePlay);
    assert_eq!(state.until_change(), None);
    assert_eq!(frame_after(&mut state, PlaybackAction::Advance(5.0)), 3);
    apply!(state, Action::Toggle(Switch::Smooth), PlaybackAction::Seek(2.0));
    apply!(state, PlaybackAction::TogglePlay, PlaybackAction::Advance(0.05));
    assert_eq!(state.until_change(), Some(0.0));
    let at = state.model().unwrap().frame().pose().at().unwrap();
    assert_eq!((at.frame, at.next), (2, 3));
    assert!((at.blend - 0.5).abs() < 1e-6);
}

#[test]
fn a_looping_animation_goes_round_and_another_stops_at_its_end() {
    let mut state = open();
    assert_eq!(frame_after(&mut state, PlaybackAction::Advance(12.0 / FPS)), 2);
    assert_eq!(frame_after(&mut state, PlaybackAction::Animation(AnimationId(2))), 0);
    state.apply(PlaybackAction::Advance(60.0));
    assert_eq!((frame(&state), state.playback().playing), (3, false));
    assert_eq!(state.until_change(), None);
    state.apply(PlaybackAction::TogglePlay);
    assert_eq!((frame(&state), state.playback().playing), (0, true));
    state.apply(PlaybackAction::Looping(Some(pchr::playback::LoopMode::Loop)));
    assert_eq!(frame_after(&mut state, PlaybackAction::Advance(5.0 / FPS)), 1);
}

#[test]
fn every_wait_ends_on_the_next_frame() {
    for speed in [0.05, 0.3, 1.0, 8.0] {
        let mut state = open_with(ViewerOptions {
            playing: Playing { speed: Some(speed), ..Playing::default() },
            ..ViewerOptions::default()
        });
        for i in 1..=50_u16 {
            let wait = state.until_change().unwrap();
            assert!((wait - 1.0 / FPS / speed).abs() < 1e-6, "{i}: {wait}");
            state.apply(PlaybackAction::Advance(wait));
            assert_eq!(frame(&state), i % 10, "at speed {speed}");
        }
    }
}

#[test]
fn steps_pause_and_go_round_where_the_animation_does() {
    let mut state = open();
    for (action, wanted) in [
        (PlaybackAction::Step(-1), 9),
        (PlaybackAction::Step(1), 0),
        (PlaybackAction::LastFrame, 9),
        (PlaybackAction::FirstFrame, 0),
        (PlaybackAction::Seek(4.0), 4),
        (PlaybackAction::Animation(AnimationId(2)), 0),
        (PlaybackAction::Step(-1), 0),
        (PlaybackAction::Step(99), 3),
    ] {
        state.apply(action.clone());
        assert_eq!((frame(&state), state.playback().playing), (wanted, false), "{action:?}");
    }
}

#[test]
fn another_frame_rate_keeps_the_frame_on_screen() {
    let mut state = open();
    state.apply(PlaybackAction::Advance(0.35));
    assert_eq!(frame_after(&mut state, PlaybackAction::Fps(Some(25.0))), 3);
    assert_eq!(frame_after(&mut state, PlaybackAction::Advance(2.0 / 25.0)), 5);
    state.apply(PlaybackAction::Fps(Some(f64::NAN)));
    assert_eq!((state.playback().fps, frame(&state)), (None, 5));
    state.apply(PlaybackAction::Fps(Some(0.0)));
    assert!(state.playback().fps.unwrap() > 0.0);
}

#[test]
fn meshes_move_in_the_draw_order_and_are_given_back() {
    let mut state = open();
    assert_eq!(order(&state), [2, 1, 0]);
    for (mesh, step, wanted) in [
        (0, OrderStep::Up, [2, 0, 1]),
        (0, OrderStep::Up, [0, 2, 1]),
        (0, OrderStep::Up, [0, 2, 1]),
        (2, OrderStep::Down, [0, 1, 2]),
    ] {
        state.apply(PartAction::MoveMesh(MeshId(mesh), step));
        assert_eq!(order(&state), wanted);
    }
    assert_eq!(drawn(&state), [2, 1, 0]);
    (0..3).for_each(|mesh| state.apply(PartAction::ResetMesh(MeshId(mesh))));
    assert_eq!(order(&state), [2, 1, 0]);
}

#[test]
fn the_camera_follows_the_fit_until_it_is_moved_and_an_empty_window_changes_nothing() {
    let mut state = open();
    let fitted = state.camera();
    state.apply(CameraAction::Viewport([800, 600]));
    assert_eq!(state.camera().zoom, fitted.zoom * 2.0);
    state.apply(CameraAction::Pan([10.0, 0.0]));
    let moved = state.camera();
    state.apply(CameraAction::Viewport(SIZE));
    assert_eq!(state.camera(), moved);
    state.apply(CameraAction::Fit);
    assert_eq!(state.camera(), fitted);
    let under = fitted.world_at([37.0, 211.0], SIZE);
    state.apply(CameraAction::Zoom(1.5, [37.0, 211.0]));
    let after = state.camera().world_at([37.0, 211.0], SIZE);
    assert!((under[0] - after[0]).abs() + (under[1] - after[1]).abs() < 1e-9);
    use CameraAction::{Fit, Viewport, Zoom};
    for action in [Fit, Viewport([0, 0]), Fit, Zoom(2.0, [0.0, 0.0]), Viewport(SIZE), Fit] {
        state.apply(action);
    }
    assert_eq!(state.camera(), fitted);
}

#[test]
fn the_bind_pose_can_be_chosen_at_once() {
    let mut state = open();
    let source = |state: &State| state.model().unwrap().subject().bind().unwrap().source();
    assert_eq!(source(&state), BindSource::Named(AnimationId(0)));
    state.apply(PlaybackAction::Bind(BindChoice::Frame(AnimationId(1), 5)));
    assert_eq!(source(&state), BindSource::Chosen(AnimationId(1), 5));
    assert_eq!(state.model().unwrap().frame().pose().world_from_bind()[0][0][2], -50.0);
    state.apply(PlaybackAction::Bind(BindChoice::Auto));
    assert_eq!(source(&state), BindSource::Named(AnimationId(0)));
}

#[test]
fn a_bad_file_leaves_everything_as_it_is_and_says_what_is_wrong_until_a_good_one() {
    let mut state = open();
    apply!(state, PlaybackAction::Advance(0.3), PartAction::ShowMesh(MeshId(1), Some(false)));
    state.apply(CameraAction::Pan([3.0, 4.0]));
    let (camera, shown) = (state.camera(), drawn(&state));
    open_files(&mut state, &["bad.pchr"], 0);
    assert!(state.loading().is_some());
    finish(&mut state, b"PCHR\x01\x00\x00\x00");
    let problem = state.problem().unwrap();
    let finding = problem.finding.as_ref().unwrap();
    assert_eq!(finding.rule, PchrRule::UnexpectedEnd);
    assert!(problem.text().contains(finding.rule.id()), "{}", problem.text());
    assert_eq!((state.camera(), drawn(&state), frame(&state)), (camera, shown, 3));
    assert!(state.loading().is_none());
    finish(&mut state, file());
    assert!(state.problem().is_none());
}

#[test]
fn only_the_newest_load_counts() {
    let mut state = State::new(&ViewerOptions::default());
    let old = state.files.load;
    open_files(&mut state, &["new.pchr"], 0);
    let source = Source::Sample(file());
    let result = load(&source, || true).map(Arc::new);
    let done = LoadDone { id: old, source, files: Vec::new(), result };
    state.apply(FileAction::Loaded(done.clone()));
    assert!(state.model().is_none());
    state.apply(FileAction::Loaded(LoadDone { id: state.files.load, ..done }));
    assert!(state.model().is_some());
}

#[test]
fn an_image_that_does_not_decode_is_replaced_and_reported() {
    let mut parts = parts();
    parts.images[0].format = ImageFormat::Png;
    let mut state = empty();
    finish(&mut state, written(&parts));
    let finding = state.problem().unwrap().finding.as_ref().unwrap();
    assert_eq!(finding.rule, PchrRule::ImageDecode);
    assert_eq!(finding.path, "images[0].data");
    assert!(state.model().unwrap().images()[0].base().width > 1);
}

#[test]
fn the_command_line_says_what_is_seen_first() {
    let items = "bones,grid,weights=#0,mesh=#0,onion=2,1";
    let state = open_with(ViewerOptions {
        shown: Shown {
            animation: Some("once".into()),
            frame: Some(FrameSpec::One(2)),
            bind: Some("walk:3".into()),
            zoom: Some(2.0),
            y_down: Some(true),
            hide: vec!["#0".into()],
            overlay: vec![items.parse().unwrap()],
            filter: FilterArg::Nearest,
            looping: Some(LoopArg::Off),
            ..Shown::default()
        },
        playing: Playing { paused: Some(true), ..Playing::default() },
        ..ViewerOptions::default()
    });
    assert!(state.problem().is_none(), "{:?}", state.problem());
    assert_eq!((state.playback().animation, frame(&state)), (Some(AnimationId(2)), 2));
    assert_eq!(state.camera().zoom, 2.0);
    assert!(state.camera().y_down && !state.playback().playing);
    let source = |state: &State| state.model().unwrap().subject().bind().unwrap().source();
    assert_eq!(source(&state), BindSource::Chosen(AnimationId(1), 3));
    assert_eq!(state.mesh_view(MeshId(0)).visible, Some(false));
    let overlays = state.overlays(1);
    assert!(overlays.has(Layer::Bones) && overlays.has(Layer::Grid) && !overlays.has(Layer::Names));
    assert_eq!((overlays.weights, overlays.mesh), (Some(BoneId(0)), Some(MeshId(0))));
    assert_eq!((overlays.onion.before, overlays.onion.after), (2, 1));
    assert_eq!(state.picture().filter, Filter::Nearest);
    assert_eq!(state.playback().mode, Some(LoopMode::Once));
    let (animation, bind) = (Some("2".into()), Some("none".into()));
    let by_index = open_with(of_look(Shown { animation, bind, ..Shown::default() }));
    assert_eq!(by_index.playback().animation, Some(AnimationId(2)));
    assert_eq!(source(&by_index), BindSource::Disabled);
    let missing = open_with(of_look(Shown { hide: vec!["wing".into()], ..Shown::default() }));
    let problem = missing.problem().unwrap();
    assert!(problem.title.contains("No mesh matches \"wing\""), "{problem:?}");
}

#[test]
fn what_is_asked_for_and_not_there_is_said_and_the_file_is_shown() {
    let no_frame =
        "Animation \"walk\": frame 10 does not exist; the animation has 10 frames, 0..=9";
    let no_clip = "Option animation: available: \"bind\", \"walk\", \"once\"";
    let no_bind = "Option bind: available: \"bind\", \"walk\", \"once\"";
    for (animation, frame, bind, message) in [
        (Some("run"), None, None, no_clip),
        (None, Some(FrameSpec::One(10)), None, no_frame),
        (None, None, Some("walk:10"), "Option bind: the animation has 10 frames"),
        (None, None, Some("sit"), no_bind),
    ] {
        let (animation, bind) = (animation.map(Into::into), bind.map(Into::into));
        let state = open_with(of_look(Shown { animation, frame, bind, ..Shown::default() }));
        assert_eq!(state.problem().unwrap().message, message);
        assert!(state.model().is_some());
    }
}

#[test]
fn a_file_without_anything_is_shown_as_nothing() {
    let mut state = empty();
    finish(&mut state, written(&DocumentParts::default()));
    use PlaybackAction::{Advance, Fps, LastFrame, Seek, Step, TogglePlay};
    let all = [TogglePlay, TogglePlay, Step(1), LastFrame, Seek(3.0), Advance(1.0), Fps(Some(3.0))];
    all.into_iter().for_each(|action| state.apply(action));
    apply!(state, CameraAction::Fit, PartAction::ResetMeshes);
    assert_eq!(state.until_change(), None);
    assert_eq!(drawn(&state), [0; 0]);
}
