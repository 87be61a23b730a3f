//! Reads the records of a text in sequence.

use pchr::finding::{Findings, quoted};

use super::lines::{LinePart, PctLine, parse_int};
use super::names::{NameList, cell_rect, resolve};
use crate::atlas::{Atlas, Page, PctRule, Rect, Sprite, Trim};

const TRIM: [&str; 4] = ["sourceW", "sourceH", "trimX", "trimY"];

pub(super) struct ReadStop;

pub(super) struct PctRecords<'f> {
    pub(super) atlas: Atlas,
    pub(super) found: &'f mut Findings,
    /// Page of the next records; `None` after a selector that is not a number.
    page: Option<i64>,
    /// A block whose names are on the next line.
    block: Option<BlockHeader>,
    /// Number of the next block.
    blocks: u32,
    stage: RecordStage,
    /// Number of names so far, including those that are left out or replaced.
    pub(super) names: u64,
    pub(super) name_bytes: usize,
    /// Memory for the name of a sprite.
    name: String,
}

/// Kind of a record, in the order in which a file should have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum RecordStage {
    #[default]
    Pages,
    Folders,
    Sprites,
    Aliases,
}

struct BlockHeader {
    page: Option<i64>,
    columns: Option<i64>,
    /// Corner of the first cell and size; `None` if a number is missing.
    rect: Option<Rect>,
    /// `Some(None)` if a number is missing.
    trim: Option<Option<Trim>>,
    offset: u64,
}

impl<'f> PctRecords<'f> {
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
            stage: RecordStage::default(),
            names: 0,
            name_bytes: 0,
            name: String::new(),
        }
    }

    /// Adds a finding about a line that is not UTF-8.
    pub(super) fn not_utf8(&mut self, byte: u8, offset: u64) {
        let message = || format!("byte {byte:#04x} is not UTF-8; it is read as \u{fffd}");
        self.found.add(PctRule::Utf8, offset, "line", message);
    }

    /// Reads a line, which is not empty.
    pub(super) fn line(&mut self, line: &PctLine<'_>) -> Result<(), ReadStop> {
        let line = line.part();
        if let Some(block) = self.block.take() {
            return self.block_names(&block, line);
        }
        match line.text.as_bytes() {
            [b'P', b':', ..] => self.page(line),
            [b'F', b':', ..] => {
                self.stage(RecordStage::Folders, line);
                let name = line.behind(2).text;
                self.atlas.folders.push(name.to_owned());
            }
            [b'#', ..] => {
                let number = parse_int(line.behind(1).text);
                self.number_alone("page selector", line.behind(1));
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
            let message = "the file ends before its names; the block is left out";
            self.found.add(PctRule::BlockNames, block.offset, "block", message);
        }
        self.atlas.settle_aliases();
        self.atlas
    }

    /// Sets the kind of the current record; one that comes too late is a finding.
    fn stage(&mut self, stage: RecordStage, line: LinePart<'_>) {
        if stage < self.stage {
            let message = || {
                let after = match self.stage {
                    RecordStage::Aliases => "aliases",
                    RecordStage::Sprites => "sprites",
                    RecordStage::Folders | RecordStage::Pages => "folders",
                };
                format!(
                    "comes after {after}, expected pages, folders, sprites and aliases in this order"
                )
            };
            let path = || format!("line {}", quoted(line.text));
            self.found.add(PctRule::RecordOrder, line.offset, path, message);
        }
        self.stage = self.stage.max(stage);
    }

    fn page(&mut self, line: LinePart<'_>) {
        self.stage(RecordStage::Pages, line);
        let index = self.atlas.pages.len();
        let mut parts = line.behind(2).split(b',');
        let [file, format, width, height, padding] = std::array::from_fn(|_| parts.next());
        let path = || format!("page {index}");
        let end = line.end();
        let mut number = |name: &str, part: Option<LinePart<'_>>, then: &str| {
            self.number(&path, name, part.unwrap_or(end), then)
        };
        let mut size = |name, part| {
            let number = number(name, part, "the image's size is used");
            u32::try_from(number.unwrap_or(0)).unwrap_or(0)
        };
        let size = [size("width", width), size("height", height)];
        let padding = number("padding", padding, "blocks on this page are left out");
        let text = |part: Option<LinePart<'_>>| part.map_or("", |part| part.text).to_owned();
        self.atlas.pages.push(Page {
            file: text(file),
            format: text(format),
            size,
            padding,
            offset: line.offset,
        });
    }

    fn block_header(&mut self, line: LinePart<'_>) {
        self.stage(RecordStage::Sprites, line);
        let mut fields = line.behind(2).split(b'|');
        let numbers = fields.next();
        let (path, left_out) = (|| "block".to_owned(), "the block is left out");
        let names = ["x", "y", "columns", "width", "height"];
        let [x, y, columns, width, height] = self.numbers(&path, numbers, names, left_out);
        let rect = rect([x, y, width, height]);
        let trim = fields.next().map(|part| trim(self.numbers(&path, Some(part), TRIM, left_out)));
        self.block = Some(BlockHeader {
            page: self.page,
            columns: columns.map(i64::from),
            rect,
            trim,
            offset: line.offset,
        });
    }

    fn block_names(&mut self, block: &BlockHeader, line: LinePart<'_>) -> Result<(), ReadStop> {
        let path = "block";
        let header = line.text.strip_prefix("B:").is_some_and(|rest| {
            let rest = rest.split('|').next().unwrap_or_default();
            rest.split(',').count() == 5
                && rest.split(',').all(|number| parse_int(number).is_some())
        });
        if header {
            let message =
                || format!("its names are {}, which looks like another record", quoted(line.text));
            self.found.add(PctRule::BlockRecord, line.offset, path, message);
        }
        let index = block.page.and_then(|page| usize::try_from(page).ok());
        let page = index
            .and_then(|index| Some((u32::try_from(index).ok()?, self.atlas.pages.get(index)?)));
        let Some((page, padding)) = page.map(|(index, page)| (index, page.padding)) else {
            let message = self.no_page(block.page);
            self.found.add(PctRule::BlockPage, block.offset, path, || message);
            return Err(ReadStop);
        };
        let Some(columns) = block.columns.filter(|columns| *columns > 0) else {
            let message = || match block.columns {
                Some(columns) => format!("{columns} columns, expected 1 or more"),
                None => "no number of columns".into(),
            };
            self.found.add(PctRule::BlockColumns, block.offset, path, message);
            return Err(ReadStop);
        };
        let number = self.blocks;
        self.blocks = self.blocks.saturating_add(1);
        let trim = block.trim.flatten();
        let grid = block.rect.zip(padding).filter(|_| block.trim != Some(None));
        let mut cells = 0_i64..;
        let names = NameList::new(line);
        self.list_fits(names)?;
        self.each_name(names, |records, name, offset| {
            let Some(cell) = cells.next() else { return };
            if name.is_empty() {
                let message = || format!("cell {cell} has an empty name");
                records.found.add(PctRule::NameEmpty, offset, path, message);
            }
            let Some((first, padding)) = grid else { return };
            let Some(rect) = cell_rect(first, columns, padding.into(), cell) else {
                let path = || format!("sprite {}", quoted(name));
                let message = "its position in the block does not fit in 32 bits; it is left out";
                records.found.add(PctRule::NumberMissing, offset, path, message);
                return;
            };
            let sprite =
                Sprite { page, rect, trim, block: Some(number), offset, ..Sprite::default() };
            records.insert(name, sprite);
        })
    }

    fn sprite(&mut self, line: LinePart<'_>) -> Result<(), ReadStop> {
        let mut fields = line.split(b'|');
        let (Some(raw), Some(flags), Some(place)) = (fields.next(), fields.next(), fields.next())
        else {
            let message = || format!("{} is not a known record; it is ignored", quoted(line.text));
            self.found.add(PctRule::RecordUnknown, line.offset, "line", message);
            return Ok(());
        };
        self.stage(RecordStage::Sprites, line);
        self.names_fit(1, line)?;
        let mut name = std::mem::take(&mut self.name);
        let mut found = None;
        let mut fault = |fault, _: LinePart<'_>| found = Some(fault);
        resolve(raw, &self.atlas.folders, "", &mut name, &mut fault);
        if let Some(fault) = found {
            self.name_fault(fault, raw);
        }
        self.name_bytes_fit(&name, line)?;
        let path = || format!("sprite {}", quoted(&name));
        if name.is_empty() {
            self.found.add(PctRule::NameEmpty, line.offset, path, "the name is empty");
        }
        let bits = self.flags(&path, flags);
        let (rotated, trimmed) = (bits & 1 != 0, bits & 2 != 0);
        if rotated {
            let message =
                "flag 1 (rotated) is reserved; Phaser draws rotated sprites mirrored and stretched";
            self.found.add(PctRule::Rotated, flags.offset, path, message);
        }
        let left_out = "the sprite is left out";
        let rect = rect(self.numbers(&path, Some(place), ["x", "y", "width", "height"], left_out));
        let trim = match (trimmed, fields.next()) {
            (true, None) => {
                let message = || {
                    format!(
                        "flags {} (trimmed), but no fourth field; expected sourceW,sourceH,trimX,trimY",
                        flags.text
                    )
                };
                self.found.add(PctRule::TrimMissing, line.offset, path, message);
                return Err(ReadStop);
            }
            (true, Some(field)) => Some(trim(self.numbers(&path, Some(field), TRIM, left_out))),
            (false, Some(field)) => {
                let message = "a fourth field without flag 2 (trimmed); it is ignored";
                self.found.add(PctRule::TrimIgnored, field.offset, path, message);
                None
            }
            (false, None) => None,
        };
        // Phaser reads anything that is not a number as page 0.
        let selected = self.page.unwrap_or(0);
        if selected < 0 {
            let message = || format!("page {selected}, expected 0 or more");
            self.found.add(PctRule::PageNegative, line.offset, path, message);
            return Err(ReadStop);
        }
        let page =
            u32::try_from(selected).ok().filter(|page| (*page as usize) < self.atlas.pages.len());
        let Some(page) = page else {
            let message = self.no_page(Some(selected)) + "; the sprite is left out";
            self.found.add(PctRule::PageRange, line.offset, path, || message);
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
            self.insert(&name, sprite);
        }
        self.name = name;
        Ok(())
    }

    /// Returns the flags of a sprite. A value that is not a number is 0, as in Phaser.
    fn flags(&mut self, path: &dyn Fn() -> String, part: LinePart<'_>) -> i64 {
        if part.text == "0" || part.text == "2" {
            return i64::from(part.text == "2") << 1;
        }
        self.number_alone(|| path() + ".flags", part);
        let bits = parse_int(part.text).map_or(0, |number| number.value);
        if bits & !3 != 0 {
            let message = || {
                format!("flags {bits} set unknown bits; only 1 (rotated) and 2 (trimmed) are known")
            };
            self.found.add(PctRule::Flags, part.offset, path, message);
        }
        bits
    }

    fn alias(&mut self, line: LinePart<'_>) -> Result<(), ReadStop> {
        self.stage(RecordStage::Aliases, line);
        let Some(equals) = line.text.find('=') else {
            let path = || format!("alias {}", quoted(line.behind(2).text));
            let message = "expected original=duplicate; the line is ignored";
            self.found.add(PctRule::AliasSyntax, line.offset, path, message);
            return Ok(());
        };
        let (before, names) = line.split_at(equals);
        let mut original = String::new();
        resolve(before.behind(2), &self.atlas.folders, "", &mut original, &mut |_, _| ());
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
            self.found.add(PctRule::AliasUnknown, line.offset, path, message);
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
                records.found.add(PctRule::NameEmpty, offset, path, "an empty name");
            }
            records.insert(name, Sprite { offset, ..copy.clone() });
        })
    }

    /// Replaces a sprite of the same name, or appends one.
    fn insert(&mut self, name: &str, sprite: Sprite) {
        let offset = sprite.offset;
        let (index, Some(before)) = self.atlas.sprites.insert(name, sprite) else { return };
        let path = || format!("sprite {}", quoted(name));
        let message = || format!("also named at byte {}; the later one is used", before.offset);
        self.found.add(PctRule::NameDuplicate, offset, path, message);
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
    Some(Rect { x: x?, y: y?, width: width?, height: height? })
}

fn trim(numbers: [Option<i32>; 4]) -> Option<Trim> {
    let [width, height, x, y] = numbers;
    Some(Trim { source: [width?, height?], offset: [x?, y?] })
}
