//! Draws, rigs and animates the sample character and writes `assets/sample.pchr`.
//!
//! `cargo run --release --example make_sample` writes the file; `-- --check` only reports whether it is up to date.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a generator: its input is constant, it is a program, and a panic is its error message"
)]

mod puppet;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample.pchr");
    let parts = puppet::build();
    let bytes = match pchr::format::pchr::write(&parts) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("make_sample: {error}");
            return ExitCode::FAILURE;
        }
    };
    if std::env::args().any(|arg| arg == "--check") {
        let same = fs::read(&target).is_ok_and(|present| present == bytes);
        println!("{}: {}", target.display(), if same { "up to date" } else { "out of date" });
        return if same { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let unfinished = target.with_extension("pchr.new");
    if let Err(error) =
        fs::write(&unfinished, &bytes).and_then(|()| fs::rename(&unfinished, &target))
    {
        eprintln!("make_sample: {}: {error}", target.display());
        return ExitCode::FAILURE;
    }
    let vertices: usize = parts.meshes.iter().map(|mesh| mesh.vertices.len()).sum();
    println!(
        "{}: {} bytes, {} of them the atlas; {} bones, {} meshes, {vertices} vertices",
        target.display(),
        bytes.len(),
        parts.images[0].data.len(),
        parts.bones.len(),
        parts.meshes.len()
    );
    for clip in &parts.animations {
        println!("  {}: {} frames", clip.name, clip.frame_count);
    }
    ExitCode::SUCCESS
}
