//! The command that takes one picture of a suite alone, for a POSIX shell in the suite's folder.
//!
//! Reports may be read on a different system than they are written on, so there is one shell for all of them.

use super::cases::Case;
use crate::capture::Shot;
use crate::scene::{Camera, Subject};
use crate::text::is_hidden;
use crate::text::shell::{self, Word};
use crate::view::{Point, ViewDirection, up_name};

/// Options of a case that the picture determines.
const DECIDED: [&str; 10] = [
    "animation",
    "frame",
    "time",
    "fit",
    "center",
    "zoom",
    "resolution",
    "view",
    "fov",
    "up",
];

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
        let name = subject.animation_name(at.animation);
        // Of two animations of one name the first would be meant.
        let names = subject.animation_names();
        let same = names.filter(|other| *other == name).count();
        let plain = same == 1 && name != "all" && !name.is_empty() && !name.contains(is_hidden);
        options.push(match plain {
            true => format!("--animation={name}"),
            false => format!("--animation=#{}", at.animation.0),
        });
        options.push(match case.view.time {
            Some(seconds) => format!("--time={seconds}"),
            None => format!("--frame={}", at.frame),
        });
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
