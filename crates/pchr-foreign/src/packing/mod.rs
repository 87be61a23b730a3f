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
                && let Some(place) = place(page, [left + x, top + y])
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

fn place(page: &mut Pixels, at: [i64; 2]) -> Option<&mut [u8; 4]> {
    let index = index_in(page, at)?;
    page.rgba.as_chunks_mut::<4>().0.get_mut(index)
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
    let Some(shared) = seen().map(|picture| picture.part).reduce(PixelRect::union) else {
        return;
    };
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
mod tests {
    //! Every picture can be cut out of its page again.
    #![allow(clippy::cast_possible_truncation, reason = "small numbers")]

    use pchr::image::Pixels;

    use super::*;
    use crate::atlas::{Atlas, Sprite};

    /// Numbers that are the same every time.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: u32) -> u32 {
            let Self(state) = self;
            *state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            u32::try_from(*state >> 33).unwrap() % end
        }
    }

    /// A picture with something to see in `part`: left, top, width, height.
    fn picture([width, height]: [u32; 2], part: [u32; 4], color: [u8; 3]) -> Pixels {
        let [left, top, part_width, part_height] = part;
        let mut rgba = Vec::new();
        for y in 0..height {
            for x in 0..width {
                let seen =
                    (left..left + part_width).contains(&x) && (top..top + part_height).contains(&y);
                let [r, g, b] = color;
                let shade = u8::try_from((x * 7 + y * 3) % 100).unwrap();
                rgba.extend(if seen { [r, g, b, 100 + shade] } else { [0; 4] });
            }
        }
        Pixels { width, height, rgba }
    }

    /// The source of a sprite, as it can be seen on its page.
    fn source(packed: &Packed, sprite: &Sprite) -> Pixels {
        let page = &packed.pages[sprite.page as usize];
        let [width, height] = sprite.source_size().map(|size| u32::try_from(size).unwrap());
        let [left, top] = sprite.source_offset();
        let mut rgba = vec![0; (width * height * 4) as usize];
        for y in 0..sprite.rect.height {
            for x in 0..sprite.rect.width {
                let from =
                    (sprite.rect.y + y) * i32::try_from(page.width).unwrap() + sprite.rect.x + x;
                let to = (top + y) * i32::try_from(width).unwrap() + left + x;
                let [from, to] = [from, to].map(|at| usize::try_from(at).unwrap() * 4);
                rgba[to..to + 4].copy_from_slice(&page.rgba[from..from + 4]);
            }
        }
        Pixels { width, height, rgba }
    }

    /// Packs them, and looks at all that always holds.
    fn packed(pictures: &[(String, Pixels)], options: &Options) -> Packed {
        let trimmed = pictures.iter().cloned();
        let trimmed: Vec<Picture> =
            trimmed.map(|(name, pixels)| Picture::trimmed(name, pixels)).collect();
        let packed = pack(&trimmed, options).unwrap();
        assert_eq!(pack(&trimmed, options).unwrap(), packed, "packed again");
        for ((name, pixels), (sprite_name, sprite)) in
            pictures.iter().zip(packed.atlas.sprites.iter())
        {
            assert_eq!(name, sprite_name);
            assert!(source(&packed, sprite) == *pixels, "{name}");
        }
        let margin = i64::from(packed.atlas.pages[0].padding.unwrap());
        let cells = |page: u32| {
            let own = (packed.atlas.sprites.values())
                .filter(move |sprite| sprite.page == page && sprite.alias_of.is_none());
            own.map(move |sprite| {
                let [left, top, right, bottom] = sprite.rect.edges();
                [left - margin, top - margin, right + margin, bottom + margin]
            })
        };
        for (number, page) in (0..).zip(&packed.atlas.pages) {
            let pixels = &packed.pages[number as usize];
            assert_eq!([pixels.width, pixels.height], page.size);
            let [width, height] = page.size.map(i64::from);
            let cells: Vec<[i64; 4]> = cells(number).collect();
            for (index, [left, top, right, bottom]) in cells.iter().enumerate() {
                assert!(*left >= 0 && *top >= 0 && *right <= width && *bottom <= height);
                for [a, b, c, d] in &cells[..index] {
                    assert!(left >= c || a >= right || top >= d || b >= bottom, "overlap");
                }
            }
        }
        packed
    }

    fn random(count: u32, random: &mut Random) -> Vec<(String, Pixels)> {
        let mut pictures = Vec::new();
        for number in 0..count {
            let size = [1 + random.below(30), 1 + random.below(30)];
            let size = if number % 3 == 0 { [24, 20] } else { size };
            let [x, y] = size.map(|size| random.below(size));
            let part = [x, y, random.below(size[0] - x + 1), random.below(size[1] - y + 1)];
            let name =
                format!("{}/{}{number}", number % 4, ["walk", "run_", "x"][number as usize % 3]);
            pictures.push((name, picture(size, part, [random.below(3) as u8, 9, 9])));
        }
        pictures
    }

    #[test]
    fn every_picture_is_on_a_page_and_none_over_another() {
        let mut numbers = Random(1);
        for count in [1, 2, 7, 40, 150] {
            let pictures = random(count, &mut numbers);
            let small = Options { page_size: [64, 50], padding: 1, ..Options::default() };
            let wide =
                Options { page_size: [100, 200], padding: 0, extrude: 3, ..Options::default() };
            for options in [
                Options::default(),
                Options { order: Order::Given, ..small },
                Options { powers_of_two: true, order: Order::Area, ..wide },
            ] {
                let packed = packed(&pictures, &options);
                let [width, height] = options.page_size;
                for (number, page) in packed.atlas.pages.iter().enumerate() {
                    assert!(page.size[0] <= width && page.size[1] <= height);
                    let powers = page.size.iter().all(|size| size.is_power_of_two());
                    assert!(powers || !options.powers_of_two);
                    let file = match packed.pages.len() {
                        1 => "atlas.png".into(),
                        _ => format!("atlas_{number}.png"),
                    };
                    assert_eq!(page.file, file);
                }
            }
        }
    }

    #[test]
    fn frames_are_trimmed_alike_and_in_a_grid() {
        let frame =
            |number: u32| picture([32, 40], [4 + number % 3, 5, 10, 20], [number as u8, 0, 0]);
        let mut pictures: Vec<_> = (1..=9).map(|n| (format!("walk_{n:02}"), frame(n))).collect();
        pictures.push(("walk_10".into(), frame(3)));
        pictures.push(("empty".into(), picture([32, 40], [0; 4], [0; 3])));
        let packed = packed(&pictures, &Options::default());
        let sprites: Vec<&Sprite> = packed.atlas.sprites.values().collect();
        for sprite in &sprites[..10] {
            assert_eq!((sprite.rect.width, sprite.rect.height), (12, 20));
            assert_eq!(sprite.source_offset(), [4, 5]);
            assert_eq!(sprite.block, Some(0));
        }
        assert_eq!(sprites[9].alias_of, Some(2));
        assert_eq!(sprites[9].rect, sprites[2].rect);
        assert_eq!((sprites[10].rect.width, sprites[10].rect.height), (1, 1));
        let text = crate::format::pct::write(&packed.atlas).unwrap();
        assert!(
            text.contains("\nwalk_0#1-9\n") && text.contains("\nA:walk_03=walk_10\n"),
            "{text}"
        );
    }

    #[test]
    fn frames_that_are_far_apart_are_trimmed_alike_if_a_page_holds_that() {
        let frame = |n: u32| picture([400, 40], [n * 40, 5, 20, 20], [n as u8, 0, 0]);
        let pictures: Vec<_> = (0..10).map(|n| (format!("fly{n}"), frame(n))).collect();
        let widths = |size: u32| -> Vec<i32> {
            let options = Options { page_size: [size; 2], ..Options::default() };
            packed(&pictures, &options)
                .atlas
                .sprites
                .values()
                .map(|sprite| sprite.rect.width)
                .collect()
        };
        assert_eq!(widths(2048), [380; 10]);
        assert_eq!(widths(383), [180; 10], "the padding counts");
    }

    #[test]
    fn edges_are_repeated_around_a_sprite() {
        let pictures = [("a".to_owned(), picture([3, 2], [0, 0, 3, 2], [1, 2, 3]))];
        let options = Options { padding: 1, extrude: 2, ..Options::default() };
        let page = &packed(&pictures, &options).pages[0];
        assert_eq!([page.width, page.height], [9, 8]);
        let at = |x: usize, y: usize| &page.rgba.as_chunks::<4>().0[y * 9 + x];
        assert_eq!(at(0, 0)[3], 0, "padding");
        assert_eq!((at(1, 1), at(2, 3)), (at(3, 3), at(3, 3)));
        assert_eq!((at(7, 6), at(4, 6)), (at(5, 4), at(4, 4)));
        assert_eq!(at(8, 4)[3], 0, "padding");
    }

    #[test]
    fn names_have_to_differ_and_pictures_to_fit() {
        let nothing = pack(&[], &Options::default()).unwrap();
        assert_eq!((nothing.atlas, nothing.pages), (Atlas::default(), vec![]));
        let picture = |name: &str, size: [u32; 2]| {
            Picture::whole(name, picture(size, [0, 0, size[0], size[1]], [0; 3]))
        };
        let options = Options { page_size: [64, 32], ..Options::default() };
        let twice = [picture("a", [1, 1]), picture("a", [2, 2])];
        assert_eq!(pack(&twice, &options).unwrap_err().to_string(), "two pictures are named \"a\"");
        let large = [picture("a", [60, 28]), picture("b", [60, 29])];
        assert!(pack(&large[..1], &options).is_ok());
        let wanted =
            "\"b\" takes 64x33 pixels with its padding, expected at most the page size of 64x32";
        assert_eq!(pack(&large, &options).unwrap_err().to_string(), wanted);
    }

    #[test]
    fn pages_are_full() {
        let mut numbers = Random(7);
        let mut fill = |count: u32, most: u32| {
            let pictures: Vec<Picture> = (0..count)
                .map(|number| {
                    let size = [8 + numbers.below(121), 8 + numbers.below(121)];
                    let mut pixels = picture(size, [0, 0, size[0], size[1]], [0; 3]);
                    pixels.rgba[..4].copy_from_slice(&(number + 1).to_le_bytes());
                    Picture::whole(format!("{number}x"), pixels)
                })
                .collect();
            let options = Options { page_size: [most; 2], padding: 0, ..Options::default() };
            let used: u64 = pictures.iter().map(|picture| picture.bytes() / 4).sum();
            let packed = pack(&pictures, &options).unwrap();
            let pages = packed.pages.iter();
            used * 1000 / pages.map(|page| page.rgba.len() as u64 / 4).sum::<u64>()
        };
        assert!(fill(1500, 4096) >= 985, "in thousandths");
        assert!(fill(1500, 2048) >= 975, "in thousandths, over several pages");
        assert!(fill(100, 4096) >= 930, "in thousandths");
    }

    #[test]
    fn the_best_order_is_never_worse_than_another() {
        let mut numbers = Random(3);
        for (count, page) in [(5, 64), (30, 64), (60, 100), (60, 2048)] {
            let pictures = random(count, &mut numbers);
            let size = |order| {
                let options = Options { page_size: [page; 2], order, ..Options::default() };
                let pages = packed(&pictures, &options).pages;
                let pixels: usize = pages.iter().map(|page| page.rgba.len()).sum();
                (pages.len(), pixels)
            };
            let best = size(Order::Best);
            for order in [Order::Height, Order::Width, Order::Side, Order::Area, Order::Given] {
                assert!(best <= size(order), "{count}, {page}: {best:?} and {order:?}");
            }
        }
    }

    #[test]
    fn empty_borders_are_cut_off() {
        let mut pixels = Pixels { width: 5, height: 4, rgba: vec![0; 80] };
        let empty = Picture::trimmed("empty", pixels.clone());
        assert!(empty.is_empty);
        assert_eq!((empty.part.size, empty.pixels.rgba.len()), ([1, 1], 4));
        for (at, value) in [(6, 9), (13, 7)] {
            pixels.rgba[at * 4 + 3] = value;
        }
        let picture = Picture::trimmed("a", pixels.clone());
        let part = PixelRect { offset: [1, 1], size: [3, 2] };
        assert_eq!((picture.source, picture.part), ([5, 4], part));
        let alpha = |pixels: &Pixels| -> Vec<u8> {
            pixels.rgba.iter().skip(3).step_by(4).copied().collect()
        };
        assert_eq!(alpha(&picture.pixels), [9, 0, 0, 0, 0, 7]);
        let whole = Picture::whole("a", pixels.clone());
        assert_eq!((whole.part.size, whole.pixels), ([5, 4], pixels));
    }
}
