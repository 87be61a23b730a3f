//! Tests of the fuzz targets with their seeds, with inputs that once failed (`tests/bugfixes/TARGET/NAME`), and with the corpora
//! in the folder that `PCHR_FUZZ_CORPUS` names, which `script/fuzz` collects.

use std::path::Path;

#[allow(
    dead_code,
    unreachable_pub,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "it is a crate of its own for the fuzzer, and may fail"
)]
#[path = "../fuzz/mod.rs"]
mod fuzz;

use fuzz::{seeds, targets};

/// Files in a folder; none if it does not exist.
fn files(folder: &Path) -> impl Iterator<Item = (String, Vec<u8>)> + use<> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().filter_map(|entry| {
        Some((entry.path().display().to_string(), std::fs::read(entry.path()).ok()?))
    })
}

#[test]
fn seeds_and_inputs_that_once_failed_pass() {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bugfixes");
    let corpus = std::env::var_os("PCHR_FUZZ_CORPUS");
    for (name, target) in targets::ALL {
        let numbered = seeds::of(name).into_iter().enumerate();
        let mut inputs: Vec<_> = numbered.map(|(i, seed)| (format!("seed {i}"), seed)).collect();
        inputs.extend(files(&found.join(name)));
        inputs.extend(corpus.iter().flat_map(|corpus| files(&Path::new(corpus).join(name))));
        for (input, bytes) in inputs {
            assert!(std::panic::catch_unwind(|| target(&bytes)).is_ok(), "{name}: {input}");
        }
    }
}
