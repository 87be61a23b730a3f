//! Tests of hostile texts that try to overflow the stack, to take forever, or to hide their faults.

use std::fmt::Write as _;

use pchr::bytes::Budget;
use pchr::document::{FileFormat, ImageFormat, PchrRule};
use pchr::finding::Findings;
use pchr::format::json::{begins_a_document, image_file};
use pchr::format::{SidecarError, Sidecars, read, read_source};
use pchr::image::decode_each;

use crate::fixture::Builder;

/// A quarter of the default stack of a Rust thread: no recursion may follow the depth of a text.
const STACK: usize = 256 << 10;

/// Findings of a file that is read in a thread with a small stack.
fn findings(file: impl Into<Vec<u8>>) -> Findings {
    let file = file.into();
    let read = move || {
        let _ = begins_a_document(&file);
        match read(file) {
            Err(invalid) => invalid.0,
            Ok(document) => document.warnings().clone(),
        }
    };
    std::thread::Builder::new().stack_size(STACK).spawn(read).unwrap().join().unwrap()
}

/// Pachario JSON with more text after the version.
fn pachario(more: &str) -> String {
    format!(
        r#"{{"version":1,{more}"fps":1,"images":[],"bones":[{{"name":"b","parentIdx":-1}}],"meshes":[],"animations":[{{"name":"a","loop":false,"frames":[]}}]}}"#
    )
}

/// PCHR JSON with more text after the version.
fn mirror(more: &str) -> String {
    format!(
        r#"{{"version":1,{more}"fps":1,"images":[],"bones":[{{"name":"b","parent":-1}}],"meshes":[],"animations":[]}}"#
    )
}

#[test]
fn keys_and_nesting_of_any_length_are_told_of_on_a_small_stack() {
    let dotted = vec!["a"; 80_000].join(".");
    let brackets = "a[0]".repeat(40_000);
    let long = "k".repeat(1 << 20);
    let nested = |count| format!("{}1{}", r#"{"a":"#.repeat(count), "}".repeat(count));
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let values = ["1".to_owned(), nested(100_000), deep];
    for value in &values {
        for (key, shown) in [
            (dotted.as_str(), "a.a.a.a"),
            (&brackets, "a[0]a[0]"),
            (&long, "kkkk"),
            ("", ""),
            (".", "."),
            ("[0]", "[0]"),
            ("bones[0].name", "bones[0].name"),
            ("\\u0000", "\\u{0}"),
            ("\\\"`\\n", "\"`\\u{a}"),
        ] {
            let more = format!("\"{key}\":{value},");
            for (text, rule) in
                [(pachario(&more), PchrRule::JsonKeyIgnored), (mirror(&more), PchrRule::JsonKey)]
            {
                let at = text.find(&more).unwrap() + key.len() + 3;
                let found = findings(text);
                let finding = found.iter().find(|finding| finding.rule == rule).unwrap();
                assert_eq!(found.count(rule), 1, "{rule:?} {key:.20}");
                assert!(finding.path.starts_with(shown), "{finding}");
                assert_eq!(finding.offset as usize, at, "{finding}");
                assert!(finding.to_string().len() < 800, "{finding}");
            }
        }
    }
}

#[test]
fn a_path_like_key_beside_nesting_of_its_shape_is_one_step() {
    // One step for each part at 32,000 depths would take hours.
    let count = 32_000;
    let (open, close) = (r#"{"a":"#.repeat(count), "}".repeat(count));
    let more = format!("\"{}\":1,\"a\":{open}1{close},", vec!["a"; count].join("."));
    let found = findings(pachario(&more));
    assert_eq!(found.count(PchrRule::JsonKeyIgnored), 2);
    let offsets: Vec<u64> = found.iter().take(2).map(|finding| finding.offset).collect();
    let at = 15 + 2 * count as u64;
    assert_eq!(offsets, [at, at + 6]);
}

#[test]
fn nesting_in_place_of_anything_is_one_finding() {
    let deep = [
        ("[".repeat(500_000), "]".repeat(500_000)),
        (r#"{"a":"#.repeat(500_000) + "1", "}".repeat(500_000)),
    ];
    for (open, close) in &deep {
        for text in [
            format!("{{\"bones\":{open}{close}}}"),
            format!("{{\"bones\":[{open}{close}]}}"),
            format!("{{\"meshes\":[{{\"vertices\":[{open}{close}]}}]}}"),
            format!("{{\"animations\":[{{\"loop\":true,\"frames\":[[{open}{close}]]}}]}}"),
            format!("{{\"fps\":{open}{close},\"bones\":[]}}"),
            format!("{{\"fps\":{open}"),
            format!("{{\"animations\":[{{\"loop\":true,\"frames\":{open}"),
            open.clone(),
        ] {
            let found = findings(text.clone());
            let first = found.first_error();
            assert!(first.is_some(), "{text:.60}");
            assert!(found.iter().count() < 20, "{text:.60}: {found:#?}");
        }
    }
}

#[test]
fn numbers_and_counts_of_any_size_are_told_of() {
    for (from, to, path) in [
        ("\"fps\":1", "\"fps\":1e999", "fps"),
        ("\"fps\":1", "\"fps\":-1e-999999999999", ""),
        ("\"fps\":1", &format!("\"fps\":{}", "9".repeat(100_000)), "fps"),
        ("\"parent\":-1", &format!("\"parent\":-1.{}", "0".repeat(100_000)), ""),
        ("\"parent\":-1", "\"parent\":-99999999999999999999", "bones[0].parent"),
    ] {
        let text = mirror("");
        assert!(text.contains(from), "{from}");
        let found = findings(text.replacen(from, to, 1));
        let wrong = found.iter().filter(|finding| finding.rule == PchrRule::JsonValue);
        let errors: Vec<&str> = wrong.map(|finding| finding.path.as_str()).collect();
        let wanted = if path.is_empty() { vec![] } else { vec![path] };
        assert_eq!(errors, wanted, "{to:.40}: {found:?}");
    }
    let bones = |bone: &str, count| {
        let bones = vec![bone; count].join(",");
        findings(mirror("").replacen(r#"{"name":"b","parent":-1}"#, &bones, 1))
    };
    let found = bones("{}", 200_000);
    assert_eq!(found.count(PchrRule::JsonValue), 200_000, "one for each bone");
    assert_eq!(found.iter().count(), 100, "{:?}", found.first_error());
    let found = bones(r#"{"name":"b","parent":-1}"#, 70_000);
    assert_eq!(found.count(PchrRule::JsonValue), 1);
    assert!(found.first_error().unwrap().message.contains("70000 bones"));
}

#[test]
fn what_is_wrong_with_each_element_is_told_at_once_where_it_is() {
    let text = r#"{
  "version": 1, "fps": "fast", "author": "me",
  "images": [{"name":"a","width":-1,"height":1,"format":"png","path":"a.png"}, 7,
    {"name":"b","width":1,"height":1,"format":"jpeg","path":"b.png"}],
  "bones": [{"name":"root","parent":-1}, {"name":"tip"}, {"name":"x","parent":"root","colour":1}],
  "meshes": [{"name":"m","image":0,"image":1,"vertices":[{"x":0,"y":0,"u":0,"v":0,"boneIds":[0,0,0],"boneWeights":[1,0,0,0]},
    {"x":1e39,"y":0,"u":0,"v":0,"boneIds":[0,0,0,0],"boneWeights":[1,0,0,0]}],"indices":[0,1,2.5,-1]}],
  "animations": [{"name":"a","flags":0,"frames":[[{"x":"NaN","y":null,"rotation":0,"scaleX":1,"scaleY":1,"flags":1,"zOrder":0}], []]}, {"blend":0}]
}"#;
    let found = findings(text);
    let mut list = String::new();
    for finding in &found {
        let at = finding.offset as usize;
        let there = text[at..(at + 9).min(text.len())].lines().next().unwrap();
        let place = finding.text.unwrap();
        let line = text.lines().nth(place.line as usize - 1).unwrap();
        assert!(line[place.column as usize - 1..].starts_with(there));
        let message: String = finding.message.chars().take(30).collect();
        writeln!(list, "{} {} | {} | {message}", finding.rule.id(), finding.path, there).unwrap();
    }
    // The first fault of each element.
    let wanted = "\
PCHR-E051 fps | \"fast\", \" | invalid type: string \"fast\", e
PCHR-E051 images[0].width | -1,\"heigh | invalid value: integer `-1`, e
PCHR-E051 images[1] | 7, | invalid type: integer `7`, exp
PCHR-E051 images[2].format | \"jpeg\",\"p | unknown variant `jpeg`, expect
PCHR-E051 bones[1] | {\"name\":\" | missing field `parent`
PCHR-E051 bones[2].parent | \"root\",\"c | invalid type: string \"root\", e
PCHR-E051 meshes[0] | \":1,\"vert | duplicate field `image`
PCHR-E051 animations[0].frames[0][0].y | null,\"rot | invalid value: null, expected 
PCHR-E052 animations[1].blend | 0}] | unknown field `blend`, expecte
";
    assert_eq!(list, wanted);
}

#[test]
fn images_that_are_missing_are_all_told_of_beside_what_else_is_wrong() {
    let images = r#""images":[{"name":"a","width":1,"height":1,"format":"png","path":"a.png"},{"name":"b","width":1,"height":1,"format":"rgba8888","path":"b.png"}]"#;
    let text = mirror("").replacen("\"images\":[]", images, 1);
    let list = |text: &str| -> Vec<String> {
        let found = findings(text);
        let errors = found.iter().filter(|finding| finding.rule.id().contains("-E"));
        errors.map(|finding| format!("{} {}", finding.rule.id(), finding.path)).collect()
    };
    assert_eq!(list(&text), ["PCHR-E061 images[0]", "PCHR-E061 images[1]"]);
    let parent = text.replacen("\"parent\":-1", "\"parent\":3", 1);
    let wanted = ["PCHR-E061 images[0]", "PCHR-E061 images[1]", "PCHR-E012 bones[0].parent"];
    assert_eq!(list(&parent), wanted);
}

#[test]
fn files_of_other_kinds_are_named_in_one_line() {
    let utf_16: Vec<u8> = "{\"version\":1}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (file, named) in [
        (&utf_16[..], "UTF-16"),
        (b"[]", "a JSON array"),
        (b"{\"compilerOptions\":{}}", "unknown kind of JSON"),
        (b"{}", "unknown kind of JSON"),
        (b"{\"fps\":1,\"bones\":[{\"name\":\"\xff\"}]}", "byte 0xff is not UTF-8"),
    ] {
        let found = findings(file);
        let all: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(all.len(), 1, "{all:#?}");
        assert!(all[0].contains(named), "{all:#?}");
        assert!(found.first_error().is_some());
    }
}

#[test]
fn images_that_name_one_file_share_one_budget() {
    struct One(Vec<u8>);
    impl Sidecars for One {
        fn read(&mut self, _: &str) -> Result<Vec<u8>, SidecarError> {
            Ok(self.0.clone())
        }
    }
    let text = |format: &str| {
        let image =
            format!(r#"{{"name":"i","width":64,"height":64,"format":"{format}","path":"a.png"}}"#);
        let images = format!("\"images\":[{}]", vec![image; 40].join(","));
        mirror("").replacen("\"images\":[]", &images, 1).into_bytes()
    };
    let blank = Builder::new().image(64, &[[0; 4]; 64 * 64]).document();
    let png = image_file(&blank.images().next().unwrap()).unwrap().into_owned();
    let room = 10 * 64 * 64 * 4; // for ten images
    let read = |format| {
        let budget = Budget::new(room);
        let read = read_source(text(format).into(), &mut One(png.clone()), &budget);
        (read, budget.take(1, 1).is_ok())
    };
    let (raw, some_left) = read("rgba8888");
    let found = raw.unwrap_err().0.0;
    assert_eq!((found.count(PchrRule::Limit), some_left), (30, true), "nothing is held");
    let first = found.first_error().unwrap();
    assert_eq!(first.path, "images[10]");
    let needed = "16 KiB of memory needed, 0 bytes left of the limit of 160 KiB";
    assert!(first.message.contains(needed), "{first}");
    // Undecoded files use the budget too, or one large file could be held once for each image.
    let long = vec![0; room as usize / 10];
    let budget = Budget::new(room);
    let read_long = read_source(text("png").into(), &mut One(long), &budget);
    assert_eq!(read_long.unwrap_err().0.0.count(PchrRule::Limit), 30);
    // Decoded images use the budget in their order, and each is released right after use.
    let (document, origin) = read("png").0.unwrap();
    let mut found = Findings::default();
    let width = |_, pixels: pchr::image::Pixels, _: &Findings| pixels.width;
    let widths = decode_each(&document, &Budget::new(room), true, &mut found, width);
    assert_eq!(widths.iter().filter(|width| **width == 64).count(), 10);
    assert_eq!(found.count(PchrRule::Limit), 30);
    let first = origin.in_words(&document, found).first_error().cloned().unwrap();
    assert_eq!(first.path, "images[10].path");
    let rest = &text("png")[first.offset as usize..];
    assert!(rest.starts_with(b"\"a.png\"") && first.text.unwrap().line == 1);
}

#[test]
fn a_valid_v1_file_with_the_signs_of_a_legacy_header_is_one_unless_json_follows() {
    // The frame rate, image count and name length add up like the two lengths of a legacy header.
    let file = |name: &str| {
        let mut builder = Builder::new().image(1, &[[255; 4]]).bone("root", None);
        let image = &mut builder.parts.images[0];
        image.name = name.into();
        image.format = ImageFormat::Png;
        image.data = vec![b' '; name.len() << 16];
        let announced = 16 + 1 + (name.len() << 16);
        builder.parts.fps = (builder.bytes().len() - announced) as u16;
        let bytes = builder.bytes();
        let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!(16 + length(8) + length(12), bytes.len());
        assert_eq!(bytes[16], b'{');
        bytes
    };
    let bytes = file("{");
    let document = read(bytes.clone()).unwrap();
    assert_eq!(document.source(), FileFormat::Pchr);
    assert_eq!(document.bytes(), bytes);
    // A damaged legacy file is still reported as one.
    let mut damaged = b"PCHR\x01\0\0\0\x03\0\0\0\x02\0\0\0{,}ab".to_vec();
    assert_eq!(findings(damaged.clone()).first_error().unwrap().rule, PchrRule::JsonSyntax);
    damaged[17] = b' ';
    let found = findings(damaged);
    assert_eq!(found.first_error().unwrap().offset, 16, "{found:?}");
}
