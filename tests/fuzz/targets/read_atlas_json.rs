use pchr_foreign::atlas::Atlas;
use pchr_foreign::format::atlas_json::{self, AtlasDialect, Layout};

use super::{accepted, lines, refused};

/// Most sprites of an atlas that is written, so that the fuzzer tries many inputs.
const MOST_SPRITES: usize = 2_000;

/// Reads arbitrary text as a JSON atlas, writes the result in every dialect, and reads it again.
pub fn read_atlas_json(data: &[u8]) {
    let _ = atlas_json::looks_like_an_atlas(data);
    match atlas_json::read(data) {
        Err(invalid) => {
            refused(&invalid.0, data);
            lines(&invalid.0);
        }
        Ok(read) => {
            accepted(&read.warnings, data);
            lines(&read.warnings);
            if read.atlas.sprites.len() <= MOST_SPRITES {
                for dialect in [AtlasDialect::Hash, AtlasDialect::Array, AtlasDialect::MultiAtlas] {
                    write(&read.atlas, dialect);
                }
            }
        }
    }
}

/// Writes an atlas and checks that its sprites are the same when read again. Skips dialects that cannot hold all pages.
fn write(atlas: &Atlas, dialect: AtlasDialect) {
    if atlas.pages.len() > dialect.most_pages() {
        return;
    }
    let mut text = Vec::new();
    atlas_json::write(atlas, &[], dialect, Layout::Compact, &mut text).expect("memory");
    let sprites = atlas_json::read(&text).expect("what is written can be read").atlas.sprites;
    assert_eq!(sprites.len(), atlas.sprites.len());
    for (name, sprite) in atlas.sprites.iter() {
        let other = sprites.get(name).expect("its name is the same");
        assert!(sprite.is_at(other), "{name}: {sprite:?} is {other:?}");
    }
}
