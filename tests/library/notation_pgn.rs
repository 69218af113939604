//! Games as PGN text: their appearance, and a simple reader that gets the same moves back.

use insta::assert_snapshot;
use leitai_game::card::Game;
use leitai_game::{Cause, Line, Move, Position, Side, Verdict, legal_moves};
use leitai_games::othello::{self, Othello};
use leitai_games::xiangqi::Xiangqi;
use leitai_interchange::pgn::{PgnEnding, PgnPlayer, PgnTags, WrittenGame};

fn play<P: Position>(start: &P, texts: &str) -> Vec<Move> {
    let mut line = Line::new(start.clone());
    for text in texts.split_whitespace() {
        line.play(line.position().parse_move(text).expect(text));
    }
    line.moves().collect()
}

const OPENING: &str = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 g3g4 c6c5 h0h6 b7a7 h6g6 a7a8 b0c2 a8g8 \
                       g6f6 g7h5";

fn opening_game<'a>(start: &'a Xiangqi, moves: &'a [Move], notation: &str) -> WrittenGame<'a> {
    WrittenGame {
        tags: PgnTags::default(),
        start,
        moves,
        searched: &[],
        ending: PgnEnding::default(),
        notation: Xiangqi::FACTS.pgn.notation(notation),
    }
}

#[test]
fn a_game_with_every_tag() {
    let start = Xiangqi::initial();
    let moves = play(&start, OPENING);
    let player = |name, team, elo| PgnPlayer {
        name: Some(name),
        team: Some(team),
        elo: Some(elo),
    };
    let verdict = Verdict::win(Side::Second, Cause::TimeForfeit);
    let game = WrittenGame {
        tags: PgnTags {
            event: Some("Gate \"seven\"\nnight"),
            round: Some("12.1"),
            date: Some("2024.05.01"),
            site: Some(r"C:\games"),
            players: [player("base", "A", 2100), player("wide", "B", -12)],
            opening_code: Some("C50"),
            opening: Some("中炮对屏风马"),
            variation: Some("红过河车"),
            extra: &[],
        },
        ending: (&verdict).into(),
        ..opening_game(&start, &moves, "iccs")
    };
    assert_snapshot!(game, @r#"
    [Game "Chinese Chess"]
    [Event "Gate \"seven\" night"]
    [Round "12.1"]
    [Date "2024.05.01"]
    [Site "C:\\games"]
    [RedTeam "A"]
    [Red "base"]
    [RedElo "2100"]
    [BlackTeam "B"]
    [Black "wide"]
    [BlackElo "-12"]
    [Result "0-1"]
    [ECCO "C50"]
    [Opening "中炮对屏风马"]
    [Variation "红过河车"]
    [Format "ICCS"]
    [Termination "time-forfeit"]
    [PlyCount "16"]

    1. H2-E2 H9-G7 2. H0-G2 I9-H9 3. I0-H0 B9-C7 4. G3-G4 C6-C5 5. H0-H6 B7-A7
    6. H6-G6 A7-A8 7. B0-C2 A8-G8 8. G6-F6 G7-H5 0-1
    "#);
}

#[test]
fn an_unknown_game_in_each_notation() {
    let start = Xiangqi::initial();
    let moves = play(&start, OPENING);
    assert_snapshot!(opening_game(&start, &moves, "chinese"), @r#"
    [Game "Chinese Chess"]
    [Event "?"]
    [Round "?"]
    [Date "????.??.??"]
    [Site "?"]
    [Red "?"]
    [Black "?"]
    [Result "*"]
    [Format "Chinese"]
    [PlyCount "16"]

    1. 炮二平五 马８进７ 2. 马二进三 车９平８ 3. 车一平二 马２进３ 4. 兵三进一
    卒３进１ 5. 车二进六 炮２平１ 6. 车二平三 炮１退１ 7. 马八进七 炮１平７
    8. 车三平四 马７进８ *
    "#);
    assert_snapshot!(movetext(&opening_game(&start, &moves, "wxf")), @"
    1. C2=5 H8+7 2. H2+3 R9=8 3. R1=2 H2+3 4. P3+1 P3+1 5. R2+6 C2=1 6. R2=3 C1-1
    7. H8+7 C1=7 8. R3=4 H7+8 *
    ");
    assert_snapshot!(movetext(&opening_game(&start, &moves, "uci")), @"
    1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 4. g3g4 c6c5 5. h0h6 b7a7 6. h6g6 a7a8
    7. b0c2 a8g8 8. g6f6 g7h5 *
    ");
}

#[test]
fn black_moves_first_from_a_set_up_position() {
    let start = Xiangqi::from_fen("3k5/9/9/9/9/9/9/4p4/9/5K3 b - - 3 40").unwrap();
    let moves = play(&start, "e2d2 f0f1 d2d1");
    let verdict = Verdict::draw(Cause::LengthAdjudication);
    let game = WrittenGame {
        ending: (&verdict).into(),
        ..opening_game(&start, &moves, "iccs")
    };
    assert_snapshot!(game, @r#"
    [Game "Chinese Chess"]
    [Event "?"]
    [Round "?"]
    [Date "????.??.??"]
    [Site "?"]
    [Red "?"]
    [Black "?"]
    [Result "1/2-1/2"]
    [FEN "3k5/9/9/9/9/9/9/4p4/9/5K3 b - - 3 40"]
    [Format "ICCS"]
    [Termination "length-adjudication"]
    [PlyCount "3"]

    40... E2-D2 41. F0-F1 D2-D1 1/2-1/2
    "#);
}

#[test]
fn a_game_without_moves_is_its_result() {
    let start = Xiangqi::initial();
    assert_eq!(movetext(&opening_game(&start, &[], "iccs")), "*");
}

#[test]
fn an_othello_game() {
    let start = Othello::initial();
    let line = othello::read_transcript(&start, "f5d6c3d3c4f4f6f3e6e7").unwrap();
    let moves: Vec<Move> = line.moves().collect();
    let verdict = Verdict::draw(Cause::Counted);
    let game = WrittenGame {
        tags: PgnTags::default(),
        start: &start,
        moves: &moves,
        searched: &[],
        ending: (&verdict).into(),
        notation: 0,
    };
    assert_snapshot!(game, @r#"
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [Black "?"]
    [White "?"]
    [Result "1/2-1/2"]
    [Game "Othello"]
    [Termination "counted"]
    [PlyCount "10"]

    1. f5 d6 2. c3 d3 3. c4 f4 4. f6 f3 5. e6 e7 1/2-1/2
    "#);
}

/// The text after the tags.
fn movetext(game: &WrittenGame<'_>) -> String {
    let text = game.to_string();
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('[') && !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// Reads PGN without knowledge of the writer: the `FEN` tag, then every word except numbers and
/// results as a move.
fn read<P: Position>(pgn: &str) -> (P, Vec<Move>) {
    let fen = pgn.lines().find_map(|line| line.strip_prefix("[FEN \""));
    let start = fen.map_or_else(P::initial, |rest| {
        P::from_fen(rest.trim_end_matches("\"]")).expect(rest)
    });
    let mut line = Line::new(start.clone());
    for word in pgn
        .lines()
        .filter(|line| !line.starts_with('['))
        .flat_map(str::split_whitespace)
        .filter(|word| !word.ends_with('.'))
        .take_while(|word| !["*", "1-0", "0-1", "1/2-1/2"].contains(word))
    {
        line.play(line.position().parse_move(word).expect(word));
    }
    (start, line.moves().collect())
}

/// Moves determined by the number alone.
fn wander<P: Position>(start: &P, mut number: usize, plies: usize) -> Vec<Move> {
    let mut line = Line::new(start.clone());
    for _ in 0..plies {
        let moves = legal_moves(line.position());
        if moves.is_empty() {
            break;
        }
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        line.play(moves[(number >> 33) % moves.len()]);
    }
    line.moves().collect()
}

fn assert_reads_back<P: Game>(start: &P, number: usize, notation: usize) {
    let moves = wander(start, number, 150);
    let verdict = Verdict::draw(Cause::MoveLimit);
    let game = WrittenGame {
        tags: PgnTags::default(),
        start,
        moves: &moves,
        searched: &[],
        ending: (&verdict).into(),
        notation,
    };
    let pgn = game.to_string();
    assert_eq!(read::<P>(&pgn), (start.clone(), moves), "{pgn}");
    for line in pgn.lines() {
        let wide = line.chars().filter(|letter| !letter.is_ascii()).count();
        assert!(
            line.starts_with('[') || line.chars().count() + wide <= 80,
            "{line}"
        );
    }
}

#[test]
fn a_simple_reader_gets_the_same_moves_back() {
    for number in 0..10 {
        let mut start = Xiangqi::initial();
        for mv in wander(&start, number + 100, number) {
            start.make(mv);
        }
        for notation in 0..Xiangqi::FACTS.pgn.notations.len() {
            assert_reads_back(&start, number, notation);
        }
        assert_reads_back(&Othello::initial(), number, 0);
    }
}
