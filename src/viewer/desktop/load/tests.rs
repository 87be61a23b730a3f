use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, mpsc};

use pchr::character::Character;
use pchr::document::{AnimationId, DocumentParts, FileFormat, PchrRule};
use pchr::finding::Finding;
use pchr::format;
use pchr::format::json;
use pchr::pose::BindChoice;
use pchr_foreign::format::pxd;
use pchr_foreign::motion::{Bone, Conventions, Skeleton, Transform};
use pchr_tools::files::{Companions, Stamp};

use super::*;
use crate::fixture::{Builder, at, hidden, vertex};
use crate::viewer::problem::Problem;

/// Loads everything on this thread.
pub(crate) fn load(source: &Source, wanted: impl Fn() -> bool + Sync) -> Result<Loaded, LoadError> {
    let loaded = load_done(source, wanted).result?;
    Ok(Arc::into_inner(loaded).unwrap())
}

/// Loads everything on this thread. Returns what is posted at the end.
pub(crate) fn load_done(source: &Source, wanted: impl Fn() -> bool + Sync) -> LoadDone {
    let wish = Wish { whole: true, ..Wish::default() };
    load_as(source, wish, wanted)
}

/// Does the same as [`load_done`], with a wish of the state.
pub(crate) fn load_wished(source: &Source, wish: Wish) -> LoadDone {
    load_as(source, Wish { whole: true, ..wish }, || true)
}

/// Does the same as [`load_done`], but with the given wish.
pub(crate) fn load_as(source: &Source, wish: Wish, wanted: impl Fn() -> bool + Sync) -> LoadDone {
    let end = RefCell::new(None);
    run(source.clone(), wish, &wanted, &|event| {
        if let FileAction::Loaded(done) = event {
            *end.borrow_mut() = Some(done);
        }
    });
    end.into_inner().unwrap()
}

fn run(source: Source, wish: Wish, wanted: &(dyn Fn() -> bool + Sync), post: &dyn Fn(FileAction)) {
    LoadJob {
        id: LoadId(7),
        content: source.clone(),
        source,
        session: None,
        folder: None,
        wish,
        staged: None,
        on_disk: None,
        is_relocated: false,
        openers: Openers::ALL,
        allow_outside: false,
        wanted,
        post,
    }
    .run();
}

/// A triangle of image 2 that is always shown, one of image 0 that `second` shows, and an image 1 that nothing uses.
fn parts() -> DocumentParts {
    let corners = [[0.0, 0.0], [20.0, 0.0], [20.0, 20.0]];
    let triangle = |bone: u16| corners.map(|at| vertex(bone, at));
    let rest = at(0.0, 0.0);
    let image = |builder: Builder, i: u8| builder.image(2, &[[i, 0, 0, 255]; 4]);
    (1..=3)
        .fold(Builder::new(), image)
        .bones(2)
        .mesh("of 0", 0, triangle(1), [0, 1, 2])
        .mesh("of 2", 2, triangle(0), [0, 1, 2])
        .animation("first", true, &[[rest, hidden()]])
        .animation("second", true, &[[rest; 2]])
        .parts
}

fn file() -> &'static [u8] {
    format::pchr::write(&parts()).unwrap().leak()
}

fn order(wish: Wish) -> (Vec<u16>, usize) {
    let character = Character::new(format::read(file()).unwrap(), BindChoice::Auto);
    let (ids, first) = image_order(&character, wish.animation(&character), &wish, |_| false);
    (ids.iter().map(|id| id.0).collect(), first)
}

#[test]
fn images_come_in_the_order_of_their_use() {
    assert_eq!(order(Wish::default()), (vec![2, 0, 1], 1));
    let asked = |text: &str| Wish { animation: Some(text.into()), ..Wish::default() };
    assert_eq!(order(asked("second")), (vec![0, 2, 1], 2));
    assert_eq!(order(asked("1")), (vec![0, 2, 1], 2));
    assert_eq!(order(asked("none such")), (vec![2, 0, 1], 1));
    let whole = Wish { whole: true, frame: 99, ..Wish::default() };
    assert_eq!(order(whole), (vec![2, 0, 1], 3));
}

/// The document that an event brings.
fn document(event: FileAction) -> Option<LoadDone> {
    match event {
        FileAction::Loaded(done) => Some(done),
        _ => None,
    }
}

/// All events of a load of which the document is kept.
fn events(source: Source) -> Vec<FileAction> {
    let events = RefCell::new(Vec::new());
    run(source, Wish::default(), &|| true, &|event| events.borrow_mut().push(event));
    events.into_inner()
}

#[test]
fn a_document_comes_measured_before_the_images_that_its_first_picture_does_not_need() {
    let mut events = events(Source::Sample(file())).into_iter();
    let done = events.find_map(|event| match event {
        FileAction::Loaded(done) => Some(done),
        FileAction::LoadedImage(image) => panic!("{image:?}"),
        _ => None,
    });
    let loaded = done.unwrap().result.unwrap();
    let bind = loaded.opened.subject.bind().unwrap().frame();
    assert_eq!(bind.map(|at| at.animation), Some(AnimationId(0)));
    assert_eq!(loaded.bounds.map(|bounds| bounds.max), Some([20.0, 20.0]));
    let red = |levels: &Levels| levels.base().rgba[0];
    let mut images: Vec<u8> = loaded.images.iter().map(|image| red(image)).collect();
    assert_eq!(images[2], 3, "the image of the first picture is there");
    let mut later = 0;
    for event in events {
        if let FileAction::LoadedImage(image) = event {
            later += 1;
            images[image.image.index()] = red(&image.levels);
            assert_eq!(image.levels.smaller().len(), 1);
        }
    }
    assert_eq!((loaded.pending, images), (later, vec![1, 2, 3]));
}

#[test]
fn progress_names_every_phase_in_order_and_never_runs_backwards() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pchr");
    std::fs::write(&path, file()).unwrap();
    let events = events(Source::File(path.clone()));
    let phases = events.iter().filter_map(|event| match event {
        FileAction::Loading(LoadId(7), progress) => Some(progress.phase),
        _ => None,
    });
    let mut phases: Vec<Phase> = phases.collect();
    phases.dedup();
    assert_eq!(phases, [Phase::Reading, Phase::Checking, Phase::Images]);
    let done = events.into_iter().find_map(document).unwrap();
    let stamp = Stamp::of(&path);
    assert_eq!(done.files, [Seen { path, stamp }]);
}

#[test]
fn progress_is_a_fraction_where_the_whole_is_known() {
    let progress = |done, total| Progress { phase: Phase::Reading, done, total };
    assert_eq!(progress(1, 4).fraction(), Some(0.25));
    assert_eq!(progress(9, 4).fraction(), Some(1.0));
    assert_eq!(progress(9, 0).fraction(), None);
}

#[test]
fn a_newer_load_silences_an_older_one() {
    let loader = Loader::default();
    let (sender, events) = mpsc::channel();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pchr");
    std::fs::write(&path, file()).unwrap();
    // The first load waits in its first word until the second is started.
    let (go, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let first = sender.clone();
    loader.start(LoadId(1), Source::File(path), Wish::default(), move |event| {
        let _ = wait.lock().unwrap().recv();
        let _ = first.send(event);
    });
    let newest = Arc::clone(&loader.newest);
    let source = Source::Sample(file());
    loader.start(LoadId(2), source, Wish::default(), move |event| drop(sender.send(event)));
    assert_eq!(newest.load(Ordering::Relaxed), 2);
    drop(go);
    let ends = events.into_iter().filter_map(document).map(|done| done.id);
    assert_eq!(ends.collect::<Vec<_>>(), [LoadId(2)]);
}

#[test]
fn images_are_decoded_only_while_someone_keeps_the_document() {
    let mut parts = parts();
    parts.images.resize(500, parts.images[1].clone());
    let bytes = format::pchr::write(&parts).unwrap().leak();
    let images = RefCell::new(0);
    run(Source::Sample(bytes), Wish::default(), &|| true, &|event| match event {
        FileAction::Loaded(done) => drop(done),
        FileAction::LoadedImage(_) => *images.borrow_mut() += 1,
        _ => {}
    });
    assert_eq!(images.into_inner(), 0);
}

/// Writes the document as JSON with its images in a folder beside it, and returns the path of the JSON.
fn write_json(folder: &Path) -> PathBuf {
    let document = format::read(file()).unwrap();
    let paths: Vec<String> = (0..3).map(|i| format!("textures/{i}.png")).collect();
    let mut text = Vec::new();
    json::write(&document, json::Dialect::Pachario, &paths, &mut text).unwrap();
    std::fs::create_dir_all(folder.join("textures")).unwrap();
    for (image, path) in document.images().zip(&paths) {
        std::fs::write(folder.join(path), json::image_file(&image).unwrap()).unwrap();
    }
    let path = folder.join("hero.json");
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_json_file_is_read_with_its_images_and_they_are_seen() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_json(folder.path());
    let done = load_done(&Source::File(path.clone()), || true);
    let paths = |done: &LoadDone| -> Vec<PathBuf> {
        let files = done.files.iter().map(|seen| {
            assert_eq!(seen.stamp, Stamp::of(&seen.path));
            seen.path.strip_prefix(folder.path()).unwrap().to_owned()
        });
        files.collect()
    };
    let images = ["textures/0.png", "textures/1.png", "textures/2.png"];
    assert_eq!(paths(&done)[0], Path::new("hero.json"));
    assert_eq!(paths(&done)[1..], images.map(PathBuf::from));
    let loaded = done.result.unwrap();
    let red = |levels: &Arc<Levels>| levels.base().rgba[0];
    assert_eq!(loaded.images.iter().map(red).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(loaded.opened.subject.file().format, FileFormat::PacharioJson.name());

    // A missing file causes the failure; the others are still read, so that all findings are reported.
    std::fs::remove_file(folder.path().join(images[1])).unwrap();
    let done = load_done(&Source::File(path.clone()), || true);
    assert_eq!(paths(&done)[1..], images.map(PathBuf::from));
    let problem = Problem::of_load(&done.source, &done.result.unwrap_err());
    assert!(problem.message.contains("1.png"), "{problem:?}");
    let line = |finding: &Finding| finding.text.map(|place| place.line);
    assert_eq!(problem.finding.as_deref().and_then(line), Some(6));

    // One that does not decode is found by its path in the text.
    std::fs::write(folder.path().join(images[1]), b"no picture").unwrap();
    let loaded = load(&Source::File(path), || true).unwrap();
    let finding = &loaded.image_findings[0];
    assert_eq!(finding.path, "images[1].path");
    assert_eq!(line(finding), Some(6));
}

#[test]
fn images_outside_of_the_folder_are_read_if_that_is_allowed() {
    let outer = tempfile::tempdir().unwrap();
    let path = write_json(&outer.path().join("in"));
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("textures/", "../out/")).unwrap();
    std::fs::rename(outer.path().join("in/textures"), outer.path().join("out")).unwrap();
    for allow_outside in [false, true] {
        let (sender, events) = mpsc::channel();
        let source = Source::File(path.clone());
        let loader = Loader::new(Openers::ALL, allow_outside);
        loader.start(LoadId(1), source, Wish::default(), move |event| drop(sender.send(event)));
        match events.iter().find_map(document).unwrap().result {
            Ok(_) => assert!(allow_outside),
            Err(LoadError::Invalid(invalid)) => {
                assert!(!allow_outside);
                assert_eq!(invalid.0.first_error().unwrap().rule, PchrRule::SidecarPath);
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn a_skeleton_that_was_found_and_is_gone_or_broken_is_said_and_seen() {
    let folder = tempfile::tempdir().unwrap();
    let [motion, skeleton] = ["walk.seanim", "hero.skl.pxd"].map(|name| folder.path().join(name));
    std::fs::write(&motion, crate::viewer::state::tests::orbit::points()).unwrap();
    let wish = Wish {
        companions: Companions { skeleton: Some(skeleton.clone()), ..Companions::default() },
        ..Wish::default()
    };
    let again = || {
        let done = load_as(&Source::File(motion.clone()), wish.clone(), || true);
        let seen: Vec<_> = done.files.iter().map(|file| file.path.clone()).collect();
        assert_eq!(seen, [motion.clone(), skeleton.clone()]);
        done.result
    };
    let message = |result: Result<Arc<Loaded>, LoadError>| {
        Problem::of_load(&Source::File(motion.clone()), &result.unwrap_err()).detail()
    };
    let missing = message(again());
    assert!(missing.contains("cannot read hero.skl.pxd"), "{missing}");
    std::fs::write(&skeleton, b"BINA210L").unwrap();
    let broken = message(again());
    assert!(broken.contains("hero.skl.pxd"), "{broken}");
    std::fs::write(&skeleton, skeleton_file(&["hips", "head"])).unwrap();
    let good = again().unwrap();
    assert!(good.opened.subject.spatial().unwrap().has_skeleton());
}

#[test]
fn a_skeleton_that_is_offered_gives_way_to_one_that_fits() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let motion = put("walk.anm.pxd", &numbered_file(2));
    let other = put("enemy.skl.pxd", &skeleton_file(&["a", "b", "c"]));
    put("broken.skl.pxd", b"BINA210L");
    let load = |offered: &Path, skeletons: bool| {
        let wish = Wish {
            companions: Companions { offered: Some(offered.to_owned()), ..Companions::default() },
            skeletons,
            ..Wish::default()
        };
        let done = load_as(&Source::File(motion.clone()), wish, || true);
        done.result.unwrap().rig.clone()
    };
    // The one of the wrong size is the only one.
    assert_eq!(load(&other, false).skeleton, Some(other.clone()));
    let own = put("hero.skl.pxd", &skeleton_file(&["a", "b"]));
    let rig = load(&other, false);
    assert_eq!(rig.skeleton, None);
    let found = rig.candidates.iter().map(|found| &found.path);
    assert!(found.eq([&own, &other]), "without one that cannot be read");
    assert_eq!(load(&own, false).skeleton, Some(own.clone()));
    assert_eq!(load(&own, true).candidates.len(), 2);
}

/// A `.anm.pxd` file that moves so many bones.
pub(in crate::viewer::desktop) fn numbered_file(bones: u32) -> Vec<u8> {
    use pchr_foreign::motion::{Channels, Dialect, Key, Motion, Precision, TrackKeys};
    let channels = Channels { translation: true, rotation: true, scale: true };
    let mut motion = Motion::new(channels, Precision::Single);
    motion.dialect = Dialect::Pxd;
    motion.conventions = Conventions::PXD;
    motion.frame_count = 2;
    for bone in 0..bones {
        let place = [Key { frame: 0, value: [0.0, 1.0, 0.0] }];
        let keys = TrackKeys { translation: &place, ..TrackKeys::default() };
        motion.add_track(bone, 0, keys).unwrap();
    }
    pxd::write_animation(&motion).unwrap()
}

/// A `.skl.pxd` file of a chain of bones.
pub(in crate::viewer::desktop) fn skeleton_file(names: &[&str]) -> Vec<u8> {
    let bones = names.iter().enumerate().map(|(i, name)| Bone {
        name: (*name).into(),
        parent: i.checked_sub(1).map(|at| u32::try_from(at).unwrap()),
        rest: Transform::IDENTITY,
        offset: 0,
    });
    pxd::write_skeleton(&Skeleton::new(bones.collect(), Conventions::PXD).unwrap()).unwrap()
}

#[test]
fn what_is_wrong_is_said_and_nothing_panics() {
    assert!(matches!(load(&Source::File("/no/such/file".into()), || true), Err(LoadError::Io(_))));
    assert!(matches!(load(&Source::Sample(b"no character"), || true), Err(LoadError::Invalid(_))));
    for cut in [&b"PCHR"[..], b"{\"version\": 1, \"bones\": ["] {
        assert!(matches!(load(&Source::Sample(cut), || true), Err(LoadError::CutOff(_))));
    }
}

#[test]
fn the_skeleton_with_a_bone_for_each_track_comes_first_then_the_one_of_the_name() {
    let folder = tempfile::tempdir().unwrap();
    let all = ["a", "b", "c", "d", "e"];
    let files = [("alpha", 5), ("broken", 0), ("hello", 2), ("hero", 2), ("zebra", 3)];
    let mut candidates = Vec::new();
    for (name, bones) in files {
        let path = folder.path().join(format!("{name}.skl.pxd"));
        let bytes = all.get(..bones).filter(|names| !names.is_empty());
        std::fs::write(&path, bytes.map_or(b"BINA210L".to_vec(), skeleton_file)).unwrap();
        candidates.push(Candidate { path, bones: None });
    }
    let mut ordered = |motion: &str, tracks| {
        super::order(&mut candidates, &folder.path().join(motion), Some(tracks), &|| true);
        let names = candidates.iter().map(|it| (name(&it.path), it.bones));
        names.map(|(name, bones)| (name.replace(".skl.pxd", ""), bones)).collect::<Vec<_>>()
    };
    let found = ordered("hero@walk.anm.pxd", 2);
    let wanted = [("hero", 2), ("hello", 2), ("zebra", 3), ("alpha", 5)];
    assert_eq!(found, wanted.map(|(name, bones)| (name.to_owned(), Some(bones))));
    assert_eq!(ordered("walk.anm.pxd", 3)[0], ("zebra".to_owned(), Some(3)));
}
