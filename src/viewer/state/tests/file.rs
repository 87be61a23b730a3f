//! Lists of files, and files that are read again.

use pchr_tools::files::Seen;
use pchr_tools::open::Opened;

use super::*;
use crate::viewer::loaded::Loaded;
use crate::viewer::model::bounds_of_all;

/// Answers the load that was asked for last with a file of its own name.
pub(super) fn finish_file(state: &mut State, bytes: &'static [u8]) {
    finish_with(state, bytes, &[]);
}

fn seen(path: &str) -> Seen {
    Seen { path: path.into(), stamp: None }
}

/// The same for a file that names others.
fn finish_with(state: &mut State, bytes: &'static [u8], beside: &[&str]) {
    finish_loaded(state, beside, load(&Source::Sample(bytes), || true));
}

/// Answers the load that was asked for last.
pub(super) fn finish_loaded(state: &mut State, beside: &[&str], loaded: Result<Loaded, LoadError>) {
    let id = state.files.load;
    let source = state.loading().unwrap().clone();
    let result =
        loaded.map(|loaded| Arc::new(Loaded { session: None, source: source.clone(), ..loaded }));
    let name = source.path().and_then(Path::to_str).unwrap();
    let files = [name].iter().chain(beside).map(|path| seen(path)).collect();
    state.apply(FileAction::Loaded(LoadDone { id, source, files, result }));
}

/// Content other than a character, with three images.
fn quads() -> Loaded {
    let opened = Arc::new(Opened::new(Arc::new(crate::quads::Quads::new())));
    let timelines = opened.subject.timelines();
    let bounds = bounds_of_all(&*opened.subject, &ViewOptions::default());
    let images = (0..3).map(|_| Arc::new(Levels::transparent())).collect();
    Loaded { timelines, images, bounds, opened, ..load(&Source::Sample(file()), || true).unwrap() }
}

pub(super) fn asked(state: &mut State) -> Vec<Request> {
    use Request::{List, Load, Watch};
    let is_of_files = |request: &Request| {
        matches!(request, Load(..) | List(..) | Watch(Watched::Open | Watched::Awaited, _))
    };
    state.take_requests().into_iter().filter(is_of_files).collect()
}

pub(super) fn load_of(requests: &[Request]) -> Option<&Path> {
    requests.iter().find_map(|request| match request {
        Request::Load(_, source, _) => source.path(),
        _ => None,
    })
}

/// A file has changed, and has this content now.
fn changed(state: &mut State, path: &str, bytes: &'static [u8]) {
    read_as(state, FileAction::Changed(path.into()), bytes);
}

pub(super) fn showing_a() -> State {
    showing(&["a.pchr"], file())
}

#[test]
fn a_file_that_is_opened_alone_is_read_at_once_and_can_be_walked_from_to_its_neighbours() {
    let mut state = open();
    let _ = asked(&mut state);
    open_files(&mut state, &["b"], 0);
    assert_eq!(load_of(&asked(&mut state)), Some(Path::new("b")));
    // Its neighbours are found before it is read, or after: it is not read twice.
    list_files(&mut state, &["a", "b", "c"], 1);
    assert_eq!(asked(&mut state), []);
    finish_file(&mut state, file());
    assert_eq!(state.file_of(), Some((1, 3)));
    assert_eq!(asks(&mut state, FileAction::PreviousFile).as_deref(), Some("a"));

    show(&mut state, &["x"], file());
    assert_eq!(state.file_of(), None);
    list_files(&mut state, &["x", "y"], 0);
    assert_eq!(state.file_of(), Some((0, 2)));
    // The same for one of the command line.
    let mut state = State::new(&of_files(&["a"]));
    let requests = asked(&mut state);
    assert_eq!(requests.len(), 2);
    assert_eq!(load_of(&requests), Some(Path::new("a")));
    list_files(&mut state, &["a"], 0);
    list_files(&mut state, &["a", "b"], 0);
    assert_eq!(asked(&mut state), []);
}

#[test]
fn reading_again_finds_files_that_were_added_or_removed() {
    let mut state = showing_a();
    list_files(&mut state, &["a.pchr", "b.pchr"], 0);
    read_as(&mut state, FileAction::NextFile, file());
    let lists = |state: &mut State, files: &[&str]| {
        let _ = asked(state);
        state.apply(FileAction::Reload);
        let lists = asked(state).into_iter().filter_map(|request| match request {
            Request::List(_, paths) => Some(paths),
            _ => None,
        });
        let files: Vec<PathBuf> = files.iter().map(Into::into).collect();
        assert_eq!(lists.collect::<Vec<_>>(), [files]);
    };
    lists(&mut state, &["b.pchr"]);
    // The list comes twice, as it does when a file is opened.
    list_files(&mut state, &["b.pchr"], 0);
    list_files(&mut state, &["aa.pchr", "b.pchr", "c.pchr"], 1);
    finish_file(&mut state, file());
    assert_eq!(state.file_of(), Some((1, 3)));

    show(&mut state, &["d.pchr", "e.pchr"], file());
    lists(&mut state, &["d.pchr", "e.pchr"]);
}

/// Answers the last requested list.
fn list(state: &mut State, listing: Listing) {
    state.apply(FileAction::Listed(state.files.listing.0, Ok(listing)));
}

#[test]
fn skipped_files_of_a_drop_and_folders_that_cannot_be_read_are_named() {
    let paths = |paths: &[&str]| paths.iter().map(PathBuf::from).collect::<Vec<_>>();
    for (skipped, unread, said) in [
        (&["a.png"][..], &[] as &[&str], "a.png cannot be opened by itself: skipped"),
        (
            &["/x/a.png", "b.txt", "c"],
            &[],
            "a.png and 2 other files cannot be opened by themselves: skipped",
        ),
        (
            &[],
            &["art/away", "art/lost"],
            "art/away and 1 other folder cannot be read: files may be missing from the list",
        ),
    ] {
        let mut state = open();
        state.apply(FileAction::Open(paths(&["a", "b"])));
        let files = paths(&["hero.json"]);
        let (skipped, unread) = (paths(skipped), paths(unread));
        list(&mut state, Listing { files, skipped, unread, ..Listing::default() });
        assert_eq!(state.said().unwrap().text, said);
        assert_eq!(load_of(&asked(&mut state)), Some(Path::new("hero.json")));
    }
}

#[test]
fn a_list_that_comes_too_late_does_not_count() {
    let mut state = open();
    state.apply(FileAction::Open(vec!["old".into()]));
    let old = state.files.listing.0;
    open_files(&mut state, &["new"], 0);
    let _ = asked(&mut state);
    let listing = Listing { files: vec!["old".into()], ..Listing::default() };
    state.apply(FileAction::Listed(old, Ok(listing)));
    assert_eq!(asked(&mut state), []);
    state.apply(FileAction::Listed(state.files.listing.0, Err(Problem::new("empty", ""))));
    assert_eq!(state.problem().unwrap().title, "empty");
}

#[test]
fn what_is_shown_is_remembered_and_watched_and_what_fails_is_waited_for() {
    let mut state = showing_a();
    open_files(&mut state, &["b.pchr"], 0);
    let _ = asked(&mut state);
    finish_file(&mut state, b"nothing");
    assert_eq!(state.recent(), [Path::new("a.pchr")]);
    assert_eq!(asked(&mut state), [Request::Watch(Watched::Awaited, vec![seen("b.pchr")])]);
    show(&mut state, &["b.pchr"], file());
    assert_eq!(state.recent(), [Path::new("b.pchr"), Path::new("a.pchr")]);
    assert!(asked(&mut state).contains(&Request::Watch(Watched::Open, vec![seen("b.pchr")])));
    state.apply(FileAction::ClearRecent);
    assert_eq!(state.take_requests(), [Request::Remember]);
    assert!(state.recent().is_empty());
}

#[test]
fn a_file_that_could_not_be_opened_is_shown_as_soon_as_it_can_be() {
    let shown = Shown { animation: Some("#0".into()), ..Shown::default() };
    let mut state = State::new(&ViewerOptions { shown, ..of_files(&["a.pchr"]) });
    finish_file(&mut state, b"nothing");
    assert!(state.model().is_none() && state.problem().is_some());
    for (bytes, is_shown) in [(&b"still nothing"[..], false), (file(), true)] {
        let changed = FileAction::Changed("a.pchr".into());
        assert_eq!(asks(&mut state, changed).as_deref(), Some("a.pchr"));
        finish_file(&mut state, bytes);
        assert_eq!(state.model().is_some(), is_shown);
        assert_eq!(state.problem().is_none(), is_shown);
    }
    assert_eq!(state.playback().animation, Some(AnimationId(0)), "as asked for");

    // Also while another one is shown, until something else is asked for.
    show(&mut state, &["b.pchr"], b"nothing");
    state.apply(FileAction::Changed("a.pchr".into()));
    changed(&mut state, "b.pchr", b"nothing");
    let again = asked(&mut state);
    assert_eq!(load_of(&again[3..]), Some(Path::new("a.pchr")), "its change is not forgotten");
    finish_file(&mut state, file());
    changed(&mut state, "b.pchr", file());
    assert_eq!(state.recent()[0], Path::new("b.pchr"));
    show(&mut state, &["c.pchr"], b"nothing");
    let _ = asked(&mut state);
    open_files(&mut state, &["d.pchr"], 0);
    assert!(asked(&mut state).contains(&Request::Watch(Watched::Awaited, Vec::new())));
    finish_file(&mut state, file());
    state.apply(FileAction::Changed("c.pchr".into()));
    assert_eq!(load_of(&asked(&mut state)), None);
}

#[test]
fn a_file_that_became_another_kind_of_content_is_opened_anew() {
    let mut state = showing_a();
    apply!(state, PlaybackAction::Animation(AnimationId(2)), CameraAction::Pan([300.0, 400.0]));
    state.apply(PartAction::ChooseMesh(Some(MeshId(2))));
    state.apply(PartAction::ShowMesh(MeshId(1), Some(false)));
    state.apply(FileAction::Changed("a.pchr".into()));
    finish_loaded(&mut state, &[], Ok(quads()));
    assert_eq!((state.playback().animation, state.chosen_mesh()), (Some(AnimationId(0)), None));
    assert_eq!(state.mesh_view(MeshId(1)).visible, None);
    assert_eq!(state.camera().center, [0.0, 4.0], "fitted");
    assert!(asked(&mut state).contains(&Request::Watch(Watched::Open, vec![seen("a.pchr")])));
    // Of the same kind it is read again.
    state.apply(CameraAction::Pan([300.0, 400.0]));
    let camera = state.camera();
    state.apply(FileAction::Changed("a.pchr".into()));
    finish_loaded(&mut state, &[], Ok(quads()));
    assert_eq!(state.camera(), camera);
}

#[test]
fn who_wants_nothing_watched_has_nothing_watched() {
    let mut settings = ViewerSettings::default();
    settings.config.watch = Some(false);
    let mut state = State::with_settings(&ViewerOptions::default(), &settings);
    show(&mut state, &["b.pchr"], file());
    assert!(asked(&mut state).contains(&Request::Watch(Watched::Open, Vec::new())));
    open_files(&mut state, &["c.pchr"], 0);
    let _ = asked(&mut state);
    finish_file(&mut state, b"nothing");
    assert_eq!(asked(&mut state), []);
}

#[test]
fn a_file_that_is_read_again_keeps_all_that_was_done_to_it() {
    let mut state = showing_a();
    apply!(state, PlaybackAction::Animation(AnimationId(1)), PlaybackAction::TogglePlay);
    apply!(state, PlaybackAction::Seek(3.0), PlaybackAction::Fps(Some(20.0)));
    apply!(state, CameraAction::Pan([3.0, 4.0]), PartAction::ShowMesh(MeshId(1), Some(false)));
    apply!(state, PartAction::ChooseMesh(Some(MeshId(2))), PartAction::ChooseBone(Some(BoneId(1))));
    let (camera, playback) = (state.camera(), state.playback().clone());
    state.apply(FileAction::Changed("a.pchr".into()));
    assert!(matches!(asked(&mut state).as_slice(), [Request::Load(_, _, wish)] if wish.whole));
    // The new version has its meshes, bones and animations in another order.
    let mut parts = parts();
    parts.meshes.reverse();
    parts.animations.reverse();
    finish_file(&mut state, written(&parts));
    assert_eq!(state.camera(), camera);
    assert_eq!(state.playback().fps, Some(20.0));
    assert_eq!(state.playback().playing, playback.playing);
    assert_eq!(state.playback().animation, Some(AnimationId(1)), "walk is in the middle");
    assert_eq!((frame(&state), state.mesh_view(MeshId(1)).visible), (3, Some(false)));
    assert_eq!((state.chosen_mesh(), state.chosen_bone()), (Some(MeshId(0)), Some(BoneId(1))));
    assert!(state.problem().is_none() && state.note().is_none());
    let watched = [Request::Watch(Watched::Open, vec![seen("a.pchr")])];
    assert_eq!(asked(&mut state), watched);
}

#[test]
fn an_animation_that_is_gone_gives_way_to_the_default_and_a_shorter_one_to_its_end() {
    let mut state = showing_a();
    apply!(state, PlaybackAction::Animation(AnimationId(1)), PlaybackAction::LastFrame);
    let mut shorter = parts();
    shorter.animations[1].frame_count = 2;
    shorter.animations[1].transforms.truncate(2 * 3);
    read_as(&mut state, FileAction::Reload, written(&shorter));
    assert_eq!(frame(&state), 1);
    let mut gone = parts();
    gone.animations.truncate(1);
    read_as(&mut state, FileAction::Reload, written(&gone));
    assert_eq!((state.playback().animation, frame(&state)), (Some(AnimationId(0)), 0));
}

#[test]
fn without_the_isolated_mesh_the_others_are_as_before_its_isolation() {
    let mut state = showing_a();
    apply!(state, PartAction::ShowMesh(MeshId(1), Some(false)), PartAction::Solo(MeshId(0)));
    assert_eq!(drawn(&state), [0]);
    let mut gone = parts();
    gone.meshes.remove(0);
    read_as(&mut state, FileAction::Reload, written(&gone));
    assert_eq!(state.solo(), None);
    assert_eq!([0, 1].map(|mesh| state.mesh_view(MeshId(mesh)).visible), [Some(false), None]);
    assert_eq!(drawn(&state), [1]);
}

#[test]
fn a_bad_version_leaves_the_last_good_one_with_a_note_until_the_next_good_one() {
    let mut state = showing_a();
    let shown = drawn(&state);
    changed(&mut state, "a.pchr", b"PCHR\x01\x00");
    let note = state.note().unwrap();
    assert_eq!(note.text, "Export incomplete, showing the last good version");
    for part in ["the file ends at byte 6", "PCHR-E003"] {
        assert!(note.detail.contains(part), "{}", note.detail);
    }
    assert!(state.problem().is_none());
    assert_eq!(drawn(&state), shown);
    assert!(asked(&mut state).contains(&Request::Watch(Watched::Open, vec![seen("a.pchr")])));
    changed(&mut state, "a.pchr", file());
    assert_eq!(state.note(), None);
}

#[test]
fn an_image_file_that_is_half_written_leaves_the_last_good_version_and_one_that_never_was_good_does_not()
 {
    let document = |png: &[u8]| -> &'static [u8] {
        let mut parts = parts();
        parts.images[0].format = ImageFormat::Png;
        parts.images[0].data = png.to_vec();
        written(&parts)
    };
    let pixels = Pixels { width: 2, height: 2, rgba: vec![9; 16] };
    let mut png = Vec::new();
    encode_png(&pixels, Effort::Some, &mut png).unwrap();
    let half = &png[..png.len() / 2];

    let mut state = open();
    open_files(&mut state, &["a.json"], 0);
    finish_with(&mut state, document(&png), &["a.png"]);
    let shown = Arc::as_ptr(state.model().unwrap().loaded());
    state.apply(FileAction::Changed("a.json".into()));
    let _ = asked(&mut state);
    finish_with(&mut state, document(half), &["a.png"]);
    assert_eq!(Arc::as_ptr(state.model().unwrap().loaded()), shown);
    let note = state.note().unwrap();
    assert_eq!(note.text, "a.json is damaged, showing the last good version");
    assert!(note.detail.contains("does not decode"), "{}", note.detail);
    let both = vec![seen("a.json"), seen("a.png")];
    assert_eq!(asked(&mut state), [Request::Watch(Watched::Open, both)]);
    state.apply(FileAction::Changed("a.json".into()));
    finish_with(&mut state, document(&png), &["a.png"]);
    assert_ne!(Arc::as_ptr(state.model().unwrap().loaded()), shown);
    assert_eq!(state.note(), None);

    // Without a better version it is shown, as when it is opened.
    open_files(&mut state, &["b.json"], 0);
    finish_with(&mut state, document(half), &["a.png"]);
    let shown = Arc::as_ptr(state.model().unwrap().loaded());
    state.apply(FileAction::Changed("b.json".into()));
    finish_with(&mut state, document(half), &["a.png"]);
    assert_ne!(Arc::as_ptr(state.model().unwrap().loaded()), shown);
    assert!(state.problem().is_some() && state.note().is_none());
    // And so is a file that holds its images itself.
    show(&mut state, &["c.pchr"], document(&png));
    changed(&mut state, "c.pchr", document(half));
    assert!(state.problem().is_some() && state.note().is_none());
}

#[test]
fn reading_again_takes_the_problems_of_the_file_away_and_no_other() {
    for (name, is_other) in [("a.pchr", false), ("b.pchr", true)] {
        let mut state = showing_a();
        // It was opened once more while it was damaged, or another one.
        open_files(&mut state, &[name], 0);
        let _ = asked(&mut state);
        finish_file(&mut state, b"nothing");
        let problem = state.problem().unwrap().clone();
        assert_eq!(asked(&mut state).is_empty(), !is_other, "it is watched already");
        changed(&mut state, "a.pchr", file());
        assert_eq!(state.problem(), is_other.then_some(&problem));
    }
}

#[test]
fn a_change_waits_for_what_is_being_opened_and_other_files_do_not_matter() {
    let mut state = showing_a();
    state.apply(FileAction::Changed("other.pchr".into()));
    assert_eq!(asked(&mut state), []);
    open_files(&mut state, &["b.pchr"], 0);
    let _ = asked(&mut state);
    state.apply(FileAction::Changed("a.pchr".into()));
    assert_eq!(asked(&mut state), []);
    finish_file(&mut state, b"nothing");
    assert_eq!(load_of(&asked(&mut state)), Some(Path::new("a.pchr")));
    // A change during reading starts it again.
    let changed = FileAction::Changed("a.pchr".into());
    assert_eq!(asks(&mut state, changed).as_deref(), Some("a.pchr"));
    finish(&mut state, file());
    assert!(state.loading().is_none());
}

#[test]
fn a_file_that_ends_early_is_to_be_exported_again() {
    let state = showing(&["cut"], &include_bytes!("../../../../assets/sample.pchr")[..821]);
    let message = &state.problem().unwrap().message;
    assert!(message.ends_with(". Export it again."), "{message}");
}
