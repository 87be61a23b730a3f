//! Suites as whole processes: CPU time of `pchr-view test` against `pchr-view capture` of the same frames, and wall time
//! with one thread against two; and CPU time of a suite whose pictures all differ against one whose pictures all pass. Taken in
//! turn; the fastest of many runs is used. Prints two tables.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a bench prints its result, and ends where a program would report"
)]

#[cfg(not(unix))]
fn main() {
    eprintln!("CPU time of processes is measured on Unix only");
}

#[cfg(unix)]
fn main() {
    processes::main();
}

#[cfg(unix)]
mod processes {
    use std::path::Path;
    use std::process::{Command, Stdio};
    use std::time::Instant;

    use wait4::Wait4 as _;

    const SAMPLE: &[u8] = include_bytes!("../assets/sample.pchr");

    /// Time that processes used, in milliseconds.
    #[derive(Clone, Copy)]
    struct Used {
        cpu: f64,
        wall: f64,
    }

    /// Exit code of a suite whose pictures differ.
    const DIFFERS: i32 = 3;

    /// Runs commands; all of them end with exit code 0, or with [`DIFFERS`] if their suite is a failing one.
    fn run(folder: &Path, commands: &[Vec<String>]) -> Used {
        let (start, mut cpu) = (Instant::now(), 0.0);
        for arguments in commands {
            let child = Command::new(env!("CARGO_BIN_EXE_pchr-view"))
                .args(arguments)
                .current_dir(folder)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .spawn()
                .expect("the program starts");
            let used = child.wait4().expect("usage of the child");
            let code = if arguments[1].starts_with("failing") { DIFFERS } else { 0 };
            assert_eq!(used.status.code(), Some(code), "{arguments:?}");
            cpu += (used.rusage.utime + used.rusage.stime).as_secs_f64() * 1e3;
        }
        Used { cpu, wall: start.elapsed().as_secs_f64() * 1e3 }
    }

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    /// Lowest usage of each program, run in turn.
    fn least(folder: &Path, turns: usize, programs: &[Vec<Vec<String>>]) -> Vec<Used> {
        let none = Used { cpu: f64::MAX, wall: f64::MAX };
        let mut best = vec![none; programs.len()];
        for _ in 0..turns {
            for (program, best) in programs.iter().zip(&mut best) {
                let used = run(folder, program);
                best.cpu = best.cpu.min(used.cpu);
                best.wall = best.wall.min(used.wall);
            }
        }
        best
    }

    /// Measures a suite of `files` files with `frames` frames each of 256 x 256 pixels: 300 frames in all.
    fn suite(files: u32, frames: u32, turns: usize) {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let mut text = "[defaults]\nresolution = \"256x256\"\nanimation = \"idle\"\n".to_owned();
        text.push_str(&format!("frame = \"0..{frames}\"\n[[case]]\nfile = \"*.pchr\"\n"));
        std::fs::write(folder.join("suite.toml"), text).expect("the suite is written");
        let mut captures = Vec::new();
        for i in 0..files {
            std::fs::write(folder.join(format!("{i}.pchr")), SAMPLE).expect("a copy");
            let output = format!("captured/{i}/{{frame:04}}.png");
            captures.push(words(&format!(
                "capture {i}.pchr -a idle -f 0..{frames} -s 256x256 --renderer cpu -q --jobs 2 -o {output}"
            )));
        }
        let test = |more: &str| vec![words(&format!("test suite.toml -q {more}"))];
        run(folder, &test("--update --force"));
        let programs = [captures, test("--jobs 2"), test("--jobs 1")];
        let used = least(folder, turns, &programs);
        let [captured, two, one] = used.as_slice() else { return };
        println!(
            "{files:>4} x {frames:>3} frames | {:>7.1} | {:>7.1} | {:.2} | {:>7.1} | {:>7.1} | {:.2}",
            captured.cpu,
            two.cpu,
            two.cpu / captured.cpu,
            one.wall,
            two.wall,
            one.wall / two.wall
        );
    }

    /// Measures suites of 60 frames of 256 x 256 pixels, with a report: one that passes, and some that fail against its baselines.
    fn failing(turns: usize) {
        const FAILING: [(&str, &str); 3] = [
            ("edges differ", "msaa = 1"),
            ("mirrored", "mirror = true"),
            ("every pixel differs", "background = \"#203040\""),
        ];
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        std::fs::write(folder.join("hero.pchr"), SAMPLE).expect("a copy");
        let write = |name: &str, more: &str| {
            let text = format!(
                "[defaults]\nresolution = \"256x256\"\nanimation = \"idle\"\nframe = \"0..60\"\n{more}\n[[case]]\nfile = \"hero.pchr\"\n"
            );
            std::fs::write(folder.join(name), text).expect("the suite is written");
        };
        let test = |suite: &str, more: &str| vec![words(&format!("test {suite} -q {more}"))];
        write("passing.toml", "");
        run(folder, &test("passing.toml", "--update --force"));
        let report = "--jobs 2 --report report";
        let mut programs = vec![test("passing.toml", report)];
        for (i, (_, option)) in FAILING.iter().enumerate() {
            let name = format!("failing{i}.toml");
            write(&name, option);
            programs.push(test(&name, report));
        }
        let used = least(folder, turns, &programs);
        let passing = used[0].cpu;
        println!("{:20} | {passing:>7.1} |", "passes");
        for ((name, _), used) in FAILING.iter().zip(&used[1..]) {
            println!("{name:20} | {:>7.1} | {:.1}", used.cpu, used.cpu / passing);
        }
    }

    pub(super) fn main() {
        let quick = std::env::args().any(|argument| argument == "--test");
        let turns = if quick { 1 } else { 15 };
        println!("300 frames of 256 x 256 by the CPU renderer; milliseconds");
        println!(
            "suite           | capture: CPU | test: CPU | ratio | 1 thread | 2 threads | ratio"
        );
        for (files, frames) in [(5, 60), (60, 5), (300, 1)] {
            suite(files, frames, turns);
        }
        println!("60 frames of 256 x 256 with a report; milliseconds of CPU time");
        println!("pictures             | test    | ratio to passing");
        failing(turns);
    }
}
