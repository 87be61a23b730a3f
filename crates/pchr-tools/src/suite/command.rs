//! The command that takes one picture of a suite alone, for a POSIX shell in the suite's folder.
//!
//! Reports may be read on a different system than they are written on, so there is one shell for all of them.

use pchr::document::AnimationId;
use pchr::playback::Mix;
use pchr::scene::{Camera, Subject};

use super::cases::Case;
use crate::capture::Shot;
use crate::text::is_hidden;
use crate::text::shell::{self, Word};
use crate::view::{Point, ViewDirection, up_name};

/// Options of a case that the picture determines.
const DECIDED: [&str; 13] = [
    "animation",
    "frame",
    "time",
    "mix",
    "mix-frame",
    "mix-time",
    "fit",
    "center",
    "zoom",
    "resolution",
    "view",
    "fov",
    "up",
];

/// Returns what identifies one animation: its name, or else its number.
fn named(subject: &dyn Subject, id: AnimationId) -> String {
    let name = subject.animation_name(id);
    // If two animations share a name, the name selects the first.
    let names = subject.animation_names();
    let same = names.filter(|other| *other == name).count();
    let plain = same == 1 && name != "all" && !name.is_empty() && !name.contains(is_hidden);
    match plain {
        true => name.to_owned(),
        false => format!("#{}", id.0),
    }
}

/// Returns the command.
pub(super) fn of(case: &Case, shot: &Shot, subject: &dyn Subject) -> String {
    let mut options = Vec::new();
    let decided = |word: &String| {
        let name = word
            .trim_start_matches("--")
            .split('=')
            .next()
            .unwrap_or_default();
        DECIDED.contains(&name)
    };
    let camera = shot.camera;
    if let Some(at) = shot.at {
        let view = &case.view;
        let own = named(subject, at.animation);
        options.push(match shot.mix {
            None => format!("--animation={own}"),
            Some(Mix { to, amount }) => {
                // The colon between the names is the only one.
                let both = [at.animation, to.animation].map(|id| {
                    let name = named(subject, id);
                    match name.contains(':') {
                        true => format!("#{}", id.0),
                        false => name,
                    }
                });
                format!("--mix={}:{amount}", both.join(":"))
            }
        });
        options.push(match view.time {
            Some(seconds) => format!("--time={seconds}"),
            None => format!("--frame={}", at.frame),
        });
        if let Some(Mix { to, .. }) = shot.mix {
            options.extend(match (view.mix_time, &view.mix_frame, view.time) {
                (Some(seconds), ..) => Some(format!("--mix-time={seconds}")),
                (None, None, Some(_)) => None, // the same time as the other animation
                (None, ..) => Some(format!("--mix-frame={}", to.frame)),
            });
        }
    }
    options.push(format!("--resolution={}", case.view.resolution));
    match camera {
        Camera::Flat(camera) => options.push(format!("--center={}", Point::Flat(camera.center))),
        Camera::Orbit(camera) => {
            let direction = ViewDirection([camera.yaw, camera.pitch]);
            options.push(format!("--center={}", Point::Space(camera.target)));
            options.push(format!("--view={direction}"));
            options.push(format!("--fov={}", camera.fov));
            options.push(format!("--up={}", up_name(camera.up)));
        }
    }
    options.push(format!("--zoom={}", camera.zoom()));
    options.extend(
        case.options
            .typed()
            .into_iter()
            .filter(|word| !decided(word)),
    );
    options.push("--output=actual.png".to_owned());
    let mut words: Vec<Word> = vec!["pchr-view".into(), "capture".into(), case.typed.clone()];
    words.extend(options.into_iter().map(Word::from));
    shell::posix(&words)
}
