//! The members of a stage, back to front: files, places, clips and tints; and the tables `[[character]]` of a session that say so: reading,
//! writing and their schema.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde_json::{Value, json};
use toml::de::{DeTable, DeValue};

use pchr::document::BoneTransform;
use pchr::pose::{Affine, parent_from_bone};

use crate::capture::rgb;
use crate::file_name;
use crate::text::words::{closest, toml_text};

/// Members of a stage, back to front.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The members. Those that come later are drawn over those before.
    pub members: Vec<Member>,
}

/// A character of a stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its file.
    pub file: PathBuf,
    /// Its name; the file's without one.
    pub name: Option<String>,
    /// Place of its origin in the world (pixels, Y up).
    pub at: [f32; 2],
    /// Turn about its origin in degrees, counter-clockwise.
    pub turn: f32,
    /// Scale; more than 0.
    pub scale: f32,
    /// True if it is flipped horizontally, before it is turned.
    pub mirror: bool,
    /// Name or index of its animation; without one, the first of `play` or the one that its file shows first.
    pub animation: Option<String>,
    /// Seconds into its animation at which it starts.
    pub start: f64,
    /// Speed of its animation, 1 as authored; 0 holds it.
    pub speed: f64,
    /// Colour that its images are multiplied by.
    pub tint: [u8; 3],
    /// Names or indices of animations that it plays one after another.
    pub play: Vec<String>,
    /// Seconds in which an animation of `play` fades to the next.
    pub fade: f64,
    /// True if it has its images for itself; otherwise members of one file and tint share them.
    pub own_images: bool,
}

/// Tint that changes nothing.
pub(super) const WHITE: [u8; 3] = [u8::MAX; 3];

impl Member {
    /// Creates a member that stands at the origin as its file shows it.
    #[must_use]
    pub fn new(file: PathBuf) -> Self {
        Self {
            file,
            name: None,
            at: [0.0; 2],
            turn: 0.0,
            scale: 1.0,
            mirror: false,
            animation: None,
            start: 0.0,
            speed: 1.0,
            tint: WHITE,
            play: Vec::new(),
            fade: 0.0,
            own_images: false,
        }
    }

    /// Returns the member as it is where it is not moved, turned, scaled or flipped.
    #[must_use]
    pub fn at_origin(&self) -> Self {
        Self { at: [0.0; 2], turn: 0.0, scale: 1.0, mirror: false, ..self.clone() }
    }

    /// Returns the map from its own world to that of the stage, with the same bits on every machine.
    #[must_use]
    pub fn world_from_member(&self) -> Affine {
        let [x, y] = self.at;
        parent_from_bone(&BoneTransform {
            x,
            y,
            rotation: self.turn,
            scale_x: if self.mirror { -self.scale } else { self.scale },
            scale_y: self.scale,
            ..BoneTransform::default()
        })
    }
}

impl Layout {
    /// Returns the name of each member, all different: its own, or that of its file, with a number if that is taken.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let own = self.members.iter().filter_map(|member| member.name.clone());
        let mut taken: Vec<String> = own.collect();
        let name = |member: &Member| {
            if let Some(name) = &member.name {
                return name.clone();
            }
            let stem = file_name::stem(&member.file);
            let numbered = (2_usize..).map(|number| format!("{stem} {number}"));
            let mut free = [stem.clone()].into_iter().chain(numbered);
            let free = free.find(|name| !taken.contains(name)).unwrap_or(stem);
            taken.push(free.clone());
            free
        };
        self.members.iter().map(name).collect()
    }

    /// Returns some of the members in another order, by index. Each keeps its name.
    #[must_use]
    pub fn rearranged(&self, order: &[usize]) -> Self {
        let names = self.names();
        let of = |index: &usize| Some((self.members.get(*index)?.clone(), names.get(*index)?));
        let (members, names): (Vec<_>, Vec<_>) = order.iter().filter_map(of).unzip();
        let mut layout = Self { members };
        let now = layout.names();
        for ((member, name), now) in layout.members.iter_mut().zip(names).zip(now) {
            if now != *name {
                member.name = Some(name.clone());
            }
        }
        layout
    }

    /// Returns the index of the member whose images each member shows: the first that it shares them with, or itself.
    #[must_use]
    pub fn image_holders(&self) -> Vec<usize> {
        let holder = |(index, member): (usize, &Member)| {
            let shares = |other: &Member| {
                let is_own = member.own_images || other.own_images;
                member.file == other.file && member.tint == other.tint && !is_own
            };
            self.members.iter().position(shares).unwrap_or(index)
        };
        self.members.iter().enumerate().map(holder).collect()
    }

    /// Returns true if another layout has the same characters in the same order, and differs at most in their places and clips.
    #[must_use]
    pub fn is_same_cast(&self, other: &Self) -> bool {
        let cast = |member: &Member| (member.file.clone(), member.tint, member.own_images);
        self.names() == other.names() && { self.members.iter().map(cast) }
            .eq(other.members.iter().map(cast))
    }
}

/// Smallest and largest scale.
pub const SCALES: RangeInclusive<f64> = 0.001..=1000.0;
/// Smallest and largest coordinate of a place, in pixels.
pub const PLACES: RangeInclusive<f64> = -1_000_000.0..=1_000_000.0;

/// Name of the tables.
pub(crate) const CHARACTER: &str = "character";

// Forms of keys, as schemas.
const TEXT: &str = r#"{"type": "string", "minLength": 1}"#;
const SWITCH: &str = r#"{"type": "boolean"}"#;
const NUMBER: &str = r#"{"type": "number"}"#;
const FROM_0: &str = r#"{"type": "number", "minimum": 0}"#;
const SCALE: &str = r#"{"type": "number", "minimum": 0.001, "maximum": 1000}"#;
const PLACE: &str = r#"{"type": "array", "items": {"type": "number", "minimum": -1000000, "maximum": 1000000}, "minItems": 2, "maxItems": 2}"#;
const COLOR: &str = r##"{"type": "string", "pattern": "^#[0-9A-Fa-f]{6}$"}"##;
const CLIP: &str = r#"{"type": ["string", "integer"]}"#;
const CLIPS: &str = r#"{"type": "array", "items": {"type": ["string", "integer"]}}"#;

/// Keys of a table, their forms, and their meanings.
const KEYS: [(&str, &str, &str); 13] = [
    ("file", TEXT, "The file, relative to the session"),
    ("name", TEXT, "Name before those of its meshes and bones [default: the file's]"),
    ("at", PLACE, "Place of the origin, in pixels, Y up [default: 0, 0]"),
    ("turn", NUMBER, "Turn about the origin in degrees, counter-clockwise"),
    ("scale", SCALE, "Scale [default: 1]"),
    ("mirror", SWITCH, "Flip horizontally, before the turn"),
    ("animation", CLIP, "Animation in the group play, by name or index"),
    ("start", NUMBER, "Seconds into the animation at the start"),
    ("speed", FROM_0, "Speed of the animation [default: 1]"),
    ("tint", COLOR, "Colour that the images are multiplied by, like #ffccaa"),
    ("play", CLIPS, "Animations that are played one after another in the play list"),
    ("fade", FROM_0, "Seconds in which an animation of the play list fades to the next"),
    (
        "own-images",
        SWITCH,
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
    let table = table.get_ref().get(CHARACTER)?.get_ref().as_array()?.get(member)?;
    let key = table.get_ref().as_table()?.iter().find(|(own, _)| own.get_ref() == key);
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
        key => return Err(unknown(" of a character", key, KEYS.iter().map(|(key, ..)| *key))),
    }
    Ok(())
}

/// Says that a key is none of those that are known.
pub(crate) fn unknown<'a>(what: &str, key: &str, known: impl Iterator<Item = &'a str>) -> String {
    match closest(key, known) {
        near if near.is_empty() => {
            format!("unknown key{what} (pchr schema session lists all keys)")
        }
        near => format!("unknown key{what}{near}"),
    }
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
    let sides = value.as_array()?.iter().map(|it| number(it.get_ref(), |it| PLACES.contains(&it)));
    sides.collect::<Option<Vec<f32>>>()?.try_into().ok()
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
    let mut text = String::new();
    for member in &layout.members {
        let plain = Member::new(member.file.clone());
        let mut line = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                let _ = writeln!(text, "{key} = {value}");
            }
        };
        let [x, y] = member.at;
        let [red, green, blue] = member.tint;
        let list: Vec<_> = member.play.iter().map(|clip| toml_text(clip)).collect();
        line("\n[[character]]\nfile", Some(toml_text(&file(&member.file))));
        line("name", member.name.as_deref().map(toml_text));
        line("at", (member.at != plain.at).then(|| format!("[{x}, {y}]")));
        line("turn", (member.turn != plain.turn).then(|| member.turn.to_string()));
        line("scale", (member.scale != plain.scale).then(|| member.scale.to_string()));
        line("mirror", member.mirror.then(|| "true".to_owned()));
        line("animation", member.animation.as_deref().map(toml_text));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn named(file: &str, name: Option<&str>) -> Member {
        Member { name: name.map(str::to_owned), ..Member::new(file.into()) }
    }

    #[test]
    fn members_are_named_like_their_files_and_all_differ() {
        let members = vec![
            named("a/hero.pchr", None),
            named("b/hero.pchr", None),
            named("c/hero.pchr", Some("hero")),
            named("orc.pchr", None),
        ];
        assert_eq!(Layout { members }.names(), ["hero 2", "hero 3", "hero", "orc"]);
    }

    #[test]
    fn members_in_another_order_keep_their_names() {
        let hero = || named("hero.pchr", None);
        let layout = Layout { members: vec![hero(), hero(), named("orc.pchr", None), hero()] };
        let names = |order: &[usize]| layout.rearranged(order).names();
        assert_eq!(names(&[1, 0, 2, 3]), ["hero 2", "hero", "orc", "hero 3"]);
        assert_eq!(names(&[3, 2]), ["hero 3", "orc"]);
        let stays = layout.rearranged(&[0, 2]).members[1].name.is_none();
        assert!(stays, "a name that stays is not written");
    }

    #[test]
    fn members_of_one_file_and_tint_share_images_unless_one_has_its_own() {
        let hero = || named("hero.pchr", None);
        let own = Member { own_images: true, ..hero() };
        let red = Member { tint: [255, 0, 0], ..hero() };
        let members = vec![own, hero(), red.clone(), hero(), red];
        assert_eq!(Layout { members }.image_holders(), [0, 1, 2, 1, 2]);
    }
}
