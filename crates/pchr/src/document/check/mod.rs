//! Checks a file's contents against the rules, after its structure is read.
//!
//! Each section is first swept without branches, at the speed of memory, to learn if anything in it is wrong. Only then is it
//! walked again to report each finding and its place. A valid file is never walked twice.

mod animations;
mod bones;
mod images;
mod meshes;
mod vertices;

use super::directory::{Directory, NameEntry};
use super::{FPS_WHEN_ZERO, PchrRule, names};
use crate::finding::{Findings, quoted};

/// Extent of a file that was read. The sections before the first structural error are complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Section {
    Header,
    Images,
    Bones,
    Meshes,
    Animations,
    All,
}

/// Checks the complete sections of `bytes`, and adds the findings.
pub(crate) fn check(bytes: &[u8], directory: &Directory, whole: Section, findings: &mut Findings) {
    let check = Check { bytes, directory };
    if whole > Section::Header {
        check.header(findings);
    }
    if whole > Section::Images {
        check.images(findings);
    }
    if whole > Section::Bones {
        check.bones(findings);
    }
    if whole > Section::Meshes {
        check.meshes(findings);
    }
    if whole > Section::Animations {
        check.animations(findings);
    }
}

/// A file being checked, section by section.
struct Check<'a> {
    bytes: &'a [u8],
    directory: &'a Directory,
}

impl<'a> Check<'a> {
    fn slice(&self, at: u32, len: usize) -> &'a [u8] {
        let at = at as usize;
        self.bytes
            .get(at..at.saturating_add(len))
            .unwrap_or_default()
    }

    fn header(&self, findings: &mut Findings) {
        let Directory { fps, flags, .. } = *self.directory;
        if fps == 0 {
            findings.add(
                PchrRule::FpsZero,
                8,
                || "fps".into(),
                || format!("0 frames per second; played at {FPS_WHEN_ZERO}"),
            );
        }
        if flags != 0 {
            let message = || format!("{flags:#06x}, expected 0: version 1 reserves these flags");
            findings.add(PchrRule::HeaderFlags, 10, || "flags".into(), message);
        }
    }

    fn names(
        &self,
        section: &str,
        count: usize,
        name: impl Fn(usize) -> Option<NameEntry>,
        findings: &mut Findings,
    ) {
        let bytes = |i: usize| {
            let name = name(i).unwrap_or_default();
            self.slice(name.at, name.len.into())
        };
        if names::quickly_sound(count, bytes) {
            return;
        }
        for i in 0..count {
            if let Err(error) = std::str::from_utf8(bytes(i)) {
                let start = u64::from(name(i).unwrap_or_default().at);
                let at = start.saturating_add(error.valid_up_to() as u64);
                let byte = bytes(i)
                    .get(error.valid_up_to())
                    .copied()
                    .unwrap_or_default();
                let message = || format!("byte {byte:#04x} is not UTF-8");
                findings.add(
                    PchrRule::NameUtf8,
                    at,
                    || format!("{section}[{i}].name"),
                    message,
                );
            }
        }
        names::duplicates(count, bytes, |first, again| {
            let at = u64::from(name(again).unwrap_or_default().at).saturating_sub(2);
            let message = || {
                let text = String::from_utf8_lossy(bytes(again));
                let text = quoted(&text);
                format!("{text} is also the name of {section}[{first}]")
            };
            findings.add(
                PchrRule::NameDuplicate,
                at,
                || format!("{section}[{again}].name"),
                message,
            );
        });
    }

    fn section_end(&self, end: Option<u32>, otherwise: u64) -> u64 {
        end.map_or(otherwise, u64::from)
    }
}

fn name_end(name: NameEntry) -> u64 {
    u64::from(name.at).saturating_add(name.len.into())
}
