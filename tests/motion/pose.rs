//! Tests of poses: they agree with another engine's runtime, with closed forms, and with a naive double-precision reference.

use crate::corpus;
use crate::fixture::{self, Builder, at};
use pchr::character::{Character, owners};
use pchr::document::{AnimationId, BoneId, BoneTransform, Document};
use pchr::pose::{BindChoice, BindPose, BindSource, FrameAt, LocalPose};
use pchr::scene::{Frame, PlainSweep, Subject, Sweep, ViewOptions};
use serde_json::Value;

struct Posed {
    character: Character,
    frame: Frame,
}

impl Posed {
    fn new(document: &Document) -> Self {
        Self {
            character: Character::new(document.clone(), BindChoice::Auto),
            frame: Frame::default(),
        }
    }

    fn at(&mut self, animation: AnimationId, frame: u16) {
        let at = Some(FrameAt::exact(animation, frame));
        self.frame.fill(&self.character, at, &ViewOptions::default());
        assert_eq!(self.frame.at(), at);
    }

    fn mesh(&self, mesh: usize) -> Vec<[f32; 2]> {
        let mut points = Vec::new();
        let mesh = self.character.document().meshes().nth(mesh).unwrap();
        self.frame.pose().place(&mesh, &mut points);
        points
    }

    fn order(&self) -> Vec<u64> {
        self.frame.draws().iter().map(|draw| draw.mesh.0.into()).collect()
    }
}

fn animation(document: &Document, name: &str) -> AnimationId {
    let index = document.animations().position(|animation| animation.name() == name);
    AnimationId(index.unwrap() as u16)
}

fn numbers(list: &[Value]) -> Vec<f32> {
    list.iter().map(|value| value.as_f64().unwrap() as f32).collect()
}

fn worst_difference(points: &[[f32; 2]], expected: &[f32]) -> f32 {
    assert_eq!(points.len() * 2, expected.len());
    points.iter().flatten().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn every_oracle_frame_has_the_runtimes_vertices_and_order() {
    let (mut frames, mut worst) = (0, 0.0_f32);
    for character in corpus::characters() {
        let document = corpus::read_document(&character.pchr);
        assert!(document.warnings().is_empty(), "{}: {:?}", character.id, document.warnings());
        let mut posed = Posed::new(&document);
        for frame in corpus::oracle(&character) {
            posed.at(frame.animation, frame.frame);
            let order: Vec<u64> = frame.draws.iter().map(|draw| draw.mesh.0.into()).collect();
            assert_eq!(posed.order(), order, "{}", frame.png.display());
            for draw in &frame.draws {
                let points = posed.mesh(draw.mesh.0.into());
                let wanted = draw.points.as_flattened().iter().map(|number| *number as f32);
                worst = worst.max(worst_difference(&points, &wanted.collect::<Vec<_>>()));
            }
            frames += 1;
        }
    }
    assert!(frames >= 70 && worst < 0.03, "{frames} frames, worst {worst} px");
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn every_synthetic_file_has_its_closed_form_vertices() {
    let (folder, index) = corpus::indexed("synthetic");
    let checked = std::cell::Cell::new(0);
    for entry in index["files"].as_array().unwrap() {
        let path = folder.join(entry["file"].as_str().unwrap());
        if !path.exists() {
            continue; // made by a generator that is not part of the corpus
        }
        let document = corpus::read_document(&path);
        let Some(expected) = entry["expected"].as_str() else { continue };
        let expected = corpus::json(&folder.join(expected));
        let tolerance = expected["tolerancePx"].as_f64().unwrap_or(0.03) as f32;
        let mut posed = Posed::new(&document);
        let check = |posed: &mut Posed, frame: u16, points: &Value| {
            posed.at(animation(&document, expected["animation"].as_str().unwrap_or("idle")), frame);
            let points = points.as_array().unwrap();
            let pairs: Vec<(Vec<[f32; 2]>, Vec<f32>)> = if points[0].is_number() {
                vec![(posed.mesh(0), numbers(points))]
            } else if let Some(picked) = expected["vertices"].as_array() {
                let all = posed.mesh(0);
                let picked = picked.iter().map(|v| all[v.as_u64().unwrap() as usize]).collect();
                let places = points.iter().flat_map(|p| numbers(p.as_array().unwrap()));
                vec![(picked, places.collect())]
            } else {
                let places = points.iter().map(|points| numbers(points.as_array().unwrap()));
                places.enumerate().map(|(mesh, places)| (posed.mesh(mesh), places)).collect()
            };
            for (mesh, (found, wanted)) in pairs.iter().enumerate() {
                let (worst, path) = (worst_difference(found, wanted), path.display());
                assert!(worst <= tolerance, "{path} frame {frame} mesh {mesh}: {worst}");
            }
            checked.set(checked.get() + 1);
        };
        if let Some(points) = expected.get("frame0IfFirstFrameFallback") {
            assert_eq!(posed.character.bind().source(), BindSource::FirstFrame(AnimationId(0)));
            check(&mut posed, 0, points);
        }
        match &expected["frames"] {
            Value::Object(frames) => {
                for (frame, points) in frames {
                    check(&mut posed, frame.parse().unwrap(), points);
                }
            }
            Value::Array(frames) => {
                for (frame, points) in frames.iter().enumerate() {
                    if points.is_array() {
                        check(&mut posed, frame as u16, points);
                        continue;
                    }
                    let clip = animation(&document, expected["animation"].as_str().unwrap());
                    posed.at(clip, frame as u16);
                    if let Some(order) = points["backToFront"].as_array() {
                        let order: Vec<u64> =
                            order.iter().map(|mesh| mesh.as_u64().unwrap()).collect();
                        assert_eq!(posed.order(), order, "{} frame {frame}", path.display());
                        checked.set(checked.get() + 1);
                    }
                    if let Some(visible) = points["meshVisible"].as_array() {
                        for (mesh, visible) in visible.iter().enumerate() {
                            let drawn = posed.order().contains(&(mesh as u64));
                            let wanted = visible.as_bool().unwrap();
                            assert_eq!(drawn, wanted, "{} frame {frame}", path.display());
                        }
                        checked.set(checked.get() + 1);
                    }
                }
            }
            _ => {}
        }
        if let Some(bones) = expected["dominantBones"].as_array() {
            let found: Vec<Value> =
                owners(&document).iter().map(|owner| owner.unwrap().0.into()).collect();
            assert_eq!(&found, bones);
        }
        if let Some(names) = expected["boneNames"].as_array() {
            let found = document.bones().map(|bone| bone.name());
            assert!(found.eq(names.iter().map(|name| name.as_str().unwrap())));
        }
    }
    assert!(checked.get() > 50, "{} frames", checked.get());
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn the_bind_pose_is_found_wherever_it_is() {
    let document = corpus::read_document(&corpus::root().join("synthetic/bind-not-first.pchr"));
    let bind = BindPose::new(&document, BindChoice::Auto);
    assert_eq!(bind.source(), BindSource::Named(AnimationId(1)));
    let first = pchr::pose::default_animation(&document, &bind);
    assert_eq!(first, Some(AnimationId(0)));
}

#[test]
fn between_two_frames_a_bone_is_on_its_way_from_one_to_the_next() {
    let frames = [[at(0.0, 8.0)], [at(10.0, 0.0)]];
    let builder = Builder::new().bones(1).animation("clip", false, &frames);
    let mut posed = Posed::new(&builder.document());
    for (blend, place) in [(0.0, [0.0, 8.0]), (0.25, [2.5, 6.0]), (0.75, [7.5, 2.0])] {
        let at = FrameAt { next: 1, blend, ..FrameAt::exact(AnimationId(0), 0) };
        posed.frame.fill(&posed.character, Some(at), &ViewOptions::default());
        assert_eq!(posed.frame.pose().attached(BoneId(0), [0.0; 2]), Some(place), "{blend}");
    }
}

#[test]
fn numbers_that_are_not_finite_are_those_of_a_bone_at_rest() {
    let sound = BoneTransform { rotation: 90.0, scale_x: 2.0, scale_y: 7.0, ..at(3.0, 5.0) };
    let fields: [fn(&mut BoneTransform) -> &mut f32; 5] = [
        |bone| &mut bone.x,
        |bone| &mut bone.y,
        |bone| &mut bone.rotation,
        |bone| &mut bone.scale_x,
        |bone| &mut bone.scale_y,
    ];
    for (i, (field, neutral)) in fields.into_iter().zip([0.0, 0.0, 0.0, 1.0, 1.0]).enumerate() {
        let with = |value| {
            let mut bone = sound;
            *field(&mut bone) = value;
            [bone]
        };
        let frames = [neutral, f32::NAN, f32::INFINITY, f32::NEG_INFINITY].map(with);
        let builder = Builder::new().bones(1).animation("clip", false, &frames);
        let mut posed = Posed::new(&builder.document());
        let maps = [0, 1, 2, 3].map(|frame| {
            posed.at(AnimationId(0), frame);
            posed.frame.pose().world_from_bone().to_vec()
        });
        assert!(maps.iter().all(|map| *map == maps[0]), "field {i}: {maps:?}");
    }
}

/// A number of a frame may be out of date in the data of a game.
#[test]
fn without_the_chosen_bind_pose_vertices_stay_as_stored() {
    let fox = fixture::sample();
    let moment = FrameAt::exact(animation(&fox, "walk"), 7);
    let at = Some(moment);
    let view = ViewOptions::default();
    let usual = Character::new(fox.clone(), BindChoice::Auto);
    let usual_frame = Frame::new(&usual, at, &view);
    for (animation, frame) in [(77, 0), (0, 60_000)] {
        let choice = BindChoice::Frame(AnimationId(animation), frame);
        let character = Character::new(fox.clone(), choice);
        assert_eq!(character.bind().source(), BindSource::Absent);
        let mut frame = Frame::new(&character, at, &view);
        // Bones, order and visibility are the frame's.
        assert_eq!(frame.at(), at);
        assert_eq!(frame.draws(), usual_frame.draws());
        assert_eq!(frame.pose().world_from_bone(), usual_frame.pose().world_from_bone());
        let mut locals = LocalPose::default();
        locals.sample(&fox, moment);
        let stored = |frame: &Frame| {
            assert!(!frame.pose().is_skinned());
            for mesh in fox.meshes() {
                let mut points = Vec::new();
                frame.pose().place(&mesh, &mut points);
                assert!(mesh.vertices().map(|vertex| vertex.position).eq(points));
            }
        };
        stored(&frame);
        assert!(!frame.fill_with(&character, &locals, &view));
        stored(&frame);
        // Their bounds, too, over more frames than are moved whole.
        let frames = (0..4 * 24).map(|i| Some(FrameAt::exact(AnimationId(1 + i % 4), i / 4)));
        let frames: Vec<_> = frames.collect();
        let fast = character.sweep(&view).over(&mut frames.iter().copied());
        let plain = PlainSweep::new(&character, &view).over(&mut frames.iter().copied());
        assert_eq!(fast, plain);
    }
}
