//! Smoothness of animations in words, the same in the window and in `pchr validate`.

use pchr::document::{AnimationId, BoneId};
use pchr::finding::{counted, quoted};
use pchr::scene::{ClipEnd, ClipSmoothness, Jump, Pop, PopKind, Subject, Unit};

/// Returns a sentence about a frame that jumps: `bone "hand" jumps by 34.2 px, at most 4.1 px before and after`.
#[must_use]
pub fn pop(subject: &dyn Subject, pop: &Pop) -> String {
    let Jump { bone, distance: by, usual } = pop.jump;
    let [by, usual] = [by, usual].map(|length| distance(subject, length));
    let how = match pop.kind {
        PopKind::Jump => "jumps",
        PopKind::Flick => "jumps away and back",
    };
    let others = match pop.others {
        0 => String::new(),
        more => format!("; {}, too", counted(more, "other bone", "other bones")),
    };
    let swaps = if pop.swaps { "; visibility or draw order changes there" } else { "" };
    let bone = bone_name(subject, bone);
    format!("bone {bone} {how} by {by}, at most {usual} before and after{others}{swaps}")
}

/// Returns what follows "loop" in a sentence about the step from the last frame of an animation to its first: `jumps: bone …`; `None` if
/// nothing is drawn on both.
#[must_use]
pub fn end(subject: &dyn Subject, id: AnimationId, clip: &ClipSmoothness) -> Option<String> {
    let seam = clip.seam.as_ref()?;
    let jump = seam.bones.first()?;
    let bone = bone_name(subject, jump.bone);
    let lengths = [jump.distance, jump.usual, seam.picture, clip.usual];
    let [by, usual, picture, often] = lengths.map(|length| distance(subject, length));
    Some(match seam.end {
        ClipEnd::Jumps => format!(
            "jumps: bone {bone} by {by} from the last frame to the first, at most {usual} before and after; the picture by {picture}, usually {often}"
        ),
        ClipEnd::Elsewhere => {
            let once = if subject.loops(id) == Some(false) { ", and plays once" } else { "" };
            format!("does not close: bone {bone} ends {by} from where it begins{once}")
        }
        ClipEnd::Repeats => {
            "repeats a picture: the last frame is the first again, and a loop shows both".into()
        }
        ClipEnd::Closes => {
            format!(
                "closes: bone {bone} moves by {by} from the last frame to the first, and by {usual} beside"
            )
        }
    })
}

fn bone_name(subject: &dyn Subject, bone: BoneId) -> String {
    quoted(subject.bone(bone).map_or("", |bone| bone.name())).to_string()
}

/// Returns the abbreviation of a subject's unit of length.
#[must_use]
pub fn unit(subject: &dyn Subject) -> &'static str {
    match subject.spatial().map(|spatial| spatial.unit()) {
        None => "px",
        Some(Unit::Scene) => "units",
        Some(Unit::Metres) => "m",
        Some(Unit::Centimetres) => "cm",
    }
}

/// Formats a distance in the world of a subject with about three digits.
fn distance(subject: &dyn Subject, length: f32) -> String {
    let unit = unit(subject);
    let decimals = match length {
        ..99.95 if unit == "px" => 1,
        ..0.995 => 3,
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    let length = if length.is_finite() { length } else { 0.0 };
    format!("{length:.decimals$} {unit}")
}
