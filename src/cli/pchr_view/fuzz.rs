//! Entries for fuzzing: texts that others may have written. No file is opened.

use clap::Parser;

use crate::character::Character;
use crate::document::Document;
use crate::pose::BindChoice;
use crate::view::args::CaptureArgs;
use crate::view::plan::Plan;
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
    let wishes = select::Wishes {
        hide: &args.hide,
        only: &args.only,
        show: &args.show,
        z_order: &args.z_order,
    };
    let character = Character::new(document, BindChoice::Auto);
    let Ok(bind) = select::bind(&character, args.bind.as_deref()) else {
        return;
    };
    let character = character.with_bind(bind);
    let _ = select::overlay(&character, &args.overlay, args.overlay_scale);
    if let Ok(view) = select::meshes(&character, wishes)
        && let Ok(plan) = Plan::new(&args, &character, &view, &|_| None)
    {
        for shot in plan.shots {
            assert!(shot.camera.zoom > 0.0 && shot.camera.zoom.is_finite());
        }
    }
}
