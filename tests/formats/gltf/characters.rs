//! Tests of characters in glTF. They are posed as a viewer does it, with the `gltf` crate: every vertex lies where our pose puts it,
//! meshes lie in draw order, and hidden ones have no area.

use std::path::PathBuf;

use ::gltf::Gltf;
use ::gltf::animation::Interpolation;
use ::gltf::animation::util::ReadOutputs;
use glam::{DMat4, DQuat, DVec3};
use pchr::character::Character;
use pchr::document::{BoneTransform, Document, Vertex};
use pchr::playback::FrameAt;
use pchr::scene::{Frame, ViewOptions};
use pchr_foreign::format::gltf::{self, Container, GltfClip};
use pchr_foreign::motion::{Motion, Skeleton};
use pchr_foreign::plane::{self, ApplyOptions};

use super::{json_of, keys, lost, read};
use crate::corpus;
use crate::fixture::{Builder, RED, at, hidden, puppet, vertex};

/// Writes a character, and returns the file and its losses.
pub(super) fn write(character: &Character, container: Container) -> (Vec<u8>, Vec<String>) {
    let document = character.document();
    let skeleton = plane::skeleton(document, character.bind());
    let motions = document.animation_ids().map(|id| plane::motion_of(document, id).unwrap().0);
    let motions: Vec<Motion> = motions.collect();
    let keys: Vec<_> = motions.iter().map(|motion| keys(&skeleton, motion)).collect();
    let named = document.animations().zip(document.animation_ids());
    let clips = named.zip(motions.iter().zip(&keys)).map(|((animation, id), (motion, keys))| {
        GltfClip { name: animation.name(), motion, keys, frames: Some(id) }
    });
    let clips: Vec<GltfClip<'_>> = clips.collect();
    let (file, losses) = gltf::write_character(character, &skeleton, &clips, container).unwrap();
    (file, lost(&losses))
}

/// All PCHR files of the characters of the corpus.
pub(crate) fn files_of_corpus() -> impl Iterator<Item = PathBuf> {
    let folders = corpus::root().join("characters").read_dir().unwrap();
    let files = folders.filter_map(|it| it.unwrap().path().read_dir().ok()).flatten();
    let paths = files.map(|it| it.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|end| end == "pchr"))
}

/// All characters of the corpus.
pub(super) fn of_corpus() -> Vec<(String, Character)> {
    let read = |path: PathBuf| {
        let document = pchr::format::read(std::fs::read(&path).unwrap()).unwrap();
        (path.file_name().unwrap().to_string_lossy().into_owned(), Character::from(document))
    };
    let characters: Vec<_> = files_of_corpus().map(read).collect();
    assert!(characters.len() >= 15, "{}", characters.len());
    characters
}

/// A character with everything that glTF lacks: meshes that are hidden at times, at once with several bones and orders, or always;
/// uneven, repeated and missing weights; a mesh without triangles; an image that is none.
pub(super) fn odd() -> Document {
    let corner = |x: f32, y: f32, bone_ids, bone_weights| {
        let uv = [x / 10.0, y / 10.0];
        Vertex { uv, bone_ids, bone_weights, ..vertex(0, [x, y]) }
    };
    let shared =
        |x, y, low: f32| corner(x, y, [1, 2, 1, 0], [low / 2.0, 1.0 - low, low / 2.0, 0.0]);
    let ordered =
        |x, y, z_order| BoneTransform { z_order, rotation: 30.0 * x, scale_x: 1.0 + y, ..at(x, y) };
    let frames = [
        [at(1.0, 2.0), at(3.0, 0.0), hidden(), at(0.0, 0.0), hidden()],
        [at(5.0, 2.0), ordered(3.0, 1.0, 2), hidden(), ordered(0.0, 1.0, 1), hidden()],
        [at(9.0, 2.0), ordered(3.0, 2.0, -2), at(1.0, 1.0), hidden(), hidden()],
        [at(9.0, 2.0), hidden(), ordered(4.0, 1.0, 7), at(0.0, 1.0), hidden()],
    ];
    let skinned = [
        shared(0.0, 0.0, 1.0),
        shared(9.0, 0.0, 0.6),
        shared(9.0, 9.0, 0.55),
        corner(0.0, 9.0, [1, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]),
    ];
    let thin = [
        corner(0.0, 0.0, [3, 9, 0, 0], [0.25, 0.0, 0.25, 0.0]),
        corner(4.0, 0.0, [3, 0, 0, 0], [-1.0, 0.0, 0.0, 0.0]),
        corner(4.0, 4.0, [3, 0, 0, 0], [3.0, 0.0, 0.0, 0.0]),
    ];
    let none = corner(0.0, 0.0, [7, 8, 9, 0], [0.0; 4]);
    Builder::new()
        .image(2, &[RED, [0; 4], [0; 4], RED])
        .png("broken", b"none".to_vec())
        .bone("hip", None)
        .bone("arm", Some(0))
        .bone("hand", Some(1))
        .bone("leg", Some(0))
        .bone("ghost", None)
        .mesh("sleeve", 0, skinned, [0, 1, 2, 0, 2, 3])
        .mesh("thin", 1, thin, [0, 1, 2])
        .mesh("still", 0, [none; 3], [0, 1, 2])
        .mesh("empty", 0, [vertex(0, [0.0; 2])], [])
        .quad("never", 0, 4, [0.0; 2], [1.0; 2])
        .quad("", 0, 2, [0.0; 2], [5.0; 2])
        .quad("belt", 0, 0, [-5.0; 2], [5.0, 0.0])
        .animation("bind", false, &frames[..1])
        .animation("move", true, &frames)
        .animation("rest", true, &frames[2..3])
        .document()
}

/// A mesh as a viewer sees it.
struct Seen {
    name: String,
    depth: f64,
    points: Vec<DVec3>,
}

fn has_area(points: &[DVec3]) -> bool {
    points.iter().any(|point| point.distance(points[0]) > 0.0)
}

struct Viewer {
    file: Gltf,
}

impl Viewer {
    fn data(&self) -> &[u8] {
        self.file.blob.as_deref().unwrap()
    }

    /// World matrices of all nodes, at a time of a clip.
    fn worlds(&self, clip: usize, secs: f32) -> Vec<DMat4> {
        let nodes = self.file.nodes().map(|node| node.transform().decomposed());
        let mut locals: Vec<_> = nodes.collect();
        for channel in self.file.animations().nth(clip).unwrap().channels() {
            let reader = channel.reader(|_| Some(self.data()));
            let local = &mut locals[channel.target().node().index()];
            let times: Vec<f32> = reader.read_inputs().unwrap().collect();
            let key = times.partition_point(|time| *time <= secs).saturating_sub(1);
            if channel.sampler().interpolation() != Interpolation::Step {
                assert_eq!(channel.target().node().name(), Some("skeleton"));
            }
            match reader.read_outputs().unwrap() {
                ReadOutputs::Translations(mut values) => local.0 = values.nth(key).unwrap(),
                ReadOutputs::Rotations(values) => local.1 = values.into_f32().nth(key).unwrap(),
                ReadOutputs::Scales(mut values) => local.2 = values.nth(key).unwrap(),
                ReadOutputs::MorphTargetWeights(_) => panic!("no mesh has any"),
            }
        }
        let mut worlds = vec![DMat4::IDENTITY; locals.len()];
        let mut rest: Vec<_> =
            self.file.scenes().next().unwrap().nodes().map(|it| (it, DMat4::IDENTITY)).collect();
        while let Some((node, parent)) = rest.pop() {
            let (translation, rotation, scale) = &locals[node.index()];
            let [x, y, z, w] = rotation.map(f64::from);
            let turn = DQuat::from_xyzw(x, y, z, w).normalize();
            let [scale, place] = [scale, translation].map(|it| it.map(f64::from).into());
            let local = DMat4::from_scale_rotation_translation(scale, turn, place);
            worlds[node.index()] = parent * local;
            rest.extend(node.children().map(|child| (child, parent * local)));
        }
        worlds
    }

    /// All meshes, in the order of the scene.
    fn meshes(&self, worlds: &[DMat4]) -> Vec<Seen> {
        let scene = self.file.scenes().next().unwrap();
        let drawn = scene.nodes().filter_map(|node| Some((node.mesh()?, node.skin()?)));
        let seen = drawn.map(|(mesh, skin)| {
            let reader = skin.reader(|_| Some(self.data()));
            let binds = reader.read_inverse_bind_matrices().unwrap();
            let binds =
                binds.map(|it| DMat4::from_cols_array_2d(&it.map(|row| row.map(f64::from))));
            let joints = skin.joints().zip(binds);
            let joints: Vec<DMat4> =
                joints.map(|(joint, bind)| worlds[joint.index()] * bind).collect();
            let primitive = mesh.primitives().next().unwrap();
            let reader = primitive.reader(|_| Some(self.data()));
            let weights = reader.read_weights(0).unwrap().into_f32();
            let influences = reader.read_joints(0).unwrap().into_u16().zip(weights);
            let vertices = reader.read_positions().unwrap().zip(influences);
            let mut depth = f64::NAN;
            let points = vertices.map(|(position, (slots, weights))| {
                let position = DVec3::from(position.map(f64::from));
                depth = position.z;
                let sum: f32 = weights.iter().sum();
                assert!((sum - 1.0).abs() < 1e-6, "{sum}");
                let parts = slots.into_iter().zip(weights).map(|(slot, weight)| {
                    joints[usize::from(slot)].transform_point3(position) * f64::from(weight)
                });
                parts.sum()
            });
            let points = points.collect();
            Seen { name: mesh.name().unwrap_or_default().to_owned(), depth, points }
        });
        seen.collect()
    }
}

/// Compares every frame with our own pose and order. Returns the largest distance of two vertices, in pixels.
fn compare(name: &str, character: &Character, file: &[u8]) -> f64 {
    let document = character.document();
    let viewer = Viewer { file: Gltf::from_slice(file).unwrap() };
    let (mut largest, mut points) = (0.0_f64, Vec::new());
    for (clip, (id, animation)) in document.animation_ids().zip(document.animations()).enumerate() {
        for frame in 0..animation.frame_count() {
            // Frames are held until the next.
            let secs = (f32::from(frame) + 0.9) / f32::from(document.fps());
            let theirs = viewer.meshes(&viewer.worlds(clip, secs));
            assert!(theirs.is_sorted_by(|a, b| a.depth < b.depth), "{name}");
            let mut theirs = theirs.iter().filter(|it| has_area(&it.points));
            let at = FrameAt::exact(id, frame);
            let ours = Frame::new(character, Some(at), &ViewOptions::default());
            for draw in ours.draws() {
                let mesh = document.mesh(draw.mesh).unwrap();
                points.clear();
                ours.pose().place(&mesh, &mut points);
                let z = |[x, y]: [f32; 2]| DVec3::new(x.into(), y.into(), 0.0);
                let points: Vec<DVec3> = points.iter().copied().map(z).collect();
                if mesh.index_count() == 0 || !has_area(&points) {
                    continue;
                }
                let at = format!("{name}: {} at frame {frame}: {}", animation.name(), mesh.name());
                let theirs = theirs.next().unwrap_or_else(|| panic!("{at} is not shown"));
                assert_eq!(theirs.name, mesh.name(), "{at}");
                for (vertex, (ours, theirs)) in
                    mesh.vertices().zip(points.iter().zip(&theirs.points))
                {
                    let positive = vertex.bone_weights.into_iter().filter(|it| *it > 0.0);
                    if (positive.sum::<f32>() - 1.0).abs() < 1e-4 {
                        largest = largest.max(ours.distance(theirs.with_z(0.0)));
                    }
                }
            }
            let more: Vec<&str> = theirs.map(|it| it.name.as_str()).collect();
            assert_eq!(more, [""; 0], "{name}: {} at frame {frame}", animation.name());
        }
    }
    largest
}

#[test]
fn frames_of_a_small_character_are_the_same() {
    let character = Character::from(puppet().document());
    let (file, losses) = write(&character, Container::Binary);
    assert_eq!(losses, Vec::<String>::new());
    assert!(compare("puppet", &character, &file) < 1e-5);
    // Red has three orders, of which one is that of all others.
    let json = json_of(&file);
    let names: Vec<&str> = { json["nodes"].as_array().unwrap().iter() }
        .map(|node| node["name"].as_str().unwrap())
        .collect();
    let bones = ["root", "red", "green", "skeleton"];
    let meshes = ["red shown at -1", "part.red", "shadow", "red shown at 0", "part.red"];
    let last = ["green shown at 0", "part.green", "red shown at 1", "part.red"];
    assert_eq!(names, [&bones[..], &meshes, &last].concat());
}

#[test]
fn frames_of_an_odd_character_are_the_same() {
    let character = Character::from(odd());
    let (file, losses) = write(&character, Container::Binary);
    let wanted = [
        "1 images that cannot be decoded: their meshes are white (images[1])",
        "3 vertices whose weights do not sum to 1, which they do in glTF (meshes[1])",
        "2 meshes without triangles or weights (meshes[2])",
        "1 meshes that are never shown (meshes[4])",
    ];
    assert_eq!(losses, wanted);
    assert!(compare("odd", &character, &file) < 1e-5);
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn frames_of_the_corpus_are_the_same() {
    for (name, character) in of_corpus() {
        let (file, _) = write(&character, Container::Binary);
        let distance = compare(&name, &character, &file);
        // Weights that sum to 1 but for their last digits are normalised.
        assert!(distance < 0.1, "{name}: {distance}");
    }
}

#[test]
fn bones_and_frames_come_back() {
    for document in [odd(), puppet().document()] {
        let character = Character::from(document);
        let (document, bind) = (character.document(), character.bind());
        let (file, _) = write(&character, Container::Binary);
        let back = read(&file);
        assert_eq!(super::said(&back.warnings), Vec::<String>::new());
        let kinds: Vec<&str> = back.losses.iter().map(|loss| loss.what).collect();
        assert_eq!(kinds, ["meshes", "materials", "images", "extensions"]);
        let names = |skeleton: &Skeleton| -> Vec<_> {
            skeleton.bones().iter().map(|bone| (bone.name.clone(), bone.parent)).collect()
        };
        assert_eq!(names(&back.skeleton), names(&plane::skeleton(document, bind)));
        for (clip, animation) in back.clips.iter().zip(document.animations()) {
            assert!(clip.losses.is_empty(), "{:?}", clip.losses);
            let options = ApplyOptions { names: Some(&back.skeleton), ..ApplyOptions::default() };
            let applied =
                plane::apply(document, bind, &clip.motion, animation.name(), &options).unwrap();
            assert!(applied.report.losses.is_empty(), "{:?}", applied.report.losses);
            let again = &applied.animation;
            let name = animation.name();
            assert_eq!(again.frame_count, animation.frame_count(), "{name}");
            assert_eq!(again.flags, animation.flags(), "{name}");
            for (was, is) in animation.transforms().zip(&again.transforms) {
                let numbers = |it: &BoneTransform| [it.x, it.y, it.scale_x, it.scale_y];
                assert_eq!(numbers(&was), numbers(is), "{name}");
                assert!((was.rotation - is.rotation).abs() < 1e-4, "{name}: {was:?} {is:?}");
            }
        }
    }
}
