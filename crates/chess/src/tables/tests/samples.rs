//! Tables in the format of Syzygy with meaningless values, for numbers of positions and codes, and
//! random positions.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use cozy_chess::{Board, BoardBuilder, Color, File, Move, Piece, Rank, Square, get_king_moves};

/// Positions of a pattern: a prime number, so that a wrong number of a position shows.
const PATTERN: u64 = 251;
/// Blocks of 32 bytes with one bit for a pattern.
const BLOCK_BYTES: u64 = 32;
const BLOCK_POSITIONS: u64 = 8 * BLOCK_BYTES * PATTERN;
const INDEX_BITS: u8 = 24;
/// Blocks at the end of the list that do not exist, for the middle of the last index entry.
const PADDING: u8 = 200;

/// Deterministic random numbers.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        let Self(state) = self;
        *state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        let mixed = (*state ^ (*state >> 31)).wrapping_mul(0x7fb5_d329_728e_a185);
        (mixed >> 33) % limit
    }
}

/// The kinds of pieces in the order of names, with their codes.
const KINDS: [(char, u8); 6] = [('K', 6), ('Q', 5), ('R', 4), ('B', 3), ('N', 2), ('P', 1)];

/// The number of pieces of each kind for both sides of a name.
type Counts = [[usize; 6]; 2];

fn counts(name: &str) -> Counts {
    let (white, black) = name.split_once('v').expect("a name");
    [white, black].map(|side| KINDS.map(|(kind, _)| side.matches(kind).count()))
}

fn name_of(mut counts: Counts) -> String {
    // The side with more and better pieces is first.
    let strength = |side: &[usize; 6]| (side.iter().sum::<usize>(), *side);
    if strength(&counts[0]) < strength(&counts[1]) {
        counts.reverse();
    }
    let side = |side: [usize; 6]| -> String {
        let pieces = KINDS.iter().zip(side);
        pieces
            .map(|(&(kind, _), count)| String::from(kind).repeat(count))
            .collect()
    };
    format!("{}v{}", side(counts[0]), side(counts[1]))
}

/// The names of a table and of those to which captures and promoting captures lead.
pub(crate) fn closure(name: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![counts(name)];
    while let Some(counts) = open.pop() {
        let is_new =
            counts.as_flattened().iter().sum::<usize>() > 2 && found.insert(name_of(counts));
        if !is_new {
            continue;
        }
        for (taker, taken) in [(0, 1), (1, 0)] {
            for kind in (1..6).filter(|&kind| counts[taken][kind] > 0) {
                let mut after = counts;
                after[taken][kind] -= 1;
                open.push(after);
                if counts[taker][5] > 0 && kind < 5 {
                    open.extend((1..5).map(|promoted| {
                        let mut after = after;
                        after[taker][5] -= 1;
                        after[taker][promoted] += 1;
                        after
                    }));
                }
            }
        }
    }
    found
}

fn choose(n: u64, count: u64) -> u64 {
    (0..count).map(|taken| n - taken).product::<u64>() / (1..=count).product::<u64>()
}

/// The order of pieces and factors of one part of a table.
struct Part {
    header: Vec<u8>,
    positions: u64,
}

/// A part with a random order that the format permits.
fn part(counts: Counts, file: u64, numbers: &mut Numbers) -> Part {
    let mut groups: Vec<(u8, usize)> = Vec::new();
    for (side, black) in counts.iter().zip([0, 8]) {
        let pieces = KINDS.iter().zip(side).filter(|(_, count)| **count > 0);
        groups.extend(pieces.map(|(&(_, code), &count)| (code + black, count)));
    }
    for place in 1..groups.len() {
        groups.swap(place, numbers.below(place as u64 + 1) as usize);
    }
    let is_pawn = |&(code, _): &(u8, usize)| code % 8 == 1;
    let pawns = groups.iter().filter(|group| is_pawn(group)).count();
    if pawns > 0 {
        // White leads if both sides have the same number.
        groups.sort_by_key(|group| {
            (
                !is_pawn(group),
                is_pawn(group).then_some((group.1, group.0)),
            )
        });
    } else {
        groups.sort_by_key(|group| group.1 > 1);
    }
    let codes: Vec<u8> = groups
        .iter()
        .flat_map(|&(code, count)| vec![code; count])
        .collect();
    let mut sizes: Vec<u64> = groups.iter().map(|group| group.1 as u64).collect();
    if pawns == 0 {
        let singles = sizes.iter().filter(|&&size| size == 1).count().min(3);
        sizes.drain(..singles);
        sizes.insert(0, singles as u64);
    }
    let leading = pawns.max(1);
    let mut positions = match (pawns, sizes[0]) {
        (0, 2) => 462,
        (0, _) => 31_332,
        (_, size) => (0..6)
            .map(|rank| choose(47 - 12 * file - 2 * rank, size - 1))
            .sum(),
    };
    if pawns == 2 {
        positions *= choose(48 - sizes[0], sizes[1]);
    }
    let mut free = 64 - sizes[..leading].iter().sum::<u64>();
    for &size in &sizes[leading..] {
        positions *= choose(free, size);
        free -= size;
    }
    let first = numbers.below(sizes.len() as u64);
    let mut header = vec![first as u8];
    if pawns == 2 {
        let second = 1 + numbers.below(sizes.len() as u64 - 1);
        header.push(((first + second) % sizes.len() as u64) as u8);
    }
    header.extend(codes);
    Part { header, positions }
}

/// A table with its start, and the number of bytes of its blocks.
fn start(name: &str, numbers: &mut Numbers) -> (Vec<u8>, Vec<u64>) {
    let counts = counts(name);
    let has_pawns = counts[0][5] + counts[1][5] > 0;
    let is_split = counts[0] != counts[1];
    let mut table = vec![
        0x71,
        0xe8,
        0x23,
        0x5d,
        u8::from(is_split) | u8::from(has_pawns) << 1,
    ];
    let mut sizes = Vec::new();
    for file in 0..if has_pawns { 4 } else { 1 } {
        let white = part(counts, file, numbers);
        let black = part(counts, file, numbers);
        let sides = white.header.iter().zip(&black.header);
        table
            .extend(sides.map(|(white, black)| if is_split { white | black << 4 } else { *white }));
        sizes.push(white.positions);
        if is_split {
            sizes.push(black.positions);
        }
    }
    align(&mut table, 2);
    (table, sizes)
}

fn align(table: &mut Vec<u8>, multiple: usize) {
    table.resize(table.len().next_multiple_of(multiple), 0);
}

/// Appends symbols: values have no second half.
fn extend_symbols(table: &mut Vec<u8>, symbols: &[(usize, usize)]) {
    table.extend((symbols.len() as u16).to_le_bytes());
    for &(one, two) in symbols {
        let bits = (one | two << 12) as u32;
        table.extend(&bits.to_le_bytes()[..3]);
    }
    if symbols.len() % 2 == 1 {
        table.push(0);
    }
}

const VALUES: [(usize, usize); 5] = [(0, 0xfff), (1, 0xfff), (2, 0xfff), (3, 0xfff), (4, 0xfff)];

/// Writes a table in which the value of a position is that of its number modulo a prime in a random
/// pattern. Its blocks are zeros, so that most of a large file is not stored.
pub(crate) fn write_pattern(folder: &Path, name: &str) {
    let mut numbers = Numbers(
        name.bytes()
            .fold(1, |hash, byte| hash * 31 + u64::from(byte)),
    );
    let (mut table, sizes) = start(name, &mut numbers);
    for &size in &sizes {
        let mut symbols = VALUES.to_vec();
        let mut row: Vec<usize> = (0..PATTERN).map(|_| numbers.below(5) as usize).collect();
        while row.len() > 1 {
            let pairs = row.chunks(2).map(|pair| match *pair {
                [one, two] => {
                    symbols.push((one, two));
                    symbols.len() - 1
                }
                _ => pair[0],
            });
            row = pairs.collect();
        }
        let blocks = size.div_ceil(BLOCK_POSITIONS) as u32;
        table.extend([0, 5, INDEX_BITS, PADDING]);
        table.extend(blocks.to_le_bytes());
        table.extend([1, 1]);
        table.extend((row[0] as u16).to_le_bytes());
        extend_symbols(&mut table, &symbols);
    }
    for &size in &sizes {
        for entry in 0..size.div_ceil(1 << INDEX_BITS) {
            let middle = (entry << INDEX_BITS) + (1 << (INDEX_BITS - 1));
            table.extend(((middle / BLOCK_POSITIONS) as u32).to_le_bytes());
            table.extend(((middle % BLOCK_POSITIONS) as u16).to_le_bytes());
        }
    }
    let mut length = 0;
    for &size in &sizes {
        let blocks = size.div_ceil(BLOCK_POSITIONS);
        for _ in 0..blocks + u64::from(PADDING) {
            table.extend((BLOCK_POSITIONS as u16 - 1).to_le_bytes());
        }
        length += (blocks * BLOCK_BYTES).next_multiple_of(64);
    }
    align(&mut table, 64);
    let mut file = fs::File::create(folder.join(format!("{name}.rtbw"))).expect("a file");
    file.write_all(&table).expect("written");
    let end = SeekFrom::Start(table.len() as u64 + length);
    file.seek(end).expect("a large file");
    file.write_all(&[7; 16]).expect("written");
}

/// Symbols with codes of 7, 7, 6, 5, 4, 3, 2 and 1 bits, with up to nine positions.
const CODED: [(usize, usize); 8] = [
    (8, 9),
    (0, 10),
    (11, 1),
    VALUES[2],
    (2, 2),
    VALUES[4],
    (12, 8),
    (4, 5),
];
const RANDOM_BLOCK_BITS: u32 = 512;
const RANDOM_INDEX_BITS: u8 = 9;

/// The values of a symbol.
fn expand(symbols: &[(usize, usize)], symbol: usize) -> Vec<u8> {
    match symbols[symbol] {
        (value, 0xfff) => vec![value as u8],
        (one, two) => [expand(symbols, one), expand(symbols, two)].concat(),
    }
}

/// Blocks of random symbols, the last place of each, and the values of their positions.
#[derive(Default)]
struct Blocks {
    data: Vec<u8>,
    last: Vec<u16>,
    values: Vec<u8>,
}

impl Blocks {
    fn random(symbols: &[(usize, usize)], positions: u64, numbers: &mut Numbers) -> Self {
        let mut blocks = Self::default();
        while (blocks.values.len() as u64) < positions {
            let before = blocks.values.len();
            let mut bits = String::new();
            loop {
                let symbol = numbers.below(8) as usize;
                let code = format!("{:0width$b}", symbol.min(1), width = 8 - symbol.max(1));
                if bits.len() + code.len() > RANDOM_BLOCK_BITS as usize {
                    break;
                }
                bits.push_str(&code);
                blocks.values.extend(expand(symbols, symbol));
            }
            bits = format!("{bits:0<512}");
            let bytes = bits.as_bytes().chunks(8);
            blocks.data.extend(
                bytes.map(|byte| byte.iter().fold(0, |byte, bit| byte << 1 | (bit - b'0'))),
            );
            blocks.last.push((blocks.values.len() - before - 1) as u16);
        }
        blocks
    }

    /// The block and the place of a position.
    fn find(&self, mut position: usize) -> (u32, u16) {
        for (block, &last) in self.last.iter().enumerate() {
            if position <= usize::from(last) {
                return (block as u32, position as u16);
            }
            position -= usize::from(last) + 1;
        }
        unreachable!()
    }
}

/// A table with random codes, and the values of all positions of its parts.
pub(crate) fn random(name: &str, seed: u64) -> (Vec<u8>, Vec<Vec<u8>>) {
    let mut numbers = Numbers(seed);
    let (mut table, sizes) = start(name, &mut numbers);
    let symbols = [&CODED[..], &VALUES].concat();
    let mut parts = Vec::new();
    for &size in &sizes {
        let whole = size.next_multiple_of(1 << RANDOM_INDEX_BITS);
        let blocks = Blocks::random(&symbols, whole, &mut numbers);
        table.extend([0, 6, RANDOM_INDEX_BITS, 0]);
        table.extend((blocks.last.len() as u32).to_le_bytes());
        table.extend([7, 1]);
        table.extend(
            [7, 6, 5, 4, 3, 2, 0_u16]
                .map(u16::to_le_bytes)
                .as_flattened(),
        );
        extend_symbols(&mut table, &symbols);
        parts.push(blocks);
    }
    for (&size, blocks) in sizes.iter().zip(&parts) {
        for entry in 0..size.div_ceil(1 << RANDOM_INDEX_BITS) as usize {
            let middle = (entry << RANDOM_INDEX_BITS) + (1 << (RANDOM_INDEX_BITS - 1));
            let (block, place) = blocks.find(middle);
            table.extend(block.to_le_bytes());
            table.extend(place.to_le_bytes());
        }
    }
    for blocks in &parts {
        table.extend(blocks.last.iter().flat_map(|last| last.to_le_bytes()));
    }
    for blocks in &parts {
        align(&mut table, 64);
        table.extend(&blocks.data);
    }
    align(&mut table, 64);
    table.extend([seed as u8; 16]);
    let values = sizes.iter().zip(parts);
    let values = values.map(|(&size, blocks)| blocks.values[..size as usize].to_vec());
    (table, values.collect())
}

/// A random position with the pieces of a table, or after a double step that can be answered en
/// passant in a third of the attempts if both sides have pawns. `None` if it is illegal.
pub(crate) fn random_board(name: &str, numbers: &mut Numbers) -> Option<Board> {
    let color = |number| Color::ALL[number as usize];
    let mut builder = BoardBuilder::empty();
    let (first, mover) = (color(numbers.below(2)), color(numbers.below(2)));
    builder.side_to_move = mover;
    let file = numbers.below(7) as usize;
    let square = |file, rank: Rank| Square::new(File::index(file), rank.relative_to(mover));
    let pawns = [square(file, Rank::Second), square(file + 1, Rank::Fourth)];
    let mut steps = numbers.below(3) == 0 && name.matches('P').count() > 1;
    let mut given = [Some(pawns[0]), Some(pawns[1])].map(|pawn| pawn.filter(|_| steps));
    let (white, black) = name.split_once('v')?;
    for (side, color) in [(white, first), (black, !first)] {
        for letter in side.chars() {
            let piece = Piece::try_from(letter.to_ascii_lowercase()).ok()?;
            let (start, squares) = if piece == Piece::Pawn {
                (8, 48)
            } else {
                (0, 64)
            };
            let mut square = Square::index((start + numbers.below(squares)) as usize);
            if piece == Piece::Pawn {
                let given = given[usize::from(color != mover)].take();
                square = given.unwrap_or(square);
            }
            if builder.square_mut(square).replace((piece, color)).is_some() {
                return None;
            }
        }
    }
    let mut board = builder.build().ok()?;
    if get_king_moves(board.king(mover)).has(board.king(!mover)) {
        return None;
    }
    let step = Move {
        from: pawns[0],
        to: square(file, Rank::Fourth),
        promotion: None,
    };
    steps &= given == [None; 2];
    if steps && board.is_legal(step) {
        board.play_unchecked(step);
    }
    Some(board)
}
