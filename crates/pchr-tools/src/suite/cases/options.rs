//! The options of a case: those of `capture`, by their long names, and ignored parts of its pictures.
//!
//! They are parsed as on the command line. Each value is passed to it as typed, and its errors are reported to the suite's author. The
//! schema of suites is made of them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use clap::{Arg, Args, Command};
use schemars::Schema;
use serde_json::{Map, Value, json};
use toml::de::DeValue;

use pchr::bytes::Budget;
use pchr::compare::{Ignored, Region};
use pchr::image::{DEFAULT_BUDGET, decode_straight};

use super::patterns::is_unread;
use crate::files::{Kind, Reading};
use crate::run::Disk;
use crate::run::disk::Role;
use crate::run::input::InputArgs;
use crate::text::words::closest;
use crate::view::option_rules::{self, form, merged, over_session};
use crate::view::settings::{Misread, Setting, Settings};
use crate::view::{RendererArgs, Shown};

/// Options that a suite may not set, and the reasons.
const REFUSED: [(&str, &str); 3] = [
    ("output", "pictures go beside the suite, into baselines"),
    ("json", "it belongs on the command line"),
    ("jobs", "it belongs on the command line"),
];

/// Returns the schemas of the keys beside the options of `capture`: of those of `[adapter."NAME"]`, cases and their defaults; of cases and
/// their defaults; of cases; and of defaults.
fn keys() -> [Map<String, Value>; 4] {
    let keys = [
        json!({
            "tolerance": {
                "type": "integer", "minimum": 0, "maximum": 255,
                "description": "Largest allowed difference of a channel, for pictures of adapters.",
            },
            "max_outliers": {
                "type": ["integer", "string"],
                "description": "How many pixels may differ by more than the tolerance: a number, or a percentage like \"0.1%\".",
            },
        }),
        json!({
            "exact": {
                "type": "boolean",
                "description": "True if pictures must be equal, ignoring tolerances [default: true for the CPU renderer].",
            },
            "ignore": {
                "type": ["string", "array"], "items": {"type": "string"},
                "description": "Rectangles that are not compared: X,Y,WxH in pixels from the left and the top.",
            },
            "mask": {
                "type": "string",
                "description": "A PNG file of the pictures' size: pixels that are neither black nor transparent in it are not compared.",
            },
        }),
        json!({
            "name": {
                "type": "string",
                "description": "Name of the case, and the folder of its baselines in baselines/.",
            },
            "file": {
                "type": "string",
                "description": "The file, or a pattern that makes one case per file. $NAME is read from the environment.",
            },
            "session": {
                "type": "string",
                "description": "A view that was saved in the window: its file and its options. Other keys override them.",
            },
        }),
        json!({
            "baselines": {
                "type": "string", "minLength": 1,
                "description": "Folder of the baselines, relative to the suite [default: baselines]. Suites may share one.",
            },
        }),
    ];
    keys.map(|keys| keys.as_object().cloned().unwrap_or_default())
}

/// Options for the whole suite, which uses one device.
pub(crate) const OF_DEVICE: [&str; 2] = ["backend", "adapter"];

/// Meaning of the options.
#[derive(Debug, Args)]
pub(crate) struct Parsed {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) shown: Shown,
    #[command(flatten)]
    pub(crate) by: RendererArgs,
}

/// Their grammar.
static GRAMMAR: LazyLock<Command> = LazyLock::new(option_rules::grammar::<Parsed>);

/// Pairs of options; a table may set only one of each. In a case, one of them replaces the other one of the defaults.
pub(crate) fn either() -> impl Iterator<Item = [&'static str; 2]> {
    option_rules::either(&GRAMMAR)
}

/// Options with their values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) settings: Settings,
    /// Lines of the suite that set them.
    lines: BTreeMap<String, usize>,
}

impl Options {
    /// Sets an option to the value in a line of the suite.
    pub(crate) fn set(
        &mut self,
        key: &str,
        value: &DeValue<'_>,
        line: usize,
    ) -> Result<(), String> {
        if let Some((_, why)) = REFUSED.iter().find(|(name, _)| *name == key) {
            return Err(format!("{key} cannot be set in a suite: {why}"));
        }
        let mut options = GRAMMAR.get_arguments();
        let Some(option) = options.find(|option| option.get_long() == Some(key)) else {
            return Err(unknown(key));
        };
        let setting =
            Setting::read(value, form(option)).map_err(|text| format!("{key}: {text}"))?;
        if key == "renderer"
            && !matches!(&setting, Setting::One(text) if matches!(text.as_str(), "cpu" | "gpu"))
        {
            return Err("renderer: expected \"cpu\" or \"gpu\"".into());
        }
        let mut alone = Self::default();
        alone.settings.put(key, setting.clone());
        alone.parse()?;
        self.settings.put(key, setting);
        self.lines.insert(key.to_owned(), line);
        Ok(())
    }

    /// Returns the options of a case: those in `over` take precedence.
    pub(crate) fn under(&self, over: &Self) -> Self {
        let mut lines = self.lines.clone();
        lines.extend(over.lines.clone());
        Self { settings: merged(&self.settings, &over.settings, &GRAMMAR), lines }
    }

    /// Returns the options of a case that shows a session with these: those in `over` take precedence.
    pub(crate) fn over_session(&self, over: &Self) -> Self {
        Self {
            settings: over_session(&self.settings, &over.settings, &GRAMMAR),
            ..self.under(over)
        }
    }

    /// Returns options that a line of the suite sets together.
    pub(crate) fn of(settings: Settings, line: usize) -> Self {
        let names = settings.names().map(|name| (name.to_owned(), line));
        Self { lines: names.collect(), settings }
    }

    /// Sets an option that the suite leaves open, or the command line overrides.
    pub(crate) fn put(&mut self, key: &str, value: &str) {
        self.settings.put(key, Setting::One(value.to_owned()));
    }

    /// Returns the value of an option with one value.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        match self.settings.get(key)? {
            Setting::One(text) => Some(text),
            Setting::Switch(_) | Setting::Several(_) => None,
        }
    }

    /// Returns the line of the suite that sets an option.
    pub(crate) fn line(&self, key: &str) -> Option<usize> {
        self.lines.get(key).copied()
    }

    pub(crate) fn parse(&self) -> Result<Parsed, String> {
        self.settings.parse(&GRAMMAR).map_err(|Misread { option, why }| format!("{option}: {why}"))
    }
}

/// Returns the message about an unknown key.
fn unknown(key: &str) -> String {
    let own = keys();
    let options = GRAMMAR.get_arguments().filter_map(Arg::get_long);
    let mut own: Vec<&str> = own.iter().flat_map(Map::keys).map(String::as_str).collect();
    own.sort_unstable();
    let near = closest(key, options.chain(own));
    format!("unknown key {key:?}{near} (pchr schema suite lists all keys)")
}

/// Returns the name and the schema of each option.
fn schemas_of_options() -> impl Iterator<Item = (String, Value)> {
    GRAMMAR.get_arguments().filter_map(|option| {
        let name = option.get_long()?;
        let mut schema = option_rules::schema(option);
        if name == "renderer" {
            schema.remove("type");
            schema.insert("enum".to_owned(), json!(["cpu", "gpu"]));
        }
        Some((name.to_owned(), Value::Object(schema)))
    })
}

/// Returns the schema of a table. In a suite, `_` and `-` in a key are the same.
fn table(keys: impl Iterator<Item = (String, Value)>) -> Map<String, Value> {
    let spelled = keys.flat_map(|(name, schema)| {
        let other =
            if name.contains('_') { name.replace('_', "-") } else { name.replace('-', "_") };
        [(name, schema.clone()), (other, schema)]
    });
    let mut table = Map::new();
    table.insert("type".to_owned(), "object".into());
    table.insert("properties".to_owned(), Value::Object(spelled.collect()));
    table.insert("additionalProperties".to_owned(), false.into());
    table
}

/// Returns the schema of `suite.toml`, as of the JSON with the same content.
pub(crate) fn suite_schema() -> Schema {
    let [limits, common, case, defaults] = keys();
    let shared = || limits.clone().into_iter().chain(common.clone());
    let of_cases = schemas_of_options().filter(|(name, _)| !OF_DEVICE.contains(&name.as_str()));
    let mut case = table(shared().chain(case).chain(of_cases));
    let either = json!([{"required": ["file"]}, {"required": ["session"]}]);
    case.insert("anyOf".to_owned(), either);
    let mut defaults = table(shared().chain(defaults).chain(schemas_of_options()));
    let about = "Defaults for every case: options of captures, by their long names.";
    defaults.insert("description".to_owned(), about.into());
    schemars::json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": "A suite of captures to compare with baselines: the input of pchr-view test.",
        "type": "object",
        "properties": {
            "defaults": defaults,
            "case": {
                "description": "The cases: frames of one file, or of each file that a pattern matches.",
                "type": "array", "items": case, "minItems": 1,
            },
            "adapter": {
                "description": "Limits for baselines of another class of adapter, by a part of the adapter's name.",
                "type": "object",
                "additionalProperties": table(limits.clone().into_iter()),
            },
        },
        "required": ["case"],
        "additionalProperties": false,
    })
}

/// Settings from the suite; `None` where it has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ignore {
    /// `ignore`: rectangles, and the line.
    regions: Option<(Vec<Region>, usize)>,
    /// `mask`: the path of a picture from the suite's folder, and the line. Empty for none.
    mask: Option<(String, usize)>,
}

impl Ignore {
    /// Sets `ignore` or `mask`; `None` for any other key.
    pub(crate) fn set(
        &mut self,
        key: &str,
        value: &DeValue<'_>,
        line: usize,
    ) -> Option<Result<(), String>> {
        match key {
            "ignore" => Some(regions(value).map(|regions| self.regions = Some((regions, line)))),
            "mask" => Some(match value {
                DeValue::String(path) => {
                    self.mask = Some((path.to_string(), line));
                    Ok(())
                }
                _ => Err("expected the path of a PNG file".to_owned()),
            }),
            _ => None,
        }
    }

    /// Returns these settings, with missing ones from `others`.
    pub(crate) fn or(&self, others: &Self) -> Self {
        Self {
            regions: self.regions.as_ref().or(others.regions.as_ref()).cloned(),
            mask: self.mask.as_ref().or(others.mask.as_ref()).cloned(),
        }
    }
}

/// Parses a rectangle or a list of them.
fn regions(value: &DeValue<'_>) -> Result<Vec<Region>, String> {
    let region = |value: &DeValue<'_>| match value {
        DeValue::String(text) => text.parse::<Region>().map_err(|error| error.to_string()),
        _ => Err("expected a list of rectangles, like [\"0,240,64x16\"]".to_owned()),
    };
    match value {
        DeValue::Array(list) => list.iter().map(|one| region(one.get_ref())).collect(),
        one => Ok(vec![region(one)?]),
    }
}

/// Reason why pixels cannot be ignored, with its line in the suite.
#[derive(Debug)]
pub(crate) enum Unusable {
    /// The rectangles do not fit.
    Regions(usize, String),
    /// The mask does not fit, is missing or is not a picture; or, if true, it could not be read, and may exist.
    Mask(usize, String, bool),
}

/// Inputs that decide which pixels are ignored: rectangles, mask and size.
type IgnoreKey = (Vec<Region>, String, [u32; 2]);

/// Ignored pixels, computed once for all cases with the same settings.
#[derive(Debug, Default)]
pub(crate) struct IgnoreCache(BTreeMap<IgnoreKey, Option<Arc<Ignored>>>);

impl IgnoreCache {
    /// Returns the ignored pixels of pictures of a size; `None` if all are compared. Masks are in `folder`.
    pub(crate) fn get(
        &mut self,
        ignore: &Ignore,
        size: [u32; 2],
        folder: &Path,
        disk: &Disk,
    ) -> Result<Option<Arc<Ignored>>, Unusable> {
        let (regions, of_regions) = ignore.regions.clone().unwrap_or_default();
        let (path, of_mask) = ignore.mask.clone().unwrap_or_default();
        let key = (regions, path, size);
        if let Some(known) = self.0.get(&key) {
            return Ok(known.clone());
        }
        let (regions, path, _) = &key;
        let cannot = |why: &dyn std::fmt::Display| format!("mask: cannot read {path}: {why}");
        let mask = || {
            let place = folder.join(path);
            let png = disk.read(Reading::of(&place, Kind::Picture), Role::Input);
            let png =
                png.map_err(|error| Unusable::Mask(of_mask, cannot(&error), is_unread(&error)))?;
            let mask = decode_straight(&png, &Budget::new(DEFAULT_BUDGET));
            mask.map_err(|error| Unusable::Mask(of_mask, cannot(&error), false))
        };
        let mask = match path.as_str() {
            "" => None,
            _ => Some(mask()?),
        };
        let rectangles = Ignored::new(size, regions, None);
        rectangles.map_err(|error| Unusable::Regions(of_regions, format!("ignore: {error}")))?;
        let ignored = Ignored::new(size, regions, mask.as_ref());
        let ignored =
            ignored.map_err(|error| Unusable::Mask(of_mask, format!("mask: {error}"), false))?;
        let ignored = ignored.map(Arc::new);
        self.0.insert(key, ignored.clone());
        Ok(ignored)
    }
}
