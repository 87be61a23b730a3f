//! What a file of many moments shows: of an animation, one cycle of its frames, taken at a rate; on a contact sheet, a row a clip and
//! evenly spaced frames.

use std::path::PathBuf;
use std::str::FromStr;

use pchr::document::AnimationId;
use pchr::finding::quoted;
use pchr::playback::{FrameAt, FrameSpec, FrameSpecError, Timeline};
use pchr::scene::Subject;

use super::{Section, Shown, ViewError, mixes};
use crate::capture::AnimationFormat;

/// Pictures of one run, at most. A small file may announce a billion frames.
pub(super) const MOST_PICTURES: usize = 100_000;

/// How animations become files.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ReelOptions {
    /// Pictures per second; `None` for the frames of the animation.
    pub(crate) fps: Option<f64>,
    /// True if the end is a picture, too: of a loop the first one again, otherwise the last frame.
    pub(crate) includes_last: bool,
    /// Number of times that each plays; 0 is for ever.
    pub(crate) plays: u16,
    /// Frames per second, instead of the animation's.
    pub(crate) rate: Option<f64>,
    /// Playback speed; `None` is the authored one.
    pub(crate) speed: Option<f64>,
    /// First and last frame.
    pub(crate) section: Option<Section>,
    /// True if it plays forwards and backwards in turn.
    pub(crate) is_ping_pong: bool,
    /// True if the frame or time of the options is where a session stands, and chooses nothing.
    pub(crate) ignores_moment: bool,
}

/// Moments of one animation's file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reel {
    /// At least one; `None` is the stored pose.
    pub(super) moments: Vec<Option<FrameAt>>,
    /// Pictures per second.
    pub(super) rate: f64,
}

impl Reel {
    pub(super) fn first(&self) -> Option<FrameAt> {
        self.moments.first().copied().flatten()
    }

    /// Its animation; `None` for the stored pose.
    pub(super) fn animation(&self) -> Option<AnimationId> {
        self.first().map(|at| at.animation)
    }
}

/// Animations as pictures for files of a format, or for an atlas.
pub(super) struct ReelJob<'a> {
    pub(super) options: &'a Shown,
    pub(super) reel: ReelOptions,
    pub(super) format: Option<AnimationFormat>,
    pub(super) subject: &'a dyn Subject,
}

impl ReelJob<'_> {
    /// Returns the moments of each animation.
    pub(super) fn run(&self, animations: &[AnimationId]) -> Result<Vec<Reel>, ViewError> {
        let mut reels = Vec::new();
        let mut pictures = 0_usize;
        for id in animations {
            let reel = self.reel(*id)?;
            pictures = pictures.saturating_add(reel.moments.len());
            if pictures > MOST_PICTURES {
                return Err(too_many());
            }
            reels.push(reel);
        }
        if reels.is_empty() {
            reels.push(Reel { moments: vec![None], rate: 1.0 });
        }
        Ok(reels)
    }

    /// Returns the number of cycles that are drawn. Other files than videos say how often they play.
    fn cycles(&self) -> usize {
        match self.format {
            Some(AnimationFormat::Video(_)) => usize::from(self.reel.plays.max(1)),
            _ => 1,
        }
    }

    fn reel(&self, id: AnimationId) -> Result<Reel, ViewError> {
        let Self { options, reel, subject, .. } = *self;
        let Some(clip) = subject.animation(id) else {
            return Ok(Reel { moments: vec![None], rate: 1.0 });
        };
        let authored = clip.timeline;
        let speed = reel.speed.unwrap_or(1.0);
        let rate = reel.rate.unwrap_or(authored.fps) * speed;
        if let Some(seconds) = options.time {
            let at = mixes::moment(options, &authored, id, seconds);
            return Ok(Reel { moments: vec![Some(at)], rate });
        }
        let (frames, rate) = self.frames(id, rate)?;
        let frames = if reel.is_ping_pong { there_and_back(&frames) } else { frames };
        let Ok(count) = u16::try_from(frames.len()) else {
            let why = format!("{} frames there and back, expected at most 65535", frames.len());
            return Err(ViewError::new("ping-pong", format!("--ping-pong: {why}")));
        };
        // A cycle is an animation of its own, whose frames stand for those of the clip.
        let looping = authored.looping || reel.is_ping_pong;
        let cycle = Timeline { frame_count: count, fps: rate, looping, ..authored };
        let fps = self.fps(rate)?;
        let pictures = (cycle.duration() * fps).round().max(1.0);
        if pictures * self.cycles() as f64 > MOST_PICTURES as f64 {
            return Err(too_many());
        }
        let times = (0_u32..).map(f64::from).take_while(|number| *number < pictures);
        let frame = |number: u16| frames.get(usize::from(number)).copied().unwrap_or_default();
        let moment = |seconds: f64| {
            let at = mixes::moment(options, &cycle, id, seconds);
            Some(FrameAt { frame: frame(at.frame), next: frame(at.next), ..at })
        };
        let once: Vec<_> = times.map(|number| moment(number / fps)).collect();
        let mut moments = once.repeat(self.cycles());
        if reel.includes_last {
            moments.push(moment(cycle.duration()));
        }
        Ok(Reel { moments, rate: fps })
    }

    fn frames(&self, id: AnimationId, rate: f64) -> Result<(Vec<u16>, f64), ViewError> {
        let chosen = match (&self.options.frame, self.reel.section) {
            (Some(frames), _) => frames.clone(),
            (None, Some(section)) => {
                let [first, last] = section.0;
                let end = u64::from(last).saturating_add(1);
                FrameSpec::Range { start: first.into(), end: Some(end), step: 1 }
            }
            (None, None) => FrameSpec::Range { start: 0, end: None, step: 1 },
        };
        let frames = frames_of(self.subject, id, &chosen)?;
        let step = step(&frames);
        Ok((frames, rate / step))
    }

    /// Returns the pictures per second of frames at a rate.
    fn fps(&self, rate: f64) -> Result<f64, ViewError> {
        let most = self.format.map_or(f64::INFINITY, AnimationFormat::most_fps);
        match self.reel.fps {
            Some(fps) if fps > most => {
                let why = format!(
                    "--fps {fps}: players show at most {most} pictures per second of a GIF"
                );
                Err(ViewError::new("fps", why))
            }
            Some(fps) => Ok(fps),
            // Every second frame, or every third.
            None => Ok(rate / (rate / most).ceil().max(1.0)),
        }
    }
}

/// Frames forwards and backwards, without the first and last ones twice.
fn there_and_back(frames: &[u16]) -> Vec<u16> {
    let back = frames.iter().rev().skip(1).take(frames.len().saturating_sub(2));
    frames.iter().chain(back).copied().collect()
}

fn too_many() -> ViewError {
    frame_error(format!(
        "more than {MOST_PICTURES} pictures in one run; lower --fps, or choose fewer animations or frames"
    ))
}

/// Returns the frames of an animation that are chosen.
pub(super) fn frames_of(
    subject: &dyn Subject,
    id: AnimationId,
    chosen: &FrameSpec,
) -> Result<Vec<u16>, ViewError> {
    let frames = chosen.frames(subject.frame_count(id));
    frames.map_err(|error| {
        let why = beyond(subject, id, &error).unwrap_or_else(|| error.to_string());
        frame_error(format!("animation {}: {why}", quoted(subject.animation_name(id))))
    })
}

/// The error of a frame beyond those that can be shown, if its file has more.
fn beyond(subject: &dyn Subject, id: AnimationId, error: &FrameSpecError) -> Option<String> {
    let FrameSpecError::Range { frame, count } = *error else { return None };
    let authored = subject.spatial()?.authored_frames(id);
    let last = count.checked_sub(1).filter(|_| authored > count)?;
    Some(if frame < authored {
        format!(
            "frame {frame} cannot be shown; only 0..={last} of the animation's {authored} frames can"
        )
    } else {
        format!(
            "frame {frame} does not exist; the animation has {authored} frames, of which 0..={last} can be shown"
        )
    })
}

/// The distance of frames; 1 if they are not evenly apart.
fn step(frames: &[u16]) -> f64 {
    let pairs = frames.iter().zip(frames.iter().skip(1));
    let mut steps = pairs.map(|(a, b)| f64::from(*b) - f64::from(*a));
    let first = steps.next().filter(|first| *first > 0.0).unwrap_or(1.0);
    let even = steps.all(|step| step.total_cmp(&first).is_eq());
    if even { first } else { 1.0 }
}

/// The animation exists, but something requested of it does not.
pub(super) fn frame_error(text: impl Into<String>) -> ViewError {
    ViewError::new("frame", text)
}

/// Frames of a clip, at most, if their number is chosen.
const USUAL_COLUMNS: u16 = 8;
/// Rows, if their number is chosen.
const USUAL_ROWS: u16 = 100;

/// Rows and columns of a contact sheet, at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contact {
    rows: u16,
    columns: u16,
}

impl FromStr for Contact {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "auto" {
            return Ok(Self { rows: USUAL_ROWS, columns: USUAL_COLUMNS });
        }
        let number = |text: &str| text.parse().ok().filter(|number| (1..=100).contains(number));
        let pair = text.split_once('x');
        let pair = pair.and_then(|(rows, columns)| Some((number(rows)?, number(columns)?)));
        let (rows, columns) = pair.ok_or_else(|| {
            format!(
                "invalid grid {text:?}: expected ROWSxCOLUMNS, each 1 to 100, like 4x6; or auto"
            )
        })?;
        Ok(Self { rows, columns })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlannedContact {
    pub(crate) path: PathBuf,
    pub(crate) rows: Vec<ContactRow>,
    /// Number of clips that have no row.
    pub(crate) left_out: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ContactRow {
    /// The clip; `None` for the stored pose.
    pub(crate) animation: Option<AnimationId>,
    /// The frames that it shows.
    pub(crate) frames: Vec<u16>,
}

impl Contact {
    /// Plans the rows of clips, and the moments of their pictures.
    ///
    /// # Errors
    /// [`ViewError`] if the picture would be too large: no side may be longer than 16384 pixels.
    pub(crate) fn plan(
        self,
        path: PathBuf,
        animations: &[AnimationId],
        subject: &dyn Subject,
        [width, height]: [u32; 2],
    ) -> Result<(Vec<Option<FrameAt>>, PlannedContact), ViewError> {
        let shown = animations.iter().take(self.rows.into());
        let row = |id: &AnimationId| {
            let count = u32::from(subject.frame_count(*id));
            let columns = u32::from(self.columns).min(count);
            let frame = |column: u32| u16::try_from(column * count / columns.max(1)).unwrap_or(0);
            ContactRow { animation: Some(*id), frames: (0..columns).map(frame).collect() }
        };
        let mut rows: Vec<ContactRow> = shown.map(row).collect();
        if rows.is_empty() {
            rows.push(ContactRow { animation: None, frames: vec![0] });
        }
        let columns = rows.iter().map(|row| row.frames.len()).max().unwrap_or(1);
        let side = |count: usize, side: u32| (count as u64).saturating_mul(u64::from(side) + 48);
        if side(columns, width) > 16_384 || side(rows.len(), height) > 16_384 {
            let text = format!(
                "--contact: {} rows of {columns} pictures of {width} x {height} are too large for one picture; choose a smaller size (-s) or fewer (--contact 4x6)",
                rows.len()
            );
            return Err(ViewError::new("contact", text));
        }
        let moments = rows.iter().flat_map(|row| {
            row.frames.iter().map(|frame| Some(FrameAt::exact(row.animation?, *frame)))
        });
        let moments = moments.collect();
        let left_out = animations.len().saturating_sub(rows.len());
        Ok((moments, PlannedContact { path, rows, left_out }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_has_no_double_ends() {
        assert_eq!(there_and_back(&[0, 1, 2, 3]), [0, 1, 2, 3, 2, 1]);
        assert_eq!(there_and_back(&[4, 5]), [4, 5]);
        assert_eq!(there_and_back(&[7]), [7]);
    }
}
