//! Games of other programs: all forms and kinds of damage, and the round trip of Leitai's own
//! output.

use std::io::{BufReader, Read};

use encoding_rs::GB18030;
use leitai_game::card::{Card, Game as PlayedGame, GameChoice, typed};
use leitai_game::{Cause, Line, Move, Position, Side, Verdict, legal_moves};
use leitai_games::othello::Othello;
use leitai_games::xiangqi::Xiangqi;
use leitai_interchange::pgn::{Game, PgnReader, RawGame};
use leitai_interchange::pgn::{PgnEnding, PgnPlayer, PgnTags, WrittenGame};
use leitai_interchange::positions::EpdPosition;
use leitai_interchange::{Content, Damage, Lines};
use proptest::prelude::*;

/// The results of `make` for all games in the bytes, and the messages about them.
fn raw_games<T: Send>(
    bytes: &[u8],
    make: impl Fn(&RawGame<'_>) -> T + Sync,
) -> (Vec<T>, Vec<String>) {
    let mut reader = PgnReader::new(Lines::new(bytes, "x.pgn"), &leitai_games::all());
    let games = reader.all(make).expect("readable");
    (games, reader.notes())
}

fn games_of<P: PlayedGame>(bytes: &[u8]) -> Vec<Result<Game, Damage>> {
    raw_games(bytes, |raw| Game::read(raw, "x.pgn", &usual::<P>())).0
}

/// The games, each with its moves in coordinates or its error.
fn games(bytes: impl AsRef<[u8]>) -> Vec<Result<String, String>> {
    let read = games_of::<Xiangqi>(bytes.as_ref()).into_iter().map(|game| {
        game.map(|game| told(&game))
            .map_err(|damage| damage.to_string())
    });
    read.collect()
}

fn usual<P: PlayedGame>() -> GameChoice {
    GameChoice::usual(Card::<P>::get())
}

fn told(game: &Game) -> String {
    let card = game.play.position().card();
    let moves = game.play.moves().into_iter();
    let moves: Vec<_> = moves.map(|mv| card.move_text(mv)).collect();
    moves.join(" ")
}

fn one(text: &str) -> Game {
    let read = games_of::<Xiangqi>(text.as_bytes()).remove(0);
    read.unwrap_or_else(|damage| panic!("{damage}"))
}

#[test]
fn notations_and_dresses_may_be_mixed_move_by_move() {
    let moves = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 g3g4 c6c5";
    for text in [
        "1. C2=5 H8+7 2. H2+3 R9=8 3. R1=2 H2+3 4. P3+1 P3+1",
        "1.炮二平五 马８进７ 2.马二进三 车９平８ 3.车一平二 马２进３ 4.兵三进一 卒３进１ *",
        "1. 炮二平五　馬8進7\n2. 傌二進三　車9平8\n3. 俥一平二　馬2進3\n4. 兵三進一　卒3進1",
        "H2-E2 h9g7 N2+3 车9平8 c0 R1=2",
        "１．H2-E2 H9-G7 ２．H0-G2 I9-H9 3、I0-H0 B9-C7 4...G3-G4 C6-C5 1/2-1/2",
        "1. h2e2! {a} h9g7 (1... h7e7 2. h0g2 (2. b0c2) h9g7) 2. h0g2 $1 i9h9?! ; x\n\
         3. i0h0 ... b9c7 4.g3g4 ± c6c5!! 1-0",
        "[Format \"WXF\"]\n\n1. H2-E2, H9-G7, 2. H2+3, 车９平８ 3. i0h0 b9c7 4. g3g4 c6c5 0-1",
        "[Event \"a \\\"b\\\" \\\\\"]\r\n\r\n1. h2e2 h9g7\r\n% no\r\n2. h0g2 i9h9 3. i0h0 b9c7\r\n\
         4. g3g4 c6c5",
    ] {
        let read = games(text);
        match &read[..] {
            [Ok(read)] => {
                let whole = !text.contains("c0 R1=2");
                assert!(!whole || read == moves, "{text}: {read}");
            }
            // The error names the word that is not a move.
            [Err(error)] => {
                assert!(
                    error.starts_with("x.pgn, line 1, game 1, ply 5: `c0`"),
                    "{error}"
                );
                assert!(error.contains("help: red is to move at"), "{error}");
            }
            other => panic!("{text}: {other:?}"),
        }
        let (bytes, _, lost) = GB18030.encode(text);
        assert!(!lost);
        assert_eq!(games(&bytes), read, "in GB18030: {text}");
        let marked = format!("\u{feff}{text}");
        assert_eq!(games(marked), read, "with a byte order mark");
    }
}

#[test]
fn tags_in_gb18030_are_read() {
    let text = "[Game \"Chinese Chess\"]\n[Event \"全国象棋个人赛\"]\n[Red \"许银川\"]\n\
                [Black \"吕钦\"]\n[Result \"1-0\"]\n\n1. 炮二平五 1-0\n";
    let (bytes, _, _) = GB18030.encode(text);
    let (tags, notes) = raw_games(&bytes, |raw| raw.tags.clone());
    assert_eq!(tags[0].players(), Some(["许银川", "吕钦"]));
    assert_eq!(tags[0].get("event"), Some("全国象棋个人赛"));
    assert_eq!(
        notes,
        ["x.pgn: 4 lines are not UTF-8 and were read as GB18030"]
    );
}

#[test]
fn starts_of_both_letter_schools() {
    for fen in [
        "3k5/9/9/9/9/2E6/9/9/9/4K1H2 r",
        "3k5/9/9/9/9/2B6/9/9/9/4K1N2 w - - 0 1",
        "3k5/9/9/9/9/2e6/9/9/9/4K1H2 w",
    ] {
        let text = format!("[FEN \"{fen}\"]\n\n1. N3+2 *");
        let read = games(&text);
        if fen.contains("2e6") {
            let error = read[0].as_ref().unwrap_err();
            assert!(
                error.contains("line 1, game 1: the FEN is not a position"),
                "{error}"
            );
            assert!(
                error.contains("black elephant cannot stand on c4"),
                "{error}"
            );
        } else {
            assert_eq!(read, [Ok("g0h2".to_owned())], "{fen}");
        }
    }
    // Black moves first, as the move numbers show.
    let text = "[FEN \"3k5/9/9/9/9/9/9/4p4/9/5K3 b\"]\n\n1. ... 卒５平４ 2. 帅四进一 *";
    assert_eq!(games(text), [Ok("e2d2 f0f1".to_owned())]);
}

#[test]
fn damage_is_reported_with_its_position_and_the_rest_is_read() {
    let text = "[Event \"one\"]\n\n1. h2e2 *\n\n\
                [Event \"two\"]\n\n1. h2e2 h9g7\n2. e2e8 *\n\n\
                [Event \"three\"]\n\n1. h2e2 h9g7 *\n\n\
                [Event \"four\"]\n\n1. h2e2 {open\n\n\
                [Event \"five\"]\n\n1. C2=5 (H8+7\n\n\
                [Event \"six\"]\n\n1. C2=5 e55 2. Nf3 *\n\n\
                [Event \"seven\"]\n[FEN \"3k5/9/9/2P3P2/2P3P2/9/9/9/9/4K4 w\"]\n\n1. 前兵进一 *\n\n\
                [Event \"eight\"]\n\n1. h3e3 h9g7 *\n\n\
                [Event \"nine\"]\n\n1. i0i1 *\n";
    let read = games(text);
    let expected = [
        Ok("h2e2"),
        Err("x.pgn, line 8, game 2, ply 3: `e2e8` is not legal here"),
        Ok("h2e2 h9g7"),
        Err("x.pgn, line 14, game 4: a comment, opened by `{`, is never closed"),
        Err("x.pgn, line 18, game 5: a variation, opened by `(`, is never closed"),
        Err("x.pgn, line 24, game 6, ply 2: `e55` is a move in no notation of Xiangqi"),
        Err("x.pgn, line 29, game 7, ply 1: `前兵进一` fits several legal moves"),
        Err("x.pgn, line 33, game 8, ply 1: `h3e3` is not legal here"),
        Ok("i0i1"),
    ];
    assert_eq!(read.len(), expected.len());
    for (read, expected) in read.iter().zip(expected) {
        match (read, expected) {
            (Ok(read), Ok(expected)) => assert_eq!(read, expected),
            (Err(read), Err(expected)) => assert!(read.starts_with(expected), "{read}"),
            other => panic!("{other:?}"),
        }
    }
    let help = |game: usize| read[game].as_ref().unwrap_err();
    assert!(help(1).contains("`e2e6`"), "{}", help(1));
    assert!(help(6).contains("it could be"), "{}", help(6));
    assert!(
        help(7).contains("counted from rank 1 it would be `h2e2`"),
        "{}",
        help(7)
    );
}

#[test]
fn the_referee_has_its_own_opinion() {
    let mate =
        "[FEN \"3k5/9/9/9/9/9/9/1R7/R8/5K3 w\"]\n[Result \"RESULT\"]\n\n1. b2b8 d9e9 2. a1a9 *";
    let won = one(&mate.replace("RESULT", "1-0"));
    let verdict = Verdict::win(Side::First, Cause::Checkmate);
    assert_eq!(won.verdict, Some((3, verdict)));
    assert_eq!(
        (won.points, won.agrees(), won.played_on()),
        (Some(2), Some(true), 0)
    );
    let lost = one(&mate.replace("RESULT", "0-1"));
    assert_eq!((lost.points, lost.agrees()), (Some(0), Some(false)));
    let open = one(&mate.replace("RESULT", "*"));
    assert_eq!((open.points, open.agrees()), (None, None));
    let resigned = one("[Result \"1-0\"]\n\n1. h2e2 1-0");
    assert_eq!((resigned.verdict, resigned.agrees()), (None, None));
    // A threefold repetition, after which the game continues.
    let again = "1. h0g2 h9g7 2. g2h0 g7h9 3. h0g2 h9g7 4. g2h0 g7h9 5. h2e2 1/2-1/2";
    let again = one(again);
    assert_eq!(again.verdict, Some((8, Verdict::draw(Cause::Repetition))));
    assert_eq!((again.agrees(), again.played_on()), (Some(true), 1));
}

#[test]
fn othello_is_read_with_passes_or_without() {
    let text = "[Game \"Othello\"]\n[White \"w\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n\
                1. f5 d6 2. c3d3c4 *";
    let game = games_of::<Othello>(text.as_bytes()).remove(0).unwrap();
    assert_eq!(game.tags.players(), Some(["b", "w"]), "black moves first");
    assert_eq!(told(&game), "f5 d6 c3 d3 c4");
    assert_eq!(
        game.points,
        Some(0),
        "the player whose tag comes first won: white"
    );
}

/// Moves determined by the number alone.
fn wander<P: Position>(start: &P, mut number: u64, plies: usize) -> Vec<Move> {
    let mut line = Line::new(start.clone());
    for _ in 0..plies {
        let moves = legal_moves(line.position());
        if moves.is_empty() {
            break;
        }
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        line.play(moves[(number >> 33) as usize % moves.len()]);
    }
    line.moves().collect()
}

/// A start with many pawns on few files.
const STACKS: &str = "3k5/9/2P3P2/2P3P2/2P6/9/2p3p2/2p3p2/9/4KC2C w";

fn write<P: PlayedGame>(start: &P, moves: &[Move], name: &str, notation: usize) -> String {
    let player = PgnPlayer {
        name: Some(name),
        ..PgnPlayer::default()
    };
    let game = WrittenGame {
        tags: PgnTags {
            event: Some(name),
            players: [player, player],
            extra: &[("Annotator", name)],
            ..PgnTags::default()
        },
        start,
        moves,
        searched: &[],
        ending: PgnEnding {
            points: Some(1),
            termination: Some("adjudication"),
        },
        notation,
    };
    game.to_string()
}

fn assert_comes_back<P: PlayedGame>(
    start: &P,
    moves: &[Move],
    name: &str,
    notation: usize,
) -> Result<(), TestCaseError> {
    let text = write(start, moves, name, notation);
    let twice = format!("{text}\n{text}");
    let chinese = GB18030.encode(&twice).0;
    for bytes in [text.as_bytes(), twice.as_bytes(), chinese.as_ref()] {
        let games = games_of::<P>(bytes);
        prop_assert_eq!(games.len(), if bytes.len() == text.len() { 1 } else { 2 });
        for game in games {
            let game = game.map_err(|damage| TestCaseError::fail(format!("{damage}\n{text}")))?;
            prop_assert_eq!(typed::<P>(game.play.start()), Some(start));
            prop_assert_eq!(game.play.moves(), moves);
            prop_assert_eq!(game.points, Some(1));
            if bytes != chinese.as_ref() {
                // One Chinese character between western ones is read as western.
                prop_assert_eq!(game.tags.get("Annotator"), Some(name.trim()));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_game_that_we_write_comes_back(
        number: u64,
        plies in 0_usize..120,
        from in 0_usize..40,
        name in r#"[a-zA-Z0-9 "\\\[\]{};%帅王()-]{0,20}"#,
    ) {
        for start in [Xiangqi::initial(), Xiangqi::from_fen(STACKS).unwrap()] {
            let mut start = start;
            for mv in wander(&start.clone(), number ^ 0x4d, from) {
                start.make(mv);
            }
            // A long line may have reached the move limit.
            prop_assume!(Xiangqi::from_fen(&start.to_fen()).is_ok());
            let moves = wander(&start, number, plies);
            for notation in 0..Xiangqi::FACTS.pgn.notations.len() {
                assert_comes_back(&start, &moves, &name, notation)?;
            }
        }
        let start = Othello::initial();
        assert_comes_back(&start, &wander(&start, number, plies), &name, 0)?;
    }
}

/// Reads any bytes in every possible format.
fn read_all(bytes: &[u8]) {
    raw_games(bytes, |raw| {
        let _ = raw.tags.players();
        if let Ok(game) = Game::read(raw, "x", &usual::<Xiangqi>()) {
            let _ = (game.agrees(), game.played_on());
        }
        let _ = Game::read(raw, "x", &usual::<Othello>());
    });
    let mut lines = Lines::new(bytes, "x");
    let _ = lines.content(&leitai_games::all());
    while let Ok(Some((number, line))) = lines.next_line() {
        let _ = EpdPosition::read(leitai_games::xiangqi::card(), &line, number, "x");
        let _ = EpdPosition::read(leitai_games::othello::card(), &line, number, "x");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        // UTF-16 is refused as a whole.
        prop_assume!(!bytes.starts_with(&[0xFF, 0xFE]) && !bytes.starts_with(&[0xFE, 0xFF]));
        read_all(&bytes);
    }

    #[test]
    fn crumbs_of_games_are_read_or_refused(
        crumbs in prop::collection::vec(prop::sample::select(vec![
            "[", "]", "[FEN \"", "[Result \"1-0\"]", "[Game \"Othello\"]", "\"", "\n", "\r", "\n\n",
            "{", "}", "(", ")", ";", "%", "1.", "...", "$3", "!?", "1-0", "*", "½-½", "\\", " ",
            "h2e2", "H2-E2", "h9g7", "C2=5", "+C=3", "15+1", "H8+7", "炮二平五", "马８进７", "前兵进一",
            "f5", "d6", "--", "h10g8", "h3e3", "é", "\u{feff}",
            "3k5/9/9/9/9/9/9/4p4/9/5K3 b", "- -", "bm", "pv", "ce", "hmvc",
        ]), 0..60),
    ) {
        read_all(crumbs.concat().as_bytes());
    }
}

/// Endlessly repeated bytes, in lines.
fn endless(line: &'static str, bytes: usize) -> impl Read {
    let text = std::iter::repeat_n(line, bytes / line.len()).collect::<String>();
    std::io::Cursor::new(text)
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn malice_costs_no_more_time_than_text() {
    for line in [
        "(",
        "{",
        "[a \"",
        "[",
        "h2e2 ",
        "h0g2 h9g7 g2h0 g7h9 ",
        "((\n",
        "{\n\n",
        "1-0 ",
        "\"",
        "[Event \"x\"]\n",
        "[x \"\\\"",
        "炮",
        "前兵进一 ",
        "1.1.1.",
        "* *",
    ] {
        let started = std::time::Instant::now();
        let reader = BufReader::new(endless(line, (1 << 20) - 16));
        let mut reader = PgnReader::new(Lines::new(reader, "x"), &leitai_games::all());
        let _ = reader.all(|raw| Game::read(raw, "x", &usual::<Xiangqi>()).is_ok());
        assert!(
            started.elapsed().as_secs() < 10,
            "`{line}`: {:?}",
            started.elapsed()
        );
    }
}

#[test]
fn a_file_is_known_by_its_first_line() {
    let content = |text: &str| {
        Lines::new(text.as_bytes(), "x")
            .content(&leitai_games::all())
            .unwrap()
    };
    assert_eq!(content(&Xiangqi::initial().to_fen()), Content::Positions);
    assert_eq!(content(&Othello::initial().to_fen()), Content::Positions);
    assert_eq!(
        content(&write(&Othello::initial(), &[], "x", 0)),
        Content::Games
    );
}
