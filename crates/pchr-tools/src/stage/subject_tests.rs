//! Tests of stages as subjects, with the CPU renderer.

use std::sync::Arc;

use pchr::character::Character;
use pchr::document::{AnimationId, BoneId, Document, ImageId, Images, MeshId, Vertex};
use pchr::finding::Findings;
use pchr::image::{Pixels, decode_all};
use pchr::playback::FrameAt;
use pchr::pose::{BindChoice, Pose};
use pchr::raster::{Raster, RasterFigure, RasterModel};
use pchr::scene::{Bounds, Frame, Geometry, PlainSweep, Subject, Sweep as _, ViewOptions};

use super::{Layout, Member, Stage, StageError};
use crate::fixture::{Builder, RED, WHITE, picture, puppet, vertex};

const SIZE: [u32; 2] = [200, 160];

fn subject(document: Document) -> Arc<dyn Subject> {
    Arc::new(Character::new(document, BindChoice::Auto))
}

/// A stage of puppets.
fn stage(members: Vec<Member>) -> Stage {
    let subjects = members.iter().map(|_| subject(puppet().document())).collect();
    Stage::new(&Layout { members }, subjects).unwrap()
}

fn member(animation: &str) -> Member {
    let animation = Some(animation.to_owned());
    Member { animation, ..Member::new("puppet.pchr".into()) }
}

/// Draws a frame over a picture.
fn draw(subject: &dyn Subject, at: Option<FrameAt>, out: &mut Pixels) {
    let mut findings = Findings::default();
    let model = RasterModel::new(subject, decode_all(subject, &mut findings));
    assert!(findings.is_empty());
    let frame = Frame::new(subject, at, &ViewOptions::default());
    let picture = picture(SIZE);
    let figure = RasterFigure::new(&model, frame.list(), frame.pose());
    Raster::default().draw_figures(&[figure], &picture, None, None, out).unwrap();
}

fn drawn(stage: &Stage, frame: u16) -> Pixels {
    let mut out = Pixels { width: 0, height: 0, rgba: Vec::new() };
    draw(stage, Some(FrameAt::exact(AnimationId(0), frame)), &mut out);
    assert!(out.rgba.iter().any(|byte| *byte > 0));
    out
}

/// Places of all vertices in a frame of an animation.
fn points(stage: &Stage, animation: u16, frame: u16) -> Vec<[f32; 2]> {
    let at = FrameAt::exact(AnimationId(animation), frame);
    let shown = Frame::new(stage, Some(at), &ViewOptions::default());
    let geometry: &dyn Geometry = stage;
    let mut points = Vec::new();
    geometry.meshes().for_each(|mesh| shown.pose().place(&mesh, &mut points));
    points
}

#[test]
fn a_stage_is_its_characters_drawn_over_one_another() {
    let stage = stage(vec![member("walk"), member("swap")]);
    let puppet = subject(puppet().document());
    for frame in 0..4 {
        let mut expected = Pixels { width: 0, height: 0, rgba: Vec::new() };
        for (name, frames) in [("walk", 4), ("swap", 2)] {
            let id = puppet.animation_named(name).unwrap();
            draw(&*puppet, Some(FrameAt::exact(id, frame % frames)), &mut expected);
        }
        assert!(drawn(&stage, frame).rgba == expected.rgba, "{frame}");
    }
    let length = (&stage as &dyn Subject).frame_count(AnimationId(0));
    assert_eq!(length, 4, "after four frames both loops begin again");
}

#[test]
fn the_first_member_lies_behind_whatever_its_own_order_is() {
    let [red, green] = [MeshId(1), MeshId(2)];
    let stage = stage(vec![member("swap"), member("walk")]);
    let frame =
        Frame::new(&stage, Some(FrameAt::exact(AnimationId(0), 0)), &ViewOptions::default());
    let order: Vec<_> = frame.draws().iter().map(|draw| draw.mesh.0).collect();
    assert_eq!(order, [0, green.0, red.0, 3, 4, 5]);
}

#[test]
fn members_are_placed_and_their_bones_with_them() {
    let turned = Member { at: [30.0, 5.0], turn: 90.0, scale: 2.0, mirror: true, ..member("walk") };
    let stage = stage(vec![member("walk"), turned]);
    let all = points(&stage, 0, 1);
    let (plain, placed) = all.split_at(all.len() / 2);
    for ([x, y], placed) in plain.iter().zip(placed) {
        assert_eq!(*placed, [30.0 - 2.0 * y, 5.0 - 2.0 * x]);
    }
    let at = Some(FrameAt::exact(AnimationId(0), 1));
    let mut pose = Pose::default();
    stage.pose(at, &mut pose);
    // Of each: the bone that holds it, and three of its own.
    assert_eq!(pose.attached(BoneId(4), [0.0; 2]), Some([30.0, 5.0]));
    assert_eq!(pose.attached(BoneId(6), [0.0; 2]), Some([30.0, 5.0 + 60.0]));
    let subject: &dyn Subject = &stage;
    let names: Vec<_> = subject.bone_names().skip(4).collect();
    assert_eq!(names, ["puppet 2", "puppet 2/root", "puppet 2/red", "puppet 2/green"]);
    assert_eq!(stage.bone(BoneId(5)).unwrap().parent(), Some(BoneId(4)));
    assert_eq!(stage.bone(BoneId(6)).unwrap().parent(), Some(BoneId(5)));
    assert_eq!(subject.mesh_names().last(), Some("puppet 2/part.green"));
    assert_eq!(stage.owner(MeshId(4)), Some(BoneId(6)));
}

#[test]
fn weight_that_vertices_lack_does_not_keep_them_at_the_origin() {
    let light = |weight: f32| {
        let bone_weights = [weight, 0.0, 0.0, 0.0];
        Vertex { bone_weights, ..vertex(0, [10.0, 0.0]) }
    };
    let light = [light(1.0), light(0.5), light(0.0)];
    let builder = Builder::new().image(1, &[WHITE]).bones(1).mesh("m", 0, light, [0, 1, 2]);
    for document in [builder.clone().still("a", true, 1).document(), builder.document()] {
        let is_moving = document.animations().len() > 0;
        let members = vec![Member { at: [100.0, 40.0], ..Member::new("a.pchr".into()) }];
        let stage = Stage::new(&Layout { members }, vec![subject(document)]).unwrap();
        let placed: Vec<_> = points(&stage, 0, 0).into_iter().map(|[x, y]| (x, y)).collect();
        let own = if is_moving { [10.0, 5.0, 0.0] } else { [10.0; 3] };
        assert_eq!(placed, own.map(|x| (100.0 + x, 40.0)));
    }
}

#[test]
fn a_tint_multiplies_the_texels_and_equal_characters_share_their_images() {
    let green = Member { tint: [0, 255, 128], ..member("walk") };
    let members = vec![member("walk"), member("swap"), green];
    let puppet = subject(puppet().document());
    let subjects = vec![Arc::clone(&puppet), Arc::clone(&puppet), puppet];
    let stage = Stage::new(&Layout { members }, subjects).unwrap();
    assert_eq!(stage.image_count(), 6);
    let images = decode_all(&stage, &mut Findings::default());
    assert_eq!(images[0].rgba, RED);
    let [_, green, blue, alpha] = RED;
    let half = u8::try_from((u32::from(blue) * 128 + 127) / 255).unwrap();
    assert_eq!(images[3].rgba, [0, green, half, alpha]);
    let image = |mesh| stage.mesh(MeshId(mesh)).unwrap().image();
    assert_eq!([1, 4, 7].map(image), [ImageId(0), ImageId(0), ImageId(3)]);
    assert_eq!(stage.image(ImageId(3)).unwrap().name(), "puppet 3/image 0");
}

#[test]
fn start_and_speed_shift_and_stretch_a_clip() {
    let shifted = Member { start: 0.1, speed: 2.0, ..member("walk") };
    let stage = stage(vec![member("walk"), shifted]);
    for frame in 0..4 {
        let all = points(&stage, 0, frame);
        let moved = all[all.len() / 2..].to_vec();
        let expected = points(&stage, 0, (1 + 2 * frame) % 4);
        assert_eq!(moved, expected[..expected.len() / 2], "{frame}");
    }
}

#[test]
fn a_play_list_is_an_animation_of_its_own() {
    let play = ["walk", "#3"].map(str::to_owned).to_vec();
    let listed = Member { play, fade: 0.2, ..Member::new("puppet.pchr".into()) };
    let stage = stage(vec![listed]);
    let subject: &dyn Subject = &stage;
    assert_eq!(subject.animation_names().collect::<Vec<_>>(), ["all", "play"]);
    assert_eq!(subject.default_animation(), Some(AnimationId(1)));
    assert_eq!(subject.frame_count(AnimationId(1)), 4 + 2);
    let red = |frame| points(&stage, 1, frame)[4][0];
    // `walk` moves the red square from -60 by 10 a frame; `swap` has it at 20, and fades in.
    assert_eq!([0, 1, 2, 3, 4].map(red), [-60.0, -50.0, -40.0, -30.0, -60.0]);
    assert_eq!(red(5), f32::midpoint(-50.0, 20.0));
    assert_eq!(subject.mesh_names().next(), Some("puppet/shadow"), "also alone");
}

#[test]
fn bounds_are_those_of_moving_every_vertex() {
    let turned = |turn| Member { turn, at: [50.0, 0.0], ..member("blink") };
    let play = ["walk", "jump"].map(str::to_owned).to_vec();
    let listed = Member { play, fade: 0.15, at: [0.0, -90.0], ..member("walk") };
    let stage = stage(vec![turned(30.0), turned(0.0), listed]);
    let mut view = ViewOptions::default();
    view.mesh_mut(MeshId(0)).visible = Some(false);
    let subject: &dyn Subject = &stage;
    for id in subject.animation_ids() {
        let mut sweep = stage.sweep(&view);
        let found = sweep.over(&mut subject.moments(id)).unwrap();
        assert!(sweep.is_exact());
        let expected = PlainSweep::new(&stage, &view).over(&mut subject.moments(id)).unwrap();
        let sides = |bounds: Bounds| [bounds.min, bounds.max].concat();
        for (found, expected) in sides(found).into_iter().zip(sides(expected)) {
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
    }
}

#[test]
fn without_a_moment_characters_stand_in_their_places_as_stored() {
    let stage = stage(vec![Member { at: [7.0, 0.0], ..member("jump") }]);
    let frame = Frame::new(&stage, None, &ViewOptions::default());
    let shadow = stage.mesh(MeshId(0)).unwrap();
    assert_eq!(frame.pose().vertex(&shadow, 0), Some([-63.0, -40.0]));
    let beyond = FrameAt::exact(AnimationId(0), 99);
    assert_eq!(Frame::new(&stage, Some(beyond), &ViewOptions::default()).at(), None);
}

#[test]
fn characters_that_do_not_fit_are_refused() {
    let layout = Layout { members: vec![member("wal")] };
    let stage = Stage::new(&layout, vec![subject(puppet().document())]).unwrap();
    let [missing] = stage.missing() else { panic!("{:?}", stage.missing()) };
    assert_eq!(missing.to_string(), "puppet: has no animation \"wal\"; closest: walk, swap");
    let layout = Layout { members: vec![Member { play: vec!["fly".into()], ..member("wal") }] };
    let playable = Layout { members: vec![Member::new("puppet.pchr".into())] };
    assert_eq!(stage.playable(&layout), playable);
    let many = Builder::new().bones(20_000).document();
    let many = subject(many);
    let layout = Layout { members: vec![Member::new("a.pchr".into()); 2] };
    let refused = Stage::new(&layout, vec![Arc::clone(&many), many]).unwrap_err();
    assert_eq!(refused, StageError::Many(40_002, "bones", 32_767));
}

#[test]
fn another_layout_keeps_the_meshes() {
    let stage = stage(vec![member("walk"), member("walk")]);
    let moved = Member { at: [9.0, 9.0], ..member("swap") };
    let other = stage.placed(&Layout { members: vec![moved, member("walk")] });
    assert_eq!(stage.fingerprint(), other.fingerprint());
    assert_ne!(points(&stage, 0, 0), points(&other, 0, 0));
}

#[test]
fn members_are_lined_up_beside_those_before() {
    let members =
        vec![Member { at: [0.0, 50.0], ..member("bind") }, member("jump"), member("bind")];
    let layout = Layout { members };
    let subjects = layout.members.iter().map(|_| subject(puppet().document())).collect();
    let stage = Stage::new(&layout, subjects).unwrap();
    let lined_up = stage.lined_up(&layout, 1);
    // A puppet is 140 wide and stands at -40.
    let places: Vec<_> = lined_up.members.iter().map(|member| member.at).collect();
    assert_eq!(places, [[0.0, 50.0], [154.0, 50.0], [308.0, 50.0]]);
    let stage = stage.placed(&lined_up);
    assert_eq!(stage.member_bounds(1).unwrap().max, [224.0, 50.0 + 60.0 + 20.0]);
    assert!(layout.is_same_cast(&lined_up));
}
