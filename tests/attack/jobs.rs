//! The attacked commands on a small scale: their inputs, outputs and answers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::programs::mock;
use crate::common::{leitai, project, small_tournament};

/// A command in its own folder.
pub(crate) struct Job {
    pub(crate) name: &'static str,
    /// Commands that run once, before the attack.
    before: &'static [&'static str],
    /// The command itself, as words separated by spaces.
    pub(crate) command: &'static str,
    /// Commands that read its outputs.
    pub(crate) readers: &'static [&'static str],
    /// Files that it overwrites.
    pub(crate) outputs: &'static [&'static str],
    /// True if it runs for some time, and leaves work for the next call if it is killed.
    pub(crate) works: bool,
}

pub(crate) const JOBS: &[Job] = &[
    Job {
        name: "run",
        before: &[],
        command: "run run.toml --json -q -t2",
        readers: &[
            "report run.sqlite --json",
            "report run.sqlite --pgn -",
            "report run.sqlite --list --json",
            "rate run.sqlite --json",
            "verify run.sqlite --json -t1",
        ],
        outputs: &[],
        works: true,
    },
    Job {
        name: "gate",
        before: &[],
        command: "gate gate.toml --json -q -t2 --junit gate.xml --markdown=gate.md",
        readers: &["report gate.sqlite --json", "report gate.sqlite --junit -"],
        outputs: &["gate.xml", "gate.md"],
        works: true,
    },
    Job {
        name: "tune by regression, with all stages",
        before: &[],
        command: "tune night.toml --json -q -t2",
        readers: &["check night.tuned.toml --json"],
        outputs: &[],
        works: true,
    },
    Job {
        name: "tune by spsa",
        before: &[],
        command: "tune spsa.toml --json -q -t2 --no-proof",
        readers: &["check spsa.tuned.toml --json"],
        outputs: &[],
        works: true,
    },
    Job {
        name: "tune by hill climbing",
        before: &[],
        command: "tune climb.toml --json -q -t2 --no-proof",
        readers: &[],
        outputs: &[],
        works: true,
    },
    Job {
        name: "study",
        before: &[],
        command: "study study.toml --no-times --json -q -t2 --csv=cells.csv --summary-csv sums.csv --svg=plots",
        readers: &["study study.toml --no-times -q -t1 --markdown"],
        outputs: &["cells.csv", "sums.csv"],
        works: true,
    },
    Job {
        name: "study of solvers",
        before: &[],
        command: "study solvers.toml --no-times --json -q -t2 --csv=cells.csv --trajectories traces.csv",
        readers: &["study solvers.toml --no-times -q -t1"],
        outputs: &["cells.csv", "traces.csv"],
        works: true,
    },
    Job {
        name: "run with a program",
        before: &[],
        command: "run external.toml --json -q -t2",
        readers: &[
            "report external.sqlite --json",
            "report external.sqlite --pgn -",
        ],
        outputs: &[],
        works: true,
    },
    Job {
        name: "openings generate",
        before: &[],
        command: "openings generate xiangqi --count 30 --plies 6 --nodes 300 --seed 7 -o new.epd --force -q -t2",
        readers: &["openings check xiangqi new.epd --json"],
        outputs: &["new.epd"],
        works: true,
    },
    Job {
        name: "openings go",
        before: &[],
        command: "openings go --size 7 --count 4 --nodes 2000 --seed 3 -o new.json --force -q -t2",
        readers: &[],
        outputs: &["new.json"],
        works: true,
    },
    Job {
        name: "solve go",
        before: &[],
        command: "solve go --problem problems.json --proofs all.proof -q -t2",
        readers: &["check-proof all.proof"],
        outputs: &["all.proof"],
        works: true,
    },
    Job {
        name: "report --pgn",
        before: &["run run.toml --json -q"],
        command: "report run.sqlite --pgn games.pgn --json",
        readers: &["rate games.pgn --json", "convert games.pgn --check --json"],
        outputs: &["games.pgn"],
        works: false,
    },
    Job {
        name: "report of a gate",
        before: &["gate gate.toml --json -q"],
        command: "report gate.sqlite --json --junit gate.xml --markdown=gate.md",
        readers: &[],
        outputs: &["gate.xml", "gate.md"],
        works: false,
    },
    Job {
        name: "convert",
        before: &["run run.toml --json -q"],
        command: "convert run.sqlite --to json -o games.json",
        readers: &["convert run.sqlite --every --unique"],
        outputs: &["games.json"],
        works: false,
    },
    Job {
        name: "rate",
        before: &["run run.toml --json -q"],
        command: "rate run.sqlite --bootstrap 300 --json",
        readers: &[],
        outputs: &[],
        works: false,
    },
    Job {
        name: "verify",
        before: &["run run.toml --json -q"],
        command: "verify run.sqlite --json",
        readers: &[],
        outputs: &[],
        works: false,
    },
    Job {
        name: "solve othello",
        before: &[],
        command: "solve othello --file ends.obf --last 40 --json",
        readers: &[],
        outputs: &[],
        works: false,
    },
    Job {
        name: "check-proof",
        before: &["solve go --problem problems.json --proofs all.proof -q"],
        command: "check-proof all.proof --sgf all.sgf --exhaustive",
        readers: &[],
        outputs: &["all.sgf"],
        works: false,
    },
];

/// The old content of overwritten files.
const OLD: &str = "old\n";

/// A command's answer and its files except records: names and contents.
pub(crate) type Answer = BTreeMap<String, String>;

impl Job {
    /// A folder prepared for the command.
    pub(crate) fn folder(&self) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        write_inputs(folder.path());
        for command in self.before {
            let output = give(folder.path(), command).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(
                matches!(output.status.code(), Some(0 | 1 | 3)),
                "{command}: {said}"
            );
        }
        for output in self.outputs {
            fs::write(folder.path().join(output), OLD).unwrap();
        }
        folder
    }

    /// Runs the command to its end.
    pub(crate) fn finish(&self, folder: &Path) -> Answer {
        let output = give(folder, self.command).output().unwrap();
        answer(folder, &output)
    }

    /// The answers of its readers.
    pub(crate) fn read(&self, folder: &Path) -> Vec<(i32, String)> {
        let read = |command: &&str| {
            let output = give(folder, command).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            let out = String::from_utf8_lossy(&output.stdout);
            // Every record has its own.
            let out = without_value(&out, "\"begun\":\"");
            (output.status.code().unwrap_or(-1), out + &said)
        };
        self.readers.iter().map(read).collect()
    }

    /// Returns whether an output file has its old or its new content.
    pub(crate) fn is_whole(&self, name: &str, text: &str, becomes: &Answer) -> bool {
        becomes.get(name).is_some_and(|new| new == text)
            || (self.outputs.contains(&name) && text == OLD)
    }
}

/// A command line in a folder.
pub(crate) fn give(folder: &Path, command: &str) -> Command {
    let mut leitai = leitai();
    leitai.current_dir(folder).args(command.split(' '));
    leitai
}

/// The output of a command, and the files in the folder.
pub(crate) fn answer(folder: &Path, output: &Output) -> Answer {
    let mut answer = files(folder);
    answer.insert(
        "exit code".to_owned(),
        format!("{:?}", output.status.code()),
    );
    let out = String::from_utf8_lossy(&output.stdout);
    answer.insert("standard output".to_owned(), timeless(&out));
    answer
}

/// The text without the letters and digits behind `key`.
fn without_value(text: &str, key: &str) -> String {
    let mut parts = text.split(key);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "-:.".contains(c))
    })
}

/// The text without milliseconds, in JSON too.
fn timeless(text: &str) -> String {
    let text = without_value(text, "\"ms\":");
    let mut words: Vec<&str> = text.split(' ').collect();
    for at in 1..words.len() {
        if words[at].starts_with("ms") {
            words[at - 1] = "";
        }
    }
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

/// The files of a folder and its subfolders, except records and lists of processes.
pub(crate) fn files(folder: &Path) -> Answer {
    let mut found = Answer::new();
    for name in names(folder) {
        if !is_record(&name) && name != "pids" {
            let bytes = fs::read(folder.join(&name)).unwrap();
            found.insert(name, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    found
}

/// All names in a folder and its subfolders, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            let inner = self::names(&entry.path());
            names.extend(inner.into_iter().map(|inner| format!("{name}/{inner}")));
        } else {
            names.push(name);
        }
    }
    names.sort();
    names
}

/// Returns whether a file stores games or search results.
pub(crate) fn is_record(name: &str) -> bool {
    name.contains(".sqlite") || name.contains(".journal")
}

fn write_inputs(folder: &Path) {
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    let lines = |file: &str, count: usize| -> String {
        let text = fs::read_to_string(project(file)).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with(['#', '%']));
        lines.take(count).flat_map(|line| [line, "\n"]).collect()
    };
    write("xiangqi.epd", &lines("openings/xiangqi.epd", 120));
    write("othello.txt", &lines("openings/othello.txt", 1_000));
    write("suite.epd", &lines("openings/xiangqi-midgame20.epd", 8));
    write("ends.obf", &lines("tests/data/endgames.obf", 40));
    let book = project("openings/xiangqi.epd");
    let run = small_tournament(4, 60).replace(book.to_str().unwrap(), "xiangqi.epd");
    write("run.toml", &run);
    write(
        "gate.toml",
        &run.replace(
            "[tournament]\nformat = \"round-robin\"\npairs = 4",
            "[gate]\nbase = \"piece-order\"\ncandidate = \"full\"\nelo1 = 100\nmax_pairs = 40",
        ),
    );
    write("night.toml", NIGHT);
    for (name, algorithm) in [("spsa.toml", "spsa"), ("climb.toml", "hill-climb")] {
        write(name, &TUNE.replace("regression", algorithm));
    }
    write("study.toml", STUDY);
    write("solvers.toml", SOLVERS);
    write("problems.json", PROBLEMS);
    write("external.toml", &external("uci start good", ""));
}

/// A match of a search against the mock with that behaviour.
pub(crate) fn external(orders: &str, more: &str) -> String {
    let program = std::env::current_exe().unwrap();
    let program = program.to_str().unwrap();
    format!(
        "game = \"xiangqi\"\nlimits = {{ nodes = 60 }}\nopenings = {{ file = \"xiangqi.epd\" }}\n\
         adjudication = {{ max_plies = 24 }}\ntournament = {{ pairs = 12 }}\n\
         [[variant]]\nname = \"ours\"\nsearch = {{ table_mb = 1 }}\n\
         [[variant]]\nname = \"mock\"\ncommand = [{program:?}, \"attack::mock_player\", \"--exact\", \
         \"--nocapture\", \"--test-threads=1\"]\nprotocol = \"uci\"\n\
         environment = {{ {} = {orders:?}, {} = \"pids\" }}\nstartup = \"60s\"\nstall = \"60s\"\n{more}",
        mock::MOCK,
        mock::PIDS,
    )
}

/// A fit, games, proofs and a pool at one and two plies.
const NIGHT: &str = r#"
game = "othello"
seed = 3
limits = { depth = 1 }
openings = { file = "othello.txt" }

[tune]
games = 600
handicap = "off"
no_effect = "move"
proof = { elo0 = 0, elo1 = 100, max_pairs = 60 }

[[tune.parameter]]
path = "eval.squares[*]"
min = -100
max = 200
step = 20

[tune.texel]
games = 400
epochs = 60
gate = { elo0 = 0, elo1 = 100, max_pairs = 60 }

[[tune.texel.parameter]]
path = "eval.squares[*]"
range = 200

[tune.second]
limits = { depth = 2 }
elo1 = 100
max_pairs = 40

[tune.pool]
variants = ["other"]
references = ["usual"]
pairs = 10
checkpoints = 1

[[variant]]
name = "discs"  # ten classes
eval = { preset = "discs" }

[[variant]]
name = "usual"
eval = { preset = "squares" }

[[variant]]
name = "other"
eval = { preset = "squares", squares = [50, -10, 0, 0, -20, 0, 0, 0, 0, 0] }
"#;

const TUNE: &str = r#"
game = "othello"
seed = 3
limits = { depth = 1 }
openings = { file = "othello.txt" }

[tune]
algorithm = "regression"
games = 600
handicap = "off"
no_effect = "move"

[[tune.parameter]]
path = "eval.squares[*]"
min = -100
max = 200
step = 20

[[variant]]
name = "discs"
eval = { preset = "discs" }
"#;

const STUDY: &str = r#"
game = "xiangqi"
seed = 5
openings = { file = "xiangqi.epd" }

[study]
suite = "suite.epd"
depth = 3
nodes = 4_000
resamples = 200

[study.games]
pairs = 3
nodes = 60

[[variant]]
name = "by-piece"
search = { ordering = ["by-piece"], quiescence = false, table_mb = 1 }

[[variant]]
name = "full"
search = { preset = "full", table_mb = 1 }
"#;

const SOLVERS: &str = r#"
game = "go"
seed = 5

[study]
suite = "problems.json"
nodes = 4_000
mode = "fast"
resamples = 200

[[variant]]
name = "alpha-beta"
search = { solver = { kind = "alpha-beta", table = 12 } }

[[variant]]
name = "pn"
search = { solver = { kind = "pn", table = 12 } }

[[variant]]
name = "df-pn+"
search = { solver = { kind = "df-pn+", table = 12 } }
"#;

const PROBLEMS: &str = r#"[
{"id": "atari", "rows": [".....", ".....", "X....", "OX...", "....."],
 "target": "A2", "to_move": "B", "verdict": "captured", "solutions": ["A1"]},
{"id": "ladder", "rows": [".........", ".........", "...X.....", "..XO.....", "..X......",
  ".........", ".........", ".........", "........."],
 "target": "D6", "to_move": "B", "verdict": "captured", "solutions": ["E6"]},
{"id": "net", "rows": ["......", "..XX..", ".XO...", ".X....", "......", "......"],
 "target": "C4", "to_move": "B", "verdict": "captured"},
{"id": "free", "rows": [".......", ".......", "...X...", "...O...", ".......", ".......", "......."],
 "target": "D4", "to_move": "W", "verdict": "escapes"}
]"#;
