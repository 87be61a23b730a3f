//! Tests of sound files with tokens deleted, doubled, swapped, nested or replaced, or with bytes changed: each is read, or
//! refused with findings within the file.

use pchr::document::Document;
use pchr::finding::Invalid;
use pchr::format::json::Dialect;
use pchr::format::{legacy, read};
use proptest::prelude::*;

use crate::fixture::puppet;
use crate::json::Files;

/// One change of a text.
#[derive(Clone, Debug)]
enum Change {
    /// Removes some tokens.
    Delete(usize, usize),
    /// Repeats some tokens.
    Double(usize, usize),
    /// Swaps two tokens.
    Swap(usize, usize),
    /// Wraps a token in arrays or objects.
    Nest(usize, usize, bool),
    /// Replaces a token with another.
    Replace(usize, &'static str),
    /// Changes one byte.
    Byte(usize, u8),
}

const TOKENS: &str =
    "null true [] {} \"\" \"NaN\" -1 1e999 65536 0.5 \"\\ud800\" \"\\u0000\" : , \u{feff} 1.";

fn change() -> impl Strategy<Value = Change> {
    let at = any::<usize>;
    prop_oneof![
        (at(), 1..9_usize).prop_map(|(at, count)| Change::Delete(at, count)),
        (at(), 1..60_usize).prop_map(|(at, count)| Change::Double(at, count)),
        (at(), at()).prop_map(|(a, b)| Change::Swap(a, b)),
        (at(), prop_oneof![1..4_usize, Just(20_000)], any::<bool>())
            .prop_map(|(at, depth, array)| Change::Nest(at, depth, array)),
        (at(), prop::sample::select(TOKENS.split(' ').collect::<Vec<_>>()))
            .prop_map(|(at, token)| Change::Replace(at, token)),
        (at(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
    ]
}

/// Tokens of a text: strings, signs, and the text between them.
fn tokens(text: &[u8]) -> Vec<Vec<u8>> {
    let mut tokens: Vec<Vec<u8>> = Vec::new();
    let mut in_string = false;
    let mut joins = false;
    for byte in text {
        let sign = b"{}[],:".contains(byte) && !in_string;
        match tokens.last_mut().filter(|_| joins && !sign) {
            Some(last) => last.push(*byte),
            None => tokens.push(vec![*byte]),
        }
        in_string ^= *byte == b'"';
        joins = !sign;
    }
    tokens
}

fn changed(text: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut tokens = tokens(text);
    for change in changes {
        let len = tokens.len().max(1);
        match change {
            Change::Delete(at, count) => {
                let at = at % len;
                tokens.drain(at.min(tokens.len())..(at + count).min(tokens.len()));
            }
            Change::Double(at, count) => {
                let at = (at % len).min(tokens.len());
                tokens.splice(at..at, tokens[at..(at + count).min(tokens.len())].to_vec());
            }
            Change::Swap(a, b) if !tokens.is_empty() => tokens.swap(a % len, b % len),
            Change::Nest(at, depth, array) if !tokens.is_empty() => {
                let (open, close) = if *array { ("[", "]") } else { ("{\"a\":", "}") };
                let token = &mut tokens[at % len];
                *token = [open.repeat(*depth).as_bytes(), token, close.repeat(*depth).as_bytes()]
                    .concat();
            }
            Change::Replace(at, by) if !tokens.is_empty() => {
                tokens[at % len] = by.as_bytes().to_vec()
            }
            Change::Byte(at, byte) if !tokens.is_empty() => {
                let token = &mut tokens[at % len];
                let place = at / len % token.len().max(1);
                if let Some(place) = token.get_mut(place) {
                    *place = *byte;
                }
            }
            _ => {}
        }
    }
    tokens.concat()
}

/// Reads in a thread with a small stack and passes its panic on.
fn read_on_a_small_stack(file: Vec<u8>) -> Result<Document, Invalid> {
    let thread = std::thread::Builder::new().stack_size(512 << 10);
    thread.spawn(move || read(file)).unwrap().join().unwrap()
}

fn judge(file: Vec<u8>) -> Result<(), TestCaseError> {
    let len = file.len() as u64;
    let findings = match read_on_a_small_stack(file) {
        Ok(document) => document.warnings().clone(),
        Err(Invalid(findings)) => {
            prop_assert!(findings.first_error().is_some());
            findings
        }
    };
    for finding in &findings {
        prop_assert!(finding.offset <= len, "{}", finding);
        let line = finding.to_string();
        prop_assert!(line.len() < 2000 && !line.contains(char::is_control), "{}", line);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_texts_never_panic(changes in prop::collection::vec(change(), 1..5)) {
        let mut builder = puppet();
        builder.parts.images.truncate(0);
        builder.parts.meshes.truncate(0);
        let document = builder.document();
        for dialect in [Dialect::Pchr, Dialect::Pachario] {
            judge(changed(Files::of(&document, dialect).0.text.as_bytes(), &changes))?;
        }
        // With meshes, and with images that cannot be found.
        let text = Files::of(&puppet().document(), Dialect::Pachario).0.text;
        judge(changed(text.as_bytes(), &changes))?;
        let (packed, _) = legacy::write(&document).unwrap();
        let (header, text) = packed.split_at(16);
        let text = changed(text, &changes);
        let mut file = header.to_vec();
        file[8..12].copy_from_slice(&(text.len() as u32).to_le_bytes());
        file.extend(text);
        judge(file)?;
    }
}
