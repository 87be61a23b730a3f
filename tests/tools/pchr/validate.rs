//! Tests of `pchr validate`: verdicts, exit codes, folding, filters, and text output.

#[path = "validate/corpus.rs"]
mod corpus;
#[path = "validate/hostile.rs"]
mod hostile;
#[path = "validate/rules.rs"]
mod rules;
#[path = "validate/sarif.rs"]
mod sarif;

use std::process::Output;

use serde_json::Value;

use crate::desk::{Desk, said};
use crate::fixture::{Builder, puppet};

/// Creates a folder with a sound file, one with 12 warnings of one kind and one of another, and one with 2 errors and a warning.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("odd.pchr", &odd());
    desk.put("broken.pchr", &broken());
    desk
}

pub(crate) fn odd() -> Builder {
    let mut odd = puppet();
    odd.parts.fps = 0;
    let vertices = odd.parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.vertices);
    vertices.for_each(|vertex| vertex.bone_weights[0] = 0.5);
    odd
}

pub(crate) fn broken() -> Builder {
    let mut broken = puppet();
    broken.parts.flags = 1;
    broken.parts.bones[1].parent = Some(2);
    broken.parts.meshes[0].indices[5] = 7;
    broken
}

fn validate(desk: &Desk, args: &[&str]) -> Output {
    desk.run_pchr(&[&["validate"], args].concat())
}

/// Array that `--json` prints.
fn report(output: &Output) -> Vec<Value> {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", said(output)))
}
