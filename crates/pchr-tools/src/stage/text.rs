//! The tables `[[character]]` of a session: reading, writing and their schema.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use serde_json::{Value, json};
use toml::de::{DeTable, DeValue};

use super::layout::{Layout, Member, WHITE};
use crate::capture::rgb;
use crate::text::nearest;

/// Smallest and largest scale.
pub const SCALES: RangeInclusive<f64> = 0.001..=1000.0;
/// Smallest and largest coordinate of a place, in pixels.
pub const PLACES: RangeInclusive<f64> = -1_000_000.0..=1_000_000.0;

/// Name of the tables.
pub(crate) const CHARACTER: &str = "character";

/// Keys of a table, their forms as schemas, and their meanings.
const KEYS: [(&str, &str, &str); 13] = [
    ("file", r#"{"type": "string", "minLength": 1}"#, "The file, relative to the session"),
    (
        "name",
        r#"{"type": "string", "minLength": 1}"#,
        "Name before those of its meshes and bones [default: the file's]",
    ),
    (
        "at",
        r#"{"type": "array", "items": {"type": "number", "minimum": -1000000, "maximum": 1000000}, "minItems": 2, "maxItems": 2}"#,
        "Place of the origin, in pixels, Y up [default: 0, 0]",
    ),
    ("turn", r#"{"type": "number"}"#, "Turn about the origin in degrees, counter-clockwise"),
    ("scale", r#"{"type": "number", "minimum": 0.001, "maximum": 1000}"#, "Scale [default: 1]"),
    ("mirror", r#"{"type": "boolean"}"#, "Flip horizontally, before the turn"),
    (
        "animation",
        r#"{"type": ["string", "integer"]}"#,
        "Animation in the group play, by name or index",
    ),
    ("start", r#"{"type": "number"}"#, "Seconds into the animation at the start"),
    ("speed", r#"{"type": "number", "minimum": 0}"#, "Speed of the animation [default: 1]"),
    (
        "tint",
        r##"{"type": "string", "pattern": "^#[0-9A-Fa-f]{6}$"}"##,
        "Colour that the images are multiplied by, like #ffccaa",
    ),
    (
        "play",
        r#"{"type": "array", "items": {"type": ["string", "integer"]}}"#,
        "Animations that are played one after another in the play list",
    ),
    (
        "fade",
        r#"{"type": "number", "minimum": 0}"#,
        "Seconds in which an animation of the play list fades to the next",
    ),
    (
        "own-images",
        r#"{"type": "boolean"}"#,
        "Do not share images with characters of the same file and tint, so that they can be replaced for this one alone",
    ),
];

/// Reads the tables. `line` returns the line of a place in the text; paths are relative to `folder`. Faults are added with their
/// lines.
pub(crate) fn read(
    tables: &DeValue<'_>,
    at: usize,
    line: &dyn Fn(usize) -> usize,
    folder: &Path,
    faults: &mut Vec<(usize, String)>,
) -> Layout {
    let mut layout = Layout::default();
    let tables = match tables {
        DeValue::Array(tables) => {
            tables.iter().map(|it| (it.span().start, it.get_ref())).collect::<Vec<_>>()
        }
        other => vec![(at, other)],
    };
    if tables.is_empty() {
        faults.push((line(at), "character: expected at least one table: [[character]]".to_owned()));
    }
    for (at, table) in tables {
        match table {
            DeValue::Table(table) => {
                let member = member(table, line(at), line, folder, faults);
                let is_taken = |other: &Member| other.name.is_some() && other.name == member.name;
                if layout.members.iter().any(is_taken) {
                    let name = member.name.as_deref().unwrap_or_default();
                    faults.push((
                        line(at),
                        format!("name: {name:?} is the name of another character"),
                    ));
                }
                layout.members.push(member);
            }
            _ => faults.push((line(at), "character: expected tables: [[character]]".to_owned())),
        }
    }
    layout
}

/// Returns the place of a key in the table of a character, by index; else that of the table.
pub(crate) fn place_of(text: &str, member: usize, key: &str) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    let DeValue::Array(tables) = table.get_ref().get(CHARACTER)?.get_ref() else {
        return None;
    };
    let table = tables.get(member)?;
    let DeValue::Table(keys) = table.get_ref() else {
        return None;
    };
    let key = keys.iter().find(|(own, _)| own.get_ref() == key);
    Some(key.map_or(table.span(), |(key, _)| key.span()).start)
}

fn member(
    table: &DeTable<'_>,
    at: usize,
    line: &dyn Fn(usize) -> usize,
    folder: &Path,
    faults: &mut Vec<(usize, String)>,
) -> Member {
    let mut member = Member::new(Path::new("").into());
    for (key, value) in table {
        let (line, value) = (line(key.span().start), value.get_ref());
        let key = key.get_ref().as_ref();
        if let Err(why) = set(&mut member, key, value, folder) {
            faults.push((line, format!("{key}: {why}")));
        }
    }
    if !table.iter().any(|(key, _)| key.get_ref() == "file") {
        faults.push((at, "character: no file is named: expected file = \"hero.pchr\"".to_owned()));
    }
    member
}

fn set(member: &mut Member, key: &str, value: &DeValue<'_>, folder: &Path) -> Result<(), String> {
    let text = || value.as_str().filter(|text| !text.is_empty());
    let switch = || value.as_bool().ok_or("expected true or false");
    match key {
        "file" => member.file = folder.join(text().ok_or("expected the path of a file")?),
        "name" => member.name = Some(text().ok_or("expected a name")?.to_owned()),
        "at" => {
            member.at = place(value).ok_or("expected [x, y], both from -1000000 to 1000000")?;
        }
        "turn" => member.turn = number(value, |_| true).ok_or("expected degrees")?,
        "scale" => {
            let fits = |it: f64| SCALES.contains(&it);
            member.scale = number(value, fits).ok_or("expected a number from 0.001 to 1000")?;
        }
        "mirror" => member.mirror = switch()?,
        "animation" => {
            member.animation = Some(clip(value).ok_or("expected a name or an index")?);
        }
        "start" => member.start = number(value, |_| true).ok_or("expected seconds")?,
        "speed" => member.speed = number(value, |it| it >= 0.0).ok_or("expected 0 or more")?,
        "tint" => {
            let tint = value.as_str().and_then(rgb);
            member.tint = tint.ok_or("expected a colour like \"#ffccaa\"")?;
        }
        "play" => {
            let clips = value.as_array();
            let clips = clips.and_then(|clips| clips.iter().map(|it| clip(it.get_ref())).collect());
            member.play = clips.ok_or("expected a list of animations")?;
        }
        "fade" => member.fade = number(value, |it| it >= 0.0).ok_or("expected seconds")?,
        "own-images" => member.own_images = switch()?,
        key => {
            let near = nearest(key, KEYS.iter().map(|(key, ..)| *key));
            return Err(match near.is_empty() {
                true => {
                    "unknown key of a character (pchr schema session lists all keys)".to_owned()
                }
                false => format!("unknown key of a character; closest: {}", near.join(", ")),
            });
        }
    }
    Ok(())
}

/// Reads a finite number that fits.
fn number<T: FromStr + Copy + Into<f64>>(
    value: &DeValue<'_>,
    fits: impl Fn(f64) -> bool,
) -> Option<T> {
    let text = match value {
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        _ => return None,
    };
    let number: T = text.parse().ok()?;
    Some(number).filter(|number| (*number).into().is_finite() && fits((*number).into()))
}

fn place(value: &DeValue<'_>) -> Option<[f32; 2]> {
    let DeValue::Array(sides) = value else {
        return None;
    };
    let sides: Option<Vec<f32>> =
        sides.iter().map(|it| number(it.get_ref(), |it| PLACES.contains(&it))).collect();
    sides?.try_into().ok()
}

/// Reads the name or the index of an animation.
fn clip(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(name) => Some(name.to_string()),
        DeValue::Integer(index) => Some(format!("#{index}")),
        _ => None,
    }
}

/// Returns the tables of a layout. `file` returns the path of a file as it is written.
pub(crate) fn write(layout: &Layout, file: impl Fn(&Path) -> String) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let mut text = String::new();
    for member in &layout.members {
        let plain = Member::new(member.file.clone());
        let mut line = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                let _ = writeln!(text, "{key} = {value}");
            }
        };
        let name = member.name.as_deref().map(quoted);
        let [x, y] = member.at;
        let [red, green, blue] = member.tint;
        let list: Vec<_> = member.play.iter().map(|clip| quoted(clip)).collect();
        line("\n[[character]]\nfile", Some(quoted(&file(&member.file))));
        line("name", name);
        line("at", (member.at != plain.at).then(|| format!("[{x}, {y}]")));
        line("turn", (member.turn != plain.turn).then(|| member.turn.to_string()));
        line("scale", (member.scale != plain.scale).then(|| member.scale.to_string()));
        line("mirror", member.mirror.then(|| "true".to_owned()));
        line("animation", member.animation.as_deref().map(quoted));
        line("start", (member.start != plain.start).then(|| member.start.to_string()));
        line("speed", (member.speed != plain.speed).then(|| member.speed.to_string()));
        let tint = format!("\"#{red:02x}{green:02x}{blue:02x}\"");
        line("tint", (member.tint != WHITE).then_some(tint));
        line("play", (!list.is_empty()).then(|| format!("[{}]", list.join(", "))));
        line("fade", (member.fade != plain.fade).then(|| member.fade.to_string()));
        line("own-images", member.own_images.then(|| "true".to_owned()));
    }
    text
}

pub(crate) fn schema() -> Value {
    let property = |(key, form, about): (&str, &str, &str)| {
        let mut form: Value = serde_json::from_str(form).unwrap_or_default();
        if let Some(form) = form.as_object_mut() {
            form.insert("description".to_owned(), about.into());
        }
        (key.to_owned(), form)
    };
    json!({
        "description": "Characters of a stage, back to front, in place of file.",
        "type": "array",
        "minItems": 1,
        "items": {
            "type": "object",
            "properties": KEYS.into_iter().map(property).collect::<serde_json::Map<_, _>>(),
            "required": ["file"],
            "additionalProperties": false,
        },
    })
}
