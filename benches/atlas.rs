//! Time to decode PCT, against Phaser's own decoder in Node.js on the same texts in the same run.
//!
//! `PCHR_TEST_PHASER` names `phaser.min.js` of Phaser 4.2.1, as for the tests. Its decoder is in the same package.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::cast_precision_loss,
    reason = "a bench prints its result, and ends where it cannot measure; the numbers are small"
)]

#[path = "support/min_of_many.rs"]
mod min_of_many;

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use min_of_many::min_of_many;
use pchr_foreign::format::pct;

/// Number of sprites in each text.
const SPRITES: usize = 5000;

/// Script that prints the shortest of many runs in nanoseconds.
const SCRIPT: &str = "
const decode = require(process.argv[1]);
const text = require('fs').readFileSync(process.argv[2], 'utf8');
let best = Infinity;
for (let turn = 0; turn < Number(process.argv[3]); turn++) {
    const start = process.hrtime.bigint();
    const atlas = decode(text);
    best = Math.min(best, Number(process.hrtime.bigint() - start));
    if (Object.keys(atlas.frames).length !== 5000) throw new Error('not 5000 frames');
}
console.log(best);
";

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test");
    // One of our turns takes a tenth of one of Phaser's, so both have the same chance of a quiet moment.
    let (turns, their_turns) = if quick { (1, 1) } else { (3000, 300) };
    // After a large block was freed, the allocator keeps freed memory, as in a program that has opened an image.
    drop(black_box(vec![1_u8; 16 << 20]));
    let decoder = decoder();
    let folder = std::env::temp_dir();
    println!("PCT of {SPRITES} sprites against Phaser's decoder on V8");
    for (name, text) in
        [("blocks", blocks()), ("single sprites", singles()), ("half and half", mixed())]
    {
        let sprites = || pct::read(text.as_bytes()).map(|(atlas, _)| atlas.sprites.len());
        assert_eq!(sprites().expect("a sound text"), SPRITES);
        let ours = min_of_many(
            turns,
            Duration::from_millis(1),
            &mut [
                &mut || {
                    black_box(pct::decode(black_box(text.as_bytes()))).expect("a sound text");
                },
                &mut || {
                    black_box(pct::read(black_box(text.as_bytes()))).expect("a sound text");
                },
            ],
        );
        let [decoded, checked] =
            [0, 1].map(|index| ours.get(index).copied().unwrap_or(f64::NAN) / 1e3);
        let path = folder.join(format!("pchr-bench-{}.pct", std::process::id()));
        std::fs::write(&path, &text).expect("a temporary file");
        let theirs = decoder.as_deref().and_then(|decoder| phaser(decoder, &path, their_turns));
        let _ = std::fs::remove_file(&path);
        let bytes = text.len();
        println!(
            "  {name:<15} {bytes:>7} bytes  decoded in {decoded:>6.1} us, and checked in {checked:>6.1} us"
        );
        match theirs {
            Some(theirs) => println!(
                "{:28}Phaser in  {theirs:>8.1} us: {:.1} times as long as decoding",
                "",
                theirs / decoded
            ),
            None => println!("{:28}(PCHR_TEST_PHASER and node are needed for Phaser)", ""),
        }
    }
}

/// Path of the decoder in the package of `phaser.min.js`.
fn decoder() -> Option<PathBuf> {
    let bundle = PathBuf::from(std::env::var_os("PCHR_TEST_PHASER")?);
    let package = bundle.parent()?.parent()?;
    Some(package.join("src/textures/parsers/PCTDecode.js"))
}

/// Time of Phaser's decoder in microseconds.
fn phaser(decoder: &Path, text: &Path, turns: usize) -> Option<f64> {
    let turns = turns.to_string();
    let mut node = Command::new("node");
    node.args(["-e", SCRIPT]).args([decoder, text]).arg(turns);
    let out = node.output().ok().filter(|out| out.status.success())?;
    let nanoseconds: f64 = String::from_utf8(out.stdout).ok()?.trim().parse().ok()?;
    Some(nanoseconds / 1e3)
}

const HEADER: &str = "PCT:1.0\nP:page.png,RGBA8888,8192,8192,2\nF:hero/walk\nF:hero/run\n";

/// Text with grids of 50 sprites, named by ranges.
fn blocks() -> String {
    let mut text = HEADER.to_owned();
    for block in 0..SPRITES / 50 {
        let (x, y, folder) = (block % 10 * 700, block / 10 * 700, block % 2);
        writeln!(text, "B:{x},{y},10,60,60|80,80,9,11\n{folder}/part{block}_#01-50~1")
            .expect("memory");
    }
    text
}

/// One line per sprite.
fn singles() -> String {
    let mut text = HEADER.to_owned();
    for sprite in 0..SPRITES {
        single(&mut text, sprite, 0);
    }
    text
}

fn single(text: &mut String, sprite: usize, top: usize) {
    let (x, y, folder) = (sprite % 100 * 80, top + sprite / 100 * 80, sprite % 2);
    writeln!(text, "{folder}/sprite_{sprite}~1|2|{x},{y},61,47|80,80,9,11").expect("memory");
}

fn mixed() -> String {
    let blocks = blocks();
    let lines: Vec<&str> = blocks.lines().collect();
    let half = lines.len().div_ceil(2) + 2;
    let mut text = lines.get(..half).expect("half of it").join("\n") + "\n";
    for sprite in 0..SPRITES / 2 {
        single(&mut text, sprite, 4000);
    }
    text
}
