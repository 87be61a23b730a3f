//! Tests of atlases in `pchr`: inspecting, unpacking and converting agree on one atlas.

#[path = "atlas/convert.rs"]
mod convert;
#[path = "atlas/inspect.rs"]
mod inspect;
#[path = "atlas/unpack.rs"]
mod unpack;

use std::path::PathBuf;

use crate::desk::{Desk, Picture, said, succeeded};

/// A page of 8 x 6 pixels, each with its own colour; one is transparent.
pub(crate) fn page() -> Vec<u8> {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, 8, 6);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().unwrap();
    let texels: Vec<u8> = (0..48).flat_map(texel).collect();
    writer.write_image_data(&texels).unwrap();
    writer.finish().unwrap();
    png
}

/// Colour of a pixel of the page.
pub(crate) fn texel(index: u8) -> [u8; 4] {
    match index {
        0 => [0; 4],
        _ => [
            index * 5,
            255 - index * 5,
            128,
            if index.is_multiple_of(5) { 100 } else { 255 },
        ],
    }
}

/// Colour of the page at a position.
pub(crate) fn at(x: u8, y: u8) -> [u8; 4] {
    texel(y * 8 + x)
}

/// PCT text with sprites of each kind on that page.
pub(crate) const TEXT: &str = "PCT:1.0
P:page.png,RGBA8888,8,6,0
F:walk
B:0,0,4,2,2
0/w_#1-4
whole~1|0|0,2,3,2
cut|2|3,2,2,3|6,7,1,2
turned|3|5,2,3,2|4,4,1,1
A:0/w_1=0/w_5
";

/// TexturePacker JSON with a sprite on that page.
pub(crate) const JSON: &str = r#"{"frames":{"a":{"frame":{"x":0,"y":0,"w":2,"h":2}}},
"meta":{"image":"page.png","format":"RGBA8888","size":{"w":8,"h":6},"scale":"1"}}"#;

/// Creates a folder with the atlas.
pub(crate) fn desk() -> Desk {
    let desk = Desk::new();
    put(&desk, "in/hero.pct", TEXT.as_bytes());
    put(&desk, "in/page.png", &page());
    desk
}

/// Writes a file and creates its folder.
pub(crate) fn put(desk: &Desk, name: &str, bytes: &[u8]) {
    std::fs::create_dir_all(desk.path(name).parent().unwrap()).unwrap();
    desk.put_bytes(name, bytes);
}

/// Path of a folder of the corpus.
pub(crate) fn corpus(folder: &str) -> PathBuf {
    PathBuf::from(std::env::var_os("PCHR_CORPUS").unwrap()).join(folder)
}

/// Runs `pchr`, which must succeed, and returns its output.
#[track_caller]
pub(crate) fn run(desk: &Desk, args: &[&str]) -> String {
    let output = desk.run_pchr(args);
    succeeded(&output);
    String::from_utf8(output.stdout).unwrap()
}

/// Runs `pchr`, which must fail with this code, and returns its first line after `error: `.
#[track_caller]
pub(crate) fn refused(desk: &Desk, args: &[&str], code: i32) -> String {
    let output = desk.run_pchr(args);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
    let line = said.lines().find_map(|line| line.strip_prefix("error: "));
    line.unwrap_or_else(|| panic!("{said}")).to_owned()
}

/// Checks the size and pixels of a picture.
#[track_caller]
pub(crate) fn assert_shows(picture: &Picture, size: [usize; 2], pixels: &[[u8; 4]]) {
    assert_eq!([picture.width, picture.height], size);
    assert_eq!(picture.pixels, pixels);
}
