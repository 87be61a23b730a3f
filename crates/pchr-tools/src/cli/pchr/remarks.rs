//! Remarks about input files: warnings, and content that was not carried over.

use pchr::finding::Findings;
use pchr::format::{Losses, MovementError};

use super::report::WrittenReport;
use crate::run::messages::Messages;
use crate::text::words;

/// Remarks about the input files, in the order in which they were read.
#[derive(Clone, Debug, Default)]
pub(super) struct Remarks(Vec<About>);

/// Remarks about one file.
#[derive(Clone, Debug, Default)]
pub(super) struct About {
    /// Name of the file in messages.
    name: String,
    /// Warnings about it.
    pub(super) odd: Findings,
    /// Content that was not carried over.
    pub(super) losses: Losses,
}

impl Remarks {
    /// Returns the remarks about a file.
    pub(super) fn of(&mut self, name: &str) -> &mut About {
        let at = self.0.iter().position(|about| about.name == name);
        let at = at.unwrap_or_else(|| {
            self.0.push(About {
                name: name.to_owned(),
                ..About::default()
            });
            self.0.len().saturating_sub(1)
        });
        #[expect(clippy::indexing_slicing, reason = "it was found, or is the last")]
        &mut self.0[at]
    }

    /// Adds the remarks of others.
    pub(super) fn extend(&mut self, others: Self) {
        for other in others.0 {
            let about = self.of(&other.name);
            about.odd.extend(other.odd);
            about.losses.extend(other.losses);
        }
    }

    /// Prints the remarks.
    pub(super) fn say(&self, messages: &Messages) {
        for about in &self.0 {
            messages.oddities(&about.name, &about.odd);
        }
        for about in &self.0 {
            say_losses(&about.name, &about.losses, messages);
        }
    }

    /// Adds the remarks to the report about `main`; other files are named.
    pub(super) fn report(&self, main: &str, report: &mut WrittenReport) {
        for about in &self.0 {
            let prefix = match about.name == main {
                true => String::new(),
                false => format!("{}: ", about.name),
            };
            let warnings = { about.odd.iter() }.map(|finding| format!("{prefix}{finding}"));
            report.warnings.extend(warnings);
            for loss in &about.losses {
                let mut loss = loss.clone();
                loss.first.insert_str(0, &prefix);
                report.not_carried_over.push((&loss).into());
            }
        }
    }
}

/// Warns about content that was not carried over from a file.
pub(super) fn say_losses(file: &str, losses: &Losses, messages: &Messages) {
    for loss in losses {
        let first = if loss.count == 1 { "" } else { "first " };
        let what = counted(loss.what, loss.count);
        let error = loss.error.map(error_in_words).unwrap_or_default();
        messages.warning(&format!(
            "{file}: not carried over: {what} ({first}{}{error})",
            loss.first
        ));
    }
}

/// Formats the errors of movements that are not 0.
fn error_in_words(error: MovementError) -> String {
    let parts = [
        (error.degrees, " degrees"),
        (error.units, " units"),
        (error.scale, " in scale"),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0.0);
    let parts = parts.map(|(number, unit)| format!("{}{unit}", short(number)));
    format!("; largest error {}", parts.collect::<Vec<_>>().join(", "))
}

/// Formats a number with three digits.
fn short(number: f64) -> String {
    let rounded: Result<f64, _> = format!("{number:.2e}").parse();
    rounded.unwrap_or(number).to_string()
}

/// Formats a count with its kind, which is given in the plural.
pub(super) fn counted(kind: &'static str, count: u64) -> String {
    let one = match kind {
        "paddings of pages" => {
            let pages = words::count(count, "page", "pages");
            return format!("the padding of {pages}");
        }
        "reserved flags of animations" | "reserved flags of transforms" => {
            let of = kind.trim_start_matches("reserved flags of ");
            let of = words::count(count, of.trim_end_matches('s'), of);
            return format!("the reserved flags of {of}");
        }
        "reserved header bytes" => "reserved header byte",
        "reserved bits of flags" => "reserved bit of flags",
        "header bytes after the known fields" => "header byte after the known fields",
        "bytes after the last block" => "byte after the last block",
        "exact bytes of names that read the same as another name" => {
            let names = words::count(count, "name", "names");
            return format!("exact bytes of {names} that read the same as another name");
        }
        "pivots" => "pivot",
        "nine-slice borders" => "nine-slice border",
        "parts of polygon outlines" => "part of a polygon outline",
        "frame durations" => "frame duration",
        "scales" => "scale",
        "frame tags" => "frame tag",
        "layers" => "layer",
        "animations" => "animation",
        "normal maps" => "normal map",
        "other files of a multi-pack" => "other file of a multi-pack",
        "other keys" => "other key",
        "folders without sprites" => "folder without sprites",
        "reserved header flags" => "reserved header flag",
        "bytes after the last animation" => "byte after the last animation",
        "rgba8888 images (they become PNG files)" => "rgba8888 image (it becomes a PNG file)",
        "bone ids and signs of zero weights" => "bone id and sign of a zero weight",
        "transforms that are not finite (written as 0, a scale as 1)" => {
            "transform that is not finite (written as 0, a scale as 1)"
        }
        "tracks without a bone in the skeleton" => "track without a bone in the skeleton",
        "differences between bones of the same name" => "difference between bones of the same name",
        "rotations at uneven speed between keys" => "rotation at uneven speed between keys",
        "rotations at even speed between keys" => "rotation at even speed between keys",
        "scales that children do not inherit" => "scale that children do not inherit",
        "scales that children inherit" => "scale that children inherit",
        "shears of bones below scales that differ by axis, or are 0" => {
            "shear of a bone below scales that differ by axis, or are 0"
        }
        "sparse keys below animated scales" => "sparse key below animated scales",
        "meshes" => "mesh",
        "images" => "image",
        "materials" => "material",
        "cameras" => "camera",
        "extensions" => "extension",
        "channels of morph weights" => "channel of morph weights",
        "channels of extensions" => "channel of an extension",
        "channels of nodes that are not bones" => "channel of a node that is not a bone",
        "channels with keys between frames, sampled on each frame" => {
            "channel with keys between frames, sampled on each frame"
        }
        "channels with steps, each of which takes one frame" => {
            "channel with steps, each of which takes one frame"
        }
        "rotation lengths other than 1" => "rotation length other than 1",
        "hidden bones" => "hidden bone",
        "bones with a draw order" => "bone with a draw order",
        "notes" => "note",
        "bytes of the custom block" => "byte of the custom block",
        "loop flags" => "loop flag",
        "frame rates of one-frame motions" => "frame rate of a one-frame motion",
        "additive bones (applied on top of the rest pose)" => {
            "additive bone (applied on top of the rest pose)"
        }
        "flags of bones" => "flag of a bone",
        "tracks with more digits than 32-bit floats hold" => {
            "track with more digits than 32-bit floats hold"
        }
        "names of bones with a NUL, which becomes U+2400" => {
            "name of a bone with a NUL, which becomes U+2400"
        }
        "animations with unknown flags" => "animation with unknown flags",
        "bones with unknown flags" => "bone with unknown flags",
        "bones with rotations beyond ±180 degrees" => "bone with rotations beyond ±180 degrees",
        "transforms that are not finite" => "transform that is not finite",
        "transforms with too many turns to count" => "transform with too many turns to count",
        "custom blocks" => "custom block",
        "bind matrices of bones with a scale of 0" => "bind matrix of a bone with a scale of 0",
        "bones below scales that differ by axis or are 0: glTF shears them" => {
            "bone below scales that differ by axis or are 0: glTF shears it"
        }
        "translations below animated scales, sampled on each frame" => {
            "translation below animated scales, sampled on each frame"
        }
        "numbers of double precision, rounded to single" => {
            "number of double precision, rounded to single"
        }
        "frame rates that are not above 0" => "frame rate that is not above 0",
        "types of motions (applied on top of the rest pose)" => {
            "type of a motion (applied on top of the rest pose)"
        }
        "channels of cubic splines, sampled on each frame" => {
            "channel of cubic splines, sampled on each frame"
        }
        other => other,
    };
    words::count(count, one, kind)
}
