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

impl Question {
    /// Asks about the purpose of a dropped motion, while a character is shown.
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
                Answer {
                    label: "Use as skeleton".into(),
                    tip: String::new(),
                    action: Action::Files(FileAction::Skeleton(path.clone())),
                },
                open(paths),
            ],
            of_file: true,
        }
    }

    /// Asks about the purpose of a dropped picture.
    pub(crate) fn of_picture(path: &Path) -> Self {
        let name = super::loaded::Source::File(path.to_owned()).name();
        Self {
            text: format!("{name} is a picture. Use it as…"),
            answers: vec![
                Answer {
                    label: "Background".into(),
                    tip: "Fills what is behind the character, in screenshots too".into(),
                    action: Action::Looking(LookAction::BackgroundFile(path.to_owned())),
                },
                Answer {
                    label: "Reference picture".into(),
                    tip: "Above or below the character, moving with the camera; not in screenshots"
                        .into(),
                    action: Action::Reference(ReferenceAction::Open(path.to_owned())),
                },
            ],
            of_file: false,
        }
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
            answers: vec![Answer {
                label: format!("Locate {}…", named(std::slice::from_ref(first), "files")),
                tip: first.display().to_string(),
                action: Action::Files(FileAction::Locate(first.clone())),
            }],
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
            label += &match bones {
                Some(1) => ", 1 bone".to_owned(),
                Some(bones) => format!(", {bones} bones"),
                None => String::new(),
            };
            if bones.is_some() && *bones == tracks {
                label += ", fits";
            }
            Answer {
                label,
                tip: String::new(),
                action: Action::Files(FileAction::Skeleton(path.clone())),
            }
        });
        let tracks = match tracks {
            Some(1) => " (1 track)".to_owned(),
            Some(tracks) => format!(" ({tracks} tracks)"),
            None => String::new(),
        };
        (!skeletons.is_empty()).then(|| Self {
            text: format!("Skeleton of {motion}{tracks}?"),
            answers: answers.collect(),
            of_file: true,
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
