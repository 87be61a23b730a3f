//! Entries for fuzzing: suites, records of baselines and reports.

use std::collections::BTreeSet;
use std::path::Path;

use super::baseline;
use super::cases::file::Suite;
use crate::run::Disk;

pub use super::report::merge::fuzz as reports;

/// Reads a suite, and the options of its cases.
pub fn suite(text: &str) {
    let suite = Suite::parse(&Disk::default(), Path::new("suite.toml"), text);
    for entry in &suite.entries {
        let options = suite.defaults.options.under(&entry.common.options);
        let _ = options.parse();
        let _ = entry.common.limits.or(suite.defaults.limits);
    }
}

/// Reads a record of baselines, and writes it again.
pub fn baseline(text: &[u8]) {
    let Ok(mut record) = baseline::parse_record(text) else {
        return;
    };
    let written = baseline::record_text(&record).unwrap_or_default();
    let back = baseline::parse_record(written.as_bytes());
    assert_eq!(back.ok().as_ref(), Some(&record));
    let frames: Vec<String> = record.frames.keys().cloned().collect();
    let kept: BTreeSet<&str> = frames.iter().step_by(2).map(String::as_str).collect();
    let makers: Vec<_> = (kept.iter()).map(|frame| record.maker(frame).cloned()).collect();
    record.keep(&kept);
    for (frame, maker) in kept.iter().zip(&makers) {
        assert!(maker.is_none() || record.maker(frame) == maker.as_ref());
    }
}
