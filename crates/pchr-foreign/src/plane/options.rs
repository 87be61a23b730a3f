//! Choices for applying a motion, and what comes of it.

use pchr::document::BoneId;
use pchr::finding::{Findings, counted};
use pchr::format::Losses;

use crate::motion::{AdditiveRotation, Moment, Motion, NameMatch, Skeleton, TooManySamples};

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
pub(super) struct FrameClock {
    /// Frames of the motion in a frame of the character.
    step: f64,
    rate: f64,
    last: u32,
}

impl FrameClock {
    /// Farther apart two frames are not the same.
    const NEAR: f64 = 1e-6;

    /// The clock, and the number of frames, as a whole number of any size.
    pub(super) fn new(motion: &Motion, fps: f64, timing: Timing) -> (Self, f64) {
        let rate = f64::from(motion.frames_per_second());
        let is_same = (rate - fps).abs() <= fps * Self::NEAR;
        let step = match timing {
            Timing::Resample if !is_same => rate / fps,
            _ => 1.0,
        };
        let last = motion.frames().saturating_sub(1);
        let behind = f64::from(last) / step;
        let frames = (behind - Self::NEAR * behind.max(1.0)).ceil().max(0.0) + 1.0;
        (Self { step, rate, last }, frames)
    }

    /// Returns the number of the motion's frames in one of the character's.
    pub(super) fn step(&self) -> f64 {
        self.step
    }

    /// Returns whether the frames are others than the motion's.
    pub(super) fn resamples(&self) -> bool {
        self.step != 1.0
    }

    /// The moment of a frame, and the motion's frame that has begun then.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "frames from 0 to the last; seconds as motions take them"
    )]
    pub(super) fn at(&self, frame: u16) -> (Moment, u32) {
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
