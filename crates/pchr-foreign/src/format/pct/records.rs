//! Reads the records of a text in sequence.

use pchr::finding::{Findings, quoted};

use super::lines::{Line, Part, parse_int};
use super::names::{Cells, MOST_NUMBER, NameFault, NameList, resolve};
use crate::atlas::{Atlas, Page, PctRule, Rect, Sprite, Trim};

/// Maximum number of bytes of all names together: a short text can request long ones.
const NAME_BYTES: usize = 256 << 20;

/// The fields of a trim.
const TRIM: [&str; 4] = ["sourceW", "sourceH", "trimX", "trimY"];

/// Stops the reading after an error.
pub(super) struct Stop;

/// Reads records into an atlas.
pub(super) struct Records<'f> {
    atlas: Atlas,
    pub(super) found: &'f mut Findings,
    /// Page of the next records; `None` after a selector that is not a number.
    page: Option<i64>,
    /// A block whose names are on the next line.
    block: Option<Block>,
    /// Number of the next block.
    blocks: u32,
    stage: Stage,
    /// Number of names so far, including those that are left out or replaced.
    names: u64,
    name_bytes: usize,
    /// Memory for the name of a sprite.
    name: String,
}

/// Kind of a record, in the order in which a file should have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    #[default]
    Pages,
    Folders,
    Sprites,
    Aliases,
}

/// Header of a block.
struct Block {
    page: Option<i64>,
    columns: Option<i64>,
    /// Corner of the first cell and size; `None` if a number is missing.
    rect: Option<Rect>,
    /// `Some(None)` if a number is missing.
    trim: Option<Option<Trim>>,
    offset: u64,
}

impl<'f> Records<'f> {
    /// Creates an empty atlas with room for some names.
    pub(super) fn new(found: &'f mut Findings, names: u64) -> Self {
        let mut atlas = Atlas::default();
        let names = usize::try_from(names).unwrap_or(usize::MAX);
        atlas.sprites.reserve(names.min(Atlas::MOST_SPRITES));
        Self {
            atlas,
            found,
            page: Some(0),
            block: None,
            blocks: 0,
            stage: Stage::default(),
            names: 0,
            name_bytes: 0,
            name: String::new(),
        }
    }

    /// Adds a finding about a line that is not UTF-8.
    pub(super) fn not_utf8(&mut self, byte: u8, offset: u64) {
        let message = || format!("byte {byte:#04x} is not UTF-8; it is read as \u{fffd}");
        self.found
            .add(PctRule::Utf8, offset, || "line".into(), message);
    }

    /// Reads a line, which is not empty.
    pub(super) fn line(&mut self, line: &Line<'_>) -> Result<(), Stop> {
        let line = line.part();
        if let Some(block) = self.block.take() {
            return self.block_names(&block, line);
        }
        match line.text.as_bytes() {
            [b'P', b':', ..] => self.page(line),
            [b'F', b':', ..] => {
                self.stage(Stage::Folders, line);
                let name = line.behind(2).text;
                self.atlas.folders.push(name.to_owned());
            }
            [b'#', ..] => {
                let number = parse_int(line.behind(1).text);
                self.number_alone(&|| "page selector".to_owned(), line.behind(1));
                self.page = number.map(|number| number.value);
            }
            [b'B', b':', ..] => self.block_header(line),
            [b'A', b':', ..] => return self.alias(line),
            _ => return self.sprite(line),
        }
        Ok(())
    }

    /// Returns the atlas, after all lines are read.
    pub(super) fn finish(mut self) -> Atlas {
        if let Some(block) = self.block.take() {
            let message = || "the file ends before its names; the block is left out".into();
            self.found.add(
                PctRule::BlockNames,
                block.offset,
                || "block".into(),
                message,
            );
        }
        self.atlas.settle_aliases();
        self.atlas
    }

    /// Sets the kind of the current record; one that comes too late is a finding.
    fn stage(&mut self, stage: Stage, line: Part<'_>) {
        if stage < self.stage {
            let message = || {
                let after = match self.stage {
                    Stage::Aliases => "aliases",
                    Stage::Sprites => "sprites",
                    Stage::Folders | Stage::Pages => "folders",
                };
                format!(
                    "comes after {after}, expected pages, folders, sprites and aliases in this order"
                )
            };
            let path = || format!("line {}", quoted(line.text));
            self.found
                .add(PctRule::RecordOrder, line.offset, path, message);
        }
        self.stage = self.stage.max(stage);
    }

    fn page(&mut self, line: Part<'_>) {
        self.stage(Stage::Pages, line);
        let index = self.atlas.pages.len();
        let mut parts = line.behind(2).split(b',');
        let [file, format, width, height, padding] = std::array::from_fn(|_| parts.next());
        let path = || format!("page {index}");
        let end = line.end();
        let mut number = |name: &str, part: Option<Part<'_>>, then: &str| {
            self.number(&path, name, part.unwrap_or(end), then)
        };
        let mut size = |name, part| {
            let number = number(name, part, "the image's size is used");
            u32::try_from(number.unwrap_or(0)).unwrap_or(0)
        };
        let size = [size("width", width), size("height", height)];
        let padding = number("padding", padding, "blocks on this page are left out");
        let text = |part: Option<Part<'_>>| part.map_or("", |part| part.text).to_owned();
        self.atlas.pages.push(Page {
            file: text(file),
            format: text(format),
            size,
            padding,
            offset: line.offset,
        });
    }

    fn block_header(&mut self, line: Part<'_>) {
        self.stage(Stage::Sprites, line);
        let mut fields = line.behind(2).split(b'|');
        let numbers = fields.next();
        let (path, left_out) = (|| "block".to_owned(), "the block is left out");
        let names = ["x", "y", "columns", "width", "height"];
        let [x, y, columns, width, height] = self.numbers(&path, numbers, names, left_out);
        let rect = rect([x, y, width, height]);
        let trim = fields
            .next()
            .map(|part| trim(self.numbers(&path, Some(part), TRIM, left_out)));
        self.block = Some(Block {
            page: self.page,
            columns: columns.map(i64::from),
            rect,
            trim,
            offset: line.offset,
        });
    }

    fn block_names(&mut self, block: &Block, line: Part<'_>) -> Result<(), Stop> {
        let path = || "block".to_owned();
        let header = line.text.strip_prefix("B:").is_some_and(|rest| {
            let rest = rest.split('|').next().unwrap_or_default();
            rest.split(',').count() == 5
                && rest.split(',').all(|number| parse_int(number).is_some())
        });
        if header {
            let message = || {
                format!(
                    "its names are {}, which looks like another record",
                    quoted(line.text)
                )
            };
            self.found
                .add(PctRule::BlockRecord, line.offset, path, message);
        }
        let index = block.page.and_then(|page| usize::try_from(page).ok());
        let page = index
            .and_then(|index| Some((u32::try_from(index).ok()?, self.atlas.pages.get(index)?)));
        let Some((page, padding)) = page.map(|(index, page)| (index, page.padding)) else {
            let message = self.no_page(block.page);
            self.found
                .add(PctRule::BlockPage, block.offset, path, || message);
            return Err(Stop);
        };
        let Some(columns) = block.columns.filter(|columns| *columns > 0) else {
            let message = || match block.columns {
                Some(columns) => format!("{columns} columns, expected 1 or more"),
                None => "no number of columns".into(),
            };
            self.found
                .add(PctRule::BlockColumns, block.offset, path, message);
            return Err(Stop);
        };
        let number = self.blocks;
        self.blocks = self.blocks.saturating_add(1);
        let trim = block.trim.flatten();
        let mut cells = match (block.rect, block.trim, padding) {
            (Some(first), trim, Some(padding)) if trim != Some(None) => {
                Some(Cells::new(first, columns, padding))
            }
            _ => None,
        };
        let mut cell: u64 = 0;
        let names = NameList::new(line);
        self.list_fits(names)?;
        self.each_name(names, |records, name, offset| {
            if name.is_empty() {
                let message = || format!("cell {cell} has an empty name");
                records.found.add(PctRule::NameEmpty, offset, path, message);
            }
            cell = cell.saturating_add(1);
            let Some(cells) = &mut cells else {
                return;
            };
            let Some(rect) = cells.next_rect() else {
                let path = || format!("sprite {}", quoted(name));
                let message =
                    || "its position in the block does not fit in 32 bits; it is left out".into();
                records
                    .found
                    .add(PctRule::NumberMissing, offset, path, message);
                return;
            };
            let sprite = Sprite {
                page,
                rect,
                trim,
                block: Some(number),
                offset,
                ..Sprite::default()
            };
            records.insert(name, sprite);
        })
    }

    fn sprite(&mut self, line: Part<'_>) -> Result<(), Stop> {
        let mut fields = line.split(b'|');
        let (Some(raw), Some(flags), Some(place)) = (fields.next(), fields.next(), fields.next())
        else {
            let path = || "line".to_owned();
            let message = || format!("{} is not a known record; it is ignored", quoted(line.text));
            self.found
                .add(PctRule::RecordUnknown, line.offset, path, message);
            return Ok(());
        };
        self.stage(Stage::Sprites, line);
        self.names_fit(1, line)?;
        let mut name = std::mem::take(&mut self.name);
        let done = self.sprite_named(&mut name, line, raw, [flags, place], fields.next());
        self.name = name;
        done
    }

    /// Reads a single sprite, and its name into `name`.
    fn sprite_named(
        &mut self,
        name: &mut String,
        line: Part<'_>,
        raw: Part<'_>,
        [flags, place]: [Part<'_>; 2],
        trim_field: Option<Part<'_>>,
    ) -> Result<(), Stop> {
        let mut found = None;
        let mut fault = |fault, _: Part<'_>| found = Some(fault);
        resolve(raw, &self.atlas.folders, "", name, &mut fault);
        if let Some(fault) = found {
            self.name_fault(fault, raw);
        }
        self.name_bytes_fit(name, line)?;
        let name = name.as_str();
        let path = || format!("sprite {}", quoted(name));
        if name.is_empty() {
            let message = || "the name is empty".into();
            self.found
                .add(PctRule::NameEmpty, line.offset, path, message);
        }
        let bits = self.flags(&path, flags);
        let (rotated, trimmed) = (bits & 1 != 0, bits & 2 != 0);
        if rotated {
            let message = || {
                "flag 1 (rotated) is reserved; Phaser draws rotated sprites mirrored and stretched"
                    .into()
            };
            self.found
                .add(PctRule::Rotated, flags.offset, path, message);
        }
        let left_out = "the sprite is left out";
        let rect = rect(self.numbers(&path, Some(place), ["x", "y", "width", "height"], left_out));
        let trim = match (trimmed, trim_field) {
            (true, None) => {
                let message = || {
                    format!(
                        "flags {} (trimmed), but no fourth field; expected sourceW,sourceH,trimX,trimY",
                        flags.text
                    )
                };
                self.found
                    .add(PctRule::TrimMissing, line.offset, path, message);
                return Err(Stop);
            }
            (true, Some(field)) => Some(trim(self.numbers(&path, Some(field), TRIM, left_out))),
            (false, Some(field)) => {
                let message = || "a fourth field without flag 2 (trimmed); it is ignored".into();
                self.found
                    .add(PctRule::TrimIgnored, field.offset, path, message);
                None
            }
            (false, None) => None,
        };
        // Phaser reads anything that is not a number as page 0.
        let selected = self.page.unwrap_or(0);
        if selected < 0 {
            let message = || format!("page {selected}, expected 0 or more");
            self.found
                .add(PctRule::PageNegative, line.offset, path, message);
            return Err(Stop);
        }
        let page = u32::try_from(selected)
            .ok()
            .filter(|page| (*page as usize) < self.atlas.pages.len());
        let Some(page) = page else {
            let message = self.no_page(Some(selected)) + "; the sprite is left out";
            self.found
                .add(PctRule::PageRange, line.offset, path, || message);
            return Ok(());
        };
        if let (Some(rect), None | Some(Some(_))) = (rect, trim) {
            let sprite = Sprite {
                page,
                rect,
                trim: trim.flatten(),
                rotated,
                offset: line.offset,
                ..Sprite::default()
            };
            self.insert(name, sprite);
        }
        Ok(())
    }

    /// Returns the flags of a sprite. A value that is not a number is 0, as in Phaser.
    fn flags(&mut self, path: &dyn Fn() -> String, part: Part<'_>) -> i64 {
        if part.text == "0" || part.text == "2" {
            return i64::from(part.text == "2") << 1;
        }
        self.number_alone(&|| path() + ".flags", part);
        let bits = parse_int(part.text).map_or(0, |number| number.value);
        if bits & !3 != 0 {
            let message = || {
                format!("flags {bits} set unknown bits; only 1 (rotated) and 2 (trimmed) are known")
            };
            self.found.add(PctRule::Flags, part.offset, path, message);
        }
        bits
    }

    fn alias(&mut self, line: Part<'_>) -> Result<(), Stop> {
        self.stage(Stage::Aliases, line);
        let Some(equals) = line.text.find('=') else {
            let path = || format!("alias {}", quoted(line.behind(2).text));
            let message = || "expected original=duplicate; the line is ignored".into();
            self.found
                .add(PctRule::AliasSyntax, line.offset, path, message);
            return Ok(());
        };
        let (before, names) = line.split_at(equals);
        let mut original = String::new();
        resolve(
            before.behind(2),
            &self.atlas.folders,
            "",
            &mut original,
            &mut |_, _| (),
        );
        let names = NameList::new(names);
        let count = self.list_fits(names)?; // Phaser makes the names before it looks for the original
        let index = self.atlas.sprites.index_of(&original);
        let Some((index, (_, sprite))) =
            index.and_then(|index| Some((index, self.atlas.sprites.get_index(index)?)))
        else {
            let path = || format!("alias {}", quoted(&original));
            let message = || match count {
                1 => "no sprite before this line has this name; 1 name is left out".into(),
                count => {
                    format!("no sprite before this line has this name; {count} names are left out")
                }
            };
            self.found
                .add(PctRule::AliasUnknown, line.offset, path, message);
            return Ok(());
        };
        let copy = Sprite {
            alias_of: sprite.alias_of.or(u32::try_from(index).ok()),
            block: None,
            ..sprite.clone()
        };
        self.each_name(names, |records, name, offset| {
            if name.is_empty() {
                let path = || format!("alias {}", quoted(&original));
                records
                    .found
                    .add(PctRule::NameEmpty, offset, path, || "an empty name".into());
            }
            records.insert(
                name,
                Sprite {
                    offset,
                    ..copy.clone()
                },
            );
        })
    }

    /// Counts the names of a list before they are made, and returns their number.
    fn list_fits(&mut self, names: NameList<'_>) -> Result<u64, Stop> {
        let count = names.count().map_err(|range| {
            let path = || format!("range {}", quoted(range.text));
            let message = || {
                format!(
                    "its last number is too large, expected at most {MOST_NUMBER}; Phaser never finishes reading it"
                )
            };
            self.found
                .add(PctRule::Limit, range.offset, path, message);
            Stop
        })?;
        self.names_fit(count, names.part())?;
        Ok(count)
    }

    /// Calls `each` with every name of a list, which [fits](Self::list_fits), and its offset.
    fn each_name(
        &mut self,
        names: NameList<'_>,
        mut each: impl FnMut(&mut Self, &str, u64),
    ) -> Result<(), Stop> {
        let folders = std::mem::take(&mut self.atlas.folders);
        let mut faults = Vec::new();
        let mut fault =
            |fault, part: Part<'_>| faults.push((fault, part.text.to_owned(), part.offset));
        let (list, mut names) = (names.part(), names.names());
        let mut fits = Ok(());
        while let Some((name, offset)) = names.next(&folders, &mut fault) {
            fits = self.name_bytes_fit(name, list);
            if fits.is_err() {
                break;
            }
            each(self, name, offset);
        }
        self.atlas.folders = folders;
        for (fault, text, offset) in faults {
            self.name_fault(
                fault,
                Part {
                    text: &text,
                    offset,
                },
            );
        }
        fits
    }

    /// Counts the bytes of a new name.
    fn name_bytes_fit(&mut self, name: &str, at: Part<'_>) -> Result<(), Stop> {
        self.name_bytes = self.name_bytes.saturating_add(name.len());
        if self.name_bytes <= NAME_BYTES {
            return Ok(());
        }
        let message = || format!("the names so far have more than {NAME_BYTES} bytes");
        let path = || "sprites".to_owned();
        self.found.add(PctRule::Limit, at.offset, path, message);
        Err(Stop)
    }

    /// Adds to the number of names.
    fn names_fit(&mut self, more: u64, at: Part<'_>) -> Result<(), Stop> {
        self.names = self.names.saturating_add(more);
        if self.names <= Atlas::MOST_SPRITES as u64 {
            return Ok(());
        }
        let (names, most) = (self.names, Atlas::MOST_SPRITES);
        let message = || format!("{names} sprites so far, expected at most {most}");
        self.found
            .add(PctRule::Limit, at.offset, || "sprites".into(), message);
        Err(Stop)
    }

    fn name_fault(&mut self, fault: NameFault, part: Part<'_>) {
        let range = || format!("range {}", quoted(part.text));
        let offset = part.offset;
        match fault {
            NameFault::Folder => {
                let path = || format!("name {}", quoted(part.text));
                let message = || {
                    let (index, name) = part.text.split_once('/').unwrap_or(("", part.text));
                    let folders = match self.atlas.folders.len() {
                        1 => "name 1 folder".into(),
                        count => format!("name {count} folders"),
                    };
                    format!(
                        "folder {index}, but the F: lines {folders}; the name is read as {}",
                        quoted(name)
                    )
                };
                self.found.add(PctRule::FolderRange, offset, path, message);
            }
            NameFault::Range(why) => {
                let message =
                    || format!("{why}; it has no sprites, and later names move up a cell");
                self.found.add(PctRule::Range, offset, range, message);
            }
            NameFault::Extension => {
                let message =
                    || "the extension index is not at the end of the line, and is ignored".into();
                self.found
                    .add(PctRule::RangeExtension, offset, range, message);
            }
            NameFault::Number => {
                let message = || "more than two numbers; the rest is ignored".into();
                self.found.add(PctRule::Number, offset, range, message);
            }
        }
    }

    /// Replaces a sprite of the same name, or appends one.
    fn insert(&mut self, name: &str, sprite: Sprite) {
        let offset = sprite.offset;
        let (index, Some(before)) = self.atlas.sprites.insert(name, sprite) else {
            return;
        };
        let path = || format!("sprite {}", quoted(name));
        let message = || {
            format!(
                "also named at byte {}; the later one is used",
                before.offset
            )
        };
        self.found
            .add(PctRule::NameDuplicate, offset, path, message);
        // A sprite that replaces its own original is no longer an alias.
        let itself = u32::try_from(index).ok();
        let sprite = self.atlas.sprites.values_mut().nth(index);
        if let Some(sprite) = sprite.filter(|sprite| sprite.alias_of == itself) {
            sprite.alias_of = None;
        }
    }

    fn no_page(&self, page: Option<i64>) -> String {
        let pages = match self.atlas.pages.len() {
            0 => "the file has no pages".into(),
            1 => "there is 1 page".into(),
            count => format!("there are {count} pages"),
        };
        match page {
            Some(page) => format!("page {page}, but {pages}"),
            None => format!("the page selector before it is not a number, and {pages}"),
        }
    }
}

fn rect(numbers: [Option<i32>; 4]) -> Option<Rect> {
    let [x, y, width, height] = numbers;
    Some(Rect {
        x: x?,
        y: y?,
        width: width?,
        height: height?,
    })
}

fn trim(numbers: [Option<i32>; 4]) -> Option<Trim> {
    let [width, height, x, y] = numbers;
    Some(Trim {
        source: [width?, height?],
        offset: [x?, y?],
    })
}
