//! Walks JSON values as a stream: what is read goes on at once, and no tree is held.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Takes the elements of an array one by one.
pub(super) trait Elements<'de> {
    const EXPECTING: &'static str;

    fn element<D: Deserializer<'de>>(&mut self, index: usize, value: D) -> Result<(), D::Error>;
}

/// Takes the values of an object one by one, in the order of the text.
pub(super) trait Fields<'de> {
    const EXPECTING: &'static str;
    /// The keys that are known.
    const KEYS: &'static [&'static str];
    /// Those of them that may be missing.
    const OPTIONAL: &'static [&'static str] = &[];
    /// Whether other keys are errors; else they are skipped.
    const STRICT: bool;

    /// `key` is an index into [`Self::KEYS`].
    fn field<D: Deserializer<'de>>(&mut self, key: usize, value: D) -> Result<(), D::Error>;
}

/// An array, as a seed.
pub(super) struct Array<'a, T>(pub(super) &'a mut T);

impl<'de, T: Elements<'de>> Array<'_, T> {
    /// Reads the array, and returns how many elements it has.
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
        let missing = (0..).zip(T::KEYS).find(|(key, name)| {
            seen & 1_u32.unbounded_shl(*key) == 0 && !T::OPTIONAL.contains(name)
        });
        match missing {
            Some((_, key)) => Err(A::Error::missing_field(key)),
            None => Ok(()),
        }
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
