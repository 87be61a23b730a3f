//! Tests of crowds: where figures stand, and as subjects, with the CPU renderer.

use std::sync::Arc;

use pchr::character::Character;
use pchr::document::{AnimationId, Document};
use pchr::finding::Findings;
use pchr::glam::Affine2;
use pchr::image::{Pixels, decode_all};
use pchr::playback::FrameAt;
use pchr::pose::BindChoice;
use pchr::raster::{LayerCounter, Raster, RasterFigure, RasterModel, RasterOptions, RasterTarget};
use pchr::scene::{
    Bounds, Camera2d, CrowdFrames, Crowded as _, Frame, MeshView, Picture, Samples, Subject,
    ViewOptions, WorkJob,
};

use super::{Crowd, CrowdFault, Instances, places};
use crate::fixture::puppet;
use crate::stage::{Layout, Stage};

const SIZE: [u32; 2] = [300, 260];

fn subject(document: Document) -> Arc<dyn Subject> {
    Arc::new(Character::new(document, BindChoice::Auto))
}

fn crowd(count: u16, scattered: bool) -> Crowd {
    Crowd::new(&subject(puppet().document()), Instances { count, scattered }).unwrap()
}

fn model(subject: &dyn Subject) -> RasterModel {
    let mut findings = Findings::default();
    let model = RasterModel::new(subject, decode_all(subject, &mut findings));
    assert!(findings.is_empty());
    model
}

fn fitted(crowd: &dyn Subject) -> Picture {
    let view = ViewOptions::default();
    let bounds = crowd.sweep(&view).over(&mut [None].into_iter());
    Picture::new(SIZE, Camera2d::fit(bounds, SIZE, false))
}

/// Last frame of the animation in which each figure plays its own.
fn late(crowd: &dyn Subject) -> Option<FrameAt> {
    let all = crowd.default_animation().unwrap();
    Some(FrameAt::exact(all, crowd.distinct_frames(all) - 1))
}

fn drawn(raster: &mut Raster, crowd: &dyn Subject, view: &ViewOptions) -> Pixels {
    let frame = Frame::new(crowd, late(crowd), view);
    let mut frames = CrowdFrames::default();
    frames.fill(crowd.crowd().unwrap(), &frame);
    let (model, picture) = (model(crowd), fitted(crowd));
    let figures = RasterFigure::of_crowd(&model, &frames);
    let mut out = Pixels::transparent();
    raster.draw_figures(&figures, &picture, Some([9; 4]), None, &mut out).unwrap();
    out
}

#[test]
fn a_crowd_of_sixteen_is_sixteen_pictures_drawn_over_one_another_byte_for_byte() {
    let one = subject(puppet().document());
    let model = model(&*one);
    let options = RasterOptions { samples: Samples::One, ..RasterOptions::default() };
    let mut raster = Raster::new(options);
    let mut view = ViewOptions::default();
    for scattered in [false, true] {
        let crowd = crowd(16, scattered);
        let got = drawn(&mut raster, &crowd, &view);
        let crowd: &dyn Subject = &crowd;
        let mut rgba = vec![9; got.rgba.len()];
        for (at, origin) in crowd.crowd().unwrap().figures(late(crowd)) {
            let frame = Frame::new(&*one, at, &view);
            let figure = RasterFigure {
                world_from_model: Affine2::from_translation(origin.into()),
                ..RasterFigure::new(&model, frame.list(), frame.pose())
            };
            let mut target = RasterTarget { rgba: &mut rgba, stride: 4 * SIZE[0] as usize };
            raster.draw_figure(&figure, &fitted(crowd), &mut target).unwrap();
        }
        assert!(got.rgba == rgba);
        assert!(rgba.as_chunks::<4>().0.iter().filter(|pixel| **pixel != [9; 4]).count() > 2000);
        view.meshes = vec![MeshView { visible: Some(false), ..MeshView::default() }];
    }
}

#[test]
fn figures_play_the_same_clips_with_any_bind_pose() {
    let bytes = include_bytes!("../../../../assets/sample.pchr").as_slice();
    let document = pchr::format::read(bytes).unwrap();
    let clips = |choice| {
        let one: Arc<dyn Subject> = Arc::new(Character::new(document.clone(), choice));
        let crowd = Crowd::of(&one, Instances { count: 16, scattered: true }).unwrap();
        let figures = crowd.crowd().unwrap().figures(late(&*crowd));
        figures.map(|(at, _)| at.map(|at| at.animation)).collect::<Vec<_>>()
    };
    let found = clips(BindChoice::Auto);
    assert_eq!(clips(BindChoice::None), found);
    assert_eq!(clips(BindChoice::Frame(AnimationId(1), 0)), found);
}

#[test]
fn one_figure_is_the_content_and_stages_and_motions_stay_alone() {
    let one = subject(puppet().document());
    assert!(Arc::ptr_eq(&Crowd::of(&one, Instances::ONE).unwrap(), &one));
    let stage: Arc<dyn Subject> = Arc::new(Stage::new(&Layout::default(), Vec::new()).unwrap());
    let two = Instances { count: 2, scattered: false };
    assert_eq!(Crowd::new(&stage, two).unwrap_err(), CrowdFault::Stage);
}

#[test]
fn each_figure_plays_another_clip_from_another_frame_or_all_play_the_same() {
    let crowd = crowd(25, false);
    let one = subject(puppet().document());
    let crowd: &dyn Subject = &crowd;
    let all = crowd.default_animation().unwrap();
    assert_eq!(usize::from(all.0), one.animation_count());
    assert_eq!((crowd.animation_name(all), crowd.all()), ("crowd", None));
    let moments = |animation, frame| -> Vec<FrameAt> {
        let at = Some(FrameAt::exact(animation, frame));
        crowd.crowd().unwrap().figures(at).map(|(at, _)| at.unwrap()).collect()
    };
    let mut played: Vec<_> = moments(all, 0).iter().map(|at| at.animation).collect();
    played.sort_unstable();
    played.dedup();
    assert_eq!(played.len() + 1, one.animation_count(), "all but the bind pose");
    let walk = one.animation_named("walk").unwrap();
    let of_walk = moments(walk, 2);
    assert!(of_walk.iter().all(|at| at.animation == walk));
    assert!(of_walk.iter().any(|at| at.frame != 2));
    // The figure at the origin is the crowd's own pose.
    let index = crowd.crowd().unwrap().origins().iter().position(|at| *at == [0.0; 2]).unwrap();
    assert_eq!(of_walk[index], FrameAt::exact(walk, 2));
    let view = ViewOptions::default();
    let [leader, alone] =
        [crowd, &*one].map(|subject| Frame::new(subject, Some(FrameAt::exact(walk, 2)), &view));
    assert_eq!(leader.pose().world_from_bind(), alone.pose().world_from_bind());
    assert_eq!((leader.at(), leader.draws()), (alone.at(), alone.draws()));
    assert_eq!(moments(all, 0).len(), 25);
    let none = Some(FrameAt::exact(AnimationId(77), 0));
    assert!(crowd.crowd().unwrap().figures(none).all(|(at, _)| at.is_none()));
}

#[test]
fn layers_work_and_draws_count_all_figures_in_sight() {
    let crowd = crowd(16, false);
    let crowd: &dyn Subject = &crowd;
    let frame = Frame::new(crowd, late(crowd), &ViewOptions::default());
    let picture = fitted(crowd);
    let mut counter = LayerCounter::default();
    let covered = |counts: &[u16]| counts.iter().filter(|count| **count > 0).count();
    let of_all = covered(&counter.count(crowd, &frame, &picture, 1).unwrap().counts);
    let one = subject(puppet().document());
    let alone = Frame::new(&*one, None, &ViewOptions::default());
    let of_one = covered(&counter.count(&*one, &alone, &picture, 1).unwrap().counts);
    assert!(of_all > 10 * of_one, "{of_all} {of_one}");
    let mut frames = CrowdFrames::default();
    frames.fill(crowd.crowd().unwrap(), &frame);
    assert!(frames.draw_count() > alone.list().run_count());
    let work = |subject: &dyn Subject, frame: &Frame, camera: Camera2d| {
        let job = WorkJob { subject, frame, camera: &camera, size: [4000; 2], frames: 1 << 20 };
        job.run(&mut Vec::new()).err().map(|work| work.covered)
    };
    let [whole, single] = [(crowd, &frame), (&*one, &alone)]
        .map(|(subject, frame)| work(subject, frame, picture.camera));
    assert!(whole.unwrap() > 8 * single.unwrap());
    // Near one figure, the others are out of sight.
    let near = Camera2d { center: [-30.0, 0.0], zoom: 40.0, ..picture.camera };
    let near =
        [(crowd, &frame), (&*one, &alone)].map(|(subject, frame)| work(subject, frame, near));
    assert!(near[0].unwrap() < 2 * near[1].unwrap(), "{near:?}");
}

#[test]
fn the_fit_holds_all_figures_and_others_are_of_the_same_content() {
    let crowd = crowd(16, false);
    let bounds = |view: &ViewOptions| crowd.sweep(view).over(&mut [None].into_iter());
    let Bounds { min, max } = bounds(&ViewOptions::default()).unwrap();
    let Bounds { min: of_min, max: of_max } = crowd.bounds_of_one().unwrap();
    assert!(max[0] - min[0] >= 4.0 * (of_max[0] - of_min[0]));
    assert!(max[1] - min[1] >= 4.0 * (of_max[1] - of_min[1]));
    let more = crowd.with(Instances { count: 100, scattered: true });
    assert!(Arc::ptr_eq(crowd.one(), more.one()), "what was made of one figure is kept");
    assert_eq!((more.origins().len(), more.bounds_of_one()), (100, crowd.bounds_of_one()));
}

const ONE: Option<Bounds> = Some(Bounds { min: [-3.0, 0.0], max: [6.5, 20.0] });

fn of(count: u16, scattered: bool) -> Vec<(u16, [f32; 2])> {
    places(Instances { count, scattered }, ONE)
}

#[test]
fn a_grid_has_rows_from_the_top_and_the_first_figure_in_its_middle() {
    let grid = of(5, false);
    let places = [[-10.0, 20.0], [0.0, 20.0], [10.0, 20.0], [0.0, 0.0], [-10.0, 0.0]];
    let wanted: Vec<_> = [1, 2, 3, 0, 4].into_iter().zip(places).collect();
    assert_eq!(grid, wanted);
}

#[test]
fn scattered_figures_stand_apart_around_the_first() {
    let places = of(100, true);
    assert!(places.is_sorted_by(|(_, a), (_, b)| a[1] >= b[1]));
    assert!(places.contains(&(0, [0.0, 0.0])));
    let near = |[x, y]: [f32; 2], [u, v]: [f32; 2]| (x - u).abs() < 4.0 && (y - v).abs() < 4.0;
    for (number, place) in &places {
        let others = places.iter().filter(|(other, at)| other != number && near(*at, *place));
        assert_eq!(others.count(), 0, "{number}");
    }
    assert_eq!(of(1, true), [(0, [0.0, 0.0])]);
}
