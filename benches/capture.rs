//! CPU time and peak memory of whole `pchr-view capture` processes, against a bare wgpu program that draws, reads back and
//! encodes the same pictures (`support/bare_wgpu.rs`).
//!
//! Both programs run in turn; the fastest of many runs is used. Prints a table.
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
    eprintln!("CPU time and memory of processes are measured on Unix only");
}

#[cfg(unix)]
#[path = "support/bare_wgpu.rs"]
mod bare_wgpu;
#[cfg(unix)]
#[allow(unreachable_pub, reason = "shared")]
#[path = "support/character.rs"]
mod character;

#[cfg(unix)]
fn main() {
    processes::main();
}

#[cfg(unix)]
mod processes {
    use std::ffi::{OsStr, OsString};
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};

    use pchr::document::AnimationId;
    use pchr::finding::Findings;
    use pchr::image::decode_all;
    use pchr::pose::{BindChoice, FrameAt, Pose};
    use pchr::scene::{Camera2d, Filter, Frame, Picture, ViewOptions};
    use wait4::Wait4 as _;

    use crate::bare_wgpu;
    use crate::character::Character;

    /// Number of pictures in the long job.
    const FRAMES: u16 = 100;

    /// Resources that a process used.
    #[derive(Clone, Copy, Debug)]
    struct Used {
        /// User and system time, in milliseconds.
        cpu: f64,
        /// Peak resident memory, in MB of 1,000,000 bytes.
        memory: f64,
    }

    impl Used {
        const NONE: Self = Self { cpu: f64::MAX, memory: f64::MAX };

        fn least(self, other: Self) -> Self {
            Self { cpu: self.cpu.min(other.cpu), memory: self.memory.min(other.memory) }
        }
    }

    pub(super) fn main() {
        let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
        let mode = arguments.first().and_then(|mode| mode.to_str());
        match (mode, arguments.get(1..).unwrap_or_default()) {
            (Some("bare-wgpu"), [scene, frames, folder]) => {
                let frames = frames.to_str().and_then(|frames| frames.parse().ok());
                bare_wgpu::run(scene.as_ref(), frames.expect("a number"), folder.as_ref());
            }
            (Some("measure"), [program, arguments @ ..]) => measure(program, arguments),
            _ => compare(arguments.iter().any(|argument| argument == "--test")),
        }
    }

    /// Runs one child and prints what it used. In a separate process, because the peak of a child starts at that of its parent.
    fn measure(program: &OsStr, arguments: &[OsString]) {
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let used = child.wait4().expect("usage of the child");
        let (status, usage) = (used.status, used.rusage);
        assert!(status.success(), "{}: {status}", program.display());
        println!("{} {}", (usage.utime + usage.stime).as_micros(), usage.maxrss);
    }

    fn used(program: &OsStr, arguments: &[OsString]) -> Used {
        let output = Command::new(std::env::current_exe().expect("this program"))
            .arg("measure")
            .arg(program)
            .args(arguments)
            .stderr(Stdio::inherit())
            .output()
            .expect("this program starts");
        let text = String::from_utf8_lossy(&output.stdout);
        let mut numbers = text.split_whitespace().filter_map(|n| n.parse::<f64>().ok());
        let mut number = || numbers.next().expect("two numbers");
        Used { cpu: number() / 1e3, memory: number() / 1e6 }
    }

    /// A program, and the least that it used.
    struct Program {
        name: &'static str,
        path: OsString,
        arguments: Vec<OsString>,
        least: Used,
    }

    impl Program {
        fn bare(scene: &Path, frames: u16, folder: &Path) -> Self {
            let arguments = ["bare-wgpu".into(), scene.into(), frames.to_string().into()];
            Self {
                name: "bare wgpu",
                path: std::env::current_exe().expect("this program").into(),
                arguments: arguments.into_iter().chain([folder.join("bare").into()]).collect(),
                least: Used::NONE,
            }
        }

        fn capture(name: &'static str, file: &Path, frames: u16, folder: &Path) -> Self {
            let output = folder.join(name).join("{frame:03}.png");
            let mut arguments: Vec<OsString> = vec!["capture".into(), file.into(), "-q".into()];
            let frames = format!("0..{frames}");
            for (flag, value) in [
                ("-o", output.as_os_str()),
                ("-a", "move".as_ref()),
                ("-f", frames.as_ref()),
                ("-s", "512x512".as_ref()),
                ("--msaa", "1".as_ref()),
                ("--zoom", "1".as_ref()),
                ("--center", "0,0".as_ref()),
                ("--renderer", name.as_ref()),
            ] {
                arguments.extend([flag.into(), value.into()]);
            }
            if name == "gpu" {
                arguments.extend(["--backend".into(), "vulkan".into()]);
            }
            Self {
                name,
                path: env!("CARGO_BIN_EXE_pchr-view").into(),
                arguments,
                least: Used::NONE,
            }
        }
    }

    fn compare(quick: bool) {
        let folder = tempfile::tempdir().expect("a folder for the pictures");
        let (file, scene) = files(folder.path());
        let size = std::fs::metadata(&file).expect("the file").len() as f64 / 1e6;
        let atlas = 1024.0 * 1024.0 * 4.0 / 1e6;
        println!("file {size:.2} MB, atlas {atlas:.2} MB decoded; 512 x 512, 1 sample");
        for (frames, runs) in [(FRAMES, 15), (1, 40)] {
            let mut programs = [
                Program::bare(&scene, frames, folder.path()),
                Program::capture("gpu", &file, frames, folder.path()),
                Program::capture("cpu", &file, frames, folder.path()),
            ];
            // The first run fills the shader cache of the driver.
            for _ in 0..if quick { 1 } else { runs + 1 } {
                for program in &mut programs {
                    let used = used(&program.path, &program.arguments);
                    program.least = program.least.least(used);
                }
            }
            assert_same(folder.path(), frames);
            let bare = programs[0].least;
            println!("{frames} pictures, the least of {runs} runs:");
            for Program { name, least, .. } in &programs {
                println!(
                    "  {name:10} {:8.1} ms CPU ({:.2} x bare, {:+.1} ms), {:6.1} MB ({:.2} x bare)",
                    least.cpu,
                    least.cpu / bare.cpu,
                    least.cpu - bare.cpu,
                    least.memory,
                    least.memory / bare.memory
                );
            }
            let cpu = programs[2].least.memory;
            println!("  cpu: {:.1} MB beside file and atlas", cpu - size - atlas);
        }
    }

    /// The character as a file, and everything that the bare program draws from it.
    fn files(folder: &Path) -> (PathBuf, PathBuf) {
        let (file, scene) = (folder.join("character.pchr"), folder.join("scene"));
        let character = Character::default();
        std::fs::write(&file, character.bytes()).expect("the file can be written");
        let document = character.document();
        let images = decode_all(&document, &mut Findings::default());
        let subject = pchr::character::Character::new(document.clone(), BindChoice::Auto);
        let frame = |frame| {
            let at = Some(FrameAt::exact(AnimationId(1), frame));
            Frame::new(&subject, at, &ViewOptions::default())
        };
        let frames: Vec<Frame> = (0..FRAMES).map(frame).collect();
        let poses: Vec<Pose> = frames.iter().map(|frame| frame.pose().clone()).collect();
        let picture = Picture {
            size: [512, 512],
            camera: Camera2d::default(),
            filter: Filter::Linear,
            mipmaps: false,
            clear: [0; 4],
        };
        bare_wgpu::Scene::new(&document, &images, &poses, frames[0].list(), &picture).write(&scene);
        std::fs::create_dir(folder.join("bare")).expect("a folder");
        (file, scene)
    }

    /// Checks that the bare program draws the same pixels as the GPU renderer, and nearly the same as the CPU renderer.
    fn assert_same(folder: &Path, frames: u16) {
        for frame in 0..frames {
            let read = |name: &str| std::fs::read(folder.join(format!("{name}/{frame:03}.png")));
            let [bare, gpu, cpu] =
                ["bare", "gpu", "cpu"].map(|name| rgba(&read(name).expect("a picture")));
            assert!(bare == gpu, "picture {frame} differs");
            let differ = bare.iter().zip(&cpu).filter(|(a, b)| a.abs_diff(**b) > 8);
            assert!(differ.count() < 4 * 512, "picture {frame} differs much");
        }
    }

    fn rgba(png: &[u8]) -> Vec<u8> {
        let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().expect("a PNG");
        let mut rgba = vec![0; reader.output_buffer_size().expect("a size")];
        reader.next_frame(&mut rgba).expect("a whole PNG");
        rgba
    }
}
