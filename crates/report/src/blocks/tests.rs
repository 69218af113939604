//! Tests of lines and blocks against the output of other programs.

use super::*;

/// The block of fastchess that fishtest's `games.py` quotes.
#[test]
fn a_block_is_that_of_fastchess_to_the_last_digit() {
    let counts = GameCounts {
        games: Trinomial {
            wins: 248,
            losses: 266,
            draws: 166,
        },
        pairs: Pentanomial([43, 61, 144, 55, 37]),
        both_drawn: 25,
    };
    let names = ["New-e443b2459e", "Base-e443b2459e"];
    let setting = "0.601+0.006, 1t, 16MB, UHO_Lichess_4852_v1.epd";
    assert_eq!(
        match_block(names, setting, &counts, true),
        "Results of New-e443b2459e vs Base-e443b2459e (0.601+0.006, 1t, 16MB, \
         UHO_Lichess_4852_v1.epd):\n\
         Elo: -9.20 +/- 20.93, nElo: -11.50 +/- 26.11\n\
         LOS: 19.41 %, DrawRatio: 42.35 %, PairsRatio: 0.88\n\
         Games: 680, Wins: 248, Losses: 266, Draws: 166, Points: 331.0 (48.68 %)\n\
         Ptnml(0-2): [43, 61, 144, 55, 37], WL/DD Ratio: 4.76\n"
    );
}

#[test]
fn missing_numbers_are_printed_like_the_model() {
    let mut counts = GameCounts::default();
    counts.games.record(2);
    counts.games.record(2);
    counts.pair([2, 2]);
    let block = match_block(["A", "B"], "", &counts, true);
    assert!(
        block.contains("Elo: inf +/- nan, nElo: inf +/- nan"),
        "{block}"
    );
    assert!(block.contains("PairsRatio: inf"), "{block}");
    assert!(block.contains("WL/DD Ratio: nan"), "{block}");
}

#[test]
fn games_alone_are_counted_as_cutechess_does() {
    let counts = GameCounts {
        games: Trinomial {
            wins: 7,
            losses: 3,
            draws: 10,
        },
        ..GameCounts::default()
    };
    // By hand: the score is 0.6, its variance 0.115, its standard error 0.0758.
    assert_eq!(
        difference_line(&counts),
        "Elo difference: 70.44 +/- 111.73, LOS: 90.64 %, DrawRatio: 50.00 %\n"
    );
    assert_eq!(
        score_line(["A", "B"], &counts),
        "Score of A vs B: 7 - 3 - 10  [0.600] 20\n"
    );
}

#[test]
fn pairs_are_mirrored_and_added() {
    let mut counts = GameCounts::default();
    counts.pair([2, 1]);
    counts.games.record(2);
    counts.games.record(1);
    let other = counts.mirrored();
    assert_eq!((other.pairs.0, other.games.losses), ([0, 1, 0, 0, 0], 1));
    counts.add(&other);
    assert_eq!((counts.games.games(), counts.pairs.0), (4, [0, 1, 0, 1, 0]));
}

#[test]
fn tests_are_printed_with_bounds_and_share() {
    let level = Level {
        value: -1.47,
        lower: -2.94,
        upper: 2.94,
    };
    assert_eq!(
        test_line(&level, [0.0, 5.0]),
        "LLR: -1.47 (-50.0%) (-2.94, 2.94) [0.00, 5.00]\n"
    );
    assert_eq!(
        format_cutechess_test_line(&level),
        "SPRT: llr -1.47 (50.0%), lbound -2.94, ubound 2.94\n"
    );
}
