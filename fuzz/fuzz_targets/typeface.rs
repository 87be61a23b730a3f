#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pchr_view_fuzz::targets::typeface(data));
