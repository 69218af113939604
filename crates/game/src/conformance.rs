//! A conformance suite that every game passes: for the tests of a game.
//!
//! Plays random games from the usual start, and checks the contracts of [`Position`] and [`Line`]
//! at every position. A failure names the position and, if there is one, the move.
//!
//! ```
//! # use leitai_othello::Othello;
//! leitai_game::conformance::conforms::<Othello>(1, 2, 60);
//! ```

use std::collections::{BTreeSet, HashMap};
use std::fmt::{Debug, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::position::has_promotion_sign;
use super::{Line, Move, MoveBuffer as _, Position, Scope, legal_moves, perft};

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
    let mut keys = HashMap::new();
    for _ in 0..games {
        play_and_check(&mut rng, max_plies, mirrors, &mut keys);
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

/// Asserts that two values of a position are equal. `place` is the position, and the move if there
/// is one.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "values as in `assert_eq`")]
pub(crate) fn same<T: PartialEq + Debug>(
    subject: &str,
    place: impl Display,
    found: T,
    expected: T,
) {
    assert_eq!(found, expected, "{subject}: {place}");
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

fn play_and_check<P: Position>(
    rng: &mut ChaCha8Rng,
    max_plies: usize,
    mirrors: &[fn(&P) -> P],
    keys: &mut HashMap<u64, P>,
) {
    let mut line = Line::new(P::initial());
    let mut played = vec![line.position().clone()];
    // The costly checks run at a few plies of every game.
    let thorough = [0, below(rng, max_plies + 1), below(rng, max_plies + 1)];
    for ply in 0..=max_plies {
        let position = line.position();
        check_position(position, rng, mirrors);
        check_verdict(&line);
        check_reach(position, &played);
        check_key(position, keys);
        nulls::check(&line);
        if thorough.contains(&ply) || position.count_legal_moves() == 0 {
            let (moves, fen) = (legal_moves(position), position.to_fen());
            // All values, or some of them where each takes long.
            let step = if moves.len() > 128 { 61 } else { 1 };
            for value in (0..=u16::MAX).step_by(step) {
                check_value(position, &moves, Move(value), &fen);
            }
            check_perft(position);
        }
        let moves = legal_moves(position);
        if moves.is_empty() || ply == max_plies {
            break;
        }
        line.play(moves[below(rng, moves.len())]);
        played.push(line.position().clone());
    }
    check_end(&played[below(rng, played.len())], rng);
    check_line(line, &played);
}

/// The number of repetitions that a game may need to end.
const MOST_REPETITIONS: usize = 100;

/// Checks that a game ends in which both sides move to and fro.
fn check_end<P: Position>(start: &P, rng: &mut ChaCha8Rng) {
    for _ in 0..4 {
        let Some(cycle) = cycle(start, rng) else {
            continue;
        };
        let mut line = Line::new(start.clone());
        let has_ended = (0..MOST_REPETITIONS).any(|_| {
            cycle.iter().any(|mv| {
                line.play(*mv);
                line.verdict(P::Rules::default()).is_some()
            })
        });
        let words = cycle.map(P::move_text).join(" ");
        assert!(
            has_ended,
            "a game does not end: {words} leads back to {} {MOST_REPETITIONS} times, and `judge` \
             returns no verdict (`Line::repetition` finds repetitions within `reversible_plies`)",
            start.to_fen()
        );
    }
}

/// Four moves that lead back to a position: two random ones, and two that fit.
fn cycle<P: Position>(start: &P, rng: &mut ChaCha8Rng) -> Option<[Move; 4]> {
    let mut position = start.clone();
    let mut any = |position: &mut P| {
        let moves = legal_moves(position);
        let mv = *moves.get(below(rng, moves.len().max(1)))?;
        position.make(mv);
        Some(mv)
    };
    let (first, second) = (any(&mut position)?, any(&mut position)?);
    for third in legal_moves(&position).into_iter().take(100) {
        let undo = position.make(third);
        for fourth in legal_moves(&position).into_iter().take(100) {
            let undo = position.make(fourth);
            let key = position.key();
            position.unmake(fourth, undo);
            if key == start.key() {
                return Some([first, second, third, fourth]);
            }
        }
        position.unmake(third, undo);
    }
    None
}

/// Checks a position without its history.
fn check_position<P: Position>(position: &P, rng: &mut ChaCha8Rng, mirrors: &[fn(&P) -> P]) {
    let fen = position.to_fen();
    check_number_of_moves(position, &fen);
    check_fields(position, &fen);
    let keys: BTreeSet<u64> = position.image_keys().into_iter().collect();
    let first = keys.first().copied();
    let images = position.image_keys();
    same("first key", &fen, images.first(), Some(&position.key()));
    same("symmetric key", &fen, first, Some(position.symmetric_key()));
    for (index, mirror) in mirrors.iter().enumerate() {
        let image = mirror(position);
        let place = format!("mirror image {index}, {fen} and {}", image.to_fen());
        let image_keys: BTreeSet<u64> = image.image_keys().into_iter().collect();
        same("keys", &place, &image_keys, &keys);
        let counts = [position, &image].map(P::count_legal_moves);
        same("number of moves", &place, counts[1], counts[0]);
    }
    check_moves(position, rng, &fen);
    check_texts::<P>(rng, &fen);
    for text in NO_MOVES.split('|') {
        let read = position.parse_move(text);
        assert!(read.is_err(), "`{text}` reads as a move: {fen}");
    }
}

fn check_number_of_moves<P: Position>(position: &P, fen: &str) {
    let list = || drop(legal_moves(position));
    let has_room = catch_unwind(AssertUnwindSafe(list)).is_ok();
    assert!(
        has_room,
        "`legal_moves` panics; `Moves` has room for {} moves: {fen}",
        P::Moves::CAPACITY
    );
}

/// Texts that are no moves in any game; the first is empty.
const NO_MOVES: &str = "| |z|zz|e0|e99|\u{99ac}8|a1b2c3d4e5|h2e2\0";

/// Compares incremental data with the text.
fn check_fields<P: Position>(position: &P, fen: &str) {
    same("integrity", fen, position.check_integrity(), Ok(()));
    let copy = P::from_fen(fen);
    let copy = copy.unwrap_or_else(|error| panic!("a text does not read back: {error}"));
    assert!(
        copy == *position,
        "the text does not hold the whole position; nothing may be hidden or remembered: {fen}: \
         {copy:?} is read, and it is {position:?}"
    );
    same("text read back", fen, &*copy.to_fen(), fen);
    same("key of the text", fen, copy.key(), position.key());
    let keys = [&copy, position].map(P::symmetric_key);
    same("symmetric key of the text", fen, keys[0], keys[1]);
    if let Some(key) = P::text_key(fen) {
        same("key of the bare text", fen, key, position.symmetric_key());
        same("meeting key", fen, position.meeting_key(), key);
    }
}

/// Damaged texts must be refused, or read as valid positions.
fn check_texts<P: Position>(rng: &mut ChaCha8Rng, fen: &str) {
    assert!(
        !fen.chars().any(|it| it.is_control() || it == '"')
            && fen.split(' ').all(|it| !it.is_empty()),
        "a position is words with a blank between them, without quotes: {fen:?}"
    );
    let words = format!("{fen} nonsense");
    let read = P::from_fen(&words);
    assert!(read.is_err(), "`{words}` reads as a position");
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
    // Marks of an annotator, which readers of PGN leave out.
    let is_marked = text.ends_with(['!', '?', '+', '#']) && !has_promotion_sign(text);
    has_letter
        && !is_marked
        && text.len() <= 64
        && !text.chars().any(|it| it.is_control() || is_other(it))
}

/// Checks the list of legal moves, and each move in it.
fn check_moves<P: Position>(position: &P, rng: &mut ChaCha8Rng, fen: &str) {
    let moves = legal_moves(position);
    // Moves are added to the list.
    let entry = Move::NULL;
    let room = usize::from(moves.len() < P::Moves::CAPACITY);
    let mut added: P::Moves = std::iter::repeat_n(entry, room).collect();
    position.legal_moves(&mut added);
    same(
        "entries before the moves",
        fen,
        added.len(),
        room + moves.len(),
    );
    same(
        "entry before the moves",
        fen,
        &added[..room],
        &[entry][..room],
    );
    same("moves generated again", fen, &added[room..], &moves[..]);
    same(
        "number of moves",
        fen,
        position.count_legal_moves(),
        moves.len(),
    );
    let has_one = position.has_legal_move();
    same("is there a move", fen, has_one, !moves.is_empty());
    for (index, &mv) in moves.iter().enumerate() {
        let text = P::move_text(mv);
        assert!(
            is_word(&text),
            "\"{text}\" is not a move that a record of games can hold, which needs a letter and \
             takes no blanks, quotes, brackets or signs of comments, and at the end no `+`, `#`, \
             `!` or `?`: {fen}"
        );
        let is_second = moves[..index].contains(&mv);
        assert!(!is_second, "{text} is listed twice: {fen}");
        let is_legal = position.is_legal(mv);
        assert!(is_legal, "{text} is listed but not legal: {fen}");
        assert!(mv != Move::NULL, "`Move::NULL` is listed as a move: {fen}");
        let read = position.parse_move(&text);
        let has_twin = |other: Move| other != mv && P::move_text(other) == text;
        assert!(
            !read.as_ref().is_ok_and(|other| has_twin(*other)),
            "two moves have the text \"{text}\": {fen}"
        );
        same(
            "move read back",
            format_args!("{fen}, {text}"),
            read,
            Ok(mv),
        );
        check_make(position, mv, fen);
    }
    if let Some(&mv) = moves.first() {
        check_key_of_side(position, mv, fen);
    }
    let neighbours = moves
        .iter()
        .flat_map(|mv| (0..16).map(|bit| Move(mv.0 ^ 1 << bit)));
    for mv in neighbours.chain(random_moves(rng.next_u64(), 64)) {
        check_value(position, &moves, mv, fen);
    }
}

/// Checks that the key depends on the side to move, by texts with one word of the position after a
/// move.
fn check_key_of_side<P: Position>(before: &P, mv: Move, fen: &str) {
    let mut after = before.clone();
    after.make(mv);
    for (place, other) in after.to_fen().split(' ').enumerate() {
        let mut words: Vec<&str> = fen.split(' ').collect();
        words.truncate(place);
        words.push(other);
        words.extend(fen.split(' ').skip(place + 1));
        let Ok(twin) = P::from_fen(&words.join(" ")) else {
            continue;
        };
        assert!(
            twin.side_to_move() == before.side_to_move() || twin.key() != before.key(),
            "`key` does not depend on the side to move: {fen} and {}",
            twin.to_fen()
        );
    }
}

/// Checks making a move and undoing it.
fn check_make<P: Position>(before: &P, mv: Move, fen: &str) {
    let text = P::move_text(mv);
    let mut position = before.clone();
    let undo = position.make(mv);
    let after = position.to_fen();
    let place = format_args!("{fen}, after {text}: {after}");
    let mut again = before.clone();
    again.make(mv);
    assert!(
        again == position,
        "{text} leads to two positions; chance is not supported: {fen}"
    );
    let other = before.side_to_move().other();
    same("side to move", place, position.side_to_move(), other);
    same("integrity", place, position.check_integrity(), Ok(()));
    let fresh = P::from_fen(&after).map(|fresh| fresh.key());
    same("key of the text", place, fresh, Ok(position.key()));
    assert_ne!(position.key(), before.key(), "{text} leaves the key: {fen}");
    let most = before.reversible_plies().saturating_add(1);
    assert!(
        position.reversible_plies() <= most,
        "reversible plies: {place}"
    );
    position.unmake(mv, undo);
    let place = format_args!("{fen}, after {text} is undone");
    same("text", place, &*position.to_fen(), fen);
    same("key", place, position.key(), before.key());
    same("state", place, &position, before);
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

/// Checks that a game without moves is over, and that one with moves is over only by its history.
fn check_verdict<P: Position>(line: &Line<P>) {
    let rules = P::Rules::default();
    let expected = if line.position().count_legal_moves() == 0 {
        Some(line.position().verdict_without_moves())
    } else {
        P::judge(line, rules, Scope::Game)
    };
    let fen = line.position().to_fen();
    same("verdict", fen, line.verdict(rules), expected);
}

/// Checks that no position from before the last irreversible move repeats.
fn check_reach<P: Position>(position: &P, played: &[P]) {
    let now = played.len() - 1;
    let reach = position.reversible_plies().min(now);
    for earlier in &played[..now - reach] {
        assert!(
            earlier.key() != position.key(),
            "{} has the key of {}, and no play leads from one to the other by \
             `reversible_plies`, which is {reach}: mix more of the position into `key`, or if the \
             position repeats, count the moves that can be reversed",
            position.to_fen(),
            earlier.to_fen()
        );
    }
}

/// Checks that no other position of the games has the same key: one with another board or other
/// legal moves. The counters of a position are not part of its key.
fn check_key<P: Position>(position: &P, keys: &mut HashMap<u64, P>) {
    let other = keys
        .entry(position.key())
        .or_insert_with(|| position.clone());
    if other == position {
        return;
    }
    let [one, two] = [&*other, position].map(|it| {
        let mut moves = legal_moves(it).to_vec();
        moves.sort_unstable();
        (it.to_fen(), moves)
    });
    assert!(
        one.0.split(' ').next() == two.0.split(' ').next() && one.1 == two.1,
        "two positions have one key: mix more of the position into `key`: {} and {}",
        one.0,
        two.0
    );
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
    same("perft 0", &fen, perft(&mut work, 0), 1);
    same("perft 1", &fen, perft(&mut work, 1), children(position));
    let moves = legal_moves(position);
    let leaves = moves.iter().map(|&mv| {
        let mut child = position.clone();
        child.make(mv);
        children(&child)
    });
    let sum: u64 = leaves.sum();
    let expected = if moves.is_empty() { finished } else { sum };
    same("perft 2", &fen, perft(&mut work, 2), expected);
    same("position after perft", &fen, &work, position);
}

/// Checks the line's recorded keys and moves, and undoes all of it.
fn check_line<P: Position>(mut line: Line<P>, played: &[P]) {
    let end = line.position().to_fen();
    same("length of the line", &end, line.len() + 1, played.len());
    same("start of the line", &end, line.start(), &played[0]);
    for (index, position) in played.iter().enumerate() {
        let place = format_args!("{index} moves of the line to {end}");
        same("key", place, line.key_after(index), position.key());
    }
    let mut copy = Line::new(P::initial());
    copy.copy_from(&line);
    let mut replay = Line::new(P::initial());
    replay.reset(line.start());
    for (index, mv) in line.moves().enumerate() {
        let place = format_args!("move {index} of the line to {end}");
        same("step", place, line.step(index).0, mv);
        replay.play(mv);
        same("replay", place, replay.position(), &played[index + 1]);
    }
    same("copy of the line", &end, copy.position(), line.position());
    for index in (0..line.len()).rev() {
        let place = format_args!("move {index} of the line to {end}");
        let last = line.moves().next_back();
        same("move of the copy", place, copy.moves().next_back(), last);
        same("undone move", place, line.undo(), last);
        same("undone move of the copy", place, copy.undo(), last);
        same("position before", place, line.position(), &played[index]);
    }
    let is_empty = line.is_empty() && line.undo().is_none();
    assert!(is_empty, "the line to {end} never empties");
}
