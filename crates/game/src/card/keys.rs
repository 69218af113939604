//! Lookups of keys that are rarely present.

use std::collections::HashMap;

/// Bits of a key that identify most absent keys of an index.
const BITS: u32 = 16;

/// Bits of a key that identify most absent keys of millions.
const MANY_BITS: u32 = 26;

/// Indices into a book by the key of a position: for millions of lookups with some hundred hits.
#[derive(Clone, Debug)]
pub struct KeyIndex {
    places: HashMap<u64, usize>,
    any: KeyFilter,
}

/// A set of keys that may seem to hold others too: 8 MiB for any number. Of a million keys,
/// it seems to hold one in 67 others.
#[derive(Clone, Debug)]
pub struct KeyFilter {
    /// Number of upper bits of a key that are compared.
    bits: u32,
    /// One bit for each value of the upper bits: true if any key has it.
    any: Vec<u64>,
}

impl Default for KeyFilter {
    fn default() -> Self {
        Self::of_bits(MANY_BITS)
    }
}

impl KeyFilter {
    fn of_bits(bits: u32) -> Self {
        Self {
            bits,
            any: vec![0; 1 << (bits - 6)],
        }
    }

    /// The word and the bit for a key.
    const fn place(&self, key: u64) -> (usize, u64) {
        let upper = key >> (u64::BITS - self.bits);
        (upper as usize / 64, 1 << (upper % 64))
    }

    /// Adds a key. Returns whether the set already seemed to hold it.
    pub fn insert(&mut self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        let had = self.any[word] & bit != 0;
        self.any[word] |= bit;
        had
    }

    /// Returns whether the set seems to hold a key: always true for the added ones.
    pub fn may_hold(&self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        self.any[word] & bit != 0
    }
}

impl KeyIndex {
    /// The index of a key.
    pub fn get(&self, key: u64) -> Option<usize> {
        let place = || self.places.get(&key).copied();
        self.any.may_hold(key).then(place).flatten()
    }
}

impl FromIterator<(u64, usize)> for KeyIndex {
    /// The last one of equal keys counts.
    fn from_iter<I: IntoIterator<Item = (u64, usize)>>(keys: I) -> Self {
        let places: HashMap<u64, usize> = keys.into_iter().collect();
        let mut any = KeyFilter::of_bits(BITS);
        for &key in places.keys() {
            any.insert(key);
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

    #[test]
    fn a_filter_holds_its_keys_and_few_others() {
        let mut filter = KeyFilter::default();
        let key = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let repeated = (0..10_000).filter(|&number| filter.insert(key(number)));
        assert!(repeated.count() < 100);
        assert!((0..10_000).all(|number| filter.may_hold(key(number))));
        let others = (10_000..20_000).filter(|&number| filter.may_hold(key(number)));
        assert!(others.count() < 100);
    }
}
