//! Poses as tables, for people.

use super::report::{PoseReport, columns};
use crate::cli::pchr::inspect::page::Table;
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
        let number = |number: f32| format!("{:.4}", number + 0.0); // no -0
        let root = pose.root.iter();
        let root = root.map(|root| (String::new(), "(root)".into(), root.numbers().collect()));
        let bones = report.bones.iter().zip(&pose.bones).enumerate();
        let bones = bones.map(|(index, (bone, pose))| {
            (index.to_string(), words::name(&bone.name), pose.numbers())
        });
        let rows: Vec<_> = root.chain(bones).collect();
        let mut table = Table::new(&title, &rows)
            .right("#", |(index, ..)| index)
            .left("bone", |(_, name, _)| name);
        for (at, column) in columns.iter().enumerate() {
            table = table.right(column, move |(.., numbers)| {
                let it = numbers.get(at).copied();
                it.map(number).unwrap_or_default()
            });
        }
        out += &table.text(usize::MAX);
    }
    out
}
