//! Tests of memory: a document takes little more than the bytes of its file.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "what cannot be set up is a failed test; the figures are wanted"
)]

#[allow(unreachable_pub, reason = "shared")]
#[path = "../benches/support/character.rs"]
mod character;

use allocation_counter::measure;
use character::Character;
use pchr::format;
use pchr_foreign::format::pct;

/// Most heap bytes in use while borrowed bytes are read, and heap bytes in use afterwards.
fn heap(bytes: &'static [u8]) -> (u64, i64) {
    let mut kept = None;
    let used = measure(|| kept = Some(format::read(bytes).unwrap()));
    assert!(kept.unwrap().warnings().is_empty());
    (used.bytes_max, used.bytes_current)
}

fn holds_to_two_percent(name: &str, bytes: &'static [u8]) {
    let (most, kept) = heap(bytes);
    let share = |heap: f64| 100.0 * heap / bytes.len() as f64;
    println!(
        "{name}: {} bytes, {most} bytes of heap at most ({:.2} %), {kept} kept ({:.2} %)",
        bytes.len(),
        share(most as f64),
        share(kept as f64)
    );
    assert!(most * 50 <= bytes.len() as u64, "{name}: {most} bytes");
}

#[test]
fn reading_takes_at_most_two_percent_of_the_file_beside_it() {
    let mut parts = Character::default().parts();
    let image = &mut parts.images[0];
    (image.width, image.height) = (1, 1);
    image.data.truncate(4);
    holds_to_two_percent("generated, no image", format::pchr::write(&parts).unwrap().leak());
    holds_to_two_percent("sample", include_bytes!("../assets/sample.pchr"));
}

/// No tree of the text is kept: only the document, and the space for its growth.
#[test]
fn reading_json_takes_memory_for_the_document_and_not_for_the_text() {
    use format::json::{Dialect, write};
    use format::{SidecarError, Sidecars};

    struct Empty;
    impl Sidecars for Empty {
        fn read(&mut self, _: &str) -> Result<Vec<u8>, SidecarError> {
            Ok(Vec::new())
        }
    }
    let character = Character { frames: 2400, ..Character::default() };
    let mut parts = character.parts();
    parts.images[0].format = pchr::document::ImageFormat::Png;
    parts.images[0].data = Vec::new();
    let document = format::pchr::build(&parts).unwrap();
    for dialect in [Dialect::Pchr, Dialect::Pachario] {
        let mut text = Vec::new();
        write(&document, dialect, &["a.png".into()], &mut text).unwrap();
        let text: &'static [u8] = text.leak();
        let mut back = None;
        let used = measure(|| back = Some(format::read_with(text, &mut Empty).unwrap()));
        let (most, size) = (used.bytes_max, document.bytes().len() as u64);
        println!(
            "{dialect:?}: {} bytes of text, {size} of document, {most} bytes of heap at most",
            text.len()
        );
        assert!(back.unwrap().bytes() == document.bytes());
        // A growing buffer exists twice for a moment, and the new one has twice the length.
        assert!(most <= 3 * size + (64 << 10), "{dialect:?}: {most} bytes");
    }
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn reading_a_real_character_takes_at_most_two_percent_beside_it() {
    let corpus = std::path::PathBuf::from(std::env::var_os("PCHR_CORPUS").unwrap());
    for name in ["you_xin_suit1", "mecha_2903", "loong"] {
        let file = corpus.join(format!("characters/{name}/{name}.pchr"));
        holds_to_two_percent(name, std::fs::read(file).unwrap().leak());
    }
    let many = corpus.join("synthetic/many-bones.pchr");
    holds_to_two_percent("many-bones", std::fs::read(many).unwrap().leak());
}

/// In a grid, a million names are a short text.
#[test]
fn writing_an_atlas_takes_little_for_each_sprite() {
    const SPRITES: u64 = 100_000;
    let text = format!("PCT:1.0\nP:a.png,RGBA8888,1000,100,0\nB:0,0,1000,1,1\nf#1-{SPRITES}\n");
    let (atlas, _) = pct::read(text.as_bytes()).unwrap();
    let mut written = String::new();
    let used = measure(|| written = pct::write(&atlas).unwrap());
    assert_eq!(written, text);
    let (most, count) = (used.bytes_max / SPRITES, used.count_total / SPRITES);
    println!("{most} bytes of heap at most and {count} allocations a sprite");
    assert!(most < 500 && count < 8, "{most} bytes, {count} allocations");
}

#[test]
fn room_is_reserved_only_for_elements_whose_bytes_are_there() {
    const SAMPLE: &[u8] = include_bytes!("../assets/sample.pchr");
    let (mut refused, mut most) = (0, 0);
    for at in 4..400 {
        // Whatever is counted here: 65,535 of them, of which hardly any byte follows.
        let mut bytes = SAMPLE[..at + 6].to_vec();
        bytes[at..at + 2].fill(0xff);
        let used = measure(|| {
            refused += u64::from(format::read(bytes.clone()).is_err());
        });
        most = most.max(used.bytes_max);
    }
    assert_eq!(refused, 396, "none is whole");
    assert!(most < 8192, "{most} bytes of heap");
}
