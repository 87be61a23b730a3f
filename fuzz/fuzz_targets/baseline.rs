//! Reads any text as a record of baselines.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| pchr_tools::cli::pchr_view::fuzz::baseline(text));
