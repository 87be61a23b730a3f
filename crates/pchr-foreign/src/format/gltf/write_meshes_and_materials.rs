//! Meshes of a character: skinned, in draw order; and its images as textures, with a material of each.
//!
//! glTF has no draw order and no visibility over time. A mesh for which one of them changes is written once for each of its orders,
//! with joints below a *switch*: a node whose scale is 0 while the mesh is hidden or has another order, so that no triangle has an
//! area. This works in every viewer. The switch of vertices that follow one bone is a child of the bone; otherwise it carries copies
//! of the bones, and of those above them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use pchr::bytes::Budget;
use pchr::character::Character;
use pchr::document::{AnimationId, BoneId, Document, Image, ImageFormat, Mesh, Vertex};
use pchr::format::Losses;
use pchr::image::{Effort, Pixels, decode_straight, encode_png};
use pchr::scene::Subject as _;

use super::record::{
    Attributes, GltfImage, GltfMesh, GltfRoot, GltfSkin, Material, Node, NodeExtras, Primitive,
    Shape, extras,
};
use super::write_buffer_and_container::{AccessorPacker, BufferPart};
use super::write_channels::switched;

/// Distance, in pixels, from a mesh to the next in draw order, for viewers that sort by depth.
const DEPTH_STEP: f32 = 1.0 / 64.0;

/// Most draw orders of a bone. Beyond, its meshes keep one.
const MOST_ORDERS: usize = 16;

const MOST_COPIES: usize = 1 << 16;

/// Largest distance of a sum of weights from 1 that is not listed.
const SUM_TOLERANCE: f64 = 1e-3;

/// A character whose skeleton is written: node by node its bones, then the node above them, and the skin of all bones.
pub(super) struct GltfFigure<'a> {
    pub(super) character: &'a Character,
    /// Inverse matrices of the bones at rest.
    pub(super) bind: &'a [[f32; 16]],
    pub(super) root: &'a mut GltfRoot,
    pub(super) packer: &'a mut AccessorPacker,
    pub(super) losses: &'a mut Losses,
}

/// A node that shows the meshes of a bone while they have a draw order.
#[derive(Debug)]
pub(super) struct MeshSwitch {
    pub(super) node: u32,
    pub(super) at_rest: bool,
    /// Nodes of bones and of their copies.
    pub(super) copies: Vec<(u32, u32)>,
    owner: BoneId,
    z_order: i16,
    skin: u32,
    /// Bones of the skin, ascending.
    bones: Vec<u16>,
}

impl MeshSwitch {
    /// Says for each frame of an animation whether it shows its meshes.
    pub(super) fn frames(
        &self,
        character: &Character,
        animation: AnimationId,
    ) -> impl Iterator<Item = bool> {
        let animation = character.document().animation(animation);
        let frames = animation.into_iter().flat_map(|it| (0..).map_while(move |at| it.frame(at)));
        frames.map(|frame| {
            let transform = frame.transform(self.owner).unwrap_or_default();
            transform.visible() && transform.z_order == self.z_order
        })
    }
}

/// Draw orders and visibility of a bone in all animations.
#[derive(Debug, Default)]
struct DrawCourse {
    /// Number of frames of each order in which its meshes are visible.
    orders: BTreeMap<i16, u64>,
    is_hidden_at_times: bool,
    bones: BTreeSet<u16>,
}

impl DrawCourse {
    fn changes(&self) -> bool {
        self.is_hidden_at_times || self.orders.len() > 1
    }

    /// Keeps the commonest order only.
    fn stay(&mut self) {
        let common = self.orders.iter().max_by_key(|(_, count)| **count);
        self.orders = common.map(|(order, count)| (*order, *count)).into_iter().collect();
        self.is_hidden_at_times = false;
    }
}

impl GltfFigure<'_> {
    /// Adds meshes, nodes, skins, materials and textures. Returns the nodes that show and hide meshes.
    pub(super) fn write(mut self) -> Vec<MeshSwitch> {
        let document = self.character.document();
        write_textures(document, self.root, self.packer, self.losses);
        let courses = self.courses();
        let mut layers = Vec::new();
        for ((id, mesh), owner) in
            document.mesh_ids().zip(document.meshes()).zip(self.character.owners())
        {
            let Some(owner) = owner.filter(|_| mesh.index_count() > 0) else {
                let what = "meshes without triangles or weights";
                self.losses.add(what, || format!("meshes[{}]", id.0));
                continue;
            };
            let orders = courses.get(&owner).map(|it| &it.orders).into_iter().flatten();
            let before = layers.len();
            layers.extend(orders.map(|(order, _)| (*order, id, owner)));
            if layers.len() == before {
                self.losses.add("meshes that are never shown", || format!("meshes[{}]", id.0));
                continue;
            }
            let is_uneven = |it: &Vertex| (influences(it).1 - 1.0).abs() > SUM_TOLERANCE;
            let uneven = mesh.vertices().filter(is_uneven).count() as u64;
            let what = "vertices whose weights do not sum to 1, which they do in glTF";
            self.losses.add_many(what, uneven, || format!("meshes[{}]", id.0));
        }
        layers.sort_unstable_by_key(|(order, id, _)| (*order, *id));
        let mut switches: Vec<MeshSwitch> = Vec::new();
        let mut depth = 0.0;
        for (order, id, owner) in layers {
            let (Some(mesh), Some(course)) = (document.mesh(id), courses.get(&owner)) else {
                continue;
            };
            let mut switch = None;
            if course.changes() {
                let found =
                    { switches.iter() }.position(|it| (it.owner, it.z_order) == (owner, order));
                let place = found.unwrap_or_else(|| {
                    switches.push(self.switch(owner, order, &course.bones));
                    switches.len().saturating_sub(1)
                });
                switch = switches.get(place);
            }
            self.mesh(&mesh, depth, switch);
            depth += DEPTH_STEP;
        }
        switches
    }

    /// Returns draw orders and visibility of all bones that own meshes.
    fn courses(&mut self) -> BTreeMap<BoneId, DrawCourse> {
        let (document, owners) = (self.character.document(), self.character.owners());
        let mut courses: BTreeMap<BoneId, DrawCourse> = BTreeMap::new();
        for (mesh, owner) in document.meshes().zip(owners) {
            let course = owner.map(|owner| courses.entry(owner).or_default());
            let vertices = mesh.vertices().filter(|_| course.is_some());
            let bones = vertices.flat_map(|it| influences(&it).0);
            let bones: BTreeSet<u16> = bones.map(|(bone, _)| bone).collect();
            course.into_iter().for_each(|course| course.bones.extend(&bones));
        }
        for animation in document.animations() {
            for frame in (0..).map_while(|frame| animation.frame(frame)) {
                for (owner, course) in &mut courses {
                    let transform = frame.transform(*owner).unwrap_or_default();
                    if transform.visible() {
                        let count = course.orders.entry(transform.z_order).or_default();
                        *count = count.saturating_add(1);
                    } else {
                        course.is_hidden_at_times = true;
                    }
                }
            }
        }
        let mut copied: usize = 0;
        for (owner, course) in &mut courses {
            if course.orders.is_empty() && !course.is_hidden_at_times {
                course.orders.insert(0, 1); // no animation has a frame
            }
            let is_copied = course.changes() && course.bones.len() > 1;
            if is_copied && copied <= MOST_COPIES {
                let bones = self.with_ancestors(&course.bones).len();
                copied = copied.saturating_add(bones.saturating_mul(course.orders.len()));
            }
            if course.orders.len() > MOST_ORDERS || (is_copied && copied > MOST_COPIES) {
                course.stay();
                let what = "bones whose draw order or visibility changes too often: their meshes keep one order";
                self.losses.add(what, || format!("bones[{}]", owner.0));
            }
        }
        courses
    }

    fn with_ancestors(&self, bones: &BTreeSet<u16>) -> BTreeSet<u16> {
        let mut all = BTreeSet::new();
        for bone in bones {
            let mut next = Some(BoneId(*bone));
            while let Some(bone) = next.filter(|bone| all.insert(bone.0)) {
                next = self.character.bone(bone).and_then(|it| it.parent());
            }
        }
        all
    }

    fn switch(&mut self, owner: BoneId, z_order: i16, bones: &BTreeSet<u16>) -> MeshSwitch {
        let mut switch = MeshSwitch {
            node: 0,
            at_rest: true,
            copies: Vec::new(),
            owner,
            z_order,
            skin: 0,
            bones: bones.iter().copied().collect(),
        };
        let first = self.character.default_animation();
        let at_rest = first.and_then(|first| switch.frames(self.character, first).next());
        switch.at_rest = at_rest.unwrap_or(true);
        let name = self.character.bone(owner).map_or("", |bone| bone.name());
        let is_of_one = switch.bones == [owner.0];
        let above = self.bind.len();
        switch.node = self.add_node(
            if is_of_one { owner.index() } else { above },
            Node {
                name: Some(format!("{name} shown at {z_order}")),
                scale: (!switch.at_rest).then(|| switched(false).map(f64::from)),
                ..Node::default()
            },
        );
        let mut joints = vec![switch.node];
        if !is_of_one {
            let mut nodes = BTreeMap::new();
            for bone in self.with_ancestors(bones) {
                let parent = self.character.bone(BoneId(bone)).and_then(|it| it.parent());
                let parent = parent.and_then(|parent| nodes.get(&parent.0)).copied();
                let Some(original) = self.root.nodes.get(usize::from(bone)) else { continue };
                let copy = Node {
                    name: original.name.clone(),
                    translation: original.translation,
                    rotation: original.rotation,
                    scale: original.scale,
                    ..Node::default()
                };
                let node = self.add_node(parent.unwrap_or(switch.node) as usize, copy);
                nodes.insert(bone, node);
                switch.copies.push((bone.into(), node));
            }
            joints = bones.iter().filter_map(|bone| nodes.get(bone)).copied().collect();
        }
        let bind = bones.iter().filter_map(|bone| self.bind.get(usize::from(*bone)));
        let bind: Vec<[f32; 16]> = bind.copied().collect();
        let bind = self.packer.add(BufferPart::Bind, Shape::Mat4, &bind);
        switch.skin = number(self.root.skins.len());
        let inverse_bind_matrices = Some(bind);
        self.root.skins.push(GltfSkin { inverse_bind_matrices, skeleton: None, joints });
        switch
    }

    fn add_node(&mut self, parent: usize, node: Node) -> u32 {
        let index = number(self.root.nodes.len());
        if let Some(parent) = self.root.nodes.get_mut(parent) {
            parent.children.push(index);
        }
        let extras = extras(NodeExtras { switch: true, ..NodeExtras::default() });
        self.root.nodes.push(Node { extras, ..node });
        index
    }

    fn mesh(&mut self, mesh: &Mesh<'_>, depth: f32, switch: Option<&MeshSwitch>) {
        let count = mesh.vertex_count();
        let (mut joints, mut weights) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for vertex in mesh.vertices() {
            let (found, sum) = influences(&vertex);
            // A vertex that no bone moves follows the first.
            let (mut slots, mut shares) =
                ([0; 4], [if sum > 0.0 { 0.0 } else { 1.0 }, 0.0, 0.0, 0.0]);
            for ((bone, weight), (slot, share)) in
                found.zip(slots.iter_mut().zip(shares.iter_mut()))
            {
                #[expect(clippy::cast_possible_truncation, reason = "glTF has single precision")]
                let single = (weight / sum) as f32;
                let joint = match switch {
                    Some(switch) => switch.bones.binary_search(&bone).unwrap_or_default(),
                    None => bone.into(),
                };
                if single > 0.0 {
                    (*slot, *share) = (u16::try_from(joint).unwrap_or_default(), single);
                }
            }
            joints.push(slots);
            weights.push(shares);
        }
        let positions = mesh.vertices().map(|Vertex { position: [x, y], .. }| [x, y, depth]);
        let positions: Vec<[f32; 3]> = positions.collect();
        let uvs: Vec<[f32; 2]> = mesh.vertices().map(|vertex| vertex.uv).collect();
        let indices: Vec<[u16; 1]> = mesh.indices().map(|index| [index]).collect();
        let packer = &mut *self.packer;
        let attributes = Attributes {
            position: packer.add(BufferPart::Positions, Shape::Vec3, &positions),
            texcoord_0: packer.add(BufferPart::TextureCoordinates, Shape::Vec2, &uvs),
            joints_0: packer.add_shorts(BufferPart::Joints, Shape::Vec4, &joints),
            weights_0: packer.add(BufferPart::Weights, Shape::Vec4, &weights),
        };
        let indices = packer.add_shorts(BufferPart::Indices, Shape::Scalar, &indices);
        let name = (!mesh.name().is_empty()).then(|| mesh.name().to_owned());
        let node = number(self.root.nodes.len());
        self.root.nodes.push(Node {
            name: name.clone(),
            mesh: Some(number(self.root.looks.meshes.len())),
            skin: Some(switch.map_or(0, |switch| switch.skin)),
            ..Node::default()
        });
        if let Some(scene) = self.root.scenes.first_mut() {
            scene.nodes.push(node);
        }
        let material = mesh.image().0;
        let primitives = [Primitive { attributes, indices, material }];
        self.root.looks.meshes.push(GltfMesh { name, primitives });
    }
}

/// Returns the bones that move a vertex, each once, with their weights, and the sum of these.
fn influences(vertex: &Vertex) -> (impl Iterator<Item = (u16, f64)> + use<>, f64) {
    let mut found = [(0, 0.0); 4];
    for (bone, weight) in vertex.bone_ids.into_iter().zip(vertex.bone_weights) {
        let place = found.iter_mut().find(|(known, sum)| *known == bone || *sum == 0.0);
        if let Some((known, sum)) = place.filter(|_| weight > 0.0) {
            (*known, *sum) = (bone, *sum + f64::from(weight));
        }
    }
    let sum = found.iter().map(|(_, weight)| weight).sum();
    (found.into_iter().filter(|(_, weight)| *weight > 0.0), sum)
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The extension for colours without light.
const UNLIT: &str = "KHR_materials_unlit";

/// Adds a material for each image, with the image's index: its colours as they are, blended by alpha, seen from both sides.
fn write_textures(
    document: &Document,
    root: &mut GltfRoot,
    packer: &mut AccessorPacker,
    losses: &mut Losses,
) {
    for (index, image) in document.images().enumerate() {
        let name = (!image.name().is_empty()).then(|| image.name().to_owned());
        let texture = png(&image).map(|png| {
            let looks = &mut root.looks;
            let index = looks.textures.len();
            looks.textures.push(json!({"sampler": 0, "source": looks.images.len()}));
            looks.images.push(GltfImage {
                name: name.clone(),
                buffer_view: packer.add_image(png),
                mime_type: "image/png",
            });
            json!({"baseColorTexture": {"index": index}, "metallicFactor": 0})
        });
        let surface = texture.unwrap_or_else(|| {
            let what = "images that cannot be decoded: their meshes are white";
            losses.add(what, || format!("images[{index}]"));
            json!({"metallicFactor": 0})
        });
        root.looks.materials.push(Material {
            name,
            pbr_metallic_roughness: surface,
            alpha_mode: "BLEND",
            double_sided: true,
            extensions: json!({UNLIT: {}}),
        });
    }
    if !root.looks.materials.is_empty() {
        root.extensions_used.push(UNLIT.into());
    }
    if !root.looks.textures.is_empty() {
        // Linear without mip-maps, clamped to the edge.
        let linear = json!({"magFilter": 9729, "minFilter": 9729, "wrapS": 33071, "wrapT": 33071});
        root.looks.samplers.push(linear);
    }
}

/// Returns an image as a PNG without chunks that change its colours in other programs.
fn png(image: &Image<'_>) -> Option<Vec<u8>> {
    let mut pixels = match image.format() {
        ImageFormat::Png => decode_straight(image.data(), &Budget::default()).ok()?,
        ImageFormat::Rgba8888 => Pixels {
            width: image.width().into(),
            height: image.height().into(),
            rgba: image.data().to_vec(),
        },
    };
    fill_edges(&mut pixels);
    let mut png = Vec::new();
    encode_png(&pixels, Effort::Some, &mut png).ok()?;
    Some(png)
}

/// Gives invisible texels beside visible ones the colour of these: viewers filter colours regardless of alpha, which would darken the
/// edges of most images.
fn fill_edges(pixels: &mut Pixels) {
    let before = pixels.rgba.clone();
    let (before, _) = before.as_chunks::<4>();
    let width = pixels.width as usize;
    let (texels, _) = pixels.rgba.as_chunks_mut::<4>();
    let rows = texels.chunks_mut(width.max(1)).enumerate();
    let places =
        rows.flat_map(|(y, row)| row.iter_mut().enumerate().map(move |(x, it)| (x, y, it)));
    for (x, y, texel) in places.filter(|(_, _, texel)| texel[3] == 0) {
        let (mut sum, mut count) = ([0_u32; 3], 0_u32);
        for y in y.saturating_sub(1)..=y.saturating_add(1) {
            let row = before.chunks(width.max(1)).nth(y).unwrap_or_default();
            let from = x.saturating_sub(1);
            let to = x.saturating_add(2).min(row.len());
            for [red, green, blue, alpha] in row.get(from..to).unwrap_or_default() {
                if *alpha > 0 {
                    for (sum, part) in sum.iter_mut().zip([red, green, blue]) {
                        *sum = sum.saturating_add(u32::from(*part));
                    }
                    count = count.saturating_add(1);
                }
            }
        }
        for (part, sum) in texel.iter_mut().zip(sum).filter(|_| count > 0) {
            *part = u8::try_from(sum.checked_div(count).unwrap_or_default()).unwrap_or(u8::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_texels_take_the_colour_of_visible_neighbours() {
        let (none, red, dark) = ([0; 4], [200, 0, 0, 255], [100, 0, 20, 1]);
        let rgba = [red, none, dark, none, none, none, none, none, none];
        let mut pixels = Pixels { width: 3, height: 3, rgba: rgba.concat() };
        fill_edges(&mut pixels);
        let wanted = [red, [150, 0, 10, 0], dark, [200, 0, 0, 0], [150, 0, 10, 0], [100, 0, 20, 0]];
        assert_eq!(pixels.rgba, [&wanted.concat()[..], &[0; 12]].concat());
    }
}
