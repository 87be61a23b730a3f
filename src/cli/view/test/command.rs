//! The command that takes one picture of a suite alone.

use super::cases::Case;
use crate::capture::Shot;
use crate::document::Document;

/// What of a case's options the picture decides.
const DECIDED: [&str; 7] = [
    "animation",
    "frame",
    "time",
    "fit",
    "center",
    "zoom",
    "resolution",
];

/// The command, to be typed in the suite's folder.
pub(super) fn of(case: &Case, shot: &Shot, document: &Document) -> String {
    let mut words = Vec::new();
    let decided = |word: &String| {
        let name = word
            .trim_start_matches("--")
            .split('=')
            .next()
            .unwrap_or_default();
        DECIDED.contains(&name)
    };
    let [width, height] = case.args.resolution.0;
    let camera = shot.camera;
    if let Some(at) = shot.at {
        let name = document
            .animation(at.animation)
            .map_or("", |animation| animation.name());
        // Of two animations of one name the first would be meant.
        let same = document
            .animations()
            .filter(|animation| animation.name() == name)
            .count();
        let plain = same == 1 && name != "all" && !name.is_empty();
        words.push(match plain {
            true => format!("--animation={name}"),
            false => format!("--animation=#{}", at.animation.0),
        });
        words.push(match case.args.time {
            Some(seconds) => format!("--time={seconds}"),
            None => format!("--frame={}", at.frame),
        });
    }
    words.push(format!("--resolution={width}x{height}"));
    words.push(format!(
        "--center={},{}",
        camera.center[0], camera.center[1]
    ));
    words.push(format!("--zoom={}", camera.zoom));
    words.extend(
        case.options
            .typed()
            .into_iter()
            .filter(|word| !decided(word)),
    );
    words.push("--output=actual.png".to_owned());
    let quoted: Vec<_> = words.iter().map(|word| quoted(word)).collect();
    format!(
        "pchr-view capture {} {}",
        file(&case.file),
        quoted.join(" ")
    )
}

/// A file as it is typed. Variables that the suite names are left for the shell to read; `$$` is a `$` in suites.
fn file(path: &str) -> String {
    match path.contains('$') && !path.contains(['"', '\\', '`']) {
        true => format!("\"{}\"", path.replace("$$", "\\$")),
        false => quoted(path),
    }
}

/// A word as a shell wants it; of an option only the value is quoted.
fn quoted(word: &str) -> String {
    let quote = |text: &str| shlex::try_quote(text).unwrap_or_default().into_owned();
    match word.split_once('=') {
        Some((option, value)) if option.starts_with("--") => format!("{option}={}", quote(value)),
        _ => quote(word),
    }
}
