//! Every file that a command writes: refused before the work if it cannot be written, never
//! overwrites an input, and never prevents the printed table.

mod json;
mod limits;
mod sources;

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::{Command, Output};

use crate::common::{Sandbox, leitai, project, small_tournament, stderr, stdout};

const PROOF: &str = "\
leitai proof 1
claim captured
master defender
target C3
to-move white
board 5
.....
..O..
.OXO.
.....
.....
nodes 1
0 C2
end
";

const PROBLEM: &str = r#"[{"id": "atari", "rows": [".....", ".....", "X....", "OX...", "....."],
"target": "A2", "to_move": "B", "verdict": "captured"}]"#;

/// A folder with one input of every kind, so that every command has work to do.
fn workshop() -> Sandbox {
    let sandbox = Sandbox::new();
    let file = |path: &str| project(path).to_str().expect("UTF-8").to_owned();
    let (book, othello) = (file("openings/xiangqi.epd"), file("openings/othello.txt"));
    let tournament = small_tournament(2, 60);
    sandbox.write("run.toml", &tournament);
    let gate = tournament.replace(
        "[tournament]\nformat = \"round-robin\"\npairs = 2",
        "[gate]\nbase = \"piece-order\"\ncandidate = \"full\"\nelo1 = 400\nmax_pairs = 2",
    );
    sandbox.write("gate.toml", &gate);
    let suite = file("openings/xiangqi-midgame20.epd");
    let variants = "[[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\n\
                    search = { preset = \"full\" }\n";
    let study = format!(
        "game = \"xiangqi\"\n[openings]\nfile = {book:?}\n[study]\nsuite = {suite:?}\ndepth = 1\n\
         resamples = 100\n[study.games]\npairs = 1\nnodes = 30\n{variants}"
    );
    sandbox.write("study.toml", &study);
    sandbox.write("problems.json", PROBLEM);
    let solvers = "game = \"go\"\n[study]\nsuite = \"problems.json\"\nnodes = 2000\n\
                   mode = \"fast\"\nresamples = 100\n[[variant]]\nname = \"pn\"\n\
                   search = { solver = { kind = \"pn\", table = 10 } }\n";
    sandbox.write("solvers.toml", solvers);
    let tune = format!(
        "game = \"othello\"\nlimits = {{ depth = 1 }}\nopenings = {{ file = {othello:?} }}\n\
         [tune]\ngames = 20\n[[tune.parameter]]\npath = \"eval.squares[*]\"\nmin = -100\n\
         max = 200\nstep = 20\n[[variant]]\nname = \"discs\"\neval = {{ preset = \"discs\" }}\n"
    );
    sandbox.write("tune.toml", &tune);
    sandbox.write("games.pgn", "1. h2e2 *\n");
    sandbox.write("player.sh", "exit 1\n");
    sandbox.write("weights.bin", "1 2 3\n");
    let gate = gate.split("[[variant]]").next().expect("terms");
    let gate = gate.replace("piece-order", "a").replace("full", "b");
    let programs = "[[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\nprotocol = \"uci\"\n\
                    command = [\"sh\", \"player.sh\"]\noptions = { EvalFile = \"weights.bin\" }\n";
    sandbox.write("programs.toml", &format!("{gate}{programs}"));
    sandbox.write("one.proof", PROOF);
    fs::create_dir(sandbox.path("folder")).expect("made");
    for (config, command) in [("run.toml", "run"), ("gate.toml", "gate")] {
        let store = format!("{command}.sqlite");
        in_it(&sandbox, &[command, config, "--store", &store, "--quiet"]);
    }
    sandbox
}

fn in_it(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    let mut command: Command = leitai();
    let command = command.current_dir(sandbox.path("")).args(arguments);
    command.output().expect("the binary runs")
}

/// A command line with `file` in place of `{}`.
fn with_file(line: &str, file: &str) -> Vec<String> {
    let words = line.split(' ');
    words.map(|word| word.replace("{}", file)).collect()
}

/// Commands with every option that names an output file.
const WRITERS: &[&str] = &[
    "study study.toml --csv={}",
    "study study.toml --summary-csv {}",
    "study study.toml --store {}",
    "study solvers.toml --csv={}",
    "study solvers.toml --summary-csv {}",
    "study solvers.toml --trajectories {}",
    "study solvers.toml --store {}",
    "run run.toml --store {}",
    "gate gate.toml --store {}",
    "gate gate.toml --store new.sqlite --junit {}",
    "gate gate.toml --store new.sqlite --markdown={}",
    "report run.sqlite --pgn {}",
    "report gate.sqlite --junit {}",
    "report gate.sqlite --markdown={}",
    "tune tune.toml --out {}",
    "tune tune.toml --store {}",
    "convert games.pgn --to epd -o {}",
    "solve go --problem problems.json --proofs {}",
    "check-proof one.proof --sgf {}",
    "openings generate othello --count 3 --plies 4 --nodes 50 -o {}",
    "openings go --size 5 --count 2 --nodes 500 -o {}",
];

/// Commands that write into a folder.
const FOLDERS: &[&str] = &[
    "study study.toml --svg={}",
    "study solvers.toml --svg={}",
    "run run.toml --store new.sqlite --dialogue {}",
    "gate gate.toml --store new.sqlite --dialogue {}",
    "tune tune.toml --store new.sqlite --dialogue {}",
];

/// Runs a command that has to refuse a file: it prints nothing and changes nothing.
fn refused(sandbox: &Sandbox, line: &str, file: &str) -> String {
    let before = everything(sandbox);
    let arguments = with_file(line, file);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = in_it(sandbox, &arguments);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{line}, {file}: {said}");
    assert_eq!(stdout(&output), "", "{line}, {file}");
    assert!(
        said.starts_with("error: ") || said.contains("\nerror: "),
        "{line}, {file}: {said}"
    );
    let name = file.trim_start_matches("./").trim_end_matches('/');
    let folder = name.rsplit_once('/').map_or(name, |(folder, _)| folder);
    assert!(said.contains(folder), "{line}, {file}: {said}");
    assert!(said.contains("help: "), "{line}, {file}: {said}");
    assert_eq!(everything(sandbox), before, "{line}, {file}");
    said
}

/// Names and contents of all files.
fn everything(sandbox: &Sandbox) -> Vec<(String, u64)> {
    let names = sandbox.files().into_iter();
    names
        .map(|name| {
            let bytes = fs::read(sandbox.path(&name)).unwrap_or_default();
            let mut hasher = DefaultHasher::new();
            bytes.hash(&mut hasher);
            (name, hasher.finish())
        })
        .collect()
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_work() {
    let sandbox = workshop();
    for line in WRITERS {
        for file in ["no/such/file", "folder", "games.pgn/file"] {
            let said = refused(&sandbox, line, file);
            assert!(said.matches("os error").count() < 2, "{said}");
        }
    }
    for line in FOLDERS {
        refused(&sandbox, line, "games.pgn");
        refused(&sandbox, line, "games.pgn/folder");
    }
    // A tune reads its own output again.
    for stream in ["/dev/stdout", "/dev/null"] {
        let said = refused(&sandbox, "tune tune.toml --out {}", stream);
        assert!(said.contains("a device or a pipe"), "{said}");
    }
    // The page of a tune is named after its config.
    for page in ["tune.report.html", "tune.trajectory.csv", "tune.tuned.toml"] {
        fs::create_dir(sandbox.path(page)).unwrap();
        let said = refused(&sandbox, "tune tune.toml --store new.sqlite", page);
        assert!(said.contains("it is a folder"), "{said}");
        fs::remove_dir(sandbox.path(page)).unwrap();
    }
}

#[test]
fn no_command_overwrites_its_input() {
    let sandbox = workshop();
    let at = |name: &str| sandbox.path(name);
    for (name, link) in [("study.toml", "hard.toml"), ("run.sqlite", "hard.sqlite")] {
        fs::hard_link(at(name), at(link)).unwrap();
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("gate.sqlite", at("soft.sqlite")).unwrap();
        std::os::unix::fs::symlink("folder", at("other")).unwrap();
        fs::copy(at("gate.sqlite"), at("folder/deep.sqlite")).unwrap();
    }
    for (line, file) in [
        ("study study.toml --csv={}", "study.toml"),
        ("study study.toml --csv={}", "./study.toml"),
        ("study study.toml --csv={}", "hard.toml"),
        ("study study.toml --csv={}", "study.sqlite"),
        ("study solvers.toml --csv={}", "solvers.sqlite"),
        ("study solvers.toml --trajectories {}", "problems.json"),
        ("study study.toml --csv=a.csv --summary-csv {}", "./a.csv"),
        ("gate gate.toml --store new.sqlite --junit {}", "new.sqlite"),
        (
            "gate gate.toml --store gate.sqlite --markdown={}",
            "soft.sqlite",
        ),
        ("report run.sqlite --pgn {}", "run.sqlite"),
        ("report run.sqlite --pgn {}", "hard.sqlite"),
        ("report gate.sqlite --junit {}", "gate.sqlite"),
        // SQLite's files for a record with any name.
        ("report soft.sqlite --pgn {}", "gate.sqlite-wal"),
        ("report soft.sqlite --pgn {}", "./gate.sqlite-journal"),
        ("report soft.sqlite --pgn {}", "soft.sqlite-wal"),
        ("report gate.sqlite --pgn {}", "gate.sqlite-shm"),
        (
            "report other/deep.sqlite --pgn {}",
            "folder/deep.sqlite-wal",
        ),
        (
            "report folder/deep.sqlite --pgn {}",
            "other/deep.sqlite-wal",
        ),
        (
            "gate gate.toml --store soft.sqlite --junit {}",
            "gate.sqlite-wal",
        ),
        // The same for a record that the command does not read.
        ("convert games.pgn -o {}", "gate.sqlite-wal"),
        ("convert games.pgn -o {}", "run.sqlite-shm"),
        ("study study.toml --csv={}", "hard.sqlite-journal"),
        ("study study.toml --csv={}", "gate.sqlite"),
        ("tune tune.toml --out {}", "other/deep.sqlite-wal"),
        ("tune tune.toml --out {}", "tune.toml"),
        ("convert games.pgn -o {}", "games.pgn"),
        ("convert run.sqlite -o {}", "run.sqlite"),
        (
            "solve go --problem problems.json --proofs {}",
            "problems.json",
        ),
        ("check-proof one.proof --sgf {}", "one.proof"),
        (
            "openings generate xiangqi --count 3 --nodes 50 --config run.toml --force -o {}",
            "run.toml",
        ),
        // A script is an input of the program that runs it.
        (
            "gate programs.toml --store new.sqlite --junit {}",
            "player.sh",
        ),
        (
            "gate programs.toml --store new.sqlite --markdown={}",
            "weights.bin",
        ),
    ] {
        refused(&sandbox, line, file);
    }
    // A name that only resembles that of a log is allowed.
    let output = in_it(&sandbox, &["convert", "games.pgn", "-o", "no.sqlite-wal"]);
    assert!(output.status.success(), "{}", stderr(&output));
}

/// Under another name of its file a record would seem to have fewer games.
#[test]
fn a_record_of_several_names_is_refused() {
    let sandbox = workshop();
    let (record, hard) = (sandbox.path("run.sqlite"), sandbox.path("hard.sqlite"));
    fs::hard_link(&record, &hard).unwrap();
    for line in [
        "report hard.sqlite",
        "report run.sqlite",
        "report hard.sqlite --list",
        "convert hard.sqlite",
        "rate hard.sqlite",
        "verify hard.sqlite",
        "run run.toml --store hard.sqlite",
        "study study.toml --store hard.sqlite",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let output = in_it(&sandbox, &words);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert_eq!(stdout(&output), "", "{line}");
        assert!(said.contains("is a file of 2 names"), "{line}: {said}");
        assert!(
            said.contains("help: remove the other names"),
            "{line}: {said}"
        );
    }
    fs::remove_file(hard).unwrap();
    assert!(in_it(&sandbox, &["report", "run.sqlite"]).status.success());
}

/// Two outputs on standard output are refused; a file in addition to standard output is written.
#[test]
fn standard_output_takes_one_output() {
    let sandbox = workshop();
    for line in [
        "report run.sqlite --pgn - --json",
        "report gate.sqlite --pgn - --markdown",
        "report gate.sqlite --junit - --markdown",
        "gate gate.toml --store gate.sqlite --json --junit -",
    ] {
        let output = in_it(&sandbox, &line.split(' ').collect::<Vec<_>>());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert_eq!(stdout(&output), "", "{line}");
        assert!(
            said.contains("already uses standard output"),
            "{line}: {said}"
        );
    }
    // An output that cannot go to standard output creates no file of that name.
    for line in WRITERS {
        if ![
            "--pgn",
            "--junit {}",
            "--markdown={}",
            "--csv={}",
            "--store {}",
            "convert",
        ]
        .iter()
        .any(|it| line.contains(it))
        {
            refused(&sandbox, line, "-");
        }
    }
    let line = "report gate.sqlite --pgn - --junit gate.xml";
    let output = in_it(&sandbox, &line.split(' ').collect::<Vec<_>>());
    assert!(stdout(&output).starts_with("[Game "));
    assert!(
        fs::read_to_string(sandbox.path("gate.xml"))
            .unwrap()
            .contains("<testsuite")
    );
    // Standard output must not be the record.
    let record = fs::read(sandbox.path("run.sqlite")).unwrap();
    let end = fs::File::options()
        .append(true)
        .open(sandbox.path("run.sqlite"));
    let mut command = leitai();
    let command = command.current_dir(sandbox.path("")).stdout(end.unwrap());
    let status = command
        .args(["report", "run.sqlite", "--pgn", "-"])
        .status();
    assert_eq!(status.unwrap().code(), Some(2));
    assert_eq!(fs::read(sandbox.path("run.sqlite")).unwrap(), record);
}

/// A pipe with a reader is written, and the wait for a reader is limited.
#[cfg(unix)]
#[test]
fn a_pipe_without_a_reader_is_refused() {
    let sandbox = workshop();
    let pipe = sandbox.path("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let line = ["report", "run.sqlite", "--pgn", "pipe"];
    let output = in_it(&sandbox, &line);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("a pipe without a reader"),
        "{}",
        stderr(&output)
    );
    let reader = Command::new("cat")
        .arg(&pipe)
        .stdout(std::process::Stdio::piped())
        .spawn();
    let output = in_it(&sandbox, &line);
    assert!(output.status.success(), "{}", stderr(&output));
    let read = stdout(&reader.unwrap().wait_with_output().unwrap());
    let direct = stdout(&in_it(&sandbox, &["report", "run.sqlite", "--pgn", "-"]));
    assert_eq!(read, direct);
}

#[test]
fn tables_are_reported_even_without_their_files() {
    let sandbox = workshop();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/dev/full", sandbox.path("tune.report.html")).unwrap();
    for (line, told) in [
        (
            "study study.toml --quiet --csv={} --svg=plots",
            "nodes of the iteration",
        ),
        (
            "study study.toml --quiet --summary-csv {} --json",
            "\"positions\":20",
        ),
        ("study solvers.toml --quiet --trajectories {}", "pn"),
        (
            "gate gate.toml --store gate.sqlite --quiet --junit {}",
            "full",
        ),
        (
            "gate gate.toml --store gate.sqlite --quiet --markdown={} --json",
            "\"verdict\"",
        ),
        ("report run.sqlite --pgn {}", "piece-order"),
        ("report gate.sqlite --markdown={}", "full"),
        (
            "tune tune.toml --quiet --no-proof --json --store new.sqlite",
            "\"complete\":true",
        ),
        (
            "solve go --quiet --problem problems.json --proofs {}",
            "captured",
        ),
        ("check-proof one.proof --sgf {}", "valid"),
    ] {
        let arguments = with_file(line, "/dev/full");
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = in_it(&sandbox, &arguments);
        let (out, said) = (stdout(&output).to_lowercase(), stderr(&output));
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(out.contains(&told.to_lowercase()), "{line}: {out}");
        assert!(said.contains("No space left"), "{line}: {said}");
        assert!(said.contains("help: free disk space"), "{line}: {said}");
    }
    // One file that cannot be written does not prevent the others. Of several the first one is the
    // error of the command, which comes last.
    assert!(Path::new(&sandbox.path("plots/nodes.svg")).exists());
    for file in ["one.json", "three.csv"] {
        std::os::unix::fs::symlink("/dev/full", sandbox.path(file)).unwrap();
    }
    sandbox.write("pairs.csv", "first,second,wins,draws,losses\nA,B,3,2,1\n");
    let files = ["--json=one.json", "--markdown=two.md", "--csv=three.csv"];
    let output = in_it(&sandbox, &[&["rate", "pairs.csv"][..], &files].concat());
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    let errors = said.lines().filter(|line| line.starts_with("error: "));
    let errors: Vec<&str> = errors.collect();
    assert!(
        errors.len() == 2 && errors[0].contains("three.csv") && errors[1].contains("one.json"),
        "{said}"
    );
    assert!(Path::new(&sandbox.path("two.md")).exists());
}

/// `/dev/stdout` is standard output, even if that is a file.
#[cfg(unix)]
#[test]
fn a_file_that_is_standard_output_is_added_to() {
    let sandbox = workshop();
    let out = fs::File::create(sandbox.path("out.txt")).unwrap();
    let done = leitai()
        .current_dir(sandbox.path(""))
        .args(["check-proof", "one.proof", "--sgf", "/dev/stdout"])
        .stdout(out)
        .status()
        .unwrap();
    assert!(done.success());
    let text = fs::read_to_string(sandbox.path("out.txt")).unwrap();
    assert!(
        text.starts_with("one.proof:1: valid") && text.contains("(;"),
        "{text}"
    );
}
