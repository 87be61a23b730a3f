//! The rules for PCT atlases, the source of messages and documentation.

use pchr::finding::rules;

rules! {
    /// A rule of PCT atlases. Input that Phaser 4.2.1 rejects or fails on is an error; input that it silently accepts is a warning.
    PctRule "PCT"

    /// The first line begins with "PCT:".
    Header = Error "001" "header",
        example: "header: the first line is \"atlas\", expected \"PCT:1.0\"",
        advice: "Write PCT:1.0 alone on the first line, with nothing before it.";
    /// The major version is 1.
    Version = Error "002" "version",
        example: "header: version \"2.0\", but this program reads 1",
        advice: "Export as version 1.0; a newer version needs a newer pchr-view.";
    /// A file is at most 64 MiB in size and names at most 1,000,000 sprites, and its pages fit in the memory budget.
    Limit = Error "003" "limit",
        example: "sprites: 4000000000 sprites so far, expected at most 1000000",
        advice: "Correct the range, or split the atlas. Decoded, its pages must fit in 1 GiB of memory.";
    /// A block lies on a page that exists.
    BlockPage = Error "004" "block-page",
        example: "block: page 3, but there is 1 page",
        advice: "Correct the page selector (#) before the block, counted from 0, or add the page. Phaser fails on such a file.";
    /// A block has one column or more.
    BlockColumns = Error "005" "block-columns",
        example: "block: 0 columns, expected 1 or more",
        advice: "Write the number of sprites in a row of the block.";
    /// A sprite with flag 2 has a fourth field with its source size and offset.
    TrimMissing = Error "006" "trim-missing",
        example: "sprite \"a\": flags 2 (trimmed), but no fourth field; expected sourceW,sourceH,trimX,trimY",
        advice: "Add the field, or write flag 0. Phaser fails on such a file.";
    /// The page selector is not negative.
    PageNegative = Error "007" "page-negative",
        example: "sprite \"a\": page -1, expected 0 or more",
        advice: "Count pages from 0. Phaser fails on such a file.";
    /// The image of a page can be decoded.
    PageDecode = Error "010" "page-decode",
        example: "page 0 \"hero.png\": not a PNG, but a JPEG image; save it as PNG",
        advice: "Store a complete PNG, not a JPEG or a truncated PNG. The window shows a placeholder for it.";
    /// A sprite to be unpacked has a unique name that is a valid file name.
    FileName = Error "011" "file-name",
        example: "sprite \"../a\": leads outside the folder; rename it with --safe-names",
        advice: "Rename the sprite, or unpack with --safe-names. The name only matters for unpacking, not for reading or validating.";
    /// The version is 1.0, with a minor number.
    Minor = Warning "101" "minor-version",
        example: "header: version \"1.3\", expected \"1.0\"; anything newer than 1.0 is ignored",
        advice: "Write PCT:1.0, unless the file needs a later version.";
    /// The text begins without a byte order mark.
    ByteOrderMark = Warning "102" "byte-order-mark",
        example: "header: a byte order mark; browsers remove it, but Phaser's decoder refuses it",
        advice: "Save the file as UTF-8 without BOM.";
    /// The text is UTF-8.
    Utf8 = Warning "103" "utf8",
        example: "line: byte 0xe9 is not UTF-8; it is read as \u{fffd}",
        advice: "Save the file as UTF-8, so that names match those in the game.";
    /// A number is whole, and alone in its field.
    Number = Warning "104" "number",
        example: "sprite \"c\".width: \"8px\" is read as 8",
        advice: "Write whole numbers without units, signs or spaces.";
    /// A number is present, and fits in 32 bits.
    NumberMissing = Warning "105" "number-missing",
        example: "sprite \"a\".x: \"x\" is not a number; the sprite is left out",
        advice: "Write a number. Phaser creates a frame without a position.";
    /// A sprite lies on a page that exists.
    PageRange = Warning "106" "page-range",
        example: "sprite \"b\": page 5, but there is 1 page; the sprite is left out",
        advice: "Correct the page selector (#) before the sprite, counted from 0, or add the page.";
    /// A folder index lies within the dictionary, and its folder has a name.
    FolderRange = Warning "107" "folder-range",
        example: "name \"5/a\": folder 5, but the F: lines name 1 folder; the name is read as \"a\"",
        advice: "Correct the index, counted from 0 in the order of the F: lines. A folder whose name is a number, like 5, needs an F: line, too.";
    /// An alias names a sprite before it.
    AliasUnknown = Warning "108" "alias-unknown",
        example: "alias \"ghost\": no sprite before this line has this name; 2 names are left out",
        advice: "Write aliases last, with the original's full name, folder index and extension.";
    /// An alias has an equals sign.
    AliasSyntax = Warning "109" "alias-syntax",
        example: "alias \"a,b\": expected original=duplicate; the line is ignored",
        advice: "Write A:original=duplicate,duplicate.";
    /// Names are unique.
    NameDuplicate = Warning "110" "name-duplicate",
        example: "sprite \"a\": also named at byte 48; the later one is used",
        advice: "Give each sprite its own name.";
    /// Names are not empty.
    NameEmpty = Warning "111" "name-empty",
        example: "block: cell 1 has an empty name",
        advice: "Remove the extra comma, or name the sprite.";
    /// A range has a first and a last number, the last not below the first.
    Range = Warning "112" "range",
        example: "range \"a#5-1\": ends before it begins; it has no sprites, and later names move up a cell",
        advice: "Write prefix#first-last, like walk_#01-08.";
    /// Only the last name of a line, or a name without numbers, ends with an extension index.
    RangeExtension = Warning "113" "range-extension",
        example: "range \"a#1-2~1\": the extension index is not at the end of the line, and is ignored",
        advice: "Write the extension index once, at the end of the line; it applies to all names of the line.";
    /// A block is followed by its names.
    BlockNames = Warning "114" "block-names",
        example: "block: the file ends before its names; the block is left out",
        advice: "Write the names on the line after the block.";
    /// The line after a block looks like names.
    BlockRecord = Warning "115" "block-record",
        example: "block: its names are \"B:2,90,4,16,16\", which looks like another record",
        advice: "Write the names on the line after the block; that line is always read as names.";
    /// A line is one of the records of version 1.0.
    RecordUnknown = Warning "116" "record-unknown",
        example: "line: \"X:1,2\" is not a known record; it is ignored",
        advice: "If the line is meant to be a record, correct its start; a sprite needs three fields, separated by |.";
    /// Pages come first, then folders, sprites, and aliases last.
    RecordOrder = Warning "117" "record-order",
        example: "page 1: comes after sprites, expected pages, folders, sprites and aliases in this order",
        advice: "Sort the records: names are looked up as their lines are read.";
    /// Flags are 0 or 2.
    Flags = Warning "118" "flags",
        example: "sprite \"a\": flags 6 set unknown bits; only 1 (rotated) and 2 (trimmed) are known",
        advice: "Write 0, or 2 for a trimmed sprite.";
    /// Sprites are not rotated.
    Rotated = Warning "119" "rotated",
        example: "sprite \"a\": flag 1 (rotated) is reserved; Phaser draws rotated sprites mirrored and stretched",
        advice: "Pack without rotation. pchr-view draws it upright, as TexturePacker intends.";
    /// A sprite without flag 2 has three fields.
    TrimIgnored = Warning "120" "trim-ignored",
        example: "sprite \"a\": a fourth field without flag 2 (trimmed); it is ignored",
        advice: "Write flag 2 if the sprite is trimmed.";
    /// An atlas has at least one page.
    PagesNone = Warning "121" "pages-none",
        example: "pages: no pages; nothing can be drawn",
        advice: "Add a P: line for each image.";
    /// An atlas has at least one sprite.
    SpritesNone = Warning "122" "sprites-none",
        example: "sprites: no sprites; nothing plays",
        advice: "Add sprites: pages alone show nothing.";
    /// A sprite has a width and a height.
    SpriteEmpty = Warning "130" "sprite-empty",
        example: "sprite \"a\": -8 x 8 pixels cannot be drawn",
        advice: "Write the sprite's size on its page, or leave the sprite out.";
    /// A sprite lies within its page.
    SpriteOutside = Warning "131" "sprite-outside",
        example: "sprite \"a\": 8 x 8 at 60,0 lies partly outside page 0 \"a.png\" (64 x 64)",
        advice: "Correct the position, or the page's size. Only the part on the page is drawn.";
    /// Sprites do not overlap, unless they are the same.
    SpriteOverlap = Warning "132" "sprite-overlap",
        example: "sprite \"sword\": overlaps \"idle_06\" on page 0",
        advice: "Pack the page again: one of the sprites shows parts of the other.";
    /// A trimmed sprite lies within its source.
    TrimOutside = Warning "133" "trim-outside",
        example: "sprite \"a\": 40 x 30 at 12,50 lies partly outside its source of 64 x 64",
        advice: "Write the untrimmed size of the source, and the sprite's position in it.";
    /// The image of a page has the size that the page states.
    PageSize = Warning "134" "page-size",
        example: "page 0 \"hero.png\": declared as 512 x 512, but the PNG is 256 x 256",
        advice: "Export text and image together. The image's real size is used.";
    /// The image of a page exists and can be read.
    PageMissing = Warning "135" "page-missing",
        example: "page 0 \"hero.png\": cannot read ./hero.png: No such file or directory",
        advice: "Put the image where the atlas says, with the same capitalisation. A placeholder is shown for it, and Phaser mixes up later pages.";
    /// A name can be written in a PCT file.
    NameUnwritable = Warning "136" "name-unwritable",
        example: "sprite \"a,b|c\": contains both \",\" and \"|\", which no record can hold",
        advice: "Rename the sprite, or write the atlas with --safe-names.";
    /// A name has no special meaning in JavaScript.
    NameJavaScript = Warning "137" "name-javascript",
        example: "sprite \"__proto__\": Phaser loses sprites with this name",
        advice: "Rename the sprite, if the atlas is for Phaser.";
    /// An atlas has at most 65,535 sprites and pages to show.
    ShownLimit = Warning "138" "shown-limit",
        example: "sprites: 70000 sprites or pages; only the first 65535 are shown",
        advice: "Split the atlas to see all of it. Other commands handle all sprites.";
}
