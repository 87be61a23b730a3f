//! Tests with broken files of the corpus: each gets the verdict that the corpus index expects.

use std::path::PathBuf;

use super::{Desk, report, validate};
use crate::corpus;

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn each_broken_file_gets_its_verdict() {
    let (folder, index) = corpus::indexed("malformed");
    let cases = index["files"].as_array().unwrap();
    assert!(cases.len() >= 56, "{} cases", cases.len());
    let paths: Vec<PathBuf> =
        cases.iter().map(|case| folder.join(case["file"].as_str().unwrap())).collect();
    let paths: Vec<&str> = paths.iter().map(|path| path.to_str().unwrap()).collect();
    let output = validate(&Desk::new(), &[&["--json"], &paths[..]].concat());
    assert_eq!(output.status.code(), Some(4));
    let files = report(&output);
    assert_eq!(files.len(), cases.len());
    let mut wrong = Vec::new();
    for (case, file) in cases.iter().zip(&files) {
        let verdict = match file["verdict"].as_str().unwrap() {
            "valid" => "accept",
            "warnings" => "accept-warn",
            "invalid" => "reject",
            other => panic!("{other}"),
        };
        let wanted = [case["verdict"].as_str(), case["alsoAcceptable"].as_str()];
        if !wanted.contains(&Some(verdict)) {
            wrong.push(format!(
                "{}: {verdict}, wanted {wanted:?}: {:#}",
                case["file"], file["findings"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
