//! `leitai fastchess`: options as scripts pass them, and output as scripts parse it.

mod clients;
mod import;
mod options;

use std::fs;
use std::process::Output;

use crate::common::{Sandbox, json, leitai, stderr, stdout};

/// Different openings.
const BOOK: &str = "\
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2
rnbqkb1r/pppppppp/5n2/8/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 1 2
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/pppp1ppp/4p3/8/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 0 2
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2
";

/// A folder with a book, in which fastchess commands run.
struct Club(Sandbox);

impl Club {
    fn new() -> Self {
        let club = Self(Sandbox::new());
        club.0.write("book.epd", BOOK);
        club
    }

    /// Plays two Leitai engines with these nodes, and `more` options.
    fn play(&self, nodes: [u32; 2], more: &str) -> Output {
        let program = env!("CARGO_BIN_EXE_leitai");
        let mut words = vec!["fastchess".to_owned()];
        for (name, nodes) in ["new", "old"].iter().zip(nodes) {
            words.extend([
                "-engine".to_owned(),
                format!("cmd={program}"),
                format!("name={name}"),
            ]);
            words.push("args=engine --game chess".to_owned());
            words.push(format!("nodes={nodes}"));
        }
        let usual = "-each proto=uci -recover -srand 3 -maxmoves 30 \
                     -openings file=book.epd format=epd order=sequential";
        words.extend(
            usual
                .split(' ')
                .filter(|it| !it.is_empty())
                .map(str::to_owned),
        );
        words.extend(
            more.split(' ')
                .filter(|it| !it.is_empty())
                .map(str::to_owned),
        );
        let folder = self.0.path("");
        leitai()
            .args(words)
            .current_dir(folder)
            .output()
            .expect("the binary runs")
    }

    fn said(&self, nodes: [u32; 2], more: &str) -> String {
        let output = self.play(nodes, more);
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    }
}

/// The results that OpenBench's client parses: pairs by outcome for the first engine, and losses by
/// crash, on time and by an illegal move. It splits lines at spaces and colons.
fn of_openbench(text: &str) -> ([u64; 5], [u64; 3]) {
    let (mut pairs, mut faults) = ([0; 5], [0; 3]);
    let mut open = std::collections::BTreeMap::new();
    for line in text.lines().filter(|line| line.contains("Finished game")) {
        let reason = line.split(':').nth(1).expect("as it is read");
        let has = |word: &str| u64::from(reason.contains(word));
        faults[0] += has("disconnect").max(has("stalls"));
        faults[1] += has("on time");
        faults[2] += has("illegal");
        let words: Vec<&str> = line.split_whitespace().collect();
        let number: u64 = words[2].parse().expect("as it is read");
        let points = match words[6] {
            "1-0" => 2,
            "1/2-1/2" => 1,
            "0-1" => 0,
            other => panic!("{other} in {line}"),
        };
        open.insert(number, points);
        let first = number - (number + 1) % 2;
        if let (Some(one), Some(two)) = (open.get(&first), open.get(&(first + 1))) {
            pairs[one + 2 - two] += 1;
        }
    }
    (pairs, faults)
}

/// The results that fishtest's worker parses from the last block, with its checks: games, wins,
/// losses, draws, and pairs; and the checksum.
fn of_fishtest(text: &str) -> ([u64; 4], [u64; 5], Option<String>) {
    let numbers = |text: &str| -> Vec<u64> {
        let words = text.split(|letter: char| !letter.is_ascii_digit());
        words
            .filter(|it| !it.is_empty())
            .map(|it| it.parse().expect("as it is read"))
            .collect()
    };
    let (mut games, mut pairs, mut crc, mut before) = ([0; 4], [0; 5], None, 0);
    for line in text.lines() {
        if line.contains("has CRC32:") {
            crc = line.split_whitespace().last().map(str::to_owned);
        }
        if let Some((counts, _)) = line.split_once(", Points: ") {
            games = numbers(counts).try_into().expect("as it is read");
        }
        if let Some((_, rest)) = line.split_once("Ptnml(0-2): [") {
            pairs = numbers(rest.split_once(']').expect("as it is read").0)
                .try_into()
                .expect("as it is read");
            assert_eq!(games[0], 2 * pairs.iter().sum::<u64>());
            assert_eq!(games[0], games[1..].iter().sum::<u64>());
            assert!(games[0] >= before);
            before = games[0];
        }
    }
    assert_eq!(
        text.lines()
            .filter(|line| line.contains("Finished match"))
            .count(),
        1
    );
    (games, pairs, crc)
}

/// The lines that do not depend on the clock or on threads.
fn lasting(text: &str) -> Vec<&str> {
    let is_passing = ["Started game", "Total Time", "has CRC32"];
    let is_lasting = |line: &&str| !is_passing.iter().any(|it| line.contains(it));
    text.lines().filter(is_lasting).collect()
}

/// The checksum of zip.
fn crc32(bytes: &[u8]) -> String {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
        }
    }
    format!("{:#x}", !sum)
}

#[test]
fn openbench_and_fishtest_read_the_same_of_a_match() {
    let club = Club::new();
    let more = "-rounds 3 -games 2 -repeat -concurrency 1 -ratinginterval 1 -scoreinterval 0 \
                -autosaveinterval 0 -report penta=true -check-mate-pvs -crc32 pgn=true \
                -pgnout file=games.pgn append=false nodes=true -site here -event a_test";
    let told = club.said([300, 30], more);
    let (pairs, faults) = of_openbench(&told);
    let (games, of_blocks, crc) = of_fishtest(&told);
    assert_eq!((pairs, faults), (of_blocks, [0; 3]), "{told}");
    assert_eq!(games[0], 6);
    assert_eq!(told.matches("Started game").count(), 6);
    assert_eq!(told.matches("Results of new vs old (N").count(), 0);
    assert!(
        told.contains("Results of new vs old (300 nodes - 30 nodes, NULL, NULL, book.epd):"),
        "{told}"
    );
    assert!(told.contains("Finished game 2 (old vs new): "), "{told}");

    // The file has the reported games, and its checksum is that of zip.
    let file = club.0.path("games.pgn");
    let written = fs::read(&file).unwrap();
    let text = String::from_utf8(written.clone()).unwrap();
    assert_eq!(text.matches("[Event \"a_test\"]").count(), 6);
    assert_eq!(text.matches(", n=").count(), text.matches(" {").count());
    assert_eq!(crc.unwrap(), crc32(&written));

    // Run again, it plays nothing, prints the same and adds no game. It completes a truncated file.
    let cut = written.len() - 40;
    for left in [written.len(), cut] {
        fs::write(&file, &written[..left]).unwrap();
        let again = club.said([300, 30], more);
        assert_eq!(lasting(&again), lasting(&told));
        assert!(fs::read(&file).unwrap() == written, "cut to {left}");
    }

    // More rounds continue the match.
    let longer = club.said([300, 30], &more.replace("-rounds 3", "-rounds 4"));
    let first: Vec<&str> = told
        .lines()
        .filter(|it| it.contains("Finished game"))
        .collect();
    let all: Vec<&str> = longer
        .lines()
        .filter(|it| it.contains("Finished game"))
        .collect();
    assert_eq!((&all[..6], all.len()), (&first[..], 8));

    // Another match replaces the games, as `append=false` asks.
    let other = club.play([200, 30], more);
    assert!(other.status.success(), "{}", stderr(&other));
    assert!(
        stderr(&other).contains("games of another match, which `append=false` removed"),
        "{}",
        stderr(&other)
    );
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches("[Event ").count(), 6);
}

/// A separate run, because it ends with a dead engine; its pairs are not played again.
#[test]
fn the_printed_config_plays_the_same_games() {
    let club = Club::new();
    let told = club.said([60, 30], "-rounds 2 --store match.sqlite");
    let config = club.said([60, 30], "-rounds 2 --print-config");
    let config = club.0.write("match.toml", &config);
    let store = club.0.path("match.sqlite");
    let output = leitai().args(["run", &config, "--store", &store]).output();
    let said = stderr(&output.expect("leitai"));
    assert!(said.contains("2 pairs are taken over"), "{said}");
    let afresh = club.0.path("afresh.sqlite");
    let results = json(&["run", &config, "--store", &afresh, "--json"]);
    assert_eq!(results["pairs_played"], 2);
    let (_, pairs, _) = of_fishtest(&told);
    let row = results["variants"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["name"] == "new");
    let counted: Vec<u64> = pairs.to_vec();
    assert_eq!(row.unwrap()["pentanomial"], serde_json::json!(counted));
}

#[test]
fn a_test_ends_when_it_knows_and_gives_the_blocks_of_others() {
    let club = Club::new();
    let more = "-rounds 40 -sprt elo0=-700 elo1=-400 alpha=0.3 beta=0.3 model=logistic \
                -ratinginterval 2 --store test.sqlite";
    let told = club.said([60, 60], more);
    let last = "SPRT ([-700.00, -400.00]) completed - H1 was accepted\n";
    assert!(told.contains(last), "{told}");
    assert!(told.matches("Finished game").count() < 80);
    assert!(told.contains("LLR: "), "{told}");
    let store = club.0.path("test.sqlite");
    let block = |style: &str| {
        let output = crate::common::run(&["report", &store, "--style", style]);
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let lines = |text: &str| {
        text.lines()
            .map(|line| line.split([' ', ':']).next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        lines(&block("openbench")),
        ["Elo", "SPRT", "LLR", "Games", "Penta"]
    );
    assert_eq!(lines(&block("fishtest")), ["LLR", "Total", "Ptnml(0-2)"]);
    // Wald's bounds, ln(7/3).
    assert!(block("fishtest").contains(" (-0.85,0.85) {-700.00,-400.00}"));
    assert!(block("openbench").contains(" (-0.85, 0.85) [-700.00, -400.00]"));
    assert_eq!(
        lines(&block("fastchess")),
        ["Results", "Elo", "LOS", "Games", "Ptnml(0-2)", "LLR"]
    );
}

/// Deterministic engines repeat their games: from the usual start alone, and where openings are few.
#[test]
fn repeated_pairs_are_reported() {
    let club = Club::new();
    club.0.write(
        "few.epd",
        &BOOK.lines().take(2).collect::<Vec<_>>().join("\n"),
    );
    for (more, repeated) in [
        ("-rounds 6", None),
        ("-rounds 8", Some("2 of 8 pairs repeat")),
        (
            "-rounds 5 -openings file=few.epd",
            Some("3 of 5 pairs repeat"),
        ),
        (
            "-rounds 3 -openings file=few.epd order=random",
            Some("1 of 3 pairs repeat"),
        ),
        ("-rounds 2 -openings file=few.epd start=2", None),
    ] {
        let output = club.play([20, 20], &format!("{more} -maxmoves 3"));
        let told = stderr(&output);
        let expected = repeated.is_some_and(|words| told.contains(words));
        assert_eq!(expected, repeated.is_some(), "{more}: {told}");
        assert_eq!(
            told.contains("an earlier one move by move"),
            expected,
            "{more}: {told}"
        );
    }
}

#[test]
fn cutechess_scores_every_game() {
    let club = Club::new();
    let told = club.said(
        [60, 30],
        "-rounds 2 -output format=cutechess -ratinginterval 1",
    );
    assert_eq!(told.matches("Score of new vs old: ").count(), 4, "{told}");
    assert_eq!(told.matches("Elo difference: ").count(), 2, "{told}");
    assert!(!told.contains("----"), "{told}");
}

#[test]
fn under_the_name_of_fastchess_its_options_are_taken_at_once() {
    let sandbox = Sandbox::new();
    let link = sandbox.path("fastchess-ob");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_leitai"), &link).unwrap();
    let run = |words: &[&str]| {
        std::process::Command::new(&link)
            .args(words)
            .output()
            .unwrap()
    };
    let version = run(&["-version"]);
    assert!(version.status.success());
    // OpenBench takes the first number, and wants at least 1.8.1; fishtest's worker wants a commit
    // after the dash, which a debug build lacks.
    let version = stdout(&version);
    assert!(
        version.starts_with("fastchess alpha 1.8.2\nby leitai 0."),
        "{version}"
    );
    let slip = run(&["-engin", "cmd=x"]);
    assert_eq!(slip.status.code(), Some(2));
    assert!(
        stderr(&slip).contains("did you mean `-engine`?"),
        "{}",
        stderr(&slip)
    );
    assert!(stdout(&run(&[])).contains("-openings"));
}

/// A UCI program that plays an illegal move or exits.
const CULPRIT: &str = "#!/bin/sh
while read -r word rest; do
  case $word in
    uci) echo uciok;;
    isready) echo readyok;;
    go) [ \"$1\" = gone ] && exit 3; echo bestmove a1a1;;
    quit) exit 0;;
  esac
done
";

#[test]
fn failures_are_reported_in_the_callers_units() {
    let club = Club::new();
    let script = club.0.write("culprit.sh", CULPRIT);
    let program = env!("CARGO_BIN_EXE_leitai");
    for (how, faults) in [("there", [0, 0, 4]), ("gone", [4, 0, 0])] {
        let more = format!("args={script} {how}");
        let words = [
            "fastchess",
            "-engine",
            "name=new",
            "cmd=sh",
            &more,
            "-engine",
            "name=old",
            &format!("cmd={program}"),
            "args=engine --game chess",
            "-each",
            "depth=1",
            "-rounds",
            "2",
            "-recover",
            "-repeat",
        ];
        let folder = club.0.path("");
        let output = leitai().args(words).current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let told = stdout(&output);
        let (pairs, counted) = of_openbench(&told);
        assert_eq!((pairs, counted), ([2, 0, 0, 0, 0], faults), "{told}");
        let (games, of_blocks, _) = of_fishtest(&told);
        assert_eq!((games, of_blocks), ([4, 0, 4, 0], pairs), "{told}");
        assert_eq!(told.contains("  Crashed: 4"), how == "gone", "{told}");
    }
}

/// Ten games with failures of one engine only end a Leitai run; a fastchess match is completed.
#[test]
fn a_match_with_a_dead_engine_is_completed_with_a_warning() {
    let club = Club::new();
    let script = club.0.write("culprit.sh", CULPRIT);
    let ours = format!("cmd={}", env!("CARGO_BIN_EXE_leitai"));
    let play = |how: &str, rounds: &str, more: &str| {
        let dead = format!("args={script} {how}");
        let mut words = vec!["fastchess", "-engine", "name=dead", "cmd=sh", &dead];
        words.extend(["-engine", "name=ours", &ours, "args=engine --game chess"]);
        words.extend([
            "-each", "depth=1", "-rounds", rounds, "-repeat", "-srand", "1",
        ]);
        words.extend(["-openings", "file=book.epd", "format=epd"]);
        words.extend(more.split_whitespace());
        let folder = club.0.path("");
        let output = leitai().args(&words).current_dir(folder).output();
        (words.join(" "), output.unwrap())
    };
    for (how, more) in [
        ("gone", "-recover"),
        ("there", "-recover"),
        ("there", ""),
        ("there", "-recover -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05"),
    ] {
        let (words, output) = play(how, "8", more);
        let (out, err) = (stdout(&output), stderr(&output));
        assert!(output.status.success(), "{words:?}: {err}");
        assert!(out.contains("Finished match"), "{words:?}: {out}");
        let games = out.matches("Finished game").count();
        assert!(
            games == 16 || more.contains("-sprt") && games > 10,
            "{words:?}: {out}"
        );
        let said = "`dead` lost each of its first 10 games by its own failure";
        assert_eq!(err.matches(said).count(), 1, "{words:?}: {err}");
    }
    // A match or a test that ends before.
    for (rounds, more, games) in [
        ("3", "", 6),
        ("8", "-sprt elo0=-5 elo1=400 alpha=0.2 beta=0.2", 2),
    ] {
        let (words, output) = play("there", rounds, more);
        let (out, err) = (stdout(&output), stderr(&output));
        let said = format!("warning: `dead` lost each of its first {games} games");
        assert_eq!(err.matches(&said).count(), 1, "{words:?}: {err}\n{out}");
        // The report of the record.
        let (_, record) = err.split_once("the record ").expect("a record");
        let (record, _) = record.split_once(": the same").expect("a record");
        let mut report = leitai();
        let report = report
            .current_dir(club.0.path(""))
            .args(["report", record])
            .output();
        let text = stdout(&report.unwrap());
        let said = "no result, because failures";
        assert!(
            text.contains(said) || text.contains("by failures alone"),
            "{text}"
        );
        assert!(!text.contains("stronger"), "{text}");
    }
}

/// A UCI program that fails in a particular way, with last words.
const TALKER: &str = "#!/bin/sh
while read -r word rest; do
  case $word in
    uci) echo uciok;;
    isready) echo readyok;;
    go) case $1 in
      none) echo 'bestmove (none)';;
      bare) echo bestmove;;
      line) echo info depth 1 score cp 1 pv e2e4 e2e4; echo bestmove a1a1;;
      hostile) printf 'info depth 1 score cp 1 pv a\\302\\2332J\\342\\200\\256\\n'
        printf 'bestmove a\\302\\2332J\\342\\200\\256\\n';;
      prompt) echo 'mock> bestmove e2e4';;
      crash) echo 'out of {cheese}' >&2; exit 139;;
    esac;;
    stop) [ \"$1\" = late ] && echo bestmove e2e4;;
    quit) exit 0;;
  esac
done
";

#[test]
fn the_cause_of_a_failure_is_reported_with_it() {
    let club = Club::new();
    let script = club.0.write("talker.sh", TALKER);
    let program = env!("CARGO_BIN_EXE_leitai");
    for (how, limit, line, note, tag) in [
        (
            "none",
            "depth=1",
            "Warning; Illegal move (none) played by new\nInfo; bestmove (none)\nPosition; fen ",
            ": it replied `bestmove (none)` in a position with 20 legal moves after 0 plies, in `",
            "[Failure \"it replied `bestmove (none)` in a position with 20 legal moves after 0 plies\"]",
        ),
        (
            "prompt",
            "st=0.1",
            "White loses on time (no bestmove within the limit)",
            "it printed `mock> bestmove e2e4`, which Leitai cannot read as an answer",
            "it printed `mock> bestmove e2e4`, which Leitai cannot read as an answer\"]",
        ),
        (
            "crash",
            "depth=1",
            "White disconnects",
            "exit status 139 after 0 plies, in `",
            "its error output ends with `out of {cheese}`\"]",
        ),
    ] {
        let more = format!("args={script} {how}");
        let words = [
            "fastchess",
            "-engine",
            "name=new",
            "cmd=sh",
            &more,
            "-engine",
            "name=old",
            &format!("cmd={program}"),
            "args=engine --game chess",
            "-each",
            limit,
            "-rounds",
            "1",
            "-maxmoves",
            "6",
            "-recover",
            "-force-concurrency",
            "-pgnout",
            &format!("file={how}.pgn"),
        ];
        let folder = club.0.path("");
        let output = leitai().args(words).current_dir(&folder).output().unwrap();
        let (told, noted) = (stdout(&output), stderr(&output));
        assert!(output.status.success(), "{noted}");
        assert!(told.contains(line), "{how}: {told}");
        assert!(!told.contains("(0ms overrun)"), "{how}: {told}");
        assert!(
            noted.contains("`new` failed in game 1 of pair 0: "),
            "{how}: {noted}"
        );
        assert!(noted.contains(note), "{how}: {noted}");
        let games = std::fs::read_to_string(club.0.path(&format!("{how}.pgn"))).expect("games");
        assert_eq!(games.matches("[Failure \"").count(), 2, "{how}: {games}");
        assert!(games.contains(tag), "{how}: {games}");
    }
}

/// Plays two such programs against each other: they start faster than Leitai.
fn between_scripts(club: &Club, script: &str, how: &str, more: &str) -> String {
    let program = format!("args={} {how}", club.0.write("script.sh", script));
    let mut words = vec!["fastchess", "-engine", "name=é", "cmd=sh", &program];
    words.extend(["-engine", "name=old", "cmd=sh", &program]);
    words.extend(more.split(' '));
    let folder = club.0.path("");
    let output = leitai()
        .args(words)
        .current_dir(folder)
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

/// fishtest's worker reads a warning on one line, in ASCII.
#[test]
fn an_illegal_move_and_the_time_of_a_late_one_are_reported() {
    let club = Club::new();
    let usual = "-rounds 1 -recover -testEnv -each";
    for (how, line) in [
        (
            "bare",
            "Warning; Illegal move <none> played by ? :: Info; bestmove :: Position; fen ",
        ),
        (
            "hostile",
            "Warning; Illegal move a\\u{9b}2J\\u{202e} played by ? :: Info; bestmove \
             a\\u{9b}2J\\u{202e} :: Position; fen ",
        ),
        (
            "hostile",
            "Warning; Illegal PV move - move a\\u{9b}2J\\u{202e} from ? :: Info; info depth 1 score \
             cp 1 pv a\\u{9b}2J\\u{202e} :: Position; fen ",
        ),
    ] {
        let told = between_scripts(&club, TALKER, how, &format!("{usual} depth=1"));
        assert!(told.lines().any(|it| it.starts_with(line)), "{how}: {told}");
        assert!(told.contains("{White makes an illegal move}"), "{told}");
    }
    // The warnings about the last line come first.
    let told = between_scripts(&club, TALKER, "line", &format!("{usual} depth=1"));
    let warnings: Vec<&str> = told.lines().filter(|it| it.contains("Warning; ")).collect();
    let [of_line, of_move, ..] = warnings[..] else {
        panic!("{told}");
    };
    let of = "info depth 1 score cp 1 pv e2e4 e2e4 :: Position; fen ";
    assert!(
        of_line.starts_with(&format!(
            "Warning; Illegal PV move - move e2e4 from ? :: Info; {of}"
        )),
        "{told}"
    );
    assert!(
        of_move.starts_with("Warning; Illegal move a1a1 played by ? "),
        "{told}"
    );
    let told = between_scripts(&club, TALKER, "late", &format!("{usual} st=0.02"));
    let (_, late) = told.split_once("{White loses on time (").expect(&told);
    let (late, _) = late.split_once("ms overrun)}").expect(&told);
    assert!(late.parse::<u32>().is_ok_and(|late| late > 0), "{told}");
}

/// Names and lines of engines cannot reorder the text of a terminal, nor of the log.
#[test]
fn foreign_text_is_escaped_in_all_lines() {
    let club = Club::new();
    let program = format!("args={} hostile", club.0.write("script.sh", TALKER));
    let output = leitai()
        .args([
            "fastchess",
            "-engine",
            "name=n\u{202e}m",
            "cmd=sh",
            &program,
        ])
        .args([
            "-engine", "name=old", "cmd=sh", &program, "-each", "depth=1",
        ])
        .args(["-rounds", "1", "-recover"])
        .args(["-log", "file=log.txt", "level=trace", "engine=true"])
        .current_dir(club.0.path(""))
        .output()
        .unwrap();
    let told = stdout(&output);
    let log = fs::read_to_string(club.0.path("log.txt")).unwrap();
    for (text, part) in [
        (&told, "Finished game 2 (old vs n\\u{202e}m): "),
        (&told, "Results of n\\u{202e}m vs old "),
        (&log, "Finished game 2 (old vs n\\u{202e}m): "),
        (&log, "n\\u{202e}m ---> bestmove a\\u{9b}2J\\u{202e}"),
    ] {
        assert!(text.contains(part), "{part}: {text}");
        assert!(!text.contains(['\u{202e}', '\u{9b}']), "{text}");
    }
}

/// A UCI program that knows a move in some positions.
const PLAYER: &str = "#!/bin/sh
while read -r word rest; do
  case $word in
    uci) echo uciok;;
    isready) echo readyok;;
    position) at=$rest;;
    go) case $at in
      *moves*a1a2*) echo info depth 1 score cp -900; echo bestmove e8e7;;
      *moves*g1f3*) echo bestmove g8f6;;
      *R3K3*) echo bestmove a1a8;;
      *1P6*) echo bestmove b3b2;;
      *Q3K3*) echo info depth 1 score cp 900; echo bestmove a1a2;;
      *) echo bestmove g1f3;;
    esac;;
    quit) exit 0;;
  esac
done
";

#[test]
fn endings_have_the_words_of_fastchess() {
    let club = Club::new();
    let book = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1
8/8/8/8/8/1k6/1P6/3K4 b - - 0 1
4k3/8/8/8/8/8/8/Q3K3 w - - 0 1
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
";
    club.0.write("book.epd", book);
    let more = "-each depth=1 -rounds 4 -resign movecount=1 score=500 -maxmoves 1 -openings \
                file=book.epd";
    let told = between_scripts(&club, PLAYER, "", more);
    for reason in [
        "1-0 {White mates}",
        "1/2-1/2 {Draw by insufficient mating material}",
        "1-0 {White wins by adjudication}",
        "1/2-1/2 {Draw by adjudication}",
    ] {
        assert_eq!(told.matches(reason).count(), 2, "{reason}: {told}");
    }
}

#[test]
fn a_file_of_games_is_completed_and_keeps_those_of_others() {
    let club = Club::new();
    let more = "-each depth=1 -rounds 2 -maxmoves 1 -srand 1 -openings file=book.epd \
                -crc32 pgn=true -pgnout file=games.pgn";
    let file = club.0.path("games.pgn");
    let played = |before: &str| {
        fs::write(&file, before).unwrap();
        let told = between_scripts(&club, PLAYER, "", more);
        let written = fs::read_to_string(&file).unwrap();
        assert_eq!(of_fishtest(&told).2.unwrap(), crc32(written.as_bytes()));
        written
    };
    let text = played("");
    assert_eq!(text.matches("[Event ").count(), 4, "{text}");
    // The last game is cut: at its beginning, in its tags and its moves, and at its end.
    let last = text.rfind("[Event ").expect("a game");
    let near_end = text.len() - 4..=text.len();
    for left in (last..text.len()).step_by(37).chain(near_end) {
        assert_eq!(played(&text[..left]), text, "cut to {left}");
    }
    // Games of another run, and an incomplete game of another program.
    let tag = text.split("[Record \"").nth(1).expect("a tag");
    let (run, _) = tag.split_once(' ').expect("a run");
    let foreign = "[Event \"y\"]\n\n1. d4 *";
    for others in [&text.replace(run, "abcdefabcdef"), foreign] {
        let between = if others == foreign { "\n\n" } else { "" };
        assert_eq!(played(others), format!("{others}{between}{text}"));
    }
}

/// Under another name, the program proposes commands with that name.
#[test]
fn proposed_commands_are_those_of_the_program() {
    let sandbox = Sandbox::new();
    let link = sandbox.path("mine");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_leitai"), &link).unwrap();
    for (program, said) in [
        (&*link, "help: `mine run CONFIG` plays other games"),
        (
            env!("CARGO_BIN_EXE_leitai"),
            "help: `leitai run CONFIG` plays other games",
        ),
    ] {
        let mut command = std::process::Command::new(program);
        let output = command.args(["fastchess", "-variant", "atomic"]).output();
        let told = stderr(&output.unwrap());
        assert!(told.contains(said), "{told}");
    }
}

#[test]
fn a_match_without_recover_stops_at_the_first_engine_that_is_gone() {
    let club = Club::new();
    let script = club.0.write("culprit.sh", CULPRIT);
    let output = leitai()
        .args([
            "fastchess",
            "-engine",
            "name=a",
            "cmd=sh",
            &format!("args={script} gone"),
        ])
        .args([
            "-engine",
            "name=b",
            "cmd=sh",
            &format!("args={script} gone"),
        ])
        .args(["-each", "nodes=10"])
        .current_dir(club.0.path(""))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(stderr(&output).contains("-recover"), "{}", stderr(&output));
    let told = stdout(&output);
    let stop = "no recover option set for engine, stopping tournament.\n";
    let last = format!("{stop}Finished game 1 (a vs b): 0-1 {{White disconnects}}\n");
    assert!(told.ends_with(&last), "{told}");
}

#[test]
fn a_saved_config_becomes_one_of_ours() {
    let club = Club::new();
    let saved = r#"{"rounds": 3, "games": 2, "recover": true, "x": 1,
        "opening": {"file": "book.epd", "format": 0, "order": 1, "plies": -1, "start": 2},
        "engines": [{"name": "a", "cmd": "sh", "args": "-c x", "limit": {"nodes": 50}},
                    {"name": "b", "cmd": "sh", "args": "", "limit": {"nodes": 50}}],
        "stats": {"a vs b": {"wins": 1}}}"#;
    club.0.write("config.json", saved);
    let run = |words: &[&str]| {
        leitai()
            .args(words)
            .current_dir(club.0.path(""))
            .output()
            .unwrap()
    };
    let output = run(&["import", "config.json", "-o", "match.toml"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let told = stderr(&output);
    assert!(
        told.contains("statistics are not taken") && told.contains("`x` is not known"),
        "{told}"
    );
    let checked = run(&["check", "match.toml"]);
    assert!(checked.status.success(), "{}", stderr(&checked));
    // An existing file is not overwritten, and a damaged file is reported.
    assert_eq!(
        run(&["import", "config.json", "-o", "match.toml"])
            .status
            .code(),
        Some(2)
    );
    club.0.write("damaged.json", &saved[..100]);
    let damaged = run(&["import", "damaged.json"]);
    assert_eq!(damaged.status.code(), Some(2));
    assert!(
        stderr(&damaged).contains("damaged.json: it is not JSON, or damaged"),
        "{}",
        stderr(&damaged)
    );
}

#[test]
fn all_that_is_translated_is_a_config_that_can_be_played() {
    let club = Club::new();
    let every = "-rounds 3 -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 \
                 -maxmoves 100 -each tc=40/60+0.6 timemargin=250 option.Hash=16 restart=on \
                 -openings start=2 -startup-ms 2000 -ping-ms 2000 --print-config";
    for more in [
        "",
        " -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05",
        " -tournament gauntlet",
    ] {
        let config = club.said([60, 30], &format!("{every}{more}"));
        let config = club.0.write("printed.toml", &config);
        let output = crate::common::run(&["check", &config]);
        assert!(output.status.success(), "{}", stderr(&output));
    }
}

/// Like fastchess, warns and plays: scripts pass `Threads` and `Hash` to all engines.
#[test]
fn options_that_an_engine_lacks_are_reported_and_left_out() {
    let club = Club::new();
    let output = club.play(
        [50, 50],
        "-rounds 1 -each option.Threads=1 option.Nonsense=3",
    );
    let told = stderr(&output);
    assert!(output.status.success(), "{told}");
    assert!(
        told.contains("`new` has no option `Nonsense`: it plays without"),
        "{told}"
    );
    assert!(stdout(&output).contains("Finished game 2"), "{told}");
}

/// Without the Chess960 variant an engine cannot castle from these openings.
#[test]
fn openings_of_chess960_need_its_variant() {
    let club = Club::new();
    let book = "rkbnqnbr/pppppppp/8/8/8/8/PPPPPPPP/RKBNQNBR w KQkq - 0 1\n";
    club.0.write("book.epd", book);
    let output = club.play([50, 50], "-rounds 1");
    let told = stderr(&output);
    assert!(!output.status.success());
    assert!(
        told.contains("line 1: it has castling rights of Chess960"),
        "{told}"
    );
    club.said([50, 50], "-rounds 1 -variant fischerandom");
}

#[test]
fn a_test_reports_only_games_that_count() {
    let club = Club::new();
    let more = "-rounds 40 -games 2 -repeat -concurrency 2 -ratinginterval 1 -srand 1 \
                -sprt elo0=-150 elo1=0 alpha=0.05 beta=0.05 -pgnout file=games.pgn";
    let output = club.said([300, 30], more);
    assert!(output.contains("H1 was accepted"), "{output}");
    let games = output.matches("Finished game").count();
    let last = output.rfind("Games: ").map(|at| &output[at..]).unwrap();
    assert!(last.starts_with(&format!("Games: {games}, ")), "{output}");
    let written = fs::read_to_string(club.0.path("games.pgn")).unwrap();
    assert_eq!(written.matches("[Result ").count(), games);
}
