//! Tests of findings in texts: the rule, the path in the text's own words, and the line and column.

use pchr::document::{Document, ImageFormat};
use pchr::finding::{Finding, Invalid};
use pchr::format::json::Dialect;
use pchr::format::pchr::build;
use pchr::format::{SidecarError, Sidecars, read, read_with};

use crate::fixture::{Builder, at};
use crate::golden;
use crate::json::Files;

/// Document with two bones, a square and a clip; the contents of its PNG image are arbitrary.
fn square() -> Document {
    let builder = Builder::new()
        .image(1, &[[255; 4]])
        .bone("root", None)
        .bone("tip", Some(0))
        .quad("square", 0, 1, [0.0, 0.0], [10.0, 10.0])
        .animation("bind", false, &[[at(0.0, 0.0), at(1.0, 2.5)]]);
    let mut parts = builder.parts;
    parts.images[0].format = ImageFormat::Png;
    build(&parts).unwrap()
}

fn files(dialect: Dialect) -> Files {
    let (files, losses) = Files::of(&square(), dialect);
    assert!(losses.is_empty());
    files
}

/// The first finding of what is refused.
fn first(refused: Result<Document, Invalid>) -> Finding {
    refused.unwrap_err().0.iter().next().unwrap().clone()
}

/// Files with one piece of the text replaced.
fn edited(dialect: Dialect, from: &str, to: &str) -> Files {
    let mut files = files(dialect);
    assert!(files.text.contains(from), "{from} is not in {}", files.text);
    files.text = files.text.replacen(from, to, 1);
    files
}

/// Findings of a text with one piece replaced, and the text.
fn findings(dialect: Dialect, from: &str, to: &str) -> (Vec<Finding>, String) {
    let files = edited(dialect, from, to);
    let findings = match files.read() {
        Err(Invalid(findings)) => findings,
        Ok(document) => document.warnings().clone(),
    };
    (findings.iter().cloned().collect(), files.text)
}

/// Replaces a piece of a text as `pachario FROM => TO` says, and lists each finding with the text at its position.
fn outcome(edit: &str) -> Vec<String> {
    let (dialect, edit) = edit.split_once(' ').unwrap();
    let dialect = if dialect == "pchr" { Dialect::Pchr } else { Dialect::Pachario };
    let (from, to) = edit.split_once(" =>").unwrap();
    let (findings, text) = findings(dialect, &from.replace("\\n", "\n"), to.trim_start());
    let lines = findings.iter().map(|finding| {
        let there = text[finding.offset as usize..].lines().next().unwrap();
        let place = finding.text.unwrap();
        let line = text.lines().nth(place.line as usize - 1).unwrap();
        assert_eq!(&line[place.column as usize - 1..], there, "{finding}");
        format!("{finding}; there: {there:.20}")
    });
    lines.collect()
}

#[test]
fn each_fault_is_told_by_its_rule_path_and_position() {
    golden::cases("json_refusals", outcome);
}

#[test]
fn a_key_that_is_ignored_changes_nothing() {
    let edited = edited(Dialect::Pachario, r#""fps": 10"#, r#""fps": 10, "author": "me""#);
    assert_eq!(edited.read().unwrap().bytes(), square().bytes());
}

#[test]
fn a_frame_has_a_transform_for_each_bone_that_comes_after_it() {
    let text = r#"{"version":1,"fps":1,"animations":[{"name":"a","loop":false,"frames":[[]]}],"images":[],
        "bones":[{"name":"b","parentIdx":-1}],"meshes":[]}"#;
    let finding = first(read(text.as_bytes().to_vec()));
    let wanted = ("PCHR-E053", "animations[0].frames[0]");
    assert_eq!((finding.rule.id(), finding.path.as_str()), wanted);
    assert_eq!(finding.message, "0 transforms, but there is 1 bone");
    assert_eq!(finding.text.map(|place| (place.line, place.column)), Some((1, 71)));
}

#[test]
fn of_more_than_four_influences_the_largest_stay_in_their_order() {
    let many = r#"[{"idx":1,"weight":0.05},{"idx":0,"weight":0.3},{"idx":1,"weight":0.2},{"idx":0,"weight":0.1},{"idx":1,"weight":0.25},{"idx":0,"weight":0.1}]"#;
    let edit = |bones: &str| edited(Dialect::Pachario, r#"[{"idx":1,"weight":1.0}]"#, bones);
    let document = edit(many).read().unwrap();
    let vertex = document.meshes().next().unwrap().vertices().next().unwrap();
    assert_eq!(vertex.bone_ids, [0, 1, 0, 1]);
    assert_eq!(vertex.bone_weights, [0.3, 0.2, 0.1, 0.25]);
    let warnings: Vec<String> = document.warnings().iter().map(ToString::to_string).collect();
    let start = "PCHR-W151 influences-dropped: meshes[0].vertices[0].bones at line ";
    assert!(warnings[0].starts_with(start), "{warnings:#?}");
    let dropped = "2 of 6 influences dropped, with a weight of 0.15";
    assert!(warnings[0].contains(dropped), "{warnings:#?}");
    assert!(warnings[1].contains("weights sum to 0.85"), "nothing is renormalised: {warnings:#?}");
    // Influences without weight are no loss.
    let padded = r#"[{"idx":1,"weight":0.5},{"idx":0,"weight":0.5},{"idx":0,"weight":0.0},{"idx":0,"weight":0},{"idx":0,"weight":0}]"#;
    assert!(edit(padded).read().unwrap().warnings().is_empty());
}

#[test]
fn damaged_text_is_told_where() {
    let invalid = |text: &str| first(read(text.as_bytes().to_vec()));
    for (text, line, column) in [
        ("{\n \"version\": 1,\n \"fps\": NaN}", 3, 9),
        ("{\"version\": 1,, ", 1, 15),
        ("{\"version\": 1", 1, 13),
        ("{\"bones\": [{\"name\": \"a\nb\"}]}", 2, 1),
    ] {
        let finding = invalid(text);
        let place = finding.text.unwrap();
        assert_eq!((finding.rule.id(), place.line), ("PCHR-E050", line), "{text}: {finding}");
        assert!(place.column.abs_diff(column) <= 2, "{text}: {finding}");
        assert_eq!(finding.offset as usize, line_start(text, line) + place.column as usize - 1);
    }
    for (number, name) in [("NaN", "NaN"), ("Infinity", "Infinity"), ("-Infinity", "Infinity")] {
        for text in [
            format!("{{\"version\": 1, \"fps\": {number}}}"),
            format!("{{\"images\": [{{\"width\": {number}}}]}}"),
        ] {
            assert_eq!(invalid(&text).message, format!("{name} is not a number in JSON"), "{text}");
        }
    }
    let files = files(Dialect::Pachario);
    let after = Files { text: files.text.clone() + "{}", ..files.clone() };
    assert_eq!(first(after.read()).rule.id(), "PCHR-E050");
    let marked = Files { text: format!("\u{feff} {}", files.text), ..files };
    assert_eq!(marked.read().unwrap().bytes(), square().bytes(), "a byte order mark is not damage");
    let finding = invalid("{\"version\": 1, fps: 2}");
    assert_eq!((finding.rule.id(), finding.path.as_str()), ("PCHR-E050", "document"));
    let deep = format!("{{\"animations\":[{{\"loop\":true,\"x\":{}", "[".repeat(100_000));
    assert_eq!(invalid(&deep).rule.id(), "PCHR-E050");
}

fn line_start(text: &str, line: u32) -> usize {
    text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum()
}

#[test]
fn images_that_are_not_there_or_do_not_fit_are_named() {
    struct Refusing(SidecarError);
    impl Sidecars for Refusing {
        fn read(&mut self, _: &str) -> Result<Vec<u8>, SidecarError> {
            Err(self.0.clone())
        }
    }
    let files = files(Dialect::Pchr);
    for (error, id) in [
        (SidecarError::Outside, "PCHR-E060"),
        (SidecarError::Unreadable("no such file".into()), "PCHR-E061"),
    ] {
        let finding = first(read_with(files.text.clone().into_bytes(), &mut Refusing(error)));
        assert_eq!((finding.rule.id(), finding.path.as_str()), (id, "images[0]"));
        assert!(finding.message.starts_with("image \"image 0\", path \"0.png\": "), "{finding}");
    }
    for dialect in [Dialect::Pchr, Dialect::Pachario] {
        let text = self::files(dialect).text.into_bytes();
        let absent = &mut |_: &str| Err::<Vec<u8>, _>("not in the archive");
        let Invalid(findings) = read_with(text, absent).unwrap_err();
        let error = findings.first_error().unwrap();
        assert!(error.path.starts_with("images[0]"), "{error}");
        assert!(error.message.contains("\"0.png\": not in the archive"), "{error}");
    }
}

#[test]
fn many_findings_are_located_in_one_walk() {
    // All 20,000 equal faults are located in one walk over the text; separate walks would take minutes.
    let vertex = r#"{"x":0,"y":0,"u":7,"v":0,"bones":[{"idx":0,"weight":1}]}"#;
    let vertices = vec![vertex; 20_000].join(",\n");
    let text = format!(
        r#"{{"version":1,"fps":1,"images":[],"bones":[{{"name":"b","parentIdx":-1}}],"animations":[],
        "meshes":[{{"name":"m","imageIdx":0,"triangles":[],"vertices":[{vertices}]}}]}}"#
    );
    let findings = read(text.into_bytes()).unwrap_err().0;
    let of_uv = findings.iter().filter(|finding| finding.rule.id() == "PCHR-W124");
    let lines: Vec<u32> = of_uv.map(|finding| finding.text.unwrap().line).collect();
    assert_eq!(lines, (2..102).collect::<Vec<u32>>());
}

#[test]
fn what_is_quoted_of_a_text_is_one_short_line() {
    let evil = "evil\\n\\u001b[31m".to_owned() + &"x".repeat(100_000);
    for (from, to) in [
        (r#""parent":0"#, format!("\"parent\":0,\"{evil}\":1")),
        (r#""fps": 10"#, format!("\"fps\": \"{evil}\"")),
        (r#""format":"png""#, format!("\"format\":\"{evil}\"")),
    ] {
        let (found, _) = findings(Dialect::Pchr, from, &to);
        let line = found[0].to_string();
        assert!(line.len() < 1000 && !line.contains(char::is_control), "{line:.300}");
    }
}

#[test]
fn damage_behind_a_value_does_not_hide_where_it_is() {
    let text = "{\"version\": 1, \"fps\": 1, \"images\": [],\n \"bones\": [{\"name\": \"a\", \"parent\": \"x\",,";
    let finding = first(read(text.as_bytes().to_vec()));
    assert_eq!(finding.path, "bones[0].parent");
    let place = finding.text.unwrap();
    assert_eq!(place.line, 2, "{finding}");
    assert!((30..40).contains(&place.column), "{finding}");
}

#[test]
fn errors_of_legacy_packed_files_lie_behind_their_image_too() {
    let text = files(Dialect::Pachario).text;
    let packed = |text: &str| {
        let image = b"any bytes";
        let mut file = b"PCHR\x01\0\0\0".to_vec();
        file.extend((text.len() as u32).to_le_bytes());
        file.extend((image.len() as u32).to_le_bytes());
        [&file[..], text.as_bytes(), image].concat()
    };
    assert_eq!(read(packed(&text)).unwrap().bytes().len(), square().bytes().len() - 4 + 9);
    for (from, to, path, there) in [
        (r#""parentIdx":0"#, r#""parentIdx":"x""#, "bones[1].parentIdx", "\"x\"}"),
        (r#""zOrder":0"#, r#""zOrder":,,"#, "animations[0].frames[0][0].zOrder", ",,"),
        ("[0,1,2", "[0,1,9", "meshes[0].triangles[2]", "9,"),
    ] {
        let file = packed(&text.replacen(from, to, 1));
        let finding = first(read(file.clone()));
        assert_eq!(finding.path, path, "{finding}");
        assert!(file[finding.offset as usize..].starts_with(there.as_bytes()), "{finding}");
    }
    let more = r#""images": [{"name":"b","path":"b","width":1,"height":1},"#;
    let two = text.replacen("\"images\": [", more, 1);
    let finding = first(read(packed(&two)));
    assert_eq!((finding.rule.id(), finding.path.as_str()), ("PCHR-E042", "images[1]"));
}
