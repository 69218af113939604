//! Units and replies as text for remote workers, in JSON. A worker builds the plan of the run itself,
//! from the config and the openings of the record; workers of another version are refused before.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::StoppingFailure;
use super::dispatch::PairReply;
use crate::store::FinishedAt;
use leitai_players::play::{Evidence, EvidenceList, MoveTimes, Unit};

/// The most failures of a pair whose evidence is accepted.
const MAX_EVIDENCE: usize = 64;

/// The reason why a message is refused.
#[derive(Debug, Error)]
pub enum WireError {
    /// The text is no JSON of this form.
    #[error("not a message of leitai")]
    Form(#[from] serde_json::Error),
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
    run: String,
    #[serde(flatten)]
    body: T,
}

/// A unit; values are written by their bits, so that none is rounded.
#[derive(Deserialize, Serialize)]
struct UnitBody {
    pair: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    values: Option<[Vec<u64>; 2]>,
}

#[derive(Deserialize, Serialize)]
struct ReplyBody {
    reply: PairReply,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<EvidenceBody>,
}

#[derive(Deserialize, Serialize)]
struct EvidenceBody {
    attempt: u32,
    game: usize,
    #[serde(flatten)]
    evidence: Evidence,
}

/// Writes a unit of a run as a message.
///
/// # Errors
/// The unit cannot be written, which does not happen.
pub fn unit_message(run: &str, unit: &Unit) -> Result<String, WireError> {
    let bits = |values: &Vec<f64>| values.iter().map(|value| value.to_bits()).collect();
    let body = UnitBody {
        pair: unit.pair,
        values: unit.values.as_ref().map(|both| both.each_ref().map(bits)),
    };
    write(run, body)
}

/// Reads a unit from a message of that run.
///
/// # Errors
/// The message is not a unit of this run.
pub fn read_unit(run: &str, message: &str) -> Result<Unit, WireError> {
    let UnitBody { pair, values } = read(run, message)?;
    let numbers = |bits: Vec<u64>| bits.into_iter().map(f64::from_bits).collect::<Vec<_>>();
    let values = values.map(|both| both.map(numbers));
    let mut all = values.iter().flatten().flatten();
    if all.all(|value| value.is_finite()) {
        Ok(Unit { pair, values })
    } else {
        Err(WireError::Content("a value that is not a number"))
    }
}

/// Writes the reply to a unit as a message.
///
/// # Errors
/// The reply cannot be written, which does not happen.
pub fn reply_message(run: &str, answer: &PairReply) -> Result<String, WireError> {
    let evidence = match answer {
        Ok(row) => &row.record.evidence,
        Err(stop) => &stop.evidence,
    };
    let evidence = evidence.0.iter().map(|evidence| EvidenceBody {
        attempt: evidence.attempt,
        game: evidence.game,
        evidence: evidence.clone(),
    });
    let evidence = evidence.collect();
    let reply = answer.clone();
    write(run, ReplyBody { reply, evidence })
}

/// A digest that is equal for two replies with the same games, regardless of worker and duration.
pub fn fingerprint(answer: &PairReply) -> u64 {
    let mut answer = answer.clone();
    if let Ok(row) = &mut answer {
        (row.elapsed_us, row.finished) = (0, FinishedAt::default());
        for game in &mut row.record.games {
            game.times = MoveTimes::default();
        }
    }
    // Serialisation leaves out worker and evidence.
    let digest = Sha256::digest(serde_json::to_string(&answer).unwrap_or_default());
    let bytes = digest.iter().take(8);
    bytes.fold(0, |bits, &byte| bits << 8 | u64::from(byte))
}

/// Reads the reply to a unit from a message of that run. Cuts the evidence to its limits.
///
/// # Errors
/// The message is not a reply of this run.
pub fn read_reply(run: &str, message: &str) -> Result<PairReply, WireError> {
    let ReplyBody { reply, evidence } = read(run, message)?;
    let mut accepted = evidence.iter().take(MAX_EVIDENCE);
    if accepted.any(|body| body.game > 1) {
        return Err(WireError::Content("a failure in no game of its pair"));
    }
    let evidence = evidence.into_iter().take(MAX_EVIDENCE);
    let evidence = evidence.map(|body| Evidence {
        attempt: body.attempt,
        game: body.game,
        ..body.evidence.bounded()
    });
    let evidence = EvidenceList(evidence.collect());
    Ok(match reply {
        Ok(mut row) => {
            row.record.evidence = evidence;
            Ok(row)
        }
        Err(stop) => Err(StoppingFailure { evidence, ..stop }),
    })
}

fn write<T: Serialize>(run: &str, body: T) -> Result<String, WireError> {
    let run = run.to_owned();
    Ok(serde_json::to_string(&Message { run, body })?)
}

fn read<'m, T: Deserialize<'m>>(run: &str, message: &'m str) -> Result<T, WireError> {
    let message: Message<T> = serde_json::from_str(message)?;
    if message.run == run {
        Ok(message.body)
    } else {
        Err(WireError::OtherRun(message.run))
    }
}
