//! Tests of `pchr inspect`.

use std::process::{Output, Stdio};

use pchr::document::{
    AnimationParts, BoneParts, BoneTransform, ImageFormat, ImageParts, MeshParts,
};
use serde_json::Value;

use crate::desk::{Desk, said, succeeded};
use crate::fixture::{Builder, at, puppet};

/// Stdout as text.
fn text(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// Text that `inspect` prints for a sound file.
fn inspect(desk: &Desk, args: &[&str]) -> String {
    let output = desk.run_pchr(&[&["inspect"], args].concat());
    succeeded(&output);
    assert_eq!(said(&output), "", "{args:?}");
    text(&output).to_owned()
}

/// JSON that `inspect` prints for a sound file.
fn json(desk: &Desk, args: &[&str]) -> Value {
    serde_json::from_str(&inspect(desk, &[args, &["--json"]].concat())).unwrap()
}

/// Lines of the table with this title, without the title.
fn table<'a>(text: &'a str, title: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|line| *line != title).skip(1);
    lines.take_while(|line| !line.is_empty()).collect()
}

#[test]
fn a_file_is_told_of_at_a_glance() {
    let told = inspect(&Desk::new(), &["puppet.pchr"]);
    let expected = r#"puppet.pchr: PCHR v1, 1.52 KiB (1,554 bytes)

  header      version 1, 10 frames per second, flags 0x0000
  contents    3 images, 3 bones (1 root, 2 levels), 3 meshes, 5 animations
  geometry    12 vertices, 6 triangles; bones per vertex: 1
  playing     12 frames, 1.20 s in all
  memory      12 B as textures, 516 B of vertices and indices
  bounds      140.0 x 120.0 px, x -70.0..70.0, y -40.0..80.0, over all frames
  bind pose   frame 0 of animation 0 "bind": it is named like a bind pose
  default     animation 1 "walk" is shown by default
  findings    nothing

Sections
  section     count  bytes          size  share
  header             0x000..0x00c   12 B   0.8%
  images          3  0x00c..0x050   68 B   4.4%
  bones           3  0x050..0x06a   26 B   1.7%
  meshes          3  0x06a..0x2a6  572 B  36.8%
  animations      5  0x2a6..0x612  876 B  56.4%

Images
  #  image    pixels  format    meshes  as texture  data bytes    size
  0  image 0   1 x 1  rgba8888       1         4 B  0x020..0x024   4 B
  1  image 1   1 x 1  rgba8888       1         4 B  0x036..0x03a   4 B
  2  image 2   1 x 1  rgba8888       1         4 B  0x04c..0x050   4 B

Animations
  #  animation  plays  frames  seconds            x            y         extent  bytes          size
  0  bind       once        1     0.10  -70.0..70.0  -40.0..20.0   140.0 x 60.0  0x2a8..0x2f6   78 B  bind pose
  1  walk       loop        4     0.40  -70.0..70.0  -40.0..20.0   140.0 x 60.0  0x2f6..0x413  285 B  default
  2  blink      once        3     0.30  -70.0..70.0  -40.0..20.0   140.0 x 60.0  0x413..0x4ec  217 B
  3  swap       loop        2     0.20  -70.0..70.0  -40.0..20.0   140.0 x 60.0  0x4ec..0x57f  147 B
  4  jump       once        2     0.20  -70.0..70.0  -40.0..80.0  140.0 x 120.0  0x57f..0x612  147 B

Meshes
  #  mesh        image  vertices  triangles  bones  a vertex  bytes          size  owner
  0  shadow          2         4          2      1         1  0x06c..0x128  188 B  0 root
  1  part.red        0         4          2      1         1  0x128..0x1e6  190 B  1 red
  2  part.green      1         4          2      1         1  0x1e6..0x2a6  192 B  2 green

Bones
  #  parent  depth  bone     meshes  vertices  bytes
  0       -      0  root          1         4  0x052..0x05a
  1       0      1    red         1         4  0x05a..0x061
  2       0      1    green       1         4  0x061..0x06a
"#;
    assert_eq!(told, expected);
}

/// Checks the byte ranges of sections and their elements in the JSON against the file.
fn ranges_hold(bytes: &[u8], report: &Value) {
    let range = |value: &Value| {
        let [offset, length] = ["offset", "length"].map(|key| value[key].as_u64().unwrap());
        offset as usize..(offset + length) as usize
    };
    let uint16 = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let mut end = 0;
    for section in report["sections"].as_array().unwrap() {
        let name = section["name"].as_str().unwrap();
        let place = range(&section["bytes"]);
        assert_eq!(place.start, end, "{name} follows what is before it");
        end = place.end;
        let Some(count) = section["count"].as_u64() else {
            continue;
        };
        assert_eq!(uint16(place.start), count as usize, "{name}");
        let elements = report[name].as_array().unwrap();
        assert_eq!(elements.len(), count as usize, "{name}");
        let mut at = place.start + 2;
        for element in elements {
            let place = range(&element["bytes"]);
            assert_eq!(place.start, at, "{element}");
            at = place.end;
            let text = element["name"].as_str().unwrap();
            assert_eq!(uint16(place.start), text.len());
            assert!(bytes[place.start + 2..].starts_with(text.as_bytes()));
            for last in ["data", "frames", "indexBytes"] {
                if !element[last].is_null() {
                    assert_eq!(range(&element[last]).end, place.end, "{last}: {element}");
                }
            }
            if !element["vertexBytes"].is_null() {
                let vertices = range(&element["vertexBytes"]);
                assert_eq!(
                    vertices.len() as u64,
                    40 * element["vertices"].as_u64().unwrap()
                );
                assert_eq!(vertices.end, range(&element["indexBytes"]).start);
                let indices = range(&element["indexBytes"]).len() as u64;
                assert_eq!(indices, 6 * element["triangles"].as_u64().unwrap());
            }
        }
        assert_eq!(at, end, "{name} ends with its last element");
    }
    assert_eq!(end, bytes.len());
}

#[test]
fn byte_ranges_fill_the_file_and_hold_what_they_say() {
    let desk = Desk::new();
    let mut bytes = puppet().bytes();
    let report = json(&desk, &["puppet.pchr"]);
    ranges_hold(&bytes, &report);
    let data = report["images"][1]["data"]["offset"].as_u64().unwrap() as usize;
    assert_eq!(bytes[data..data + 4], crate::fixture::GREEN);

    bytes.extend_from_slice(b"after the end");
    desk.put_bytes("longer.pchr", &bytes);
    let report = json(&desk, &["longer.pchr"]);
    ranges_hold(&bytes, &report);
    assert_eq!(report["sections"][5]["bytes"]["length"], 13);
    assert_eq!(report["findings"][0]["id"], "PCHR-W103");
    let told = inspect(&desk, &["longer.pchr"]);
    assert!(
        table(&told, "Sections")[6].starts_with("  trailing  "),
        "{told}"
    );

    desk.put("nothing.pchr", &Builder::new());
    let report = json(&desk, &["nothing.pchr"]);
    ranges_hold(&Builder::new().bytes(), &report);
}

#[test]
fn bounds_are_those_that_a_capture_fits() {
    let desk = Desk::new();
    let report = json(&desk, &["puppet.pchr"]);
    assert_eq!(report["bounds"]["max"][1], 80.0);
    for (index, fit) in [(0, "animation"), (4, "animation"), (4, "character")] {
        let args = ["capture", "puppet.pchr", "--renderer", "cpu", "-o", "p.png"];
        let a = index.to_string();
        let output = desk.run(&[&args[..], &["--json", "-a", &a, "--fit", fit]].concat());
        succeeded(&output);
        let capture: Value = serde_json::from_slice(&output.stdout).unwrap();
        let bounds = match fit {
            "character" => &report["bounds"],
            _ => &report["animations"][index]["bounds"],
        };
        for axis in [0, 1] {
            let [min, max] = ["min", "max"].map(|edge| bounds[edge][axis].as_f64().unwrap());
            let center = capture["captures"][0]["camera"]["center"][axis].as_f64();
            assert_eq!(center, Some((min + max) / 2.0), "{index} {fit}");
        }
    }
}

#[test]
fn the_bind_pose_is_named_with_its_reason() {
    let desk = Desk::new();
    let one = Builder::new().bone("root", None);
    let frame = [[at(0.0, 0.0)]];
    let told = |name: &str, builder: &Builder| {
        desk.put(name, builder);
        let told = inspect(&desk, &[name]);
        let line = told.lines().find(|line| line.starts_with("  bind pose "));
        line.unwrap().to_owned()
    };
    let named = one.clone().animation("walk", true, &frame);
    assert_eq!(
        told("first.pchr", &named),
        "  bind pose   frame 0 of animation 0 \"walk\": no animation with frames is named like a bind pose (bind, rest, setup, tpose), so the first is used (choose another with pchr-view --bind)"
    );
    assert_eq!(
        told("named.pchr", &named.animation("T-Pose", false, &frame)),
        "  bind pose   frame 0 of animation 1 \"T-Pose\": it is named like a bind pose"
    );
    assert_eq!(
        told("still.pchr", &one),
        "  bind pose   none: no animation has frames, so vertices stay as stored"
    );
    let flat = BoneTransform {
        scale_y: 0.0,
        ..at(0.0, 0.0)
    };
    let flat = one.animation("bind", false, &[[flat]]);
    assert_eq!(
        told("flat.pchr", &flat),
        "  bind pose   frame 0 of animation 0 \"bind\": it is named like a bind pose; 1 bone has no inverse in this pose"
    );
    let findings = &json(&desk, &["flat.pchr"])["findings"];
    let rules = findings
        .as_array()
        .unwrap()
        .iter()
        .map(|found| &found["name"]);
    assert!(
        rules.into_iter().any(|name| name == "bone-bind-degenerate"),
        "{findings}"
    );
}

#[test]
fn the_same_finding_is_told_once_with_its_number() {
    let desk = Desk::new();
    let mut builder = puppet();
    for vertex in &mut builder.parts.meshes[1].vertices {
        vertex.uv[0] = 3.0;
    }
    builder.parts.fps = 0;
    desk.put("odd.pchr", &builder);
    let told = inspect(&desk, &["odd.pchr"]);
    let findings = table(&told, "Findings");
    assert_eq!(findings.len(), 2, "{told}");
    assert_eq!(
        findings[0],
        "  warning: PCHR-W102 fps-zero: fps at byte 8 (0x8): 0 frames per second; played at 24"
    );
    assert!(findings[1].starts_with("  warning: PCHR-W124 uv-range: meshes[1].vertices[0]"));
    assert!(findings[1].ends_with(" (and 3 more)"), "{told}");
    let report = json(&desk, &["odd.pchr"]);
    assert_eq!(report["findings"][1]["count"], 4);
    assert_eq!(report["header"]["fps"], 0);
    assert_eq!(report["animations"][1]["seconds"], 4.0 / 24.0);
}

#[test]
fn no_name_breaks_a_table() {
    let names = [
        "",
        " padded ",
        "two\nlines",
        "\u{1b}[31mred",
        "quo\"te",
        "back\\slash",
        "\u{202e}backwards",
        "走る",
        "plain name-1.x",
    ];
    let mut builder = Builder::new().bone(&"n".repeat(1000), None);
    for (i, name) in (0..).zip(names) {
        builder = builder.bone(name, Some(i));
    }
    let desk = Desk::new();
    desk.put("names\u{1b}.pchr", &builder);
    let told = inspect(&desk, &["names\u{1b}.pchr"]);
    assert!(
        !told.contains('\u{1b}') && !told.contains('\u{202e}'),
        "{told}"
    );
    let rows = table(&told, "Bones");
    assert_eq!(rows.len(), 1 + 1 + names.len(), "{told}");
    assert!(
        rows[1].contains(&format!("  \"{}\"…  ", "n".repeat(120))),
        "{told}"
    );
    let shown = [
        r#""""#,
        r#"" padded ""#,
        r#""two\nlines""#,
        r#""\u{1b}[31mred""#,
        r#""quo\"te""#,
        r#""back\\slash""#,
        r#""\u{202e}backwards""#,
        "走る",
        "plain name-1.x",
    ];
    for (row, shown) in rows[2..].iter().zip(shown) {
        assert!(row.contains(&format!("  {shown}  ")), "{row}");
    }
    // The columns after the names are aligned, even with wide characters.
    let widths: Vec<usize> = rows[2..]
        .iter()
        .map(|row| row.chars().count() + row.matches(['走', 'る']).count())
        .collect();
    assert!(widths.iter().all(|width| *width == widths[0]), "{widths:?}");
    let report = json(&desk, &["names\u{1b}.pchr"]);
    for (i, name) in names.iter().enumerate() {
        assert_eq!(report["bones"][i + 1]["name"], *name);
    }
}

#[test]
fn long_tables_say_how_much_is_left_out_and_all_lists_it() {
    let mut builder = Builder::new();
    for i in 0..1200 {
        builder = builder.bone(&format!("bone_{i}"), None);
    }
    let desk = Desk::new();
    desk.put("many.pchr", &builder);
    let some = inspect(&desk, &["many.pchr"]);
    let rows = table(&some, "Bones");
    assert_eq!(rows.len(), 1 + 40 + 1);
    assert_eq!(rows[41], "  … 1,160 more; list them with --all");
    let all = inspect(&desk, &["many.pchr", "--all"]);
    assert_eq!(inspect(&desk, &["many.pchr", "-v"]), all);
    let quiet = inspect(&desk, &["many.pchr", "-q"]);
    let (summary, _) = some.split_once("\nSections\n").unwrap();
    assert_eq!(quiet, summary);
    let rows = table(&all, "Bones");
    assert_eq!(rows.len(), 1 + 1200);
    assert!(rows[1200].contains("bone_1199"));
    let report = json(&desk, &["many.pchr"]);
    assert_eq!(report["bones"].as_array().unwrap().len(), 1200);
}

#[test]
fn bones_are_listed_below_those_they_hang_on() {
    let desk = Desk::new();
    let builder = Builder::new()
        .bone("hips", None)
        .bone("prop", None)
        .bone("leg", Some(0))
        .bone("handle", Some(1))
        .bone("foot", Some(2))
        .bone("arm", Some(0));
    desk.put("tree.pchr", &builder);
    let told = inspect(&desk, &["tree.pchr"]);
    let names: Vec<&str> = table(&told, "Bones")[1..]
        .iter()
        .map(|row| {
            row[row.find(|c: char| c.is_alphabetic()).unwrap()..]
                .split(' ')
                .next()
                .unwrap()
        })
        .collect();
    assert_eq!(names, ["hips", "leg", "foot", "arm", "prop", "handle"]);
    let report = json(&desk, &["tree.pchr"]);
    assert_eq!(report["bones"][4]["parent"], 2);
    assert_eq!(report["bones"][4]["depth"], 2);
    assert_eq!(report["totals"]["rootBones"], 2);
    assert_eq!(report["totals"]["boneLevels"], 3);
}

#[test]
fn influences_are_counted() {
    let mut builder = puppet();
    let [a, b, c, d] = builder.parts.meshes[2].vertices.first_chunk_mut().unwrap();
    a.bone_weights = [0.25; 4];
    a.bone_ids = [0, 1, 2, 2]; // bone 2 twice: two influences of one bone
    b.bone_weights = [0.5, 0.0, 0.5, -1.0];
    b.bone_ids = [0, 60000, 1, 60000];
    c.bone_weights = [0.0; 4];
    d.bone_weights = [1.0, 0.0, 0.0, 0.0];
    let desk = Desk::new();
    desk.put("skin.pchr", &builder);
    let report = json(&desk, &["skin.pchr"]);
    let mesh = &report["meshes"][2];
    assert_eq!(
        mesh["verticesByInfluences"],
        serde_json::json!([1, 1, 1, 0, 1])
    );
    assert_eq!(mesh["bones"], 3);
    assert_eq!(mesh["owner"], 2);
    let moved = [0, 1, 2].map(|bone| report["bones"][bone]["vertices"].as_u64().unwrap());
    assert_eq!(moved, [4 + 2, 4 + 2, 2]);
    let told = inspect(&desk, &["skin.pchr"]);
    assert!(told.contains("bones per vertex: 0..4"), "{told}");
}

/// Puppet with images of several kinds; the last is not a PNG.
fn gallery() -> Builder {
    let png = |color, depth, data: &[u8]| {
        let mut png = Vec::new();
        let mut encoder = png::Encoder::new(&mut png, 2, 1);
        encoder.set_color(color);
        encoder.set_depth(depth);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(data).unwrap();
        writer.finish().unwrap();
        png
    };
    let rgba = png(
        png::ColorType::Rgba,
        png::BitDepth::Eight,
        &[9, 9, 9, 255, 9, 9, 9, 7],
    );
    let grey = png(
        png::ColorType::Grayscale,
        png::BitDepth::Sixteen,
        &[1, 2, 3, 4],
    );
    let mut builder = puppet();
    for (name, data) in [("rgba", rgba), ("grey", grey), ("broken", vec![1, 2, 3])] {
        builder.parts.images.push(ImageParts {
            name: name.into(),
            width: 4,
            height: 1,
            format: ImageFormat::Png,
            data,
        });
    }
    builder
}

#[test]
fn images_are_decoded_only_when_asked() {
    let desk = Desk::new();
    desk.put("gallery.pchr", &gallery());
    let told = inspect(&desk, &["gallery.pchr"]);
    assert!(table(&told, "Pixels, decoded").is_empty() && told.contains("findings    nothing"));
    let report = json(&desk, &["gallery.pchr"]);
    assert_eq!(report["images"][3]["pixels"], Value::Null);
    assert_eq!(report["images"][5]["decodeError"], Value::Null);

    let output = desk.run_pchr(&["inspect", "gallery.pchr", "--images"]);
    assert_eq!(output.status.code(), Some(4));
    let rows = table(text(&output), "Pixels, decoded");
    assert_eq!(
        rows,
        [
            "  #  image    pixels  colour           opaque  translucent  transparent",
            "  0  image 0   1 x 1  rgba, 8 bit        100%           0%           0%",
            "  1  image 1   1 x 1  rgba, 8 bit        100%           0%           0%",
            "  2  image 2   1 x 1  rgba, 8 bit        100%           0%           0%",
            "  3  rgba      2 x 1  rgba, 8 bit       50.0%        50.0%           0%",
            "  4  grey      2 x 1  grey, 16 bit       100%           0%           0%",
            "  5  broken        -  does not decode       -            -            -",
        ]
    );
    let findings = table(text(&output), "Findings");
    assert!(findings[0].starts_with("  error: PCHR-E008 image-decode: images[5].data"));
    assert!(findings[1].starts_with("  warning: PCHR-W107 image-size: images[3].width"));
    assert!(findings[1].ends_with("declared as 4 x 1, but the PNG is 2 x 1 (and 1 more)"));
    let first = "error: gallery.pchr: PCHR-E008 image-decode: images[5].data";
    assert!(said(&output).starts_with(first), "{}", said(&output));

    let output = desk.run_pchr(&["inspect", "gallery.pchr", "--images", "--json"]);
    assert_eq!(output.status.code(), Some(4));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["images"][4]["pixels"]["bitDepth"], 16);
    let why = report["images"][5]["decodeError"].as_str().unwrap();
    assert!(why.contains("not a PNG: it begins with "), "{why}");
}

#[test]
fn what_is_printed_is_what_the_published_schema_says() {
    let desk = Desk::new();
    let schema = desk.run_pchr(&["schema", "inspect"]);
    succeeded(&schema);
    let schema = serde_json::from_slice(&schema.stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    desk.put("gallery.pchr", &gallery());
    desk.put("nothing.pchr", &Builder::new());
    for args in [
        &["puppet.pchr"][..],
        &["nothing.pchr"],
        &["gallery.pchr", "--images"],
    ] {
        let output = desk.run_pchr(&[&["inspect", "--json"], args].concat());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&report)
            .map(|e| e.to_string())
            .collect();
        assert_eq!(errors, Vec::<String>::new(), "{args:?}");
    }
    assert!(!validator.is_valid(&serde_json::json!({"file": "hero.pchr"})));
}

#[test]
fn absent_values_are_null() {
    let desk = Desk::new();
    let mut builder = puppet();
    for vertex in &mut builder.parts.meshes[1].vertices {
        vertex.bone_weights = [0.0; 4];
    }
    desk.put("free.pchr", &builder);
    assert_eq!(
        json(&desk, &["free.pchr"])["meshes"][1]["owner"],
        Value::Null
    );
    desk.put("nothing.pchr", &Builder::new());
    let report = json(&desk, &["nothing.pchr"]);
    assert_eq!(report["bounds"], Value::Null);
    assert_eq!(report["defaultAnimation"], Value::Null);
    assert_eq!(report["bindPose"]["source"], "absent");
    let seconds = report["totals"]["seconds"].to_string();
    assert_eq!(seconds, "0.0", "and not -0.0");
}

#[test]
fn files_come_from_stdin_and_readers_may_leave() {
    let desk = Desk::new();
    desk.put("deep.pchr", &puppet());
    let stdin = std::fs::File::open(desk.path("deep.pchr")).unwrap();
    let output = desk
        .pchr()
        .args(["inspect", "-"])
        .stdin(stdin)
        .output()
        .unwrap();
    succeeded(&output);
    assert!(text(&output).starts_with("stdin: PCHR v1, 1.52 KiB"));

    let mut builder = Builder::new();
    for i in 0..5000 {
        builder = builder.bone(&format!("bone_{i}"), None);
    }
    desk.put("many.pchr", &builder);
    for form in ["--all", "--json"] {
        let mut program = desk.pchr();
        program.args(["inspect", "many.pchr", form]);
        let mut running = program
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(running.stdout.take()); // the output is far larger than the pipe's buffer
        let output = running.wait_with_output().unwrap();
        succeeded(&output);
        assert_eq!(said(&output), "");
    }
}

#[test]
fn another_format_is_told_of_as_it_would_be_packed() {
    let desk = Desk::new();
    let file = r#"{"version": 1, "fps": 12, "images": [], "bones": [{"name": "root", "parent": -1}], "meshes": [],
        "animations": [{"name": "bind", "flags": 0, "frames": [[{"x": 0, "y": 0, "rotation": 0, "scaleX": 0, "scaleY": 1,
        "flags": 1, "zOrder": 0}]]}]}"#;
    desk.put_bytes("hero.json", file.as_bytes());
    let told = inspect(&desk, &["hero.json"]);
    assert!(
        told.starts_with("hero.json: PCHR JSON; packed to PCHR v1 it takes 60 bytes\n"),
        "{told}"
    );
    assert_eq!(
        table(&told, "Sections (bytes as they would be packed to PCHR v1)").len(),
        6
    );
    let place = "bone-bind-degenerate: animations[0].frames[0][0] at line 2, column 65 (byte ";
    assert!(told.contains(place), "{told}");
    let report = json(&desk, &["hero.json"]);
    assert_eq!(report["format"], "pchr-json");
    let mut findings = report["findings"].as_array().unwrap().iter();
    assert!(findings.any(|found| found["id"] == "PCHR-W112" && found["line"] == 2));
}

#[test]
fn animations_without_frames_are_told_of() {
    let desk = Desk::new();
    let mut builder = puppet();
    builder.parts.animations = vec![AnimationParts {
        name: "empty".into(),
        flags: 1,
        ..AnimationParts::default()
    }];
    desk.put("empty.pchr", &builder);
    let report = json(&desk, &["empty.pchr"]);
    assert_eq!(report["defaultAnimation"], Value::Null);
    assert_eq!(report["animations"][0]["bounds"], Value::Null);
    // Vertices are drawn as stored.
    let bounds = serde_json::json!({"min": [-70.0, -40.0], "max": [70.0, 20.0]});
    assert_eq!(report["bounds"], bounds);
    let told = inspect(&desk, &["empty.pchr"]);
    assert!(told.contains("y -40.0..20.0, as stored\n"), "{told}");
    let row = "  0  empty      loop        0     0.00  -  -       -  ";
    assert!(table(&told, "Animations")[1].starts_with(row), "{told}");
}

#[test]
fn billions_of_frames_that_take_no_bytes_are_no_trouble() {
    let mut builder = Builder::new();
    let endless = AnimationParts {
        name: "a".into(),
        frame_count: u16::MAX,
        ..AnimationParts::default()
    };
    builder.parts.animations = vec![endless; usize::from(u16::MAX)];
    let desk = Desk::new();
    desk.put("endless.pchr", &builder);
    let told = inspect(&desk, &["endless.pchr"]);
    assert!(
        told.contains("  playing     4,294,836,225 frames, "),
        "{told}"
    );
}

#[test]
#[cfg(unix)]
fn the_examples_of_the_help_work() {
    let desk = Desk::new();
    desk.put("hero.pchr", &puppet());
    desk.put_bytes("hero.pct", crate::pchr::atlas::TEXT.as_bytes());
    desk.put_bytes("page.png", &crate::pchr::atlas::page());
    desk.put_bytes("walk.seanim", &crate::pchr::motion::walk());
    desk.put_bytes("walk.anm.pxd", &crate::pchr::pxd::files()[1].1);
    desk.put_bytes("hero.skl.pxd", &crate::pchr::pose::skeleton());
    let glb = [
        "convert",
        "hero.skl.pxd",
        "--motion",
        "walk.seanim",
        "-o",
        "hero.glb",
    ];
    succeeded(&desk.run_pchr(&glb));
    let help = desk.run_pchr(&["inspect", "--help"]);
    let examples = text(&help)
        .lines()
        .filter_map(|line| line.strip_prefix("  pchr "));
    let mut run = 0;
    for example in examples {
        let ours = example.split(" | ").next().unwrap(); // other programs follow the pipe
        let mut shell = std::process::Command::new("sh");
        let script = format!("\"$PCHR\" {ours}");
        shell
            .args(["-c", &script])
            .env("PCHR", desk.pchr().get_program());
        let output = shell.current_dir(desk.folder()).output().unwrap();
        succeeded(&output);
        assert!(!output.stdout.is_empty(), "{example}");
        run += 1;
    }
    assert_eq!(run, 13);
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn every_character_of_the_corpus_is_told_of() {
    let desk = Desk::new();
    let corpus = std::path::PathBuf::from(std::env::var_os("PCHR_CORPUS").unwrap());
    let mut seen = 0;
    for folder in std::fs::read_dir(corpus.join("characters")).unwrap() {
        let folder = folder.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let name = path.to_str().unwrap();
            if path.extension().is_none_or(|e| e == "png") {
                continue;
            }
            let report = json(&desk, &["--images", name]);
            if report["format"] == "pchr" {
                ranges_hold(&std::fs::read(&path).unwrap(), &report);
                seen += 1;
            }
        }
    }
    assert!(seen >= 10, "{seen}");
}

#[test]
fn as_many_elements_as_a_file_can_hold_are_listed() {
    let many = usize::from(u16::MAX);
    let mut builder = Builder::new();
    let image = ImageParts {
        format: ImageFormat::Rgba8888,
        ..ImageParts::default()
    };
    builder.parts.images = vec![image; many];
    builder.parts.bones = vec![BoneParts::default(); many];
    builder.parts.meshes = vec![MeshParts::default(); many];
    builder.parts.animations = vec![AnimationParts::default(); many];
    let desk = Desk::new();
    desk.put("many.pchr", &builder);
    let output = desk.run_pchr(&["inspect", "many.pchr"]);
    succeeded(&output);
    let contents =
        "65,535 images, 65,535 bones (65,535 roots, 1 level), 65,535 meshes, 65,535 animations";
    assert!(text(&output).contains(contents), "{}", text(&output));
}
