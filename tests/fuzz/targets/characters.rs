use arbitrary::{Result, Unstructured};
use pchr::document::Document;
use pchr::format::pchr::{read, write};

use super::super::document;
use super::super::look::Look;
use super::write_read::round_trips;

/// Reads, poses, orders, draws and picks arbitrary bytes. Nothing may panic or reserve memory for a claimed count.
pub fn read_pose_draw(data: &[u8]) {
    if let Ok(document) = pchr::format::read(data.to_vec()) {
        Look::plain(&document).at(&document);
    }
}

/// Builds a small document, sometimes damages it, and views it in every way.
pub fn build_draw(data: &[u8]) {
    let mut u = Unstructured::new(data);
    if let Ok(look) = Look::arbitrary(&mut u)
        && let Ok(Some(document)) = built(&mut u)
    {
        look.at(&document);
    }
}

/// Builds a small document, and writes and reads it in every way.
pub fn build_write_read(data: &[u8]) {
    if let Ok(Some(document)) = built(&mut Unstructured::new(data)) {
        round_trips(&document);
    }
}

/// A small document, sometimes from a damaged file.
fn built(u: &mut Unstructured<'_>) -> Result<Option<Document>> {
    let damaged = u.ratio(1, 8)?;
    let Ok(mut bytes) = write(&document::parts(u)?) else { return Ok(None) };
    if damaged {
        document::damage(u, &mut bytes)?;
    }
    Ok(read(bytes.into()).ok())
}
