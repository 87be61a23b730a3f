use arbitrary::{Result, Unstructured};
use pchr::format;

use super::super::document;
use super::super::look::Look;

/// Builds a small document, sometimes damages it, and views it in every way.
pub fn build_draw(data: &[u8]) {
    let _ = draw(&mut Unstructured::new(data));
}

fn draw(u: &mut Unstructured<'_>) -> Result<()> {
    let look = Look::arbitrary(u)?;
    let damaged = u.ratio(1, 8)?;
    let Ok(mut bytes) = format::pchr::write(&document::parts(u)?) else {
        return Ok(());
    };
    if damaged {
        document::damage(u, &mut bytes)?;
    }
    if let Ok(document) = format::read(bytes) {
        look.at(&document);
    }
    Ok(())
}
