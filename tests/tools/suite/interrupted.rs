//! Tests of updates that are killed: each baseline is the old or the new one, and the next update completes the work.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;

use crate::desk::Desk;
use crate::fixture::{Builder, puppet};
use crate::pchr::interrupted::killed;
use crate::suite::stage::{case_of, desk, ended, grown, program, test};

const ROUNDS: usize = 200;

const CASES: [&str; 3] = ["blink", "jump", "walk"];

/// Suite that fits the view to each frame, so a character that grew is fitted again in every frame.
fn suite() -> String {
    let cases = CASES.map(|name| case_of(name, "puppet.pchr", name)).concat();
    format!("[defaults]\nresolution = \"64x48\"\nbackground = \"checker\"\n{cases}")
}

/// Versions of the character whose fitted views differ.
fn versions() -> [Builder; 2] {
    [puppet(), grown()]
}

fn pictures(desk: &Desk) -> BTreeMap<String, Vec<u8>> {
    let mut files = desk.files("baselines");
    // Temporary files of a run that was killed outright have such names.
    files.retain(|name, _| name.ends_with(".png") && !name.contains(".pchr-"));
    files
}

fn cameras(desk: &Desk) -> BTreeMap<String, Value> {
    let of_case = |case| {
        let cameras = crate::suite::stage::cameras(desk, case).into_iter();
        cameras.map(move |(name, camera)| (format!("{case}/{name}"), camera))
    };
    CASES.into_iter().flat_map(of_case).collect()
}

type Pictures = BTreeMap<String, Vec<u8>>;

/// Pictures of each version (first index) from the views fitted to each version (second index), those views, and the
/// longest run time.
fn known(desk: &Desk) -> ([[Pictures; 2]; 2], [BTreeMap<String, Value>; 2], Duration) {
    let mut known: [[Pictures; 2]; 2] = Default::default();
    let mut views: [BTreeMap<String, Value>; 2] = Default::default();
    let mut longest = Duration::ZERO;
    for view in 0..2 {
        for version in [view, 1 - view] {
            desk.put("puppet.pchr", &versions()[version]);
            let how = if version == view { "--update=all" } else { "--update" };
            let start = Instant::now();
            ended(&test(desk, &[how]), 0, "");
            longest = longest.max(start.elapsed());
            known[version][view] = pictures(desk);
        }
        views[view] = cameras(desk);
    }
    (known, views, longest)
}

/// Number of temporary files among the baselines.
fn on_their_way(desk: &Desk) -> usize {
    desk.files("baselines").into_keys().filter(|name| name.contains(".pchr-")).count()
}

#[test]
fn every_baseline_is_old_or_new_and_belongs_to_its_camera_whenever_the_program_is_killed() {
    let desk = desk(&suite());
    let (known, views, mut longest) = known(&desk);
    assert_eq!(known[0][0].len(), 9);
    for (name, png) in &known[0][0] {
        assert!(known[1][1][name] != *png && known[1][0][name] != *png);
    }
    assert!(views[0].iter().all(|(name, camera)| views[1][name] != *camera));
    let view_of =
        |name: &str, camera: &Value| (0..2).find(|view| views[*view][name] == *camera).unwrap();

    let signals = [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP];
    let (mut cut, mut half) = (0, 0);
    for round in 0..ROUNDS {
        let version = round % 2;
        let all = round / 2 % 2 == 1;
        desk.put("puppet.pchr", &versions()[version]);
        let before = pictures(&desk);
        let before_views = cameras(&desk);
        let how = if all { "--update=all" } else { "--update" };
        let running = program(&desk, &["test", "suite.toml", how]);
        let (signal, temporary) = (signals[round / 4 % 4], on_their_way(&desk));
        let status = killed(running, round, longest, signal);
        // The exit status names the signal, and one that can be caught leaves no temporary file.
        let by = std::os::unix::process::ExitStatusExt::signal(&status);
        assert!(by.is_none_or(|by| by == signal.as_raw()), "{status}");
        assert!(signal == Signal::KILL || on_their_way(&desk) == temporary, "round {round}");
        if status.success() {
            longest = longest.mul_f64(0.98); // another run may have been slow
        } else {
            cut += 1;
        }

        let left = pictures(&desk);
        assert!(left.keys().eq(before.keys()), "round {round}");
        let mut renewed = 0;
        for (name, png) in &left {
            let view = if all { version } else { view_of(name, &before_views[name]) };
            let new = &known[version][view][name];
            assert!(*png == before[name] || png == new, "round {round}: {name} is neither");
            renewed += usize::from(png == new && *png != before[name]);
        }
        half += usize::from(renewed > 0 && renewed < left.len());
        for (name, camera) in cameras(&desk) {
            let view = view_of(&name, &camera);
            let either = known.iter().any(|pictures| pictures[view][&name] == left[&name]);
            assert!(either, "round {round}: {name} was not taken with the camera in its record");
        }

        ended(&test(&desk, &["--update"]), 0, "");
        let cameras = cameras(&desk);
        for (name, png) in &pictures(&desk) {
            let view = view_of(name, &cameras[name]);
            assert!(*png == known[version][view][name], "round {round}: {name} is not current");
        }
        if round % 10 == 0 {
            ended(&test(&desk, &[]), 0, "");
        }
    }
    println!("killed {cut} times, {half} times between the first and the last baseline");
    assert!(cut >= ROUNDS / 4 && half > 0, "killed {cut} times, {half} times halfway");
}
