//! Reads a file to a skeleton and motions.

use pchr::finding::{Findings, Invalid, Severity, quoted};
use pchr::format::Sidecars;

use super::accessor::{Accessors, Buffers, MOST_KEYS, is_compression};
use super::bones::bones;
use super::clips::clips;
use super::packer::MAGIC;
use super::record::GltfRoot;
use super::source::{FileParts, Notes};
use super::{Container, GltfFile, GltfRule};
use crate::format::json_text::{AfterKey, each_key};

/// Extensions that affect neither bones nor their motions.
const HARMLESS: [&str; 5] = [
    "KHR_draco_mesh_compression",
    "KHR_mesh_quantization",
    "KHR_lights_punctual",
    "KHR_animation_pointer",
    "EXT_mesh_gpu_instancing",
];

/// Prefixes of more such extensions.
const HARMLESS_BEGINNINGS: [&str; 3] = ["KHR_materials_", "KHR_texture_", "EXT_texture_"];

/// Reads a file, with its findings. `buffers` gives the files that it names; a path is passed on with its `%20` and the like
/// decoded. A buffer that no animation of a bone needs is not asked for.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read(file: &[u8], buffers: &mut dyn Sidecars) -> Result<GltfFile, Invalid> {
    let mut found = Findings::default();
    let Some(parts) = FileParts::new(file, &mut found) else {
        return Err(Invalid(found));
    };
    let said = |found: Findings| match parts.container {
        Container::Text => found.in_text(file),
        Container::Binary => found,
    };
    let Some(text) = parts.text(&mut found) else {
        return Err(Invalid(said(found)));
    };
    let mut notes = Notes::new(&parts, text, found);
    let read = content(&parts, &mut notes, buffers);
    let Notes { found, losses, .. } = notes;
    let warnings = said(found);
    match read {
        Some(read) if warnings.total(Severity::Error) == 0 => {
            Ok(GltfFile { warnings, losses, ..read })
        }
        _ => Err(Invalid(warnings)),
    }
}

fn content(
    parts: &FileParts<'_>,
    notes: &mut Notes<'_>,
    buffers: &mut dyn Sidecars,
) -> Option<GltfFile> {
    let root = notes.root()?;
    check_asset(&root, notes)?;
    let bones = bones(&root, notes)?;
    let mut accessors = Accessors {
        root: &root,
        buffers: Buffers::new(&root, parts.binary, buffers),
        room: MOST_KEYS,
    };
    let clips = clips(&root, &bones, &mut accessors, notes);
    left_out(&root, notes);
    Some(GltfFile {
        container: parts.container,
        nodes: root.nodes.len(),
        skins: root.skins.len(),
        generator: root.asset.generator,
        skeleton: bones.skeleton,
        clips,
        warnings: Findings::default(),
        losses: pchr::format::Losses::default(),
    })
}

fn check_asset(root: &GltfRoot, notes: &mut Notes<'_>) -> Option<()> {
    let asset = &root.asset;
    let is_known = |version: &str| version == "2" || version.starts_with("2.");
    let least = asset.min_version.as_deref();
    let wrong = match least {
        Some(least) if least != "2.0" => Some(("asset.minVersion", least)),
        _ => (!is_known(&asset.version)).then_some(("asset.version", asset.version.as_str())),
    };
    if let Some((path, version)) = wrong {
        let message = || format!("{}, but this program reads 2.0", quoted(version));
        notes.add(GltfRule::Version, || path.to_owned(), message);
        return None;
    }
    for (index, name) in root.extensions_required.iter().enumerate() {
        let is_harmless = HARMLESS.contains(&name.as_str()) || { HARMLESS_BEGINNINGS.iter() }
            .any(|start| name.starts_with(start));
        if !is_harmless {
            let message = || match is_compression(name) {
                true => format!("{}: compressed data is not read", quoted(name)),
                false => format!("unknown extension {}; the file is read without it", quoted(name)),
            };
            let path = || format!("extensionsRequired[{index}]");
            notes.add(GltfRule::Extension, path, message);
        }
    }
    Some(())
}

/// Lists contents that are neither bones nor their motions.
fn left_out(root: &GltfRoot, notes: &mut Notes<'_>) {
    let lists = [
        ("meshes", root.meshes.len()),
        ("cameras", root.cameras.len()),
        ("materials", root.materials.len()),
        ("images", root.images.len()),
        ("extensions", root.extensions_used.len()),
    ];
    for (what, count) in lists.into_iter().filter(|(_, count)| *count > 0) {
        let path = || match what {
            "extensions" => "extensionsUsed[0]".to_owned(),
            _ => format!("{what}[0]"),
        };
        notes.losses.add_many(what, count as u64, path);
    }
}

/// Returns true if bytes are glTF, possibly damaged: they begin like binary glTF, or are JSON with the version of an asset.
#[must_use]
pub fn looks_like_gltf(bytes: &[u8]) -> bool {
    if bytes.starts_with(&MAGIC) {
        return true;
    }
    let mut found = false;
    each_key(bytes, |depth, key| match (depth, key) {
        (0, "asset") => AfterKey::Inner,
        (1, "version") => {
            found = true;
            AfterKey::Stop
        }
        _ => AfterKey::Next,
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_asset_with_a_version_tells() {
        for (text, wanted) in [
            (r#"{"asset":{"version":"2.0"}}"#, true),
            ("\u{feff}\n{\"nodes\":[{}],\"asset\":{\"generator\":\"x\",\"version\":\"1.0\"", true),
            (r#"{"asset":{"version":2}}"#, true),
            (r#"{"asset":{},"version":"2.0"}"#, false),
            (r#"{"version":1,"bones":[]}"#, false),
            ("[]", false),
            ("glTF", true),
            ("glT", false),
            ("", false),
        ] {
            assert_eq!(looks_like_gltf(text.as_bytes()), wanted, "{text}");
        }
    }
}
