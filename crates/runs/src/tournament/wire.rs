//! Units and answers as text for remote workers: JSON with a version. A worker builds the plan of
//! the run itself, from the config and the openings of the record.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::Stop;
use crate::store::{Finished, PairRow};
use leitai_game::{Cause, Move, Side, Verdict};
use leitai_players::play::{
    Evidence, EvidenceList, Fault, GameRecord, MoveTimes, PairRecord, Ply, Unit,
};
use leitai_players::player::{PvFault, PvWarning, PvWarnings};

/// The version of the messages. Unknown versions are refused.
pub const WIRE_VERSION: u32 = 1;

/// The most failures of a pair whose evidence is accepted.
const MOST_EVIDENCE: usize = 64;

/// The reason why a message is refused.
#[derive(Debug, Error)]
pub enum WireError {
    /// The text is no JSON of this form.
    #[error("not a message of leitai")]
    Form(#[from] serde_json::Error),
    /// The message has another version.
    #[error("a message of version {0}; this leitai speaks version {WIRE_VERSION}")]
    Version(u32),
    /// The message belongs to another run.
    #[error("a message about run {0}")]
    OtherRun(String),
    /// The content is impossible.
    #[error("a message with {0}")]
    Content(&'static str),
}

/// A message of a run.
#[derive(Deserialize, Serialize)]
struct Message<T> {
    version: u32,
    run: String,
    #[serde(flatten)]
    body: T,
}

/// A unit; values are written by their bits, so that none is rounded.
#[derive(Deserialize, Serialize)]
struct UnitBody {
    pair: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    values: Option<[Vec<String>; 2]>,
}

#[derive(Deserialize, Serialize)]
struct AnswerBody {
    pair: u64,
    opening: usize,
    #[serde(flatten)]
    answer: Played,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Played {
    Played {
        pairing: usize,
        variants: [usize; 2],
        games: Box<[GameBody; 2]>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        spoilt: Vec<FaultBody>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        evidence: Vec<EvidenceBody>,
        elapsed_us: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        finished: Option<i64>,
    },
    Stopped {
        #[serde(flatten)]
        fault: FaultBody,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        late: Option<u32>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        evidence: Vec<EvidenceBody>,
    },
}

#[derive(Deserialize, Serialize)]
struct EvidenceBody {
    attempt: u32,
    game: usize,
    #[serde(flatten)]
    evidence: Evidence,
}

#[derive(Deserialize, Serialize)]
struct GameBody {
    first: usize,
    second: usize,
    winner: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    drawn_by: Option<usize>,
    cause: String,
    /// Hash of the transcript, in hexadecimal.
    hash: String,
    moves: Vec<u16>,
    scores: Vec<Option<i16>>,
    depths: Vec<u8>,
    nodes: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    micros: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    late: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reported: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pv_warnings: Vec<PvBody>,
}

#[derive(Deserialize, Serialize)]
struct PvBody {
    side: usize,
    fault: String,
    count: u32,
    ply: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
    #[serde(rename = "move")]
    word: String,
    position: String,
    line: String,
}

#[derive(Deserialize, Serialize)]
struct FaultBody {
    attempt: u32,
    game: usize,
    variant: usize,
    cause: String,
}

/// Writes a unit of a run as a message.
///
/// # Errors
/// The unit cannot be written, which does not happen.
pub fn unit_message(run: &str, unit: &Unit) -> Result<String, WireError> {
    let bits = |values: &Vec<f64>| values.iter().map(|it| hex(it.to_bits())).collect();
    let body = UnitBody {
        pair: unit.pair,
        values: unit.values.as_ref().map(|both| both.each_ref().map(bits)),
    };
    written(run, body)
}

/// Reads a unit from a message of that run.
///
/// # Errors
/// The message is not a unit of this run.
pub fn read_unit(run: &str, message: &str) -> Result<Unit, WireError> {
    let UnitBody { pair, values } = read(run, message)?;
    let value = |text: &String| {
        let value = f64::from_bits(bits(text)?);
        let refused = WireError::Content("a value that is no number");
        value.is_finite().then_some(value).ok_or(refused)
    };
    let all = |texts: &Vec<String>| texts.iter().map(value).collect::<Result<Vec<f64>, _>>();
    let values = match &values {
        None => None,
        Some([plus, minus]) => Some([all(plus)?, all(minus)?]),
    };
    Ok(Unit { pair, values })
}

/// Writes the answer to a unit as a message.
///
/// # Errors
/// The answer cannot be written, which does not happen.
pub fn answer_message(run: &str, answer: &Result<PairRow, Stop>) -> Result<String, WireError> {
    let body = match answer {
        Ok(row) => AnswerBody {
            pair: row.record.index,
            opening: row.opening,
            answer: Played::Played {
                pairing: row.pairing,
                variants: row.variants,
                games: Box::new(
                    [0, 1].map(|at| game_body(&row.record.games[at], row.record.hashes[at])),
                ),
                spoilt: row.record.spoilt.iter().map(fault_body).collect(),
                evidence: evidence_bodies(&row.record.evidence),
                elapsed_us: row.elapsed_us,
                finished: row.finished.0,
            },
        },
        Err(stop) => AnswerBody {
            pair: stop.pair,
            opening: stop.opening,
            answer: Played::Stopped {
                fault: fault_body(&stop.fault),
                late: stop.late,
                evidence: evidence_bodies(&stop.evidence),
            },
        },
    };
    written(run, body)
}

/// A digest that is equal for two answers with the same games, regardless of worker and duration.
pub fn fingerprint(answer: &Result<PairRow, Stop>) -> u64 {
    let mut answer = answer.clone();
    match &mut answer {
        Ok(row) => {
            (row.elapsed_us, row.finished) = (0, Finished::default());
            for game in &mut row.record.games {
                game.times = MoveTimes::default();
            }
            row.record.evidence = EvidenceList::default();
        }
        Err(stop) => stop.evidence = EvidenceList::default(),
    }
    let message = answer_message("", &answer).unwrap_or_default();
    let digest = Sha256::digest(message);
    digest
        .iter()
        .take(8)
        .fold(0, |bits, &byte| bits << 8 | u64::from(byte))
}

/// Reads the answer to a unit from a message of that run.
///
/// # Errors
/// The message is not an answer of this run.
pub fn read_answer(run: &str, message: &str) -> Result<Result<PairRow, Stop>, WireError> {
    let AnswerBody {
        pair,
        opening,
        answer,
    } = read(run, message)?;
    match answer {
        Played::Stopped {
            fault,
            late,
            evidence,
        } => Ok(Err(Stop {
            pair,
            opening,
            fault: fault_of(&fault)?,
            late,
            evidence: evidence_of(evidence)?,
        })),
        Played::Played {
            pairing,
            variants,
            games,
            spoilt,
            evidence,
            elapsed_us,
            finished,
        } => {
            let [one, two] = *games;
            Ok(Ok(PairRow {
                record: PairRecord {
                    index: pair,
                    hashes: [bits(&one.hash)?, bits(&two.hash)?],
                    games: [game_of(one)?, game_of(two)?],
                    spoilt: spoilt.iter().map(fault_of).collect::<Result<_, _>>()?,
                    evidence: evidence_of(evidence)?,
                },
                pairing,
                variants,
                opening,
                elapsed_us,
                finished: Finished(finished),
                worker: crate::store::PlayedBy::default(),
            }))
        }
    }
}

fn written<T: Serialize>(run: &str, body: T) -> Result<String, WireError> {
    let (version, run) = (WIRE_VERSION, run.to_owned());
    Ok(serde_json::to_string(&Message { version, run, body })?)
}

fn read<'m, T: Deserialize<'m>>(run: &str, message: &'m str) -> Result<T, WireError> {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let Version { version } = serde_json::from_str(message)?;
    if version != WIRE_VERSION {
        return Err(WireError::Version(version));
    }
    let message: Message<T> = serde_json::from_str(message)?;
    if message.run == run {
        Ok(message.body)
    } else {
        Err(WireError::OtherRun(message.run))
    }
}

fn hex(bits: u64) -> String {
    format!("{bits:016x}")
}

fn bits(text: &str) -> Result<u64, WireError> {
    let is_hex = text.len() == 16 && text.bytes().all(|it| it.is_ascii_hexdigit());
    let bits = u64::from_str_radix(text, 16).ok().filter(|_| is_hex);
    bits.ok_or(WireError::Content("bits that are no 16 hexadecimal digits"))
}

fn cause(name: &str) -> Result<Cause, WireError> {
    Cause::from_name(name).ok_or(WireError::Content("a game that ended in no known way"))
}

fn fault_body(fault: &Fault) -> FaultBody {
    FaultBody {
        attempt: fault.attempt,
        game: fault.game,
        variant: fault.variant,
        cause: fault.cause.name().to_owned(),
    }
}

fn fault_of(body: &FaultBody) -> Result<Fault, WireError> {
    Ok(Fault {
        attempt: body.attempt,
        game: body.game,
        variant: body.variant,
        cause: cause(&body.cause)?,
    })
}

fn evidence_bodies(all: &EvidenceList) -> Vec<EvidenceBody> {
    let bodies = all.0.iter().map(|evidence| EvidenceBody {
        attempt: evidence.attempt,
        game: evidence.game,
        evidence: evidence.clone(),
    });
    bodies.collect()
}

/// A worker's evidence, cut to its limits.
fn evidence_of(bodies: Vec<EvidenceBody>) -> Result<EvidenceList, WireError> {
    let of = |body: EvidenceBody| {
        let EvidenceBody {
            attempt,
            game,
            evidence,
        } = body;
        let evidence = Evidence {
            attempt,
            game,
            ..evidence.bounded()
        };
        let unknown = WireError::Content("a failure in no game of its pair");
        (game < 2).then_some(evidence).ok_or(unknown)
    };
    let all = bodies.into_iter().take(MOST_EVIDENCE).map(of);
    Ok(EvidenceList(all.collect::<Result<_, _>>()?))
}

fn game_body(game: &GameRecord, hash: u64) -> GameBody {
    let plies = game.plies.iter();
    GameBody {
        first: game.first,
        second: game.second,
        winner: game.verdict.winner.map(Side::index),
        drawn_by: game.drawn_by.map(Side::index),
        cause: game.verdict.cause.name().to_owned(),
        hash: hex(hash),
        moves: plies.clone().map(|ply| ply.mv.0).collect(),
        scores: plies.clone().map(|ply| ply.score).collect(),
        depths: plies.clone().map(|ply| ply.depth).collect(),
        nodes: plies.map(|ply| ply.nodes).collect(),
        micros: game.times.micros.clone(),
        late: game.times.late,
        reported: game.times.reported.clone(),
        pv_warnings: game.pv_warnings.iter().map(pv_body).collect(),
    }
}

fn pv_body(warnings: &PvWarnings) -> PvBody {
    let first = &warnings.first;
    PvBody {
        side: warnings.side.index(),
        fault: first.kind.name().to_owned(),
        count: warnings.count,
        ply: first.ply,
        cause: first.cause.map(|cause| cause.name().to_owned()),
        word: first.word.clone(),
        position: first.position.clone(),
        line: first.line.clone(),
    }
}

fn pv_of(body: PvBody) -> Result<PvWarnings, WireError> {
    let side = Side::BOTH.get(body.side);
    let unknown = WireError::Content("a warning that nobody knows");
    let (Some(&side), Some(kind)) = (side, PvFault::from_name(&body.fault)) else {
        return Err(unknown);
    };
    Ok(PvWarnings {
        side,
        count: body.count,
        first: PvWarning {
            kind,
            cause: body.cause.as_deref().map(cause).transpose()?,
            word: body.word,
            ply: body.ply,
            position: body.position,
            line: body.line,
        },
    })
}

fn game_of(body: GameBody) -> Result<GameRecord, WireError> {
    let plies = body.moves.len();
    if [body.scores.len(), body.depths.len(), body.nodes.len()] != [plies; 3] {
        return Err(WireError::Content("columns of plies that differ in length"));
    }
    let side = |side: Option<usize>, wrong| match side {
        None => Ok(None),
        Some(side @ (0 | 1)) => Ok(Some(Side::BOTH[side])),
        Some(_) => Err(WireError::Content(wrong)),
    };
    let winner = side(body.winner, "a winner that nobody is")?;
    let drawn_by = side(body.drawn_by, "a draw by nobody")?;
    let warnings = body.pv_warnings.into_iter().map(pv_of);
    let columns = body.moves.into_iter().zip(body.scores);
    let columns = columns.zip(body.depths).zip(body.nodes);
    let plies = columns.map(|(((mv, score), depth), nodes)| Ply {
        mv: Move(mv),
        score,
        depth,
        nodes,
    });
    Ok(GameRecord {
        first: body.first,
        second: body.second,
        plies: plies.collect(),
        verdict: Verdict {
            winner,
            cause: cause(&body.cause)?,
        },
        drawn_by,
        times: MoveTimes {
            micros: body.micros,
            late: body.late,
            reported: body.reported,
        },
        pv_warnings: warnings.collect::<Result<_, _>>()?,
    })
}
