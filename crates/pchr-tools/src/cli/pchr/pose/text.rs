//! Poses as tables, for people.

use super::report::{PoseReport, columns};
use crate::cli::pchr::inspect::grid::Align::{Left, Right};
use crate::cli::pchr::inspect::grid::table;
use crate::cli::pchr::inspect::words;

/// A table for each moment.
pub(super) fn tables(report: &PoseReport<'_>) -> String {
    let mut out = format!("{}: {} space", report.file, report.space);
    if let Some(animation) = report.animation {
        out += &format!(", animation {animation}");
    }
    out.push('\n');
    let columns = columns(report);
    for pose in &report.poses {
        let title = match pose.frame {
            Some(frame) => format!("Frame {frame}, {} s", pose.time),
            None => format!("{} s", pose.time),
        };
        let header = [("#", Right), ("bone", Left)].into_iter();
        let header = header.chain(columns.iter().map(|column| (*column, Right)));
        let number = |number: f32| format!("{:.4}", number + 0.0); // no -0
        let root = pose.root.iter().map(|root| {
            let name = [String::new(), "(root)".into()].into_iter();
            name.chain(root.numbers().map(number)).collect()
        });
        let bones = report.bones.iter().zip(&pose.bones).enumerate();
        let bones = bones.map(|(index, (bone, pose))| {
            let name = [index.to_string(), words::name(&bone.name).into()].into_iter();
            name.chain(pose.numbers().into_iter().map(number)).collect()
        });
        table(
            &mut out,
            &title,
            header.collect(),
            root.chain(bones).collect(),
        );
    }
    out
}
