//! `pchr schema`: the JSON Schemas of inputs and outputs.

use clap::{Args, ValueEnum};
use schemars::Schema;
use schemars::transform::{RecursiveTransform, Transform as _};
use serde_json::Value;

use crate::run::{Failure, output};

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
    name: Name,
}

/// A file format or output with a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Name {
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
}

/// The dialects are file formats: their schemas are written by hand, and published as they are.
const PCHR: &str = include_str!("../../../schemas/pchr.schema.json");
const PACHARIO: &str = include_str!("../../../schemas/pachario.schema.json");
const SEANIM: &str = include_str!("../../../schemas/seanim.schema.json");

/// Prints the schema.
pub(super) fn run(args: &SchemaArgs) -> Result<(), Failure> {
    let text = match args.name {
        Name::Pchr => PCHR.to_owned(),
        Name::Pachario => PACHARIO.to_owned(),
        Name::Seanim => SEANIM.to_owned(),
        Name::Inspect => made("pchr inspect --json", super::inspect::schema())?,
        Name::InspectAtlas => made(
            "pchr inspect --json for an atlas",
            super::inspect::atlas_schema(),
        )?,
        Name::InspectMotion => made(
            "pchr inspect --json for a 3D motion",
            super::inspect::motion_schema(),
        )?,
        Name::InspectGltf => made(
            "pchr inspect --json for a glTF file",
            super::inspect::gltf_schema(),
        )?,
        Name::InspectPxd => made(
            "pchr inspect --json for a PXD file",
            super::inspect::pxd_schema(),
        )?,
        Name::Validate => made("pchr validate --json", super::validate::schema())?,
        Name::Pose => made("pchr pose --json", super::pose::schema())?,
        Name::Convert => made(
            "pchr pack, unpack and convert --json",
            super::report::schema(),
        )?,
        Name::Capture => made(
            "pchr-view capture --json",
            crate::cli::pchr_view::capture_schema(),
        )?,
        Name::Compare => made(
            "pchr-view compare --json",
            crate::cli::pchr_view::compare_schema(),
        )?,
        Name::Doctor => made(
            "pchr-view doctor --json",
            crate::cli::pchr_view::doctor_schema(),
        )?,
        Name::Suite => made("pchr-view suite", crate::suite::suite_schema())?,
        Name::Session => made("pchr-view session", crate::session::schema())?,
        Name::Report => made("pchr-view report", crate::suite::report_schema())?,
        Name::Baseline => made("pchr-view baseline", crate::suite::baseline_schema())?,
    };
    output::write_stdout(text.as_bytes()).map_err(|error| Failure::Running(error.into()))
}

/// A schema generated from the code, as text. Its descriptions are doc comments, broken into lines like the code.
fn made(title: &str, mut schema: Schema) -> Result<String, Failure> {
    RecursiveTransform(unwrap_description).transform(&mut schema);
    schema.insert("title".to_owned(), title.into());
    if schema.get("description").is_none() {
        schema.insert(
            "description".to_owned(),
            format!("Output of {title}.").into(),
        );
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
