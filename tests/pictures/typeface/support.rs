//! Fonts of Debian packages, and helpers for the pixels of lines.

use pchr_tools::typeface::{Fonts, Line};
use std::ops::Range;
use std::path::PathBuf;

pub(crate) const DEJAVU: [&str; 2] = ["fonts-dejavu-core", "truetype/dejavu/DejaVuSans.ttf"];
pub(crate) const DEVANAGARI: [&str; 2] =
    ["fonts-lohit-deva", "truetype/lohit-devanagari/Lohit-Devanagari.ttf"];
pub(crate) const HAN: [&str; 2] = ["fonts-wqy-microhei", "truetype/wqy/wqy-microhei.ttc"];
pub(crate) const THAI: [&str; 2] = ["fonts-tlwg-garuda-otf", "opentype/tlwg/Garuda.otf"];

/// Path of a font file that `script/test` installs.
pub(crate) fn file([package, path]: [&str; 2]) -> PathBuf {
    let file = PathBuf::from("/usr/share/fonts").join(path);
    assert!(file.is_file(), "{}: apt-get install {package}", file.display());
    file
}

pub(crate) fn all_fonts() -> Fonts {
    Fonts::from_files(&[DEJAVU, DEVANAGARI, HAN, THAI].map(file)).unwrap()
}

pub(crate) fn dejavu() -> Fonts {
    Fonts::from_files(&[file(DEJAVU)]).unwrap()
}

/// Columns of a line, as bytes around its baseline.
pub(crate) fn columns(line: &Line, columns: Range<usize>) -> Vec<Vec<u8>> {
    let rows = line.mask.chunks(usize::from(line.width).max(1));
    let rows: Vec<&[u8]> = rows.skip(usize::from(line.baseline) - 11).take(13).collect();
    columns.map(|x| rows.iter().map(|row| row[x]).collect()).collect()
}

/// Returns true if there is ink in every column from the first to the last with ink.
pub(crate) fn is_joined(line: &Line) -> bool {
    let width = usize::from(line.width);
    let column = |x: usize| line.mask.iter().skip(x).step_by(width).copied().collect();
    let all: Vec<Vec<u8>> = (0..width).map(column).collect();
    let has_ink = |column: &Vec<u8>| column.iter().any(|byte| *byte > 0);
    let first = all.iter().position(has_ink).unwrap();
    all[first..=all.iter().rposition(has_ink).unwrap()].iter().all(has_ink)
}

/// FNV-1a hash of a line.
pub(crate) fn hash(line: &Line) -> u64 {
    let numbers = [line.width, line.height, line.baseline, line.start];
    let bytes =
        numbers.iter().flat_map(|number| number.to_le_bytes()).chain(line.mask.iter().copied());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
