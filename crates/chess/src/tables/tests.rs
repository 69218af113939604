//! Numbers of positions, codes, and damaged files.

mod samples;

use std::fs;

use proptest::prelude::*;
use tempfile::TempDir;

use super::file::Source;
use super::*;
use samples::{Numbers, closure, random, random_board, write_pattern};

fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

fn opened(folder: &Path) -> Result<Syzygy, String> {
    let mut found = BTreeMap::new();
    scan_folder(folder, MAX_PIECES, &mut found)?;
    let tables = found.into_values().map(|table| (table.material, table));
    Ok(Syzygy {
        digest: String::new(),
        files: 0,
        pieces: MAX_PIECES,
        fifty: true,
        tables: tables.collect(),
    })
}

/// The values of random positions of a table: the numbers of losses, blessed losses, draws, cursed
/// wins and wins; the number of positions with en passant; and a hash of all values in order.
fn values(name: &str) -> ([u32; 5], u32, u64) {
    let folder = folder();
    for name in closure(name) {
        write_pattern(folder.path(), &name);
    }
    let tables = opened(folder.path()).expect("tables");
    let (mut counts, mut passing, mut hash) = ([0; 5], 0, 0_u64);
    let mut numbers = Numbers(1);
    let boards = std::iter::repeat_with(|| random_board(name, &mut numbers));
    for board in boards.flatten().take(2000) {
        let position = Chess::of(board, 0, 1);
        let value = tables.value(&position).expect("a value");
        passing += u32::from(position.passed.is_some());
        counts[(value + 2) as usize] += 1;
        hash = hash.wrapping_mul(0x0100_0000_01b3) ^ (value + 2) as u64;
    }
    (counts, passing, hash)
}

/// The expected values are those of the crate pyrrhic-rs 0.2.0 and of python-chess 1.11.2 for the
/// same files and positions.
#[test]
fn positions_have_the_values_of_other_readers() {
    for (name, expected) in [
        (
            "KNvK",
            ([305, 421, 432, 372, 470], 0, 0xcb49_dd61_a4f5_809b),
        ),
        (
            "KBNvKBN",
            ([277, 256, 404, 522, 541], 0, 0x2191_9d41_80d8_c8d6),
        ),
        (
            "KPPvKP",
            ([235, 288, 423, 479, 575], 620, 0x1b98_a7cb_d060_b65f),
        ),
        (
            "KPPPvKPP",
            ([219, 277, 430, 522, 552], 488, 0x083e_547f_d32e_f7eb),
        ),
        (
            "KQQQvKRR",
            ([258, 279, 421, 502, 540], 0, 0x324b_3eb4_2f43_9afb),
        ),
        (
            "KRPvKBP",
            ([163, 297, 445, 516, 579], 444, 0x8d44_e0d6_a5da_829d),
        ),
        (
            "KRRBvKN",
            ([316, 264, 417, 470, 533], 0, 0x5531_d410_e061_552a),
        ),
    ] {
        assert_eq!(values(name), expected, "{name}");
    }
}

#[test]
fn all_codes_are_decoded() {
    for (name, seed) in [("KQvK", 1), ("KPvK", 2)] {
        let folder = folder();
        let path = folder.path().join(format!("{name}.rtbw"));
        let (bytes, expected) = random(name, seed);
        fs::write(&path, bytes).expect("written");
        let material = Material::of_name(name).expect("a name");
        let table = Table::open(&path, material).expect("a table");
        let mut source = Source::new(fs::File::open(&path).expect("a file"));
        assert_eq!(table.parts.len(), expected.len());
        for ((numbering, pairs), expected) in table.parts.iter().zip(expected) {
            assert_eq!(numbering.positions, expected.len() as u64);
            for (number, value) in (0..).zip(expected) {
                assert_eq!(pairs.value(number, &mut source).expect("a value"), value);
            }
            assert!(pairs.value(numbering.positions, &mut source).is_err());
        }
    }
}

#[test]
fn a_file_that_changes_is_no_longer_used() {
    let board: Board = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1".parse().expect("a board");
    let position = Chess::of(board, 0, 1);
    let folder = folder();
    let path = folder.path().join("KQvK.rtbw");
    let [(sound, _), (other, _)] = [1, 2].map(|seed| random("KQvK", seed));
    let end = sound.len() - 1;
    for (bytes, reason) in [
        (Some(&sound[..end]), "damaged"),
        (Some(&sound[..100]), "damaged"),
        (Some(&[][..]), "damaged"),
        (Some(&other[..]), "another file"),
        (None, ""),
    ] {
        fs::write(&path, &sound).expect("written");
        let tables = opened(folder.path()).expect("tables");
        assert!(tables.value(&position).is_some() && tables.failure().is_none());
        match bytes {
            Some(bytes) => fs::write(&path, bytes).expect("written"),
            None => fs::remove_file(&path).expect("removed"),
        }
        assert_eq!(tables.value(&position), None, "{reason}");
        let failure = tables.failure().expect("a failure");
        assert!(
            failure.contains("KQvK.rtbw") && failure.contains(reason),
            "{failure}"
        );
        fs::write(&path, &sound).expect("written");
        assert_eq!(tables.value(&position), None, "{reason}");
    }
}

/// Changes of bytes, most of them in the header.
fn changes() -> impl Strategy<Value = Vec<(usize, u8)>> {
    let place = prop_oneof![0_usize..32, 0_usize..1500, any::<usize>()];
    prop::collection::vec((place, 1..=u8::MAX), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn damage_is_an_error_or_another_value(
        changes in changes(),
        length in prop::option::weighted(0.2, 0_usize..20_000),
        name in prop::sample::select(vec!["KQvK", "KPvK", "KPvKP", "KQvKQ"]),
        seed in any::<u64>(),
    ) {
        let folder = folder();
        let path = folder.path().join(format!("{name}.rtbw"));
        if name.len() == 4 {
            fs::write(&path, random(name, seed).0).expect("written");
        } else {
            for name in closure(name) {
                write_pattern(folder.path(), &name);
            }
        }
        let mut bytes = fs::read(&path).expect("a table");
        for (place, change) in changes {
            let place = place % bytes.len();
            bytes[place] ^= change;
        }
        let tables = opened(folder.path()).expect("tables");
        bytes.truncate(length.unwrap_or(usize::MAX));
        fs::write(&path, bytes).expect("written");
        let mut numbers = Numbers(seed);
        for tables in [Ok(tables), opened(folder.path())].into_iter().flatten() {
            let boards = std::iter::repeat_with(|| random_board(name, &mut numbers));
            for board in boards.flatten().take(50) {
                let value = tables.value(&Chess::of(board, 0, 1));
                prop_assert!(value.is_none_or(|value| value.abs() <= 2));
            }
        }
    }
}
