//! `pchr inspect` of a PXD file: an animation or a skeleton.

mod animation;
mod clip;
mod report;
mod skeleton;
mod text;

pub(in crate::cli::pchr) use report::schema;

use pchr_foreign::format::pxd::{Outline, PxdContent};

use self::report::{ContainerReport, Report, SectionReport};
use crate::cli::pchr::findings::Fold;
use crate::cli::pchr::inspect::InspectArgs;
use crate::cli::pchr::inspect::text::Detail;
use crate::cli::pchr::motion_input::PxdInput;
use crate::run::{Failure, output};

/// Reports the contents of a PXD file.
pub(in crate::cli::pchr::inspect) fn run(
    input: &PxdInput,
    args: &InspectArgs,
    detail: Detail,
) -> Result<(), Failure> {
    let folds = Fold::all(&input.warnings);
    let report = gather(input, &folds);
    if args.json {
        return output::write_json(&report);
    }
    let text = text::text(&report, &folds, detail);
    output::write_text(text.as_bytes()).map_err(anyhow::Error::from)?;
    Ok(())
}

fn gather<'a>(input: &'a PxdInput, folds: &'a [Fold]) -> Report<'a> {
    let kind = input.content.kind();
    let (animation, skeleton) = match &input.content {
        PxdContent::Animation(motion) => (Some(animation::report(motion)), None),
        PxdContent::Skeleton(skeleton) => (None, Some(skeleton::report(skeleton))),
    };
    Report {
        program_version: crate::version(),
        file: &input.name,
        format: kind.id(),
        format_name: kind.name(),
        size: input.size,
        container: ContainerReport {
            version: &input.outline.version,
            pointers: input.outline.pointers,
        },
        sections: sections(&input.outline),
        findings: folds.iter().map(Into::into).collect(),
        animation,
        skeleton,
    }
}

fn sections(outline: &Outline) -> Vec<SectionReport> {
    let all = [
        ("header", &outline.header),
        ("payload", &outline.payload),
        ("strings", &outline.strings),
        ("offsetTable", &outline.offset_table),
        ("trailing", &outline.trailing),
    ];
    let there = all.into_iter().filter(|(_, bytes)| !bytes.is_empty());
    there
        .map(|(name, bytes)| SectionReport {
            name,
            bytes: bytes.clone().into(),
        })
        .collect()
}
