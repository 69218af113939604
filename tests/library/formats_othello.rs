//! GGF, transcripts and OBF: reading, damage and round trips.

use leitai_game::card::Rules;
use leitai_game::{Cause, Move, MoveList, Position, Side};
use leitai_games::othello::ggf::{GgfReader, read_ggf};
use leitai_games::othello::{Othello, OthelloRules, PASS, TranscriptReader, forms, records};
use leitai_interchange::pgn::{Game, Tags};
use leitai_interchange::positions::EpdPosition;
use leitai_interchange::{Content, Damage, GameReader as _, Lines};
use proptest::prelude::*;

/// The usual rules.
fn rules() -> Rules {
    Rules::of(&OthelloRules::default())
}

type Read = Result<Game, Damage>;

fn ggf(text: &str) -> Vec<Read> {
    let mut reader = GgfReader::new(Lines::new(text.as_bytes(), "x.ggf"));
    let next = || reader.next_game().expect("text");
    std::iter::from_fn(next)
        .map(|raw| read_ggf(&raw, "x.ggf", rules()))
        .collect()
}

fn transcripts(text: &str) -> Vec<Read> {
    let mut reader = TranscriptReader::new(Lines::new(text.as_bytes(), "x.txt"));
    let next = || reader.next_game(rules()).expect("text is read");
    std::iter::from_fn(next).collect()
}

fn one(games: Vec<Read>) -> Game {
    let [game]: [Read; 1] = games.try_into().expect("one game");
    game.unwrap_or_else(|damage| panic!("{damage}"))
}

fn moves(game: &Game) -> String {
    game.play
        .moves()
        .into_iter()
        .map(Othello::move_text)
        .collect()
}

fn damages(games: Vec<Read>) -> Vec<String> {
    let damages = games.into_iter().filter_map(Result::err);
    damages.map(|damage| damage.to_string()).collect()
}

const BOARD: &str = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";

/// A game as the server writes it, with times, evaluations and ratings.
const SERVED: &str = "(;GM[Othello]PC[GGS/os]DT[2010.10.17_05:23:05.MDT]PB[one]PW[two]RB[2082.33]\
    RW[1669.67]TI[10:00//02:00]TY[8]RE[-40.00:r]";

#[test]
fn a_game_of_the_server_is_read_with_its_tags() {
    let game = one(ggf(&format!(
        "1 {SERVED}BO[{BOARD}]B[D3//3.95]W[c5/-18.40/0.10]B[E6/1.5]W[d2];)"
    )));
    assert_eq!(moves(&game), "d3c5e6d2");
    assert_eq!((game.points, game.verdict), (Some(0), None));
    for (tag, value) in [
        ("Black", "one"),
        ("White", "two"),
        ("BlackElo", "2082.33"),
        ("Date", "2010.10.17"),
        ("Time", "05:23:05.MDT"),
        ("Site", "GGS/os"),
        ("Score", "-40.00:r"),
        ("Termination", "resignation"),
        ("Result", "0-1"),
    ] {
        assert_eq!(game.tags.get(tag), Some(value), "{tag}");
    }
}

#[test]
fn joined_games_komi_and_properties_of_others_are_read() {
    let text = format!(
        "2 (;GM[Othello]PB[a]PW[b]TY[s8r18k]KM[-3.5]KB[2.0/1.0]XX[what]BO[{BOARD}]B[F5];)\
         (;GM[Othello]PB[b]PW[a]RE[+0.000]BO[{BOARD}]\nB[F5]\n W[D6] ;)\n\
         some words of a log\n(;GM[othello]B[C4]W[PA];)\n(;PB[nobody];)"
    );
    let mut games = ggf(&text);
    assert_eq!(games.len(), 4);
    let bare = games.pop().expect("a game").expect("no moves are a game");
    assert_eq!((bare.play.len(), bare.number), (0, 4));
    let damage = games.pop().expect("a game").expect_err("a pass");
    let told = damage.to_string();
    assert!(
        told.contains("x.ggf, line 5, game 3, ply 2: white has moves and may not pass: `PA`"),
        "{told}"
    );
    let second = games.pop().expect("a game").expect("a game");
    assert_eq!((moves(&second).as_str(), second.points), ("f5d6", Some(1)));
    let first = games.pop().expect("a game").expect("a game");
    assert_eq!((moves(&first).as_str(), first.points), ("f5", None));
    assert_eq!(first.tags.get("Komi"), Some("-3.5"));
    assert_eq!(first.tags.get("GGFXX"), Some("what"));
}

#[test]
fn passes_of_ggf_are_written_or_implied() {
    // Black must pass; then f1 ends the game.
    let start = "8 ------*O -------- -------- -------- -------- -------- -------- -------- *";
    let white = start.replace('*', "x").replace('O', "*").replace('x', "O");
    for (start, text) in [
        (start, "B[PA]W[F1]"),
        (start, "B[pass/0.1/2]W[f1]"),
        (start, "W[F1]"),
        (white.as_str(), "W[PA]B[F1]"),
    ] {
        let game = one(ggf(&format!("(;GM[Othello]BO[{start}]{text};)")));
        let played: Vec<Move> = game.play.moves();
        assert_eq!(played, [PASS, Move(5)], "{text}");
        let (_, verdict) = game.verdict.expect("the game is over");
        assert_eq!(verdict.cause, Cause::Counted);
        assert_eq!(game.margin().map(i32::abs), Some(64));
        assert_eq!(game.agrees(), Some(true), "the board's result counts");
    }
}

#[test]
fn damage_is_reported_with_its_position() {
    let text = format!(
        "(;GM[Amazons]PC[x];)\n(;GM[Othello]TY[8a];)\n(;GM[Othello]BO[10 ---];)\n\
         (;GM[Othello]BO[8 -- *];)\n(;GM[Othello]BO[{BOARD}]B[F5]\nB[D6];)\n\
         (;GM[Othello]B[F5]W[A1/1/2];)\n(;GM[Othello]B[F5D6];)\n(;GM[Othello]B[];)\n\
         (;GM[Othello]B[F5]\n(;GM[Othello]PB[a\n(;GM[Othello]B[F5]W[D9]"
    );
    insta::assert_snapshot!(damages(ggf(&text)).join("\n"), @r"
    x.ggf, line 1, game 1: it is a game of `Amazons`
      help: leitai reads GGF of Othello only
    x.ggf, line 2, game 2: `TY[8a]` is an anti game, where fewer discs win
      help: only the usual game is read
    x.ggf, line 3, game 3: `BO[10 ---]` is not a board of 8 x 8 squares
      help: it begins with `8`, then 64 squares of `*`, `O`, `-`, then the side to move
    x.ggf, line 4, game 4: the board is not a position: the board has 2 squares instead of 64
      help: it is `BO[8 -- *]`
    x.ggf, line 6, game 5, ply 2: `D6` is a move of black, and white is to move
      help: white is to move at ---------------------------OX------XXX-------------------------- O; legal (squares from a1 to h8): `d6`, `f6`, `f4`
    x.ggf, line 7, game 6, ply 2: white turns no disc there: `A1`
      help: white is to move at ---------------------------OX------XXX-------------------------- O; legal (squares from a1 to h8): `d6`, `f4`, `f6`
    x.ggf, line 8, game 7, ply 1: `F5D6` is not one move
      help: black is to move at ---------------------------OX------XO--------------------------- X; legal (squares from a1 to h8): `f5`, `d3`, `e6`, `c4`
    x.ggf, line 9, game 8, ply 1: `` is not one move
      help: black is to move at ---------------------------OX------XO--------------------------- X; legal (squares from a1 to h8): `c4`, `d3`, `e6`, `f5`
    x.ggf, line 10, game 9: another game begins before its `;)`
      help: correct the file: it is unclear which moves belong to the game
    x.ggf, line 11, game 10: a value is never closed by `]`
      help: correct the file: it is unclear which moves belong to the game
    x.ggf, line 12, game 11: the file ends before its `;)`
      help: correct the file: it is unclear which moves belong to the game
    ");
}

#[test]
fn transcripts_are_read_in_any_dress() {
    let text = "# a comment\n\n% another\nF5D6C3 d3\nf5 d6 c3 # behind\nf5d6c3,Tiger,+1.5\n\
                ------XO-------------------------------------------------------- X f1";
    let games = transcripts(text);
    let read: Vec<String> = games
        .into_iter()
        .map(|game| {
            let game = game.unwrap_or_else(|damage| panic!("{damage}"));
            format!("{} {} {}", game.number, game.line, moves(&game))
        })
        .collect();
    assert_eq!(
        read,
        ["1 4 f5d6c3d3", "2 5 f5d6c3", "3 6 f5d6c3", "4 7 passf1"]
    );
}

#[test]
fn faults_of_transcripts_are_reported_with_line_and_ply() {
    let over = "c4c5f6e3b5f4e2b6g5b4a5a6a4b3a2a3a7b2b1";
    let text = format!("f5d6\nf5a1\nf5d6 zz\nf5d6c9\nhello\n{over}h8h7\n---- X f5\n");
    insta::assert_snapshot!(damages(transcripts(&text)).join("\n"), @r"
    x.txt, line 2, game 2, ply 2: white turns no disc there: `a1`
      help: white is to move at ---------------------------OX------XXX-------------------------- O; legal (squares from a1 to h8): `d6`, `f4`, `f6`
    x.txt, line 4, game 4, ply 3: neither a square nor a pass: `c9`
      help: black is to move at ---------------------------OX------OXX-----O-------------------- X; legal (squares from a1 to h8): `c3`, `c4`, `c5`, `c6`, `c7`
    x.txt, line 5, game 5: `hello` does not begin with moves
      help: write squares from a1 to h8, such as `f5d6c3`; comments begin with `#`
    x.txt, line 6, game 6, ply 20: the game ended with ply 19, and 2 moves are left over: `h8`
      help: the game is over there: no move is legal
    x.txt, line 7, game 7: the board has 4 squares instead of 64
      help: correct the board: `----`
    ");
}

#[test]
fn a_file_is_known_by_its_first_line() {
    let content = |text: &str| {
        Lines::new(text.as_bytes(), "x")
            .content(&leitai_games::all())
            .expect("text")
    };
    let own = |place: usize| Content::Own(leitai_games::othello::card(), &forms::FORMATS[place]);
    let (ggf, transcripts) = (own(0), own(1));
    let board = "-".repeat(64);
    for (text, expected) in [
        ("f5d6c3".to_owned(), transcripts),
        ("# list\nD3 c3".to_owned(), transcripts),
        ("E6F4C3, 0.5".to_owned(), transcripts),
        (format!("{board} X f5d6"), transcripts),
        (format!("{board} X"), Content::Positions),
        (format!("{board} X; F5:+2;"), Content::Positions),
        (format!("{board} X; c1 \"x\";"), Content::Positions),
        ("(;GM[Othello]".to_owned(), ggf),
        ("2 (;GM[Othello]".to_owned(), ggf),
        ("c3c4 c6c5".to_owned(), Content::Games),
        ("1. f5 d6".to_owned(), Content::Games),
        ("f5 is a move".to_owned(), transcripts),
        ("(note) 1. h2e2".to_owned(), Content::Games),
    ] {
        assert_eq!(content(&text), expected, "{text}");
    }
}

#[test]
fn scores_of_obf_are_moves_and_numbers() {
    let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
    let read = |rest: &str| {
        EpdPosition::read(
            leitai_games::othello::card(),
            &format!("{board}; {rest}"),
            3,
            "x.obf",
        )
        .map(|position| position.scores)
        .map_err(|damage| damage.to_string())
    };
    let scores = read("H5:+6; G6:-2; F6: -4;").expect("scores");
    let expected = [(39, 6.0), (46, -2.0), (45, -4.0)];
    assert_eq!(
        scores,
        expected.map(|(square, score)| (Move(square), score))
    );
    for (rest, what) in [
        ("A1:+2;", "x.obf, line 3: `A1` is not legal here"),
        ("H5:much;", "the score `much` of `H5` is not a number"),
        ("H5:;", "the score `` of `H5` is not a number"),
        (":2;", "`` is not a move"),
    ] {
        let told = read(rest).expect_err(rest);
        assert!(told.contains(what), "{told}");
    }
}

/// A game of random moves from a random start.
fn random_game(choices: &[prop::sample::Index], skip: usize, names: [String; 2]) -> Game {
    let mut start = Othello::initial();
    let mut played = Vec::new();
    let mut here = start;
    for (index, choice) in choices.iter().enumerate() {
        let mut legal = MoveList::new();
        here.legal_moves(&mut legal);
        if legal.is_empty() {
            break;
        }
        if index == skip {
            start = here;
            played.clear();
        }
        let mv = legal[choice.index(legal.len())];
        here.make(mv);
        played.push(mv);
    }
    let mut tags = Tags::default();
    let [black, white] = names;
    for (tag, value) in [("Game", "othello"), ("Black", &black), ("White", &white)] {
        tags.push(tag, value);
    }
    tags.push("Date", "2026.11.22");
    let mut game = Game::new(&start, tags, rules());
    for mv in played {
        game.play(mv);
    }
    game.adopt_verdict();
    game
}

proptest! {
    #[test]
    fn written_games_come_back(
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..70),
        skip in 0usize..70,
        black in "[ -Z^-~]{0,12}",
    ) {
        let names = [black.clone(), "w].]".to_owned()];
        let game = random_game(&choices, skip, names);
        let text = records::ggf(&game).expect("a form of Othello");
        prop_assert!(!text.contains('\n'));
        let back = one(ggf(&text));
        prop_assert_eq!(back.play.start(), game.play.start());
        prop_assert_eq!(back.play.moves(), game.play.moves());
        prop_assert_eq!(back.points, game.points);
        prop_assert_eq!(back.tags.get("Date"), Some("2026.11.22"));
        prop_assert_eq!(back.tags.get("White"), Some("w).)"));
        if game.tags.known("Black").is_some() {
            prop_assert_eq!(back.tags.get("Black"), game.tags.get("Black"));
        }
        prop_assert_eq!(records::ggf(&back), Some(text));

        let text = records::transcript(&game).expect("a form of Othello");
        if text.is_empty() {
            return Ok(());
        }
        let back = one(transcripts(&text));
        let length = back.play.len();
        prop_assert!(length >= game.play.len());
        let tail = &back.play.moves()[length - game.play.len()..];
        prop_assert_eq!(tail, game.play.moves());
        prop_assert_eq!(back.play.position(), game.play.position());
        prop_assert_eq!(back.margin(), game.margin());
        let over = game.margin().is_some();
        prop_assert_eq!(over, game.play.position().count_legal_moves() == 0);
        if let Some(margin) = game.margin() {
            let verdict = game.play.position().verdict_without_moves();
            prop_assert_eq!(margin > 0, verdict.winner == Some(Side::First));
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(
        text in "(\\(;|;\\)|[A-Z]{1,2}\\[|[a-h][1-8]|8 |\\]|[-*OX]{8}|:\\+2|;|#|\\PC|\n){0,60}",
    ) {
        let _ = ggf(&text);
        let _ = transcripts(&text);
        let _ = EpdPosition::read(leitai_games::othello::card(), &text, 1, "x");
        let _ = Lines::new(text.as_bytes(), "x").content(&leitai_games::all());
    }
}
