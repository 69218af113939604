//! The table of protocol, moment and behaviour with the expected results.

/// The expected result of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// All games are played to their usual end; all problems are answered.
    Fine,
    /// The mock loses all games, each by one of these causes; a solver has faults.
    Loses(&'static [&'static str]),
    /// The command reports the error and does not begin.
    Refused,
    /// Any of these results.
    Harmless,
}

#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) protocol: &'static str,
    pub(crate) moment: &'static str,
    pub(crate) behaviour: String,
    pub(crate) expected: Expected,
}

const PROTOCOLS: [&str; 7] = [
    "uci",
    "uci-cyclone",
    "ucci",
    "cecp",
    "gtp",
    "nboard",
    "solver",
];

/// Sends nothing usable, and keeps running.
const SILENT: &[&str] = &[
    "silent",
    "park",
    "spin",
    "stop-itself",
    "half-line",
    "endless-line",
    "endless-lines",
];
/// Exits, or closes its output.
const DEAD: &[&str] = &[
    "exit0",
    "exit3",
    "abort",
    "last-words",
    "half-line-exit",
    "child-and-exit",
    "close-out",
    "binary",
];
/// Does something odd in addition to its correct answer.
const ODD: &[&str] = &[
    "good",
    "early",
    "binary-then",
    "latin1",
    "nul",
    "controls",
    "foreign",
    "errors",
    "endless-errors",
    "rename",
    "leave-group",
    "child",
    "runaway",
    "slow-bytes",
    "ignore-quit",
    "ignore-term",
    "close-in",
    "fuzz-1",
    "fuzz-2",
];
/// Misbehaves in the greeting.
const GREETINGS: &[&str] = &["control-name", "huge-name", "endless-offers"];
/// Gives a wrong answer.
const ANSWERS: &[&str] = &[
    "illegal",
    "no-square",
    "null",
    "controls-move",
    "huge-move",
    "others",
    "empty",
    "twice",
    "twice-later",
    "late",
    "resign",
    "draw-claim",
];
/// Wrong answers that only GTP has.
const NUMBERED: &[&str] = &["wrong-id", "no-id", "refusal"];

pub(crate) fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for protocol in PROTOCOLS {
        let numbered = matches!(protocol, "gtp" | "solver");
        let ready = if numbered { "told" } else { "ready" };
        let groups: [(&[&str], &[&str]); 5] = [
            (
                SILENT,
                &["start", "greeting", ready, "again", "go", "later", "quit"],
            ),
            (
                DEAD,
                &["start", "greeting", ready, "again", "go", "later", "quit"],
            ),
            (ODD, &["greeting", "again", "go"]),
            (GREETINGS, &["greeting"]),
            (ANSWERS, &["go", "later"]),
        ];
        let more: (&[&str], &[&str]) = (NUMBERED, &["again", "go", "later"]);
        for (behaviours, moments) in groups.into_iter().chain(numbered.then_some(more)) {
            for &moment in moments {
                for &behaviour in behaviours {
                    cells.push(Cell {
                        protocol,
                        moment,
                        behaviour: behaviour.to_owned(),
                        expected: expected(protocol, moment, behaviour),
                    });
                }
            }
        }
    }
    cells
}

fn expected(protocol: &str, moment: &str, behaviour: &str) -> Expected {
    use Expected::{Fine, Harmless, Loses, Refused};
    const SAYS_NONSENSE: Expected = Loses(&["malformed-output", "illegal-move"]);
    if moment == "quit" {
        return Fine;
    }
    let numbered = matches!(protocol, "gtp" | "solver");
    let beginning = matches!(moment, "start" | "greeting" | "ready" | "told");
    let begins_or = |expected| if beginning { Refused } else { expected };
    match behaviour {
        // Answers to commands that only pass information are not awaited one by one.
        "silent" | "wrong-id" if numbered && matches!(moment, "told" | "again") => Harmless,
        "endless-line" => begins_or(Loses(&["malformed-output", "stall"])),
        // Leitai asks nothing before the greeting, so that no answer is missing.
        _ if SILENT.contains(&behaviour) && moment == "start" => match behaviour {
            "silent" | "half-line" => Harmless,
            _ => Refused,
        },
        // Version 1 of CECP has no greeting.
        "silent" | "park" | "spin" | "stop-itself" | "half-line"
            if protocol == "cecp" && moment == "greeting" =>
        {
            Harmless
        }
        "endless-lines" => begins_or(Loses(&["stall", "malformed-output"])),
        _ if SILENT.contains(&behaviour) => begins_or(Loses(&["stall"])),
        "binary" if moment == "start" => Harmless,
        "binary" => begins_or(Loses(&["malformed-output", "stall"])),
        "half-line-exit" => begins_or(Loses(&["crash", "disconnect", "malformed-output"])),
        _ if DEAD.contains(&behaviour) => begins_or(Loses(&["crash", "disconnect"])),
        // Invalid text may end a conversation, but need not.
        "binary-then" | "nul" | "controls" | "huge-name" | "fuzz-1" | "fuzz-2" => Harmless,
        "close-in" if beginning => Harmless,
        "close-in" => Loses(&["crash", "disconnect", "stall"]),
        "endless-offers" => Refused,
        // The first move after the question is the answer.
        "early" if moment == "go" => Harmless,
        "late" => Loses(&["stall"]),
        // Having no move has other causes too.
        "resign" if protocol == "ucci" => Harmless,
        // Four digits are a code, and a solver may refuse a problem.
        "null" | "refusal" if protocol == "solver" => Harmless,
        "resign" if matches!(protocol, "cecp" | "gtp") => Loses(&["resignation"]),
        "others" => Loses(&["illegal-move", "malformed-output"]),
        // No answer, and not a fault by itself: the game waits for one.
        "controls-move" | "huge-move" => Loses(&["malformed-output", "illegal-move", "stall"]),
        "illegal" | "no-square" | "null" | "empty" | "resign" => SAYS_NONSENSE,
        "wrong-id" => Loses(&["stall", "malformed-output"]),
        "refusal" => Loses(&["malformed-output"]),
        _ => Fine,
    }
}
