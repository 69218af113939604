//! A certificate as an SGF tree (FF\[4\]), for any program that displays Go games.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::certificate::{Certificate, Claim, Play, Spot, Stone};
use super::names::spot_name;

/// The remaining output, next item last.
enum Task {
    /// A node, and the remark about the play that leads there.
    Node(u32, &'static str),
    /// The end of the subtree of a node.
    Leave(u32),
    /// Literal text.
    Text(String),
}

/// The strategy as a tree of variations, with the claim in its first comment. Nodes have their
/// numbers as names. The subtree of a node is written at its first occurrence, and again at later
/// ones while the tree has fewer than `bound` nodes. After that, and where an escape repeats, a
/// comment names the node that continues.
///
/// Works for every certificate, valid or not: missing nodes are named and left out.
pub fn to_sgf(certificate: &Certificate, bound: usize) -> String {
    let statement = &certificate.statement;
    let must_end = statement.claim.must_end();
    let owner = stone_at(certificate, statement.target);
    let prover = statement.claim.prover(owner.unwrap_or(statement.to_move));
    let mut text = root(certificate);
    let mut nodes = 1;
    let mut written: HashSet<u32> = HashSet::new();
    let mut under_way: HashSet<u32> = HashSet::new();
    let mut tasks = vec![Task::Text(")\n".to_owned()), Task::Node(0, "")];
    let mut is_root = statement.to_move != prover;
    while let Some(task) = tasks.pop() {
        let (number, remark) = match task {
            Task::Text(more) => {
                text.push_str(&more);
                continue;
            }
            Task::Leave(node) => {
                under_way.remove(&node);
                continue;
            }
            Task::Node(number, remark) => (number, remark),
        };
        let Some(node) = certificate.nodes.get(number as usize) else {
            let _ = write!(text, "C[{remark}see node {number}, which is missing]");
            continue;
        };
        let is_again = !written.insert(number);
        if under_way.contains(&number) || is_again && nodes >= bound {
            let _ = write!(text, "C[{remark}see node {number}]");
            continue;
        }
        let is_remarkable = !remark.is_empty() && node.answer.is_some();
        if is_remarkable {
            let _ = write!(text, "C[{}]", remark.trim_end_matches("; "));
        }
        match node.answer {
            Some(answer) => {
                text.push_str(&play(prover, answer));
                nodes += 1;
                let _ = write!(text, "N[{number}]");
            }
            // The root's own comment states the claim.
            None if is_root => {}
            None => {
                let _ = write!(text, "N[{number}]C[{remark}{}]", reached(statement.claim));
            }
        }
        is_root = false;
        under_way.insert(number);
        tasks.push(Task::Leave(number));
        let others = node.otherwise;
        let forks = node.replies.len() + usize::from(others.is_some()) > 1;
        if node.answer.is_some() && must_end && node.replies.is_empty() && others.is_none() {
            let _ = write!(text, "C[{}]", reached(statement.claim));
        }
        let mut variations = Vec::new();
        for &(reply, to) in &node.replies {
            variations.push((play(prover.other(), reply), to, ""));
        }
        if let Some(to) = others {
            let pass = play(prover.other(), Play::Pass);
            variations.push((pass, to, "or any play that is not shown; "));
        }
        nodes += variations.len();
        for (reply, to, remark) in variations.into_iter().rev() {
            let (open, close) = if forks { ("\n(", ")") } else { ("", "") };
            tasks.push(Task::Text(close.to_owned()));
            tasks.push(Task::Node(to, remark));
            tasks.push(Task::Text(format!("{open}{reply}")));
        }
    }
    text
}

/// The remark at a node where a claim is reached.
const fn reached(claim: Claim) -> &'static str {
    match claim {
        Claim::Captured => "takes the target",
        Claim::Escapes => "escaped",
        Claim::Connected => "connects",
        Claim::Cut => "cut off",
    }
}

/// The first node: the position and the claim.
fn root(certificate: &Certificate) -> String {
    let statement = &certificate.statement;
    let mut text = format!(
        "(;FF[4]CA[UTF-8]GM[1]AP[Leitai:{}]SZ[{}]PL[{}]",
        env!("CARGO_PKG_VERSION"),
        statement.rows.len(),
        letter(statement.to_move),
    );
    for (stone, property) in [(Stone::Black, "AB"), (Stone::White, "AW")] {
        let mut stones = String::new();
        for (row, letters) in (0..19).zip(&statement.rows) {
            for (col, cell) in (0..19).zip(letters.chars()) {
                if cell == stone.letter() {
                    let _ = write!(stones, "[{}]", coordinates(Spot { col, row }));
                }
            }
        }
        if !stones.is_empty() {
            let _ = write!(text, "{property}{stones}");
        }
    }
    let _ = write!(text, "TR[{}]", coordinates(statement.target));
    let id = statement.id.as_deref().unwrap_or_default();
    if !id.is_empty() {
        let _ = write!(text, "GN[{}]", escaped(id));
    }
    let convention = match (statement.claim, statement.escape_liberties) {
        (Claim::Escapes, Some(count)) => format!("; {count} liberties are an escape"),
        _ => String::new(),
    };
    let size = u8::try_from(statement.rows.len()).unwrap_or(u8::MAX);
    let ban = statement.ban.map_or_else(String::new, |ban| {
        let (stone, spot) = (ban.stone.name(), spot_name(ban.spot, size));
        format!("; {stone} may not begin with the ko at {spot}")
    });
    let rest = if statement.claim.must_end() {
        ""
    } else {
        "; after any play that is not shown the defender passes"
    };
    let other = statement.other_name();
    let other = other.map_or_else(String::new, |name| {
        format!(" {} {name}", statement.other_key())
    });
    let _ = write!(
        text,
        "C[{}{other}: {} to move, the {} may take every ko{ban}{convention}{rest}]",
        statement.claim.name(),
        statement.to_move.name(),
        statement.master.name(),
    );
    text
}

fn stone_at(certificate: &Certificate, spot: Spot) -> Option<Stone> {
    let row = certificate.statement.rows.get(usize::from(spot.row))?;
    match row.chars().nth(usize::from(spot.col))? {
        'X' => Some(Stone::Black),
        'O' => Some(Stone::White),
        _ => None,
    }
}

fn letter(stone: Stone) -> char {
    match stone {
        Stone::Black => 'B',
        Stone::White => 'W',
    }
}

fn play(stone: Stone, play: Play) -> String {
    let at = match play {
        Play::Pass => String::new(),
        Play::At(spot) => coordinates(spot),
    };
    format!(";{}[{at}]", letter(stone))
}

/// Two letters, column and row from the top left; `aa` is the corner.
fn coordinates(spot: Spot) -> String {
    let name = |number: u8| char::from(b'a' + number.min(25));
    [name(spot.col), name(spot.row)].iter().collect()
}

/// Text as an SGF value: special characters are escaped, control characters become blanks.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if matches!(letter, ']' | '\\') {
            escaped.push('\\');
        }
        escaped.push(if letter.is_control() { ' ' } else { letter });
    }
    escaped
}
