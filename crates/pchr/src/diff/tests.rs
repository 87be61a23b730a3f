//! Each change of a puppet is found and named, with its effect; what does not show is told apart.

use super::*;
use crate::character::Character;
use crate::document::{BoneParts, DocumentParts};
use crate::fixture::{self, GREEN, puppet};
use crate::pose::BindChoice;
use crate::scene::CurveKind;

fn diff_of(old: &DocumentParts, new: &DocumentParts) -> Diff {
    let [old, new] = [old, new].map(|parts| {
        let character = Character::new(fixture::read(parts), BindChoice::Auto);
        let model = RasterModel::decoded(&character);
        (character, model)
    });
    let old = DiffSide { subject: &old.0, model: &old.1 };
    let new = DiffSide { subject: &new.0, model: &new.1 };
    DiffJob { old, new }.run()
}

/// Changes the puppet, and returns what is found.
fn after(change: impl FnOnce(&mut DocumentParts)) -> Diff {
    let old = puppet().parts;
    let mut new = old.clone();
    change(&mut new);
    diff_of(&old, &new)
}

/// Name and change of each element.
fn told(diff: &Diff) -> Vec<(&str, &ChangeKind)> {
    diff.changes.iter().map(|change| (change.element.name.as_str(), &change.kind)).collect()
}

fn clip<'a>(diff: &'a Diff, name: &str) -> &'a ClipDiff {
    let is_it = |clip: &&ClipDiff| clip.clip.as_ref().is_some_and(|clip| clip.name == name);
    diff.clips.iter().find(is_it).unwrap()
}

#[test]
fn equal_files_have_no_changes() {
    let diff = after(|_| ());
    assert_eq!(diff, Diff::default());
    assert!(diff.is_same_content() && !diff.is_visible());
    assert!(diff.largest().is_none());
}

#[test]
fn keys_that_move_a_mesh_are_found_on_their_frames_with_the_distance() {
    // Red in frames 1 and 2 of walk.
    let diff = after(|parts| {
        parts.animations[1].transforms[3 + 1].x += 3.0;
        parts.animations[1].transforms[6 + 1].y += 7.0;
    });
    let [(name, ChangeKind::Keys { bone, kinds, frames })] = told(&diff)[..] else {
        panic!("{:?}", told(&diff));
    };
    assert_eq!((name, bone.name.as_str(), &frames[..]), ("walk", "red", &[1..=2][..]));
    assert!(kinds.has(CurveKind::Translation) && !kinds.has(CurveKind::Rotation));
    let walk = clip(&diff, "walk");
    let movement = walk.movement.as_ref().unwrap();
    assert_eq!((movement.frames.as_slice(), movement.frame), (&[1..=2][..], 2));
    assert!((movement.distance - 7.0).abs() < 1e-6, "{}", movement.distance);
    assert_eq!(movement.part.name, "part.red");
    let picture = walk.picture.as_ref().unwrap();
    // A square of 40 by 40 that is 7 higher: two bars of 40 by 7, at a pixel a unit.
    assert_eq!((picture.frame, picture.pixels, picture.scale), (2, 560, 1.0));
    assert_eq!(diff.clips.len(), 1, "other animations are equal");
    assert!(diff.is_visible());
    assert_eq!(diff.largest().unwrap().1, movement);
}

#[test]
fn weights_positions_and_texture_coordinates_are_counted() {
    let diff = after(|parts| {
        for vertex in &mut parts.meshes[1].vertices[..3] {
            vertex.bone_ids = [1, 2, 0, 0];
            vertex.bone_weights = [0.75, 0.25, 0.0, 0.0];
        }
        parts.meshes[1].vertices[0].position[0] += 2.0;
        parts.meshes[2].vertices[1].uv[0] = 0.5;
        // A slot without weight does not count.
        parts.meshes[0].vertices[0].bone_ids[1] = 2;
    });
    let changes = told(&diff);
    assert!(changes.contains(&("part.red", &ChangeKind::Positions { count: 1, distance: 2.0 })));
    assert!(changes.contains(&("part.red", &ChangeKind::Weights { count: 3, largest: 0.25 })));
    assert!(changes.contains(&("part.green", &ChangeKind::Uvs { count: 1, distance: 0.5 })));
    assert_eq!(changes.len(), 3, "{changes:?}");
    assert!(clip(&diff, "walk").movement.is_some(), "red follows green, too");
}

#[test]
fn what_does_not_show_is_no_visible_change() {
    // All texels are equal, so other texture coordinates show nothing.
    let diff = after(|parts| parts.meshes[2].vertices[1].uv[0] = 0.5);
    assert!(!diff.is_same_content() && !diff.is_visible());
    assert!(clip(&diff, "bind").picture.is_none());
    // Only the bytes: raw pixels instead of a PNG.
    let diff = after(|parts| {
        let image = &mut parts.images[1];
        image.format = crate::document::ImageFormat::Rgba8888;
        image.data = GREEN.to_vec();
        (image.width, image.height) = (1, 1);
    });
    let changes = told(&diff);
    assert!(changes.iter().all(|(_, kind)| **kind == ChangeKind::Encoding), "{changes:?}");
    assert!(diff.is_same_content() && diff.clips.is_empty());
}

#[test]
fn other_pixels_of_an_image_show_where_it_is_drawn() {
    let diff = after(|parts| {
        let image = &mut parts.images[1];
        image.format = crate::document::ImageFormat::Rgba8888;
        image.data = vec![40, 100, 60, 255];
    });
    let texels = diff.changes.first().map(|change| &change.kind);
    let Some(ChangeKind::Texels { count: 1, largest: 100, .. }) = texels else {
        panic!("{texels:?}");
    };
    let blink = clip(&diff, "blink").picture.as_ref().unwrap();
    assert_eq!(blink.frames, [0..=0, 2..=2], "green is hidden on frame 1");
    assert!(clip(&diff, "blink").movement.is_none());
}

#[test]
fn order_and_visibility_are_told_apart_from_movement() {
    let diff = after(|parts| {
        parts.animations[3].transforms[1].z_order = -1; // behind green on both frames of swap
        parts.animations[1].transforms[5].flags = 0; // green on frame 1 of walk
    });
    for (name, frame) in [("swap", 0), ("walk", 1)] {
        let clip = clip(&diff, name);
        assert_eq!((clip.order.as_slice(), &clip.movement), (&[frame..=frame][..], &None));
        assert!(clip.is_visible(), "{name}");
    }
}

#[test]
fn elements_are_added_removed_renamed_and_reparented() {
    let diff = after(|parts| {
        parts.bones[2].name = "verde".into();
        parts.bones[1].parent = None;
        parts.bones.push(BoneParts { name: "tail".into(), parent: Some(0) });
        for animation in &mut parts.animations {
            let frames = animation.transforms.chunks(3);
            let longer = frames.flat_map(|frame| [frame, &[fixture::at(0.0, 0.0)]].concat());
            animation.transforms = longer.collect();
        }
        parts.meshes[0].name = "floor".into();
        parts.animations[4].name = "hop".into();
        parts.animations.remove(2);
        parts.fps = 20;
    });
    let changes = told(&diff);
    let renamed = |from: &str| ChangeKind::Renamed(from.into());
    for change in [
        ("verde", renamed("green")),
        ("red", ChangeKind::Parent(Some("root".into()), None)),
        ("tail", ChangeKind::Added),
        ("floor", renamed("shadow")),
        ("hop", renamed("jump")),
        ("blink", ChangeKind::Removed),
        ("walk", ChangeKind::Rate(10.0, 20.0)),
    ] {
        assert!(changes.contains(&(change.0, &change.1)), "{change:?} is not in {changes:?}");
    }
    assert!(diff.is_visible());
    // In jump everything is 60 higher, but red has no parent any more.
    let hop = clip(&diff, "hop").movement.as_ref().unwrap();
    assert_eq!((hop.frame, hop.part.name.as_str(), hop.distance), (1, "part.red", 60.0));
}

#[test]
fn frames_that_only_one_version_has_are_not_compared() {
    let diff = after(|parts| {
        let walk = &mut parts.animations[1];
        walk.frame_count = 3;
        walk.transforms.truncate(9);
    });
    assert_eq!(told(&diff), [("walk", &ChangeKind::FrameCount(4, 3))]);
    assert!(diff.clips.is_empty() && diff.is_visible());
}

#[test]
fn content_without_animations_is_compared_at_rest() {
    let old = fixture::Builder::rect(1, &[GREEN], [0.0, 0.0], [4.0, 4.0]).parts;
    let mut new = old.clone();
    new.meshes[0].vertices[2].position = [9.0, 4.0];
    let diff = diff_of(&old, &new);
    let [only] = &diff.clips[..] else { panic!("{diff:?}") };
    assert!(only.clip.is_none() && only.is_visible());
    assert_eq!(only.movement.as_ref().unwrap().distance, 5.0);
}

#[test]
fn runs_of_frames_are_joined() {
    assert_eq!(ranges([0, 1, 2, 5, 7, 8]), [0..=2, 5..=5, 7..=8]);
    assert_eq!(ranges([]), []);
}
