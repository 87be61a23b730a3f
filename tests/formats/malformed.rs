//! Tests with broken files of the corpus: each gets the verdict in the corpus index, at the byte given there.

use crate::corpus;
use crate::fixture::{Builder, WHITE};
use pchr::bytes::Budget;
use pchr::document::PchrRule;
use pchr::finding::{Findings, Severity};
use pchr::format;
use pchr::image::{decode_all, decode_straight, png_size};

/// All findings about a file in a program that shows it.
fn findings(bytes: Vec<u8>) -> Findings {
    match format::read(bytes) {
        Err(invalid) => invalid.0,
        Ok(document) => {
            let mut findings = document.warnings().clone();
            let _ = decode_all(&document, &mut findings);
            findings
        }
    }
}

fn verdict(findings: &Findings) -> &'static str {
    match (findings.total(Severity::Error), findings.total(Severity::Warning)) {
        (0, 0) => "accept",
        (0, _) => "accept-warn",
        _ => "reject",
    }
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn each_broken_file_gets_its_verdict_at_its_byte() {
    let (folder, index) = corpus::indexed("malformed");
    let cases = index["files"].as_array().unwrap();
    assert!(cases.len() >= 56, "{} cases", cases.len());
    for case in cases {
        let file = case["file"].as_str().unwrap();
        let found = findings(std::fs::read(folder.join(file)).unwrap());
        let got = verdict(&found);
        let wanted = [case["verdict"].as_str(), case["alsoAcceptable"].as_str()];
        let list: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(wanted.contains(&Some(got)), "{file}: {got}, wanted {wanted:?}: {list:#?}");
        let from = case["offset"].as_u64();
        let to = case["offsetUpTo"].as_u64().or(from);
        if let (Some(from), Some(to)) = (from, to)
            && got != "accept"
            && Some(got) == wanted[0]
        {
            let is_there = found.iter().any(|finding| (from..=to).contains(&finding.offset));
            assert!(is_there, "{file}: nothing at {from}..={to}: {list:#?}");
        }
    }
}

#[test]
fn each_byte_after_the_end_is_told_even_if_it_is_one() {
    const SAMPLE: &[u8] = include_bytes!("../../assets/sample.pchr");
    for count in 0..4 {
        let found = findings([SAMPLE, &[0; 3][..count.min(3)]].concat());
        assert_eq!(verdict(&found), if count == 0 { "accept" } else { "accept-warn" }, "{count}");
    }
}

#[test]
fn minus_one_is_the_only_parent_below_zero() {
    let sound = Builder::new().bone("lonely", None).bytes();
    let at = sound.windows(6).position(|six| six == b"lonely").unwrap() + 6;
    for parent in [-1, -2, -3, i16::MIN] {
        let mut bytes = sound.clone();
        bytes[at..at + 2].copy_from_slice(&parent.to_le_bytes());
        let found = findings(bytes);
        let faults = found.iter().filter(|it| it.rule == PchrRule::BoneParentOrder);
        let places: Vec<u64> = faults.map(|fault| fault.offset).collect();
        let wanted = if parent == -1 { vec![] } else { vec![at as u64] };
        assert_eq!(places, wanted, "parent {parent}");
    }
}

#[test]
fn every_bit_of_an_animations_flags_is_told_but_the_first() {
    for bit in 0..8 {
        let mut file = Builder::new().bones(1).still("clip", false, 1);
        file.parts.animations[0].flags = 1 << bit;
        let count = findings(file.bytes()).count(PchrRule::AnimationFlags);
        assert_eq!(count, u64::from(bit > 0), "bit {bit}");
    }
}

#[test]
fn raw_pixels_need_a_width_and_a_height() {
    for [width, height] in [[0, 0], [0, 1], [1, 0], [1, 1]] {
        let mut file = Builder::new().image(1, &[WHITE]);
        let image = &mut file.parts.images[0];
        (image.width, image.height) = (width, height);
        image.data.truncate(usize::from(width * height) * 4);
        let found = findings(file.bytes());
        let is_empty = width * height == 0;
        assert_eq!(found.count(PchrRule::ImageEmpty), u64::from(is_empty), "{width} x {height}");
    }
}

#[test]
fn one_grey_of_16_bits_may_be_clear_and_its_neighbours_are_not() {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 4, 1);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.set_trns(vec![0x12, 0x34]);
    let mut writer = encoder.write_header().unwrap();
    // Equal in one of its bytes is not equal.
    writer.write_image_data(&[0x12, 0x34, 0x12, 0x35, 0x13, 0x34, 0x34, 0x12]).unwrap();
    writer.finish().unwrap();
    let pixels = decode_straight(&file, &Budget::default()).unwrap();
    let texels = pixels.rgba.as_chunks::<4>().0.iter();
    let seen: Vec<[u8; 2]> = texels.map(|[grey, .., alpha]| [*grey, *alpha]).collect();
    assert_eq!(seen, [[0x12, 0], [0x12, 255], [0x13, 255], [0x34, 255]]);
}

#[test]
fn files_that_are_no_png_are_named_with_the_way_out() {
    let mut cgbi = b"\x89PNG\r\n\x1a\n\0\0\0\x04CgBI".to_vec();
    cgbi.extend([0x50, 0, 0x20, 2, 0x2b, 0xd5, 0xb3, 0x7f]);
    let mut tga = vec![0, 0, 2, 0, 0];
    tga.resize(40, 7);
    tga.extend(b"TRUEVISION-XFILE.\0");
    let cases: [(&[u8], &str); 15] = [
        (b"", "an empty file; save it again as PNG"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG image; save it as PNG"),
        (b"RIFF\x3c\0\0\0WEBPVP8L", "a WebP image; save it as PNG"),
        (b"GIF89a\x01\0", "a GIF image; save it as PNG"),
        (b"BM6\0\0\0", "a BMP image; save it as PNG"),
        (b"\0\0\0\x1cftypavif", "an AVIF or HEIC image; save it as PNG"),
        (&tga, "a TGA image; save it as PNG"),
        (b"\n<!DOCTYPE html><p>404", "an HTML page; download the image itself"),
        (b"<svg xmlns='a'/>", "an SVG image; export it as PNG"),
        (
            &cgbi,
            "a variant for Apple devices (CgBI); use the original, or restore it with `pngcrush -revert-iphone-optimizations`",
        ),
        (
            b"version https://git-lfs.github.com/spec/v1\n",
            "a Git LFS pointer; fetch the image with `git lfs pull`",
        ),
        // Line ends of Unix, then of Windows.
        (b"\x89PNG\n\x1a\n\0\0\0\rIHDR", LINES),
        (b"\x89PNG\r\n\x1a\r\n\0\0\0\rIHDR", LINES),
        (b"\x89PNG\r\r\n\x1a\r\n\0\0\0", LINES),
        (b"\xef\xbf\xbdPNG\r\n", "a damaged one: it was saved as text; copy it as binary"),
    ];
    const LINES: &str = "a damaged one: its line ends were changed; copy it as binary, in Git with `*.png binary` in .gitattributes";
    for (file, wanted) in cases {
        let error = decode_straight(file, &Budget::default()).unwrap_err();
        assert_eq!(error.to_string(), format!("not a PNG, but {wanted}"));
        let size = png_size(file).unwrap_err();
        assert_eq!(size.to_string(), error.to_string());
    }
    // A PNG that is cut off is one, and what nobody knows has no name.
    for (file, start) in [
        (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], "the PNG does not decode: "),
        (b"abc", "not a PNG: it begins with [61, 62, 63], expected "),
    ] {
        let error = decode_straight(file, &Budget::default()).unwrap_err();
        assert!(error.to_string().starts_with(start), "{error}");
    }
}

#[test]
fn the_checksum_of_a_chunk_that_ends_early_is_not_the_reason() {
    let mut file = Vec::new();
    let mut writer = png::Encoder::new(&mut file, 1, 1).write_header().unwrap();
    writer.write_image_data(&[7]).unwrap();
    writer.finish().unwrap();
    let at = file.windows(4).position(|four| four == b"IDAT").unwrap();
    let length = u32::from_be_bytes(file[at - 4..at].try_into().unwrap()) as usize;
    file.truncate(at + 4 + length);
    let error = decode_straight(&file, &Budget::default()).unwrap_err();
    assert!(!error.to_string().contains("checksum"), "{error}");
}
