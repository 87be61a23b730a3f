//! `magic`, `version`, `fps`, `flags`.

use super::section::{At, Ended};
use crate::bytes::{Reader, Writer};
use crate::document::{Directory, PchrRule};
use crate::finding::Findings;

/// The first four bytes of a file.
pub const MAGIC: [u8; 4] = *b"PCHR";
/// The version that is read and written.
pub const VERSION: u32 = 1;

pub(super) fn read(
    reader: &mut Reader<'_>,
    directory: &mut Directory,
    findings: &mut Findings,
) -> Result<(), Ended> {
    // A file that is shorter, and does not begin like one, is not cut off.
    let mut ahead = *reader;
    let magic = match ahead.bytes(reader.left().min(MAGIC.len())) {
        Ok(start) if !MAGIC.starts_with(start) => start,
        _ => reader.bytes(MAGIC.len()).at(|| "magic".into())?,
    };
    if magic != MAGIC {
        let message = || format!("{:?}, expected \"PCHR\"", String::from_utf8_lossy(magic));
        findings.add(PchrRule::Magic, 0, || "magic".into(), message);
        return Ok(());
    }
    let version = reader.u32().at(|| "version".into())?;
    if version != VERSION {
        let swapped = if version.swap_bytes() == VERSION {
            " (1 written big-endian)"
        } else {
            ""
        };
        let message =
            || format!("version {version}{swapped}, but this program reads version {VERSION}");
        findings.add(PchrRule::Version, 4, || "version".into(), message);
        return Ok(());
    }
    directory.fps = reader.u16().at(|| "fps".into())?;
    directory.flags = reader.u16().at(|| "flags".into())?;
    Ok(())
}

pub(super) fn write(writer: &mut Writer, fps: u16, flags: u16) {
    writer.bytes(&MAGIC);
    writer.u32(VERSION);
    writer.u16(fps);
    writer.u16(flags);
}
