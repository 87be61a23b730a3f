//! Skeletons and motions that are dropped on the current content.

use super::curves::MOTION;
use super::file::showing_a;
use super::orbit::points;
use super::*;
use crate::viewer::loaded::Candidate;

fn drop_files(state: &mut State, paths: &[&str]) {
    state.apply(FileAction::Open(paths.iter().map(PathBuf::from).collect()));
}

fn companions(requests: &[Request]) -> Option<Companions> {
    wish_of(requests).map(|wish| wish.companions.clone())
}

fn skeleton(state: &mut State) -> Option<PathBuf> {
    companions(&asked(state)).unwrap().skeleton
}

/// The file and the skeleton of the load that was asked for last.
fn loads(state: &mut State) -> (String, Option<PathBuf>) {
    let requests = asked(state);
    let file = load_of(&requests).unwrap().to_str().unwrap().to_owned();
    (file, companions(&requests).unwrap().skeleton)
}

fn answers(state: &State) -> Vec<String> {
    let question = state.question();
    let labels = question.map(|question| question.answers.iter()).into_iter().flatten();
    labels.map(|answer| answer.label.clone()).collect()
}

fn answer(state: &mut State, index: usize) {
    state.apply(state.question().unwrap().answers[index].action.clone());
}

/// Two skeletons with their numbers of bones.
const TWO: [(&str, Option<usize>); 2] =
    [("x/hero.skl.pxd", Some(12)), ("x/enemy.skl.pxd", Some(1))];

fn candidates(skeletons: &[(&str, Option<usize>)]) -> Vec<Candidate> {
    skeletons.iter().map(|(path, bones)| Candidate { path: path.into(), bones: *bones }).collect()
}

/// Answers the load that was asked for last with a motion that lies beside these skeletons.
fn finish_beside(state: &mut State, bytes: &'static [u8], skeletons: &[(&str, Option<usize>)]) {
    let mut loaded = load(&Source::Sample(bytes), || true).unwrap();
    loaded.rig.candidates = candidates(skeletons);
    finish_loaded(state, &[], Ok(loaded));
}

/// A window that shows tracks without a skeleton.
fn alone() -> State {
    showing(&["walk.seanim"], points())
}

#[test]
fn a_skeleton_that_is_dropped_on_a_motion_is_its_skeleton() {
    let mut state = alone();
    drop_files(&mut state, &["x/hero.skl.pxd"]);
    let wanted = ("walk.seanim".into(), Some("x/hero.skl.pxd".into()));
    assert_eq!(loads(&mut state), wanted);
    let mut state = alone();
    drop_files(&mut state, &["hero.glb"]);
    assert_eq!(asked(&mut state), [], "glTF is asked about");
    assert_eq!(answers(&state), ["Use as skeleton", "Open"]);
    answer(&mut state, 0);
    assert_eq!(skeleton(&mut state), Some("hero.glb".into()));
    assert_eq!(state.question(), None);
}

#[test]
fn a_damaged_skeleton_that_is_dropped_is_given_up_and_named() {
    let mut state = alone();
    drop_files(&mut state, &["x/bad.skl.pxd"]);
    let damaged = || Err(LoadError::Io("x/bad.skl.pxd is damaged".into()));
    finish_loaded(&mut state, &[], damaged());
    assert_eq!(state.problem().unwrap().title, "bad.skl.pxd could not be opened");
    assert!(state.note().is_none(), "no version of it was ever shown");
    // The motion is read again without it.
    assert_eq!(skeleton(&mut state), None);
    finish_file(&mut state, points());
    assert!(state.problem().is_some(), "until it is dismissed");
    // One that was used and is damaged then leaves the last good version.
    drop_files(&mut state, &["x/hero.skl.pxd"]);
    finish_file(&mut state, points());
    state.apply(FileAction::Reload);
    let _ = asked(&mut state);
    finish_loaded(&mut state, &[], damaged());
    assert!(state.note().is_some());
}

#[test]
fn motions_that_are_dropped_with_a_character_are_asked_about() {
    let drop = |state: &mut State| {
        drop_files(state, &["wave.seanim", "hero.pchr", "walk.anm.pxd"]);
        list_files(state, &["hero.pchr"], 0);
        let _ = asked(state);
    };
    let mut state = alone();
    drop(&mut state);
    finish_file(&mut state, file());
    assert_eq!(answers(&state)[0], "Play on hero.pchr");
    answer(&mut state, 0);
    let motions = companions(&asked(&mut state)).unwrap().motions;
    assert_eq!(motions, ["wave.seanim", "walk.anm.pxd"].map(PathBuf::from));
    // They are forgotten if the character cannot be opened, or another one is.
    drop(&mut state);
    finish_loaded(&mut state, &[], Err(LoadError::Io("gone".into())));
    show(&mut state, &["other.pchr"], file());
    assert!(state.question().is_none());
    drop(&mut state);
    show(&mut state, &["other.pchr"], file());
    assert!(state.question().is_none());
}

#[test]
fn a_picture_that_is_dropped_may_become_the_background() {
    let mut state = alone();
    drop_files(&mut state, &["x/Sky.PNG"]);
    assert!(load_of(&asked(&mut state)).is_none());
    let question = state.question().unwrap();
    assert_eq!(question.text, "Sky.PNG is a picture. Use it as…");
    answer(&mut state, 0);
    assert!(state.question().is_none());
    assert!(state.take_requests().contains(&Request::ReadBackground("x/Sky.PNG".into())));
    // Of several, the first one is asked about; with other files they are its companions.
    drop_files(&mut state, &["a.png", "b.PNG"]);
    assert!(state.question().unwrap().text.starts_with("a.png is a picture"));
    answer(&mut state, 0);
    drop_files(&mut state, &["a.png", "b.pchr"]);
    assert!(state.question().is_none());
}

#[test]
fn a_skeleton_among_motions_is_shown_with_each_and_the_one_on_show_is_offered_to_the_next() {
    let files = ["b.anm.pxd", "hero.skl.pxd", "c.anm.pxd"];
    let loads_with_hero = |state: &mut State, file: &str| {
        assert_eq!(loads(state), (file.into(), Some("hero.skl.pxd".into())));
    };
    let mut state = open();
    drop_files(&mut state, &files);
    list_files(&mut state, &files, 0);
    loads_with_hero(&mut state, "b.anm.pxd");
    finish_file(&mut state, points());
    assert_eq!(state.file_of(), Some((0, 2)));
    let _ = asked(&mut state);
    state.apply(FileAction::NextFile);
    loads_with_hero(&mut state, "c.anm.pxd");
    // Also of a command line.
    let files = of_files(&["hero.skl.pxd", "a.anm.pxd", "b.anm.pxd"]);
    loads_with_hero(&mut State::new(&files), "a.anm.pxd");
    let mut state = showing(&["hero.glb"], WALK);
    open_files(&mut state, &["wave.seanim"], 0);
    let offered = companions(&asked(&mut state)).unwrap();
    let hero = Some(std::path::absolute("hero.glb").unwrap());
    let is_offered = |path: &PathBuf| Some(std::path::absolute(path).unwrap()) == hero;
    assert!(offered.offered.as_ref().is_some_and(is_offered) && offered.skeleton.is_none());
}

/// A window that shows `a.pchr`, on which a motion was dropped.
fn asked_about_a_wave() -> State {
    let mut state = showing_a();
    drop_files(&mut state, &["wave.seanim"]);
    state
}

#[test]
fn a_motion_on_a_character_is_played_or_opened() {
    let mut state = asked_about_a_wave();
    assert_eq!(asked(&mut state), []);
    assert_eq!(answers(&state), ["Play on a.pchr", "Open"]);
    answer(&mut state, 0);
    let requests = asked(&mut state);
    assert_eq!(load_of(&requests).unwrap().to_str(), Some("a.pchr"));
    assert_eq!(companions(&requests).unwrap().motions, [PathBuf::from("wave.seanim")]);

    let mut state = asked_about_a_wave();
    answer(&mut state, 1);
    let requests = asked(&mut state);
    assert!(matches!(requests.as_slice(), [Request::List(..)]), "{requests:?}");

    // A dialog that was closed opens nothing, and asks nothing.
    let mut state = showing_a();
    drop_files(&mut state, &[]);
    assert_eq!(asked(&mut state), []);
    assert_eq!(state.question(), None);

    // A question is dismissed like a message; opening another file asks nothing.
    let mut state = asked_about_a_wave();
    state.apply(Action::Dismiss);
    assert_eq!(state.question(), None);
    drop_files(&mut state, &["b.pchr"]);
    assert_eq!(state.question(), None);
    assert!(matches!(asked(&mut state).as_slice(), [Request::List(..)]));
}

#[test]
fn motions_that_cannot_be_played_leave_the_character_as_it_was() {
    let mut state = asked_about_a_wave();
    answer(&mut state, 0);
    let _ = asked(&mut state);
    finish_loaded(&mut state, &[], Err(LoadError::Io("no bone of it".into())));
    let problem = state.problem().unwrap();
    assert_eq!(problem.title, "wave.seanim cannot be played on a.pchr");
    assert!(state.motions().is_empty());
    let _ = asked(&mut state);
    state.apply(FileAction::Reload);
    assert!(companions(&asked(&mut state)).unwrap().motions.is_empty());
}

#[test]
fn motions_stay_with_the_character_that_they_were_chosen_for() {
    let mut state = showing(&["a.pchr", "b.pchr"], file());
    let wave = [PathBuf::from("wave.seanim")];
    drop_files(&mut state, &["wave.seanim"]);
    answer(&mut state, 0);
    assert_eq!(companions(&asked(&mut state)).unwrap().motions, wave);
    finish_file(&mut state, file());
    assert_eq!(state.motions(), wave);
    let _ = asked(&mut state);
    for (step, expected) in [(FileAction::NextFile, &[][..]), (FileAction::PreviousFile, &wave[..])]
    {
        state.apply(step);
        assert_eq!(companions(&asked(&mut state)).unwrap().motions, expected);
        finish_file(&mut state, file());
        assert_eq!(state.motions(), expected);
    }
}

#[test]
fn where_several_skeletons_lie_beside_a_motion_the_user_is_asked_and_told_which_fits() {
    let mut state = open();
    open_files(&mut state, &["walk.anm.pxd", "run.anm.pxd"], 0);
    finish_beside(&mut state, points(), &[("x/alpha.skl.pxd", Some(2)), ("x/beta.skl.pxd", None)]);
    assert_eq!(answers(&state), ["alpha.skl.pxd, 2 bones", "beta.skl.pxd"]);
    let _ = asked(&mut state);
    answer(&mut state, 1);
    assert_eq!(skeleton(&mut state), Some("x/beta.skl.pxd".into()));
    // Other motions in the list may have their own skeleton; this one is only for those without.
    finish_file(&mut state, WALK);
    state.apply(FileAction::NextFile);
    let next = companions(&asked(&mut state)).unwrap();
    assert_eq!(next.offered, Some("x/beta.skl.pxd".into()));
    assert_eq!(next.skeleton, None);
    finish_file(&mut state, WALK);
    // It stays that of the motion, also after another one was dropped on another motion.
    drop_files(&mut state, &["x/gamma.skl.pxd"]);
    assert_eq!(skeleton(&mut state), Some("x/gamma.skl.pxd".into()));
    finish_file(&mut state, WALK);
    state.apply(FileAction::PreviousFile);
    assert_eq!(skeleton(&mut state), Some("x/beta.skl.pxd".into()));
    finish_file(&mut state, WALK);
    drop_files(&mut state, &["x/gamma.skl.pxd"]);
    assert_eq!(skeleton(&mut state), Some("x/gamma.skl.pxd".into()));
    let question = Question::of_skeletons("walk.anm.pxd", Some(12), &candidates(&TWO)).unwrap();
    assert_eq!(question.text, "Skeleton of walk.anm.pxd (12 tracks)?");
    let labels = question.answers.iter().map(|answer| answer.label.as_str());
    assert!(labels.eq(["hero.skl.pxd, 12 bones, fits", "enemy.skl.pxd, 1 bone"]));
}

#[test]
fn a_question_about_a_motion_goes_away_with_it() {
    let mut state = open();
    open_files(&mut state, &["walk.anm.pxd", "hero@run.anm.pxd"], 0);
    finish_beside(&mut state, points(), &TWO);
    assert!(state.question().is_some());
    state.apply(FileAction::NextFile);
    assert_eq!(state.question(), None);
    finish_file(&mut state, WALK);
    assert_eq!(state.question(), None);
    // A question about a picture does not depend on the file.
    drop_files(&mut state, &["sky.png"]);
    read_as(&mut state, FileAction::PreviousFile, WALK);
    assert!(state.question().is_some());
}

#[test]
fn another_skeleton_can_be_chosen_for_a_motion_that_has_one() {
    let mut state = showing(&["walk.anm.pxd"], WALK);
    state.apply(FileAction::ChooseSkeleton);
    let requests = asked(&mut state);
    assert!(wish_of(&requests).is_some_and(|wish| wish.skeletons), "{requests:?}");
    finish_beside(&mut state, WALK, &TWO);
    assert_eq!(answers(&state).len(), 2);
    answer(&mut state, 1);
    assert_eq!(skeleton(&mut state), Some("x/enemy.skl.pxd".into()));
    finish_file(&mut state, WALK);
    assert_eq!(state.question(), None);
    // Without any it says so, and a character has none.
    read_as(&mut state, FileAction::ChooseSkeleton, WALK);
    let said = state.said().unwrap().text.clone();
    assert!(said.starts_with("No .skl.pxd file lies beside"), "{said}");
    let mut state = showing_a();
    state.apply(FileAction::ChooseSkeleton);
    assert_eq!(asked(&mut state), []);
}

#[test]
fn from_a_skeleton_beside_its_motions_the_first_one_comes_next() {
    let all = ["a.anm.pxd", "b.anm.pxd", "hero.skl.pxd"];
    // The motions are found before it is read, or after.
    for early in [true, false] {
        let mut state = open();
        open_files(&mut state, &["hero.skl.pxd"], 0);
        if early {
            list_files(&mut state, &all, 2);
        }
        finish_file(&mut state, WALK);
        if !early {
            list_files(&mut state, &all, 2);
        }
        assert_eq!((state.file_of(), state.files_beside()), (None, Some(2)));
        assert_eq!(state.listed_files().1, None);
        assert!(state.can_walk(1) && !state.can_walk(-1));
        let _ = asked(&mut state);
        state.apply(FileAction::PreviousFile);
        assert_eq!(asked(&mut state), []);
        assert_eq!(asks(&mut state, FileAction::NextFile).as_deref(), Some("a.anm.pxd"));
        finish_file(&mut state, WALK);
        assert_eq!((state.file_of(), state.files_beside()), (Some((0, 2)), None));
        assert_eq!(state.listed_files().1, Some(0));
    }
}

#[test]
fn a_note_names_the_file_that_is_missing_or_damaged() {
    let invalid = |path: &str, message: &str| {
        let mut found = pchr::finding::Findings::default();
        let rule = pchr_foreign::motion::ArmatureRule::Companion;
        found.add(rule, 0, || path.to_owned(), || message.to_owned());
        Err(LoadError::Invalid(pchr::finding::Invalid(found)))
    };
    let gone = Err(LoadError::Io("No such file".into()));
    for (error, told) in [
        (invalid("file", "cannot read hero.skl.pxd: No such file"), "hero.skl.pxd is missing"),
        (invalid("hero.skl.pxd: bones[1]", "the file ends at byte 64"), "hero.skl.pxd is damaged"),
        (gone, "walk.anm.pxd was deleted or moved"),
    ] {
        let mut state = showing(&["walk.anm.pxd"], WALK);
        state.apply(FileAction::Changed("walk.anm.pxd".into()));
        finish_loaded(&mut state, &["x/hero.skl.pxd"], error);
        let told = format!("{told}, showing the last good version");
        assert_eq!(state.note().unwrap().text, told);
    }
}

#[test]
fn a_skeleton_that_was_found_stays_that_of_the_motion_when_it_is_read_again() {
    let found = |bytes| {
        let mut state = open();
        open_files(&mut state, &["walk.anm.pxd"], 0);
        let mut loaded = load(&Source::Sample(bytes), || true).unwrap();
        loaded.rig.skeleton = Some("x/hero.skl.pxd".into());
        finish_loaded(&mut state, &["x/hero.skl.pxd"], Ok(loaded));
        let first = companions(&asked(&mut state));
        assert!(first.unwrap_or_default().skeleton.is_none());
        state.apply(FileAction::Changed("walk.anm.pxd".into()));
        let again = companions(&asked(&mut state)).unwrap().skeleton;
        (state, again)
    };
    let (mut state, again) = found(WALK);
    assert_eq!(again, Some("x/hero.skl.pxd".into()));
    finish_loaded(&mut state, &[], Err(LoadError::Io("hero.skl.pxd: No such file".into())));
    let note = state.note().unwrap();
    assert!(note.detail.contains("hero.skl.pxd: No such file"), "{note:?}");
    assert!(note.text.ends_with("the last good version"), "{note:?}");
    // Another one that is chosen goes before it, and what is opened next has its own.
    state.use_skeleton("other.skl.pxd".into());
    assert_eq!(skeleton(&mut state), Some("other.skl.pxd".into()));
    // A skeleton that was never good is searched for again.
    assert_eq!(found(points()).1, None);
}

#[test]
fn a_bone_is_followed_over_motions_that_lack_it() {
    let chosen = |state: &State| {
        let subject = state.model().unwrap().subject();
        let bone = state.chosen_bone().and_then(|bone| subject.bone(bone));
        bone.map(|bone| bone.name().to_owned())
    };
    let mut state = showing(&["a.glb", "a2.glb", "b.seanim", "c.pchr", "d.seanim"], WALK);
    state.apply(PartAction::ChooseBone(Some(BoneId(1))));
    assert_eq!(chosen(&state).as_deref(), Some("head"));
    let mut next = |file| {
        read_as(&mut state, FileAction::NextFile, file);
        chosen(&state)
    };
    assert_eq!(next(WALK).as_deref(), Some("head"));
    assert_eq!((next(MOTION), next(file())), (None, None));
    assert_eq!(next(points()).as_deref(), Some("head"));
    // A version of the file without it, and one with it.
    let mut changed = |file| {
        read_as(&mut state, FileAction::Changed("d.seanim".into()), file);
        chosen(&state)
    };
    assert_ne!(changed(MOTION).as_deref(), Some("head"));
    assert_eq!(changed(points()).as_deref(), Some("head"));
    // Nothing is followed once nothing is chosen.
    read_as(&mut state, FileAction::Show(2), MOTION);
    state.apply(PartAction::ChooseNothing);
    show(&mut state, &["e.pchr"], WALK);
    assert_eq!(chosen(&state), None);
}
