//! A lookup of keys that are rarely present.

use std::collections::HashMap;

/// Bits of a key that identify most absent keys.
const BITS: u32 = 16;

/// Indices into a book by the key of a position: for millions of lookups with some hundred hits.
#[derive(Clone, Debug)]
pub struct KeyIndex {
    places: HashMap<u64, usize>,
    /// One bit for each value of the upper bits: true if any key has it.
    any: Vec<u64>,
}

/// The word and the bit for the upper bits of a key.
const fn upper_bits(key: u64) -> (usize, u64) {
    let upper = key >> (u64::BITS - BITS);
    (upper as usize / 64, 1 << (upper % 64))
}

impl KeyIndex {
    /// The index of a key.
    pub fn get(&self, key: u64) -> Option<usize> {
        let (word, bit) = upper_bits(key);
        let has_any = self.any[word] & bit != 0;
        has_any.then(|| self.places.get(&key).copied()).flatten()
    }
}

impl FromIterator<(u64, usize)> for KeyIndex {
    /// The last one of equal keys counts.
    fn from_iter<I: IntoIterator<Item = (u64, usize)>>(keys: I) -> Self {
        let places: HashMap<u64, usize> = keys.into_iter().collect();
        let mut any = vec![0; 1 << (BITS - 6)];
        for key in places.keys() {
            let (word, bit) = upper_bits(*key);
            any[word] |= bit;
        }
        Self { places, any }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_last_of_their_places_and_others_none() {
        let near = 0x8000_0000_0000_0001;
        let keys = [(0, 3), (u64::MAX, 4), (near, 5), (0, 6)];
        let places: KeyIndex = keys.into_iter().collect();
        let got = [0, u64::MAX, near, near + 1, 1].map(|key| places.get(key));
        assert_eq!(got, [Some(6), Some(4), Some(5), None, None]);
    }
}
