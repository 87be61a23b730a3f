//! A file with other images.

use super::{header, images};
use crate::bytes::{WriteError, Writer};
use crate::document::{Document, ImageParts};

/// Writes a document with its images replaced by `images`; everything else is unchanged, byte for byte.
///
/// # Errors
/// [`WriteError`] naming the first count or length that does not fit.
pub fn replace_images(document: &Document, images: &[ImageParts]) -> Result<Vec<u8>, WriteError> {
    let mut writer = Writer::new();
    header::write(&mut writer, document.fps(), document.flags());
    let images_at = writer.len();
    images::write(&mut writer, images)?;
    // Without images there is their count alone.
    let count_end = (images_at as u64).saturating_add(2);
    let own = document.image_ids().last();
    let own_end = own
        .and_then(|id| document.image_ranges(id))
        .map_or(count_end, |ranges| ranges.all.end);
    let rest = usize::try_from(own_end)
        .ok()
        .and_then(|end| document.bytes().get(end..));
    writer.bytes(rest.unwrap_or_default());
    Ok(writer.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{BoneParts, DocumentParts};
    use crate::format::pchr::build;

    #[test]
    fn all_but_the_images_stays() {
        let image = |name: &str, data: &[u8]| ImageParts {
            name: name.into(),
            data: data.into(),
            ..ImageParts::default()
        };
        let parts = |images: &[ImageParts]| DocumentParts {
            fps: 7,
            flags: 9,
            images: images.to_vec(),
            bones: vec![BoneParts::default()],
            trailing: vec![1, 2, 3],
            ..DocumentParts::default()
        };
        let lists = [
            vec![],
            vec![image("a", &[1])],
            vec![image("b", &[]), image("c", &[2; 300])],
        ];
        for from in &lists {
            for to in &lists {
                let replaced = replace_images(&build(&parts(from)).unwrap(), to).unwrap();
                assert_eq!(replaced, build(&parts(to)).unwrap().bytes());
            }
        }
    }
}
