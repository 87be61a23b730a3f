//! Poses as `pchr pose` prints them: JSON, comma-separated values, and tables for people.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::pchr::inspect::page;
use crate::cli::pchr::inspect::page::Table;
use crate::run::Failure;

/// Poses of a skeleton.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PoseReport<'a> {
    /// The file.
    pub(super) file: &'a str,
    /// The animation of a character.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) animation: Option<&'a str>,
    /// Space of the transforms: local, world or skin.
    pub(super) space: &'static str,
    /// Frames per second.
    pub(super) rate: f32,
    /// The bones, in the order of the skeleton.
    pub(super) bones: Vec<BoneName<'a>>,
    /// Names of tracks that move no bone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unmatched: Vec<Cow<'a, str>>,
    /// The poses, in the requested order.
    pub(super) poses: Vec<PoseAt>,
}

/// A bone.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BoneName<'a> {
    /// Its name; may be empty.
    pub(super) name: Cow<'a, str>,
    /// Index of its parent; null for a root.
    pub(super) parent: Option<u32>,
}

/// The pose at a moment.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PoseAt {
    /// The moment in seconds.
    pub(super) time: f32,
    /// The frame; null if a time was requested.
    pub(super) frame: Option<u32>,
    /// Movement of the whole model, if a motion has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) root: Option<Parts>,
    /// Transform of each bone.
    pub(super) bones: Vec<BonePose>,
}

/// Transform of a bone.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum BonePose {
    /// In the plane: a, b, c, d, tx, ty.
    Plane {
        /// a, b, c, d, tx, ty: x' = a x + c y + tx, y' = b x + d y + ty.
        #[schemars(with = "[Option<f32>; 6]")]
        matrix: [f32; 6],
    },
    /// In space.
    Space(Parts),
}

/// A transform in space; numbers that are not finite are null.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Parts {
    /// Translation x, y, z.
    #[schemars(with = "[Option<f32>; 3]")]
    pub(super) translation: [f32; 3],
    /// Rotation as a quaternion x, y, z, w.
    #[schemars(with = "[Option<f32>; 4]")]
    pub(super) rotation: [f32; 4],
    /// Scale x, y, z.
    #[schemars(with = "[Option<f32>; 3]")]
    pub(super) scale: [f32; 3],
    /// With --space skin: the whole matrix, 4 columns of 4 numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) matrix: Option<[f32; 16]>,
}

impl BonePose {
    /// The numbers of a line: a matrix in the plane, or translation, rotation and scale.
    pub(super) fn numbers(&self) -> Vec<f32> {
        match self {
            Self::Plane { matrix } => matrix.to_vec(),
            Self::Space(parts) => parts.numbers().collect(),
        }
    }
}

impl Parts {
    pub(super) fn numbers(&self) -> impl Iterator<Item = f32> + use<> {
        let numbers = self.translation.into_iter().chain(self.rotation);
        numbers.chain(self.scale)
    }
}

/// Names of the numbers of a line.
pub(super) fn columns(report: &PoseReport<'_>) -> &'static [&'static str] {
    let first = report.poses.iter().find_map(|pose| pose.bones.first());
    match first {
        Some(BonePose::Plane { .. }) => &["a", "b", "c", "d", "tx", "ty"],
        _ => &["tx", "ty", "tz", "qx", "qy", "qz", "qw", "sx", "sy", "sz"],
    }
}

/// A line for each bone and moment, and one for each root motion, which has no bone index.
pub(super) fn lines(report: &PoseReport<'_>) -> Result<Vec<u8>, Failure> {
    let mut lines = csv::Writer::from_writer(Vec::new());
    let head = ["time", "frame", "bone", "name"].into_iter();
    let mut write = |record: Vec<String>| lines.write_record(record);
    let written = (|| {
        write(head.chain(columns(report).iter().copied()).map(Into::into).collect())?;
        for pose in &report.poses {
            let frame = pose.frame.map_or(String::new(), |frame| frame.to_string());
            let moment = [pose.time.to_string(), frame];
            if let Some(root) = &pose.root {
                let start = moment.clone().into_iter().chain([String::new(), "root".into()]);
                write(start.chain(root.numbers().map(|number| number.to_string())).collect())?;
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
    Ok(lines.into_inner().map_err(|error| anyhow::anyhow!("{error}"))?)
}

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
            (index.to_string(), page::name(&bone.name), pose.numbers())
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
