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
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
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
            let from = (sprite.rect.y + y) * i32::try_from(page.width).unwrap() + sprite.rect.x + x;
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
    for ((name, pixels), (sprite_name, sprite)) in pictures.iter().zip(packed.atlas.sprites.iter())
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
        let name = format!("{}/{}{number}", number % 4, ["walk", "run_", "x"][number as usize % 3]);
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
        let wide = Options { page_size: [100, 200], padding: 0, extrude: 3, ..Options::default() };
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
    let frame = |number: u32| picture([32, 40], [4 + number % 3, 5, 10, 20], [number as u8, 0, 0]);
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
    assert!(text.contains("\nwalk_0#1-9\n") && text.contains("\nA:walk_03=walk_10\n"), "{text}");
}

#[test]
fn frames_that_are_far_apart_are_trimmed_alike_if_a_page_holds_that() {
    let frame = |n: u32| picture([400, 40], [n * 40, 5, 20, 20], [n as u8, 0, 0]);
    let pictures: Vec<_> = (0..10).map(|n| (format!("fly{n}"), frame(n))).collect();
    let widths = |size: u32| -> Vec<i32> {
        let options = Options { page_size: [size; 2], ..Options::default() };
        packed(&pictures, &options).atlas.sprites.values().map(|sprite| sprite.rect.width).collect()
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
