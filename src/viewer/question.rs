//! Questions that only the user can answer, and hints for beginners.

use std::path::{Path, PathBuf};

use pchr::finding::counted;
use pchr_tools::view::ImageSwap;

use crate::viewer::action::{
    Action, Ask, CameraAction, FileAction, ImageAction, LookAction, PlaybackAction,
    ReferenceAction, StageAction,
};
use crate::viewer::loaded::Candidate;
use crate::viewer::settings::HintsMemory;
use crate::viewer::switch::{ContentKind, Switch};

/// A question with a button for each answer. It goes away when something else is opened.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    /// The question in a sentence.
    pub text: String,
    /// Answers; the first is the likely one.
    pub answers: Vec<Answer>,
    /// True if it is about the open file, and goes away with it.
    pub of_file: bool,
}

/// An answer, and its effect.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    /// Its button.
    pub label: String,
    /// More about it, or nothing.
    pub tip: String,
    pub action: Action,
}

impl Answer {
    fn new(label: impl Into<String>, tip: impl Into<String>, action: impl Into<Action>) -> Self {
        Self { label: label.into(), tip: tip.into(), action: action.into() }
    }
}

impl Question {
    pub(crate) fn has_answer(&self, action: &Action) -> bool {
        self.answers.iter().any(|answer| answer.action == *action)
    }

    /// Asks before the window closes on a stage that is not saved. The open one can be saved.
    pub(crate) fn of_unsaved(stage: &str, is_open: bool) -> Self {
        let save = is_open.then(|| Answer::new("Save and close", "", StageAction::SaveAndQuit));
        let quit = Answer::new("Close without saving", "", Action::Quit);
        Self {
            text: format!("{stage} is not saved. Close the window?"),
            answers: save.into_iter().chain([quit]).collect(),
            of_file: false,
        }
    }

    /// Asks about the purpose of a dropped motion, while a character is shown.
    pub(crate) fn of_motions(motions: &[PathBuf], character: &str) -> Self {
        let what = named(motions, "motions");
        Self {
            text: format!("{what}: play on {character}, or open?"),
            answers: vec![
                Answer::new(
                    format!("Play on {character}"),
                    "",
                    FileAction::PlayMotions(motions.to_vec()),
                ),
                open(motions),
            ],
            of_file: true,
        }
    }

    /// Asks about the purpose of a dropped glTF file, while a motion without a skeleton is shown.
    pub(crate) fn of_rig(path: &PathBuf, motion: &str) -> Self {
        let paths = std::slice::from_ref(path);
        let what = named(paths, "files");
        Self {
            text: format!("{what}: use as the skeleton of {motion}, or open?"),
            answers: vec![
                Answer::new("Use as skeleton", "", FileAction::Skeleton(path.clone())),
                open(paths),
            ],
            of_file: true,
        }
    }

    /// Asks about the purpose of a dropped picture. It may take the place of the image of a name.
    pub(crate) fn of_picture(path: &Path, image: Option<String>) -> Self {
        let name = crate::viewer::loaded::Source::File(path.to_owned()).name();
        let mut answers = vec![
            Answer::new(
                "Background",
                "Fills what is behind the character, in screenshots too",
                LookAction::BackgroundFile(path.to_owned()),
            ),
            Answer::new(
                "Reference picture",
                "Above or below the character, moving with the camera; not in screenshots",
                ReferenceAction::Open(path.to_owned()),
            ),
        ];
        answers.extend(image.map(|image| {
            Answer::new(
                format!("Image {image}"),
                "In place of the file's, in screenshots and exports too",
                ImageAction::Replace(ImageSwap { image, file: path.to_owned() }),
            )
        }));
        Self { text: format!("{name} is a picture. Use it as…"), answers, of_file: false }
    }

    /// Asks where the missing files of a session are now.
    pub(crate) fn of_missing(session: &str, missing: &[PathBuf]) -> Option<Self> {
        let first = missing.first()?;
        let text = match missing {
            [one] => format!("{session} shows {}, which does not exist", one.display()),
            all => format!("{session} shows {} files that do not exist", all.len()),
        };
        Some(Self {
            text,
            answers: vec![Answer::new(
                format!("Locate {}…", named(std::slice::from_ref(first), "files")),
                first.display().to_string(),
                Action::Ask(Ask::Missing(first.clone())),
            )],
            of_file: false,
        })
    }

    /// Asks for the skeleton of a motion, if several lie beside it. `tracks` is the number of tracks of one that numbers its bones.
    pub(crate) fn of_skeletons(
        motion: &str,
        tracks: Option<usize>,
        skeletons: &[Candidate],
    ) -> Option<Self> {
        let answers = skeletons.iter().map(|Candidate { path, bones }| {
            let mut label = named(std::slice::from_ref(path), "files");
            if let Some(bones) = bones {
                label = format!("{label}, {}", counted(bones, "bone", "bones"));
            }
            if bones.is_some() && *bones == tracks {
                label += ", fits";
            }
            Answer::new(label, "", FileAction::Skeleton(path.clone()))
        });
        let tracks = tracks.map(|count| format!(" ({})", counted(count, "track", "tracks")));
        let tracks = tracks.unwrap_or_default();
        (!skeletons.is_empty()).then(|| Self {
            text: format!("Skeleton of {motion}{tracks}?"),
            answers: answers.collect(),
            of_file: true,
        })
    }
}

fn open(paths: &[PathBuf]) -> Answer {
    Answer::new("Open", "", FileAction::OpenPlain(paths.to_vec()))
}

/// The name of a file, or the number of files.
fn named(paths: &[PathBuf], many: &str) -> String {
    match paths {
        [path] => crate::viewer::loaded::Source::File(path.clone()).name(),
        paths => format!("{} {many}", paths.len()),
    }
}

/// Number of starts in which hints are shown.
const STARTS: u8 = 5;

/// Something that a beginner does not know yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hint {
    Open,
    Play,
    Drag,
    Zoom,
    Find,
}

impl Hint {
    const ALL: [Self; 5] = [Self::Open, Self::Play, Self::Drag, Self::Zoom, Self::Find];

    /// Returns the id in the file of remembered state.
    fn id(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Play => "play",
            Self::Drag => "drag",
            Self::Zoom => "zoom",
            Self::Find => "find",
        }
    }

    /// Returns the hint in words. `key` formats the key of an action.
    pub(crate) fn text(self, kind: ContentKind, key: impl Fn(&Action) -> String) -> String {
        let key_of = |action: Action| Some(key(&action)).filter(|key| !key.is_empty());
        match (self, kind) {
            (Self::Open, _) => match key_of(Action::Ask(Ask::Files)) {
                Some(key) => format!("Drop a file here, or press {key}"),
                None => "Drop a file here".to_owned(),
            },
            (Self::Play, _) => {
                let key = key_of(Action::Playback(PlaybackAction::TogglePlay));
                format!("{} plays and pauses", key.as_deref().unwrap_or("The button"))
            }
            (Self::Drag, ContentKind::Motion) => "Drag to turn, Shift+drag to pan".to_owned(),
            (Self::Drag, ContentKind::Character | ContentKind::Atlas) => "Drag to pan".to_owned(),
            (Self::Zoom, _) => "Scroll to zoom".to_owned(),
            (Self::Find, _) => match key_of(Action::Toggle(Switch::Palette)) {
                Some(key) => format!("{key} finds every action"),
                None => "The magnifier finds every action".to_owned(),
            },
        }
    }

    /// Returns the hint that an action follows.
    fn of(action: &Action) -> Option<Self> {
        match action {
            Action::Files(FileAction::Open(paths) | FileAction::Drop(paths, _))
                if !paths.is_empty() =>
            {
                Some(Self::Open)
            }
            Action::Playback(PlaybackAction::TogglePlay | PlaybackAction::ToggleBackwards) => {
                Some(Self::Play)
            }
            Action::Camera(CameraAction::Pan(_) | CameraAction::Turn(_)) => Some(Self::Drag),
            Action::Camera(CameraAction::Zoom(..) | CameraAction::ZoomBy(_)) => Some(Self::Zoom),
            Action::Toggle(Switch::Palette) => Some(Self::Find),
            _ => None,
        }
    }
}

/// Hints that were followed, and those that are left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hints(HintsMemory);

impl Hints {
    /// Begins a run. `has_files` is true if files were given to open.
    pub(crate) fn new(memory: &HintsMemory, has_files: bool) -> Self {
        let starts = memory.starts.saturating_add(1);
        let mut hints = Self(HintsMemory { starts, ..memory.clone() });
        if has_files {
            hints.follow(Hint::Open);
        }
        hints
    }

    fn is_followed(&self, hint: Hint) -> bool {
        self.0.followed.iter().any(|id| id == hint.id())
    }

    /// Returns true if the hint was not followed before.
    fn follow(&mut self, hint: Hint) -> bool {
        let is_new = !self.is_followed(hint);
        self.0.followed.extend(is_new.then(|| hint.id().to_owned()));
        is_new
    }

    /// Returns the hints to show.
    pub(crate) fn left(&self) -> impl Iterator<Item = Hint> {
        let any = self.is_on() && self.0.starts <= STARTS;
        Hint::ALL.into_iter().filter(move |hint| any && !self.is_followed(*hint))
    }

    /// Returns true if hints are on. None may be left.
    pub(crate) fn is_on(&self) -> bool {
        !self.0.off
    }

    /// Turns hints off, or on again with all of them.
    pub(crate) fn toggle(&mut self) {
        self.0.off = !self.0.off;
        if self.is_on() {
            self.0.followed.clear();
            self.0.starts = 1;
        }
    }

    /// Takes an action. Returns true if it follows a hint for the first time.
    pub(crate) fn take(&mut self, action: &Action) -> bool {
        Hint::of(action).is_some_and(|hint| self.follow(hint))
    }

    /// Returns the state to remember for the next run.
    pub(crate) fn memory(&self) -> HintsMemory {
        HintsMemory { starts: self.0.starts.min(STARTS), ..self.0.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(hints: &Hints) -> Vec<Hint> {
        hints.left().collect()
    }

    #[test]
    fn a_hint_goes_when_it_was_followed_and_stays_away_in_the_next_run() {
        let mut hints = Hints::new(&HintsMemory::default(), false);
        assert_eq!(left(&hints), Hint::ALL);
        let pan = Action::Camera(CameraAction::Pan([1.0, 0.0]));
        assert!(hints.take(&pan));
        assert!(!hints.take(&pan));
        assert!(!hints.take(&Action::Quit));
        assert_eq!(left(&hints), [Hint::Open, Hint::Play, Hint::Zoom, Hint::Find]);
        assert_eq!(left(&Hints::new(&hints.memory(), true)), [Hint::Play, Hint::Zoom, Hint::Find]);
    }

    #[test]
    fn hints_go_after_some_starts_and_come_back_on_demand() {
        let mut memory = HintsMemory::default();
        for _ in 0..STARTS {
            let hints = Hints::new(&memory, false);
            assert_eq!(left(&hints).len(), 5);
            memory = hints.memory();
        }
        let mut hints = Hints::new(&memory, false);
        assert_eq!(left(&hints), []);
        hints.toggle();
        assert!(!hints.is_on());
        hints.toggle();
        assert_eq!(left(&hints).len(), 5);
        hints.toggle();
        assert_eq!(left(&Hints::new(&hints.memory(), false)), []);
    }
}
