//! Walks JSON values as a stream, without keeping a tree.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::audit::{self, Audit};
use super::path::Step;

/// Takes the elements of an array one by one.
pub(super) trait Elements<'de> {
    const EXPECTING: &'static str;

    fn element<D: Deserializer<'de>>(&mut self, index: usize, value: D) -> Result<(), D::Error>;

    /// Returns the list that collects findings, if all of them are wanted. Otherwise the first stops the reading.
    fn audit(&mut self) -> Option<&mut Audit>;
}

/// Takes the values of an object one by one, in the order of the text.
pub(super) trait Fields<'de> {
    const EXPECTING: &'static str;
    /// Known keys.
    const KEYS: &'static [&'static str];
    /// Known keys that may be missing.
    const OPTIONAL: &'static [&'static str] = &[];
    /// True if unknown keys are errors; else they are skipped.
    const STRICT: bool;

    /// Reads a field; `key` is an index into [`Self::KEYS`].
    fn field<D: Deserializer<'de>>(&mut self, key: usize, value: D) -> Result<(), D::Error>;

    /// Returns the list that collects findings, if all of them are wanted. Otherwise the first stops the reading.
    fn audit(&mut self) -> Option<&mut Audit>;
}

/// An array, as a seed.
pub(super) struct Array<'a, T>(pub(super) &'a mut T);

impl<'de, T: Elements<'de>> Array<'_, T> {
    /// Reads the array, and returns its number of elements.
    pub(super) fn read<D: Deserializer<'de>>(self, value: D) -> Result<usize, D::Error> {
        value.deserialize_seq(self)
    }
}

impl<'de, T: Elements<'de>> Visitor<'de> for Array<'_, T> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {}", T::EXPECTING)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<usize, A::Error> {
        let mut index: usize = 0;
        if self.0.audit().is_some() {
            while let Some(value) = seq.next_element::<&RawValue>()? {
                let read = |elements: &mut T, value: audit::Value<'_, '_, 'de>| {
                    elements.element(index, value)
                };
                audit::value(self.0, T::audit, Step::Index(index), value, read);
                index = index.saturating_add(1);
            }
            return Ok(index);
        }
        while seq
            .next_element_seed(Element {
                elements: self.0,
                index,
            })?
            .is_some()
        {
            index = index.saturating_add(1);
        }
        Ok(index)
    }
}

struct Element<'a, T> {
    elements: &'a mut T,
    index: usize,
}

impl<'de, T: Elements<'de>> DeserializeSeed<'de> for Element<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        self.elements.element(self.index, value)
    }
}

/// An object, as a seed.
pub(super) struct Object<'a, T>(pub(super) &'a mut T);

impl<'de, T: Fields<'de>> DeserializeSeed<'de> for Object<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_map(self)
    }
}

impl<'de, T: Fields<'de>> Visitor<'de> for Object<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTING)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if self.0.audit().is_some() {
            return self.visit_all(map);
        }
        let mut seen: u32 = 0;
        while let Some(name) = map.next_key::<String>()? {
            let Some((key, known)) = (0..).zip(T::KEYS).find(|(_, known)| **known == name) else {
                if T::STRICT {
                    return Err(A::Error::unknown_field(&name, T::KEYS));
                }
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let bit = 1_u32.unbounded_shl(key);
            if seen & bit != 0 {
                return Err(A::Error::duplicate_field(known));
            }
            seen |= bit;
            map.next_value_seed(Field {
                fields: self.0,
                key: key as usize,
            })?;
        }
        match missing::<T>(seen).next() {
            Some(key) => Err(A::Error::missing_field(key)),
            None => Ok(()),
        }
    }
}

/// Returns the required keys that were not seen.
fn missing<'de, T: Fields<'de>>(seen: u32) -> impl Iterator<Item = &'static str> {
    let keys = (0..).zip(T::KEYS);
    let absent = keys.filter(move |(key, _)| seen & 1_u32.unbounded_shl(*key) == 0);
    absent
        .map(|(_, name)| *name)
        .filter(|name| !T::OPTIONAL.contains(name))
}

impl<'de, T: Fields<'de>> Object<'_, T> {
    /// Reads the object to its end, despite errors.
    #[cold]
    fn visit_all<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen: u32 = 0;
        while let Some(name) = map.next_key::<String>()? {
            let value = map.next_value::<&RawValue>()?;
            let known = (0..).zip(T::KEYS).find(|(_, known)| **known == name);
            let bit = known.map_or(0, |(key, _)| 1_u32.unbounded_shl(key));
            match (known, self.0.audit()) {
                (None, Some(audit)) if T::STRICT => audit.unknown(&name, value, T::KEYS),
                (None, _) => {}
                (Some((_, known)), Some(audit)) if seen & bit != 0 => {
                    audit.duplicate(known, value);
                }
                (Some((key, known)), _) => {
                    let read = |fields: &mut T, value: audit::Value<'_, '_, 'de>| {
                        fields.field(key as usize, value)
                    };
                    let step = Step::Key((*known).into());
                    audit::value(self.0, T::audit, step, value, read);
                }
            }
            seen |= bit;
        }
        if let Some(audit) = self.0.audit() {
            missing::<T>(seen).for_each(|key| audit.missing(key));
        }
        Ok(())
    }
}

struct Field<'a, T> {
    fields: &'a mut T,
    key: usize,
}

impl<'de, T: Fields<'de>> DeserializeSeed<'de> for Field<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        self.fields.field(self.key, value)
    }
}
