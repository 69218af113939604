//! The line from the root to the current node, to detect repetitions.

/// Number of buckets of the filter; a power of two.
const BUCKETS: usize = 1024;

/// The keys of a line. A filter rejects nearly all keys that are not in the line.
pub(super) struct Path {
    keys: Vec<u128>,
    hashes: Vec<u64>,
    filter: Box<[u16; BUCKETS]>,
}

/// The lower half of a key, which identifies positions where a collision is harmless.
pub(super) const fn half(key: u128) -> u64 {
    key as u64
}

/// Spreads half a key over 64 bits, even if keys differ in few bits.
#[inline]
pub(super) const fn mixed(half: u64) -> u64 {
    let product = half.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product ^ (product >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

fn bucket(half: u64) -> usize {
    mixed(half) as usize % BUCKETS
}

impl Path {
    pub(super) fn new() -> Self {
        Self {
            keys: Vec::new(),
            hashes: Vec::new(),
            filter: Box::new([0; BUCKETS]),
        }
    }

    pub(super) fn push(&mut self, key: u128) {
        let before = self.hashes.last().copied().unwrap_or(0);
        let upper = half(key >> 64).rotate_left(32);
        self.hashes
            .push(mixed(half(key) ^ upper ^ before.rotate_left(17)));
        self.keys.push(key);
        self.filter[bucket(half(key))] += 1;
    }

    pub(super) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.hashes.pop();
            self.filter[bucket(half(key))] -= 1;
        }
    }

    pub(super) fn clear(&mut self) {
        while !self.keys.is_empty() {
            self.pop();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The place of a key in the line; the root's is 0.
    #[inline]
    pub(super) fn find(&self, key: u128) -> Option<u32> {
        if self.filter[bucket(half(key))] == 0 {
            return None;
        }
        let place = self.keys.iter().position(|&at| at == key)?;
        Some(place as u32)
    }

    /// The place of the position whose key has this lower half.
    pub(super) fn find_half(&self, name: u64) -> Option<usize> {
        if self.filter[bucket(name)] == 0 {
            return None;
        }
        self.keys.iter().position(|&at| half(at) == name)
    }

    /// The key of the current position.
    pub(super) fn last(&self) -> u128 {
        self.keys.last().copied().unwrap_or(0)
    }

    /// The key for storing a result of the position with `key` that holds only at the end of this
    /// line. The line does not yet contain the position.
    pub(super) fn twin(&self, key: u128) -> u128 {
        let line = self.hashes.last().copied().unwrap_or(0) | 1;
        key ^ (u128::from(line) << 64 | u128::from(line.rotate_left(29)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_finds_its_keys() {
        let mut path = Path::new();
        for key in 0..3000_u128 {
            assert_eq!(path.find(key), None);
            path.push(key);
        }
        assert_eq!(path.find(2999), Some(2999));
        path.pop();
        assert_eq!((path.find(2999), path.len()), (None, 2999));
        path.clear();
        assert!((0..3000).all(|key| path.find(key).is_none()));
    }

    #[test]
    fn a_twin_belongs_to_one_line() {
        let mut path = Path::new();
        path.push(1);
        path.push(2);
        let one = path.twin(9);
        path.pop();
        path.push(3);
        assert_ne!(path.twin(9), one);
        path.clear();
        path.push(2);
        path.push(1);
        assert_ne!(path.twin(9), one, "the order counts");
        path.clear();
        path.push(1);
        path.push(2);
        assert_eq!(path.twin(9), one);
    }
}
