//! Bones, slots and skin of a character in its setup pose, the bind pose.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DAffine2, DVec2};

use pchr::character::owners;
use pchr::document::{BoneId, BoneTransform, Document, Mesh, Vertex};
use pchr::format::Losses;
use pchr::pose::{BindPose, LocalPose};

use super::DragonBonesUnwritable;
use super::record::{
    BoneSetup, Display, DragonBonesBone, DragonBonesBounds, DragonBonesSlot, Number, Shown,
    SkinSlot, double, single,
};

/// Most vertices of a mesh: the runtime counts them, and their coordinates, with signed 16 bits.
const MOST_VERTICES: usize = 32_767;
/// The runtime numbers the floats of all meshes with 16 bits; from here on, weights cannot start.
const MOST_FLOATS: usize = 65_535;

/// Bone of meshes that no bone moves, and in the place of bones whose bind matrix has no inverse.
const STATIC_BONE: &str = "pchr static";

/// Names of properties that every object of JavaScript has. The runtime looks names up in objects.
const PROPERTIES: [&str; 12] = [
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// A character, and its names and setup pose.
pub(super) struct Rig<'a> {
    pub(super) document: &'a Document,
    /// Names of the bones, and of the static one if there is one.
    pub(super) bones: Vec<String>,
    pub(super) meshes: Vec<String>,
    /// Name and size of each image.
    pub(super) images: Vec<(String, [u32; 2])>,
    pub(super) owners: Vec<Option<BoneId>>,
    pub(super) setup: Vec<BoneTransform>,
    /// Numbers of each bone in the setup pose, y down, with 1 for a scale of 0: no multiple of 0 is anything else.
    pub(super) rest: Vec<[f64; 5]>,
    /// The meshes, back to front in the setup pose.
    pub(super) order: Vec<u16>,
    degenerate: BTreeSet<BoneId>,
}

impl<'a> Rig<'a> {
    pub(super) fn new(
        document: &'a Document,
        bind: &BindPose,
        sizes: impl Iterator<Item = [u32; 2]>,
        losses: &mut Losses,
    ) -> Self {
        let owners = owners(document);
        let mut pose = LocalPose::default();
        if !bind.frame().is_some_and(|at| pose.sample(document, at)) {
            pose = LocalPose::of(vec![BoneTransform::default(); document.bones().len()]);
        }
        let setup = pose.transforms().to_vec();
        let rest = setup.iter().map(|transform| {
            let [x, y, turn, wide, high] = y_down(transform);
            let [wide, high] = [wide, high].map(|scale| if scale == 0.0 { 1.0 } else { scale });
            [x, y, turn, wide, high]
        });
        let degenerate: BTreeSet<BoneId> = bind.degenerate().iter().copied().collect();
        let mut bones = document.meshes().flat_map(|mesh| mesh.vertices()).flat_map(influences);
        let is_static = document.bones().len() == 0
            || owners.iter().any(Option::is_none)
            || bones.any(|(bone, _)| degenerate.contains(&bone));
        let names = document.bones().map(|bone| bone.name());
        let bones =
            unique(names.chain(is_static.then_some(STATIC_BONE)), ["bones", "bone"], losses);
        let images =
            unique(document.images().map(|image| image.name()), ["images", "image"], losses);
        let mut rig = Self {
            document,
            bones,
            meshes: unique(document.meshes().map(|mesh| mesh.name()), ["meshes", "mesh"], losses),
            images: images.into_iter().zip(sizes).collect(),
            owners,
            rest: rest.collect(),
            setup,
            order: Vec::new(),
            degenerate,
        };
        rig.order = rig.order_in(&rig.setup);
        rig
    }

    /// Returns all meshes, back to front in a pose.
    pub(super) fn order_in(&self, pose: &[BoneTransform]) -> Vec<u16> {
        let mut order: Vec<u16> = (0..=u16::MAX).take(self.meshes.len()).collect();
        order.sort_by_key(|mesh| self.of_owner(*mesh, pose).z_order);
        order
    }

    /// Returns the transform of a mesh's owner; a visible one of draw order 0 if it has none.
    fn of_owner(&self, mesh: u16, pose: &[BoneTransform]) -> BoneTransform {
        let owner = self.owners.get(usize::from(mesh)).copied().flatten();
        owner.and_then(|owner| pose.get(owner.index())).copied().unwrap_or_default()
    }

    pub(super) fn bones(&self) -> Vec<DragonBonesBone<'_>> {
        let parents = self.document.bones().map(|bone| bone.parent());
        let known = parents.zip(&self.rest).map(|(parent, [x, y, turn, wide, high])| {
            let parent = parent.and_then(|parent| self.bones.get(parent.index()));
            let turn = double(within_half_a_turn(*turn));
            let transform = BoneSetup {
                x: double(*x),
                y: double(*y),
                sk_x: turn,
                sk_y: turn,
                sc_x: double(*wide),
                sc_y: double(*high),
            };
            (parent.map(String::as_str), Some(transform).filter(|it| !it.is_identity()))
        });
        let all = known.chain(std::iter::repeat_with(|| (None, None)));
        let bones = self.bones.iter().zip(all);
        bones
            .map(|(name, (parent, transform))| DragonBonesBone { name, parent, transform })
            .collect()
    }

    pub(super) fn slots(&self) -> Vec<DragonBonesSlot<'_>> {
        let fixed = self.bones.last().map_or("", String::as_str);
        let slots = self.order.iter().filter_map(|mesh| {
            let owner = *self.owners.get(usize::from(*mesh))?;
            let parent = owner.and_then(|owner| self.bones.get(owner.index()));
            Some(DragonBonesSlot {
                name: self.meshes.get(usize::from(*mesh))?,
                parent: parent.map_or(fixed, String::as_str),
                display_index: Shown::of(self.of_owner(*mesh, &self.setup).visible()).value,
            })
        });
        slots.collect()
    }

    /// Returns the meshes, slot by slot, in the bind pose.
    pub(super) fn skin(&self) -> Result<Vec<SkinSlot<'_>>, DragonBonesUnwritable> {
        let bone_poses = self.bone_poses();
        let mut floats = 0_usize;
        let meshes: Vec<Mesh<'_>> = self.document.meshes().collect();
        let mut slots = Vec::with_capacity(meshes.len());
        for id in &self.order {
            let index = usize::from(*id);
            let Some((mesh, name)) = meshes.get(index).zip(self.meshes.get(index)) else {
                continue;
            };
            let vertices = mesh.vertex_count();
            let refused = |floats| DragonBonesUnwritable::Mesh {
                mesh: *id,
                name: mesh.name().to_owned(),
                vertices,
                floats,
            };
            floats = floats.saturating_add(vertices.saturating_mul(4));
            if vertices > MOST_VERTICES || floats > MOST_FLOATS {
                return Err(refused(floats));
            }
            let display = self.display(mesh, name, &bone_poses);
            let influences = display.weights.len().saturating_sub(vertices) / 2;
            floats = floats.saturating_add(influences.saturating_mul(3));
            slots.push(SkinSlot { name, display: [display] });
        }
        Ok(slots)
    }

    fn display<'s>(
        &'s self,
        mesh: &Mesh<'_>,
        name: &'s str,
        bone_poses: &[[Number<f64>; 6]],
    ) -> Display<'s> {
        let mut display =
            Display { kind: "mesh", name, slot_pose: [1, 0, 0, 1, 0, 0], ..Display::default() };
        if let Some((path, [width, height])) = self.images.get(mesh.image().index()) {
            display = Display { path, width: *width, height: *height, ..display };
        }
        let mut bones = BTreeSet::new();
        for vertex in mesh.vertices() {
            let [x, y] = vertex.position;
            display.vertices.extend([Number(x), Number(-y)]);
            display.uvs.extend(vertex.uv.map(Number));
            let influences = influences(vertex).map(|(bone, weight)| {
                let fixed = self.rest.len(); // the static bone
                let bone = if self.degenerate.contains(&bone) { fixed } else { bone.index() };
                (u16::try_from(bone).unwrap_or(u16::MAX), weight)
            });
            let influences: Vec<(u16, f32)> = influences.collect();
            let count = u8::try_from(influences.len()).unwrap_or(u8::MAX);
            display.weights.push(Number(count.into()));
            for (bone, weight) in influences {
                display.weights.extend([Number(bone.into()), Number(weight)]);
                bones.insert(bone);
            }
        }
        display.triangles = mesh.indices().collect();
        for bone in bones {
            display.bone_pose.push(Number(bone.into()));
            display.bone_pose.extend(bone_poses.get(usize::from(bone)).into_iter().flatten());
        }
        display
    }

    /// Returns the matrix of each bone in the setup pose, y down. It is the bind pose, where a scale of 0 stays.
    #[expect(clippy::arithmetic_side_effects, reason = "a product of floats has no overflow")]
    fn bone_poses(&self) -> Vec<[Number<f64>; 6]> {
        let mut worlds: Vec<DAffine2> = Vec::with_capacity(self.setup.len());
        for (bone, transform) in self.document.bones().zip(&self.setup) {
            let [x, y, turn, wide, high] = y_down(transform);
            let (sin, cos) = (libm::sin(turn.to_radians()), libm::cos(turn.to_radians()));
            let (across, along) =
                (DVec2::new(cos * wide, sin * wide), DVec2::new(-sin * high, cos * high));
            let local = DAffine2::from_cols(across, along, DVec2::new(x, y));
            let parent = bone.parent().and_then(|parent| worlds.get(parent.index()));
            worlds.push(parent.map_or(local, |parent| *parent * local));
        }
        worlds.push(DAffine2::IDENTITY); // the static bone
        worlds.into_iter().map(|world| world.to_cols_array().map(double)).collect()
    }

    /// Returns the box around all vertices.
    pub(super) fn bounds(&self) -> DragonBonesBounds {
        let vertices = self.document.meshes().flat_map(|mesh| mesh.vertices());
        let points = vertices.map(|vertex| {
            let [x, y] = vertex.position;
            DVec2::new(x.into(), -f64::from(y))
        });
        let both = points.map(|point| (point, point));
        let bounds = both.reduce(|(min, max), (a, b)| (min.min(a), max.max(b)));
        bounds.map_or_else(DragonBonesBounds::default, |(min, max)| DragonBonesBounds {
            x: single(min.x),
            y: single(min.y),
            width: single(max.x - min.x),
            height: single(max.y - min.y),
        })
    }
}

/// Returns the bones that move a vertex, with their weights.
fn influences(vertex: Vertex) -> impl Iterator<Item = (BoneId, f32)> {
    let bones = vertex.bone_ids.into_iter().map(BoneId);
    bones.zip(vertex.bone_weights).filter(|(_, weight)| *weight > 0.0)
}

/// Returns x, y, degrees and scales of a transform, y down.
pub(super) fn y_down(transform: &BoneTransform) -> [f64; 5] {
    let BoneTransform { x, y, rotation, scale_x, scale_y, .. } = *transform;
    [x, -y, -rotation, scale_x, scale_y].map(f64::from)
}

/// Returns the same rotation from -180 to 180 degrees.
pub(super) fn within_half_a_turn(degrees: f64) -> f64 {
    match degrees % 360.0 {
        rest if rest > 180.0 => rest - 360.0,
        rest if rest < -180.0 => rest + 360.0,
        rest => rest,
    }
}

/// Returns names that differ from each other and from [`PROPERTIES`], and are not empty.
pub(super) fn unique<'a>(
    names: impl Iterator<Item = &'a str>,
    [section, kind]: [&str; 2],
    losses: &mut Losses,
) -> Vec<String> {
    let mut taken: BTreeSet<String> = PROPERTIES.map(String::from).into();
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    let rename = |(index, name): (usize, &str)| {
        let base = if name.is_empty() { format!("{kind}{index}") } else { name.to_owned() };
        let mut own = base.clone();
        while !taken.insert(own.clone()) {
            let number = numbers.entry(base.clone()).or_insert(1);
            *number = number.saturating_add(1);
            own = format!("{base}_{number}");
        }
        if own != name {
            let what =
                "names that are empty, repeated, or properties of JavaScript's objects (changed)";
            losses.add(what, || format!("{section}[{index}].name"));
        }
        own
    };
    names.enumerate().map(rename).collect()
}
