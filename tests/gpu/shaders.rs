//! Tests of the shaders: they are valid, and their memory layouts match the Rust mirrors. No GPU is needed.
#![cfg(feature = "render")]

use std::collections::BTreeMap;

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, TypeInner};
use pchr::render::{gpu_data, shaders};

/// Shaders that have a pipeline.
const SHADERS: [(&str, &str); 6] = [
    ("crowd.wgsl", shaders::CROWD),
    ("skinned.wgsl", shaders::SKINNED),
    ("overlay.wgsl", shaders::OVERLAY),
    ("masked.wgsl", shaders::MASKED),
    ("ghost.wgsl", shaders::GHOST),
    ("resolve.wgsl", shaders::RESOLVE),
];

fn parsed(name: &str, source: &str) -> naga::Module {
    let source = shaders::with_common(source);
    let module = naga::front::wgsl::parse_str(&source);
    let module = module.unwrap_or_else(|it| panic!("{name}: {}", it.emit_to_string(&source)));
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    let valid = validator.validate(&module);
    valid.unwrap_or_else(|it| panic!("{name}: {}", it.emit_to_string(&source)));
    module
}

#[test]
fn every_shader_is_valid_and_its_structs_lie_in_memory_as_their_mirrors_do() {
    let frame = vec![
        std::mem::offset_of!(gpu_data::GpuFrame, clip_from_screen),
        std::mem::offset_of!(gpu_data::GpuFrame, screen_from_world_scale),
        std::mem::offset_of!(gpu_data::GpuFrame, screen_from_world_offset),
    ];
    let mirrors = BTreeMap::from([
        ("Frame", (size_of::<gpu_data::GpuFrame>(), frame)),
        ("Model", (size_of::<gpu_data::Model>(), vec![0, 16, 32, 36, 40, 44])),
        ("Ghost", (size_of::<gpu_data::GpuGhost>(), vec![0, 12, 16, 20, 24, 28])),
    ]);
    for (name, source) in SHADERS {
        let module = parsed(name, source);
        for (_, variable) in module.global_variables.iter() {
            if !matches!(variable.space, AddressSpace::Uniform | AddressSpace::Storage { .. }) {
                continue;
            }
            let ty = &module.types[variable.ty];
            let struct_name = ty.name.as_deref().expect("a struct has a name");
            let TypeInner::Struct { members, span } = &ty.inner else {
                panic!("{name}: {struct_name} is not a struct");
            };
            let (size, offsets) = mirrors
                .get(struct_name)
                .unwrap_or_else(|| panic!("{name}: {struct_name} has no mirror here"));
            assert_eq!(*span as usize, *size, "{name}: size of {struct_name}");
            let found: Vec<_> = members.iter().map(|m| m.offset as usize).collect();
            assert_eq!(found, offsets[..], "{name}: fields of {struct_name}");
        }
    }
}

#[test]
fn every_struct_says_what_mirrors_it_or_that_nothing_does() {
    for (_, source) in [("", shaders::COMMON)].into_iter().chain(SHADERS) {
        let lines: Vec<_> = source.lines().collect();
        for pair in lines.windows(2).filter(|pair| pair[1].starts_with("struct ")) {
            let comment = pair[0];
            assert!(
                comment.starts_with("// Mirrors gpu_data::") && comment.contains(" bytes")
                    || comment.ends_with("no Rust mirror."),
                "{comment:?} above {:?}",
                pair[1]
            );
        }
    }
}
