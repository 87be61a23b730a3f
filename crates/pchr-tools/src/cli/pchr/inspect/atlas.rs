//! `pchr inspect` of an atlas.

mod gather;
mod report;
mod text;

pub(in crate::cli::pchr) use report::schema;

use pchr::document::Images;
use pchr::finding::{Findings, Severity};
use pchr::image::{check_png, decode_all};
use pchr::scene::Subject as _;

use crate::cli::pchr::atlas::AtlasFile;
use crate::cli::pchr::findings::Fold;
use crate::run::{Disk, Failure, output};

use super::InspectArgs;
use super::text::Detail;

/// Reports the contents of an atlas, and faults of its page images.
pub(super) fn run(
    file: &AtlasFile,
    args: &InspectArgs,
    detail: Detail,
    disk: &Disk,
) -> Result<(), Failure> {
    let sheet = file.sheet(disk);
    let images: &dyn Images = &sheet;
    let mut later = Findings::default();
    if args.images {
        let _ = decode_all(images, &mut later);
    } else {
        let ids = images.image_ids();
        ids.for_each(|id| check_png(images, id, &mut later));
    }
    let mut findings = sheet.warnings().clone();
    findings.extend(later);
    let folds = Fold::all(&findings);
    let report = gather::gather(file, images, &folds)?;
    if args.json {
        output::write_json(&report)?;
    } else {
        let text = text::text(&report, &folds, detail);
        output::write_text(text.as_bytes()).map_err(anyhow::Error::from)?;
    }
    if findings.total(Severity::Error) > 0 {
        return Err(Failure::Invalid {
            file: report.file.to_owned(),
            findings,
        });
    }
    Ok(())
}
