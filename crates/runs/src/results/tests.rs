use std::num::NonZeroUsize;

use proptest::prelude::*;

use super::*;
use leitai_games as games;
use leitai_interchange::Lines;
use leitai_stats::Cluster;

fn add_pgn(text: &[u8], name: &str, results: &mut Results) -> super::Result<()> {
    read_pgn(
        Lines::new(text, name),
        &games::all(),
        NonZeroUsize::MIN,
        results,
    )
}

fn add_table(text: &[u8], name: &str, results: &mut Results) -> super::Result<()> {
    read_table(Lines::new(text, name), results)
}

fn pgn(text: impl AsRef<[u8]>) -> Results {
    let mut results = Results::default();
    add_pgn(text.as_ref(), "games.pgn", &mut results).expect("games");
    results
}

fn table(text: impl AsRef<[u8]>) -> Result<Results, String> {
    let mut results = Results::default();
    let read = add_table(text.as_ref(), "table.csv", &mut results);
    read.map(|()| results).map_err(|error| error.to_string())
}

/// Players, first mover first, and half points of the first.
fn told(results: &Results) -> Vec<(&str, &str, u8)> {
    let name = |number: u32| results.players.all()[number as usize].as_str();
    let games = results.games.iter();
    games
        .map(|game| (name(game.first), name(game.second), game.half_points))
        .collect()
}

#[test]
fn plain_games() {
    let results = pgn(r#"[Event "x"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Nf3 {a comment} 1-0

[White "B"]
[Black "A"]
[Result "1/2-1/2"]

1. d4 1/2-1/2
[White "A"]
[Black "C"]
[Result "*"]

*
"#);
    assert_eq!(told(&results), [("A", "B", 2), ("B", "A", 1)]);
    assert_eq!(
        results.notes,
        ["games.pgn: 1 game without a result (`*`) is left out"]
    );
}

#[test]
fn movetext_does_not_pass_for_tags_or_results() {
    let results = pgn(r#"[White "A"]
[Black "B"]
[Result "0-1"]

1. e4 {[White "X"] 1-0 } e5 {a comment
[White "Y"]
[Result "1-0"]
over lines} 2. Nf3 ; [Black "Z"] 1-0
% [Black "escaped"]
( 2. d4 1-0 (2. c4 *) {)} ) Nc6 $14 3.Bb5 [#] a6 0-1

[White "B"][Black "A"] [Result "1-0"] 1. c4 1-0
"#);
    assert_eq!(told(&results), [("A", "B", 0), ("B", "A", 2)]);
    assert_eq!(results.notes, Vec::<String>::new());
}

#[test]
fn names_with_quotes_marks_and_old_letters() {
    let text = b"\xEF\xBB\xBF[White \"A \\\"the\\\" \\\\ B\"]\r\n[Black \"M\xFCller\"]\r\n\
        [Result \"1-0\"]\r\n\r\n1-0\r\n\r\n[White \"Say \"hi\" now\"]\r\n[Black \"\xFC\"]\r\n\
        [Result \"0-1\"]\r\n\r\n0-1\r\n";
    let results = pgn(text);
    assert_eq!(
        told(&results),
        [("A \"the\" \\ B", "Müller", 2), ("Say \"hi\" now", "ü", 0)]
    );
    assert_eq!(
        results.notes,
        ["games.pgn: 2 lines are not UTF-8 and were read as Latin-1"]
    );
}

#[test]
fn the_first_side_depends_on_the_game() {
    let games = [
        (
            r#"[Game "Chinese Chess"]
[Red "R"]
[Black "B"]
[Result "1-0"]

1. H2-E2 1-0
"#,
            [("R", "B", 2)].as_slice(),
        ),
        (
            r#"[Game "Othello"]
[Black "R"]
[White "B"]
[Result "1-0"]

1. d3 1-0

[Variant "reversi"]
[White "W"]
[Black "B"]
[Result "1-0"]

1. d3 1-0
"#,
            &[("R", "B", 2), ("B", "W", 0)],
        ),
        (
            r#"[Black "B"]
[White "W"]
[Result "1-0"]

1. d4 1-0
"#,
            &[("W", "B", 2)],
        ),
    ];
    for (text, expected) in games {
        assert_eq!(told(&pgn(text)), expected);
    }
}

#[test]
fn odd_games_are_left_out_and_reported() {
    let results = pgn(r#"[White "A"]
[Black "A"]
[Result "1-0"]

1-0
[White "A"]
[Black "?"]
[Result "1-0"]

1-0
[White "A"]
[Black "B"]
[Result "won"]

1. e4
[White "A"]
[Black "B"]
[Result "1-0"]
[Termination "time forfeit"]

1. e4 0-1
[White A]
[Black "B"]
[Result "0-1"]

0-1
[White "C"]
[Black "B"]
[Result "0-1"]
[White "A"]
[Black "B"]

1. e4 1-0
[White "seen"]
[Black "seen"]

1. e4 1-0
1. e4 {open
 [of a text]
"#);
    assert_eq!(
        told(&results),
        [("A", "B", 2), ("C", "B", 0), ("A", "B", 2)]
    );
    let expected = [
        "1 game is left out: no result is given that is one (the first at line 11)",
        "3 games are left out: players without names (the first at line 6)",
        "2 games are left out: a player met itself (the first at line 1)",
        "1 game ends differently from its `Result` tag: the tag counts (the first at line 16)",
        "1 game repeats an earlier one",
        "1 game ended by a forfeit",
        "1 malformed tag was ignored (the first in line 22)",
        "a comment begins that is never closed, and the rest of the file was not read: \
         `1. e4 {open`",
    ];
    for (note, expected) in results.notes.iter().zip(expected) {
        let note = note.strip_prefix("games.pgn").expect("the file's name");
        let note = note
            .trim_start_matches(", line 38")
            .trim_start_matches(": ");
        assert!(note.starts_with(expected), "{note}\n{expected}");
    }
    assert_eq!(results.notes.len(), expected.len(), "{:#?}", results.notes);
}

#[test]
fn no_games_are_an_error_that_helps() {
    let read = |text: &[u8]| add_pgn(text, "x.pgn", &mut Results::default());
    let error = read(b"").expect_err("no games").to_string();
    assert!(error.contains("x.pgn: it is empty"), "{error}");
    for text in [&b"first,second,wins\nA,B,1\n"[..], b"[White \"A\"]\n"] {
        let error = read(text).expect_err("no games").to_string();
        assert!(
            error.contains("x.pgn") && error.contains("first,second"),
            "{error}"
        );
    }
    let error = read(b"\0\0\0").expect_err("no text").to_string();
    assert!(error.contains("it is not text"), "{error}");
}

/// Games given as first mover, second mover, FEN, round.
fn games(list: &[(&str, &str, &str, &str)]) -> Results {
    let mut text = String::new();
    for (number, (first, second, fen, round)) in list.iter().enumerate() {
        use std::fmt::Write as _;
        let _ = write!(
            text,
            "[White \"{first}\"]\n[Black \"{second}\"]\n[Result \"1-0\"]\n"
        );
        if !fen.is_empty() {
            let _ = writeln!(text, "[FEN \"{fen}\"]");
        }
        let _ = write!(text, "[Round \"{round}\"]\n\n1. m{number} 1-0\n\n");
    }
    pgn(text)
}

fn pairs(list: &[(&str, &str, &str, &str)]) -> (u64, u64) {
    let evidence = games(list).evidence(ClusterBy::Auto);
    (evidence.pairs, evidence.unpaired)
}

#[test]
fn pairs_have_the_same_opening_and_swapped_colours() {
    assert_eq!(pairs(&[("A", "B", "f", "?"), ("B", "A", "f", "?")]), (1, 0));
    assert_eq!(pairs(&[("A", "B", "f", "?"), ("A", "B", "f", "?")]), (0, 2));
    assert_eq!(pairs(&[("A", "B", "f", "?"), ("B", "A", "g", "?")]), (0, 2));
    assert_eq!(pairs(&[("A", "B", "f", "?"), ("B", "C", "f", "?")]), (0, 2));
    // Without openings, the round decides: as fastchess and cutechess write it.
    assert_eq!(pairs(&[("A", "B", "", "3"), ("B", "A", "", "3")]), (1, 0));
    assert_eq!(
        pairs(&[("A", "B", "", "12.1"), ("B", "A", "", "12.2")]),
        (1, 0)
    );
    assert_eq!(pairs(&[("A", "B", "", "1"), ("B", "A", "", "2")]), (0, 2));
    assert_eq!(pairs(&[("A", "B", "", "-"), ("B", "A", "", "-")]), (0, 2));
    // A round of several openings; an opening in several rounds.
    assert_eq!(pairs(&[("A", "B", "f", "1"), ("B", "A", "g", "1")]), (0, 2));
    assert_eq!(pairs(&[("A", "B", "f", "1"), ("B", "A", "f", "2")]), (1, 0));
    // Three games from one opening: one remains unpaired.
    let three = [
        ("A", "B", "f", "1"),
        ("A", "B", "f", "2"),
        ("B", "A", "f", "2"),
    ];
    assert_eq!(pairs(&three), (1, 1));
    let read = games(&three).games;
    let paired = pairing::pair(&read);
    assert_eq!(paired.alone, [0], "the same round goes first");
    // A pair of the second file, and a game like its second one in the first.
    let three = [
        ("A", "B", "f", "2"),
        ("B", "A", "f", "2"),
        ("A", "B", "f", "2"),
    ];
    let games = games(&three).games.into_iter().zip([0, 1, 1]);
    let mut games: Vec<_> = games.map(|(game, file)| Game { file, ..game }).collect();
    games[0].half_points = 0;
    let together = pairing::pair(&games).pairs;
    assert_eq!(together, [[games[1], games[2]]], "the same file goes first");
}

#[test]
fn clusters_are_openings_pairs_or_games() {
    let list: Vec<(String, &str, &str)> = (0..60)
        .flat_map(|n| [("A", "B"), ("B", "A"), ("A", "C"), ("C", "A")].map(|(i, j)| (n, i, j)))
        .map(|(n, i, j)| (format!("f{n}"), i, j))
        .collect();
    let list: Vec<_> = list
        .iter()
        .map(|(fen, i, j)| (*i, *j, fen.as_str(), "?"))
        .collect();
    let results = games(&list);
    let units = |by| {
        let evidence = results.evidence(by);
        let bouts = |cluster: &Cluster| cluster.copies * cluster.bouts.len() as u64;
        assert_eq!(evidence.clusters.iter().map(bouts).sum::<u64>(), 240);
        (evidence.by, evidence.units, evidence.openings)
    };
    assert_eq!(units(ClusterBy::Auto), (ClusterBy::Opening, 60, Some(60)));
    assert_eq!(
        units(ClusterBy::Opening),
        (ClusterBy::Opening, 60, Some(60))
    );
    assert_eq!(units(ClusterBy::Pair), (ClusterBy::Pair, 120, Some(60)));
    assert_eq!(units(ClusterBy::Game), (ClusterBy::Game, 240, Some(60)));
    let few = games(&list[..80]).evidence(ClusterBy::Auto);
    assert_eq!((few.by, few.units), (ClusterBy::Opening, 20));
    assert_eq!(few.notes, Vec::<String>::new());
    let fewer = games(&list[..76]).evidence(ClusterBy::Auto);
    assert!(
        fewer.notes[0].starts_with("only 19 unrelated openings"),
        "{:?}",
        fewer.notes
    );
    let one = games(&list[..4]).evidence(ClusterBy::Auto);
    assert_eq!((one.by, one.units), (ClusterBy::Pair, 2));
    assert!(
        one.notes[0].contains("only for that opening"),
        "{:?}",
        one.notes
    );
}

/// Pairs of three players from forty openings; `name` gives the worker of each by its number.
fn by_workers(name: impl Fn(usize) -> Option<&'static str>) -> Results {
    let mut results = Results::default();
    for player in ["A", "B", "C"] {
        results.players.number(player);
    }
    for number in 0..120 {
        let (first, second) = [(0, 1), (0, 2), (1, 2)][number % 3];
        let opening = Some(results.opening(&format!("f{}", number / 3), None));
        let game = |first, second, half_points| Game {
            file: 0,
            first,
            second,
            half_points,
            opening,
            round: None,
        };
        // From the sixtieth pair on, the first-named player wins both games.
        let other = if number < 60 { number % 7 % 3 } else { 0 };
        let pair = [game(first, second, 2), game(second, first, other as u8)];
        results.add_pair(pair, name(number));
    }
    results
}

#[test]
fn workers_are_clusters_beside_openings() {
    let two = by_workers(|number| Some(["", "box"][number / 60]));
    let evidence = two.evidence(ClusterBy::Auto);
    assert_eq!((evidence.by, evidence.workers), (ClusterBy::Opening, 2));
    let crossing = evidence.crossing.as_ref().expect("two workers");
    let sizes = |clusters: &[Cluster]| {
        let sizes = clusters.iter().map(|it| (it.bouts.len(), it.copies));
        sizes.fold((0, 0, 0), |(all, most, games), (size, copies)| {
            (all + copies, most.max(size), games + copies * size as u64)
        })
    };
    assert_eq!(sizes(&crossing.workers), (2, 120, 240));
    assert_eq!(
        sizes(&crossing.both),
        (40, 6, 240),
        "nobody shared an opening"
    );
    assert_eq!(evidence.notes.len(), 1, "{:?}", evidence.notes);
    let one = by_workers(|_| Some("box")).evidence(ClusterBy::Auto);
    assert_eq!((one.crossing.as_ref(), one.workers), (None, 0));
    assert_eq!(one.clusters, evidence.clusters);
    // The intervals of rows account for workers, unless the user selects openings alone.
    let width = |evidence: &Evidence| {
        let score = evidence.scores[0].expect("pairs").score;
        score.high.zip(score.low).map(|(high, low)| high - low)
    };
    assert_ne!(width(&evidence), width(&one));
    let openings = two.evidence(ClusterBy::Opening);
    assert_eq!(
        (openings.crossing.as_ref(), width(&openings)),
        (None, width(&one))
    );
    // Pairs without a known worker are separate clusters.
    let some = by_workers(|number| (number % 3 > 0).then_some(["", "box"][number % 2]));
    let crossing = some
        .evidence(ClusterBy::Auto)
        .crossing
        .expect("two workers");
    assert_eq!(sizes(&crossing.workers), (42, 80, 240));
    assert_eq!(sizes(&crossing.both).2, 240);
}

#[test]
fn tables_in_any_order_and_dress() {
    let text = "\u{feff}\r\n Wins ,FIRST,second,draws,note,losses\r\n\
                3,\"A, the \"\"first\"\"\", B ,2,x,1\r\n\r\n,,,,,\r\n4,B,C,0,\"\",1000000000000000\r\n";
    let results = table(text).expect("fine");
    assert_eq!(results.players.all(), ["A, the \"first\"", "B", "C"]);
    assert_eq!(results.notes, ["table.csv: columns passed over: `note`"]);
    let counts = results.counts();
    let games = |losses, draws, wins| Trinomial {
        losses,
        draws,
        wins,
    };
    assert_eq!(counts[0].games, games(1, 2, 3));
    assert_eq!(counts[1].games, games(1_000_000_000_000_003, 2, 5));
    let evidence = results.evidence(ClusterBy::Auto);
    assert_eq!(
        (evidence.pairs, evidence.unpaired),
        (0, 1_000_000_000_000_010)
    );
    assert!(
        evidence
            .clusters
            .iter()
            .all(|c| c.bouts[0].moved_first && c.bouts[0].games == 1)
    );

    let results = table("WW,wd,mid,ld,LL,second,first\n5,4,3,2,1,B,A\n").expect("fine");
    let evidence = results.evidence(ClusterBy::Auto);
    assert_eq!((evidence.pairs, evidence.unpaired), (15, 0));
    let of = |cluster: &Cluster| (cluster.bouts[0].half_points, cluster.copies);
    let cells: Vec<_> = evidence.clusters.iter().map(of).collect();
    assert_eq!(cells, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]);
    assert!(evidence.clusters.iter().all(|c| !c.bouts[0].moved_first));
    assert_eq!(results.counts()[0].totals.games(), 30);
}

#[test]
fn wrong_tables_name_line_text_and_help() {
    let head = "first,second,wins,draws,losses\n";
    for (text, line, what) in [
        (
            "first,second,wins,draws\nA,B,1,2\n",
            1,
            "no column `losses`",
        ),
        (
            "first;second;wins;draws;losses\n",
            1,
            "separate the columns with commas",
        ),
        ("first,second,ll,ld,mid,wd\n", 1, "no column `ww`"),
        (
            "first,second,wins,draws,losses,ww\n",
            1,
            "games and of pairs",
        ),
        (
            "first,second,wins,wins,draws,losses\n",
            1,
            "duplicate column `wins`",
        ),
        ("\n\nwho,whom\n", 3, "no column `first`"),
        (
            "first,second,wins,draws,losses\n\nA,B,1,2\n",
            3,
            "expected 5 fields as in the header, found 4",
        ),
        (&format!("{head}A,B,1,2,x\n"), 2, "`x` is not a count"),
        (&format!("{head}A,B,1,2,-3\n"), 2, "`-3` is not a count"),
        (&format!("{head}A,B,1,2,0.5\n"), 2, "`0.5` is not a count"),
        (&format!("{head}A,B,1,2,\n"), 2, "`` is not a count"),
        (&format!("{head}A,A,1,2,3\n"), 2, "`A` meets itself"),
        (&format!("{head}A,,1,2,3\n"), 2, "no name"),
        (&format!("{head}\"A,B,1,2,3\n"), 2, "not closed"),
        (
            &format!("{head}\"A\"x,B,1,2,3\n"),
            2,
            "follows a closing quote",
        ),
    ] {
        let error = table(text).expect_err(text);
        assert!(
            error.starts_with(&format!("table.csv, line {line}: ")),
            "{error}"
        );
        assert!(error.contains(what) && error.contains("help: "), "{error}");
    }
    for text in ["", "\n \n", head] {
        let error = table(text).expect_err("empty");
        assert!(
            error.contains("no results") && error.contains("first,second"),
            "{error}"
        );
    }
}

#[test]
fn several_files_are_merged_by_name() {
    let mut results = pgn("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1-0\n");
    add_table(
        &b"first,second,wins,draws,losses\nB,C,1,1,1\n"[..],
        "t",
        &mut results,
    )
    .unwrap();
    add_table(
        &b"first,second,ll,ld,mid,wd,ww\nC,A,0,0,2,0,0\n"[..],
        "u",
        &mut results,
    )
    .unwrap();
    assert_eq!(results.players.all(), ["A", "B", "C"]);
    assert_eq!(results.players.find("C"), Some(2));
    assert_eq!(results.players.find("D"), None);
    let evidence = results.evidence(ClusterBy::Auto);
    assert_eq!(
        (evidence.pairs, evidence.unpaired, evidence.units),
        (2, 4, 6)
    );
    assert!(evidence.notes[0].starts_with("4 games are in no pair"));
}

/// A game of A and B without moves, with these tags.
fn bare(tags: &str) -> String {
    format!("{tags}[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1-0\n\n")
}

#[test]
fn copies_without_moves_are_known_by_run_and_round() {
    let read = |tags: [&str; 2]| {
        let mut results = Results::default();
        for (name, tags) in ["one.pgn", "two.pgn"].into_iter().zip(tags) {
            add_pgn(bare(tags).as_bytes(), name, &mut results).expect("games");
        }
        (results.games.len(), results.notes.join("; "))
    };
    let first = "[Event \"leitai 0123456789ab\"]\n[Round \"1.1\"]\n";
    let (games, notes) = read([first, first]);
    assert_eq!(games, 1, "{notes}");
    assert!(notes.contains("two.pgn: 1 game is in an earlier file too"));
    for other in [
        "[Event \"leitai 0123456789ab\"]\n[Round \"2.1\"]\n",
        "[Event \"leitai 0123456789ac\"]\n[Round \"1.1\"]\n",
    ] {
        let (games, notes) = read([first, other]);
        assert_eq!((games, notes.as_str()), (2, ""));
    }
    // Without moves and rounds, games cannot be identified.
    let (games, notes) = read(["", ""]);
    assert_eq!(games, 2);
    assert!(
        notes.contains("2 of the games so far have neither moves nor a round"),
        "{notes}"
    );
    assert!(read([first, ""]).1.contains("1 of the games so far"));
}

#[test]
fn single_games_have_a_performance() {
    let text = bare("").repeat(3) + &bare("").replace("1-0", "0-1");
    let results = pgn(text);
    for by in [ClusterBy::Auto, ClusterBy::Pair] {
        assert_eq!(results.evidence(by).by, ClusterBy::Game);
    }
    let scores = results.evidence(ClusterBy::Auto).scores;
    let [a, b] = [0, 1].map(|player: usize| scores[player].expect("single games"));
    assert_eq!((a.score.value, b.score.value), (Some(0.75), Some(0.25)));
    let same = leitai_stats::estimate(Trinomial {
        losses: 1,
        draws: 0,
        wins: 3,
    });
    assert_eq!((a.elo.value, a.elo.low), (same.elo.value, same.elo.low));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = add_pgn(bytes.as_slice(), "x", &mut Results::default());
        let _ = add_table(bytes.as_slice(), "x", &mut Results::default());
    }

    /// Fragments of the formats instead of random bytes.
    #[test]
    fn crumbs_of_files_are_read_or_refused(
        crumbs in prop::collection::vec(prop::sample::select(vec![
            "[", "]", "White", "Black", "Red", " \"", "\"", "\"]", "\n", "{", "}", "(", ")", ";",
            "1-0", "*", "½-½", "\\", "%", "1.", "炮二平五", "first", "second", "wins,draws,losses",
            ",", "ll,ld,mid,wd,ww", "7", "\r\n", "Result", "FEN", "Round", "\u{feff}", "[White \"A\"]",
            "[Black \"B\"]", "[Result \"0-1\"]",
        ]), 0..60),
    ) {
        let text = crumbs.concat();
        let mut results = Results::default();
        let _ = add_pgn(text.as_bytes(), "x", &mut results);
        let _ = add_table(text.as_bytes(), "x", &mut results);
        for by in [ClusterBy::Auto, ClusterBy::Opening, ClusterBy::Pair, ClusterBy::Game] {
            let evidence = results.evidence(by);
            for cluster in &evidence.clusters {
                for bout in &cluster.bouts {
                    prop_assert!(bout.first != bout.second);
                    prop_assert!(bout.first.max(bout.second) < results.players.all().len());
                }
            }
        }
    }
}
