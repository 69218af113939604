//! Pairs that this run can take over from other runs of the record.
//!
//! A pair is determined by its two players, the start position, the limits and the rules. Its
//! result holds regardless of the run's name, number of pairs and other players.

use std::collections::{BTreeMap, HashMap, VecDeque};

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Plan;
use crate::store::{PairRow, RunHandle, Store, StoreError};
use leitai_players::schedule::PairSpec;

/// Pairs of a recorded run that belong to another run too.
#[derive(Clone, Debug)]
pub struct ReusedPairs {
    run: RunHandle,
    /// Numbers in that run, and in this one.
    numbers: BTreeMap<u64, u64>,
}

impl ReusedPairs {
    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The pairs as those of `plan`.
    pub(super) fn rows<'a>(
        &'a self,
        plan: &'a Plan,
        store: &'a Store,
    ) -> impl Iterator<Item = Result<PairRow, StoreError>> + 'a {
        let last = self.numbers.keys().next_back().copied().unwrap_or_default();
        let is_within = move |row: &Result<PairRow, StoreError>| {
            row.as_ref().is_ok_and(|row| row.record.index <= last)
        };
        let rows = store.pairs(&self.run).take_while(is_within);
        rows.filter_map(move |row| match row {
            Ok(row) => {
                let here = *self.numbers.get(&row.record.index)?;
                Some(Ok(as_in(row, &plan.schedule.pair(here))))
            }
            Err(error) => Some(Err(error)),
        })
    }
}

/// Converts a pair to another schedule.
fn as_in(mut row: PairRow, spec: &PairSpec) -> PairRow {
    let [a, b] = spec.variants;
    let was = row.variants[0];
    for fault in &mut row.record.spoilt {
        fault.variant = if fault.variant == was { a } else { b };
    }
    for (game, [first, second]) in row.record.games.iter_mut().zip(spec.games()) {
        (game.first, game.second) = (first, second);
    }
    row.record.index = spec.index;
    (row.pairing, row.variants, row.opening) = (spec.pairing, spec.variants, spec.opening);
    row
}

/// The pairs of a plan without a result, by the digest of their conditions.
#[derive(Debug)]
pub struct OpenPairs {
    open: HashMap<[u8; 32], VecDeque<u64>>,
}

impl OpenPairs {
    /// The pairs of the plan; for a gate, only those that may count with this number of `answers`:
    /// a gate takes pairs without a gap, and its schedule may be endless.
    pub fn of(plan: &Plan, answers: u64) -> Self {
        let mut open: HashMap<_, VecDeque<u64>> = HashMap::new();
        let conditions = PairConditions::new(plan);
        let pairs = match &plan.config.gate {
            Some(gate) => answers.saturating_mul(gate.candidates.len() as u64),
            None => u64::MAX,
        };
        for index in 0..plan.schedule.len().min(pairs) {
            if let Some(digest) = conditions.ask(&plan.schedule.pair(index)) {
                open.entry(digest).or_default().push_back(index);
            }
        }
        Self { open }
    }

    /// Takes over the results of these pairs of a recorded run.
    pub fn take(
        &mut self,
        plan: &Plan,
        run: &RunHandle,
        recorded: impl IntoIterator<Item = u64>,
    ) -> ReusedPairs {
        let conditions = PairConditions::new(plan);
        let mut numbers = BTreeMap::new();
        for there in recorded {
            let digest = conditions.ask(&plan.schedule.pair(there));
            let open = digest.and_then(|digest| self.open.get_mut(&digest));
            if let Some(here) = open.and_then(VecDeque::pop_front) {
                numbers.insert(there, here);
            }
        }
        ReusedPairs {
            run: run.clone(),
            numbers,
        }
    }
}

/// Computes the digest of a pair's conditions.
struct PairConditions<'a> {
    plan: &'a Plan,
    /// The common conditions of all pairs.
    terms: String,
    /// The players, without their names.
    players: Vec<String>,
}

/// Keys of a resolved config that select pairs, and do not affect play in a pair without failures.
const SELECTING_KEYS: [&str; 7] = [
    "failures",
    "gate",
    "openings",
    "seed",
    "tournament",
    "tune",
    "variants",
];

impl<'a> PairConditions<'a> {
    fn new(plan: &'a Plan) -> Self {
        let mut config = serde_json::to_value(&plan.config).unwrap_or_default();
        let mut players = Vec::new();
        if let Some(keys) = config.as_object_mut() {
            let variants = keys.get_mut("variants").and_then(Value::as_array_mut);
            for variant in variants.into_iter().flatten() {
                if let Some(keys) = variant.as_object_mut() {
                    keys.remove("name");
                }
                players.push(variant.to_string());
            }
            keys.retain(|key, _| !SELECTING_KEYS.contains(&key.as_str()));
        }
        Self {
            plan,
            terms: config.to_string(),
            players,
        }
    }

    fn ask(&self, spec: &PairSpec) -> Option<[u8; 32]> {
        let opening = self.plan.book.get(spec.opening)?;
        let [a, b] = spec.variants.map(|variant| self.players.get(variant));
        let mut hasher = Sha256::new();
        for part in [&self.terms, a?, b?, opening.fen()] {
            hasher.update(part.as_bytes());
            hasher.update([0]);
        }
        if spec.lap > 0 && self.plan.schedule.varies() {
            // The start is a function of these, and finding it takes a search.
            hasher.update(self.plan.config.seed.to_le_bytes());
            hasher.update(spec.lap.to_le_bytes());
            for mv in opening.line().unwrap_or_default() {
                hasher.update(mv.0.to_le_bytes());
            }
        }
        Some(hasher.finalize().into())
    }
}
