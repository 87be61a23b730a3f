//! Tests of limits: excessive work is refused early with a reason, and the programs do without what the system refuses.

use std::process::Command;

use pchr::document::AnimationParts;

use crate::cli::failures::failed;
use crate::desk::{Desk, said, succeeded, without_surroundings};
use crate::fixture::{Builder, at};

/// A billion frames in 200 KB: without bones a frame takes no bytes.
fn endless() -> Builder {
    let mut builder = Builder::new().image(1, &[[255; 4]]);
    let animation = |i: usize| AnimationParts {
        name: format!("a{i}"),
        frame_count: u16::MAX,
        ..AnimationParts::default()
    };
    builder.parts.animations = (0..16_000).map(animation).collect();
    builder
}

#[test]
fn frames_are_counted_before_they_are_taken() {
    let desk = Desk::new();
    desk.put("endless.pchr", &endless());
    let template = "out/{animation}/{frame}.png";
    let all = ["capture", "endless.pchr", "-a", "all", "--renderer", "cpu"];
    let output = desk.run(&[&all[..], &["-f", "all", "-o", template]].concat());
    let wanted = "endless.pchr: 1048560000 pictures of 16000 animations, expected at most 100000 in one run; choose fewer animations or frames";
    assert_eq!(failed(&output, 2), wanted);
    assert_eq!(desk.made(), ["endless.pchr"]);
    // All frames are the same, so fitting the view to all of them needs only one.
    desk.capture("endless.pchr", &["--fit", "character", "-s", "4x4", "-o", "one.png"]);
    let inspected = desk.run_pchr(&["inspect", "endless.pchr"]);
    succeeded(&inspected);
    let told = String::from_utf8(inspected.stdout).unwrap();
    assert!(told.contains("  playing     1,048,560,000 frames, "), "{told}");
}

#[test]
fn layers_are_counted_before_they_are_drawn() {
    let desk = Desk::new();
    let mut builder = Builder::rect(1, &[[255; 4]], [-1e6; 2], [1e6; 2]);
    builder = builder.animation("bind", false, &[[at(0.0, 0.0)]]);
    let indices = &mut builder.parts.meshes[0].indices;
    *indices = indices.repeat(2000);
    desk.put("layers.pchr", &builder);
    assert!(builder.bytes().len() < 30_000);
    let capture = ["capture", "layers.pchr", "--renderer", "cpu", "-o", "a.png"];
    for size in ["1100x1000", "8192x8192"] {
        let output = desk.run(&[&capture[..], &["--zoom", "1", "-s", size]].concat());
        let line = failed(&output, 1);
        assert!(
            line.starts_with("picture 0 would take too long; choose a smaller one, or hide meshes: the triangles cover "),
            "{line}"
        );
        assert!(line.contains(" about 4000 times the picture, expected at most "), "{line}");
        assert_eq!(desk.made(), ["layers.pchr"]);
    }
    desk.capture("layers.pchr", &["--zoom", "1", "-s", "8x8", "-o", "a.png"]);
}

#[test]
fn a_path_is_no_longer_than_systems_take() {
    let desk = Desk::new();
    let mut builder = endless();
    builder.parts.animations.truncate(1);
    builder.parts.animations[0].name = "n".repeat(60_000);
    desk.put("long.pchr", &builder);
    // A name from the file is shortened, while a long path from the user is refused.
    let args = ["-f", "0..2", "-s", "4x4", "-o", "{animation}-{frame}.png"];
    let cpu = ["capture", "long.pchr", "--renderer", "cpu"];
    succeeded(&desk.run(&[&cpu[..], &args[..]].concat()));
    let made = desk.made();
    assert_eq!(made.len(), 3, "{made:?}");
    assert!(made.iter().all(|name| name.len() <= 255), "{made:?}");
    let typed = format!("{}{{frame}}.png", "folder/".repeat(1000));
    let output = desk.run(&[&cpu[..], &["-f", "all", "-o", &typed]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert_eq!(desk.made(), made);
}

#[cfg(target_os = "linux")]
#[test]
fn what_memory_does_not_hold_is_refused() {
    let desk = Desk::new();
    let mut header = Vec::new();
    let mut png = png::Encoder::new(&mut header, 16384, 16384);
    png.set_color(png::ColorType::Rgba);
    drop(png.write_header().unwrap());
    desk.put_bytes("a.png", &header);
    let large = "not enough memory for a picture of 32768 x 32768 pixels; choose a smaller one\n";
    let two = "a.png and a.png: not enough memory to compare pictures of 16384 x 16384 and 16384 x 16384 pixels\n";
    let endless = "cannot read /dev/zero: ";
    let [pchr, view] = [env!("CARGO_BIN_EXE_pchr"), env!("CARGO_BIN_EXE_pchr-view")];
    for (program, most, args, why) in [
        (
            view,
            3_000_000,
            "capture puppet.pchr -s 32768x32768 -o b.png --renderer cpu --msaa 1",
            large,
        ),
        (
            view,
            3_000_000,
            "capture puppet.pchr -s 32768x32768 -o b.png --renderer cpu --msaa 4",
            large,
        ),
        (view, 2_000_000, "compare a.png a.png", two),
        (pchr, 700_000, "validate /dev/zero", endless),
    ] {
        let script = format!("ulimit -v {most}; exec \"$0\" {args}");
        let mut limited = desk.script(program, &script);
        if program == pchr {
            limited.env("RAYON_NUM_THREADS", "1");
        }
        let output = limited.output().unwrap();
        let lines: Vec<&str> = said(&output).split_inclusive('\n').collect();
        let [.., last] = lines[..] else { panic!("{args} succeeds") };
        assert!(last.starts_with(&format!("error: {why}")), "{args}: {lines:?}");
        assert!(lines.len() == 1 || why == large, "{args}: {lines:?}");
        assert_eq!((output.status.code(), &*output.stdout), (Some(1), &b""[..]), "{args}");
        assert_eq!(desk.made(), ["a.png"]);
    }
}

/// Command of the program with a limit on the number of threads. Limits do not apply to root, so there it runs as another
/// user, a different one for each number.
#[cfg(target_os = "linux")]
fn with_threads(threads: u16, desk: &Desk, program: &str) -> Command {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    let folder = desk.path("");
    let own = desk.path("program");
    if !own.exists() {
        // The original may be in a folder that only root can read.
        std::fs::hard_link(program, &own)
            .or_else(|_| std::fs::copy(program, &own).map(drop))
            .unwrap();
    }
    let is_root = std::fs::metadata(&folder).unwrap().uid() == 0;
    let mut command = Command::new(if is_root { "setpriv" } else { "prlimit" });
    if is_root {
        std::fs::set_permissions(&folder, Permissions::from_mode(0o777)).unwrap();
        let (user, group) = (60_100 + threads, "--regid=65534");
        command.args([&format!("--reuid={user}"), group, "--clear-groups", "prlimit"]);
    }
    command.args([&format!("--nproc={threads}:{threads}"), "--"]).arg(own);
    command.current_dir(folder).env("HOME", "/nonexistent");
    without_surroundings(&mut command);
    command
}

/// Drivers may start threads without checking for failure, and then wait for them.
#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_driver_that_gets_no_threads_is_not_waited_for_for_ever() {
    let desk = Desk::new();
    let start = |threads: u16| {
        let mut program = with_threads(threads, &desk, env!("CARGO_BIN_EXE_pchr-view"));
        let output = format!("{threads}.png");
        program.args(["capture", "puppet.pchr", "--renderer", "gpu", "-o", &output]);
        (threads, program.stderr(std::process::Stdio::piped()).spawn().unwrap())
    };
    for (threads, running) in (2..7).map(start).collect::<Vec<_>>() {
        let output = running.wait_with_output().unwrap();
        let text = said(&output);
        let last = text.lines().last().unwrap_or_default();
        let wanted = match output.status.code() {
            Some(0) => "",
            Some(1) => "error: the graphics adapter did not respond within 30 seconds",
            Some(5) => "error: no usable graphics adapter",
            _ => panic!("{threads}: {text}"),
        };
        assert!(last.starts_with(wanted), "{threads}: {text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn everything_is_done_by_one_thread_where_there_are_no_others() {
    let desk = Desk::new();
    let plain = ["-a", "swap", "-f", "0..2", "-s", "64x64", "--renderer", "cpu"];
    let template = |folder: &str| format!("{folder}/{{frame}}.png");
    let many = template("many");
    desk.capture("puppet.pchr", &[&plain[..6], &["-o", &many]].concat());
    let run = |args: &[&str]| {
        with_threads(1, &desk, env!("CARGO_BIN_EXE_pchr-view")).args(args).output().unwrap()
    };
    let one = template("one");
    let auto = &plain[..6];
    for (renderer, jobs) in [("cpu", "1"), ("cpu", "9"), ("auto", "2")] {
        let more = ["--renderer", renderer, "--jobs", jobs, "-o", &one];
        succeeded(&run(&[&["capture", "puppet.pchr"], auto, &more].concat()));
        assert!(desk.files("one") == desk.files("many"), "{renderer} {jobs}");
    }
    succeeded(&run(&["compare", "one", "many"]));
    let suite =
        "[[case]]\nname = \"a\"\nfile = \"puppet.pchr\"\nframe = \"0..2\"\nanimation = \"swap\"\n";
    desk.put_bytes("suite.toml", suite.as_bytes());
    succeeded(&run(&["test", "suite.toml", "--update"]));
    succeeded(&run(&["test", "suite.toml"]));

    std::fs::remove_file(desk.path("program")).unwrap();
    for args in [
        &["validate", "puppet.pchr", "puppet.pchr"][..],
        &["inspect", "--images", "puppet.pchr"],
        &["unpack", "puppet.pchr", "-o", "unpacked"],
    ] {
        succeeded(&with_threads(1, &desk, env!("CARGO_BIN_EXE_pchr")).args(args).output().unwrap());
    }
}

/// Largest resident memory of a capture of so many pictures with an adapter, in bytes.
#[cfg(unix)]
fn largest(desk: &Desk, frames: u16) -> u64 {
    use wait4::Wait4 as _;

    let child = Command::new(env!("CARGO_BIN_EXE_pchr-view"))
        .args(["capture", "still.pchr", "--renderer", "gpu", "-s", "16x16"])
        .args(["-f", &format!("0..{frames}"), "-o", "out/{frame}.png"])
        .current_dir(desk.path(""))
        .stderr(std::process::Stdio::null())
        .spawn();
    let used = child.unwrap().wait4().unwrap();
    assert!(used.status.success());
    used.rusage.maxrss
}

/// Shaders that branch on a uniform alone made lavapipe keep a copy of them for every draw: 500 pictures took 120 MB more.
#[cfg(unix)]
#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn more_pictures_take_no_more_memory_of_an_adapter() {
    let desk = Desk::new();
    let character =
        Builder::rect(1, &[[255; 4]], [-4.0, -4.0], [4.0, 4.0]).still("still", true, 800);
    desk.put_bytes("still.pchr", &character.bytes());
    let [few, many] = [200, 800].map(|frames| largest(&desk, frames));
    assert!(many < few + (24 << 20), "{few} bytes for 200, {many} for 800");
}
