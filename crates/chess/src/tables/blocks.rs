//! Packed values: symbols of a canonical Huffman code, in blocks of equal length, and an index of
//! the blocks. Most symbols represent two others.

use std::path::Path;

use super::check::{Damage, MOST_VALUE, Source};

/// The encoding of one table's values.
pub(super) enum Code {
    /// All values are equal.
    Constant,
    /// Values encoded by symbols.
    Packed(Packed),
}

/// A code and the layout of its blocks.
pub(super) struct Packed {
    /// Block size as a power of 2, in bytes.
    pub(super) block: u8,
    /// Number of positions per index entry, as a power of 2.
    index: u8,
    /// Number of existing blocks; sizes of padding blocks follow theirs.
    pub(super) real: u32,
    padding: u8,
    /// Length of the shortest symbols in bits.
    shortest: u8,
    /// For each length, from the shortest on: the least code, from the highest bit on, and its
    /// symbol.
    lengths: Vec<(u64, u32)>,
    /// The number of values that each symbol represents.
    values: Vec<u16>,
}

impl Code {
    /// Reads a code and its header.
    pub(super) fn read(source: &mut Source) -> Result<Self, Damage> {
        let [flags, value] = source.take()?;
        if flags & 0x80 != 0 {
            return if value <= MOST_VALUE {
                Ok(Self::Constant)
            } else {
                Err(format!("it gives the value {value}"))
            };
        }
        let [index, padding] = source.take()?;
        let real = u32::from_le_bytes(source.take()?);
        let [longest, shortest] = source.take()?;
        let is_sound = (3..=15).contains(&value)
            && (1..=31).contains(&index)
            && (1..=32).contains(&shortest)
            && (shortest..=32).contains(&longest)
            && real > 0;
        if !is_sound {
            return Err("the description of its blocks is impossible".to_owned());
        }
        let mut firsts = Vec::new();
        for _ in shortest..=longest {
            firsts.push(u16::from_le_bytes(source.take()?));
        }
        let symbols = usize::from(u16::from_le_bytes(source.take()?));
        let values = read_symbols(source, symbols)?;
        let code = Packed {
            block: value,
            index,
            real,
            padding,
            shortest,
            lengths: lengths(shortest, &firsts)?,
            values,
        };
        code.check_reach()?;
        Ok(Self::Packed(code))
    }
}

/// The number of values that each symbol represents.
fn read_symbols(source: &mut Source, symbols: usize) -> Result<Vec<u16>, Damage> {
    let impossible = || "its symbols are impossible".to_owned();
    if !(1..4096).contains(&symbols) {
        return Err(impossible());
    }
    let mut pairs = Vec::new();
    for _ in 0..symbols {
        let [low, middle, high] = source.take()?.map(usize::from);
        let left = (middle & 15) << 8 | low;
        let right = high << 4 | middle >> 4;
        pairs.push(if right == 0xfff {
            (low <= usize::from(MOST_VALUE))
                .then_some(None)
                .ok_or_else(impossible)?
        } else if left < symbols && right < symbols {
            Some([left, right])
        } else {
            return Err(impossible());
        });
    }
    if symbols % 2 == 1 {
        source.take::<1>()?;
    }
    // Each symbol represents at most 256 values, so 256 rounds resolve all of those that do not
    // contain themselves.
    let mut values: Vec<Option<u16>> = vec![None; symbols];
    loop {
        let mut has_grown = false;
        for (symbol, pair) in pairs.iter().enumerate() {
            let known = match pair {
                _ if values[symbol].is_some() => continue,
                None => Some(1),
                Some([left, right]) => values[*left].zip(values[*right]).map(|(a, b)| a + b),
            };
            if known.is_some_and(|count| count > 256) {
                return Err(impossible());
            }
            has_grown |= known.is_some();
            values[symbol] = known;
        }
        if !has_grown {
            break;
        }
    }
    values
        .into_iter()
        .collect::<Option<_>>()
        .ok_or_else(impossible)
}

/// The least code of each length, from the first symbols of the lengths.
fn lengths(shortest: u8, firsts: &[u16]) -> Result<Vec<(u64, u32)>, Damage> {
    let mut lengths: Vec<(u64, u32)> = Vec::new();
    let mut base = 0_u64;
    for (above, &first) in (0..firsts.len()).zip(firsts).rev() {
        if let Some(&longer) = firsts.get(above + 1) {
            base = (base + u64::from(first))
                .checked_sub(u64::from(longer))
                .ok_or("its code is impossible")?
                / 2;
        }
        let bits = u32::from(shortest) + above as u32;
        if base >> bits != 0 {
            return Err("its code is impossible".to_owned());
        }
        lengths.push((base << (64 - bits), u32::from(first)));
    }
    lengths.reverse();
    Ok(lengths)
}

impl Packed {
    /// Number of blocks with a size.
    pub(super) fn blocks(&self) -> u64 {
        u64::from(self.real) + u64::from(self.padding)
    }

    fn longest(&self) -> u64 {
        u64::from(self.shortest) + self.lengths.len() as u64 - 1
    }

    /// Checks that any bits decode to existing symbols.
    fn check_reach(&self) -> Result<(), Damage> {
        let mut most = u64::MAX;
        for (bits, &(base, first)) in (u32::from(self.shortest)..).zip(&self.lengths) {
            if base <= most {
                let last = u64::from(first) + ((most - base) >> (64 - bits));
                if last >= self.values.len() as u64 {
                    return Err("its code has more symbols than it has".to_owned());
                }
                let Some(below) = base.checked_sub(1) else {
                    return Ok(());
                };
                most = below;
            }
        }
        Ok(())
    }

    /// Length in bits of the code that begins at the highest bit, and the number of values that it
    /// represents.
    fn symbol(&self, code: u64) -> (u32, u64) {
        let lengths = (u32::from(self.shortest)..).zip(&self.lengths);
        let mut fitting = lengths.skip_while(|(_, (base, _))| code < *base);
        // The least code of the greatest length is 0.
        let Some((bits, &(base, first))) = fitting.next() else {
            return (64, 0);
        };
        let symbol = u64::from(first) + ((code - base) >> (64 - bits));
        let values = self.values.get(symbol as usize).copied();
        (bits, u64::from(values.unwrap_or_default()))
    }

    /// Returns whether a block has at least `wanted` values.
    fn holds(&self, block: &[u8], wanted: u64) -> bool {
        let (mut at, mut values) = (0_usize, 0);
        while values < wanted {
            let mut bytes = [0; 9];
            let rest = block.get(at / 8..).unwrap_or_default();
            let there = rest.len().min(9);
            bytes[..there].copy_from_slice(&rest[..there]);
            let [high @ .., low] = bytes;
            let shift = at as u32 % 8;
            let code = u64::from_be_bytes(high) << shift | (u64::from(low) << shift) >> 8;
            let (bits, count) = self.symbol(code);
            at += bits as usize;
            values += count;
            if at > 8 * block.len() {
                return false;
            }
        }
        true
    }
}

/// The parts of a packed table in the file.
pub(super) struct Section {
    positions: u64,
    pub(super) code: Packed,
    /// The number of index entries.
    pub(super) indices: u64,
    /// Positions of the index, the sizes and the blocks, and the end of the blocks.
    pub(super) index: u64,
    pub(super) sizes: u64,
    pub(super) data: u64,
    pub(super) end: u64,
}

impl Section {
    pub(super) fn new(positions: u64, code: Packed) -> Self {
        Self {
            positions,
            indices: positions.div_ceil(1 << code.index),
            code,
            index: 0,
            sizes: 0,
            data: 0,
            end: 0,
        }
    }

    /// Follows the index and the sizes in parallel: each entry must lead to the block with the
    /// middle position of the entry's range.
    pub(super) fn check(&self, path: &Path, blocks: &mut Source) -> Result<(), Damage> {
        let wrong = || "its index does not fit its blocks".to_owned();
        let mut entries = Source::open(path)?;
        entries.go_to(self.index)?;
        let mut sizes = Source::open(path)?;
        sizes.go_to(self.sizes)?;
        let mut next = None;
        let (mut entry, mut before) = (0_u64, 0_u64);
        for number in 0..self.code.blocks() {
            let size = u64::from(u16::from_le_bytes(sizes.take()?)) + 1;
            while entry < self.indices {
                let (block, offset) = if let Some(entry) = next.take() {
                    entry
                } else {
                    let block = u64::from(u32::from_le_bytes(entries.take()?));
                    (block, u64::from(u16::from_le_bytes(entries.take()?)))
                };
                if block != number {
                    next = Some((block, offset));
                    break;
                }
                let middle = (entry << self.code.index) + (1 << (self.code.index - 1));
                if before + offset != middle {
                    return Err(wrong());
                }
                entry += 1;
            }
            if number < u64::from(self.code.real) {
                self.check_block(blocks, number, size)?;
            } else if number == u64::from(self.code.real) && before < self.positions {
                return Err(wrong());
            }
            before += size;
        }
        // The reader counts the bytes of the index in 32 bits.
        let is_countable = self.indices <= u64::from(u32::MAX / 6);
        if !is_countable || entry < self.indices || before < self.positions {
            return Err(wrong());
        }
        Ok(())
    }

    /// Checks a block if wrong bits in it could lead beyond the end of the file.
    fn check_block(&self, blocks: &mut Source, number: u64, size: u64) -> Result<(), Damage> {
        let start = self.data + (number << self.code.block);
        // The reader takes 8 bytes at once.
        let reach = start + size * self.code.longest() / 8 + 16;
        if reach <= blocks.length {
            return Ok(());
        }
        let mut block = vec![0; 1 << self.code.block];
        blocks.go_to(start)?;
        blocks.fill(&mut block)?;
        if self.code.holds(&block, size) {
            Ok(())
        } else {
            Err("one of its blocks has fewer values than its size says".to_owned())
        }
    }
}
