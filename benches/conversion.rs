//! Time to read and write files, as ratios to references that run in turn in the same run.
//!
//! Prints a table; `PCHR_CORPUS` adds files of the corpus.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::cast_precision_loss,
    reason = "a bench prints its result, and ends where it cannot measure; the numbers are small"
)]

#[allow(unreachable_pub, reason = "shared")]
#[path = "support/character.rs"]
mod character;
#[path = "support/min_of_many.rs"]
mod min_of_many;
#[path = "support/subjects.rs"]
mod subjects;
#[path = "support/typed_json.rs"]
mod typed_json;

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use min_of_many::min_of_many;
use pchr::bytes::Budget;
use pchr::document::{Document, DocumentParts, ImageFormat};
use pchr::format::json::{Dialect, image_file, write};
use pchr::format::{self, SidecarError, Sidecars};
use pchr::image::{DEFAULT_BUDGET, Effort, decode_straight, encode_png};
use subjects::{Subject, subjects};
use typed_json::Typed;

fn main() {
    // `cargo bench` and `cargo test --benches` pass arguments that have no meaning here.
    let quick = std::env::args().any(|argument| argument == "--test");
    let turns = if quick { 1 } else { 60 };
    let subjects = subjects();
    println!("v1: reading and writing back, against a copy into fresh memory of its own");
    for subject in &subjects {
        write_back(subject, turns);
    }
    println!("Pachario JSON: reading, against serde_json into borrowed typed values");
    for subject in &subjects {
        json(subject, turns / 3 + 1);
    }
    println!(
        "pchr unpack and pack, whole processes, against decoding, encoding and writing the images alone"
    );
    for subject in &subjects {
        processes(subject, turns / 6 + 1);
    }
}

fn write_back(subject: &Subject, turns: usize) {
    let bytes = subject.bytes;
    let times = min_of_many(
        turns,
        Duration::from_millis(1),
        &mut [
            &mut || {
                black_box(black_box(bytes).to_vec());
            },
            &mut || {
                let document = format::read(black_box(bytes)).expect("a valid file");
                black_box(document.bytes().to_vec());
            },
            &mut || {
                let document = format::read(black_box(bytes)).expect("a valid file");
                let parts = DocumentParts::from(&document);
                black_box(format::pchr::write(&parts).expect("it was a file"));
            },
        ],
    );
    if let [copy, back, parts] = times.as_slice() {
        println!(
            "  {:20} {:9} bytes: {:.2} times the copy; by way of parts {:.2}",
            subject.name,
            bytes.len(),
            back / copy,
            parts / copy
        );
    }
}

/// Empty image files, since their bytes are not part of a text.
struct Empty;

impl Sidecars for Empty {
    fn read(&mut self, _: &str) -> Result<Vec<u8>, SidecarError> {
        Ok(Vec::new())
    }
}

fn text(document: &Document, dialect: Dialect) -> Vec<u8> {
    let names: Vec<String> = (0..document.images().len()).map(|i| format!("{i}.png")).collect();
    let mut text = Vec::new();
    write(document, dialect, &names, &mut text).expect("writing to memory succeeds");
    text
}

fn json(subject: &Subject, turns: usize) {
    // Images are left out, since they are not part of a text.
    let mut parts = DocumentParts::from(&subject.document());
    for image in &mut parts.images {
        (image.format, image.data) = (ImageFormat::Png, Vec::new());
    }
    let document = format::pchr::build(&parts).expect("it was a document");
    let (pachario, pchr) = (text(&document, Dialect::Pachario), text(&document, Dialect::Pchr));
    let read = |text: &Vec<u8>| {
        black_box(format::read_with(text.clone(), &mut Empty).expect("it was written"));
    };
    let mut out = Vec::with_capacity(pachario.len() * 2);
    let names: Vec<String> = document.images().map(|image| image.name().to_owned()).collect();
    let times = min_of_many(
        turns,
        Duration::from_millis(1),
        &mut [
            &mut || {
                black_box(
                    serde_json::from_slice::<Typed<'_>>(black_box(&pachario))
                        .expect("it was written"),
                );
            },
            &mut || read(&pachario),
            &mut || read(&pchr),
            &mut || {
                out.clear();
                write(&document, Dialect::Pachario, &names, &mut out)
                    .expect("writing to memory succeeds");
            },
        ],
    );
    if let [typed, pachario_time, pchr_time, write_time] = times.as_slice() {
        let rate = |bytes: usize, time: &f64| bytes as f64 / time * 1e3;
        println!(
            "  {:20} {:9} bytes: {:.2} times the typed values; {:.0} MB/s, PCHR JSON {:.0} MB/s, writing {:.0} MB/s",
            subject.name,
            pachario.len(),
            pachario_time / typed,
            rate(pachario.len(), pachario_time),
            rate(pchr.len(), pchr_time),
            rate(pachario.len(), write_time)
        );
    }
}

fn processes(subject: &Subject, turns: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("a.pchr"), subject.bytes).expect("written");
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr"));
        command.current_dir(folder.path()).arg("-q").args(args);
        assert!(command.status().is_ok_and(|status| status.success()), "{args:?}");
    };
    run(&["unpack", "a.pchr", "-o", "out"]);
    let document = subject.document();
    let json = std::fs::read(path("out/a.json")).expect("it was written");
    let times = min_of_many(
        turns,
        Duration::ZERO,
        &mut [
            &mut || images_alone(&document, &json, folder.path()),
            &mut || run(&["unpack", "a.pchr", "-o", "out"]),
            &mut || run(&["pack", "out/a.json", "-o", "b.pchr"]),
        ],
    );
    if let [alone, unpack, pack] = times.as_slice() {
        println!(
            "  {:20} images alone {:7.2} ms; unpack {:7.2} ms, {:.2} times; pack {:7.2} ms, {:.2} times; both {:.2} times",
            subject.name,
            alone / 1e6,
            unpack / 1e6,
            unpack / alone,
            pack / 1e6,
            pack / alone,
            (unpack + pack) / alone
        );
    }
}

/// The unavoidable work: decoding and encoding the images, and writing the files that unpack and pack write.
fn images_alone(document: &Document, json: &[u8], folder: &Path) {
    for (i, image) in document.images().enumerate() {
        let png = image_file(&image).expect("encoded");
        if image.format() == ImageFormat::Png {
            let pixels = decode_straight(&png, &Budget::new(DEFAULT_BUDGET)).expect("decoded");
            let mut again = Vec::new();
            encode_png(&pixels, Effort::Some, &mut again).expect("encoded");
            black_box(again);
        }
        std::fs::write(folder.join(format!("alone-{i}.png")), &png).expect("written");
    }
    std::fs::write(folder.join("alone.json"), json).expect("written");
    std::fs::write(folder.join("alone.pchr"), document.bytes()).expect("written");
}
