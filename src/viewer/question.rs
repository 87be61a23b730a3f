//! Something that only the user knows, asked over the picture.

use std::path::{Path, PathBuf};

use super::action::{Action, FileAction, LookAction, ReferenceAction};
use super::loaded::Candidate;

/// A question with a button for each answer. It goes away when something else is opened.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    /// The question in a sentence.
    pub text: String,
    /// Answers; the first is the likely one.
    pub answers: Vec<Answer>,
}

/// An answer, and what it does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    /// Its button.
    pub label: String,
    /// More about it, or nothing.
    pub tip: String,
    pub action: Action,
}

impl Question {
    /// Asks what a motion that was dropped is for, while a character is on show.
    pub(crate) fn of_motions(motions: &[PathBuf], character: &str) -> Self {
        let what = named(motions, "motions");
        Self {
            text: format!("{what}: play on {character}, or open?"),
            answers: vec![
                Answer {
                    label: format!("Play on {character}"),
                    tip: String::new(),
                    action: Action::Files(FileAction::PlayMotions(motions.to_vec())),
                },
                open(motions),
            ],
        }
    }

    /// Asks what glTF that was dropped is for, while a motion without a skeleton is on show.
    pub(crate) fn of_rig(path: &PathBuf, motion: &str) -> Self {
        let paths = std::slice::from_ref(path);
        let what = named(paths, "files");
        Self {
            text: format!("{what}: use as the skeleton of {motion}, or open?"),
            answers: vec![
                Answer {
                    label: "Use as skeleton".into(),
                    tip: String::new(),
                    action: Action::Files(FileAction::Skeleton(path.clone())),
                },
                open(paths),
            ],
        }
    }

    /// Asks what a picture that was dropped is for.
    pub(crate) fn of_picture(path: &Path) -> Self {
        let name = super::loaded::Source::File(path.to_owned()).name();
        Self {
            text: format!("{name} is a picture. Use it as background?"),
            answers: vec![
                Answer {
                    label: "Use as background".into(),
                    tip: "Fills what is behind the character, in screenshots too".into(),
                    action: Action::Looking(LookAction::BackgroundFile(path.to_owned())),
                },
                Answer {
                    label: "Use as reference".into(),
                    tip: "Above or below the character, moving with the camera; not in screenshots"
                        .into(),
                    action: Action::Reference(ReferenceAction::Open(path.to_owned())),
                },
            ],
        }
    }

    /// Asks for the skeleton of a motion, if several lie beside it.
    pub(crate) fn of_skeletons(motion: &str, skeletons: &[Candidate]) -> Option<Self> {
        let answers = skeletons.iter().map(|Candidate { path, bones }| Answer {
            label: named(std::slice::from_ref(path), "files"),
            tip: match bones {
                Some(1) => "1 bone".into(),
                Some(bones) => format!("{bones} bones"),
                None => String::new(),
            },
            action: Action::Files(FileAction::Skeleton(path.clone())),
        });
        (!skeletons.is_empty()).then(|| Self {
            text: format!("Skeleton of {motion}?"),
            answers: answers.collect(),
        })
    }
}

fn open(paths: &[PathBuf]) -> Answer {
    Answer {
        label: "Open".into(),
        tip: String::new(),
        action: Action::Files(FileAction::OpenPlain(paths.to_vec())),
    }
}

/// The name of a file, or the number of files.
fn named(paths: &[PathBuf], many: &str) -> String {
    match paths {
        [path] => super::loaded::Source::File(path.clone()).name(),
        paths => format!("{} {many}", paths.len()),
    }
}
