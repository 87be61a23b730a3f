//! Contact sheets: a row a clip, evenly spaced frames, in one picture.

use std::path::PathBuf;
use std::str::FromStr;

use pchr::document::AnimationId;
use pchr::playback::FrameAt;
use pchr::scene::Subject;

use super::ViewError;

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
