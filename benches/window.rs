//! Opening the window: time from the start of `pchr-view FILE` to its first right picture, against the first frame of a bare window
//! of wgpu and egui, in turn, on an X server of its own (Xvfb). The least of many runs is used. Then the memory of a window whose
//! file changes 1,000 times.
//!
//! `PCHR_CORPUS` is the folder of the corpus; without it the sample is opened.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a bench prints its result, and ends where a program would report"
)]

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("windows are measured on Linux only");
}

#[cfg(target_os = "linux")]
#[path = "support/bare_window.rs"]
mod bare_window;
#[cfg(target_os = "linux")]
#[path = "support/screen.rs"]
mod screen;
#[cfg(target_os = "linux")]
#[allow(
    dead_code,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "shared with tests, where these are allowed"
)]
#[path = "../tests/window/x11.rs"]
mod x11;

#[cfg(target_os = "linux")]
fn main() {
    windows::main();
}

#[cfg(target_os = "linux")]
mod windows {
    use std::path::{Path, PathBuf};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use wait4::Wait4 as _;

    use crate::bare_window;
    use crate::screen::{SCREEN, Server, middle};
    use crate::x11::{Shot, X11};

    /// Time without a change after which a picture is the last.
    const SETTLED: Duration = Duration::from_secs(2);
    /// Time after which a program has failed.
    const PATIENCE: Duration = Duration::from_secs(60);

    /// Milliseconds to the picture that stayed, and of processor time until the end.
    #[derive(Clone, Copy)]
    struct Opened {
        wall: f64,
        cpu: f64,
    }

    pub(super) fn main() {
        let arguments: Vec<String> = std::env::args().collect();
        if arguments.get(1).is_some_and(|mode| mode == "bare-window") {
            return bare_window::run(SCREEN.map(u32::from));
        }
        let quick = arguments.iter().any(|argument| argument == "--test");
        let server = Server::start();
        opening(&server, if quick { 1 } else { 11 });
        let (warm, most) = if quick { (2, 4) } else { (100, 1_100) };
        reloads(&server, warm, most);
    }

    fn viewer() -> &'static Path {
        Path::new(env!("CARGO_BIN_EXE_pchr-view"))
    }

    fn sample() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample.pchr")
    }

    fn opening(server: &Server, turns: usize) {
        let corpus = std::env::var_os("PCHR_CORPUS").map(PathBuf::from);
        let file = corpus.map(|corpus| corpus.join("characters/you_xin_suit1/you_xin_suit1.pchr"));
        let file = file.filter(|file| file.is_file()).unwrap_or_else(|| {
            eprintln!("PCHR_CORPUS has no you_xin_suit1: the sample is opened");
            sample()
        });
        let this = std::env::current_exe().expect("this program");
        let programs = [
            (this.as_path(), vec![Path::new("bare-window")]),
            (viewer(), vec![file.as_path(), Path::new("--paused")]),
        ];
        let mut least = [Opened { wall: f64::MAX, cpu: f64::MAX }; 2];
        // The first run fills the shader cache of the driver.
        for _ in 0..turns {
            for (least, (program, arguments)) in least.iter_mut().zip(&programs) {
                let opened = open(server, program, arguments);
                least.wall = least.wall.min(opened.wall);
                least.cpu = least.cpu.min(opened.cpu);
            }
        }
        let [bare, ours] = least;
        println!("window              | first right picture | CPU time");
        println!("bare wgpu and egui  | {:>16.1} ms | {:>6.1} ms", bare.wall, bare.cpu);
        println!("pchr-view           | {:>16.1} ms | {:>6.1} ms", ours.wall, ours.cpu);
        let (wall, cpu) = (ours.wall / bare.wall, ours.cpu / bare.cpu);
        println!("ratio               | {wall:>19.2} | {cpu:>9.2}");
    }

    /// Opens a window, waits until its picture stays, and ends the program.
    fn open(server: &Server, program: &Path, arguments: &[&Path]) -> Opened {
        let mut x11 = server.connect();
        let empty = middle(&mut x11);
        let start = Instant::now();
        let mut child = server.command(program, arguments).spawn().expect("the program starts");
        let (mut last, mut since) = (empty.clone(), start.elapsed());
        while last == empty || start.elapsed() - since < SETTLED {
            assert!(start.elapsed() < PATIENCE, "{}: no picture", program.display());
            sleep(Duration::from_millis(4));
            let at = start.elapsed();
            let shot = middle(&mut x11);
            if shot != last {
                (last, since) = (shot, at);
            }
        }
        child.kill().expect("the program ends");
        let used = child.wait4().expect("usage of the child").rusage;
        // The server removes the window.
        while middle(&mut x11) != empty {
            sleep(Duration::from_millis(20));
        }
        let cpu = (used.utime + used.stime).as_secs_f64() * 1e3;
        Opened { wall: since.as_secs_f64() * 1e3, cpu }
    }

    /// Replaces the file of a window `most` times, by a character and by the same one stretched, and prints how the resident
    /// memory grew after the first `warm` times: with one arena of glibc's allocator, since its arenas, one for each of several threads,
    /// keep freed memory and take hundreds of reloads to fill.
    fn reloads(server: &Server, warm: usize, most: usize) {
        let file = server.home().join("hero.pchr");
        let other = server.home().join("other.pchr");
        let plain = std::fs::read(sample()).expect("the sample");
        let stretched = stretched(&plain);
        std::fs::write(&file, &plain).expect("a copy");
        let mut x11 = server.connect();
        let empty = middle(&mut x11);
        let mut command = server.command(viewer(), &[&file, Path::new("--paused")]);
        let mut child = command.env("MALLOC_ARENA_MAX", "1").spawn().expect("the program starts");
        let replace = |bytes: &[u8]| {
            std::fs::write(&other, bytes).expect("a copy");
            std::fs::rename(&other, &file).expect("a new version");
        };
        let first = settled(&mut x11, &empty);
        replace(&stretched);
        let second = settled(&mut x11, &first);
        let versions = [(&plain, first), (&stretched, second)];
        let (mut at_first, start) = (0, Instant::now());
        for turn in 0..most {
            let (bytes, picture) = &versions[turn % 2];
            replace(bytes);
            let since = Instant::now();
            while middle(&mut x11) != *picture {
                assert!(since.elapsed() < PATIENCE, "reload {turn}: another picture");
                sleep(Duration::from_millis(4));
            }
            if turn + 1 == warm {
                at_first = resident(child.id());
            }
        }
        let (count, end) = (most - warm, resident(child.id()));
        let seconds = start.elapsed().as_secs_f64();
        child.kill().expect("the program ends");
        child.wait().expect("its end");
        let more = 100.0 * (end as f64 / at_first as f64 - 1.0);
        println!(
            "{count} reloads ({seconds:.0} s): {at_first} kB resident, then {end} kB ({more:+.2} %)"
        );
    }

    /// Returns the picture after `before`, once it stays.
    fn settled(x11: &mut X11, before: &Shot) -> Shot {
        let (mut last, mut since, start) = (before.clone(), Instant::now(), Instant::now());
        while last == *before || since.elapsed() < SETTLED {
            assert!(start.elapsed() < PATIENCE, "no other picture");
            sleep(Duration::from_millis(20));
            let shot = middle(x11);
            if shot != last {
                (last, since) = (shot, Instant::now());
            }
        }
        last
    }

    /// Returns the sample with its vertices moved.
    fn stretched(bytes: &[u8]) -> Vec<u8> {
        let document = pchr::format::read(bytes.to_vec()).expect("the sample is sound");
        let mut parts = pchr::document::DocumentParts::from(&document);
        for vertex in parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.vertices) {
            vertex.position[1] *= 1.25;
        }
        pchr::format::pchr::write(&parts).expect("it can be written")
    }

    /// Returns the resident memory of a process in kB.
    fn resident(process: u32) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{process}/status"));
        let status = status.expect("a running process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        number.and_then(|number| number.parse().ok()).expect("its memory")
    }
}
