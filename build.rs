//! Tells the tests what this machine offers, so that a test that cannot run is ignored with the reason.

use std::env;

/// Flags that skip tests, and the variables that enable those tests.
const NEEDS: [(&str, &str); 5] = [
    ("skip_gpu_tests", "PCHR_TEST_GPU"),
    ("skip_window_tests", "PCHR_TEST_WINDOW"),
    ("skip_browser_tests", "PCHR_TEST_BROWSER"),
    ("skip_shell_tests", "PCHR_TEST_SHELLS"),
    ("skip_video_tests", "PCHR_TEST_VIDEO"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let all = is_set("PCHR_REQUIRE_GPU");
    for (flag, variable) in NEEDS {
        println!("cargo::rustc-check-cfg=cfg({flag})");
        if !is_set(variable) && !all {
            println!("cargo::rustc-cfg={flag}");
        }
    }
    println!("cargo::rustc-check-cfg=cfg(pchr_corpus)");
    println!("cargo::rerun-if-env-changed=PCHR_CORPUS");
    if env::var_os("PCHR_CORPUS").is_some() {
        println!("cargo::rustc-cfg=pchr_corpus");
    }
    println!("cargo::rustc-check-cfg=cfg(pchr_phaser)");
    println!("cargo::rerun-if-env-changed=PCHR_TEST_PHASER");
    if env::var_os("PCHR_TEST_PHASER").is_some() {
        println!("cargo::rustc-cfg=pchr_phaser");
    }
    println!("cargo::rustc-check-cfg=cfg(pchr_three)");
    println!("cargo::rerun-if-env-changed=PCHR_TEST_THREE");
    if env::var_os("PCHR_TEST_THREE").is_some() {
        println!("cargo::rustc-cfg=pchr_three");
    }
    println!("cargo::rustc-check-cfg=cfg(pchr_gltf_validator)");
    println!("cargo::rerun-if-env-changed=PCHR_TEST_GLTF_VALIDATOR");
    if env::var_os("PCHR_TEST_GLTF_VALIDATOR").is_some() {
        println!("cargo::rustc-cfg=pchr_gltf_validator");
    }
    version();
}

fn is_set(variable: &str) -> bool {
    println!("cargo::rerun-if-env-changed={variable}");
    env::var_os(variable).is_some_and(|value| value == "1")
}

/// Adds the commit to the output of `--version`, if there is one.
fn version() {
    let git = |args: &[&str]| {
        let out = std::process::Command::new("git").args(args).output().ok()?;
        let text = out.status.success().then_some(out.stdout)?;
        String::from_utf8(text).ok()
    };
    // The log is elsewhere in a linked work tree.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]);
    if let Some(log) = log.filter(|log| std::path::Path::new(log.trim()).exists()) {
        println!("cargo::rerun-if-changed={}", log.trim());
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"]);
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let version = match commit.as_deref().map(str::trim) {
        Some(commit) if !commit.is_empty() => format!("{version} ({commit})"),
        _ => version,
    };
    println!("cargo::rustc-env=PCHR_VERSION={version}");
}
