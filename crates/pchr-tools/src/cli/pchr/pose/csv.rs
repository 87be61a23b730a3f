//! Poses as comma-separated values.

use super::report::{PoseReport, columns};
use crate::run::Failure;

/// A line for each bone and moment, and one for each root motion, which has no bone index.
pub(super) fn lines(report: &PoseReport<'_>) -> Result<Vec<u8>, Failure> {
    let mut lines = csv::Writer::from_writer(Vec::new());
    let head = ["time", "frame", "bone", "name"].into_iter();
    let mut write = |record: Vec<String>| lines.write_record(record);
    let written = (|| {
        write(
            head.chain(columns(report).iter().copied())
                .map(Into::into)
                .collect(),
        )?;
        for pose in &report.poses {
            let frame = pose.frame.map_or(String::new(), |frame| frame.to_string());
            let moment = [pose.time.to_string(), frame];
            if let Some(root) = &pose.root {
                let start = moment
                    .clone()
                    .into_iter()
                    .chain([String::new(), "root".into()]);
                write(
                    start
                        .chain(root.numbers().map(|number| number.to_string()))
                        .collect(),
                )?;
            }
            for (index, (bone, pose)) in report.bones.iter().zip(&pose.bones).enumerate() {
                let name = [index.to_string(), bone.name.to_string()];
                let start = moment.clone().into_iter().chain(name);
                let numbers = pose.numbers().into_iter().map(|number| number.to_string());
                write(start.chain(numbers).collect())?;
            }
        }
        Ok::<_, csv::Error>(())
    })();
    written.map_err(anyhow::Error::from)?;
    Ok(lines
        .into_inner()
        .map_err(|error| anyhow::anyhow!("{error}"))?)
}
