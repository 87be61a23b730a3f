//! Texture atlases in JSON: TexturePacker's two forms and Phaser's multi-atlas, read and written.
//!
//! ```text
//! text ──recognise──► dialect ──read──► Atlas, findings with lines and columns, and a list of what an atlas cannot hold
//! Atlas ──write──► text, and a list of what it cannot hold
//! ```

use pchr::finding::rules;

use super::json_text::{AfterKey, each_key};

pub use read::read;
pub use write::{Layout, SheetClip, write};

mod read;
mod write;

rules! {
    /// A rule of atlases in JSON: TexturePacker's and Phaser's. Those of sprites and pages are [`PctRule`](crate::atlas::PctRule)s.
    AtlasJsonRule "ATLAS"

    /// The text is valid JSON in UTF-8.
    Syntax = Error "001" "syntax",
        example: "document: expected `,` or `}`",
        advice: "Export the file again; a comma or a bracket is missing, or the file was cut short.";
    /// Values that an atlas needs are present, and have the right type.
    Value = Error "002" "value",
        example: "frames.hero.frame.x: invalid type: string \"8px\", expected a 32-bit whole number",
        advice: "Write a value of the expected type: sizes and positions are whole numbers of pixels, without units.";
    /// A file is at most 256 MiB in size and has at most 1,000,000 sprites.
    Limit = Error "003" "limit",
        example: "frames: more than 1000000 sprites",
        advice: "Split the atlas.";
    /// A trimmed sprite has a source.
    Source = Error "004" "source",
        example: "frames.hero: trimmed, but without sourceSize and spriteSourceSize",
        advice: "Export the file again with trim information. Phaser fails on such a file.";
    /// A page names its image.
    Image = Warning "101" "image",
        example: "meta.image: missing; the page is named \"\"",
        advice: "Write the file name of the image as meta.image.";
    /// Names of sprites are unique.
    NameDuplicate = Warning "102" "name-duplicate",
        example: "frames.hero: \"hero\" is also the name of an earlier sprite; the later one is used",
        advice: "Give each sprite its own name, or load each page as a separate atlas.";
    /// A sprite that is not trimmed is as large as its source.
    TrimFlag = Warning "103" "trim-flag",
        example: "frames.hero: not marked as trimmed, but 40 x 30 of a source of 64 x 64; drawn untrimmed, as in Phaser",
        advice: "Write \"trimmed\": true if the sprite is trimmed.";
    /// A sprite is as large in its source as on its page.
    SourceSize = Warning "104" "source-size",
        example: "frames.hero.spriteSourceSize: 64 x 64, but the frame is 40 x 30; the frame's size is used",
        advice: "Export the file again: spriteSourceSize is the sprite's position and size in its source.";
    /// All pages of an atlas are in one file.
    MultiPack = Warning "105" "multi-pack",
        example: "meta.related_multi_packs: only this file of a multi-pack is read, not the others: \"hero-1.json\"",
        advice: "Open each file by itself, or export a Phaser multi-atlas, which has all pages in one file.";
    /// An atlas has no frame durations, frame tags or animations.
    Playback = Warning "106" "playback",
        example: "meta.frameTags: frame tags are ignored; numbered sprites are played in order, all equally long",
        advice: "Choose the speed where the sprites are played. To play a tag or an animation alone, export its sprites with a name of their own, like run_0, run_1.";
}

/// JSON dialects of atlases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtlasDialect {
    /// TexturePacker's hash: one page, and an object of sprites by their names.
    #[default]
    Hash,
    /// TexturePacker's array: one page, and a list of sprites.
    Array,
    /// Phaser's multi-atlas: a list of pages, each with its sprites.
    MultiAtlas,
}

impl AtlasDialect {
    /// Returns a short name, the same in all reports.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Hash => "hash",
            Self::Array => "array",
            Self::MultiAtlas => "multiatlas",
        }
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hash => "TexturePacker JSON (hash)",
            Self::Array => "TexturePacker JSON (array)",
            Self::MultiAtlas => "Phaser multi-atlas JSON",
        }
    }

    /// Returns the largest number of pages that it can hold.
    #[must_use]
    pub const fn most_pages(self) -> usize {
        match self {
            Self::Hash | Self::Array => 1,
            Self::MultiAtlas => usize::MAX,
        }
    }

    /// Returns the usual dialect for a number of pages.
    #[must_use]
    pub const fn for_pages(pages: usize) -> Self {
        if pages > 1 { Self::MultiAtlas } else { Self::Hash }
    }
}

/// Returns true if bytes are an atlas in JSON, possibly damaged: an object with `frames` or `textures`, and without the keys of a
/// character.
#[must_use]
pub fn looks_like_an_atlas(bytes: &[u8]) -> bool {
    let (mut atlas, mut character) = (false, false);
    each_key(bytes, |_, key| match key {
        "fps" | "images" | "bones" | "meshes" => {
            character = true;
            AfterKey::Stop
        }
        _ => {
            atlas |= matches!(key, "frames" | "textures");
            AfterKey::Next
        }
    });
    atlas && !character
}

#[cfg(test)]
mod tests {
    use pchr::finding::Invalid;

    use super::*;
    use crate::atlas::{Atlas, Page, Rect, Sprite, Trim};
    use crate::format::AtlasFormat;

    /// TexturePacker's hash with every possible key.
    const HASH: &str = r#"{"frames": {
"hero/idle_01.png": {"frame": {"x":2,"y":4,"w":40,"h":30}, "rotated": true, "trimmed": true,
	"spriteSourceSize": {"x":5,"y":6,"w":40,"h":30}, "sourceSize": {"w":64,"h":64}, "pivot": {"x":0.5,"y":0.5}},
"sword": {"frame": {"x":50,"y":4.0,"w":8,"h":9}, "rotated": false, "trimmed": false,
	"spriteSourceSize": {"x":0,"y":0,"w":8,"h":9}, "sourceSize": {"w":8,"h":9}},
"knife":{"frame":{"x":50,"y":4,"w":8,"h":9}}},
"meta": {"app": "https://www.codeandweb.com/texturepacker", "version": "1.0", "image": "hero.png",
	"format": "RGBA8888", "size": {"w":128,"h":64}, "scale": "0.5", "smartupdate": "$TexturePacker:SmartUpdate:1$"}
}"#;

    fn sprite(rect: [i32; 4]) -> Sprite {
        let [x, y, width, height] = rect;
        Sprite { rect: Rect { x, y, width, height }, ..Sprite::default() }
    }

    fn page(file: &str, size: [u32; 2]) -> Page {
        Page { file: file.into(), format: "RGBA8888".into(), size, ..Page::default() }
    }

    fn two_pages() -> Atlas {
        let mut atlas = Atlas {
            pages: vec![page("a.png", [64, 32]), page("sub/b.png", [0, 0])],
            ..Atlas::default()
        };
        let sprites = [
            ("one", sprite([0, 0, 8, 8])),
            ("two \"2\"", sprite([8, 0, 4, 16])),
            (
                "three",
                Sprite {
                    page: 1,
                    rotated: true,
                    trim: Some(Trim { source: [100, 50], offset: [1, 3] }),
                    ..sprite([1, 2, 3, 4])
                },
            ),
        ];
        atlas.sprites = sprites.into_iter().collect();
        atlas
    }

    /// Returns the atlas without offsets, as if it had been built.
    fn without_offsets(mut atlas: Atlas) -> Atlas {
        for sprite in atlas.sprites.values_mut() {
            sprite.offset = 0;
        }
        for page in &mut atlas.pages {
            page.offset = 0;
        }
        atlas
    }

    fn said(
        atlas: &Atlas,
        dialect: AtlasDialect,
        layout: Layout,
    ) -> (String, Vec<(&'static str, u64)>) {
        let mut text = Vec::new();
        let losses = write(atlas, &[], dialect, layout, &mut text).unwrap();
        (
            String::from_utf8(text).unwrap(),
            losses.iter().map(|loss| (loss.what, loss.count)).collect(),
        )
    }

    /// Returns the findings about a text: id, line, column, path.
    fn findings(text: &str) -> Vec<String> {
        let found = match read(text.as_bytes()) {
            Ok(read) => read.warnings,
            Err(Invalid(found)) => found,
        };
        let said = found.iter().map(|finding| {
            let place = finding.text.unwrap();
            format!("{} {}:{} {}", finding.rule.id(), place.line, place.column, finding.path)
        });
        said.collect()
    }

    #[test]
    fn a_hash_of_texture_packer_is_read() {
        let read = read(HASH.as_bytes()).unwrap();
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        assert_eq!(read.format, AtlasFormat::Json(AtlasDialect::Hash));
        let offset = HASH.find("{\"app\"").unwrap().try_into().unwrap();
        let meta = Page { offset, ..page("hero.png", [128, 64]) };
        assert_eq!(read.atlas.pages, [meta]);
        let names: Vec<&str> = read.atlas.sprites.names().collect();
        assert_eq!(names, ["hero/idle_01.png", "sword", "knife"]);
        let (_, hero) = read.atlas.sprites.get_index(0).unwrap();
        assert_eq!((hero.rect.width, hero.rect.height), (40, 30), "upright");
        assert_eq!((hero.covered().width, hero.rotated), (30, true));
        assert_eq!(hero.source_size(), [64, 64]);
        assert_eq!(hero.source_offset(), [5, 6]);
        assert_eq!(HASH.as_bytes()[usize::try_from(hero.offset).unwrap()], b'{');
        let [sword, knife] = [1, 2].map(|index| read.atlas.sprites.get_index(index).unwrap().1);
        assert_eq!((sword.trim, sword.alias_of), (None, None));
        assert_eq!(knife.alias_of, Some(1), "of the same place");
        let losses: Vec<_> =
            read.losses.iter().map(|loss| (loss.what, loss.first.as_str())).collect();
        assert_eq!(losses, [("scales", "meta.scale"), ("pivots", "frames.hero/idle_01.png.pivot")]);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let atlas = two_pages();
        for layout in [Layout::Lines, Layout::Compact] {
            let (text, losses) = said(&atlas, AtlasDialect::MultiAtlas, layout);
            assert!(losses.is_empty() && looks_like_an_atlas(text.as_bytes()));
            let read = read(text.as_bytes()).unwrap();
            assert!(read.warnings.is_empty() && read.losses.is_empty());
            assert_eq!(read.format, AtlasFormat::Json(AtlasDialect::MultiAtlas));
            assert_eq!(without_offsets(read.atlas), atlas);
        }
        let mut atlas = read(HASH.as_bytes()).unwrap().atlas;
        atlas.pages[0].padding = Some(2);
        atlas.folders = vec!["hero".into(), "her".into()];
        let lost = [("paddings of pages", 1), ("folders without sprites", 1)];
        for dialect in [AtlasDialect::Hash, AtlasDialect::Array] {
            let (text, losses) = said(&atlas, dialect, Layout::Lines);
            assert_eq!(losses, lost);
            assert_eq!(text.lines().count(), 6, "{text}");
            let read = read(text.as_bytes()).unwrap();
            assert_eq!(read.format, AtlasFormat::Json(dialect));
            assert_eq!(without_offsets(read.atlas).sprites, without_offsets(atlas.clone()).sprites);
            let (compact, _) = said(&atlas, dialect, Layout::Compact);
            assert_eq!(text.replace('\n', ""), compact);
        }
    }

    #[test]
    fn what_is_wrong_is_told_at_its_place() {
        let frame = r#""frame":{"x":0,"y":0,"w":8,"h":8}"#;
        let source = r#""sourceSize":{"w":16,"h":16}"#;
        let part = r#""spriteSourceSize":{"x":0,"y":0,"w":9,"h":8}"#;
        let of = |sprite: &str| {
            format!("{{\"frames\":{{\n \"a\":{sprite}\n}},\"meta\":{{\"image\":\"a.png\"}}}}")
        };
        let unnamed = format!(r#"{{"meta":{{"image":"a"}},"frames":[{{{frame}}}]}}"#);
        let without_page =
            format!(r#"{{"meta":{{"image":""}},"frames":[{{"filename":"a",{frame}}}]}}"#);
        for (text, wanted) in [
            (of(r#"{"frame":{"x":0,"y":"8px","w":8,"h":8}}"#), "E002 2:26 frames.a.frame.y"),
            (of(r#"{"frame":{"x":0.5,"y":0,"w":8,"h":8}}"#), "E002 2:20 frames.a.frame.x"),
            (of(r#"{"frame":{"x":3000000000,"y":0,"w":8,"h":8}}"#), "E002 2:20 frames.a.frame.x"),
            (of("{}"), "E002 2:6 frames.a"),
            (of("7"), "E002 2:6 frames.a"),
            (of(&format!("{{{frame},\"trimmed\":true,{source}}}")), "E004 2:6 frames.a"),
            (of(&format!("{{{frame},{source}}}")), "W103 2:6 frames.a"),
            (
                of(&format!("{{{frame},\"trimmed\":true,{source},{part}}}")),
                "W104 2:6 frames.a.spriteSourceSize",
            ),
            (of(&format!("{{{frame}}},\n\"a\":{{{frame}}}")), "W102 3:5 frames.a"),
            ("{\"frames\":\n[{}".into(), "E001 2:3 document"),
            ("{\"frames\":[7],\n\"meta\":{\"image\":\"a.png\"}}".into(), "E002 1:12 frames[0]"),
            (without_page, "W101 1:9 meta.image"),
            (unnamed, "E002 1:33 frames[0]"),
            ("{\"textures\":{}}".into(), "E002 1:13 textures"),
            ("{\"textures\":[{\"image\":7}]}".into(), "E002 1:23 textures[0].image"),
        ] {
            let found = findings(&text);
            assert!(found.contains(&format!("ATLAS-{wanted}")), "{text}: {found:?}");
        }
        let Err(Invalid(found)) = read(b"\xef\xbb\xbf{\"frames\":{\"\xff\":1}}") else {
            panic!("not UTF-8")
        };
        let first = found.iter().next().unwrap();
        assert_eq!((first.rule.id(), first.offset), ("ATLAS-E001", 15));
    }

    /// Returns the findings about an atlas of two sprites: id, line, column, and text.
    fn said_of(sprite: &str, meta: &str) -> Vec<(&'static str, u32, u32, String)> {
        let frame = r#""frame":{"x":0,"y":0,"w":8,"h":8}"#;
        let text = format!(
            "{{\"frames\":{{\n\"a\":{{{frame}{sprite}}},\n\"b\":{{{frame}{sprite}}}}},\n\"meta\":{{\"image\":\"a.png\"{meta}}}}}"
        );
        let read = read(text.as_bytes()).unwrap();
        let said = read.warnings.iter().map(|finding| {
            let place = finding.text.unwrap();
            let said = format!("{}: {}", finding.path, finding.message);
            (finding.rule.id(), place.line, place.column, said)
        });
        said.collect()
    }

    #[test]
    fn other_files_of_a_multi_pack_are_named() {
        let about = |names: &str| said_of("", &format!(",\"related_multi_packs\":{names}"));
        let said = |names: &str| {
            let path = "meta.related_multi_packs";
            let said = "only this file of a multi-pack is read, not the others";
            [("ATLAS-W105", 4, 47, format!("{path}: {said}: {names}"))]
        };
        assert_eq!(about(r#"["b-1.json"]"#), said(r#""b-1.json""#));
        assert_eq!(about(r#"["1","2","3","4","5"]"#), said(r#""1", "2", "3", 2 more"#));
        assert_eq!(about("7"), said(r#""7""#));
        assert_eq!(about("[]"), []);
    }

    #[test]
    fn durations_tags_and_animations_that_are_not_played_are_told_once_each() {
        let said = |column: u32, line: u32, what: &str| {
            let (path, what) = what.split_once(' ').unwrap();
            let how = "are ignored; numbered sprites are played in order, all equally long";
            ("ATLAS-W106", line, column, format!("{path}: {what} {how}"))
        };
        let durations = said_of(r#","duration":100"#, "");
        assert_eq!(durations, [said(5, 2, "frames.a.duration frame durations")]);
        let tags = said_of("", r#","frameTags":[{"name":"go"},{"name":"back"}]"#);
        assert_eq!(tags, [said(37, 4, "meta.frameTags frame tags")]);
        assert_eq!(said_of("", r#","frameTags":[],"layers":[{}]"#), []);
        let found = findings(r#"{"frames":{},"animations":{"a":["b"]},"meta":{"image":"a"}}"#);
        assert_eq!(found[0], "ATLAS-W106 1:27 document.animations");
    }

    #[test]
    fn deep_nesting_is_no_danger() {
        let deep = "[".repeat(200_000);
        for text in [
            format!("{{\"frames\":{deep}"),
            format!("{{\"frames\":{{\"a\":{{\"frame\":{deep}{}}}}}}}", "]".repeat(200_000)),
            format!("{{\"frames\":[],\"meta\":{{\"scale\":{deep}{}}}}}", "]".repeat(200_000)),
        ] {
            assert!(looks_like_an_atlas(text.as_bytes()));
            let _ = read(text.as_bytes());
        }
    }

    #[test]
    fn an_atlas_has_frames_and_nothing_of_a_character() {
        for (text, wanted) in [
            (r#"{"frames":{}}"#, true),
            ("\u{feff} {\"meta\":{},\"frames\":[]}", true),
            (r#"{"textures":[],"meta":{}}"#, true),
            (r#"{"frames":{"a":{"frame":oops"#, true),
            (r#"{"frames":{},"animations":{"walk":["a"]}}"#, true),
            (r#"{"frames":[],"bones":[]}"#, false),
            (r#"{"version":1,"fps":24,"animations":[{"frames":[]}]}"#, false),
            (r#"{"meta":{"frames":1}}"#, false),
            (r#"[{"frames":{}}]"#, false),
            ("{}", false),
            ("PCT:1.0\n", false),
            ("", false),
        ] {
            assert_eq!(looks_like_an_atlas(text.as_bytes()), wanted, "{text}");
        }
    }
}
