//! Values of positions, compressed by pairing.
//!
//! A symbol is a value or a pair of symbols, with the values of up to 256 consecutive
//! positions. Blocks of equal length have the symbols in a canonical Huffman code, in which longer
//! codes have lower symbols. Each entry of the index covers the same number of positions: it has the
//! block of the middle one, and its place in the block. A list has the last place of each block.

use std::io;

use super::file::{Source, damaged};

/// The second half of a symbol that is a value.
const VALUE: usize = 0xfff;
/// The largest value, a win.
const MAX_VALUE: usize = 4;
/// Maximum number of positions of a symbol.
const MAX_POSITIONS: u16 = 256;

/// The values of numbered positions.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// The common value of all positions, if there is one.
    constant: Option<u8>,
    positions: u64,
    /// Binary logarithm of the number of positions that an index entry covers.
    index_bits: u8,
    /// Binary logarithm of the bytes of a block.
    block_bits: u8,
    /// The length of the list: the blocks, and empty ones at its end.
    listed: u64,
    blocks: u64,
    /// For each length of codes, from the shortest: the length, the first code (left-aligned), and
    /// its symbol.
    codes: Vec<(u8, u64, u16)>,
    /// For each symbol its two symbols, or a value and [`VALUE`].
    symbols: Vec<[usize; 2]>,
    /// For each symbol its number of positions.
    sizes: Vec<u16>,
    /// Places of the index, the list and the blocks in the file.
    pub(super) places: [u64; 3],
}

impl Pairs {
    /// Reads the header for this number of positions; `None` if it is damaged.
    pub(super) fn read(header: &mut &[u8], positions: u64) -> Option<Self> {
        let mut pairs = Self::default();
        let [flags, value] = take(header)?;
        if flags & 0x80 != 0 {
            pairs.constant = Some(value).filter(|&value| usize::from(value) <= MAX_VALUE);
            return pairs.constant.map(|_| pairs);
        }
        let [index_bits, padding] = take(header)?;
        let blocks = u64::from(u32::from_le_bytes(take(header)?));
        let [longest, shortest] = take(header)?;
        let has_lengths = 1 <= shortest && shortest <= longest && longest <= 32;
        if !has_lengths || !(1..32).contains(&index_bits) || value > 16 {
            return None;
        }
        let firsts = (shortest..=longest).map(|_| take(header).map(u16::from_le_bytes));
        let firsts: Vec<u16> = firsts.collect::<Option<_>>()?;
        let count = u16::from_le_bytes(take(header)?);
        let symbol = |_| {
            let [low, middle, high] = take(header)?.map(usize::from);
            Some([low | (middle & 15) << 8, middle >> 4 | high << 4])
        };
        let symbols: Vec<[usize; 2]> = (0..count).map(symbol).collect::<Option<_>>()?;
        if count % 2 == 1 {
            let [_] = take(header)?;
        }
        let mut sizes = vec![0; symbols.len()];
        for symbol in 0..symbols.len() {
            count_positions(&symbols, &mut sizes, symbol, 0)?;
        }
        Some(Self {
            positions,
            index_bits,
            block_bits: value,
            listed: blocks + u64::from(padding),
            blocks,
            codes: codes(&firsts, longest)?,
            symbols,
            sizes,
            ..pairs
        })
    }

    /// The number of bytes of the index, the list and the blocks.
    pub(super) fn lengths(&self) -> [u64; 3] {
        let entries = self.positions.div_ceil(1 << self.index_bits);
        [6 * entries, 2 * self.listed, self.blocks << self.block_bits]
    }

    /// Reads the value of a position, from 0 (loss) to 4 (win).
    pub(super) fn value(&self, number: u64, source: &mut Source) -> io::Result<u8> {
        if let Some(value) = self.constant {
            return Ok(value);
        }
        let (block, place) = self.block(number, source)?;
        let block = self.places[2] + (block << self.block_bits);
        let block = source.bytes(block, 1 << self.block_bits)?;
        self.decode(block, place).ok_or_else(damaged)
    }

    /// Finds the block of a position, and its place there.
    fn block(&self, number: u64, source: &mut Source) -> io::Result<(u64, u64)> {
        let span = 1 << self.index_bits;
        let [index, list, _] = self.places;
        let mut entry = source.bytes(index + 6 * (number / span), 6)?;
        let mut block: u64 = take(&mut entry).map_or(0, u32::from_le_bytes).into();
        let middle = take(&mut entry).map_or(0, u16::from_le_bytes);
        let mut place = i64::from(middle) + (number % span) as i64 - (span / 2) as i64;
        let mut last_place = |block: u64| {
            if number >= self.positions || block >= self.listed {
                return Err(damaged());
            }
            let mut last = source.bytes(list + 2 * block, 2)?;
            Ok(take(&mut last).map_or(0, u16::from_le_bytes).into())
        };
        // All steps have one direction: the search ends even with a wrong list.
        while place < 0 {
            block = block.checked_sub(1).ok_or_else(damaged)?;
            place += last_place(block)? + 1;
        }
        loop {
            let last = last_place(block)?;
            if place <= last {
                break;
            }
            place -= last + 1;
            block += 1;
        }
        if block >= self.blocks {
            return Err(damaged());
        }
        Ok((block, place as u64))
    }

    /// Decodes the value at a place of a block.
    fn decode(&self, block: &[u8], mut place: u64) -> Option<u8> {
        let mut read = 0;
        let mut symbol = loop {
            // At least 57 bits; zeros after the end of the block.
            let rest = block.get(read / 8..).filter(|rest| !rest.is_empty())?;
            let mut bits = [0; 8];
            let length = rest.len().min(8);
            bits[..length].copy_from_slice(&rest[..length]);
            let bits = u64::from_be_bytes(bits) << (read % 8);
            let &(length, code, first) = self.codes.iter().find(|(_, code, _)| bits >= *code)?;
            let symbol = usize::from(first) + ((bits - code) >> (64 - length)) as usize;
            let size = u64::from(*self.sizes.get(symbol)?);
            if place < size {
                break self.symbols[symbol];
            }
            place -= size;
            read += usize::from(length);
        };
        while let [one, two] = symbol
            && two != VALUE
        {
            let size = u64::from(self.sizes[one]);
            symbol = self.symbols[if place < size { one } else { two }];
            place = place.checked_sub(size).unwrap_or(place);
        }
        let [value, _] = symbol;
        (value <= MAX_VALUE).then_some(value as u8)
    }
}

/// Reads the first bytes.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

/// Counts the positions of a symbol; `depth` is its nesting in other symbols. `None` if
/// there are too many, as in a symbol that contains itself, or if a symbol is missing.
fn count_positions(
    symbols: &[[usize; 2]],
    sizes: &mut [u16],
    symbol: usize,
    depth: u16,
) -> Option<u16> {
    let &[one, two] = symbols.get(symbol)?;
    if sizes[symbol] == 0 {
        sizes[symbol] = if two == VALUE {
            1
        } else if depth < MAX_POSITIONS {
            let mut half = |symbol| count_positions(symbols, sizes, symbol, depth + 1);
            half(one)? + half(two)?
        } else {
            return None;
        };
    }
    Some(sizes[symbol]).filter(|&size| size <= MAX_POSITIONS)
}

/// The first code of each length with its symbol. The codes of a length come after the prefixes of
/// longer codes. The number of codes of a length is the difference of two successive first symbols.
fn codes(firsts: &[u16], longest: u8) -> Option<Vec<(u8, u64, u16)>> {
    let (mut codes, mut code, mut longer) = (Vec::new(), 0, *firsts.last()?);
    for (&first, length) in firsts.iter().rev().zip((0..=longest).rev()) {
        code = (code + u64::from(first)).checked_sub(longer.into())? / 2;
        codes.insert(0, (length, code << (64 - length), first));
        longer = first;
    }
    Some(codes)
}
