//! Lists of meshes and bones, and the list of files, by what is seen of them.

use super::*;
use crate::viewer::state::tests::walk::swapping;

/// Bones that hang on each other, and move to the right; no meshes.
fn chain(bones: u16) -> &'static [u8] {
    let chain = (0..bones).fold(Builder::new(), |builder, bone| {
        builder.bone(&format!("bone {bone}"), bone.checked_sub(1))
    });
    let frame = |x: u8| vec![at(f32::from(x), 0.0); usize::from(bones)];
    chain.animation("move", true, &[frame(1), frame(2)]).bytes().leak()
}

fn tree_item<'a>(harness: &'a Window, name: &'a str) -> egui_kittest::Node<'a> {
    harness.get_by_role_and_label(Role::TreeItem, name)
}

#[test]
fn a_file_with_bones_alone_lists_draws_and_fits_them() {
    let harness = window_of(chain(4), |_| ());
    let state = harness.state();
    assert!(state.is_bare() && state.overlays(1).has(Layer::Bones));
    assert!(!state.is_on(Switch::Overlay(Layer::Bones)), "other files are drawn without");
    // From 1 on the first frame to 4 * 2 on the second.
    assert_eq!(state.camera().center, [4.5, 0.0]);
    let [width, _] = state.viewport();
    let zoom = f64::from(width) * 0.9 / 7.0;
    assert!((state.camera().zoom - zoom).abs() < 1e-3 * zoom && has(&harness, "bone 3"));
    assert!(!has(&harness, "Filter meshes"));
    let harness = window(|_| ());
    assert!(!harness.state().is_bare() && !harness.state().overlays(1).has(Layer::Bones));
}

#[test]
fn the_bone_of_a_link_comes_into_sight_below_the_mesh() {
    let mut harness = window(|_| ());
    resize(&mut harness, [700.0, 420.0]);
    apply(&mut harness, PartAction::ChooseMesh(Some(MeshId(0))));
    let before = harness.get_by_label("Deselect mesh").rect();
    apply_and_wait(&mut harness, PartAction::ChooseBone(Some(BoneId(1))));
    let head = harness.get_by_label("Deselect bone").rect();
    assert!(head.bottom() < 400.0, "{head:?}");
    let mesh = harness.query_by_label("Deselect mesh").map(|node| node.rect());
    assert!(mesh.is_none_or(|mesh| mesh.top() < before.top()), "{mesh:?} {before:?}");
}

#[test]
fn each_bone_lies_to_the_right_of_the_one_that_it_hangs_on_and_those_of_a_filter_at_the_left() {
    let mut harness = window_of(chain(24), |_| ());
    for bone in 0..23_u16 {
        let next = bone + 1;
        let of = |harness: &Window, bone: u16| {
            harness.query_by_label(&format!("Fold bone {bone}")).map(|node| node.rect().left())
        };
        // The last one has nothing to fold; of others only those in sight are there.
        if let Some((here, there)) = of(&harness, bone).zip(of(&harness, next)) {
            let by = there - here;
            assert!(by > 1.0 && by < 12.5, "{bone}: {here} {there}");
            assert!(bone > 3 || by > 11.5, "{bone}: {here} {there}");
        }
    }
    // A selection made elsewhere is scrolled into view.
    apply_and_wait(&mut harness, PartAction::ChooseBone(Some(BoneId(23))));
    let row = tree_item(&harness, "bone 23").rect();
    let fold = harness.get_by_label("Fold bone 22").rect();
    let [width, height] = super::SIZE;
    assert!(row.bottom() < height && fold.right() < width - 20.0, "{row:?} {fold:?}");
    assert!(fold.left() > width - 300.0, "{fold:?}");
    let mut harness = window_of(chain(300), |_| ());
    let left = harness.get_by_label("Fold bone 0").rect().left();
    apply(&mut harness, PartAction::Filter(Tab::Bones, "bone 150".to_owned()));
    let fold = harness.get_by_label("Fold bone 150").rect();
    assert!((fold.left() - left).abs() < 0.5, "{fold:?} {left}");
}

#[test]
fn long_names_are_cut_in_the_middle() {
    let harness = window(|_| ());
    let cut = |text: &str, width: f32| {
        let mut found = String::new();
        let output = harness.ctx.clone().run_ui(egui::RawInput::default(), |ui| {
            found = widgets::cut(ui, text, width).into_owned();
        });
        output.drop_without_applying_deltas();
        found
    };
    let name = "character_left_upper_arm_sleeve_front_02";
    assert_eq!(cut(name, 1000.0), name);
    let short = cut(name, 120.0);
    assert!(short.starts_with("charac") && short.ends_with("t_02"), "{short}");
    assert!(short.contains('…') && short.len() < name.len());
    assert_eq!(cut(name, 0.0), "…");
    assert_eq!(cut("", 0.0), "");
    assert_ne!(short, cut("character_left_upper_arm_sleeve_front_03", 120.0));
}

#[test]
fn rows_keep_their_places_under_the_pointer() {
    let mut harness = window_of(swapping(), |_| ());
    let top = |harness: &Window| {
        let of = |name: &str| harness.get_by_label(name).rect().top();
        if of("square 0") < of("square 1") { 0 } else { 1 }
    };
    assert_eq!(top(&harness), 0);
    let row = harness.get_by_label("square 0").rect().center();
    hover(&mut harness, row);
    let step = Action::Playback(PlaybackAction::Step(1));
    apply(&mut harness, step.clone());
    assert_eq!(top(&harness), 0, "the pointer is over it");
    hover(&mut harness, pos2(200.0, 300.0));
    assert_eq!(top(&harness), 1);
    click(&mut harness, "Sort list by current draw order");
    hover(&mut harness, row);
    apply(&mut harness, step);
    assert_eq!(top(&harness), 0);
}

#[test]
fn clicks_on_an_arrow_move_the_same_mesh_by_as_many_places() {
    let mut harness = window_of(crowd(5), |_| ());
    let orders = |harness: &Window| {
        harness.state().model().unwrap().rows().iter().map(|mesh| mesh.0).collect::<Vec<_>>()
    };
    assert_eq!(orders(&harness), [4, 3, 2, 1, 0]);
    let down = harness.get_by_label("Move mesh 04 down").rect().center();
    for wanted in [[3, 4, 2, 1, 0], [3, 2, 4, 1, 0], [3, 2, 1, 4, 0]] {
        click_at(&mut harness, down);
        assert_eq!(orders(&harness), wanted);
    }
}

#[test]
fn a_row_that_is_dragged_in_slow_frames_is_the_one_that_was_pressed() {
    let mut harness = window(|_| ());
    let row = |harness: &Window, name: &str| {
        harness.get_by_role_and_label(Role::ListBoxOption, name).rect().center()
    };
    let is_above = |harness: &Window, a: &str, b: &str| row(harness, a).y < row(harness, b).y;
    assert!(is_above(&harness, "shoe", "hat"));
    // The upper row below the lower one and back, each released in the frame of its press, or in the next.
    for split in [false, true] {
        for (from, to) in [("shoe", "hat"), ("hat", "shoe"), ("hat", "shoe"), ("shoe", "hat")] {
            let was = is_above(&harness, from, to);
            let [start, end] = [row(&harness, from), row(&harness, to)];
            harness.event(Event::PointerMoved(start));
            harness.event(button(start, true));
            harness.event(Event::PointerMoved(end));
            if split {
                harness.step();
            }
            harness.event(button(end, false));
            harness.run_ok();
            assert_ne!(is_above(&harness, from, to), was, "{from} to {to}, {split}");
        }
    }
}

/// Many meshes on a bone, in a file with one animation.
fn crowd(meshes: u16) -> &'static [u8] {
    let one = Builder::new().image(1, &[WHITE]).bone("root", None);
    let crowd = (0..meshes).fold(one, |builder, mesh| {
        builder.quad(&format!("mesh {mesh:02}"), 0, 0, [0.0, 0.0], [40.0, 40.0])
    });
    crowd.still("walk", true, 8).bytes().leak()
}

fn choose(harness: &mut Window, mesh: u16) {
    apply_and_wait(harness, PartAction::ChooseMesh(Some(MeshId(mesh))));
}

/// Place of a row that is wholly in sight, above the details of what is chosen.
fn in_sight(harness: &Window, name: &str) -> Option<Rect> {
    let top = harness.get_by_label("Filter meshes").rect().bottom();
    let details = harness.query_by_label("Deselect mesh");
    let bottom = details
        .map_or_else(|| harness.ctx.content_rect().bottom() - 28.0, |details| details.rect().top());
    let row = harness.query_by_label(name)?.rect();
    Some(row).filter(|row| row.top() >= top && row.bottom() <= bottom)
}

#[test]
fn a_list_keeps_three_rows_above_the_details_and_shows_the_chosen_one() {
    let mut harness = window_of(crowd(40), |_| ());
    let widths = [600.0, 640.0, 700.0, 800.0, 1024.0];
    let heights = (360..=760_u16).step_by(40);
    let mut mesh = 0;
    for (width, height) in heights.flat_map(|height| widths.map(|width| (width, height))) {
        let size = [width, f32::from(height)];
        resize(&mut harness, size);
        mesh = (mesh + 17) % 40;
        choose(&mut harness, mesh);
        let name = format!("mesh {mesh:02}");
        assert!(in_sight(&harness, &name).is_some(), "{size:?}: {name}");
        let names = (0..40).map(|mesh| format!("mesh {mesh:02}"));
        let rows = names.filter(|name| in_sight(&harness, name).is_some()).count();
        assert!(rows >= 3, "{size:?}: {rows}");
    }
    // The chosen row stays in sight in a lower window.
    resize(&mut harness, SIZE);
    choose(&mut harness, 20);
    resize(&mut harness, [1024.0, 420.0]);
    harness.run_ok();
    assert!(in_sight(&harness, "mesh 20").is_some());
}

#[test]
fn a_row_that_is_clicked_stays_in_sight_when_its_details_appear() {
    for size in [[1280.0, 800.0], [1024.0, 640.0], [1600.0, 1000.0]] {
        let mut harness = window_of(crowd(40), |_| ());
        resize(&mut harness, size);
        let names: Vec<String> = (0..40).map(|mesh| format!("mesh {mesh:02}")).collect();
        let lowest = |harness: &Window| {
            let rows =
                names.iter().filter_map(|name| Some((in_sight(harness, name)?, name.clone())));
            rows.max_by(|(a, _), (b, _)| a.top().total_cmp(&b.top())).unwrap()
        };
        let (row, name) = lowest(&harness);
        let at = row.center();
        let events = [Event::PointerMoved(at), button(at, true), button(at, false)];
        one_by_one(&mut harness, events);
        harness.run_steps(8);
        assert_eq!(lowest(&harness).1, name, "{size:?}");
    }
}
