//! Tests of options in a suite: every option of `capture` exists there with the same meaning as on the command line.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value;

use crate::desk::{Desk, Picture, succeeded};
use crate::fixture::{Builder, puppet};
use crate::rig;
use crate::suite::stage::{ended, test};

/// Value of an option, as a suite writes it.
type Given = &'static str;

/// Arguments as typed for `capture`. A list of texts is an option for each; a list of numbers is one value.
fn typed(key: &str, value: &str) -> Vec<String> {
    let parts = value.trim_start_matches('[').trim_end_matches(']');
    let option = |text: &str| format!("--{key}={}", text.trim_matches('"'));
    match value {
        "true" => vec![format!("--{key}")],
        "false" => Vec::new(),
        _ if value.starts_with("[\"") => parts.split(", ").map(option).collect(),
        _ => vec![option(parts)],
    }
}

/// An option with two values, and other options if needed to make their pictures differ.
#[derive(Clone, Debug)]
struct Try {
    key: &'static str,
    values: [Given; 2],
    with: Vec<(&'static str, Given)>,
}

/// Options of a table: key, two values, and other options.
fn tries(table: &'static str) -> Vec<Try> {
    let row = |row: &'static str| {
        let cells: Vec<&str> = row.split(" | ").collect();
        let with = cells[3..].iter().map(|cell| cell.split_once(" = ").unwrap());
        Try { key: cells[0], values: [cells[1], cells[2]], with: with.collect() }
    };
    table.lines().map(row).collect()
}

/// Each option that changes pictures.
const TRIES: &str = r##"camera-of | "hero.pchr" | "back.png"
animation | "jump" | "walk"
frame | [1] | 3 | animation = "walk"
time | 0.1 | 0.3 | animation = "walk"
mix | "walk:jump:0.25" | "swap:jump:1" | mix-frame = "1"
mix-frame | "1" | 3 | mix = "jump:walk:0.75"
mix-time | 0.1 | "0.3" | mix = "jump:walk:0.75"
mix-sync | true | false | mix = "jump:walk:0.75" | frame = 1
resolution | "64x40" | "40,64"
fit | "none" | "frame"
center | "-30,10" | [0,-5.5]
zoom | 0.75 | "2"
background | "back.png" | "#10203080"
msaa | 1 | "4"
filter | "nearest" | "linear" | zoom = 3
mipmaps | true | false | zoom = 0.4
overlay | ["bones", "bounds,origin"] | "wireframe"
overlay-scale | 3 | "1" | overlay = "bones"
onion-tint | "#ff0000,#00ff00" | "#408cff,#ff8636" | animation = "walk" | overlay = "onion=1,1"
pin-tint | "#ff0000" | "#40be6e" | animation = "walk" | overlay = "pin=walk:1"
font | "sans.ttf" | "mono.ttf" | overlay = "names"
hide | ["part.*", "shad?w"] | "shadow"
only | "shadow" | ["part.red", "#2"]
show | "part.green" | "shadow" | animation = "blink" | frame = 1
z-order | ["part.red=9"] | "part.red=-9.5" | animation = "swap"
smooth | true | false | animation = "walk" | time = 0.15
loop | "off" | "on" | animation = "walk" | time = 0.55
bind | "walk:3" | "none" | animation = "walk"
y-down | true | false
instances | "5,scatter" | 2
mirror | true | false
image | "#0=back.png" | ["image 0=back.png", "#1=back.png"]
against | "hero.pchr" | "plain.pchr"
against-mode | "split" | "difference" | against = "plain.pchr"
against-split | 0.25 | 1 | against = "plain.pchr" | against-mode = "split"
allow-outside | true | false"##;

/// Options that change pictures of 3D motions.
const IN_SPACE: &str = r#"view | "top" | [-20,5] | skeleton = "hero.skl.pxd"
fov | 40 | "0" | skeleton = "hero.skl.pxd"
up | "z" | "y" | skeleton = "hero.skl.pxd"
in-place | true | false | frame = 10 | center = "0,1,0" | zoom = 50
skeleton | "hero.skl.pxd" | "small.skl.pxd"
motion | "walk.seanim" | "hero@kick.anm.pxd" | frame = 6"#;

/// Options that change no picture of the CPU renderer.
const OTHERS: &str = r#"max-size | "3GiB" | 1000000000
renderer | "cpu" | "gpu"
backend | "gl" | "vulkan"
adapter | "llvmpipe" | "NVIDIA"
tolerance | 3 | 0
max_outliers | "0.1%" | 7"#;

/// Options that only [defaults] may have, since one device serves the whole suite.
const OF_THE_SUITE: [&str; 2] = ["backend", "adapter"];

/// A puppet whose texels can be told apart.
fn hero() -> Builder {
    let mut hero = puppet();
    for image in &mut hero.parts.images {
        (image.width, image.height) = (16, 16);
        let color: [u8; 4] = image.data[..4].try_into().unwrap();
        let texel = |i: u32| if (i / 16 + i).is_multiple_of(3) { [255; 4] } else { color };
        image.data = (0..16 * 16).flat_map(texel).collect();
    }
    hero
}

/// Folder with a character, its JSON with images outside its folder, a background, and motions with two skeletons.
fn studio() -> Desk {
    let desk = Desk::new();
    desk.put("hero.pchr", &hero());
    succeeded(&desk.run_pchr(&["unpack", "hero.pchr", "-o", "json"]));
    let json = String::from_utf8(desk.bytes("json/hero.json")).unwrap();
    let outside = json
        .replace("\"path\": \"", "\"path\": \"../images/")
        .replace("\"path\":\"", "\"path\":\"../images/");
    assert_ne!(json, outside);
    std::fs::create_dir(desk.path("images")).unwrap();
    for name in desk.files("json").into_keys().filter(|name| name.ends_with(".png")) {
        std::fs::rename(desk.path("json").join(&name), desk.path("images").join(name)).unwrap();
    }
    desk.put_bytes("json/hero.json", outside.as_bytes());
    desk.capture("hero.pchr", &["-s", "20x10", "--background", "checker", "-o", "back.png"]);
    let small = rig::biped().with_rests(|rest| pchr_foreign::motion::Transform {
        translation: rest.translation.map(|side| side * 0.8 + 0.01),
        ..*rest
    });
    let small = pchr_foreign::format::pxd::write_skeleton(&small).unwrap();
    desk.put_bytes("small.skl.pxd", &small);
    let mut named = hero();
    for bone in &mut named.parts.bones {
        bone.name = "бедро".into();
    }
    desk.put("names.pchr", &named);
    desk.put("plain.pchr", &puppet());
    desk.put_bytes("sans.ttf", epaint_default_fonts::UBUNTU_LIGHT);
    desk.put_bytes("mono.ttf", epaint_default_fonts::HACK_REGULAR);
    desk.put_bytes("hero.skl.pxd", &rig::biped_file());
    desk.put_bytes("hero@kick.anm.pxd", &rig::numbered_file());
    desk.put_bytes("walk.seanim", &rig::walk_file());
    desk
}

fn file(key: &str) -> &'static str {
    match key {
        "allow-outside" => "json/hero.json",
        "view" | "fov" | "up" | "skeleton" => "walk.seanim",
        "in-place" => "hero@kick.anm.pxd",
        "motion" => "hero.skl.pxd",
        "font" => "names.pchr",
        _ => "hero.pchr",
    }
}

/// Picture of `capture`, or `None` if it fails.
fn captured(desk: &Desk, file: &str, options: &[(&str, Given)]) -> Option<Picture> {
    let mut args =
        ["capture", file, "-q", "--renderer=cpu", "-o", "captured.png"].map(str::to_owned).to_vec();
    let own =
        options.iter().filter(|(key, _)| !tries(OTHERS).iter().any(|other| other.key == *key));
    args.extend(own.flat_map(|(key, value)| typed(key, value)));
    let output = desk.program().args(args).output().unwrap();
    output.status.success().then(|| desk.picture("captured.png"))
}

fn lines(options: &[(&str, Given)]) -> String {
    options.iter().map(|(key, value)| format!("{key} = {value}\n")).collect()
}

/// The only baseline of a case.
fn taken(desk: &Desk, case: &str) -> Picture {
    let files = desk.files(&format!("baselines/{case}"));
    let pictures: Vec<&Vec<u8>> =
        files.iter().filter(|(name, _)| name.ends_with(".png")).map(|(_, png)| png).collect();
    assert_eq!(pictures.len(), 1, "{case}");
    Picture::decode(pictures[0])
}

/// Picture of the only case of a suite.
fn blessed(desk: &Desk, suite: &str) -> Picture {
    desk.put_bytes("suite.toml", suite.as_bytes());
    ended(&test(desk, &["--update", "--quiet"]), 0, "");
    let picture = taken(desk, "x");
    desk.remove("baselines");
    picture
}

#[test]
fn each_option_that_there_is_is_tried() {
    let schema = crate::pchr::schema::schema("suite");
    let named = |table: &Value| -> BTreeSet<String> {
        table["properties"].as_object().unwrap().keys().map(|name| name.replace('_', "-")).collect()
    };
    let tried = [TRIES, IN_SPACE, OTHERS].into_iter().flat_map(tries);
    let tried: BTreeSet<String> = tried.map(|one| one.key.replace('_', "-")).collect();
    let mut of_all = tried.clone();
    of_all.extend(["baselines", "exact", "ignore", "mask"].map(str::to_owned)); // these are not options of `capture`
    assert_eq!(named(&schema["properties"]["defaults"]), of_all);
    let mut of_a_case = tried;
    of_a_case.retain(|key| !OF_THE_SUITE.contains(&key.as_str()));
    of_a_case.extend(["name", "file", "session", "exact", "ignore", "mask"].map(str::to_owned));
    assert_eq!(named(&schema["properties"]["case"]["items"]), of_a_case);
}

#[test]
fn an_option_means_what_capture_means_and_a_case_counts_more_than_the_defaults() {
    let desk = studio();
    for Try { key, values: [first, second], with } in
        [TRIES, IN_SPACE, OTHERS].into_iter().flat_map(tries)
    {
        let file = file(key);
        let with_value = |key, value| [&[(key, value)], &with[..]].concat();
        let head = with_value(key, first);
        let wanted = captured(&desk, file, &head).unwrap();
        let other = captured(&desk, file, &with_value(key, second));
        if !tries(OTHERS).iter().any(|one| one.key == key) {
            assert!(other.as_ref() != Some(&wanted), "{key} makes a difference");
        }
        let case = format!("[[case]]\nname = \"x\"\nfile = {file:?}\n");
        let in_defaults = format!("[defaults]\n{}{case}", lines(&head));
        assert!(blessed(&desk, &in_defaults) == wanted, "{in_defaults}");
        if OF_THE_SUITE.contains(&key) {
            continue;
        }
        // With underscores instead of hyphens.
        let in_case = format!("{case}{}", lines(&head).replacen(key, &key.replace('-', "_"), 1));
        assert!(blessed(&desk, &in_case) == wanted, "{in_case}");
        let over = format!("[defaults]\n{}{case}{}", lines(&[(key, second)]), lines(&head));
        assert!(blessed(&desk, &over) == wanted, "{over}");
        if let (Some(other), "true" | "false") = (other, second) {
            let off = format!("[defaults]\n{}{case}{}", lines(&head), lines(&[(key, second)]));
            assert!(blessed(&desk, &off) == other, "{off}");
        }
    }
}

#[test]
fn a_list_of_a_case_takes_the_place_of_the_defaults_list() {
    let desk = studio();
    let wanted = captured(&desk, "hero.pchr", &[("hide", "[\"shadow\"]")]).unwrap();
    let suite = "[defaults]\nhide = [\"part.red\"]\n[[case]]\nname = \"x\"\nfile = \"hero.pchr\"\nhide = [\"shadow\"]\n";
    assert!(blessed(&desk, suite) == wanted);
    let nothing = suite.replace("hide = [\"shadow\"]", "hide = []");
    assert!(blessed(&desk, &nothing) == captured(&desk, "hero.pchr", &[]).unwrap());
}

/// Strategy for several options with one of their values each.
fn some() -> impl Strategy<Value = Vec<(&'static str, Given)>> {
    const APART: [[&str; 2]; 5] = [
        ["time", "frame"],
        ["mix", "animation"],
        ["mix-time", "mix-frame"],
        ["mix-time", "mix-sync"],
        ["mix-frame", "mix-sync"],
    ];
    (prop::sample::subsequence(tries(TRIES), 0..8), any::<u64>()).prop_map(|(chosen, bits)| {
        let chosen = chosen.into_iter().enumerate();
        let mut options: Vec<_> =
            chosen.map(|(i, it)| (it.key, it.values[(bits >> i) as usize % 2])).collect();
        for [kept, other] in APART {
            if options.iter().any(|(key, _)| *key == kept) {
                options.retain(|(key, _)| *key != other);
            }
        }
        options.retain(|(key, _)| !matches!(*key, "bind" | "against-mode" | "against-split"));
        options
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_options_together_give_the_picture_that_capture_gives(cases in prop::collection::vec(some(), 1..8)) {
        let desk = studio();
        let mut suite = String::new();
        let mut wanted = Vec::new();
        for (i, options) in cases.iter().enumerate() {
            // Not every animation has a frame 3.
            let Some(picture) = captured(&desk, "hero.pchr", options) else { continue };
            suite += &format!("[[case]]\nname = \"case {i}\"\nfile = \"hero.pchr\"\n{}", lines(options));
            wanted.push((format!("case {i}"), picture));
        }
        prop_assume!(!wanted.is_empty());
        desk.put_bytes("suite.toml", suite.as_bytes());
        ended(&test(&desk, &["--update"]), 0, "");
        for (name, picture) in wanted {
            prop_assert!(taken(&desk, &name) == picture, "{name}\n{suite}");
        }
    }
}
