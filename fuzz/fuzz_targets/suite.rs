//! Reads any text as a suite.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| pchr_tools::cli::pchr_view::fuzz::suite(text));
