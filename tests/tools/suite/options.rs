//! Tests of options in a suite: every option of `capture` exists there with the same meaning as on the command line.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value;

use crate::desk::{Desk, Picture, succeeded};
use crate::fixture::{Builder, puppet};
use crate::rig;
use crate::suite::stage::{ended, test};

/// A value of an option.
#[derive(Clone, Copy, Debug)]
enum Given {
    Text(&'static str),
    Number(&'static str),
    List(&'static [&'static str]),
    Switch(bool),
    /// A list of numbers.
    Parts(&'static str),
}
use Given::{List, Number, Parts, Switch, Text};

impl Given {
    /// Value as a suite writes it.
    fn toml(self) -> String {
        match self {
            Text(text) => format!("{text:?}"),
            Number(number) => number.to_owned(),
            List(texts) => format!("{texts:?}"),
            Switch(on) => on.to_string(),
            Parts(parts) => format!("[{parts}]"),
        }
    }

    /// Arguments as typed for `capture`.
    fn typed(self, key: &str) -> Vec<String> {
        match self {
            Text(text) | Number(text) | Parts(text) => vec![format!("--{key}={text}")],
            List(texts) => texts.iter().map(|text| format!("--{key}={text}")).collect(),
            Switch(true) => vec![format!("--{key}")],
            Switch(false) => Vec::new(),
        }
    }
}

/// An option with two values, and other options if needed to make their pictures differ.
struct Try {
    key: &'static str,
    values: [Given; 2],
    with: &'static [(&'static str, Given)],
}

const fn one(key: &'static str, first: Given, second: Given) -> Try {
    with(key, first, second, &[])
}

const fn with(
    key: &'static str,
    first: Given,
    second: Given,
    with: &'static [(&'static str, Given)],
) -> Try {
    Try { key, values: [first, second], with }
}

const WALK: (&str, Given) = ("animation", Text("walk"));

const JUMP_TO_WALK: (&str, Given) = ("mix", Text("jump:walk:0.75"));

/// Each option that changes pictures.
const TRIES: [Try; 36] = [
    one("camera-of", Text("hero.pchr"), Text("back.png")),
    one("animation", Text("jump"), Text("walk")),
    with("frame", Parts("1"), Number("3"), &[WALK]),
    with("time", Number("0.1"), Number("0.3"), &[WALK]),
    with("mix", Text("walk:jump:0.25"), Text("swap:jump:1"), &[("mix-frame", Text("1"))]),
    with("mix-frame", Text("1"), Number("3"), &[JUMP_TO_WALK]),
    with("mix-time", Number("0.1"), Text("0.3"), &[JUMP_TO_WALK]),
    with("mix-sync", Switch(true), Switch(false), &[JUMP_TO_WALK, ("frame", Number("1"))]),
    one("resolution", Text("64x40"), Text("40,64")),
    one("fit", Text("none"), Text("frame")),
    one("center", Text("-30,10"), Parts("0,-5.5")),
    one("zoom", Number("0.75"), Text("2")),
    one("background", Text("back.png"), Text("#10203080")),
    one("msaa", Number("1"), Text("4")),
    with("filter", Text("nearest"), Text("linear"), &[("zoom", Number("3"))]),
    with("mipmaps", Switch(true), Switch(false), &[("zoom", Number("0.4"))]),
    one("overlay", List(&["bones", "bounds,origin"]), Text("wireframe")),
    with("overlay-scale", Number("3"), Text("1"), &[("overlay", Text("bones"))]),
    with(
        "onion-tint",
        Text("#ff0000,#00ff00"),
        Text("#408cff,#ff8636"),
        &[WALK, ("overlay", Text("onion=1,1"))],
    ),
    with("pin-tint", Text("#ff0000"), Text("#40be6e"), &[WALK, ("overlay", Text("pin=walk:1"))]),
    with("font", Text("sans.ttf"), Text("mono.ttf"), &[("overlay", Text("names"))]),
    one("hide", List(&["part.*", "shad?w"]), Text("shadow")),
    one("only", Text("shadow"), List(&["part.red", "#2"])),
    with(
        "show",
        Text("part.green"),
        Text("shadow"),
        &[("animation", Text("blink")), ("frame", Number("1"))],
    ),
    with("z-order", List(&["part.red=9"]), Text("part.red=-9.5"), &[("animation", Text("swap"))]),
    with("smooth", Switch(true), Switch(false), &[WALK, ("time", Number("0.15"))]),
    with("loop", Text("off"), Text("on"), &[WALK, ("time", Number("0.55"))]),
    with("bind", Text("walk:3"), Text("none"), &[WALK]),
    one("y-down", Switch(true), Switch(false)),
    one("instances", Text("5,scatter"), Number("2")),
    one("mirror", Switch(true), Switch(false)),
    one("image", Text("#0=back.png"), List(&["image 0=back.png", "#1=back.png"])),
    one("against", Text("hero.pchr"), Text("plain.pchr")),
    with("against-mode", Text("split"), Text("difference"), &[("against", Text("plain.pchr"))]),
    with("against-split", Number("0.25"), Number("1"), &SPLIT),
    one("allow-outside", Switch(true), Switch(false)),
];

const SPLIT: [(&str, Given); 2] =
    [("against", Text("plain.pchr")), ("against-mode", Text("split"))];
const ON_HERO: (&str, Given) = ("skeleton", Text("hero.skl.pxd"));

/// Options that change pictures of 3D motions.
const IN_SPACE: [Try; 6] = [
    with("view", Text("top"), Parts("-20,5"), &[ON_HERO]),
    with("fov", Number("40"), Text("0"), &[ON_HERO]),
    with("up", Text("z"), Text("y"), &[ON_HERO]),
    with(
        "in-place",
        Switch(true),
        Switch(false),
        &[("frame", Number("10")), ("center", Text("0,1,0")), ("zoom", Number("50"))],
    ),
    one("skeleton", Text("hero.skl.pxd"), Text("small.skl.pxd")),
    with("motion", Text("walk.seanim"), Text("hero@kick.anm.pxd"), &[("frame", Number("6"))]),
];

/// Options that change no picture of the CPU renderer.
const OTHERS: [Try; 6] = [
    one("max-size", Text("3GiB"), Number("1000000000")),
    one("renderer", Text("cpu"), Text("gpu")),
    one("backend", Text("gl"), Text("vulkan")),
    one("adapter", Text("llvmpipe"), Text("NVIDIA")),
    one("tolerance", Number("3"), Number("0")),
    one("max_outliers", Text("0.1%"), Number("7")),
];

/// Options that only [defaults] may have, since one device serves the whole suite.
const OF_THE_SUITE: [&str; 2] = ["backend", "adapter"];

/// A puppet whose texels can be told apart.
fn hero() -> Builder {
    let mut hero = puppet();
    for image in &mut hero.parts.images {
        (image.width, image.height) = (16, 16);
        let color: [u8; 4] = image.data[..4].try_into().unwrap();
        image.data = (0..16 * 16)
            .flat_map(
                |i: u32| {
                    if (i / 16 + i).is_multiple_of(3) { [255, 255, 255, 255] } else { color }
                },
            )
            .collect();
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
    let own = options.iter().filter(|(key, _)| !OTHERS.iter().any(|other| other.key == *key));
    args.extend(own.flat_map(|(key, value)| value.typed(key)));
    let output = desk.program().args(args).output().unwrap();
    output.status.success().then(|| desk.picture("captured.png"))
}

fn lines(options: &[(&str, Given)]) -> String {
    options.iter().map(|(key, value)| format!("{key} = {}\n", value.toml())).collect()
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
    let tried = TRIES.iter().chain(&IN_SPACE).chain(&OTHERS);
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
    for Try { key, values: [first, second], with } in TRIES.iter().chain(&IN_SPACE).chain(&OTHERS) {
        let file = file(key);
        let head = [&[(*key, *first)], *with].concat();
        let wanted = captured(&desk, file, &head).unwrap();
        let other = captured(&desk, file, &[&[(*key, *second)], *with].concat());
        if !OTHERS.iter().any(|one| one.key == *key) {
            assert!(other.as_ref() != Some(&wanted), "{key} makes a difference");
        }
        let case = format!("[[case]]\nname = \"x\"\nfile = {file:?}\n");
        let in_defaults = format!("[defaults]\n{}{case}", lines(&head));
        assert!(blessed(&desk, &in_defaults) == wanted, "{in_defaults}");
        if OF_THE_SUITE.contains(key) {
            continue;
        }
        // With underscores instead of hyphens.
        let other_way = key.replace('-', "_");
        let in_case =
            format!("{case}{}", lines(&[&[(other_way.as_str(), *first)], *with].concat()));
        assert!(blessed(&desk, &in_case) == wanted, "{in_case}");
        let over = format!("[defaults]\n{}{case}{}", lines(&[(*key, *second)]), lines(&head));
        assert!(blessed(&desk, &over) == wanted, "{over}");
        if let (Some(other), Switch(on)) = (other, second) {
            let off =
                format!("[defaults]\n{}{case}{}", lines(&head), lines(&[(*key, Switch(*on))]));
            assert!(blessed(&desk, &off) == other, "{off}");
        }
    }
}

#[test]
fn a_list_of_a_case_takes_the_place_of_the_defaults_list() {
    let desk = studio();
    let wanted = captured(&desk, "hero.pchr", &[("hide", List(&["shadow"]))]).unwrap();
    let suite = "[defaults]\nhide = [\"part.red\"]\n[[case]]\nname = \"x\"\nfile = \"hero.pchr\"\nhide = [\"shadow\"]\n";
    assert!(blessed(&desk, suite) == wanted);
    let nothing = suite.replace("hide = [\"shadow\"]", "hide = []");
    assert!(blessed(&desk, &nothing) == captured(&desk, "hero.pchr", &[]).unwrap());
}

/// Strategy for several options with one of their values each.
fn some() -> impl Strategy<Value = Vec<(&'static str, Given)>> {
    let all: Vec<usize> = (0..TRIES.len()).collect();
    (prop::sample::subsequence(all, 0..8), any::<u64>()).prop_map(|(chosen, bits)| {
        let mut options: Vec<_> = chosen
            .into_iter()
            .map(|i| (TRIES[i].key, TRIES[i].values[(bits >> i) as usize % 2]))
            .collect();
        for [kept, other] in [
            ["time", "frame"],
            ["mix", "animation"],
            ["mix-time", "mix-frame"],
            ["mix-time", "mix-sync"],
            ["mix-frame", "mix-sync"],
        ] {
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
