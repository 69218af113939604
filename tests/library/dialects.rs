//! Games in the dialects of other programs, in any encoding, with any line ends, packed or not.

use std::io::{Cursor, Write as _};
use std::num::NonZeroUsize;

use encoding_rs::{BIG5, GB18030, WINDOWS_1252};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use leitai_game::card::{AnyPosition, GameCard, GameChoice};
use leitai_game::eval::Score;
use leitai_game::{Move, Side};
use leitai_interchange::pgn::{Game, PgnReader, RawGame};
use leitai_interchange::{Damage, Source, TextError, open};
use proptest::prelude::*;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

type Card = &'static dyn GameCard;

/// A game to be written.
#[derive(Clone, Debug)]
struct Played {
    start: Box<dyn AnyPosition>,
    moves: Vec<Move>,
    /// The score of each move in hundredths, if it has one.
    scores: Vec<Option<i32>>,
    /// Half points of White or Red.
    points: u8,
}

/// How a program writes games.
#[derive(Clone, Debug)]
struct Dialect {
    numbers: Numbers,
    result: ResultForm,
    scores: ScoreForm,
    has_tags: bool,
    remarks: bool,
    variations: bool,
    notation: usize,
}

#[derive(Clone, Copy, Debug)]
enum Numbers {
    Spaced,
    Glued,
    Dots,
    None,
}

#[derive(Clone, Copy, Debug)]
enum ResultForm {
    Plain,
    EnDash,
    Spaced,
    Glued,
    TagOnly,
}

#[derive(Clone, Copy, Debug)]
enum ScoreForm {
    Cutechess,
    Fastchess,
    OpenBench,
    Lichess,
    Tcec,
    Arena,
    Comma,
}

#[derive(Clone, Copy, Debug)]
enum Letters {
    Utf8,
    Marked,
    Utf16 { little: bool, marked: bool },
    Gb18030,
    Big5,
    Latin1,
}

#[derive(Clone, Copy, Debug)]
enum Packing {
    None,
    Gzip,
    Zstd,
    Bzip2,
    Zip { stored: bool },
    GzipInZip,
}

fn dialect() -> impl Strategy<Value = Dialect> {
    let numbers = prop_oneof![
        Just(Numbers::Spaced),
        Just(Numbers::Glued),
        Just(Numbers::Dots),
        Just(Numbers::None)
    ];
    let result = prop_oneof![
        Just(ResultForm::Plain),
        Just(ResultForm::EnDash),
        Just(ResultForm::Spaced),
        Just(ResultForm::Glued),
        Just(ResultForm::TagOnly)
    ];
    let scores = prop_oneof![
        Just(ScoreForm::Cutechess),
        Just(ScoreForm::Fastchess),
        Just(ScoreForm::OpenBench),
        Just(ScoreForm::Lichess),
        Just(ScoreForm::Tcec),
        Just(ScoreForm::Arena),
        Just(ScoreForm::Comma)
    ];
    let flags = any::<[bool; 3]>();
    (numbers, result, scores, flags, 0..3_usize).prop_map(
        |(numbers, result, scores, [has_tags, remarks, variations], notation)| Dialect {
            numbers,
            result,
            scores,
            // A result in a tag needs the tag.
            has_tags: has_tags || matches!(result, ResultForm::TagOnly),
            remarks,
            variations,
            notation,
        },
    )
}

fn letters() -> impl Strategy<Value = Letters> {
    prop_oneof![
        Just(Letters::Utf8),
        Just(Letters::Marked),
        any::<[bool; 2]>().prop_map(|[little, marked]| Letters::Utf16 { little, marked }),
        Just(Letters::Gb18030),
        Just(Letters::Big5),
        Just(Letters::Latin1),
    ]
}

fn packing() -> impl Strategy<Value = Packing> {
    prop_oneof![
        Just(Packing::None),
        Just(Packing::Gzip),
        Just(Packing::Zstd),
        Just(Packing::Bzip2),
        any::<bool>().prop_map(|stored| Packing::Zip { stored }),
        Just(Packing::GzipInZip),
    ]
}

/// A game of random moves from the usual start or a later position.
fn played(card: Card, seed: u64, from: usize, plies: usize) -> Played {
    let mut random = seed;
    let mut next = |most: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % most.max(1)
    };
    let mut line = card.line(&*card.initial());
    for _ in 0..from {
        let moves = line.position().moves();
        if moves.is_empty() {
            break;
        }
        line.play(moves[next(moves.len())]);
    }
    let start = line.position().boxed();
    let mut line = card.line(&*start);
    let mut scores = Vec::new();
    for _ in 0..plies {
        let moves = line.position().moves();
        if moves.is_empty() {
            break;
        }
        line.play(moves[next(moves.len())]);
        scores.push((next(3) > 0).then(|| next(2_000) as i32 - 1_000));
    }
    Played {
        start,
        moves: line.moves(),
        scores,
        points: next(3) as u8,
    }
}

impl Dialect {
    fn comment(&self, score: i32, side: Side) -> String {
        let of_first = if side == Side::First { score } else { -score };
        let value = |score: i32| format!("{:+.2}", f64::from(score) / 100.0);
        let bare = |score: i32| format!("{:.2}", f64::from(score) / 100.0);
        match self.scores {
            ScoreForm::Cutechess => format!("{}/12 1.5s", value(score)),
            ScoreForm::Fastchess => format!("{}/12 1.500s, n=5000, sd=20", value(score)),
            ScoreForm::OpenBench => format!("{} 12/20 1500 5000", value(score)),
            ScoreForm::Lichess => format!(" [%eval {}] [%clk 0:03:00] ", bare(of_first)),
            ScoreForm::Tcec => {
                format!("d=12, sd=20, mt=1500, n=5000, pv=x, wv={},", bare(of_first))
            }
            ScoreForm::Arena => format!("(e2e4) {}/12 1.5", value(score)),
            ScoreForm::Comma => format!("{}/12 0:01", value(score).replace('.', ",")),
        }
    }

    fn write(&self, game: &Played, event: &str, name: &str) -> String {
        let card = game.start.card();
        let [first, second] = card.facts().pgn.players;
        let results = ["0-1", "1/2-1/2", "1-0"];
        let result = results[usize::from(game.points)];
        let mut tags = Vec::new();
        if self.has_tags {
            tags.extend([
                ("Event", event),
                (first, name),
                (second, "B"),
                ("Result", result),
            ]);
        }
        let fen = game.start.to_fen();
        if *game.start != *card.initial() {
            tags.push(("FEN", &fen));
        }
        let tags = tags
            .iter()
            .map(|(name, value)| format!("[{name} \"{value}\"]\n"));
        let mut text: String = tags.collect();
        if !text.is_empty() {
            text.push('\n');
        }
        let mut position = game.start.boxed();
        let mut number = game.start.first_number();
        for (place, &mv) in game.moves.iter().enumerate() {
            let side = position.side_to_move();
            let word = position.written(mv, self.notation);
            let begins = side == Side::First;
            let (number_text, dots) = (number.to_string(), ". ");
            let before = match self.numbers {
                Numbers::Glued if begins => [&number_text, "."],
                Numbers::Spaced | Numbers::Dots if begins => [&number_text, dots],
                Numbers::Dots => [&number_text, "... "],
                _ => ["", ""],
            };
            text.extend(before);
            text.push_str(&word);
            number += u32::from(!begins);
            if self.remarks && place % 7 == 3 {
                text += "!? $14 e.p.";
            }
            if let Some(score) = game.scores[place] {
                text.extend([" {", &self.comment(score, side), "}"]);
            }
            if self.variations && place % 5 == 2 {
                text += " (a variation {with (a comment} 1-0)";
            }
            text.push(if place % 8 == 7 { '\n' } else { ' ' });
            position.play(mv);
        }
        match self.result {
            ResultForm::Plain => text += result,
            ResultForm::EnDash => text += &result.replace('-', "–"),
            ResultForm::Spaced => text += &result.replace('-', " - "),
            ResultForm::Glued => {
                text.truncate(text.trim_end().len());
                // A comment, a variation or a remark ends the word.
                if !text.ends_with(|it: char| it.is_alphanumeric() || it == '#') {
                    text.push(' ');
                }
                text += result;
            }
            ResultForm::TagOnly => {}
        }
        text + "\n\n"
    }
}

/// The bytes of a text; `None` if the encoding does not have all of its letters.
fn encoded(text: &str, letters: Letters) -> Option<Vec<u8>> {
    let by = |encoding: &'static encoding_rs::Encoding| {
        let (bytes, _, is_lost) = encoding.encode(text);
        (!is_lost).then(|| bytes.into_owned())
    };
    match letters {
        Letters::Utf8 => Some(text.as_bytes().to_vec()),
        Letters::Marked => Some(format!("\u{feff}{text}").into_bytes()),
        Letters::Utf16 { little, marked } => {
            let mark = marked.then_some(0xFEFF);
            let units = mark.into_iter().chain(text.encode_utf16());
            let bytes = |unit: u16| {
                if little {
                    unit.to_le_bytes()
                } else {
                    unit.to_be_bytes()
                }
            };
            Some(units.flat_map(bytes).collect())
        }
        Letters::Gb18030 => by(GB18030),
        Letters::Big5 => by(BIG5),
        Letters::Latin1 => by(WINDOWS_1252),
    }
}

fn packed(bytes: &[u8], packing: Packing) -> Vec<u8> {
    match packing {
        Packing::None => bytes.to_vec(),
        Packing::Gzip => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(bytes).expect("written");
            encoder.finish().expect("written")
        }
        Packing::Zstd => compress_to_vec(bytes, CompressionLevel::Fastest),
        Packing::Bzip2 => {
            let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            encoder.write_all(bytes).expect("written");
            encoder.finish().expect("written")
        }
        Packing::Zip { stored } => zip(bytes, stored),
        Packing::GzipInZip => zip(&packed(bytes, Packing::Gzip), true),
    }
}

/// A file in all forms that are unpacked.
pub(crate) fn packed_in_every_way(bytes: &[u8]) -> Vec<Vec<u8>> {
    let ways = [
        Packing::Gzip,
        Packing::Zstd,
        Packing::Bzip2,
        Packing::Zip { stored: false },
        Packing::Zip { stored: true },
        Packing::GzipInZip,
    ];
    ways.map(|way| packed(bytes, way)).to_vec()
}

/// An archive with a folder and one file, as other programs write it.
fn zip(bytes: &[u8], stored: bool) -> Vec<u8> {
    let content = if stored {
        bytes.to_vec()
    } else {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).expect("written");
        encoder.finish().expect("written")
    };
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    let mut archive = Vec::new();
    for (name, content, size, sum, method) in [
        ("games/", &[][..], 0, 0, 0_u16),
        (
            "games/a.pgn",
            &content[..],
            bytes.len(),
            crc.sum(),
            if stored { 0 } else { 8 },
        ),
    ] {
        // With method 8 the sizes follow the file.
        let follows = method == 8;
        archive.extend(b"PK\x03\x04\x14\0");
        archive.extend(if follows { [8, 0] } else { [0, 0] });
        archive.extend(method.to_le_bytes());
        archive.extend([0; 4]);
        let (sum, sizes) = (sum, [content.len() as u32, size as u32]);
        archive.extend(if follows { 0 } else { sum }.to_le_bytes());
        for size in sizes {
            archive.extend(if follows { 0 } else { size }.to_le_bytes());
        }
        archive.extend((name.len() as u16).to_le_bytes());
        archive.extend([0, 0]);
        archive.extend(name.as_bytes());
        archive.extend(content);
        if follows {
            archive.extend(b"PK\x07\x08");
            archive.extend(sum.to_le_bytes());
            for size in sizes {
                archive.extend(size.to_le_bytes());
            }
        }
    }
    archive.extend(b"PK\x01\x02 and more of the table of contents");
    archive
}

fn read(bytes: &[u8], card: Card, threads: usize) -> Vec<Result<Game, Damage>> {
    let games = leitai_games::all();
    let lines = match open(Cursor::new(bytes), "x.pgn", &games) {
        Ok(Source::Text(lines)) => lines,
        Ok(Source::Own(_, format, _)) => panic!("taken for {format:?}"),
        Ok(Source::Record) => panic!("taken for a record"),
        Err(error) => panic!("{error}"),
    };
    let choice = GameChoice::usual(card);
    let mut all = Vec::new();
    let make = |raw: &RawGame<'_>| Game::read(raw, "x.pgn", &choice);
    let threads = NonZeroUsize::new(threads).expect("written");
    PgnReader::new(lines, &games)
        .read(threads, make, |_, game| {
            all.push(game);
            Ok::<_, TextError>(())
        })
        .expect("written");
    all
}

/// The score that is read back from a comment.
fn score_of(game: &Game, place: usize) -> Option<Score> {
    game.searched.get(place).and_then(|said| said.score)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn games_in_every_dialect_come_back(
        seeds in prop::collection::vec((any::<u64>(), 0..30_usize, 1..60_usize), 1..5),
        which in 0..3_usize,
        dialect in dialect(),
        letters in letters(),
        line_end in prop_oneof![Just("\n"), Just("\r\n"), Just("\r")],
        packing in packing(),
        name in prop_oneof![Just("A"), Just("Müller"), Just("许银川"), Just("許銀川")],
        end in prop_oneof![Just(""), Just("\u{1a}"), Just("\n\u{1a}\u{1a}")],
    ) {
        let card = leitai_games::all().iter().filter(|card| card.name() != "go").nth(which).unwrap();
        let mut dialect = dialect;
        dialect.notation %= card.facts().pgn.notations.len().max(1);
        // A single sign or letter of Chinese encodings between western ones is read as western.
        if matches!(letters, Letters::Gb18030 | Letters::Big5) {
            prop_assume!(name != "Müller");
            if matches!(dialect.result, ResultForm::EnDash) {
                dialect.result = ResultForm::Plain;
            }
        }
        // A file without tags has one game.
        let most = if dialect.has_tags { seeds.len() } else { 1 };
        let games = seeds.iter().take(most).map(|&(seed, from, plies)| {
            played(card, seed, if dialect.has_tags { from } else { 0 }, plies)
        });
        let games: Vec<Played> = games.filter(|game| !game.moves.is_empty()).collect();
        prop_assume!(!games.is_empty());
        let texts = games.iter().map(|game| dialect.write(game, "an event", name));
        let text = texts.collect::<String>() + end;
        let text = text.replace('\n', line_end);
        let Some(bytes) = encoded(&text, letters) else {
            return Ok(());
        };
        let read = read(&packed(&bytes, packing), card, 2);
        prop_assert_eq!(read.len(), games.len(), "{}", text);
        for (read, game) in read.iter().zip(&games) {
            let read = read.as_ref().map_err(|damage| {
                TestCaseError::fail(format!("{damage}\n{text}"))
            })?;
            prop_assert!(read.play.start() == &*game.start, "{}", text);
            prop_assert_eq!(read.play.moves(), game.moves.clone(), "{}", text);
            prop_assert_eq!(read.points.map(|it| if read.tags.sides().1 { it } else { 2 - it }), Some(game.points), "{}", text);
            if dialect.has_tags {
                let first = card.facts().pgn.players[0];
                prop_assert_eq!(read.tags.get(first), Some(name), "{}", text);
            }
            for (place, score) in game.scores.iter().enumerate() {
                prop_assert_eq!(score_of(read, place), *score, "ply {} of {}", place, text);
            }
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let card = leitai_games::chess::card();
    let dialect = Dialect {
        numbers: Numbers::Spaced,
        result: ResultForm::Plain,
        scores: ScoreForm::Cutechess,
        has_tags: true,
        remarks: false,
        variations: true,
        notation: 0,
    };
    let games = (0..3_000).map(|seed| dialect.write(&played(card, seed, 0, 60), "x", "A"));
    let mut text: String = games.collect();
    // Damage of every kind at places that blocks do not begin with.
    for (from, to) in [("[Event", "{open [Event"), ("\n\n1. ", "\n\n(1. ")] {
        for nth in [100, 700, 2_500] {
            let place = text.match_indices(from).nth(nth).unwrap().0;
            text.replace_range(place..place + from.len(), to);
        }
    }
    let told = |threads| -> Vec<String> {
        let games = read(text.as_bytes(), card, threads).into_iter();
        let told = games.map(|game| match game {
            Ok(game) => format!("{} {:?}", game.line, game.play.moves()),
            Err(damage) => damage.problem.raw().to_owned(),
        });
        told.collect()
    };
    let one = told(1);
    assert!(one.len() > 2_900, "{}", one.len());
    for threads in [2, 3, 7] {
        assert_eq!(told(threads), one, "{threads} threads");
    }
}

#[test]
fn the_games_before_an_error_are_the_same_with_any_number_of_threads() {
    let games = leitai_games::all();
    let text: String = (0..30_000)
        .map(|_| "[Event \"x\"]\n\n1. e4 e5 *\n\n")
        .collect();
    let packed = packed(text.as_bytes(), Packing::Gzip);
    let damaged = &packed[..packed.len() * 9 / 10];
    let read = |threads: usize| {
        let Ok(Source::Text(lines)) = open(damaged, "x.pgn", &games) else {
            panic!("text is expected");
        };
        let threads = NonZeroUsize::new(threads).expect("written");
        let mut count = 0;
        let read = PgnReader::new(lines, &games).read(
            threads,
            |_| (),
            |_, ()| {
                count += 1;
                Ok::<_, TextError>(())
            },
        );
        (count, read.unwrap_err().to_string())
    };
    let one = read(1);
    assert!(one.0 > 10_000, "{one:?}");
    for threads in [2, 3, 7] {
        assert_eq!(read(threads), one, "{threads} threads");
    }
}
