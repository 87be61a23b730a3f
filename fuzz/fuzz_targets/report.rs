//! Reads any texts as the reports of a suite's parts.
#![no_main]

use pchr_view_fuzz::files::Files;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let (first, others) = Files::split(data);
    let mut parts = vec![first.as_slice()];
    parts.extend(others.contents());
    pchr_tools::cli::pchr_view::fuzz::reports(&parts);
});
