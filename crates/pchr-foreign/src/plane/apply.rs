//! An animation for a character by a motion.

use std::collections::HashSet;

use pchr::document::{AnimationParts, Document, TRANSFORM_SIZE};
use pchr::finding::quoted;
use pchr::format::Losses;
use pchr::format::pchr::{BuildError, append_animation, read};
use pchr::pose::{BindPose, is_bind_name, playback_fps};

use super::character::{rest, resting};
use super::job::{PlaneJob, track_name};
use super::options::{ApplyOptions, FrameClock, MOST_TRANSFORMS, Refused, Report, Resampled};
use crate::format::list_reframed;
use crate::motion::{Binding, Dialect, LocalKeys, Motion, Skeleton};

/// An animation, and remarks about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Applied {
    /// The animation, for [`add`](super::apply()).
    pub animation: AnimationParts,
    /// Remarks.
    pub report: Report,
}

/// Makes an animation of a motion: bones are matched by name, their local transforms are projected on the plane. It is called as wanted, if
/// [`free_name`] has nothing against it.
///
/// Bones that no track moves have the bind pose's transform. Visibility and draw order are the bind pose's, too.
///
/// # Errors
/// [`Refused`], in one line.
pub fn apply(
    document: &Document,
    bind: &BindPose,
    motion: &Motion,
    name_wanted: &str,
    options: &ApplyOptions<'_>,
) -> Result<Applied, Refused> {
    let scale = options.scale;
    if !(1e-9..=1e9).contains(&scale) {
        return Err(Refused::Scale(scale));
    }
    if document.animations().len() >= u16::MAX.into() {
        return Err(Refused::Animations);
    }
    let mut report = Report::default();
    let rest = rest(document, bind);
    // Laid over a rest pose in the unit of the motion, and scaled when it is projected.
    let skeleton = resting(document, &rest, scale.recip());
    let binding = bind_tracks(motion, &skeleton, options.names)?;
    let fps = playback_fps(document);
    let (clock, frames) = FrameClock::new(motion, fps, options.timing);
    let frames = frame_count(frames, fps)?;
    check_size(document, frames)?;
    let mut job = PlaneJob::new(motion, &skeleton, &binding, &rest, options);
    let transforms = job.run(clock, frames);

    lose(motion, &mut report.losses);
    if motion.is_timed() {
        let keys = LocalKeys::new(motion, &skeleton, &binding, options.additive)?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a rate of 16 bits, or one of 32-bit floats"
        )]
        let rate = (f64::from(motion.frames_per_second()) / clock.step()) as f32;
        list_reframed(&keys.reframed(rate, Dialect::Seanim), &mut report.losses);
    }
    let name = free_name(document, name_wanted);
    job.report(bind, frames, &mut report);
    report.resampled = clock.resamples().then(|| Resampled {
        from: motion.frames_per_second(),
        to: fps,
        from_frames: motion.frames(),
        to_frames: frames,
    });
    report.renamed = name != name_wanted;
    let animation =
        AnimationParts { name, flags: motion.looped.into(), frame_count: frames, transforms };
    Ok(Applied { animation, report })
}

/// Lists parts of a motion that a character has no place for.
fn lose(motion: &Motion, losses: &mut Losses) {
    let notes = motion.notes.len() as u64;
    if notes > 0 {
        losses.add_many("notes", notes, || "notes[0]".into());
    }
    let custom = motion.custom.as_ref().map_or(0, Vec::len) as u64;
    if custom > 0 {
        losses.add_many("bytes of the custom block", custom, || "custom".into());
    }
}

/// A number of frames that fits.
fn frame_count(frames: f64, fps: f64) -> Result<u16, Refused> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range is checked"
    )]
    if frames <= f64::from(u16::MAX) {
        Ok(frames as u16)
    } else {
        Err(Refused::Frames { frames, fps })
    }
}

fn check_size(document: &Document, frames: u16) -> Result<(), Refused> {
    let bones = document.bones().len();
    let transforms = u64::from(frames).saturating_mul(bones as u64);
    if transforms > MOST_TRANSFORMS {
        return Err(Refused::Transforms { frames, bones });
    }
    let size = transforms.saturating_mul(TRANSFORM_SIZE as u64);
    // A name of any length, flags and the number of frames.
    let bytes = (document.bytes().len() as u64).saturating_add(size).saturating_add(0x1_0005);
    if bytes > u32::MAX.into() {
        return Err(Refused::File { bytes });
    }
    Ok(())
}

/// The bone of each track: of the same index where all names are the same, as in a motion of the same character.
fn bind_tracks(
    motion: &Motion,
    skeleton: &Skeleton,
    names: Option<&Skeleton>,
) -> Result<Binding, Refused> {
    let tracks = motion.tracks();
    let own = tracks.iter().map(|track| track.target.name());
    if own.eq(skeleton.bones().iter().map(|bone| Some(&bone.name))) {
        return Ok(Binding::of_tracks(motion));
    }
    let has_names = tracks.iter().any(|track| track.target.name().is_some());
    let binding = match names {
        Some(names) => Binding::by_names(motion, names, skeleton),
        None if has_names || tracks.is_empty() => Binding::new(motion, skeleton),
        None => return Err(Refused::Unnamed),
    };
    let is_bound = (0..tracks.len()).any(|track| binding.bone(track).is_some());
    match tracks.first() {
        Some(first) if !is_bound => Err(Refused::NoBone {
            tracks: tracks.len(),
            first: quoted(&track_name(first, names)).to_string(),
        }),
        _ => Ok(binding),
    }
}

/// Makes the document that has `animation` behind its own. All else stays as it is, byte for byte.
///
/// # Errors
/// [`BuildError`] if the animation does not fit.
pub fn add(document: &Document, animation: &AnimationParts) -> Result<Document, BuildError> {
    let bytes = append_animation(document, animation)?;
    read(bytes.into()).map_err(|(invalid, _)| invalid.into())
}

/// The name that a new animation gets: as wanted, or with a number from 2 on if another animation has it, or if it would make the
/// animation the [bind pose](pchr::pose::BindSource::Named).
#[must_use]
pub fn free_name(document: &Document, wanted: &str) -> String {
    let taken: HashSet<&str> = document.animations().map(|it| it.name()).collect();
    if !taken.contains(wanted) && !is_bind_name(wanted) {
        return wanted.to_owned();
    }
    let numbered = (2_u32..).map(|number| format!("{wanted} {number}"));
    let mut free = numbered.filter(|name| !taken.contains(name.as_str()));
    free.next().unwrap_or_else(|| wanted.to_owned())
}
