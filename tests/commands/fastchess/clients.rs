//! Lines and files that clients of fastchess read: OpenBench, fishtest, and scripts.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::{Club, between_scripts};
use crate::common::{leitai, stderr, stdout};

/// A UCI program that moves its king, and speaks as its argument says. White's pieces have another
/// move than Black's.
const SPEAKER: &str = "#!/bin/sh
starts=0
if [ -e starts ]; then starts=$(cat starts); fi
echo $((starts + 1)) > starts
while read -r word rest; do
  case $word in
    uci)
      [ \"$1\" = once ] && [ \"$starts\" -gt 1 ] && exit 3
      echo id name Speaker; echo id author A. Nonymous
      echo option name Hash type spin default 16 min 1 max 1024; echo uciok;;
    isready) [ \"$deaf\" = yes ] || echo readyok;;
    position) at=$rest;;
    go)
      case $at in *moves*) mv=e8e7; moves=2; other=e8d7;; *) mv=e1e2; moves=3; other=e1d2;; esac
      case $1 in
        silent) echo info string hello; echo bestmove $mv;;
        odd) echo info depth 1 score hot 3 pv $mv; echo bestmove $mv;;
        mates) echo info depth 1 score mate $moves pv $mv; echo bestmove $mv;;
        other) echo info depth 1 score cp 3 pv $mv; echo bestmove $other;;
        illegal) echo info depth 1 score cp 3 pv $mv a1a1; echo bestmove $mv;;
        letters) echo bestmove E1E2;;
        bare) echo bestmove;;
        gone) exit 3;;
        broken) echo info depth 1 score cp 3 pv $mv; exit 3;;
        mute) ;;
        deaf) deaf=yes; echo bestmove $mv;;
        *) echo info depth 3 seldepth 5 score cp 12 nodes 77 nps 9000 hashfull 4 tbhits 2 time 1 \\
             pv $mv
           echo info string pgncomment spoke
           echo info depth 4 seldepth 9 score cp 80 lowerbound nodes 99
           echo bestmove $mv;;
      esac;;
    quit) exit 0;;
  esac
done
";

/// A king each, and a rook, so that the game is not over.
const KINGS: &str = "4k3/8/8/8/8/8/8/4K2R w - - 0 1\n";

/// The output of two such programs in a match of two games of two plies each.
fn spoken(how: &str, more: &str) -> (String, Club) {
    let club = Club::new();
    club.0.write("book.epd", KINGS);
    let usual = "-rounds 1 -maxmoves 1 -recover -testEnv -openings file=book.epd";
    let told = between_scripts(&club, SPEAKER, how, &format!("{usual} {more}"));
    (told, club)
}

/// The expressions by which fishtest's worker ends a run, or writes into its log, as the first words
/// of lines. Those of principal variations after the end of a game and of mates are in the tests of
/// the checks themselves.
#[test]
fn warnings_are_the_lines_that_clients_look_for() {
    for (how, more, line) in [
        (
            "usual",
            "-each depth=1 option.Foo=1",
            "Warning; old doesn't have option Foo",
        ),
        (
            "usual",
            "-each depth=1 option.Hash=-4",
            "Warning; Invalid value for option Hash; -4",
        ),
        (
            "usual",
            "-each depth=1 option.Hash=many",
            "Warning; Failed to set option Hash with value many for engine old: ",
        ),
        (
            "silent",
            "-each depth=1",
            "Warning; No info line available to extract score from engine old",
        ),
        (
            "odd",
            "-each depth=1",
            "Warning; Could not extract score from engine old: info depth 1 score hot 3",
        ),
        (
            "mates",
            "-each depth=1",
            "Warning; Sign mismatch in mate scores 3 and 2 from old (White) and ? (Black)",
        ),
        (
            "mates",
            "-each depth=1 -check-mate-pvs",
            "Warning; Incomplete mating PV - from old",
        ),
        (
            "other",
            "-each depth=1",
            "Warning; Bestmove does not match beginning of last PV - move e1d2 from old",
        ),
        (
            "illegal",
            "-each depth=1",
            "Warning; Illegal PV move - move a1a1 from old",
        ),
        (
            "letters",
            "-each depth=1",
            "Warning; Move does not match uci move format, lowercase and 4/5 chars. Move E1E2 played \
             by old",
        ),
        (
            "letters",
            "-each depth=1",
            "Warning; Illegal move E1E2 played by old :: Info; bestmove E1E2 :: Position; fen 4k3",
        ),
        (
            "bare",
            "-each depth=1",
            "Warning; No bestmove found from old because: the line has no move. Last line was: bestmove",
        ),
        ("gone", "-each depth=1", "Warning; No output from old"),
        (
            "broken",
            "-each depth=1",
            "Warning; Engine old is not responsive",
        ),
        (
            "deaf",
            "-each depth=1 -ping-ms 50 -ucinewgame-ms 100 -startup-ms 1500 -maxmoves 2",
            "Warning; Engine old is not responsive",
        ),
        (
            "once",
            "-each depth=1 restart=on",
            "Warning; Engine old didn't respond to uci.",
        ),
    ] {
        let (told, _) = spoken(how, more);
        assert!(
            told.lines().any(|it| it.starts_with(line)),
            "{how} {more}: {line}\n{told}"
        );
    }
}

/// OpenBench uploads games whose comments have score, depth, time, nodes and selective depth.
#[test]
fn comments_have_what_pgnout_asks_for() {
    let more = "-each depth=1 -pgnout file=g.pgn nodes=true seldepth=true nps=true hashfull=true \
                tbhits=true timeleft=true latency=true pv=true match_line=pgncomment notation=lan";
    let (_, club) = spoken("usual", more);
    let text = fs::read_to_string(club.0.path("g.pgn")).unwrap();
    let games = text.replace('\n', " ");
    // Depth, nodes and score are those of the last exact line.
    for part in [
        "1. Ke1e2 {+0.12/3 0.",
        "n=77, sd=5, nps=9000, hashfull=4, tbhits=2, pv=\"e1e2\", line=\"info string pgncomment spoke\"}",
        " Ke8e7 {+0.12/3 0.",
        "pv=\"e8e7\", line=\"info string pgncomment spoke\", Draw by adjudication}",
    ] {
        assert!(games.contains(part), "{part}: {text}");
    }
    for tag in [
        "[EngineWhiteName \"Speaker\"]",
        "[EngineWhiteAuthor \"A. Nonymous\"]",
        "[EngineBlackName \"Speaker\"]",
        "[GameDuration \"00:00:0",
        "[GameStartTime \"2",
        " +0000\"]",
        "[GameEndTime \"2",
        "[PlyCount \"2\"]",
    ] {
        assert!(text.contains(tag), "{tag}: {text}");
    }
    // Time left and latency are times, also without a clock.
    assert!(games.contains("tl=0.000s, latency="), "{text}");
    let (_, club) = spoken("usual", "-each tc=5+0.5 -pgnout file=g.pgn timeleft=true");
    let text = fs::read_to_string(club.0.path("g.pgn")).unwrap();
    assert!(text.contains("tl=5."), "{text}");
    // The illegal move ends the last comment.
    let (_, club) = spoken("letters", "-each depth=1 -pgnout file=g.pgn");
    let text = fs::read_to_string(club.0.path("g.pgn")).unwrap();
    assert!(
        text.contains("{White makes an illegal move: E1E2} 0-1"),
        "{text}"
    );
    let (_, club) = spoken(
        "usual",
        "-each depth=1 -pgnout file=g.pgn min=true seldepth=true",
    );
    let text = fs::read_to_string(club.0.path("g.pgn")).unwrap();
    assert!(text.contains("1. Ke2 Ke7 1/2-1/2"), "{text}");
    assert!(!text.contains("EngineWhiteName"), "{text}");
}

#[test]
fn moves_of_a_book_in_pgn_are_moves_of_its_games() {
    let club = Club::new();
    club.0
        .write("book.pgn", "[Event \"?\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n");
    let more = "-rounds 1 -each nodes=1 -openings file=book.pgn format=pgn plies=3 \
                -pgnout file=g.pgn";
    club.said([20, 20], more);
    let text = fs::read_to_string(club.0.path("g.pgn")).unwrap();
    assert!(!text.contains("[FEN "), "{text}");
    let games = text.replace('\n', " ");
    let begun = games
        .matches("1. e4 {book} e5 {book} 2. Nf3 {book} ")
        .count();
    assert_eq!(begun, 2, "{text}");
    assert_eq!(text.matches("[ECO \"C").count(), 2, "{text}");
    assert_eq!(text.matches("[Opening \"").count(), 2, "{text}");
    // A game of the book from a position.
    let fen = "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]";
    let book = format!("[Event \"?\"]\n[SetUp \"1\"]\n{fen}\n\n2. Nf3 Nc6 3. Bb5 *\n");
    club.0.write("book.pgn", &book);
    club.said([20, 20], &more.replace("g.pgn", "from.pgn"));
    let text = fs::read_to_string(club.0.path("from.pgn")).unwrap();
    assert_eq!(text.matches(fen).count(), 2, "{text}");
    let games = text.replace('\n', " ");
    let begun = games
        .matches(" 2. Nf3 {book} Nc6 {book} 3. Bb5 {book} ")
        .count();
    assert_eq!(begun, 2, "{text}");
}

#[test]
fn last_positions_lines_and_dialogues_are_written() {
    let more =
        "-each depth=1 -epdout file=end.epd -log file=log.txt level=info engine=true -wait 1";
    let (told, club) = spoken("usual", more);
    let read = |name: &str| fs::read_to_string(club.0.path(name)).unwrap();
    let ends = read("end.epd");
    assert_eq!(ends.lines().count(), 2, "{ends}");
    for line in ends.lines() {
        let position = "8/4k3/8/8/8/8/4K3/7R w - - hmvc 2; fmvn 2; c0 \"";
        assert!(line.starts_with(position), "{ends}");
    }
    let log = read("log.txt");
    for part in [
        "Finished game 1 (",
        "old <--- uci",
        "old ---> bestmove e1e2",
    ] {
        assert!(log.contains(part), "{part}: {log}");
    }
    for line in told.lines().filter(|line| !line.is_empty()) {
        assert!(log.contains(line), "{line}: {log}");
    }
    // Only warnings and errors, in a new file.
    let (_, club) = spoken("odd", "-each depth=1 -log file=log.txt append=false");
    let log = fs::read_to_string(club.0.path("log.txt")).unwrap();
    assert!(log.lines().all(|line| line.starts_with("[WARN")), "{log}");
    assert!(log.contains("Could not extract score"), "{log}");
    let (told, _) = spoken("usual", "-each depth=1 -debug");
    assert!(told.contains(" >old(1): go depth 1\n"), "{told}");
    assert!(told.contains(" <old(1): bestmove e1e2\n"), "{told}");
}

/// fishtest's worker counts each line of either stream with such a word as a crash or a time loss.
#[test]
fn only_lines_of_games_have_the_words_that_clients_count() {
    let club = Club::new();
    let script = club.0.write("speaker.sh", SPEAKER);
    club.0.write("book.epd", KINGS);
    for (how, limit, words) in [
        ("gone", "depth=1", ["disconnect", "stall"]),
        ("mute", "st=0.05", ["on time", "timeout"]),
    ] {
        let program = format!("args={script} {how}");
        let output = leitai()
            .args(["fastchess", "-engine", "name=a", "cmd=sh", &program])
            .args(["-engine", "name=b", "cmd=sh", &program, "-each", limit])
            .args("-rounds 2 -recover -testEnv -openings file=book.epd".split(' '))
            .current_dir(club.0.path(""))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let both = stdout(&output) + &stderr(&output);
        let is_counted = |line: &&str| words.iter().any(|word| line.contains(word));
        assert_eq!(both.lines().filter(is_counted).count(), 4, "{how}: {both}");
    }
}

/// Under a node limit an engine that hangs, knows no limit, or moves only after `stop` is reported and
/// loses by the limit of any config.
#[test]
fn a_match_under_a_node_limit_does_not_stand_still() {
    let club = Club::new();
    let script = "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;;\n\
                  go) [ $1 = talks ] && echo info depth 1 nodes 999999 score cp 1;;\n\
                  stop) [ $1 = obeys ] && echo bestmove e1e2;; quit) exit 0;; esac; done\n";
    let script = club.0.write("hang.sh", script);
    let children = ["hangs", "talks", "obeys"].map(|how| {
        let program = format!("args={script} {how}");
        Command::new(env!("CARGO_BIN_EXE_leitai"))
            .args(["fastchess", "-engine", "name=a", "cmd=sh", &program])
            .args([
                "-engine",
                "name=b",
                "cmd=sh",
                &program,
                "-each",
                "nodes=100",
            ])
            .args(["-rounds", "1", "--store", &format!("{how}.sqlite")])
            .current_dir(club.0.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    });
    for child in children {
        let output = child.wait_with_output().unwrap();
        let (said, told) = (stdout(&output), stderr(&output));
        assert!(
            said.contains("0-1 {White's connection stalls}"),
            "{said}{told}"
        );
        assert!(told.contains("stall in game 1 of pair 0"), "{told}");
    }
}

/// A script's `&` starts a client, and so the match, with SIGINT ignored.
#[test]
fn an_interrupt_stops_a_match_that_was_started_to_ignore_it() {
    let club = Club::new();
    let program = format!("args={} mute", club.0.write("speaker.sh", SPEAKER));
    let mut child = Command::new("sh")
        .args([
            "-c",
            "trap '' INT; exec \"$@\"",
            "sh",
            env!("CARGO_BIN_EXE_leitai"),
        ])
        .args(["fastchess", "-engine", "name=a", "cmd=sh", &program])
        .args([
            "-engine", "name=b", "cmd=sh", &program, "-each", "st=5", "-rounds", "1",
        ])
        .current_dir(club.0.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    assert_eq!(line, "Started game 1 of 2 (a vs b)\n");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn an_interrupt_while_engines_start_is_no_error() {
    let club = Club::new();
    let script = club.0.write("stop.sh", "kill -INT $PPID\nexec sleep 600\n");
    let program = format!("args={script}");
    let output = Command::new(env!("CARGO_BIN_EXE_leitai"))
        .args(["fastchess", "-engine", "name=a", "cmd=sh", &program])
        .args(["-engine", "name=b", "cmd=sh", &program])
        .args(["-each", "depth=1", "-rounds", "1"])
        .current_dir(club.0.path(""))
        .output()
        .unwrap();
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("stopped before the first game"), "{told}");
}

/// A task that fishtest's worker takes up again is another match with the same file of games.
#[test]
fn in_a_test_environment_a_finished_match_leaves_only_its_games() {
    let (_, club) = spoken("usual", "-each depth=1 -pgnout file=g.pgn append=false");
    let records = |club: &Club| {
        let names = fs::read_dir(club.0.path("")).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let names = names.filter(|name| name.contains("sqlite"));
        names.collect::<Vec<_>>()
    };
    assert_eq!(records(&club), Vec::<String>::new());
    let usual = "-maxmoves 1 -recover -testEnv -openings file=book.epd -each depth=1";
    for (rounds, games) in [("2", 4), ("1", 2)] {
        let more = format!("-rounds {rounds} {usual} -pgnout file=g.pgn append=false");
        between_scripts(&club, SPEAKER, "usual", &more);
        let text = fs::read_to_string(club.0.path("g.pgn")).unwrap();
        assert_eq!(text.matches("[Event ").count(), games, "{text}");
    }
    assert_eq!(records(&club), Vec::<String>::new());
}

/// Without `-srand` a finished match begins again with other openings, and adds to the same file of games.
#[test]
fn a_seed_is_drawn_for_each_match() {
    let club = Club::new();
    let rook = |file: usize| format!("4k3/8/8/8/{file}R{}/8/8/4K3 w - - 0 1\n", 7 - file);
    let rooks: String = (1..7).filter(|file| *file != 4).map(rook).collect();
    club.0.write("book.epd", &rooks);
    let more = "-rounds 4 -maxmoves 1 -openings file=book.epd order=random -each depth=1 \
                -pgnout";
    for _ in 0..3 {
        between_scripts(&club, SPEAKER, "usual", more);
    }
    let files = fs::read_dir(club.0.path("")).unwrap();
    let mut names: Vec<String> = files
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let of = |ending: &str| -> Vec<&String> {
        let of_name = |name: &&String| name.rsplit('.').next() == Some(ending);
        names.iter().filter(of_name).collect()
    };
    // Three records, each with its seed; games within one second go into one file.
    assert_eq!(of("sqlite").len(), 3, "{names:?}");
    let files = of("pgn").into_iter();
    let games: String = files
        .map(|name| fs::read_to_string(club.0.path(name)).unwrap())
        .collect();
    assert_eq!(games.matches("[Event ").count(), 24);
}

#[test]
fn a_program_that_does_not_speak_uci_is_a_startup_failure() {
    let club = Club::new();
    let output = leitai()
        .args(["fastchess", "-engine", "cmd=true", "name=a"])
        .args(["-engine", "cmd=true", "name=b", "-each", "nodes=1"])
        .current_dir(club.0.path(""))
        .output()
        .unwrap();
    assert!(!output.status.success());
    let line =
        "Fatal; a engine startup failure: \"Engine didn't respond to uciok after startup\"\n";
    assert!(stdout(&output).contains(line), "{}", stderr(&output));
}

#[test]
fn an_engine_is_examined_for_compliance() {
    let club = Club::new();
    let output = leitai()
        .args(["fastchess", "--compliance", env!("CARGO_BIN_EXE_leitai")])
        .args(["engine", "--game", "chess"])
        .current_dir(club.0.path(""))
        .output()
        .unwrap();
    let text = stdout(&output);
    assert!(text.contains("ok   start "), "{text}");
    // On a busy machine a move of the test game can be late.
    let failed: Vec<&str> = text.lines().filter(|line| line.contains("FAIL")).collect();
    let are_late = failed.iter().all(|line| line.contains("time-forfeit"));
    assert!(are_late, "{text}{}", stderr(&output));
    assert_eq!(output.status.success(), failed.is_empty(), "{text}");
    // A program is needed.
    let output = leitai()
        .args(["fastchess", "--compliance"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("takes a program"));
}

/// A saved match is played with its files.
#[test]
fn a_saved_match_is_played() {
    let club = Club::new();
    let script = club.0.write("speaker.sh", SPEAKER);
    club.0.write("book.epd", KINGS);
    let engine = |name: &str| {
        format!(r#"{{"name": "{name}", "cmd": "sh", "args": "{script}", "limit": {{"plies": 1}}}}"#)
    };
    let saved = format!(
        r#"{{"rounds": 1, "games": 2, "recover": true, "concurrency": 1,
        "opening": {{"file": "book.epd", "format": 0, "order": 1, "plies": -1, "start": 1}},
        "maxmoves": {{"move_count": 1, "enabled": true}},
        "pgn": {{"file": "saved.pgn", "append_file": true, "track_seldepth": true}},
        "engines": [{}, {}]}}"#,
        engine("a"),
        engine("b")
    );
    club.0.write("config.json", &saved);
    let output = leitai()
        .args(["fastchess", "-config", "file=config.json"])
        .current_dir(club.0.path(""))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("Finished game 2 (b vs a): "));
    let text = fs::read_to_string(club.0.path("saved.pgn")).unwrap();
    assert_eq!(text.matches(" sd=5").count(), 4, "{text}");
}

/// Rounds of one game, which the clients of OpenBench ask for to generate data; and fixed or reversed
/// colours.
#[test]
fn rounds_have_one_game_or_two_in_any_colours() {
    let games = |more: &str| -> Vec<String> {
        let club = Club::new();
        let more = format!("-maxmoves 1 -recover -each depth=1 -openings file=book.epd {more}");
        let told = between_scripts(&club, KING, "", &more);
        let finished = told
            .lines()
            .filter(|line| line.starts_with("Finished game"));
        let players = finished.map(|line| line[..line.find("):").expect("players")].to_owned());
        let games = players.map(|line| line.replace("Finished game ", "").replace('é', "new"));
        assert!(told.contains("Finished match"), "{told}");
        games.collect()
    };
    let one = ["1 (new vs old", "2 (old vs new", "3 (new vs old"];
    assert_eq!(games("-rounds 3 -games 1"), one);
    assert_eq!(games("-rounds 1 -games 3"), one);
    let fixed = ["1 (new vs old", "2 (new vs old"];
    assert_eq!(games("-rounds 2 -games 1 -noswap"), fixed);
    assert_eq!(games("-rounds 1 -games 2 -noswap"), fixed);
    let reversed = ["1 (old vs new", "2 (new vs old"];
    assert_eq!(games("-rounds 1 -repeat -reverse"), reversed);
    // Each game has an opening of its own, and counts once.
    let club = Club::new();
    let more = "-rounds 5 -games 1 -maxmoves 1 -recover -each depth=1 -srand 1 -openings \
                file=book.epd -pgnout file=g.pgn --store match.sqlite";
    let told = between_scripts(&club, KING, "", more);
    assert!(
        told.contains("Games: 5, Wins: 0, Losses: 0, Draws: 5, "),
        "{told}"
    );
    assert!(!told.contains("Ptnml"), "{told}");
    let text = fs::read_to_string(club.0.path("g.pgn")).unwrap();
    let mut openings: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("[FEN "))
        .collect();
    openings.dedup();
    assert_eq!(openings.len(), 5, "{text}");
    let report = crate::common::json(&["report", &club.0.path("match.sqlite"), "--json"]);
    assert_eq!(report["games"], 5, "{report}");
    // The same match goes on from five rounds to seven.
    let told = between_scripts(&club, KING, "", &more.replace("-rounds 5", "-rounds 7"));
    assert!(told.contains("Games: 7, "), "{told}");
}

/// A UCI program that moves a pawn which every opening of the book has.
const KING: &str = "#!/bin/sh
while read -r word rest; do
  case $word in
    uci) echo uciok;;
    isready) echo readyok;;
    position) at=$rest;;
    go) case $at in *moves*) echo bestmove h7h6;; *) echo bestmove h2h3;; esac;;
    quit) exit 0;;
  esac
done
";

#[test]
fn a_cutechess_command_line_is_taken() {
    let club = Club::new();
    let script = club.0.write("script.sh", KING);
    let link = club.0.path("cutechess-cli");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_leitai"), &link).unwrap();
    let play = |more: &str| {
        let words = format!(
            "-engine name=new cmd=sh arg={script} -engine name=old cmd=sh arg={script} arg=x -each \
             proto=uci depth=1 initstr=hello\\nworld -maxmoves 1 -openings file=book.epd format=epd \
             -recover -pgnout g.pgn min fi -epdout end.epd {more}"
        );
        let output = Command::new(&link)
            .args(words.split_whitespace())
            .current_dir(club.0.path(""))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let told = play("-games 2 -rounds 2 -repeat -outcomeinterval 3");
    let outcomes = |count: u64| {
        let of = |name: &str| {
            format!("Player: {name}\n   \"Draw by adjudication: maximal game length\": {count}\n")
        };
        format!("\n{}{}", of("new"), of("old"))
    };
    let game = |number: u64, players: &str| {
        format!(
            "Finished game {number} ({players}): 1/2-1/2 {{Draw by adjudication: maximal game \
             length}}\nScore of new vs old: 0 - 0 - {number}  [0.500] {number}\n"
        )
    };
    assert!(
        told.starts_with("Started game 1 of 4 (new vs old)\n"),
        "{told}"
    );
    let (start, third) = ("Started game 4 of 4 (old vs new)\n", game(3, "new vs old"));
    let (_, ends) = told.split_once(&*third).expect(&told);
    let expected = format!(
        "{}{}...      new playing White: 0 - 0 - 2  [0.500] 2\n\
         ...      new playing Black: 0 - 0 - 2  [0.500] 2\n\
         ...      White vs Black: 0 - 0 - 4  [0.500] 4\n\
         Elo difference: 0.0 +/- 0.0, LOS: nan %, DrawRatio: 100.0 %\n{}Finished match\n",
        outcomes(3),
        game(4, "old vs new"),
        outcomes(4)
    );
    assert_eq!(ends.replace(start, ""), expected);
    let text = fs::read_to_string(club.0.path("g.pgn")).unwrap();
    assert_eq!(text.matches("[Event ").count(), 4, "{text}");
    assert_eq!(
        fs::read_to_string(club.0.path("end.epd"))
            .unwrap()
            .lines()
            .count(),
        4
    );
    // Without `-repeat` each game has an opening of its own.
    assert!(play("-rounds 3").contains("Started game 3 of 3 (new vs old)"));
    let version = Command::new(&link).arg("-version").output();
    assert!(stdout(&version.unwrap()).starts_with("cutechess-cli 1.4"));
    for (more, help) in [
        ("-tournament knockout", "`round-robin` has all pairings"),
        ("-bookmode ram", "`-openings file=BOOK`"),
        ("-engines", "`-engine cmd=PROGRAM`"),
        ("-repeat 3", "once or twice"),
    ] {
        let output = Command::new(&link)
            .args("-engine cmd=a -engine cmd=b -each depth=1 --print-config".split(' '))
            .args(more.split(' '))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{more}");
        assert!(
            stderr(&output).contains(help),
            "{more}: {}",
            stderr(&output)
        );
    }
}
