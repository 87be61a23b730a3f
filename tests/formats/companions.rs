//! Tests of the images beside a JSON character, which the caller supplies. Needs only the feature `json`.

use std::collections::HashMap;

use pchr::document::Document;
use pchr::finding::{Findings, Invalid};
use pchr::format::json::{Dialect, image_file, write};
use pchr::format::{read, read_with};
use pchr::image::decode_all;

/// The sample as JSON, and the image beside it.
fn files(dialect: Dialect) -> (Vec<u8>, HashMap<String, Vec<u8>>) {
    let fox = read(include_bytes!("../../assets/sample.pchr").as_slice()).unwrap();
    let mut json = Vec::new();
    write(&fox, dialect, &["art/fox.png".into()], &mut json).unwrap();
    let png = image_file(&fox.images().next().unwrap()).unwrap();
    (json, HashMap::from([("art/fox.png".into(), png.into_owned())]))
}

fn load(json: Vec<u8>, files: &HashMap<String, Vec<u8>>) -> Result<Document, Invalid> {
    read_with(json, &mut |path: &str| files.get(path).cloned().ok_or("not in the archive"))
}

#[test]
fn a_function_from_path_to_bytes_is_enough() {
    let fox = read(include_bytes!("../../assets/sample.pchr").as_slice()).unwrap();
    for dialect in [Dialect::Pchr, Dialect::Pachario] {
        let (json, files) = files(dialect);
        let read = load(json, &files).unwrap();
        let mut findings = Findings::default();
        assert_eq!(decode_all(&read, &mut findings), decode_all(&fox, &mut findings));
        assert_eq!(findings.iter().count(), 0);
        assert_eq!(read.meshes().len(), fox.meshes().len());
    }
}

#[test]
fn what_the_function_says_is_in_the_error() {
    for dialect in [Dialect::Pchr, Dialect::Pachario] {
        let (json, _) = files(dialect);
        let Invalid(findings) = load(json, &HashMap::new()).unwrap_err();
        let error = findings.first_error().unwrap();
        assert!(error.path.starts_with("images[0]"), "{error}");
        assert!(error.message.contains("\"art/fox.png\": not in the archive"), "{error}");
    }
}

#[test]
fn errors_of_the_file_system_will_do() {
    let (json, files) = files(Dialect::Pchr);
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("art")).unwrap();
    std::fs::write(folder.path().join("art/fox.png"), &files["art/fox.png"]).unwrap();
    read_with(json, &mut |path: &str| std::fs::read(folder.path().join(path))).unwrap();
}
