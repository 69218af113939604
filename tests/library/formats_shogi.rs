//! KIF and CSA: reading, damage and round trips.

use leitai_game::card::Rules;
use leitai_game::{Line, Position, Side, legal_moves};
use leitai_games::shogi::records::TEXT_FORMATS;
use leitai_games::shogi::{Shogi, ShogiRules, card};
use leitai_interchange::pgn::{Game, Tags, pgn_text};
use leitai_interchange::{Damage, Lines, OwnFormat};

/// The formats: KIF, then CSA.
fn formats() -> [OwnFormat; 2] {
    TEXT_FORMATS.map(|format| OwnFormat::of_text(format, card()))
}

type Read = Result<Game, Damage>;

fn read(format: &OwnFormat, text: &str) -> Vec<Read> {
    let rules = Rules::of(&ShogiRules::default());
    let mut reader = format.reader.of_text(Lines::of_text(text.to_owned(), "x"));
    let next = || reader.next_game(rules).expect("text");
    std::iter::from_fn(next).collect()
}

fn one(format: &OwnFormat, text: &str) -> Game {
    let [game]: [Read; 1] = read(format, text).try_into().expect("one game");
    game.unwrap_or_else(|damage| panic!("{damage}"))
}

fn moves(game: &Game) -> String {
    let moves = game.play.moves().into_iter().map(Shogi::move_text);
    moves.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_game_in_kif_is_read_with_its_headers_and_result() {
    let text = "# ---- Kifu for Windows ----\n開始日時：2024/01/02 10:00:00\n棋戦：練習\n手合割：平手\n\
        先手：甲\n後手：乙\n手数----指手---------消費時間--\n\
        1 ７六歩(77)   ( 0:01/00:00:01)\n*a comment\n   2 ３四歩(33)   ( 0:02/00:00:02)\n\
        3 ２二角成(88)\n   4 同　銀(31)\n   5 ４五角打\n   6 投了\nまで5手で先手の勝ち\n\n変化：2手\n   2 ８四歩(83)\n";
    let game = one(&formats()[0], text);
    assert_eq!(moves(&game), "7g7f 3c3d 8h2b+ 3a2b B*4e");
    assert_eq!(game.points, Some(2));
    for (tag, value) in [
        ("Black", "甲"),
        ("White", "乙"),
        ("Date", "2024.01.02"),
        ("Event", "練習"),
    ] {
        assert_eq!(game.tags.get(tag), Some(value), "{tag}");
    }
}

#[test]
fn a_handicap_and_a_drawn_board_are_starts() {
    let text =
        "手合割：二枚落ち\n上手：甲\n手数----指手---------消費時間--\n1 ６二銀(71)\n2 投了\n";
    let game = one(&formats()[0], text);
    let start = game.play.start().to_fen();
    assert_eq!(
        start,
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    );
    // Black was to move and resigned.
    assert_eq!(game.points, Some(0));
    let text = "手合割：その他\n後手の持駒：飛　歩十二\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n\
        +---------------------------+\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n\
        | ・ ・ ・ ・ 金 ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n\
        | ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n+---------------------------+\n先手の持駒：金\n\
        手数----指手---------消費時間--\n1 ５二金打\n";
    let game = one(&formats()[0], text);
    assert_eq!(
        game.play.start().to_fen(),
        "4k4/9/4G4/9/9/9/9/9/4K4 b Gr12p 1"
    );
    assert_eq!(moves(&game), "G*5b");
    assert!(game.verdict.is_some(), "mate");
}

#[test]
fn games_in_csa_are_read_one_after_the_other() {
    let text = "V2.2\nN+a\nN-b\n$EVENT:cup\nPI\n+\n+7776FU,T3\n-3334FU\n+8822UM\nT5\n-3122GI\n%TORYO\n/\n\
        'the second\nPI82HI22KA\n-\n-5142OU\n%SENNICHITE\n/\nP1 *  *  *  * -OU *  *  *  * \n\
        P+59OU00KI\nP-00AL\n+\n%CHUDAN\n";
    let games = read(&formats()[1], text);
    let games: Vec<Game> = games.into_iter().map(Result::unwrap).collect();
    let read: Vec<_> = games
        .iter()
        .map(|game| (moves(game), game.points))
        .collect();
    assert_eq!(read[0], ("7g7f 3c3d 8h2b+ 3a2b".to_owned(), Some(0)));
    assert_eq!(read[1], ("5a4b".to_owned(), Some(1)));
    assert_eq!(read[2], (String::new(), None));
    assert_eq!(
        games[2].play.start().to_fen(),
        "4k4/9/9/9/9/9/9/9/4K4 b G2r2b3g4s4n4l18p 1"
    );
}

#[test]
fn damage_is_named_with_its_line() {
    for (format, text, problem) in [
        (
            0,
            "手合割：平手\n手数----指手---------\n1 ７六歩(77)\n2 ７六歩(77)\n",
            "x, line 4, game 1, ply 2",
        ),
        (
            0,
            "手合割：五十枚落ち\n1 ７六歩(77)\n",
            "the handicap `五十枚落ち` is unknown",
        ),
        (
            0,
            "手合割：平手\n▲７六歩 △３四歩\n",
            "KI2, which is not read",
        ),
        (
            0,
            "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n",
            "the board has 1 ranks",
        ),
        (0, "| ・ ・ ・ ・v× ・ ・ ・ ・|一\n", "`×` is no piece"),
        (0, "先手の持駒：玉\n", "`玉` is no piece in hand"),
        (1, "V2.2\nP+55FU55KI\n+\n", "no line of a board"),
        (1, "V2.2\nPI\n+\n+7776KI\n", "x, line 4, game 1, ply 1"),
        (1, "V2.2\nP1-XX\n+\n", "`P1-XX` is no line of a board"),
        (1, "V2.2\nP+59OU\n+\n", "the board is not a position"),
    ] {
        let read = read(&formats()[format], text);
        let damages = read.into_iter().filter_map(Result::err);
        let damages: Vec<String> = damages.map(|damage| damage.to_string()).collect();
        assert!(
            damages.len() == 1 && damages[0].contains(problem),
            "{damages:?}"
        );
    }
}

/// Random games, from the usual start and from positions of other games.
#[test]
fn ten_thousand_plies_come_back() {
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % below
    };
    let (mut plies, mut number) = (0, 0);
    let mut start = Shogi::initial();
    while plies < 10_000 {
        let mut line = Line::new(start.clone());
        let mut game = Game::new(
            &*card().read(&start.to_fen()).unwrap(),
            Tags::of(card()),
            card().rules(),
        );
        for _ in 0..120 {
            let moves = legal_moves(line.position());
            if moves.is_empty() || line.verdict(ShogiRules::default()).is_some() {
                break;
            }
            let mv = moves[random(moves.len())];
            line.play(mv);
            game.play(mv);
        }
        plies += line.len();
        number += 1;
        let by_rules = game
            .verdict
            .map(|(_, verdict)| verdict.half_points(Side::First));
        game.points = by_rules.or([None, Some(0), Some(1), Some(2)][number % 4]);
        for format in &formats() {
            let text = format
                .write
                .and_then(|write| write.text(&game))
                .expect("a text");
            let again = one(format, &(text.clone() + "\n"));
            assert_eq!(moves(&again), moves(&game), "{text}");
            // The number of the next move is not part of the formats.
            let board = |game: &Game| {
                game.play
                    .start()
                    .to_fen()
                    .rsplit_once(' ')
                    .unwrap()
                    .0
                    .to_owned()
            };
            assert_eq!(board(&again), board(&game), "{text}");
            assert_eq!(again.points, game.points, "{text}");
        }
        let text = pgn_text(&game, 0);
        let again = leitai::pgn::read_all(text.as_bytes(), card()).expect("games");
        assert_eq!(again[0].moves.join(" "), moves(&game), "{text}");
        start = match number % 3 {
            0 => Shogi::initial(),
            _ if legal_moves(line.position()).is_empty() => Shogi::initial(),
            _ => line.position().clone(),
        };
    }
}

/// The player that is named first moves first, in our files and in those of programs with White first.
#[test]
fn names_stay_with_their_side() {
    let [kif, _] = formats();
    let text =
        "手合割：平手\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n1 ７六歩(77)\n2 投了\n";
    let game = one(&kif, text);
    for pgn in [
        pgn_text(&game, 0),
        "[White \"甲\"]\n[Black \"乙\"]\n[Game \"shogi\"]\n[Result \"1-0\"]\n\n1. 7g7f 1-0\n"
            .to_owned(),
    ] {
        let games = leitai::pgn::read_all(pgn.as_bytes(), card()).expect("a game");
        for (format, names) in TEXT_FORMATS
            .iter()
            .zip(["先手：甲\n後手：乙\n", "N+甲\nN-乙\n"])
        {
            let text = format
                .write
                .and_then(|write| write(&games[0]))
                .expect("a text");
            assert!(text.contains(names), "{pgn}\n{text}");
            assert!(!text.contains("??"), "{text}");
        }
    }
}

/// Files of other programs: their forms of moves, ends and statements.
#[test]
fn other_forms_of_records_are_read() {
    let head = "手合割：平手\n手数----指手---------\n";
    let first = "1 ７六歩(77)\n2 ３四歩(33)\n";
    let both = "7g7f 3c3d";
    for (text, moves_of, points) in [
        (
            format!("{head}{first}まで2手で後手の勝ち\n終了日時：2024/01/02\n"),
            both,
            Some(0),
        ),
        (format!("{head}{first}3 Time-up\n"), both, Some(0)),
        (format!("{head}{first}3 最大手数\n"), both, Some(1)),
        (
            format!("{head}{first}まで2手で千日手\n変化：1手\n1 ２六歩(27)\n"),
            both,
            Some(1),
        ),
        (
            format!(
                "{head}1 ７六歩(77)( 0:01/00:00:01)\n２ ３四歩(33)\n3 ２二角成(88)\n4 同 銀(31)\n"
            ),
            "7g7f 3c3d 8h2b+ 3a2b",
            None,
        ),
        (
            "手合割：角落ち\n下手：甲\n上手：乙\n1 ３四歩(33)\n2 投了\n".to_owned(),
            "3c3d",
            Some(0),
        ),
        (
            "手合割：平手\n後手番\n1 ３四歩(33)\n2 投了\n".to_owned(),
            "3c3d",
            Some(0),
        ),
    ] {
        let game = one(&formats()[0], &text);
        assert_eq!(
            (moves(&game).as_str(), game.points),
            (moves_of, points),
            "{text}"
        );
    }
    // A hand without blanks and with digits.
    let board = "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n".to_owned()
        + &"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(7)
        + "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n";
    let text = format!("手合割：その他\n後手の持駒：飛角二歩12\n先手の持駒：歩三\n{board}1 歩\n");
    let read = read(&formats()[0], &text.replace("1 歩\n", ""));
    let start = read[0].as_ref().unwrap().play.start().to_fen();
    assert_eq!(start, "4k4/9/9/9/9/9/9/9/4K4 b 3Pr2b12p 1");
}

#[test]
fn games_of_csa_need_no_line_between_them_and_keep_their_ends() {
    let text = "V2.2\nPI,+,+7776FU ,T3\n%TIME_UP\nV2.2\nPI\n+\n+2726FU\n%JISHOGI\n";
    let [kif, csa] = formats();
    let games: Vec<Game> = read(&csa, text).into_iter().map(Result::unwrap).collect();
    let results: Vec<_> = games.iter().map(|game| game.points).collect();
    assert_eq!(results, [Some(2), Some(1)]);
    for (game, [in_kif, in_csa]) in games
        .iter()
        .zip([["切れ負け", "%TIME_UP"], ["持将棋", "%JISHOGI"]])
    {
        for (format, end) in [(&kif, in_kif), (&csa, in_csa)] {
            let text = format
                .write
                .and_then(|write| write.text(game))
                .expect("a text");
            assert!(text.ends_with(end), "{text}");
        }
    }
}
