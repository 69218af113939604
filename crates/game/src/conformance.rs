//! A conformance suite that every game passes: for the tests of a game.
//!
//! Plays random games from the usual start, and checks the contracts of [`Position`] and [`Line`]
//! at every position. A failure names the position and, if there is one, the move.
//!
//! ```
//! # use leitai_othello::Othello;
//! leitai_game::conformance::conforms::<Othello>(1, 2, 60);
//! ```

use std::collections::BTreeSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::{Line, Move, MoveList, Position, Scope, divide, perft};

mod nulls;

/// Plays `games` random games of at most `max_plies` plies and checks every position on the way.
/// The same `seed` plays the same games.
///
/// # Panics
/// At the first violation.
pub fn conforms<P: Position>(seed: u64, games: usize, max_plies: usize) {
    conforms_with_mirrors::<P>(seed, games, max_plies, &[]);
}

/// Like [`conforms`], with `mirrors` that map the position to equivalent images, which must share
/// its symmetric key.
///
/// # Panics
/// At the first violation.
pub fn conforms_with_mirrors<P: Position>(
    seed: u64,
    games: usize,
    max_plies: usize,
    mirrors: &[fn(&P) -> P],
) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let start = P::initial();
    let copy = P::from_fen(&start.to_fen()).expect("the starting position reads back");
    assert_eq!(copy, start, "the starting position reads back changed");
    for _ in 0..games {
        play_and_check(&mut rng, max_plies, mirrors);
    }
}

/// Calls `look` with each position of `games` random games of at most `max_plies` plies, the same
/// ones for the same `seed`.
pub fn in_random_games<P: Position>(
    (seed, games, max_plies): (u64, usize, usize),
    look: impl Fn(&Line<P>),
) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..games {
        let mut line = Line::new(P::initial());
        for _ in 0..max_plies {
            look(&line);
            let moves = legal_moves(line.position());
            if moves.is_empty() {
                break;
            }
            line.play(moves[below(&mut rng, moves.len())]);
        }
    }
}

/// `count` random values of a move, most of them not legal.
pub(crate) fn random_moves(seed: u64, count: usize) -> impl Iterator<Item = Move> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(move |_| Move(rng.next_u64() as u16))
}

/// A random number in `0..bound`; the bias of the remainder does not matter here.
fn below(rng: &mut ChaCha8Rng, bound: usize) -> usize {
    (rng.next_u64() % bound as u64) as usize
}

/// The legal moves, in the generator's order.
pub(crate) fn legal_moves<P: Position>(position: &P) -> MoveList {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}

fn play_and_check<P: Position>(rng: &mut ChaCha8Rng, max_plies: usize, mirrors: &[fn(&P) -> P]) {
    let mut line = Line::new(P::initial());
    let mut played = vec![line.position().clone()];
    // The costly checks run at a few plies of every game.
    let thorough = [0, below(rng, max_plies + 1), below(rng, max_plies + 1)];
    for ply in 0..=max_plies {
        let position = line.position();
        check_position(position, rng, mirrors);
        check_verdict(&line);
        check_reach(position, &played);
        nulls::check(&line);
        if thorough.contains(&ply) || position.count_legal_moves() == 0 {
            check_all_values(position);
            check_perft(position);
        }
        let moves = legal_moves(position);
        if moves.is_empty() || ply == max_plies {
            break;
        }
        line.play(moves[below(rng, moves.len())]);
        played.push(line.position().clone());
    }
    check_line(line, &played);
}

/// Checks a position without its history.
fn check_position<P: Position>(position: &P, rng: &mut ChaCha8Rng, mirrors: &[fn(&P) -> P]) {
    let fen = position.to_fen();
    check_fields(position, &fen);
    let keys: BTreeSet<u64> = position.image_keys().into_iter().collect();
    let first = keys.first().copied();
    assert_eq!(
        (position.image_keys().first(), first),
        (Some(&position.key()), Some(position.symmetric_key())),
        "keys of images: {fen}"
    );
    for (index, mirror) in mirrors.iter().enumerate() {
        let image = mirror(position);
        let image_fen = image.to_fen();
        assert_eq!(
            image.image_keys().into_iter().collect::<BTreeSet<_>>(),
            keys,
            "keys of mirror image {index}: {fen} and {image_fen}"
        );
        assert_eq!(
            image.count_legal_moves(),
            position.count_legal_moves(),
            "number of moves of mirror image {index}: {fen} and {image_fen}"
        );
    }
    check_moves(position, rng, &fen);
    check_texts::<P>(rng, &fen);
    for text in [
        "",
        " ",
        "z",
        "zz",
        "e0",
        "e99",
        "\u{99ac}8",
        "a1b2c3d4e5",
        "h2e2\0",
    ] {
        assert!(
            position.parse_move(text).is_err(),
            "`{text}` reads as a move: {fen}"
        );
    }
}

/// Compares incremental data with the text.
fn check_fields<P: Position>(position: &P, fen: &str) {
    assert_eq!(position.check_integrity(), Ok(()), "integrity: {fen}");
    let copy = match P::from_fen(fen) {
        Ok(copy) => copy,
        Err(error) => panic!("text does not read back: {error}"),
    };
    assert_eq!(
        &copy, position,
        "text reads back as another position: {fen}"
    );
    assert_eq!(copy.to_fen(), fen, "text changes when read back");
    assert_eq!(
        copy.key(),
        position.key(),
        "key differs from that of the text: {fen}"
    );
    assert_eq!(
        copy.symmetric_key(),
        position.symmetric_key(),
        "symmetric key differs from that of the text: {fen}"
    );
}

/// Damaged texts must be refused, or read as valid positions.
fn check_texts<P: Position>(rng: &mut ChaCha8Rng, fen: &str) {
    assert!(
        !fen.chars().any(|it| it.is_control() || it == '"')
            && fen.split(' ').all(|it| !it.is_empty()),
        "a position is words with a blank between them, without quotes: {fen:?}"
    );
    let words = format!("{fen} nonsense");
    assert!(
        P::from_fen(&words).is_err(),
        "`{words}` reads as a position"
    );
    let letters: Vec<char> = fen.chars().collect();
    let mut damaged = Vec::new();
    for _ in 0..4 {
        let (at, from) = (below(rng, letters.len()), below(rng, letters.len()));
        let (before, after) = (&letters[..at], &letters[at + 1..]);
        let other = [letters[from], '9', 'x', '\u{99ac}'][below(rng, 4)];
        damaged.push([before, after].concat());
        damaged.push([before, &[other], after].concat());
        damaged.push([before, &[other, other], &letters[at..]].concat());
        damaged.push(before.to_vec());
    }
    for letters in damaged {
        let text: String = letters.into_iter().collect();
        let Ok(position) = P::from_fen(&text) else {
            continue;
        };
        let written = position.to_fen();
        check_fields(&position, &written);
        for mv in legal_moves(&position) {
            check_make(&position, mv, &written);
        }
    }
}

/// Returns whether a text can be a move in PGN and in dialogues: bare numbers are move numbers.
fn is_word(text: &str) -> bool {
    let is_other = |letter: char| letter.is_whitespace() || "\"{}()[];$%<>".contains(letter);
    let has_letter = text.chars().any(char::is_alphabetic);
    has_letter && text.len() <= 64 && !text.chars().any(|it| it.is_control() || is_other(it))
}

/// Checks the list of legal moves, and each move in it.
fn check_moves<P: Position>(position: &P, rng: &mut ChaCha8Rng, fen: &str) {
    let sentinel = Move(u16::MAX);
    let mut appended = MoveList::from_iter([sentinel]);
    position.legal_moves(&mut appended);
    let moves = legal_moves(position);
    assert_eq!(
        appended[0], sentinel,
        "the generator clears the list: {fen}"
    );
    assert_eq!(
        appended[1..],
        moves[..],
        "the generator changes its mind: {fen}"
    );
    assert_eq!(
        position.count_legal_moves(),
        moves.len(),
        "number of moves: {fen}"
    );
    for (index, &mv) in moves.iter().enumerate() {
        let text = P::move_text(mv);
        assert!(
            is_word(&text),
            "\"{text}\" is no move that a record of games can hold, which needs a letter and \
             takes no blanks, quotes, brackets or signs of comments: {fen}"
        );
        assert!(
            !moves[..index].contains(&mv),
            "{text} is listed twice: {fen}"
        );
        assert!(
            position.is_legal(mv),
            "{text} is listed but not legal: {fen}"
        );
        assert_eq!(
            position.parse_move(&text),
            Ok(mv),
            "{text} does not read back: {fen}"
        );
        check_make(position, mv, fen);
    }
    let neighbours = moves
        .iter()
        .flat_map(|mv| (0..16).map(|bit| Move(mv.0 ^ 1 << bit)));
    for mv in neighbours.chain(random_moves(rng.next_u64(), 64)) {
        check_value(position, &moves, mv, fen);
    }
}

/// Checks making a move and undoing it.
fn check_make<P: Position>(before: &P, mv: Move, fen: &str) {
    let text = P::move_text(mv);
    let mut position = before.clone();
    let undo = position.make(mv);
    let after = position.to_fen();
    assert_eq!(
        position.side_to_move(),
        before.side_to_move().other(),
        "the side does not alternate after {text}: {fen}"
    );
    assert_eq!(
        position.check_integrity(),
        Ok(()),
        "integrity after {text}: {fen} to {after}"
    );
    let fresh = P::from_fen(&after).map(|fresh| fresh.key());
    assert_eq!(
        fresh,
        Ok(position.key()),
        "key after {text} differs from that of the text: {fen} to {after}"
    );
    assert_ne!(position.key(), before.key(), "{text} leaves the key: {fen}");
    assert!(
        position.reversible_plies() <= before.reversible_plies() + 1,
        "reversible plies after {text}: {fen}"
    );
    position.unmake(mv, undo);
    assert_eq!(position.to_fen(), fen, "{text} is not taken back");
    assert_eq!(
        position.key(),
        before.key(),
        "key after taking back {text}: {fen}"
    );
    assert_eq!(&position, before, "state after taking back {text}: {fen}");
}

/// Checks that a value is legal if and only if it is listed.
fn check_value<P: Position>(position: &P, moves: &[Move], mv: Move, fen: &str) {
    assert_eq!(
        position.is_legal(mv),
        moves.contains(&mv),
        "is_legal({:#06x}) differs from the list: {fen}",
        mv.0
    );
}

/// Runs [`check_value`] for all 65 536 values.
fn check_all_values<P: Position>(position: &P) {
    let moves = legal_moves(position);
    let fen = position.to_fen();
    for value in 0..=u16::MAX {
        check_value(position, &moves, Move(value), &fen);
    }
}

/// Checks that a game without moves is over, and that one with moves is over only by its history.
fn check_verdict<P: Position>(line: &Line<P>) {
    let rules = P::Rules::default();
    let expected = if line.position().count_legal_moves() == 0 {
        Some(line.position().verdict_without_moves())
    } else {
        P::judge(line, rules, Scope::Game)
    };
    assert_eq!(
        line.verdict(rules),
        expected,
        "verdict: {}",
        line.position().to_fen()
    );
}

/// Checks that no position from before the last irreversible move repeats.
fn check_reach<P: Position>(position: &P, played: &[P]) {
    let now = played.len() - 1;
    let reach = position.reversible_plies().min(now);
    for earlier in &played[..now - reach] {
        assert_ne!(
            earlier.key(),
            position.key(),
            "stands again after an irreversible move: {}",
            position.to_fen()
        );
    }
}

/// Compares perft with its definition, on the two plies below the position.
fn check_perft<P: Position>(position: &P) {
    let fen = position.to_fen();
    let finished = u64::from(P::PERFT_COUNTS_FINISHED);
    let children = |position: &P| match legal_moves(position).len() {
        0 => finished,
        count => count as u64,
    };
    let mut work = position.clone();
    assert_eq!(perft(&mut work, 0), 1, "perft 0: {fen}");
    assert_eq!(perft(&mut work, 1), children(position), "perft 1: {fen}");
    let moves = legal_moves(position);
    let divided = divide(&mut work, 2);
    assert!(
        divided.iter().map(|&(mv, _)| mv).eq(moves.iter().copied()),
        "divide 2: {fen}"
    );
    for &(mv, count) in &divided {
        let undo = work.make(mv);
        assert_eq!(
            children(&work),
            count,
            "divide 2 of {}: {fen}",
            P::move_text(mv)
        );
        work.unmake(mv, undo);
    }
    let sum: u64 = divided.iter().map(|&(_, count)| count).sum();
    let expected = if moves.is_empty() { finished } else { sum };
    assert_eq!(perft(&mut work, 2), expected, "perft 2: {fen}");
    assert_eq!(&work, position, "perft changes the position: {fen}");
}

/// Checks the line's recorded keys and moves, and undoes all of it.
fn check_line<P: Position>(mut line: Line<P>, played: &[P]) {
    let end = line.position().to_fen();
    assert_eq!(line.len() + 1, played.len(), "length of the line to {end}");
    assert_eq!(line.start(), &played[0], "start of the line to {end}");
    for (index, position) in played.iter().enumerate() {
        assert_eq!(
            line.key_after(index),
            position.key(),
            "key after {index} moves of the line to {end}"
        );
    }
    let mut copy = Line::new(P::initial());
    copy.copy_from(&line);
    let mut replay = Line::new(P::initial());
    replay.reset(line.start());
    for (index, mv) in line.moves().enumerate() {
        assert_eq!(line.step(index).0, mv, "step {index} of the line to {end}");
        replay.play(mv);
        assert_eq!(
            replay.position(),
            &played[index + 1],
            "replay of {index} moves of the line to {end}"
        );
    }
    assert_eq!(
        copy.position(),
        line.position(),
        "copy of the line to {end}"
    );
    for index in (0..line.len()).rev() {
        let last = line.moves().next_back();
        assert_eq!(copy.moves().next_back(), last, "copy of the line to {end}");
        assert_eq!(line.undo(), last, "move {index} of the line to {end}");
        assert_eq!(
            copy.undo(),
            last,
            "move {index} of the copy of the line to {end}"
        );
        assert_eq!(
            line.position(),
            &played[index],
            "position after undoing to {index} moves of the line to {end}"
        );
    }
    assert!(
        line.is_empty() && line.undo().is_none(),
        "the line to {end} never empties"
    );
}
