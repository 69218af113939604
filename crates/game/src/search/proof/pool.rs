//! Storage for the zones, which only some entries have.

/// The handle of a value in a pool; [`NONE`] for none.
pub(super) type Handle = u32;

pub(super) const NONE: Handle = 0;

/// Values accessed by handles. Zero-sized values are not stored at all.
#[derive(Debug, Default)]
pub(super) struct Pool<T> {
    items: Vec<T>,
    free: Vec<Handle>,
}

impl<T: Clone + Default> Pool<T> {
    const IS_EMPTY: bool = size_of::<T>() == 0;

    /// Stores a value.
    #[inline]
    pub(super) fn put(&mut self, item: T) -> Handle {
        if Self::IS_EMPTY {
            return NONE;
        }
        if let Some(handle) = self.free.pop() {
            self.items[handle as usize - 1] = item;
            return handle;
        }
        self.items.push(item);
        self.items.len() as Handle
    }

    /// A copy of a value; the default for [`NONE`].
    #[inline]
    pub(super) fn get(&self, handle: Handle) -> T {
        (handle as usize)
            .checked_sub(1)
            .and_then(|place| self.items.get(place))
            .cloned()
            .unwrap_or_default()
    }

    /// Frees a value.
    #[inline]
    pub(super) fn drop(&mut self, handle: Handle) {
        if handle != NONE {
            self.free.push(handle);
        }
    }

    /// Frees all values, but keeps the allocation.
    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.free.clear();
    }

    #[cfg(test)]
    pub(super) fn live(&self) -> usize {
        self.items.len() - self.free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retracted_units_make_room() {
        let mut pool = Pool::default();
        let (a, b) = (pool.put(7_u8), pool.put(8));
        assert_eq!((pool.get(a), pool.get(b), pool.get(NONE)), (7, 8, 0));
        pool.drop(a);
        assert_eq!(pool.live(), 1);
        let c = pool.put(9);
        assert_eq!((c, pool.get(c), pool.live()), (a, 9, 2));
        pool.clear();
        assert_eq!((pool.live(), pool.get(b)), (0, 0));
        let mut nothing = Pool::default();
        assert_eq!((nothing.put(()), nothing.live()), (NONE, 0));
    }
}
