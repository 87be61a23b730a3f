use pchr::finding::{Findings, Severity};
use pchr_foreign::atlas::Atlas;
use pchr_foreign::format::atlas_json::{self, Dialect, Layout};

/// Most sprites of an atlas that is written, so that the fuzzer tries many inputs.
const MOST_SPRITES: usize = 2_000;

/// Reads arbitrary text as a JSON atlas, writes the result in every dialect, and reads it again.
pub fn read_atlas_json(data: &[u8]) {
    let _ = atlas_json::looks_like_an_atlas(data);
    match atlas_json::read(data) {
        Err(invalid) => {
            assert!(invalid.0.first_error().is_some(), "an error says why");
            check(&invalid.0, data);
        }
        Ok(read) => {
            assert_eq!(read.warnings.total(Severity::Error), 0);
            check(&read.warnings, data);
            if read.atlas.sprites.len() <= MOST_SPRITES {
                for dialect in [Dialect::Hash, Dialect::Array, Dialect::MultiAtlas] {
                    write(&read.atlas, dialect);
                }
            }
        }
    }
}

fn check(found: &Findings, data: &[u8]) {
    for finding in found.iter() {
        assert!(finding.offset <= data.len() as u64, "{finding}");
        assert!(finding.text.is_some(), "{finding}");
    }
}

/// Writes an atlas and checks that its sprites are the same when read again. Skips dialects that cannot hold all pages.
fn write(atlas: &Atlas, dialect: Dialect) {
    if atlas.pages.len() > dialect.most_pages() {
        return;
    }
    let mut text = Vec::new();
    atlas_json::write(atlas, dialect, Layout::Compact, &mut text).expect("memory");
    let sprites = atlas_json::read(&text).expect("what is written can be read").atlas.sprites;
    assert_eq!(sprites.len(), atlas.sprites.len());
    for (name, sprite) in atlas.sprites.iter() {
        let other = sprites.get(name).expect("its name is the same");
        assert!(sprite.is_at(other), "{name}: {sprite:?} is {other:?}");
    }
}
