//! Views and the commands that they become.

use pchr::character::Character;
use pchr::document::{AnimationId, BoneId};
use pchr::overlay::{Layer, Layers, Onion, Trail};
use pchr::scene::{Camera2d, MeshView};
use pchr_tools::text::shell::{Word, posix};
use pchr_tools::view::{Background, FilterArg};

use super::*;
use crate::fixture::{Builder, WHITE};

/// Clips of 5 frames at 10 a second: the first loops, the others do not. A mesh and a bone for each name.
fn subject(clips: &[&str], parts: &[&str]) -> Character {
    let part = |builder: Builder, name: &&str| builder.bone(name, None).mesh(name, 0, [], []);
    let clip = |builder: Builder, (i, name): (usize, &&str)| builder.still(name, i == 0, 5);
    let builder = parts.iter().fold(Builder::new().image(1, &[WHITE]), part);
    Character::new(clips.iter().enumerate().fold(builder, clip).document(), BindChoice::Auto)
}

fn line(words: &[String]) -> String {
    posix(&words.iter().map(Word::from).collect::<Vec<_>>())
}

const WALK: AnimationId = AnimationId(0);

static PLAIN: ViewOptions = ViewOptions { meshes: Vec::new(), in_place: false, mix: None };

fn no_overlays() -> &'static OverlayOptions {
    Box::leak(Box::default())
}

fn view(subject: &Character) -> OnScreen<'_> {
    OnScreen {
        subject,
        at: Some(FrameAt::exact(WALK, 3)),
        mix: None,
        is_synced: false,
        bind: BindChoice::Auto,
        instances: Instances::ONE,
        camera: Camera::default(),
        size: [801, 533],
        mipmaps: false,
        view: &PLAIN,
        overlays: no_overlays(),
        skeleton: None,
        motions: &[],
    }
}

/// The command that captures it.
fn words_of(view: &OnScreen<'_>) -> Vec<String> {
    picture_words(Path::new("art/hero.pchr"), view.shown(), [None; 2], false)
}

/// The words from an option on.
fn after(view: &OnScreen<'_>, option: &str, count: usize) -> Vec<String> {
    let words = words_of(view);
    let at = words.iter().position(|word| word == option).unwrap();
    words[at + 1..=at + count].to_vec()
}

fn has(view: &OnScreen<'_>, option: &str) -> bool {
    words_of(view).iter().any(|word| word.starts_with(option))
}

#[test]
fn a_view_becomes_one_line() {
    let subject = subject(&["walk", "run"], &["head", "hat", "body", "body"]);
    let mut meshes = vec![MeshView::default(); 4];
    meshes[1] = MeshView { visible: Some(true), z_order: Some(2.5) };
    meshes[3] = MeshView { visible: Some(false), z_order: Some(-1.0) };
    let overlays = OverlayOptions {
        layers: Layers::of(&[Layer::Bones]),
        weights: Some(BoneId(3)),
        mesh: Some(MeshId(1)),
        scale: 2,
        ..OverlayOptions::default()
    };
    let center = [-12.5, 1.0 / 3.0];
    let camera = Camera2d { center, zoom: 1.2345, y_down: true, mirror: true };
    let (even, odd) = ([0x33, 0x36, 0x3d], [0x2f, 0x32, 0x38]);
    let view = OnScreen {
        camera: Camera::Flat(camera),
        bind: BindChoice::Frame(AnimationId(1), 4),
        mipmaps: true,
        view: &ViewOptions { meshes, ..PLAIN.clone() },
        overlays: &overlays,
        ..view(&subject)
    };
    let background = Some(Background::Checker { even, odd, size: 12 });
    let shown = Shown { background, filter: FilterArg::Nearest, ..view.shown() };
    assert_eq!(
        line(&picture_words(Path::new("art/hero.pchr"), shown, [None; 2], false)),
        "pchr-view capture art/hero.pchr -o hero-capture.png --renderer gpu \
         -a walk -f 3 -s 801x533 --center=-12.5,0.3333333333333333 --zoom 1.2345 \
         --background 'checker:#33363d,#2f3238,12' --filter nearest --mipmaps \
         --overlay 'bones,weights=#3,mesh=hat' --overlay-scale 2 \
         --hide '#3' --show hat --z-order hat=2.5 --z-order '#3=-1' --bind run:4 --y-down --mirror"
    );
}

#[test]
fn what_is_as_a_capture_has_it_anyway_is_not_said() {
    let words = words_of(&view(&subject(&["walk"], &["head"])));
    assert_eq!(
        words.join(" "),
        "pchr-view capture art/hero.pchr -o hero-capture.png --renderer gpu -a walk -f 3 -s 801x533 --center 0,0 --zoom 1"
    );
    let subject = subject(&[], &["head"]);
    let view = OnScreen { at: None, ..view(&subject) };
    assert!(!has(&view, "-a") && !has(&view, "-f"), "no frame, no animation");
}

#[test]
fn backgrounds_have_their_forms() {
    let background = |background| {
        let shown = Shown { background: Some(background), ..Shown::default() };
        shown_words(shown).remove(1)
    };
    assert_eq!(background(Background::Color([1, 2, 255, 255])), "#0102ff");
    assert_eq!(background(Background::Color([1, 2, 3, 4])), "#01020304");
    assert_eq!(background(Background::Picture("-a.png".into())), "./-a.png");
}

#[test]
fn a_moment_between_frames_is_the_time_that_means_it_exactly() {
    for looping in [true, false] {
        let subject = subject(&["walk", "once"], &["head"]);
        let animation = AnimationId(u16::from(!looping));
        for thousandth in 0..5000_u16 {
            let position = f64::from(thousandth) / 1000.0;
            let line = Timeline { frame_count: 5, fps: 30.0, looping: true, smooth: true };
            let at = line.at(animation, position / 30.0);
            let view = OnScreen { at: Some(at), ..view(&subject) };
            if at.blend == 0.0 {
                assert_eq!(after(&view, "-f", 1), [at.frame.to_string()]);
                assert!(!has(&view, "--time") && !has(&view, "--smooth"));
                continue;
            }
            let wraps = at.next == 0;
            let file = Timeline { fps: 10.0, looping: looping || wraps, ..line };
            let seconds = after(&view, "--time", 1).remove(0).parse().unwrap();
            assert_eq!(file.at(animation, seconds), at);
            assert!(has(&view, "--smooth"));
            assert_eq!(has(&view, "--loop"), wraps && !looping);
        }
    }
}

#[test]
fn names_stand_for_what_they_mean_alone_and_numbers_for_the_rest() {
    let names = "head|twice|twice||#1|a*|a,b|a=b|-x|all|none| x|ünï cödé|a\nb|a\"b|a\u{202e}b";
    let names: Vec<&str> = names.split('|').collect();
    let subject = subject(&names, &names);
    let by_name = [0, 12];
    for (i, name) in (0..).zip(names.iter().copied()) {
        let wanted = if by_name.contains(&i) { name.to_owned() } else { format!("#{i}") };
        let mut meshes = vec![MeshView::default(); names.len()];
        meshes[usize::from(i)].visible = Some(false);
        let view = OnScreen {
            at: Some(FrameAt::exact(AnimationId(i), 0)),
            view: &ViewOptions { meshes, ..PLAIN.clone() },
            bind: BindChoice::Frame(AnimationId(i), 2),
            ..view(&subject)
        };
        let clip = if name == "a*" { name } else { &wanted };
        assert_eq!(after(&view, "-a", 1).concat(), clip, "a name goes before a pattern");
        assert_eq!(after(&view, "--hide", 1).concat(), wanted);
        assert_eq!(after(&view, "--bind", 1), [format!("{wanted}:2")]);
    }
}

#[test]
fn a_bind_pose_that_could_be_another_animation_is_said_by_number() {
    let subject = subject(&["walk", "walk:2"], &["head"]);
    let bind = |bind| {
        let view = OnScreen { bind, ..view(&subject) };
        after(&view, "--bind", 1).remove(0)
    };
    assert_eq!(bind(BindChoice::Frame(WALK, 2)), "#0:2");
    assert_eq!(bind(BindChoice::Frame(WALK, 1)), "walk:1");
    assert_eq!(bind(BindChoice::Frame(AnimationId(1), 0)), "#1:0");
    assert_eq!(bind(BindChoice::None), "none");
}

#[test]
fn files_that_are_shown_together_are_named() {
    let subject = subject(&["walk"], &["a"]);
    let view = OnScreen {
        skeleton: Some(Path::new("art/hero.skl.pxd")),
        motions: &["-wave.seanim".into(), "run.seanim".into()],
        ..view(&subject)
    };
    assert_eq!(after(&view, "--skeleton", 1), ["art/hero.skl.pxd"]);
    assert_eq!(after(&view, "--motion", 3), ["./-wave.seanim", "--motion", "run.seanim"]);
}

#[test]
fn what_is_shown_alone_is_said_in_short() {
    let subject = subject(&["walk"], &["a", "b", "c", "d"]);
    let words = |visible: &[Option<bool>]| {
        let meshes = visible.iter().map(|visible| MeshView { visible: *visible, z_order: None });
        let view = OnScreen {
            view: &ViewOptions { meshes: meshes.collect(), ..PLAIN.clone() },
            ..view(&subject)
        };
        words_of(&view)[17..].join(" ")
    };
    let (own, hidden) = (None, Some(false));
    assert_eq!(words(&[hidden, own, hidden, hidden]), "--only b");
    assert_eq!(words(&[hidden, hidden, hidden]), "--only d");
    assert_eq!(words(&[hidden, own, hidden]), "--hide a --hide c");
    assert_eq!(words(&[hidden; 4]), "--hide a --hide b --hide c --hide d");
    assert_eq!(words(&[hidden, Some(true), hidden, hidden]), "--only b --show b");
}

#[test]
fn a_bind_pose_is_not_asked_of_content_that_has_none() {
    let quads = crate::quads::Quads::new();
    let subject = subject(&["walk"], &["head"]);
    for bind in [BindChoice::None, BindChoice::Frame(WALK, 1)] {
        let of_character = OnScreen { bind, ..view(&subject) };
        assert!(has(&of_character, "--bind"));
        let of_quads = OnScreen { subject: &quads, ..of_character };
        assert!(!has(&of_quads, "--bind"), "{:?}", words_of(&of_quads));
    }
}

#[test]
fn a_view_of_a_motion_has_its_direction_and_its_place_in_space() {
    let subject = subject(&["walk"], &["hips"]);
    let overlays = OverlayOptions {
        layers: Layers::of(&[Layer::Grid, Layer::Axes, Layer::Path]),
        trail: Some(Trail::Bone(BoneId(0))),
        onion: Onion::of(2, 3),
        bone: Some(BoneId(0)),
        ..OverlayOptions::default()
    };
    let (target, up) = ([0.5, -1.0, 2.25], pchr_foreign::motion::UpAxis::Z);
    let (zoom, yaw, pitch, fov, mirror) = (123.5, -30.4, 15.0, 40.0, true);
    let camera = pchr::scene::OrbitCamera { target, zoom, yaw, pitch, fov, up, mirror };
    let shown = OnScreen {
        camera: Camera::Orbit(camera),
        view: &ViewOptions { in_place: true, ..PLAIN.clone() },
        overlays: &overlays,
        ..view(&subject)
    };
    assert_eq!(
        line(&words_of(&shown)),
        "pchr-view capture art/hero.pchr -o hero-capture.png --renderer gpu -a walk -f 3 -s 801x533 --center 0.5,-1,2.25 \
         --view=-30.4,15 --fov 40 --up z --in-place --zoom 123.5 \
         --overlay axes,grid,path,bone=hips,trail=hips,onion=2,3 --mirror"
    );
    let plain = OnScreen {
        camera: Camera::Orbit(pchr::scene::OrbitCamera { fov: 0.0, ..camera }),
        overlays: &OverlayOptions { scale: 2, ..OverlayOptions::default() },
        ..view(&subject)
    };
    assert!(!has(&plain, "--fov") && !has(&plain, "--in-place"));
    // Bones in space are always drawn by the overlay.
    assert_eq!(after(&plain, "--overlay-scale", 1), ["2"]);
}

#[test]
fn a_cross_fade_has_both_moments_and_a_blend_that_of_its_first_animation() {
    let subject = subject(&["walk", "once", "a:b"], &["head"]);
    let at = |id: u16, frame: u16, blend: f32| FrameAt {
        animation: AnimationId(id),
        frame,
        next: if frame == 4 { 0 } else { frame + 1 },
        blend,
    };
    let words = |from: FrameAt, to: FrameAt, amount: f32, is_synced: bool| {
        let (at, mix) = (Some(from), Some(Mix { to, amount }));
        let words = words_of(&OnScreen { at, mix, is_synced, ..view(&subject) }).join(" ");
        assert!(!is_synced || !words.contains("--smooth"), "{words}");
        let (_, rest) = words.split_once("--renderer gpu ").unwrap();
        rest.split_once(" -s ").unwrap().0.to_owned()
    };
    for (from, to, amount, is_synced, wanted) in [
        (at(0, 3, 0.0), at(1, 2, 0.0), 0.25, false, "-f 3 --mix walk:once:0.25 --mix-frame 2"),
        (at(2, 3, 0.5), at(0, 2, 0.0), 0.1, false, "--time 0.35 --mix #2:walk:0.1 --mix-frame 2"),
        (at(0, 3, 0.0), at(1, 4, 0.5), 1.0, false, "-f 3 --mix walk:once:1 --mix-time 0.45"),
        (at(0, 3, 0.0), at(1, 2, 0.5), 0.25, true, "-f 3 --mix walk:once:0.25 --mix-sync"),
    ] {
        assert_eq!(words(from, to, amount, is_synced), wanted);
    }
}

#[test]
fn device_and_reading_are_named() {
    let device = [Some("vulkan"), Some("llvm pipe")];
    let command = picture_words(Path::new("art/hero.pchr"), Shown::default(), device, true);
    let words = "pchr-view capture art/hero.pchr --allow-outside -o hero-capture.png --renderer gpu \
                 --backend vulkan --adapter=llvm pipe";
    assert_eq!(command.join(" "), words);
}

#[test]
fn a_window_gets_no_options_of_captures() {
    let session = Session {
        file: PathBuf::from("-a.pchr"),
        shown: Shown { zoom: Some(2.0), overlay_scale: Some(2), ..Shown::default() },
        playing: Playing { speed: Some(0.5), ..Playing::default() },
        ..Session::default()
    };
    let words = window_words(&session);
    assert_eq!(words.join(" "), "pchr-view ./-a.pchr --no-defaults --zoom 2 --speed 0.5");
}

#[test]
fn the_picture_is_named_like_the_file_and_no_file_is_an_option() {
    let of = |file: &str| {
        let words = picture_words(Path::new(file), Shown::default(), [None; 2], false);
        [words[2].clone(), words[4].clone()]
    };
    assert_eq!(of("/a b/{frame}.x.pchr"), ["/a b/{frame}.x.pchr", "{{frame}}.x-capture.png"]);
    assert_eq!(of("-f.pchr"), ["./-f.pchr", "./-f-capture.png"]);
    assert_eq!(of("-")[0], "-");
}
