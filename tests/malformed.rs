//! Tests with broken files of the corpus: each gets the verdict in the corpus index, at the byte given there.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a failed expectation is a failed test"
)]

mod support;

use pchr_view::finding::{Findings, Severity};
use pchr_view::format;
use pchr_view::image::decode_all;
use serde_json::Value;

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
    match (
        findings.total(Severity::Error),
        findings.total(Severity::Warning),
    ) {
        (0, 0) => "accept",
        (0, _) => "accept-warn",
        _ => "reject",
    }
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn each_broken_file_gets_its_verdict_at_its_byte() {
    let folder = support::corpus_dir().join("malformed");
    let index: Value =
        serde_json::from_slice(&std::fs::read(folder.join("index.json")).unwrap()).unwrap();
    let cases = index["files"].as_array().unwrap();
    assert!(cases.len() >= 56, "{} cases", cases.len());
    let mut wrong = Vec::new();
    for case in cases {
        let file = case["file"].as_str().unwrap();
        let found = findings(std::fs::read(folder.join(file)).unwrap());
        let got = verdict(&found);
        let wanted = [case["verdict"].as_str(), case["alsoAcceptable"].as_str()];
        let list: Vec<String> = found.iter().map(ToString::to_string).collect();
        if !wanted.contains(&Some(got)) {
            wrong.push(format!("{file}: {got}, wanted {wanted:?}: {list:#?}"));
            continue;
        }
        let from = case["offset"].as_u64();
        let to = case["offsetUpTo"].as_u64().or(from);
        if let (Some(from), Some(to)) = (from, to)
            && got != "accept"
            && Some(got) == wanted[0]
            && !found
                .iter()
                .any(|finding| (from..=to).contains(&finding.offset))
        {
            wrong.push(format!("{file}: nothing at {from}..={to}: {list:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
