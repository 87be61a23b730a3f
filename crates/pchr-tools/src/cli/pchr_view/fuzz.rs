//! Entries for fuzzing: texts that others may have written. No file is opened.

use clap::Parser;

use pchr::character::Character;
use pchr::document::Document;
use pchr::pose::BindChoice;

use super::capture::CaptureArgs;
use crate::view::select;

pub use crate::suite::fuzz::{baseline, reports, suite};

#[derive(Parser)]
#[command(no_binary_name = true)]
struct Capture {
    #[command(flatten)]
    args: CaptureArgs,
}

/// Takes the options of `capture` that are typed, and plans the pictures of a document.
pub fn plan(typed: &[String], document: Document) {
    let Ok(Capture { args }) = Capture::try_parse_from(typed) else {
        return;
    };
    let character = Character::new(document, BindChoice::Auto);
    let Ok(bind) = select::bind(&character, &args.shown) else {
        return;
    };
    let character = character.with_bind(bind);
    let _ = select::overlay(&character, &args.shown);
    if let Ok(view) = select::meshes(&character, &args.shown)
        && let Ok(plan) = args.plan().run(&character, &view, &|_| None, None)
    {
        for shot in plan.shots {
            assert!(shot.camera.zoom() > 0.0 && shot.camera.zoom().is_finite());
        }
    }
}
