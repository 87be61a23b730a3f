//! Pictures with names to pages, and the atlas that says where they lie.
//!
//! `Picture::trimmed` cuts empty borders off, `originals` finds pictures that are equal, and `parts` gives those that belong together
//! one size; `layout` makes grids of equal sizes and finds places for them by `max_rects`; `pack` copies their pixels there.
//! The same pictures in the same order give the same bytes on every machine.

mod layout;
mod max_rects;

use std::collections::BTreeMap;
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use thiserror::Error;

use pchr::finding::quoted;
use pchr::image::{PixelRect, Pixels};

use self::layout::{PageLayout, PageLimits, layout};
use crate::atlas::{Atlas, Page, Rect, Sprite, Trim, flip_books};

pub use layout::Order;

/// Options of packing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The image files without their extension: `name.png`, or `name_0.png` and so on.
    pub name: String,
    /// The largest width and height of a page.
    pub page_size: [u32; 2],
    /// Empty pixels on each side of a sprite.
    pub padding: u32,
    /// Times that the pixels on the edges of a sprite are repeated around it, before the padding.
    pub extrude: u32,
    /// True if widths and heights of pages are powers of two.
    pub powers_of_two: bool,
    /// The order in which sprites are placed.
    pub order: Order,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            name: "atlas".into(),
            page_size: [2048; 2],
            padding: 2,
            extrude: 0,
            powers_of_two: false,
            order: Order::default(),
        }
    }
}

impl Options {
    /// The longest side of a page that is possible.
    pub const MOST_SIZE: u32 = 16384;
    /// Maximum of padding and extrusion together, in pixels.
    pub const MOST_MARGIN: u32 = 256;

    /// Room on each side of a sprite, as the format states it.
    fn margin(&self) -> u32 {
        let margin = self.padding.saturating_add(self.extrude);
        margin.min(Self::MOST_MARGIN)
    }

    fn page_size(&self) -> [u32; 2] {
        self.page_size.map(|size| {
            let size = size.clamp(1, Self::MOST_SIZE);
            match self.powers_of_two {
                true => 1 << size.ilog2(),
                false => size,
            }
        })
    }
}

/// An atlas and the pixels of its pages, which have straight alpha.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// Sprites have the order of the pictures.
    pub atlas: Atlas,
    /// As many as the atlas has pages.
    pub pages: Vec<Pixels>,
}

/// The reason why pictures cannot be packed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PackError {
    /// Two pictures have one name.
    #[error("two pictures are named {}", quoted(.0))]
    Name(String),
    /// A picture does not fit on a page.
    #[error(
        "{} takes {}x{} pixels with its padding, expected at most the page size of {}x{}",
        quoted(.name), .size[0], .size[1], .page[0], .page[1]
    )]
    Size {
        /// The picture.
        name: String,
        /// Width and height that it takes, with the room around it.
        size: [u32; 2],
        /// The largest width and height of a page.
        page: [u32; 2],
    },
}

/// Packs pictures. Frames of a flip-book that are of one size are trimmed alike, in parts only where no page could hold the box
/// around all; four and more of one size become a grid; a picture with the same pixels as one before it becomes an alias.
///
/// # Errors
/// [`PackError`] if names are not unique, or a picture is larger than a page.
pub fn pack(pictures: &[Picture], options: &Options) -> Result<Packed, PackError> {
    let mut names: Vec<&str> = pictures.iter().map(Picture::name).collect();
    names.sort_unstable();
    if let Some([name, _]) = names.array_windows().find(|[a, b]| a == b) {
        return Err(PackError::Name((*name).to_owned()));
    }
    let margin = options.margin();
    let limits = PageLimits {
        most: options.page_size(),
        powers_of_two: options.powers_of_two,
        order: options.order,
    };
    let mut sprites: Vec<Sprite> = Vec::with_capacity(pictures.len());
    let originals = originals(pictures);
    let parts = parts(pictures, &originals, margin, limits.most);
    let mut cells = Vec::with_capacity(pictures.len());
    for (index, (picture, part)) in pictures.iter().zip(&parts).enumerate() {
        let original = originals.get(index).copied().flatten();
        sprites.push(sprite(picture, *part, original));
        if original.is_some() {
            continue;
        }
        let cell = part.size.map(|size| size.saturating_add(2 * margin));
        let ([width, height], [most_width, most_height]) = (cell, limits.most);
        if width > most_width || height > most_height {
            return Err(PackError::Size {
                name: picture.name.clone(),
                size: cell,
                page: limits.most,
            });
        }
        cells.push((index, (picture.source, *part), cell));
    }

    let layout = layout(&cells, limits);
    let mut pages = Vec::with_capacity(layout.len());
    let mut grids = 0..;
    for (number, PageLayout { size, blocks }) in (0..).zip(&layout) {
        let mut page = empty(*size);
        for (block, at) in blocks {
            let grid = (block.sprites.len() > 1).then(|| grids.next()).flatten();
            for (cell, index) in block.sprites.iter().enumerate() {
                let place = |at: u32, cell: usize, size: u32| {
                    at + u32::try_from(cell).unwrap_or(0) * size + margin
                };
                let x = place(at[0], cell % block.columns, block.cell[0]);
                let y = place(at[1], cell / block.columns, block.cell[1]);
                let (Some(sprite), Some(picture), Some(part)) =
                    (sprites.get_mut(*index), pictures.get(*index), parts.get(*index))
                else {
                    continue;
                };
                draw(&mut page, picture, *part, [x, y], options.extrude.min(margin));
                (sprite.rect.x, sprite.rect.y) = (int(x), int(y));
                sprite.page = number;
                sprite.block = grid;
            }
        }
        pages.push(page);
    }
    let atlas = atlas(pictures, &sprites, &layout, options);
    Ok(Packed { atlas, pages })
}

/// A sprite without its place.
fn sprite(picture: &Picture, part: PixelRect, original: Option<usize>) -> Sprite {
    let [width, height] = part.size.map(int);
    let trim = (part.size != picture.source)
        .then(|| Trim { source: picture.source.map(int), offset: part.offset.map(int) });
    Sprite {
        rect: Rect { width, height, ..Rect::default() },
        trim,
        alias_of: original.and_then(|index| u32::try_from(index).ok()),
        ..Sprite::default()
    }
}

fn atlas(
    pictures: &[Picture],
    sprites: &[Sprite],
    layout: &[PageLayout],
    options: &Options,
) -> Atlas {
    let file = |number: usize| match layout.len() {
        1 => format!("{}.png", options.name),
        _ => format!("{}_{number}.png", options.name),
    };
    let pages = layout.iter().enumerate().map(|(number, page)| Page {
        file: file(number),
        format: "RGBA8888".into(),
        size: page.size,
        padding: i32::try_from(options.margin()).ok(),
        ..Page::default()
    });
    let mut atlas = Atlas { pages: pages.collect(), ..Atlas::default() };
    for (picture, sprite) in pictures.iter().zip(sprites) {
        let original = sprite.alias_of.and_then(|index| sprites.get(index as usize));
        let sprite = Sprite { alias_of: sprite.alias_of, ..original.unwrap_or(sprite).clone() };
        atlas.sprites.insert(&picture.name, sprite);
    }
    atlas
}

/// Sizes are those of pages, and of pictures in memory.
fn int(size: u32) -> i32 {
    i32::try_from(size).unwrap_or(i32::MAX)
}

fn empty([width, height]: [u32; 2]) -> Pixels {
    Pixels { width, height, rgba: vec![0; width as usize * height as usize * 4] }
}

/// Copies a part of a picture to `at`, and the pixels on its edges outwards, `extrude` times.
fn draw(page: &mut Pixels, picture: &Picture, part: PixelRect, at: [u32; 2], extrude: u32) {
    let ([left, top], [width, height]) = (at.map(i64::from), part.size.map(i64::from));
    let around = i64::from(extrude);
    for y in -around..height + around {
        for x in -around..width + around {
            let inside = [x.clamp(0, width - 1), y.clamp(0, height - 1)];
            if let Some(pixel) = pixel(picture, part, inside)
                && let Some(index) = index_in(page, [left + x, top + y])
                && let Some(place) = page.rgba.as_chunks_mut::<4>().0.get_mut(index)
            {
                place.copy_from_slice(&pixel);
            }
        }
    }
}

/// A pixel of the part; `None` where the picture was cut.
fn pixel(picture: &Picture, part: PixelRect, [x, y]: [i64; 2]) -> Option<[u8; 4]> {
    let [part_x, part_y] = part.offset.map(i64::from);
    let [own_x, own_y] = picture.part.offset.map(i64::from);
    let (x, y) = (x + part_x - own_x, y + part_y - own_y);
    let index = index_in(&picture.pixels, [x, y])?;
    picture.pixels.rgba.as_chunks::<4>().0.get(index).copied()
}

fn index_in(pixels: &Pixels, [x, y]: [i64; 2]) -> Option<usize> {
    let (width, height) = (i64::from(pixels.width), i64::from(pixels.height));
    let is_inside = (0..width).contains(&x) && (0..height).contains(&y);
    usize::try_from(y * width + x).ok().filter(|_| is_inside)
}

/// A picture that is to be packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    name: String,
    /// Width and height before it was trimmed.
    source: [u32; 2],
    /// The part of the source that is kept.
    part: PixelRect,
    /// Pixels of that part, with straight alpha.
    pixels: Pixels,
    /// True if there is nothing to see.
    is_empty: bool,
}

impl Picture {
    /// A picture without the transparent pixels around it. `pixels` have straight alpha.
    #[must_use]
    pub fn trimmed(name: impl Into<String>, pixels: Pixels) -> Self {
        let source = [pixels.width, pixels.height];
        let part = pixels.visible();
        let is_empty = part.is_none();
        let part = part.unwrap_or(PixelRect { offset: [0, 0], size: [1, 1] });
        let pixels = if part.size == source { pixels } else { pixels.cut(part) };
        Self { name: name.into(), source, part, pixels, is_empty }
    }

    /// A picture with all its pixels. `pixels` have straight alpha.
    #[must_use]
    pub fn whole(name: impl Into<String>, pixels: Pixels) -> Self {
        let source = [pixels.width, pixels.height];
        Self { name: name.into(), source, part: pixels.rect(), pixels, is_empty: false }
    }

    /// The name of its sprite.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of the pixels that are kept.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.pixels.rgba.len() as u64
    }
}

/// For each picture the first before it that has the same pixels, in a source of the same size.
fn originals(pictures: &[Picture]) -> Vec<Option<usize>> {
    let mut known: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    let mut originals = Vec::with_capacity(pictures.len());
    for (index, picture) in pictures.iter().enumerate() {
        // Equal hashes are then compared.
        let hash = FixedState::default().hash_one(&picture.pixels.rgba);
        let key = (picture.source, picture.part, hash);
        let alike = known.entry(key).or_default();
        let same = |other: &&usize| {
            let other = pictures.get(**other);
            other.is_some_and(|other| other.pixels == picture.pixels)
        };
        let original = alike.iter().find(same).copied();
        if original.is_none() {
            alike.push(index);
        }
        originals.push(original);
    }
    originals
}

/// Pictures of a folder get a part that others have if they take no more than this much more room, in percent.
const MOST_FOR_OTHERS: u64 = 10;

/// Parts of a folder that are looked through for one picture.
const MOST_LOOKED_AT: usize = 256;

/// The part of each picture's source that is packed, with all that is visible in it. `margin` is the empty room on each side,
/// `page` the largest size of a page; a picture with an original takes no room.
fn parts(
    pictures: &[Picture],
    originals: &[Option<usize>],
    margin: u32,
    page: [u32; 2],
) -> Vec<PixelRect> {
    let takes_room = |index: &usize| originals.get(*index) == Some(&None);
    let room = |part: PixelRect| {
        let [width, height] = part.size.map(|size| u64::from(size) + 2 * u64::from(margin));
        width * height
    };
    let fits = |part: PixelRect| {
        let mut sides = part.size.into_iter().zip(page);
        sides.all(|(size, most)| size.saturating_add(2 * margin) <= most)
    };
    let mut parts: Vec<PixelRect> = pictures.iter().map(|picture| picture.part).collect();
    for mut frames in frames_of_a_size(pictures) {
        frames.retain(takes_room);
        share(&frames, pictures, &mut parts, &fits);
    }

    // Smaller ones take the part of a larger one that is nearly as small.
    let mut by_folder: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    let indexed = pictures.iter().enumerate();
    for (index, picture) in indexed.filter(|(index, _)| takes_room(index)) {
        let folder = picture.name.rsplit_once('/').map(|(folder, _)| folder);
        let alike = by_folder.entry((folder, picture.source)).or_default();
        alike.push(index);
    }
    for alike in by_folder.into_values() {
        let part_of = |index: &usize| parts.get(*index).copied();
        let mut known: Vec<PixelRect> = alike.iter().filter_map(part_of).collect();
        known.sort_unstable_by_key(|part| (std::cmp::Reverse(room(*part)), *part));
        known.dedup();
        let mut kept: Vec<PixelRect> = Vec::new();
        let mut becomes: BTreeMap<PixelRect, PixelRect> = BTreeMap::new();
        for part in known {
            let most = room(part) * (100 + MOST_FOR_OTHERS) / 100;
            let fits = |other: &&PixelRect| other.contains(part) && room(**other) <= most;
            match kept.iter().rev().take(MOST_LOOKED_AT).find(fits) {
                Some(other) => _ = becomes.insert(part, *other),
                None => kept.push(part),
            }
        }
        for index in alike {
            if let Some(part) = parts.get_mut(index) {
                *part = becomes.get(part).copied().unwrap_or(*part);
            }
        }
    }
    parts
}

/// Flip-books, each once for every size that sources have in it.
fn frames_of_a_size(pictures: &[Picture]) -> Vec<Vec<usize>> {
    let names = pictures.iter().map(|picture| picture.name.as_str());
    let atlas = Atlas {
        sprites: names.map(|name| (name, Sprite::default())).collect(),
        ..Atlas::default()
    };
    let mut groups = Vec::new();
    for book in flip_books(&atlas) {
        let mut sizes: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
        for index in book.sprites.into_iter().map(|index| index as usize) {
            if let Some(picture) = pictures.get(index) {
                sizes.entry(picture.source).or_default().push(index);
            }
        }
        groups.extend(sizes.into_values());
    }
    groups
}

/// Gives frames one part or, where no page could hold that, each half of them one, and so on.
fn share(
    frames: &[usize],
    pictures: &[Picture],
    parts: &mut [PixelRect],
    fits: &impl Fn(PixelRect) -> bool,
) {
    let seen = || {
        let frames = frames.iter().filter_map(|index| pictures.get(*index));
        frames.filter(|picture| !picture.is_empty)
    };
    let Some(shared) = seen().map(|picture| picture.part).reduce(PixelRect::union) else { return };
    if fits(shared) || frames.len() < 2 {
        for index in frames {
            if let Some(part) = parts.get_mut(*index) {
                *part = shared;
            }
        }
    } else {
        let (first, second) = frames.split_at_checked(frames.len() / 2).unwrap_or_default();
        share(first, pictures, parts, fits);
        share(second, pictures, parts, fits);
    }
}

#[cfg(test)]
mod tests;
