//! The records that hold sprites.

use super::list::{list, one};
use super::name::Name;
use crate::atlas::{Rect, Trim};

/// A sprite to write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    /// Index in the order of the atlas.
    pub(super) index: usize,
    pub(super) name: Name<'a>,
    pub(super) page: u32,
    /// Empty pixels around sprites of its page; `None` if there is no such page.
    pub(super) padding: Option<i32>,
    pub(super) rect: Rect,
    pub(super) trim: Option<Trim>,
    pub(super) rotated: bool,
}

impl Entry<'_> {
    /// Returns its record, if it can have one of its own.
    pub(super) fn line(&self, folder: &impl Fn(&str) -> String) -> Option<String> {
        if !self.name.fits_line() {
            return None;
        }
        let name = one(self.name, folder);
        let flags = u8::from(self.rotated) | (u8::from(self.trim.is_some()) << 1);
        let Rect {
            x,
            y,
            width,
            height,
        } = self.rect;
        let trim = trimmed(self.trim);
        Some(format!("{name}|{flags}|{x},{y},{width},{height}{trim}\n"))
    }

    /// Returns true if it can be in a block.
    pub(super) fn fits_block(&self) -> bool {
        self.name.fits_list() && self.corner().is_some()
    }

    /// Returns the reason why it cannot be written, if any.
    pub(super) fn problem(&self) -> Option<&'static str> {
        if self.name.fits_line() || self.fits_block() {
            return None;
        }
        let rotated =
            "is rotated, but only a block could hold its name, and blocks have no rotated sprites";
        Some(match self.name.problem() {
            Some(problem) => problem,
            None if self.rotated => rotated,
            None => "needs a block for its name, but its position does not fit one",
        })
    }

    /// Returns the corner of its cell, if blocks can express it.
    fn corner(&self) -> Option<[i32; 2]> {
        let padding = self.padding.filter(|_| !self.rotated)?;
        let [x, y] = [self.rect.x, self.rect.y].map(|at| at.checked_sub(padding));
        Some([x?, y?])
    }

    /// Returns the distance of cells in a grid.
    pub(super) fn pitch(&self) -> [i64; 2] {
        let around = i64::from(self.padding.unwrap_or(0)).saturating_mul(2);
        let Rect { width, height, .. } = self.rect;
        [width, height].map(|size| i64::from(size).saturating_add(around))
    }
}

/// Returns a block of equal sprites, and its names. All of them can be in a block.
pub(super) fn block(
    members: &[&Entry<'_>],
    columns: usize,
    folder: &impl Fn(&str) -> String,
) -> Option<String> {
    let first = members.first()?;
    let [x, y] = first.corner()?;
    let Rect { width, height, .. } = first.rect;
    let trim = trimmed(first.trim);
    let names: Vec<Name<'_>> = members.iter().map(|entry| entry.name).collect();
    let names = list(&names, folder);
    Some(format!(
        "B:{x},{y},{columns},{width},{height}{trim}\n{names}\n"
    ))
}

fn trimmed(trim: Option<Trim>) -> String {
    let text = |Trim { source, offset }| {
        let ([width, height], [x, y]) = (source, offset);
        format!("|{width},{height},{x},{y}")
    };
    trim.map(text).unwrap_or_default()
}
