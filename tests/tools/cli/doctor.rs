//! Tests of `pchr-view doctor`: reported adapters and displays, and exit codes.

use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::desk::{Desk, Picture, json_of, said, succeeded};

const NOBODY: &str = "Voodoo 5 6000";

/// Command `doctor` without variables for displays and adapters.
fn doctor(desk: &Desk) -> Command {
    let mut program = desk.program();
    program.arg("doctor");
    for name in
        ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "WGPU_BACKEND", "WGPU_ADAPTER_NAME"]
    {
        program.env_remove(name);
    }
    program
}

fn text(program: &mut Command) -> String {
    let output = program.output().unwrap();
    succeeded(&output);
    String::from_utf8(output.stdout).unwrap()
}

fn report(program: &mut Command) -> Value {
    json_of(&program.arg("--json").output().unwrap())
}

/// Line with the reason for the failure; drivers may print lines before it.
fn why(output: &Output) -> &str {
    let mut errors = said(output).lines().filter_map(|line| line.strip_prefix("error: "));
    errors.next_back().unwrap()
}

#[test]
fn it_says_what_there_is_and_that_the_cpu_renderer_is_right() {
    let desk = Desk::new();
    let text = text(&mut doctor(&desk));
    let heads: Vec<&str> = text.lines().filter(|line| !line.starts_with([' ', '*'])).collect();
    let [program, rest @ ..] = &heads[..] else {
        panic!("{text}");
    };
    assert!(program.starts_with(concat!("pchr-view ", env!("CARGO_PKG_VERSION"))));
    let parts: Vec<&&str> = rest.iter().filter(|line| !line.is_empty()).collect();
    if cfg!(target_os = "linux") {
        assert_eq!(parts, [&"Adapters", &"Displays", &"Self-test"]);
    }
    assert!(text.contains("\n  cpu  passed: the expected picture, bit for bit ("), "{text}");
    assert!(text.lines().count() <= 40, "one screen: {text}");
    let quiet = doctor(&desk).arg("-q").output().unwrap();
    succeeded(&quiet);
    assert_eq!(quiet.stdout, b"");
}

/// The command is the one in assets/README.md.
#[test]
fn the_known_picture_is_a_capture_of_the_sample() {
    let desk = Desk::new();
    desk.put_bytes("sample.pchr", include_bytes!("../../../assets/sample.pchr"));
    let args = "-a walk -f 4 -s 64x64 --center 0,8 --zoom 0.14 -o self-test.png";
    desk.capture("sample.pchr", &args.split(' ').collect::<Vec<_>>());
    let known = include_bytes!("../../../crates/pchr-tools/assets/self-test.png");
    let known = Picture::decode(known);
    assert_eq!(desk.picture("self-test.png"), known);
}

#[test]
fn json_says_all_of_it_and_an_adapter_that_can_be_used_is_used() {
    let desk = Desk::new();
    let report = report(&mut doctor(&desk));
    assert_eq!(report["platform"], format!("{} {}", std::env::consts::OS, std::env::consts::ARCH));
    let cores = std::thread::available_parallelism().unwrap().get();
    assert_eq!(report["cores"], cores);
    let features = report["features"].as_array().unwrap();
    assert!(features.contains(&json!("cli")) && features.contains(&json!("raster")));
    assert_eq!(features.contains(&json!("render")), cfg!(feature = "render"));
    let [cpu, gpu] = &report["selfTests"].as_array().unwrap()[..] else {
        panic!("{report}");
    };
    assert_eq!((&cpu["renderer"], &cpu["result"]), (&json!("cpu"), &json!("passed")));
    let wanted = json!({
        "pixels": 4096, "differing": 0, "largest": 0, "tolerance": 0, "outliers": 0, "allowedOutliers": 0,
    });
    assert_eq!(cpu["difference"], wanted);
    // Either an adapter was found and tested, or the reason for its absence is reported.
    if report["usedAdapter"].is_null() {
        if cfg!(not(skip_gpu_tests)) {
            panic!("{}", report["noneBecause"]);
        }
        assert!(report["noneBecause"].is_string());
        assert_eq!(gpu["result"], "skipped");
        return;
    }
    assert!(report["noneBecause"].is_null());
    assert_eq!(gpu["result"], "passed", "{gpu}");
    assert_eq!(gpu["difference"]["allowedOutliers"], 81);
    let backends = report["backends"].as_array().unwrap();
    let adapters = backends.iter().flat_map(|backend| backend["adapters"].as_array().unwrap());
    let used: Vec<&Value> = adapters.filter(|adapter| adapter["used"] == true).collect();
    assert_eq!(used.len(), 1, "{report}");
    assert_eq!(used[0]["name"], report["usedAdapter"]["name"]);
    assert_eq!(used[0]["refused"], Value::Null);
    for needed in ["floatTextures", "fourSamples"] {
        assert_eq!(used[0][needed], true);
    }
    assert!(used[0]["textureSide"].as_u64().unwrap() >= 2048);
    // The adapter can be found again by its name and its backend.
    let [name, backend] =
        ["name", "backend"].map(|key| report["usedAdapter"][key].as_str().unwrap());
    let again = self::report(doctor(&desk).args(["--adapter", name]));
    assert_eq!(again["usedAdapter"]["reason"], format!("set by --adapter {name}"));
    let again = self::report(doctor(&desk).env("WGPU_BACKEND", backend));
    assert_eq!(again["usedAdapter"]["reason"], format!("set by WGPU_BACKEND={backend}"));
}

/// Mesa has OpenGL 4.5 unless it is told otherwise; wgpu is given 3.3 by NVIDIA's driver.
#[test]
#[cfg_attr(
    any(skip_gpu_tests, not(target_os = "linux")),
    ignore = "needs a graphics adapter on Linux: PCHR_TEST_GPU=1"
)]
fn an_opengl_without_places_for_textures_is_refused() {
    let desk = Desk::new();
    let old = [("MESA_GL_VERSION_OVERRIDE", "3.3"), ("MESA_GLSL_VERSION_OVERRIDE", "330")];
    let output = doctor(&desk).args(["--json", "--backend", "gl"]).envs(old).output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    let reason = "its OpenGL is older than 4.2, so textures would be missing; use another backend";
    assert!(why(&output).contains(reason), "{}", why(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let backends = report["backends"].as_array().unwrap();
    let gl = backends.iter().find(|backend| backend["name"] == "gl").unwrap();
    for adapter in gl["adapters"].as_array().unwrap() {
        assert_eq!(adapter["refused"], reason);
    }
}

#[test]
fn an_adapter_that_is_asked_for_and_not_there_is_a_failure_after_all_is_said() {
    let desk = Desk::new();
    let output = doctor(&desk).args(["--adapter", NOBODY]).output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(text.contains("\n  used: none; the CPU renderer is used\n"), "{text}");
    assert!(text.contains("\n  cpu  passed: "), "{text}");
    assert!(text.contains("\n  gpu  skipped: "), "{text}");
    if cfg!(feature = "render") {
        let wanted = format!("no usable graphics adapter for the name {NOBODY:?}");
        assert!(why(&output).starts_with(&wanted), "{}", why(&output));
    }
    let output = doctor(&desk).args(["--backend", "glide"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stdout, b"");
}

#[test]
#[cfg(feature = "render")]
fn the_environment_has_its_say_and_is_told() {
    let desk = Desk::new();
    // If the adapter named in the environment is missing, the CPU renderer draws.
    let report = report(doctor(&desk).env("WGPU_ADAPTER_NAME", NOBODY));
    assert_eq!(report["usedAdapter"], Value::Null);
    let kept = json!({"name": "WGPU_ADAPTER_NAME", "value": NOBODY, "effect": "kept"});
    assert_eq!(report["environment"][0], kept);
    let none = report["noneBecause"].as_str().unwrap();
    assert!(none.contains(NOBODY), "{none}");
    let expected =
        "error: WGPU_BACKEND: unknown backend \"glide\": expected vulkan, gl, metal or dx12";
    let mut capture = desk.program();
    capture.args(["capture", "puppet.pchr", "-o", "x.png"]);
    for command in [&mut doctor(&desk), &mut capture] {
        let output = command.env("WGPU_BACKEND", "glide").output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(said(&output).lines().next(), Some(expected));
    }
    assert_eq!(desk.made(), [""; 0]);
    let mut doctor = doctor(&desk);
    doctor.env("WGPU_ADAPTER_NAME", "anything").args(["--adapter", NOBODY]);
    let output = doctor.output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    let text = String::from_utf8(output.stdout).unwrap();
    let line = "\n  WGPU_ADAPTER_NAME=anything: overridden by the command line\n";
    assert!(text.contains(line), "{text}");
}

/// Accepts connections and closes them at once: drivers that look for displays must not wait for an answer.
#[cfg(target_os = "linux")]
fn hang_up<T>(mut next: impl FnMut() -> std::io::Result<T> + Send + 'static) {
    std::thread::spawn(move || while next().is_ok() {});
}

/// A display server is available if something listens at the address in the environment.
#[test]
#[cfg(target_os = "linux")]
fn display_servers_are_asked_whether_they_are_there() {
    let desk = Desk::new();
    let listen = |display: u16| {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 6000 + display));
        Some((format!("127.0.0.1:{display}.0"), listener.ok()?))
    };
    let (x11, listener) = (100..1000).find_map(listen).unwrap();
    hang_up(move || listener.accept());
    let listener = std::os::unix::net::UnixListener::bind(desk.path("wayland-7")).unwrap();
    hang_up(move || listener.accept());
    let path = desk.path("wayland-7");
    let viewer = cfg!(feature = "viewer");
    let displays = |variables: &[(&str, &str)]| -> [(Value, Value, Value); 2] {
        let mut program = doctor(&desk);
        program.env("XDG_RUNTIME_DIR", desk.folder()).envs(variables.iter().copied());
        let report = report(&mut program);
        let displays = report["displays"].as_array().unwrap().iter();
        let told =
            displays.map(|it| (it["value"].clone(), it["problem"].clone(), it["used"].clone()));
        told.collect::<Vec<_>>().try_into().unwrap()
    };
    let none = || (Value::Null, Value::Null, json!(false));
    let there = |value: &str, used: bool| (json!(value), Value::Null, json!(used && viewer));
    assert_eq!(displays(&[]), [none(), none()]);
    assert_eq!(displays(&[("DISPLAY", ""), ("WAYLAND_DISPLAY", "")]), [none(), none()]);
    assert_eq!(displays(&[("DISPLAY", &x11)]), [there(&x11, true), none()]);
    for name in ["wayland-7", path.to_str().unwrap()] {
        assert_eq!(displays(&[("WAYLAND_DISPLAY", name)]), [none(), there(name, true)]);
    }
    // If both are available, the window uses X11, which supports drag and drop.
    let both = [("DISPLAY", x11.as_str()), ("WAYLAND_DISPLAY", "wayland-7")];
    assert_eq!(displays(&both), [there(&x11, true), there("wayland-7", false)]);
    let [(_, x11_problem, _), (_, wayland_problem, _)] =
        displays(&[("DISPLAY", "nonsense"), ("WAYLAND_DISPLAY", "wayland-8")]);
    assert_eq!(x11_problem, "it does not name a display");
    assert!(wayland_problem.as_str().unwrap().contains("No such file"), "{wayland_problem}");
    let mut program = doctor(&desk);
    program.env("XDG_RUNTIME_DIR", desk.folder());
    let text = text(program.env("DISPLAY", ":nonsense").env("WAYLAND_DISPLAY", "wayland-7"));
    let line = " X11      DISPLAY=:nonsense does not respond: it does not name a display\n";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("Wayland  WAYLAND_DISPLAY=wayland-7 responds\n"), "{text}");
    if viewer {
        let line = "  used: X11 for the window, but the window will not open; unset DISPLAY to use Wayland\n";
        assert!(text.contains(line), "{text}");
    }
}

#[test]
#[cfg(unix)]
fn the_ffmpeg_on_the_path_is_told_with_its_version() {
    use std::os::unix::fs::PermissionsExt as _;

    let desk = Desk::new();
    desk.put_bytes("not/ffmpeg", b"no program");
    let script = b"#!/bin/sh\n[ \"$1\" = -version ] && echo 'ffmpeg version 7.1-static Copyright (c) the developers'\n";
    desk.put_bytes("bin/ffmpeg", script);
    let ffmpeg = |path: &str| {
        let path = std::env::join_paths(["not", path].map(|folder| desk.path(folder))).unwrap();
        report(doctor(&desk).env("PATH", path))["ffmpeg"].clone()
    };
    assert_eq!(ffmpeg("bin"), Value::Null, "neither can be run");
    let program = desk.path("bin/ffmpeg");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(ffmpeg("bin"), json!({"path": program, "version": "7.1-static"}));
    assert_eq!(ffmpeg("absent"), Value::Null);
    desk.put_bytes("bin/ffmpeg", b"#!/absent/shell\n");
    assert_eq!(ffmpeg("bin"), json!({"path": program, "version": null}));
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn what_succeeds_says_no_error_where_nothing_is_shown_and_a_capture_names_its_adapter() {
    let desk = Desk::new();
    let mut capture = desk.program();
    capture.args(["capture", "puppet.pchr", "-o", "x.png", "--renderer", "gpu"]);
    for command in [&mut doctor(&desk), &mut capture] {
        for value in [None, Some(""), Some("relative")] {
            command.env_remove("DISPLAY").env_remove("XDG_RUNTIME_DIR");
            command.envs(value.map(|value| ("XDG_RUNTIME_DIR", value)));
            let output = command.output().unwrap();
            succeeded(&output);
            assert!(!said(&output).contains("error"), "{}", said(&output));
        }
    }
    let drawn_by = &report(&mut capture)["drawnBy"];
    assert_eq!(drawn_by["renderer"], "gpu");
    for what in ["adapter", "backend"] {
        assert!(!drawn_by[what].as_str().unwrap().is_empty(), "{what}");
    }
}
