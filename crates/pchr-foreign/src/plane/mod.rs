//! Motions on 2D characters, and back.
//!
//! A character lies in the x-y plane of a motion's space: x right, y up, turns about z. [`skeleton()`] gives the bones of a character in
//! its bind pose, [`motion_of()`] one of its animations as a motion, and [`apply()`] makes an animation of any motion, whose values it
//! projects on the plane; [`PlaneRule`](crate::motion::PlaneRule) lists the findings about the rest. [`add()`] makes the new document.
//!
//! A motion that [`motion_of()`] made gives the same numbers back, bit for bit; what has no place in a motion is listed. `docs/PLANE.md`
//! has the meaning.
#![deny(clippy::arithmetic_side_effects)]

mod character;
mod job;

use std::collections::HashSet;

use pchr::document::{AnimationParts, BoneId, Document, TRANSFORM_SIZE};
use pchr::finding::{Findings, counted, quoted};
use pchr::format::Losses;
use pchr::format::pchr::{BuildError, append_animation, read};
use pchr::pose::{BindPose, is_bind_name, playback_fps};

use self::character::{rest, resting};
use self::job::{PlaneJob, track_name};
use crate::format::{list_reframed, list_unheld};
use crate::motion::{
    AdditiveRotation, Binding, Dialect, LocalKeys, Moment, Motion, NameMatch, Skeleton,
    TooManySamples,
};

pub use character::{OF_MESHES, motion_of, skeleton};

/// Choices for applying a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApplyOptions<'a> {
    /// Factor of the motion's translations, from 1e-9 to 1e9: 100 for metres on a character of 100 pixels a metre.
    pub scale: f64,
    /// Frames of the new animation.
    pub timing: Timing,
    /// Movement of the whole model.
    pub root: RootMotionUse,
    /// Reading of rotations in additive SEAnim motions.
    pub additive: AdditiveRotation,
    /// Names for tracks that have an index: the skeleton that the motion was made for.
    pub names: Option<&'a Skeleton>,
}

impl Default for ApplyOptions<'_> {
    fn default() -> Self {
        Self {
            scale: 1.0,
            timing: Timing::default(),
            root: RootMotionUse::default(),
            additive: AdditiveRotation::default(),
            names: None,
        }
    }
}

/// Movement of the whole model, beside that of its bones: a character has no place for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RootMotionUse {
    /// Added to all bones without a parent: the character moves as the model does.
    #[default]
    MoveRoots,
    /// Left out: the character stays on its place.
    LeaveOut,
}

/// Frames of the new animation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timing {
    /// The motion keeps its speed: it is resampled if the character has another frame rate, which all its animations share.
    /// The last frame holds the motion's end.
    #[default]
    Resample,
    /// The motion keeps its frames, and is faster or slower where the character has another rate.
    FrameByFrame,
}

/// Other frames than the motion's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resampled {
    /// Frames per second of the motion.
    pub from: f32,
    /// Frames per second of the character.
    pub to: f64,
    /// Number of frames of the motion.
    pub from_frames: u32,
    /// Number of frames of the new animation.
    pub to_frames: u16,
}

/// The moment of each frame.
#[derive(Clone, Copy, Debug)]
struct FrameClock {
    /// Frames of the motion in a frame of the character.
    step: f64,
    rate: f64,
    last: u32,
}

impl FrameClock {
    /// Farther apart two frames are not the same.
    const NEAR: f64 = 1e-6;

    /// The clock, and the number of frames.
    fn new(motion: &Motion, fps: f64, timing: Timing) -> Result<(Self, u16), Refused> {
        let rate = f64::from(motion.frames_per_second());
        let is_same = (rate - fps).abs() <= fps * Self::NEAR;
        let step = match timing {
            Timing::Resample if !is_same => rate / fps,
            _ => 1.0,
        };
        let last = motion.frames().saturating_sub(1);
        let behind = f64::from(last) / step;
        let frames = (behind - Self::NEAR * behind.max(1.0)).ceil().max(0.0) + 1.0;
        if frames > u16::MAX.into() {
            return Err(Refused::Frames { frames, fps });
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the range is checked"
        )]
        Ok((Self { step, rate, last }, frames as u16))
    }

    /// The moment of a frame, and the motion's frame that has begun then.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "frames from 0 to the last; seconds as motions take them"
    )]
    fn at(&self, frame: u16) -> (Moment, u32) {
        let place = (f64::from(frame) * self.step).min(self.last.into());
        let nearest = place.round();
        if (place - nearest).abs() <= Self::NEAR * nearest.max(1.0) {
            let nearest = nearest as u32;
            return (Moment::Frame(nearest), nearest);
        }
        (Moment::Seconds((place / self.rate) as f32), place as u32)
    }
}

/// Maximum number of transforms that a motion becomes: 65,535 frames of 256 bones.
pub const MOST_TRANSFORMS: u64 = 1 << 24;

/// A motion that makes no animation of a character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// A factor beyond the range.
    #[error("motion scale {0}: expected a number from 1e-9 to 1e9")]
    Scale(f64),
    /// Tracks with indices and no names.
    #[error("the motion does not name its bones; it needs its skeleton")]
    Unnamed,
    /// Tracks of another character.
    #[error(
        "no track matches a bone of the character ({}; the first is {first})",
        counted(.tracks, "track", "tracks")
    )]
    NoBone {
        /// Number of tracks.
        tracks: usize,
        /// Name of the first, in quotes.
        first: String,
    },
    /// More frames than 16 bits count.
    #[error("the motion takes {frames} frames at {fps} frames per second, expected at most 65535")]
    Frames {
        /// A whole number.
        frames: f64,
        /// Frames per second of the character.
        fps: f64,
    },
    /// More transforms than [`MOST_TRANSFORMS`].
    #[error(
        "{frames} frames of {bones} bones are too many, expected at most {MOST_TRANSFORMS} transforms in all"
    )]
    Transforms {
        /// Number of frames.
        frames: u16,
        /// Number of bones.
        bones: usize,
    },
    /// A file beyond 4 GiB.
    #[error("the character would take {bytes} bytes, expected at most {}", u32::MAX)]
    File {
        /// Bytes of the file.
        bytes: u64,
    },
    /// More animations than 16 bits count.
    #[error("the character already has {} animations, the most that a file can hold", u16::MAX)]
    Animations,
    /// Samples too many to become keys.
    #[error(transparent)]
    Samples(#[from] TooManySamples),
}

/// Remarks about an applied motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Parts of the motion that leave the plane or find no bone, by the rules of [`PlaneRule`](crate::motion::PlaneRule). Offsets are
    /// those of the tracks in the motion's file.
    pub findings: Findings,
    /// Parts of the motion that a character has no place for.
    pub losses: Losses,
    /// The bone of each track, and how it was found.
    pub tracks: Vec<Option<(BoneId, NameMatch)>>,
    /// Bones that no track moves: they stay in the bind pose.
    pub still: Vec<BoneId>,
    /// Other frames than the motion's.
    pub resampled: Option<Resampled>,
    /// True if movement of the whole model was added to the bones without parents.
    pub moves_roots: bool,
    /// True if the motion moves the whole model, which was left out.
    pub leaves_out_root: bool,
    /// True if the name was taken, or would have made the animation the bind pose: it got a number.
    pub renamed: bool,
}

/// An animation, and remarks about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Applied {
    /// The animation, for [`add()`].
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
    let (clock, frames) = FrameClock::new(motion, fps, options.timing)?;
    check_size(document, frames)?;
    let mut job = PlaneJob::new(motion, &skeleton, &binding, &rest, options);
    let transforms = job.run(clock, frames);

    list_unheld(motion, &mut report.losses);
    if motion.is_timed() {
        let keys = LocalKeys::new(motion, &skeleton, &binding, options.additive)?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a rate of 16 bits, or one of 32-bit floats"
        )]
        let rate = (f64::from(motion.frames_per_second()) / clock.step) as f32;
        list_reframed(&keys.reframed(rate, Dialect::Seanim), &mut report.losses);
    }
    let name = free_name(document, name_wanted);
    job.report(bind, frames, &mut report);
    report.resampled = (clock.step != 1.0).then(|| Resampled {
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
