//! Reads a skeleton.

use pchr::bytes::Reader;
use pchr::finding::{Findings, Invalid, counted, quoted, there_are};

use super::container::{BinaContainer, BinaList};
use super::write::write_skeleton;
use super::{MOST, PxdRule, SKELETON, write};
use crate::format::with_findings;
use crate::motion::{
    Bone, Conventions, InvalidParent, LENGTH_TOLERANCE, Skeleton, Transform, repeated,
};

/// Lists of a skeleton: path, offset of the array, and size of an item.
const PARENTS: (&str, u64, u64) = ("parents", 0x08, 2);
const NAMES: (&str, u64, u64) = ("names", 0x28, 16);
const TRANSFORMS: (&str, u64, u64) = ("transforms", 0x48, 48);
const HEADER: usize = 0x68;

/// Reads a skeleton, with its findings.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read_skeleton(bytes: &[u8]) -> Result<(Skeleton, Findings), Invalid> {
    with_findings(|found| read(bytes, found))
}

fn read(bytes: &[u8], found: &mut Findings) -> Option<Skeleton> {
    let mut file = BinaContainer::read(bytes, SKELETON, "a skeleton", found)?;
    let mut r = file.payload("skeleton", 0, HEADER, found)?;
    r.skip(8, 1).ok()?;
    let lists = [PARENTS, NAMES, TRANSFORMS]
        .map(|(path, pointer, size)| (path, array(&mut r, pointer, size)));
    let counts = lists.map(|(_, list)| list.map_or(0, |list| list.count));
    let count = counts.into_iter().next()?;
    for (path, list) in lists {
        let list = list?;
        let place = file.offset(list.pointer.saturating_add(8));
        if list.count > MOST {
            let message = || format!("{} bones, expected at most {MOST}", list.count);
            found.add(PxdRule::Limit, place, || format!("skeleton.{path}"), message);
            return None;
        }
        if list.count != count {
            let message =
                || format!("{} {path}, but {}", list.count, counted(count, "parent", "parents"));
            found.add(PxdRule::Counts, place, || format!("skeleton.{path}"), message);
            return None;
        }
    }
    let bytes_of = lists.map(|(path, list)| {
        let list = list?;
        let bytes = file.list(list, || format!("skeleton.{path}"), found)?;
        Some((list.offset, bytes))
    });
    let [parents, names, transforms] = bytes_of;
    let (parents, names, transforms) = (parents?, names?, transforms?);
    let bones = bones(&mut file, count, [parents, names, transforms], found)?;
    let parent_at = |bone: u32| {
        let place = u64::from(bone).saturating_mul(PARENTS.2);
        file.offset(parents.0.saturating_add(place))
    };
    let mut skeleton = match Skeleton::new(bones, Conventions::PXD) {
        Ok(skeleton) => skeleton,
        Err(error) => {
            let bone = error.bone();
            let rule = match error {
                InvalidParent::Range { .. } => PxdRule::ParentRange,
                InvalidParent::Circle { .. } => PxdRule::ParentCircle,
            };
            let path = || format!("skeleton.parents[{bone}]");
            found.add(rule, parent_at(bone), path, || error.to_string());
            return None;
        }
    };
    check(&skeleton, &file, names.0, found);
    file.check_table(found);
    skeleton.pxd_layout.offset_table = file.table.to_vec();
    if write_skeleton(&skeleton).as_deref() != Ok(bytes) {
        skeleton.pxd_layout.offset_table.clear();
        write::check(bytes, write_skeleton(&skeleton), found);
    }
    Some(skeleton)
}

/// Reads an array's fields: offset, count, capacity, allocator.
fn array(r: &mut Reader<'_>, pointer: u64, size: u64) -> Option<BinaList> {
    let (offset, count) = (r.u64().ok()?, r.u64().ok()?);
    r.skip(16, 1).ok()?;
    Some(BinaList { pointer, offset, count, size })
}

/// Reads the bones; each list has its offset and its bytes.
fn bones(
    file: &mut BinaContainer<'_>,
    count: u64,
    lists: [(u64, &[u8]); 3],
    found: &mut Findings,
) -> Option<Vec<Bone>> {
    let [(parents_at, parents), (names_at, names), (transforms_at, transforms)] = lists;
    let mut bones = Vec::with_capacity(parents.len() / 2);
    let parents = parents.as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes));
    let names = names.as_chunks::<16>().0.iter();
    let transforms = transforms.as_chunks::<48>().0.iter();
    let mut is_whole = true;
    for (index, ((parent, name), transform)) in (0_u64..).zip(parents.zip(names).zip(transforms)) {
        let place = |start: u64, size: u64| start.saturating_add(index.saturating_mul(size));
        let parent = match u32::try_from(parent) {
            Ok(parent) if u64::from(parent) < count => Some(parent),
            Err(_) if parent == -1 => None,
            _ => {
                let message = || format!("{parent}, but {}", there_are(count, "bone", "bones"));
                let offset = file.offset(place(parents_at, PARENTS.2));
                let path = || format!("skeleton.parents[{index}]");
                found.add(PxdRule::ParentRange, offset, path, message);
                is_whole = false;
                None
            }
        };
        let pointer = place(names_at, NAMES.2);
        let offset = Reader::new(name).u64().ok()?;
        let path = || format!("skeleton.names[{index}]");
        let name = file.name(pointer, offset, path, found);
        is_whole &= name.is_some();
        bones.push(Bone {
            name: name.unwrap_or_default().into(),
            parent,
            rest: rest(transform),
            offset: file.offset(place(transforms_at, TRANSFORMS.2)),
        });
    }
    is_whole.then_some(bones)
}

/// Reads a transform: position, rotation and scale, four numbers each.
fn rest(bytes: &[u8; 48]) -> Transform {
    let mut numbers = [0.0; 12];
    for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
        *number = f32::from_le_bytes(*bytes).into();
    }
    let [tx, ty, tz, _, rx, ry, rz, rw, sx, sy, sz, _] = numbers;
    Transform { translation: [tx, ty, tz], rotation: [rx, ry, rz, rw], scale: [sx, sy, sz] }
}

/// Finds faults in names and transforms.
fn check(skeleton: &Skeleton, file: &BinaContainer<'_>, names_at: u64, found: &mut Findings) {
    let bones = skeleton.bones();
    let add = |found: &mut Findings, rule, index: usize, message: &dyn Fn() -> String| {
        let place = (index as u64).saturating_mul(NAMES.2);
        let path = || format!("skeleton.names[{index}]");
        found.add(rule, file.offset(names_at.saturating_add(place)), path, message);
    };
    for (index, bone) in bones.iter().enumerate() {
        if let Some(fault) = bone.name.fault() {
            add(found, PxdRule::NameUtf8, index, &|| bone.name.fault_in_words(fault));
        }
        if bone.name.as_bytes().is_empty() {
            add(found, PxdRule::NameDuplicate, index, &|| "a bone without a name".into());
        }
        check_rest(index, bone, found);
    }
    let named = |bone: &Bone| !bone.name.as_bytes().is_empty();
    let names = bones.iter().map(|bone| named(bone).then_some(&bone.name));
    for (index, first) in repeated(names) {
        let message = || {
            let text = bones.get(first).map(|bone| bone.name.text()).unwrap_or_default();
            format!(
                "{} is also the name of bone {first}; motions that name their bones move the first",
                quoted(&text)
            )
        };
        add(found, PxdRule::NameDuplicate, index, &message);
    }
}

fn check_rest(index: usize, bone: &Bone, found: &mut Findings) {
    let path = || format!("skeleton.transforms[{index}]");
    let rest = &bone.rest;
    let parts = [
        ("translation", rest.translation.as_slice()),
        ("rotation", &rest.rotation),
        ("scale", &rest.scale),
    ];
    let is_wild = |(_, numbers): &(&str, &[f64])| numbers.iter().any(|it| !it.is_finite());
    if let Some((part, numbers)) = parts.into_iter().find(is_wild) {
        let message = || format!("{part} {numbers:?} is not finite");
        found.add(PxdRule::NotFinite, bone.offset, path, message);
        return;
    }
    let squares: f64 = bone.rest.rotation.iter().map(|number| number * number).sum();
    if (squares - 1.0).abs() > LENGTH_TOLERANCE {
        let message = || {
            let length = squares.sqrt();
            format!("rotation of length {length:.4}, expected 1; normalised when used")
        };
        let offset = bone.offset.saturating_add(16);
        found.add(PxdRule::RotationLength, offset, path, message);
    }
}
