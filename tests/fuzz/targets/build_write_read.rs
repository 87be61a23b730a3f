use arbitrary::{Result, Unstructured};
use pchr::format::pchr::{read, write};

use super::super::document;
use super::write_read::round_trips;

/// Builds a small document, and writes and reads it in every way.
pub fn build_write_read(data: &[u8]) {
    let _ = write_read(&mut Unstructured::new(data));
}

fn write_read(u: &mut Unstructured<'_>) -> Result<()> {
    let damaged = u.ratio(1, 8)?;
    let Ok(mut bytes) = write(&document::parts(u)?) else {
        return Ok(());
    };
    if damaged {
        document::damage(u, &mut bytes)?;
    }
    if let Ok(document) = read(bytes.into()) {
        round_trips(&document);
    }
    Ok(())
}
