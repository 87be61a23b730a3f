//! Transcripts in `tests/golden`: each line `$ COMMAND` prints what is written below it.
//!
//! `PCHR_BLESS=1 cargo test --test tools transcripts` writes what the commands print now; review the difference.

#![cfg(unix)] // messages of the system are those of Unix

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::desk::below;
use crate::fixtures::fixture;
use crate::transcript;

macro_rules! transcripts {
    ($($(#[$attribute:meta])* $test:ident: $name:literal,)*) => {
        $(
            #[test]
            $(#[$attribute])*
            fn $test() {
                transcript::check($name, fixture);
            }
        )*

        /// Names of the transcripts that have a test.
        const TESTED: &[&str] = &[$($name),*];
    };
}

transcripts! {
    cli_against: "cli/against",
    cli_animation: "cli/animation",
    cli_bench: "cli/bench",
    cli_camera_of: "cli/camera_of",
    cli_compare: "cli/compare",
    cli_determinism: "cli/determinism",
    cli_environment: "cli/environment",
    cli_failures: "cli/failures",
    cli_fonts: "cli/fonts",
    cli_formats: "cli/formats",
    cli_inputs: "cli/inputs",
    cli_json: "cli/json",
    #[cfg_attr(not(target_os = "linux"), ignore = "needs /proc and /dev as Linux has them")]
    cli_linux: "cli/linux",
    cli_mix: "cli/mix",
    cli_motions: "cli/motions",
    cli_options: "cli/options",
    cli_outputs: "cli/outputs",
    cli_overlays: "cli/overlays",
    cli_overwrites: "cli/overwrites",
    cli_parts: "cli/parts",
    cli_selection: "cli/selection",
    cli_session: "cli/session",
    cli_sheets: "cli/sheets",
    cli_view: "cli/view",
    pchr_atlas_convert: "pchr/atlas/convert",
    pchr_atlas_inspect: "pchr/atlas/inspect",
    pchr_atlas_unpack: "pchr/atlas/unpack",
    pchr_diff: "pchr/diff",
    pchr_generated: "pchr/generated",
    pchr_inspect: "pchr/inspect",
    pchr_motion: "pchr/motion",
    pchr_motion_convert: "pchr/motion_convert",
    pchr_pack: "pchr/pack",
    pchr_pack_folder: "pchr/pack_folder",
    pchr_pose: "pchr/pose",
    pchr_pxd: "pchr/pxd",
    pchr_validate: "pchr/validate",
    pchr_validate_hostile: "pchr/validate/hostile",
    suite_again: "suite/again",
    suite_camera: "suite/camera",
    suite_codes: "suite/codes",
    suite_first_day: "suite/first_day",
    suite_ignored: "suite/ignored",
    suite_junit: "suite/junit",
    suite_merge: "suite/merge",
    suite_mistakes: "suite/mistakes",
    suite_options: "suite/options",
    suite_patterns: "suite/patterns",
    suite_reports: "suite/reports",
    suite_shards: "suite/shards",
    suite_streams: "suite/streams",
    suite_unhappy: "suite/unhappy",
    suite_update: "suite/update",
}

#[test]
fn each_transcript_has_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let files =
        ["cli", "pchr", "suite"].map(|folder| below(&root.join(folder), |path| path.is_dir()));
    let name =
        |path: &PathBuf| path.strip_prefix(&root).unwrap().with_extension("").display().to_string();
    let found: BTreeSet<String> = files.iter().flatten().map(name).collect();
    assert!(found.iter().map(String::as_str).eq(TESTED.iter().copied()), "{found:#?}");
}
