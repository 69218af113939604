//! `leitai check-proof`: checks certificates of captures and escapes.

use crate::cli::input::{read_all, refuse_stdin_twice};
use crate::cli::prelude::*;
use leitai_base::foreign::raw_path;
use leitai_go_problems::proof::{
    Certificate, Claim, Effort, Listed, Master, ReadError, Reason, Statement, Summary, check, read,
    to_sgf,
};

/// Nodes of an SGF tree beyond which no subtree is written twice.
const TREE: usize = 20_000;

/// Check certificates: proofs that a block of Go is captured, escapes, or is connected.
///
/// The check is independent of the solver that made the certificate: it has its own board, follows
/// the strategy of the certificate and every play of the other side that could matter, and trusts
/// only the rules. Ko in a certificate: `master` may take every ko, the other side none; but a side
/// with a `ko-ban` may not begin with that ko. A ko verdict is two certificates: the target escapes
/// if the defender is the master, and is captured if the attacker is. A capture or an escape
/// `against` a block is that of a semeai: the attacker fails once that block of his is taken. The
/// side that wants to connect two blocks is also called the attacker.
///
/// Exit codes: 0 all are valid; 1 one is refused; 2 a file could not be read, or a certificate in
/// it; 3 one was not decided within `--positions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai check-proof ladder.proof
  leitai check-proof proofs/*.proof --json
  leitai check-proof ladder.proof --sgf ladder.sgf

A certificate is text: some headers, the board, and a line for each step of the strategy:
the play, and which step answers which reply (`*`: a pass and every other play).

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

JSON, one line per certificate:
  file, line       where it begins
  id               its name; null if it has none
  valid            null where it could not be read or decided: error or note says why
  claim, master, target, other, to_move, ko_ban, escape_liberties
                   what it states; other is the block that is at stake, or that the target
                   is connected with, or null; ko_ban is a ko that a colour may not begin
                   with, such as `E5 black`, or null; escape_liberties is null where no
                   number counts
  nodes            steps that the root leads to
  positions        positions that were looked at, with every legal reply if exhaustive
  depth            plays on the longest line
  refusal          of one that is refused: node, line, after (the plays that lead there), why
  ms               milliseconds
  exhaustive       as asked for
  error, note      why something is null")]
pub(super) struct Arguments {
    /// Files of certificates, one or more in each; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Follow every legal reply, not only those that could matter. Gives the same result and takes
    /// much longer: for small boards.
    #[arg(long)]
    exhaustive: bool,
    /// Visit at most this number of positions for one certificate; each takes some 300 bytes.
    #[arg(long, value_name = "N", default_value_t = Effort::default().positions,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    positions: u64,
    /// Write the readable certificates as SGF trees to this file: variations for the replies,
    /// comments for the claims.
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Print JSON; see below.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// The result for a certificate.
#[derive(Default, Serialize)]
struct ProofOutput {
    file: String,
    line: Option<usize>,
    id: Option<String>,
    valid: Option<bool>,
    claim: Option<&'static str>,
    master: Option<&'static str>,
    target: Option<String>,
    other: Option<String>,
    to_move: Option<&'static str>,
    ko_ban: Option<String>,
    escape_liberties: Option<u8>,
    nodes: Option<u32>,
    positions: Option<u64>,
    depth: Option<u32>,
    refusal: Option<Refused>,
    ms: Option<f64>,
    exhaustive: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// The result as text.
    #[serde(skip)]
    said: String,
}

#[derive(Serialize)]
struct Refused {
    node: Option<u32>,
    line: Option<usize>,
    after: Vec<String>,
    why: String,
}

/// The numbers of valid, refused, undecided and unreadable certificates.
#[derive(Default)]
struct Tally([u64; 4]);

impl Tally {
    fn count(&mut self, answer: &ProofOutput) {
        let kind = match (answer.valid, &answer.error) {
            (Some(true), _) => 0,
            (Some(false), _) => 1,
            (None, None) => 2,
            (None, Some(_)) => 3,
        };
        self.0[kind] += 1;
    }

    fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    fn exit(&self) -> Exit {
        match self.0.map(|count| count > 0) {
            [_, _, _, true] => Exit::Usage,
            [_, true, _, _] => Exit::Failure,
            [_, _, true, _] => Exit::Inconclusive,
            _ => Exit::Success,
        }
    }

    fn text(&self) -> String {
        let [valid, refused, undecided, unreadable] = self.0;
        format!(
            "{} certificates: {valid} valid, {refused} refused, {undecided} undecided, \
             {unreadable} unreadable",
            self.total()
        )
    }
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    refuse_stdin_twice(&arguments.files)?;
    let mut all_files = CommandFiles::reading(&arguments.files);
    let sgf = arguments.sgf.as_deref();
    let sgf = sgf.map(|file| all_files.prepare(file)).transpose()?;
    let mut json = Json::prepare(arguments.json.as_ref(), &mut all_files)?;
    let mut tally = Tally::default();
    let mut trees = String::new();
    for file in &arguments.files {
        let name = raw_path(file);
        let bytes = match bytes(file) {
            Ok(bytes) => bytes,
            Err(failure) => {
                let answer = ProofOutput {
                    error: Some(format!("{failure:#}")),
                    file: name,
                    exhaustive: arguments.exhaustive,
                    ..ProofOutput::default()
                };
                tally.count(&answer);
                write(&answer, &mut json)?;
                continue;
            }
        };
        for listed in read(&bytes) {
            if let (Ok(listed), true) = (&listed, arguments.sgf.is_some()) {
                trees.push_str(&to_sgf(&listed.certificate, TREE));
            }
            let answer = answer(&name, listed, arguments);
            tally.count(&answer);
            write(&answer, &mut json)?;
        }
    }
    if tally.total() > 1 {
        json.print(|| tally.text())?;
    }
    json.finish()?;
    if let Some(file) = sgf {
        file.commit(&trees)?;
    }
    Ok(tally.exit())
}

/// The content of a file, which must not be empty.
fn bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = read_all(file)?;
    let holds_none = read(&bytes).next().is_none();
    if holds_none {
        bail!(
            "{} holds no certificate: expected `leitai proof 1` in its first line",
            shown_path(file)
        );
    }
    Ok(bytes)
}

fn answer(file: &str, listed: Result<Listed, ReadError>, arguments: &Arguments) -> ProofOutput {
    let mut answer = ProofOutput {
        file: file.to_owned(),
        exhaustive: arguments.exhaustive,
        ..ProofOutput::default()
    };
    let listed = match listed {
        Ok(listed) => listed,
        Err(error) => {
            answer.line = Some(error.line);
            answer.error = Some(error.trouble.to_string());
            return answer;
        }
    };
    let Certificate { statement, .. } = &listed.certificate;
    answer.line = Some(listed.line);
    answer.id.clone_from(&statement.id);
    answer.claim = Some(statement.claim.name());
    answer.master = Some(statement.master.name());
    answer.target = Some(statement.target_name());
    answer.other = statement.other_name();
    answer.to_move = Some(statement.to_move.name());
    answer.ko_ban = statement.ban_name();
    answer.escape_liberties = statement.escape_liberties;
    let effort = Effort {
        positions: arguments.positions,
        exhaustive: arguments.exhaustive,
    };
    let begun = Instant::now();
    let checked = check(&listed.certificate, effort);
    answer.ms = Some((begun.elapsed().as_secs_f64() * 1e6).round() / 1e3);
    match checked {
        Ok(Summary {
            positions,
            nodes,
            depth,
        }) => {
            answer.valid = Some(true);
            answer.said = format!(
                "valid: {}; nodes {nodes}, positions {positions}, depth {depth}",
                claimed(statement)
            );
            (answer.nodes, answer.positions) = (Some(nodes), Some(positions));
            answer.depth = Some(depth);
        }
        Err(refusal) if matches!(refusal.reason, Reason::TooMany(_)) => {
            answer.said = format!("undecided: {}", refusal.why());
            answer.note = Some(refusal.why());
        }
        Err(refusal) => {
            answer.valid = Some(false);
            let node = refusal.node.map(|node| node as usize);
            let line = node.and_then(|node| listed.lines.get(node)).copied();
            let place = line.map_or_else(String::new, |line| format!("line {line}, "));
            answer.said = format!("refused: {place}{refusal}");
            answer.refusal = Some(Refused {
                node: refusal.node,
                line,
                after: refusal.plays(),
                why: refusal.why(),
            });
        }
    }
    answer
}

/// The claim of a certificate as text.
fn claimed(statement: &Statement) -> String {
    let other = statement.other_name();
    let of_other = |before: &str, after: &str| {
        let other = other.as_ref();
        other.map_or_else(String::new, |other| format!("{before}{other}{after}"))
    };
    let verdict = match statement.claim {
        Claim::Captured => format!("is captured{}", of_other(" before ", " is")),
        Claim::Escapes => {
            let limit = statement.escape_liberties;
            let limit = limit.map_or_else(String::new, |count| {
                format!(" ({count} liberties are an escape)")
            });
            format!("escapes{limit}{}", of_other(" or takes ", " first"))
        }
        Claim::Connected => format!("is connected{}", of_other(" with ", "")),
        Claim::Cut => format!("is cut off{}", of_other(" from ", "")),
    };
    let master = match (statement.claim.is_connection(), statement.master) {
        (true, Master::Attacker) => "connecting side",
        (true, Master::Defender) => "cutting side",
        (false, master) => master.name(),
    };
    let ban = statement.ban_name();
    let ban = ban.map_or_else(String::new, |ban| format!(" (but {ban} at first)"));
    format!(
        "{} {verdict}, {} to move, even if the {master} takes every ko{ban}",
        statement.target_name(),
        statement.to_move.name(),
    )
}

fn write(answer: &ProofOutput, json: &mut Json) -> Result<(), Failure> {
    json.write_line(answer)?;
    if json.is_printed() {
        return Ok(());
    }
    let line = answer.line.map(|line| format!(":{line}"));
    let line = line.unwrap_or_default();
    let name = format!("{}{line}", shown(&answer.file));
    let id = answer.id.as_deref().map(|id| format!("{}: ", shown(id)));
    let id = id.unwrap_or_default();
    if let Some(error) = &answer.error {
        // Errors of a file already contain its name.
        let place = answer.line.map(|_| format!("{name}: "));
        eprint(&format!("error: {}{error}", place.unwrap_or_default()));
        return Ok(());
    }
    print(&format!("{name}: {id}{}", answer.said))
}
