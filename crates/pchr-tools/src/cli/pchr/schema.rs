//! `pchr schema`: the JSON Schemas of inputs and outputs.

use clap::{Args, ValueEnum};
use schemars::Schema;
use schemars::transform::{RecursiveTransform, Transform as _};
use serde_json::Value;

use super::inspect::{
    AtlasInspection, CharacterInspection, GltfInspection, MotionInspection, PxdInspection,
};
use super::pose::PoseReport;
use super::report::WrittenReport;
use super::validate::FileReport;
use crate::changes::DiffReport;
use crate::cli::pchr_view::{CaptureReport, CompareReport, DoctorReport};
use crate::run::Failure;
use crate::run::output::{self, schema};
use crate::suite;

/// Arguments of `schema`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr schema > pchr.schema.json
  pchr schema pachario > pachario.schema.json
  pchr schema validate | head -n 3

The schemas follow draft 2020-12.")]
pub(super) struct SchemaArgs {
    /// The file or output that the schema describes
    #[arg(value_enum, value_name = "NAME", default_value_t)]
    name: SchemaName,
}

/// A file format or output with a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SchemaName {
    /// PCHR JSON, the mirror of the binary format: pchr pack reads it, pchr unpack writes it
    #[default]
    Pchr,
    /// Pachario JSON, as the Blender add-on exports it
    Pachario,
    /// The JSON mirror of SEAnim, a 3D motion: pchr convert reads and writes it
    Seanim,
    /// Output of pchr inspect --json
    Inspect,
    /// Output of pchr inspect --json for an atlas
    InspectAtlas,
    /// Output of pchr inspect --json for a 3D motion
    InspectMotion,
    /// Output of pchr inspect --json for a PXD file, an animation or a skeleton
    InspectPxd,
    /// Output of pchr inspect --json for a glTF file
    InspectGltf,
    /// Output of pchr validate --json
    Validate,
    /// Output of pchr pose --json
    Pose,
    /// Output of pchr diff --json
    Diff,
    /// Output of pchr pack, unpack and convert --json
    Convert,
    /// Output of pchr-view capture --json
    Capture,
    /// Output of pchr-view compare --json
    Compare,
    /// Output of pchr-view doctor --json
    Doctor,
    /// A suite of captures in TOML, the input of pchr-view test
    Suite,
    /// A session in TOML, a view that was saved in the window: the input of pchr-view and pchr-view capture
    Session,
    /// report.json of pchr-view test, and its --json output
    Report,
    /// baseline.json beside the baselines of a case
    Baseline,
    /// Output of pchr-view bench --json
    Bench,
}

/// The dialects are file formats: their schemas are written by hand, and published as they are.
const PCHR: &str = include_str!("../../../schemas/pchr.schema.json");
const PACHARIO: &str = include_str!("../../../schemas/pachario.schema.json");
const SEANIM: &str = include_str!("../../../schemas/seanim.schema.json");

pub(super) fn run(args: &SchemaArgs) -> Result<(), Failure> {
    let (title, schema) = match args.name {
        SchemaName::Pchr => return print(PCHR),
        SchemaName::Pachario => return print(PACHARIO),
        SchemaName::Seanim => return print(SEANIM),
        SchemaName::Inspect => ("pchr inspect --json", schema::<CharacterInspection>()),
        SchemaName::InspectAtlas => {
            ("pchr inspect --json for an atlas", schema::<AtlasInspection>())
        }
        SchemaName::InspectMotion => {
            ("pchr inspect --json for a 3D motion", schema::<MotionInspection>())
        }
        SchemaName::InspectGltf => {
            ("pchr inspect --json for a glTF file", schema::<GltfInspection>())
        }
        SchemaName::InspectPxd => ("pchr inspect --json for a PXD file", schema::<PxdInspection>()),
        SchemaName::Validate => ("pchr validate --json", schema::<Vec<FileReport>>()),
        SchemaName::Pose => ("pchr pose --json", schema::<PoseReport>()),
        SchemaName::Diff => ("pchr diff --json", schema::<DiffReport>()),
        SchemaName::Convert => ("pchr pack, unpack and convert --json", schema::<WrittenReport>()),
        SchemaName::Capture => ("pchr-view capture --json", schema::<CaptureReport>()),
        SchemaName::Compare => ("pchr-view compare --json", schema::<CompareReport>()),
        SchemaName::Doctor => ("pchr-view doctor --json", schema::<DoctorReport>()),
        SchemaName::Suite => ("pchr-view suite", suite::suite_schema()),
        SchemaName::Session => ("pchr-view session", crate::session::schema()),
        SchemaName::Report => ("pchr-view report", suite::report_schema()),
        SchemaName::Bench => ("pchr-view bench --json", crate::bench::schema()),
        SchemaName::Baseline => ("pchr-view baseline", suite::baseline_schema()),
    };
    print(&made(title, schema)?)
}

fn print(text: &str) -> Result<(), Failure> {
    output::write_stdout(text.as_bytes()).map_err(|error| Failure::Running(error.into()))
}

/// A schema generated from the code, as text. Its descriptions are doc comments, broken into lines like the code.
fn made(title: &str, mut schema: Schema) -> Result<String, Failure> {
    RecursiveTransform(unwrap_description).transform(&mut schema);
    schema.insert("title".to_owned(), title.into());
    if schema.get("description").is_none() {
        schema.insert("description".to_owned(), format!("Output of {title}.").into());
    }
    let mut text = serde_json::to_string_pretty(&schema).map_err(anyhow::Error::from)?;
    text.push('\n');
    Ok(text)
}

fn unwrap_description(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
}
