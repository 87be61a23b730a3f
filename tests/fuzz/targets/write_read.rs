use pchr::document::{Animation, Document, DocumentParts, FileFormat};
use pchr::format::json::{self, Dialect, image_file};
use pchr::format::pchr::{read, replace_images, write};
use pchr::format::{legacy, read_with};
use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::format::seanim;
use pchr_foreign::plane::{self, ApplyOptions};

use super::super::files::Files;

/// Reads arbitrary bytes and writes them back unchanged: directly, from parts, and through each of the other formats.
pub fn write_read(data: &[u8]) {
    let Ok(document) = read(data.to_vec().into()) else { return };
    assert_eq!(document.bytes(), data);
    round_trips(&document);
}

/// Writes a document in every way and reads it again.
pub(super) fn round_trips(document: &Document) {
    let parts = DocumentParts::from(document);
    assert_eq!(write(&parts).expect("it was a file"), document.bytes());
    let replaced = replace_images(document, &parts.images).expect("they were its images");
    assert_eq!(replaced, document.bytes());
    let (back, complete) = through_json(document, Dialect::Pchr);
    assert!(complete && back.bytes() == document.bytes());
    let (back, complete) = through_json(document, Dialect::Pachario);
    // The dialect of an empty document cannot be recognised.
    if back.source() == FileFormat::PacharioJson {
        assert_eq!(complete, back.bytes() == document.bytes());
    }
    // The format holds only one image, with pixels.
    if let Ok((packed, losses)) = legacy::write(document) {
        let back = read_with(packed, &mut Files::default()).expect("what was written is read");
        assert_eq!(losses.is_empty(), back.bytes() == document.bytes());
    }
    through_motions(document);
}

/// Converts each animation to a motion and back.
fn through_motions(document: &Document) {
    let bind = BindPose::new(document, BindChoice::Auto);
    for id in document.animation_ids() {
        let (motion, losses) = plane::motion_of(document, id).expect("there is such an animation");
        let file = seanim::write(&motion).expect("names have no NUL");
        let (motion, _) = seanim::read(file).expect("what was written is read");
        let animation = document.animation(id).expect("there is such an animation");
        let name = animation.name();
        let applied = plane::apply(document, &bind, &motion, name, &ApplyOptions::default());
        let added = plane::add(document, &applied.expect("it is the character's own").animation);
        // An added number may make the name too long.
        let Ok(added) = added else {
            assert!(name.len() > 60_000);
            continue;
        };
        let added = added.animations().last().expect("it was added");
        assert_eq!(added.looping(), animation.looping());
        assert_eq!(added.frame_count(), animation.frame_count().max(1));
        let in_plane = |it: Animation<'_>| -> Vec<_> {
            it.transforms()
                .map(|it| [it.x, it.y, it.scale_x, it.scale_y].map(f32::to_bits))
                .collect()
        };
        if losses.iter().all(|loss| !loss.what.contains("finite")) && animation.frame_count() > 0 {
            assert!(in_plane(added) == in_plane(animation), "it is the same");
        }
    }
}

fn through_json(document: &Document, dialect: Dialect) -> (Document, bool) {
    let names: Vec<String> = (0..document.images().len()).map(|i| i.to_string()).collect();
    let mut text = Vec::new();
    let losses =
        json::write(document, dialect, &names, &mut text).expect("writing to memory succeeds");
    let files = document.images().map(|image| image_file(&image).expect("pixels").into_owned());
    let mut files = Files::new(names.iter().cloned().zip(files).collect());
    (read_with(text, &mut files).expect("what was written is read"), losses.is_empty())
}
