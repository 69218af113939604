//! The readers of external texts, and the properties of their results.

use std::io::BufRead;
use std::num::NonZeroUsize;
use std::sync::LazyLock;

use leitai_config::{EarlierBook, Number, Override, Profile, Variant, default_variant, parse};
use leitai_game::card::{Card, Game as PlayedGame, GameCard, GameChoice, typed};
use leitai_game::{Line, Position, Side, legal_moves};
use leitai_games::chess::{self, Chess};
use leitai_games::go::{Capture, Point, Setup};
use leitai_games::othello::ggf::{GgfReader, read_ggf};
use leitai_games::othello::{self, Othello, Transcript, TranscriptReader, is_transcript, records};
use leitai_games::xiangqi::{self, Notation, Xiangqi};
use leitai_go_problems::formats::{read_problems, write_json, write_rows, write_sgf};
use leitai_go_problems::proof;
use leitai_interchange::epd::parse_epd;
use leitai_interchange::pgn::{Game, ParsedComment, PgnReader, RawGame, pgn_text};
use leitai_interchange::pgn::{PgnEnding, PgnTags, WrittenGame};
use leitai_interchange::positions::EpdPosition;
use leitai_interchange::{Bytes, GameReader as _, Lines, OwnFormat, Source, TextError, open};
use leitai_players::player::read_move;
use leitai_players::schedule::Book;
use leitai_players::serve::Protocol;
use leitai_runs::results::{Results, read_pgn, read_table};
use leitai_stats::IdeaPrior;

use crate::common::project;

/// A reader.
pub(crate) struct Target {
    /// Its name, and that of its corpus.
    pub(crate) name: &'static str,
    /// Its share of the texts: fast readers get more.
    pub(crate) weight: usize,
    /// Reads a text; panics if a property fails.
    pub(crate) read: fn(&[u8]),
}

pub(crate) const TARGETS: &[Target] = &[
    Target {
        name: "config",
        weight: 2,
        read: config,
    },
    Target {
        name: "set",
        weight: 3,
        read: set,
    },
    Target {
        name: "words",
        weight: 20,
        read: words,
    },
    Target {
        name: "fen",
        weight: 20,
        read: fen,
    },
    Target {
        name: "moves",
        weight: 20,
        read: moves,
    },
    Target {
        name: "epd",
        weight: 10,
        read: epd,
    },
    Target {
        name: "book",
        weight: 5,
        read: book,
    },
    Target {
        name: "pgn",
        weight: 5,
        read: pgn,
    },
    Target {
        name: "files",
        weight: 5,
        read: files,
    },
    Target {
        name: "comments",
        weight: 20,
        read: comments,
    },
    Target {
        name: "problems",
        weight: 5,
        read: problems,
    },
    Target {
        name: "ggf",
        weight: 10,
        read: ggf,
    },
    Target {
        name: "transcripts",
        weight: 10,
        read: transcripts,
    },
    Target {
        name: "sgf",
        weight: 10,
        read: |bytes| own::<Othello>(bytes, &othello::records::OWN_FORMATS[3]),
    },
    Target {
        name: "wthor",
        weight: 10,
        read: |bytes| own::<Othello>(bytes, &othello::records::OWN_FORMATS[2]),
    },
    Target {
        name: "xqf",
        weight: 10,
        read: |bytes| own::<Xiangqi>(bytes, &xiangqi::records::OWN_FORMATS[0]),
    },
    Target {
        name: "dhtmlxq",
        weight: 10,
        read: |bytes| own::<Xiangqi>(bytes, &xiangqi::records::OWN_FORMATS[1]),
    },
    Target {
        name: "polyglot",
        weight: 10,
        read: |bytes| own::<Chess>(bytes, &chess::polyglot::OWN_FORMATS[0]),
    },
    Target {
        name: "table",
        weight: 10,
        read: table,
    },
    Target {
        name: "proof",
        weight: 5,
        read: certificates,
    },
    Target {
        name: "orders",
        weight: 20,
        read: orders,
    },
    Target {
        name: "engine-moves",
        weight: 20,
        read: engine_moves,
    },
];

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn config(bytes: &[u8]) {
    let text = text(bytes);
    if let (Ok(once), Ok(again)) = (
        parse(&text, "x.toml", &leitai_games::all()),
        parse(&text, "x.toml", &leitai_games::all()),
    ) {
        // NaN would differ from itself.
        assert!(
            once == again,
            "a config has something that is unlike itself"
        );
        let _ = once.warnings.to_string();
    }
}

/// Lines of `PATH=VALUE`, applied to a config.
fn set(bytes: &[u8]) {
    static CONFIG: LazyLock<std::path::PathBuf> =
        LazyLock::new(|| project("tests/attack/corpus/config/match.toml"));
    let text = text(bytes);
    let overrides: Result<Vec<Override>, _> = text.lines().take(8).map(str::parse).collect();
    if let Ok(overrides) = overrides
        && let Err(error) = leitai_config::load(&CONFIG, &overrides, &leitai_games::all())
    {
        assert!(!error.to_string().is_empty());
    }
}

/// A variant of each game.
static VARIANTS: LazyLock<Vec<Variant>> = LazyLock::new(|| {
    let games = leitai_games::all();
    let usual = games.iter().map(GameChoice::usual);
    usual.flat_map(default_variant).collect()
});

/// Short words of command lines.
fn words(bytes: &[u8]) {
    let text = text(bytes);
    let _ = (text.parse::<EarlierBook>(), text.parse::<Notation>());
    for variant in VARIANTS.iter() {
        if let Ok(number) = Number::parse(&text, variant) {
            assert_eq!(number.path(), text);
        }
    }
    if let Ok(prior) = text.parse::<IdeaPrior>() {
        let _ = format!("{prior:?}");
    }
    for size in [2, 9, 19] {
        for point in [Point::from_name(&text, size), Point::from_sgf(&text, size)]
            .into_iter()
            .flatten()
        {
            assert_eq!(Point::from_name(&point.name(size), size), Some(point));
        }
    }
    if let Ok(setup) = Setup::read(&text) {
        assert_eq!(Setup::read(&setup.to_string()).as_ref(), Ok(&setup));
    }
}

fn fen(bytes: &[u8]) {
    let text = text(bytes);
    position::<Xiangqi>(&text);
    position::<Othello>(&text);
    position::<Capture>(&text);
}

fn position<P: PlayedGame>(text: &str) {
    let Ok(mut position) = P::from_fen(text) else {
        return;
    };
    position.check_integrity().unwrap();
    assert_eq!(P::from_fen(&position.to_fen()).as_ref(), Ok(&position));
    for mv in legal_moves(&position).into_iter().take(8) {
        assert_eq!(position.parse_move(&P::move_text(mv)), Ok(mv));
        let before = position.clone();
        let undo = position.make(mv);
        position.check_integrity().unwrap();
        position.unmake(mv, undo);
        assert_eq!(position, before);
    }
}

/// Movetext from the usual start, and from the position after a first move.
fn moves(bytes: &[u8]) {
    let text = text(bytes);
    movetext::<Xiangqi>(&text);
    movetext::<Othello>(&text);
    movetext::<Capture>(&text);
    let position = Xiangqi::initial();
    for word in text.split_whitespace().take(4) {
        let _ = (position.fitting_moves(word), Xiangqi::likely_notation(word));
        if let Ok(mv) = position.parse_move(word) {
            for &notation in Notation::ALL {
                assert_eq!(
                    position.parse_move(&position.write_move(mv, notation)),
                    Ok(mv)
                );
            }
        }
    }
    let transcript = Transcript::read(&Othello::initial(), &text);
    let _ = (is_transcript(&text), format!("{transcript:?}").len());
}

/// Plays words as long as they are moves.
fn movetext<P: PlayedGame>(text: &str) {
    let mut position = P::initial();
    for word in text.split_whitespace().take(20) {
        match position.parse_move(word) {
            Ok(mv) => {
                assert!(position.is_legal(mv));
                assert_eq!(position.parse_move(&P::move_text(mv)), Ok(mv));
                position.make(mv);
            }
            Err(error) => drop((
                error.to_string(),
                position.suggest_moves(word),
                position.read_word(word),
            )),
        }
    }
    let _ = (P::from_opening(text), position.read_scored_move(text));
}

fn epd(bytes: &[u8]) {
    let text = text(bytes);
    for (number, line) in (1..).zip(text.lines().take(20)) {
        for card in leitai_games::all().iter() {
            let _ = (card.facts().looks_like)(line);
            if let Ok(read) = parse_epd(line, card.facts()) {
                let _ = read.id().map(str::len);
                read.operations
                    .iter()
                    .for_each(|operation| drop(operation.operands()));
            }
        }
        scored::<Xiangqi>(line, number);
        scored::<Othello>(line, number);
    }
}

fn scored<P: PlayedGame>(line: &str, number: u64) {
    match EpdPosition::read(Card::<P>::get(), line, number, "x.epd") {
        Ok(read) => assert_eq!(
            P::from_fen(&read.position.to_fen()).ok().as_ref(),
            typed(&*read.position)
        ),
        Err(damage) => assert!(!damage.to_string().is_empty()),
    }
}

fn book(bytes: &[u8]) {
    let text = text(bytes);
    openings::<Xiangqi>(&text);
    openings::<Othello>(&text);
    openings::<Capture>(&text);
}

fn openings<P: PlayedGame>(text: &str) {
    match Book::parse(Card::<P>::get(), text, "x.epd") {
        Ok(book) => {
            assert!(book.len() > 0);
            for opening in book.iter() {
                assert_eq!(
                    P::from_fen(opening.fen()).ok().as_ref(),
                    typed(&*opening.position())
                );
            }
            let _ = book.digest(true);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn pgn(bytes: &[u8]) {
    let mut reader = PgnReader::new(Lines::new(bytes, "x.pgn"), &leitai_games::all());
    let _ = reader.all(|raw| {
        let _ = (raw.tags.players(), raw.tags.game());
        if let Ok(game) = Game::read(raw, "x.pgn", &usual::<Xiangqi>()) {
            let _ = (game.agrees(), game.played_on());
            for notation in 0..Xiangqi::FACTS.pgn.notations.len() {
                comes_back::<Xiangqi>(&game, notation);
            }
        }
        if let Ok(game) = Game::read(raw, "x.pgn", &usual::<Othello>()) {
            comes_back::<Othello>(&game, 0);
        }
    });
    let _ = reader.notes();
    let mut results = Results::default();
    let lines = Lines::new(bytes, "x.pgn");
    let _ = read_pgn(lines, &leitai_games::all(), NonZeroUsize::MIN, &mut results);
    let _ = results.counts();
}

/// A file of any kind, opened by its contents: the number of threads changes nothing.
fn files(bytes: &[u8]) {
    let games = leitai_games::all();
    let told = |threads: usize| {
        let lines = match open(bytes, "x", &games) {
            Ok(Source::Text(lines)) => lines,
            Ok(_) => return Vec::new(),
            Err(error) => return vec![error.to_string()],
        };
        let mut told = Vec::new();
        let mut reader = PgnReader::new(lines, &games);
        let make = |raw: &RawGame<'_>| format!("{raw:?}");
        let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        let read = reader.read(threads, make, |before, game| {
            told.push(format!("{before} {game}"));
            Ok::<_, TextError>(())
        });
        told.extend(read.err().map(|error| error.to_string()));
        told.extend(reader.notes());
        told
    };
    assert_eq!(told(1), told(2));
    if let Ok(Source::Text(mut lines)) = open(bytes, "x", &games) {
        let _ = (lines.content(&games), lines.is_no_pgn());
        while let Ok(Some((_, line))) = lines.next_line() {
            assert!(!line.contains(['\n', '\r']));
        }
    }
}

/// Comments on moves: those that Leitai writes are read back.
fn comments(bytes: &[u8]) {
    for comment in text(bytes).lines() {
        for side in Side::BOTH {
            let said = ParsedComment::read([comment], side)
                .said
                .unwrap_or_default();
            let again = ParsedComment::read([said.comment().as_str()], side)
                .said
                .unwrap_or_default();
            assert_eq!(again.comment(), said.comment(), "{comment}");
        }
    }
}

/// The game under its usual rules.
fn usual<P: PlayedGame>() -> GameChoice {
    GameChoice::usual(Card::<P>::get())
}

/// A game written as PGN and read again has the same start and moves.
fn comes_back<P: PlayedGame>(game: &Game, notation: usize) {
    let moves = game.play.moves();
    let start = game.play.start();
    let text = WrittenGame {
        tags: PgnTags::default(),
        start,
        moves: &moves,
        searched: &[],
        ending: PgnEnding {
            points: game.points,
            termination: None,
        },
        notation,
    }
    .to_string();
    let mut reader = PgnReader::new(Lines::new(text.as_bytes(), "y.pgn"), &leitai_games::all());
    let mut games = reader
        .all(|raw| Game::read(raw, "y.pgn", &usual::<P>()))
        .unwrap();
    let again = games.pop().expect("a game");
    let again = again.unwrap_or_else(|damage| panic!("{damage}\n{text}"));
    assert!(
        again.play.start() == start && again.play.moves() == moves,
        "{text}"
    );
    assert_eq!(again.points, game.points);
}

/// Capture problems as JSON, SGF or rows: usable ones survive a round trip through all three.
fn problems(bytes: &[u8]) {
    let read = read_problems(bytes);
    for error in read.iter().filter_map(|problem| problem.as_ref().err()) {
        assert!(!error.to_string().is_empty());
    }
    let good: Vec<_> = read.into_iter().filter_map(Result::ok).take(4).collect();
    if good.is_empty() {
        return;
    }
    for text in [write_json(&good, ""), write_sgf(&good), write_rows(&good)] {
        let again: Result<Vec<_>, _> = read_problems(text.as_bytes()).into_iter().collect();
        let again = again.unwrap_or_else(|error| panic!("{error}\n{text}"));
        for (one, other) in good.iter().zip(&again) {
            assert_eq!(one.setup(), other.setup(), "{text}");
        }
        assert_eq!(again.len(), good.len(), "{text}");
    }
}

fn ggf(bytes: &[u8]) {
    let mut reader = GgfReader::new(Lines::new(bytes, "x.ggf"));
    while let Ok(Some(raw)) = reader.next_game() {
        if let Ok(game) = read_ggf(&raw, "x.ggf", usual::<Othello>().rules) {
            othello(&game);
        }
    }
    let _ = reader.notes();
}

fn transcripts(bytes: &[u8]) {
    let mut reader = TranscriptReader::new(Lines::new(bytes, "x.txt"));
    while let Ok(Some(game)) = reader.next_game(usual::<Othello>().rules) {
        if let Ok(game) = game {
            othello(&game);
        }
    }
    let _ = reader.notes();
}

/// Games in a form of their own: each is written as PGN and read again.
fn own<P: PlayedGame>(bytes: &[u8], form: &OwnFormat) {
    let game = usual::<P>();
    let mut reader = form.reader.of_bytes(Bytes::new(bytes, "x"));
    loop {
        match reader.next_game(game.rules) {
            Ok(None) => break,
            Ok(Some(Ok(read))) => {
                let text = pgn_text(&read, 0);
                let mut again =
                    PgnReader::new(Lines::new(text.as_bytes(), "y"), &leitai_games::all());
                let games = again.all(|raw| Game::read(raw, "y", &game)).unwrap();
                let [Ok(again)] = &games[..] else {
                    panic!("{games:?}\n{text}");
                };
                assert!(again.play.moves() == read.play.moves(), "{text}");
            }
            Ok(Some(Err(damage))) => assert!(!damage.to_string().is_empty()),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                break;
            }
        }
    }
    let _ = reader.notes();
}

/// A game written as GGF and read again has the same moves.
fn othello(game: &Game) {
    let _ = records::transcript(game);
    let text = records::ggf(game).expect("a form of Othello");
    let mut reader = GgfReader::new(Lines::new(text.as_bytes(), "y.ggf"));
    let raw = reader.next_game().unwrap().expect("a game");
    let again = read_ggf(&raw, "y.ggf", usual::<Othello>().rules);
    let again = again.unwrap_or_else(|damage| panic!("{damage}\n{text}"));
    assert!(again.play.start() == game.play.start(), "{text}");
    assert!(again.play.moves() == game.play.moves(), "{text}");
}

fn table(bytes: &[u8]) {
    let mut results = Results::default();
    match read_table(Lines::new(bytes, "x.csv"), &mut results) {
        Ok(()) => drop(results.counts()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A certificate survives writing and reading, and the quick and the exhaustive check agree on its
/// claim.
fn certificates(bytes: &[u8]) {
    for listed in proof::read(bytes) {
        let certificate = match listed {
            Ok(listed) => listed.certificate,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        let text = certificate.to_string();
        let again = proof::read(text.as_bytes()).next().expect("a certificate");
        let again = again
            .unwrap_or_else(|error| panic!("{error}\n{text}"))
            .certificate;
        assert_eq!(again.to_string(), text);
        let _ = proof::to_sgf(&certificate, 100);
        let effort = |exhaustive| proof::Effort {
            positions: 2_000,
            exhaustive,
        };
        let quick = proof::check(&certificate, effort(false)).map(drop);
        let slow = proof::check(&certificate, effort(true)).map(drop);
        let limited = |refusal: &proof::Refusal| refusal.to_string().contains("positions");
        if let (Ok(()), Err(refusal)) | (Err(refusal), Ok(())) = (&quick, &slow)
            && !limited(refusal)
        {
            panic!("only one way to check finds it valid: {refusal}\n{text}");
        }
    }
}

/// Commands from other programs to the engine.
fn orders(bytes: &[u8]) {
    for line in bytes.lines().take(20).map_while(Result::ok) {
        for protocol in [Protocol::Uci, Protocol::Ucci] {
            let _ = (protocol.parse(&line, true), protocol.parse(&line, false));
        }
    }
}

/// Moves as written by engines, under every preset.
fn engine_moves(bytes: &[u8]) {
    static KNOWN: LazyLock<Vec<(&dyn GameCard, Profile)>> = LazyLock::new(|| {
        let games = leitai_games::all();
        let of = |card: &'static dyn GameCard| {
            let known = card.facts().programs.iter();
            known.map(move |program| (card, Profile::known(program)))
        };
        games.iter().flat_map(of).collect()
    });
    let text = text(bytes);
    let line = Line::new(Xiangqi::initial());
    for (card, profile) in &*KNOWN {
        for word in text.split_whitespace().take(8) {
            if let Some(mv) = read_move(*card, profile, word) {
                let _ = line.position().parse_move(&mv);
            }
        }
    }
}
