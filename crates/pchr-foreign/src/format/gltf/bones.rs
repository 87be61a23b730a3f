//! Reads nodes to a skeleton.
#![expect(clippy::arithmetic_side_effects, reason = "vectors of floating-point numbers")]

use std::collections::{HashMap, HashSet};

use glam::{DMat3, DQuat, DVec3};

use pchr::finding::{Severity, quoted};

use super::GltfRule;
use super::container_and_extensions::Notes;
use super::record::{GltfRoot, Node, NodeExtras, Path, ROOT_MOTION, named, ours};
use crate::motion::{
    Bone, Conventions, InvalidParent, LENGTH_TOLERANCE, Name, Skeleton, Transform,
};

/// Bones, and the nodes that they are.
#[derive(Debug, Default)]
pub(super) struct NodeBones {
    pub(super) skeleton: Skeleton,
    pub(super) of_node: Vec<Option<u32>>,
    /// Node above all bones that carries root motion.
    pub(super) above: Option<u32>,
    /// Nodes that only show and hide meshes, and copies of bones below them.
    pub(super) switches: HashSet<u32>,
}

/// Finds bones. `None` comes with a finding.
pub(super) fn bones(root: &GltfRoot, notes: &mut Notes<'_>) -> Option<NodeBones> {
    let tree = node_tree(root, notes)?;
    let nodes = &root.nodes;
    let is_top =
        |(index, node): &(u32, &Node)| parent_in(&tree, *index).is_none() && is_above(node);
    let above = (0..).zip(nodes).find(is_top).map(|(index, _)| index);
    let switches: HashSet<u32> = nodes_that(root, |node| extras(node).switch).collect();
    let mut joints = joints(root, notes);
    joints.retain(|node| !switches.contains(node));
    if notes.found.total(Severity::Error) > 0 {
        return None;
    }
    let order = if root.skins.is_empty() {
        let all = 0..u32::try_from(nodes.len()).unwrap_or(u32::MAX);
        all.filter(|node| Some(*node) != above).collect()
    } else {
        with_ancestors(root, &tree, joints, above)
    };
    let mut of_node = vec![None; nodes.len()];
    for (bone, node) in (0_u32..).zip(&order) {
        if let Some(place) = of_node.get_mut(*node as usize) {
            *place = Some(bone);
        }
    }
    let mut bones = Vec::with_capacity(order.len());
    for index in &order {
        let node = nodes.get(*index as usize)?;
        let parent = parent_in(&tree, *index);
        bones.push(Bone {
            name: name(node),
            parent: parent.and_then(|parent| of_node.get(parent as usize).copied().flatten()),
            rest: rest(node, *index, notes),
            offset: notes.offset(&format!("nodes[{index}]")),
        });
    }
    check_names(&bones, &order, notes);
    check_matrices(root, notes);
    let skeleton = Skeleton::new(bones, Conventions::GLTF).ok()?;
    Some(NodeBones { skeleton, of_node, above, switches })
}

/// Returns all nodes as bones, for their parents.
fn node_tree(root: &GltfRoot, notes: &mut Notes<'_>) -> Option<Skeleton> {
    let count = root.nodes.len();
    let mut nodes = vec![Bone::default(); count];
    let mut is_sound = true;
    for (index, node) in (0_u32..).zip(&root.nodes) {
        for (at, child) in node.children.iter().enumerate() {
            let path = || format!("nodes[{index}].children[{at}]");
            let Some(bone) = nodes.get_mut(*child as usize) else {
                notes.add_index(*child, count, ["node", "nodes"], path);
                is_sound = false;
                continue;
            };
            if let Some(first) = bone.parent.replace(index) {
                let message = || format!("node {child} is already a child of node {first}");
                notes.add(GltfRule::NodeParent, path, message);
                is_sound = false;
            }
        }
    }
    if !is_sound {
        return None;
    }
    match Skeleton::new(nodes, Conventions::GLTF) {
        Ok(tree) => Some(tree),
        Err(InvalidParent::Circle { bone } | InvalidParent::Range { bone, .. }) => {
            let message = "the node is its own ancestor";
            notes.add(GltfRule::NodeCircle, || format!("nodes[{bone}]"), message);
            None
        }
    }
}

fn parent_in(tree: &Skeleton, node: u32) -> Option<u32> {
    tree.bones().get(node as usize)?.parent
}

/// Returns the joints of all skins, each once.
fn joints(root: &GltfRoot, notes: &mut Notes<'_>) -> Vec<u32> {
    let count = root.nodes.len();
    let mut order = Vec::new();
    let mut listed = vec![false; count];
    for (index, skin) in root.skins.iter().enumerate() {
        let mut places = HashMap::with_capacity(skin.joints.len());
        for (at, node) in skin.joints.iter().enumerate() {
            let path = || format!("skins[{index}].joints[{at}]");
            let Some(listed) = listed.get_mut(*node as usize) else {
                notes.add_index(*node, count, ["node", "nodes"], path);
                continue;
            };
            if let Some(first) = places.insert(*node, at) {
                let message =
                    || format!("node {node} is already joint {first}; it becomes one bone");
                notes.add(GltfRule::JointTwice, path, message);
            }
            if !std::mem::replace(listed, true) {
                order.push(*node);
            }
        }
    }
    order
}

/// Returns the joints in order, each after the nodes above it that are not joints, if those move or place it.
fn with_ancestors(
    root: &GltfRoot,
    tree: &Skeleton,
    joints: Vec<u32>,
    above: Option<u32>,
) -> Vec<u32> {
    let known: HashSet<u32> = joints.iter().copied().collect();
    let mut matters = known.clone();
    matters.extend(moved_nodes(root).chain(nodes_that(root, places)));
    if let Some(above) = above {
        matters.remove(&above);
    }
    let down = tree.parents_first();
    for node in down {
        if parent_in(tree, *node).is_some_and(|parent| matters.contains(&parent)) {
            matters.insert(*node);
        }
    }
    let mut leads = known.clone();
    for node in down.iter().rev() {
        if leads.contains(node) {
            leads.extend(parent_in(tree, *node));
        }
    }
    let mut order = Vec::with_capacity(joints.len());
    let mut met = HashSet::new();
    let mut above = Vec::new();
    for joint in joints {
        let mut next = parent_in(tree, joint);
        while let Some(node) = next.filter(|node| met.insert(*node)) {
            if leads.contains(&node) && matters.contains(&node) && !known.contains(&node) {
                above.push(node);
            }
            next = parent_in(tree, node);
        }
        order.extend(above.drain(..).rev());
        order.push(joint);
    }
    order
}

/// Returns the nodes that animations move, some of them several times.
fn moved_nodes(root: &GltfRoot) -> impl Iterator<Item = u32> {
    let targets = root.animations.iter().flat_map(|animation| {
        let channels = animation.channels.iter().map(|channel| channel.target);
        channels.filter(|target| !matches!(target.path, Path::Weights | Path::Other))
    });
    targets.filter_map(|target| target.node)
}

/// Returns the nodes with a property.
fn nodes_that(root: &GltfRoot, is: impl Fn(&Node) -> bool) -> impl Iterator<Item = u32> {
    (0..).zip(&root.nodes).filter(move |(_, node)| is(node)).map(|(index, _)| index)
}

/// Returns true if a node is the one that this program writes above all bones, unchanged. Programs that drop `extras` keep the name
/// of one with root motion, and may place it where that begins.
fn is_above(node: &Node) -> bool {
    (extras(node).above && !places(node)) || node.name.as_deref() == Some(ROOT_MOTION)
}

/// Returns the extras of a node that this program wrote; the default if there are none.
fn extras(node: &Node) -> NodeExtras {
    ours(&node.extras).and_then(Result::ok).unwrap_or_default()
}

/// Returns true if a node has a transform other than the identity.
fn places(node: &Node) -> bool {
    let identity = Transform::IDENTITY;
    node.matrix.as_ref().is_some_and(|matrix| **matrix != glam::DMat4::IDENTITY.to_cols_array())
        || node.translation.is_some_and(|it| it != identity.translation)
        || node.rotation.is_some_and(|it| it != identity.rotation)
        || node.scale.is_some_and(|it| it != identity.scale)
}

fn name(node: &Node) -> Name {
    named(node.name.as_deref(), extras(node).name_hex.as_deref())
}

fn rest(node: &Node, index: u32, notes: &mut Notes<'_>) -> Transform {
    let identity = Transform::IDENTITY;
    if let Some(matrix) = &node.matrix {
        let mut rest = parts(matrix, index, notes);
        keep_single(&mut rest, "matrix", index, notes);
        return rest;
    }
    let mut rest = Transform {
        translation: node.translation.unwrap_or(identity.translation),
        rotation: node.rotation.unwrap_or(identity.rotation),
        scale: node.scale.unwrap_or(identity.scale),
    };
    if let Some(length) = normalise(&mut rest.rotation) {
        let path = || format!("nodes[{index}].rotation");
        notes.add(GltfRule::RotationLength, path, || other_length(length));
    }
    keep_single(&mut rest, "", index, notes);
    rest
}

/// Replaces a translation or scale that single precision cannot hold by that of the identity. `matrix` names where both come from;
/// empty if they have keys of their own.
fn keep_single(rest: &mut Transform, matrix: &str, index: u32, notes: &mut Notes<'_>) {
    let identity = Transform::IDENTITY;
    for (numbers, known, key) in [
        (&mut rest.translation, identity.translation, "translation"),
        (&mut rest.scale, identity.scale, "scale"),
    ] {
        if numbers.iter().all(|it| it.abs() <= f64::from(f32::MAX)) {
            continue;
        }
        let key = if matrix.is_empty() { key } else { matrix };
        let message = || {
            format!(
                "{numbers:?} is beyond single precision, which glTF is stored in; {known:?} is used"
            )
        };
        notes.add(GltfRule::NotFinite, || format!("nodes[{index}].{key}"), message);
        *numbers = known;
    }
}

/// Makes a rotation as long as it should be, and returns the length that it had, if that was another. Length 0, and what is not
/// finite, stays.
pub(super) fn normalise(rotation: &mut [f64]) -> Option<f64> {
    // Squares of large numbers are infinite.
    let largest = rotation.iter().fold(0.0, |most: f64, it| most.max(it.abs()));
    let scale = if largest > 1e100 { largest } else { 1.0 };
    let squares: f64 = { rotation.iter() }.map(|it| (it / scale) * (it / scale)).sum();
    if scale == 1.0 && (squares - 1.0).abs() <= LENGTH_TOLERANCE {
        return None;
    }
    let root = squares.sqrt();
    if root > 0.0 && root.is_finite() {
        for number in rotation {
            *number = *number / scale / root;
        }
    }
    Some(scale * root)
}

/// Describes a rotation of another length than 1.
pub(super) fn other_length(length: f64) -> String {
    let (length, done) = match length {
        0.0 => ("0".to_owned(), "the identity is used"),
        1e-3..1e6 => (format!("{length:.4}"), "normalised"),
        _ => (format!("{length:.4e}"), "normalised"),
    };
    format!("rotation of length {length}, expected 1; {done}")
}

/// Returns the translation, rotation and scale of a matrix.
fn parts(matrix: &[f64; 16], index: u32, notes: &mut Notes<'_>) -> Transform {
    let matrix = glam::DMat4::from_cols_array(matrix);
    let axes = DMat3::from_mat4(matrix);
    let sign = if axes.determinant() < 0.0 { -1.0 } else { 1.0 };
    let lengths = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::length);
    let scale = DVec3::from(lengths) * DVec3::new(sign, 1.0, 1.0);
    let is_flat = lengths.contains(&0.0);
    let rotation = if is_flat {
        DQuat::IDENTITY
    } else {
        let turned = axes * DMat3::from_diagonal(scale.recip());
        DQuat::from_mat3(&turned).normalize()
    };
    let again = DMat3::from_quat(rotation) * DMat3::from_diagonal(scale);
    let reach = lengths.into_iter().fold(0.0, f64::max);
    let is_affine = matrix.row(3) == glam::DVec4::W;
    if !again.abs_diff_eq(axes, reach * 1e-4) || !is_affine {
        let message = "it shears, which translation, rotation and scale cannot express; the closest ones are used";
        let path = || format!("nodes[{index}].matrix");
        notes.add(GltfRule::Matrix, path, message);
    }
    Transform {
        translation: matrix.w_axis.truncate().into(),
        rotation: rotation.into(),
        scale: scale.into(),
    }
}

/// Finds names that are empty or duplicates.
fn check_names(bones: &[Bone], nodes: &[u32], notes: &mut Notes<'_>) {
    let mut first = HashMap::with_capacity(bones.len());
    for (bone, node) in bones.iter().zip(nodes) {
        let path = || format!("nodes[{node}].name");
        let taken = *first.entry(&bone.name).or_insert(*node);
        if bone.name.as_bytes().is_empty() {
            let message = "no name; motions that name their bones cannot move it";
            notes.add(GltfRule::NameDuplicate, path, message);
        } else if taken != *node {
            let message = || {
                format!(
                    "{} is also the name of node {taken}; motions that name their bones move the first",
                    quoted(&bone.name.text())
                )
            };
            notes.add(GltfRule::NameDuplicate, path, message);
        }
    }
}

/// Finds matrices of nodes that an animation moves, which glTF forbids.
fn check_matrices(root: &GltfRoot, notes: &mut Notes<'_>) {
    let moved: HashSet<u32> = moved_nodes(root).collect();
    for index in nodes_that(root, |node| node.matrix.is_some()).filter(|node| moved.contains(node))
    {
        let message = "glTF forbids a matrix on a node that an animation moves; it is split into translation, rotation and scale";
        let path = || format!("nodes[{index}].matrix");
        notes.add(GltfRule::MatrixAnimated, path, message);
    }
}
