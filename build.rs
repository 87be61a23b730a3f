//! Tells the tests what this machine offers, so that a test that cannot run shows as ignored and says why.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(skip_gpu_tests)");
    println!("cargo::rustc-check-cfg=cfg(pchr_corpus)");
    println!("cargo::rerun-if-env-changed=PCHR_REQUIRE_GPU");
    println!("cargo::rerun-if-env-changed=PCHR_CORPUS");
    if env::var_os("PCHR_REQUIRE_GPU").is_none_or(|value| value != "1") {
        println!("cargo::rustc-cfg=skip_gpu_tests");
    }
    if env::var_os("PCHR_CORPUS").is_some() {
        println!("cargo::rustc-cfg=pchr_corpus");
    }
    version();
}

/// `--version` names the commit, where there is one.
fn version() {
    if std::path::Path::new(".git/logs/HEAD").exists() {
        println!("cargo::rerun-if-changed=.git/logs/HEAD");
    }
    let git = std::process::Command::new("git")
        .args(["rev-parse", "--short=12", "HEAD"])
        .output();
    let commit = git
        .ok()
        .filter(|out| out.status.success())
        .and_then(|out| String::from_utf8(out.stdout).ok());
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let version = match commit.as_deref().map(str::trim) {
        Some(commit) if !commit.is_empty() => format!("{version} ({commit})"),
        _ => version,
    };
    println!("cargo::rustc-env=PCHR_VERSION={version}");
}
