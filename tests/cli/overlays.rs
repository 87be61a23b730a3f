//! Tests of overlays: positions on the command line and in the picture.

use pchr::overlay::ramp;

use crate::desk::{Desk, PLAIN, Picture, said};
use crate::fixture::{GREEN, RED};

const ACCENT: [u8; 4] = [255, 96, 190, 255];
const AXIS_X: [u8; 4] = [255, 92, 92, 255];
const AXIS_Y: [u8; 4] = [86, 210, 110, 255];
const BONE: [u8; 4] = [255, 228, 168, 255];
const BONE_SHADE: [u8; 4] = [226, 168, 84, 255];
const BOX: [u8; 4] = [168, 226, 110, 255];
const FRAME_BOX: [u8; 4] = [255, 166, 64, 255];
const TEXT: [u8; 4] = [255; 4];

fn with(desk: &Desk, list: &str) -> Picture {
    desk.plain(&["--overlay", list])
}

/// Range of columns in which two pictures differ.
fn changed(a: &Picture, b: &Picture) -> Option<(usize, usize)> {
    let pairs = a.pixels.iter().zip(&b.pixels).enumerate();
    let columns = pairs.filter(|(_, (a, b))| a != b).map(|(i, _)| i % a.width);
    columns.fold(None, |bounds, x| {
        let (low, high) = bounds.unwrap_or((x, x));
        Some((low.min(x), high.max(x)))
    })
}

#[test]
fn the_axes_cross_at_the_origin() {
    let shown = with(&Desk::new(), "origin");
    assert_eq!([shown.at(130, 60), shown.at(110, 60)], [AXIS_X; 2]);
    assert_eq!([shown.at(100, 30), shown.at(100, 50)], [AXIS_Y; 2]);
    let (columns, rows) = shown.extent(AXIS_X).unwrap();
    assert_eq!(*columns.end(), 143, "44 pixels long, to the right");
    assert!(rows.contains(&60));
    let (_, rows) = shown.extent(AXIS_Y).unwrap();
    assert_eq!(*rows.start(), 17, "upwards");
    let down = Desk::new().plain(&["--overlay", "origin", "--y-down"]);
    let (_, rows) = down.extent(AXIS_Y).unwrap();
    assert_eq!(*rows.end(), 103, "downwards");
}

#[test]
fn boxes_lie_around_each_mesh_and_around_all() {
    let shown = with(&Desk::new(), "bounds");
    // Red covers columns and rows 40 to 79; the lines are centred on its edges.
    assert_eq!([shown.at(40, 60), shown.at(80, 60)], [BOX; 2]);
    assert_eq!((shown.at(60, 80), shown.at(100, 90)), (BOX, BOX));
    assert_eq!(shown.at(60, 60), RED);
    let around = shown.extent(FRAME_BOX).unwrap();
    assert_eq!(around, (29..=170, 39..=100));
    assert_eq!([shown.at(29, 60), shown.at(30, 60)], [FRAME_BOX; 2]);
}

#[test]
fn the_wireframe_shows_the_sides_of_triangles_and_leaves_what_is_between() {
    let desk = Desk::new();
    let (plain, shown) = (desk.plain(&[]), with(&desk, "wireframe"));
    assert_eq!(changed(&plain, &shown), Some((28, 170)));
    // The diagonal goes from the lower left to the upper right.
    for (x, y) in [(40, 60), (60, 40), (59, 60), (45, 74)] {
        assert_ne!(shown.at(x, y), RED, "{x} {y}");
    }
    assert_eq!([shown.at(50, 50), shown.at(70, 70)], [RED; 2]);
}

#[test]
fn weights_colour_the_meshes_that_the_bone_moves_and_no_others() {
    let desk = Desk::new();
    let shown = with(&desk, "weights=red");
    let wanted = ramp(1.0).into_iter().zip(RED);
    for (got, (ramp, behind)) in shown.at(60, 60).into_iter().zip(wanted) {
        let mixed = (u16::from(ramp) * 225 + u16::from(behind) * 30) / 255;
        assert!(u16::from(got).abs_diff(mixed) <= 2, "{got} {mixed}");
    }
    assert_eq!(shown.at(140, 60), GREEN);
    assert_eq!(shown, with(&desk, "weights=#1"));
    assert_ne!(shown, with(&desk, "weights=green"));
}

#[test]
fn a_chosen_mesh_has_an_outline_even_when_it_is_hidden() {
    let desk = Desk::new();
    let shown = with(&desk, "mesh=part.red");
    for (x, y) in [(39, 60), (40, 60), (79, 60), (80, 60), (60, 39), (60, 80)] {
        assert_eq!(shown.at(x, y), ACCENT, "{x} {y}");
    }
    assert_eq!(shown.at(50, 50), RED);
    assert_ne!(shown.at(59, 60), RED, "the inner edge is drawn too");
    assert_eq!(shown, with(&desk, "mesh=#1"));
    let hidden = desk.plain(&["--overlay", "mesh=part.red", "--hide", "part.red"]);
    assert_eq!((hidden.at(40, 60), hidden.at(50, 50)), (ACCENT, [0; 4]));
}

#[test]
fn bones_go_from_joint_to_joint() {
    let desk = Desk::new();
    let shown = with(&desk, "bones");
    // From the root at 100, 60 to the joint of red at 60, 60, and to the joint of green at 140, 60.
    for x in [80, 85, 115, 120] {
        assert_eq!(
            [shown.at(x, 59), shown.at(x, 60)],
            [BONE, BONE_SHADE],
            "{x}"
        );
    }
    let chosen = with(&desk, "bone=root");
    assert_eq!(chosen.at(85, 59), ACCENT);
    let only = with(&desk, "bone=#2");
    assert_eq!(
        changed(&desk.plain(&[]), &only).map(|(left, _)| left > 120),
        Some(true)
    );
}

#[test]
fn names_and_numbers_are_written_beside_what_they_name() {
    let desk = Desk::new();
    let names = with(&desk, "names");
    let text = |left: usize, right: usize| {
        let pixels = names.pixels.iter().enumerate();
        let there =
            pixels.filter(|(i, pixel)| **pixel == TEXT && (left..right).contains(&(i % 200)));
        there.count()
    };
    assert!(text(66, 85) > 20, "red");
    assert!(text(106, 131) > 20, "root");
    assert!(text(146, 177) > 20, "green");
    assert_eq!(text(0, 66) + text(131, 146) + text(177, 200), 0);
    let order = with(&desk, "order");
    let (columns, _) = order.extent(TEXT).unwrap();
    assert!(
        (55..=65).contains(columns.start()),
        "red is the first from the left"
    );
    assert_eq!(
        desk.plain(&["--hide", "*", "--overlay", "order"])
            .count(TEXT),
        0
    );
}

#[test]
fn a_list_may_be_in_parts_and_in_any_order() {
    let desk = Desk::new();
    let whole = with(&desk, "bones,bounds,mesh=#1,weights=red");
    let parts = desk.plain(&[
        "--overlay",
        "weights=red",
        "--overlay",
        "bounds, mesh=part.red,bones",
    ]);
    assert_eq!(whole, parts);
}

#[test]
fn a_scale_makes_everything_larger() {
    let desk = Desk::new();
    let shown = desk.plain(&["--overlay", "bounds", "--overlay-scale", "3"]);
    assert_eq!(shown.extent(FRAME_BOX), Some((27..=172, 37..=102)));
    assert_eq!(
        [shown.at(39, 60), shown.at(40, 60), shown.at(41, 60)],
        [BOX; 3]
    );
    let none = desk.plain(&["--overlay-scale", "3"]);
    assert_eq!(
        none,
        desk.plain(&[]),
        "without an overlay it changes nothing"
    );
}

#[test]
fn pictures_with_overlays_do_not_depend_on_threads() {
    let desk = Desk::new();
    let all = "bones,names,wireframe,bounds,origin,order,weights=red,mesh=#0,bone=root";
    let files = |jobs: &str, msaa: &str| {
        let args = [
            "-f",
            "all",
            "-a",
            "all",
            "--overlay",
            all,
            "--jobs",
            jobs,
            "--msaa",
            msaa,
        ];
        let output = ["-o", "out/{animation}-{frame}.png"];
        desk.capture("puppet.pchr", &[&args[..], &output].concat());
        let files = desk.files("out");
        desk.remove("out");
        files
    };
    for msaa in ["1", "4"] {
        let alone = files("1", msaa);
        assert_eq!(alone.len(), 12);
        assert!(alone == files("5", msaa), "{msaa}");
    }
}

#[test]
fn what_is_no_overlay_or_is_not_there_is_listed() {
    let desk = Desk::new();
    for (list, wanted) in [
        ("skeleton", "expected bones, names, wireframe, bounds"),
        ("bones,", "invalid overlay"),
        ("weights", "invalid overlay"),
        (
            "weights=hat",
            r#"no bone is named "hat"; available: "root", "red", "green""#,
        ),
        ("weights=#3", r##"no bone is named "#3""##),
        ("bone=part.red", "no bone is named"),
        (
            "mesh=red",
            r#"no mesh is named "red"; available: "shadow", "part.red", "part.green""#,
        ),
    ] {
        let args = [
            &["capture", "puppet.pchr", "-o", "a.png", "--overlay", list],
            &PLAIN[..],
        ];
        let output = desk.run(&args.concat());
        assert_eq!(output.status.code(), Some(2), "{list}");
        assert!(said(&output).contains(wanted), "{list}: {}", said(&output));
        assert_eq!(desk.made(), [""; 0]);
    }
}
