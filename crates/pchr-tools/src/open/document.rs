//! Documents of characters, and what is said of a file that is none.

use std::borrow::Cow;

use pchr::bytes::Budget;
use pchr::document::PchrRule;
use pchr::finding::Invalid;
use pchr::format::pchr::MAGIC;
use pchr::format::{Sidecars, Sourced, other, read_source};

/// Reads a character. What is said of a file of another kind names all kinds that are read.
pub(crate) fn read_character(
    bytes: Cow<'static, [u8]>,
    sidecars: &mut dyn Sidecars,
    budget: &Budget,
) -> Sourced {
    let read = read_source(bytes, sidecars, budget);
    read.map_err(|(Invalid(mut findings), bytes)| {
        let mut kept: Vec<_> = findings.iter().cloned().collect();
        if let [finding] = kept.as_mut_slice()
            && finding.rule == PchrRule::Magic
            && !bytes.starts_with(&MAGIC)
            && other::name(&bytes).is_some()
        {
            finding.message.push_str(OTHER_KINDS);
            findings = findings.with_kept(kept);
        }
        (Invalid(findings), bytes)
    })
}

/// What is expected of a file that is no character, after the formats of these.
const OTHER_KINDS: &str = "; or an atlas: PCT (starts with \"PCT:\") or JSON. pchr also reads 3D motions: SEAnim (starts with \"SEAnim\"), its JSON mirror, PXD (\"BINA\") and glTF (\"glTF\", or JSON with asset)";
