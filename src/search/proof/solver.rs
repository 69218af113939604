//! One solver, whichever algorithm it runs.

use super::dfpn::{DfPn, Found};
use super::entry::Memory;
use super::meter::Meter;
use super::numbers::Numbers;
use super::{AndOr, End, Event, Known, Solution, SolveLimits, SolverKind, SolverParams, Verdict};

/// The most moves of a principal variation.
const LONGEST_LINE: usize = 256;

/// A solver of AND/OR trees with its memory.
///
/// What is remembered serves later searches of the same problem: of positions
/// further on, or of the same one with more nodes. Before another problem, say
/// [`new_problem`](Self::new_problem); from then on the answers and the counts
/// are those of a new solver.
pub struct Solver<G: AndOr> {
    params: SolverParams,
    engine: DfPn<G>,
}

impl<G: AndOr> Solver<G> {
    /// A solver that remembers nothing yet.
    pub fn new(params: SolverParams) -> Self {
        let with_values = params.kind == SolverKind::DfPnPlus;
        let engine = DfPn::new(&params, with_values);
        Self { params, engine }
    }

    /// The parameters.
    pub fn params(&self) -> &SolverParams {
        &self.params
    }

    /// Forgets everything.
    pub fn new_problem(&mut self) {
        self.engine.forget();
    }

    /// Finds out whether the goal can be reached, within `limits`. The watcher is
    /// told how the search goes. The position is afterwards what it was.
    pub fn solve<'a>(
        &mut self,
        game: &mut G,
        limits: SolveLimits<'a>,
        watch: Option<&'a mut dyn FnMut(Event)>,
    ) -> Solution<G> {
        let mut meter = Meter::new(limits, watch);
        let found = self.engine.solve(game, &mut meter);
        let pv = self.line(game, found.best);
        let Found {
            numbers,
            zone,
            best,
        } = found;
        let verdict = match numbers {
            Numbers { proof: 0, .. } => Verdict::Proved(zone),
            Numbers { disproof: 0, .. } => Verdict::Disproved(zone),
            _ => Verdict::Unknown,
        };
        let end = match verdict {
            Verdict::Unknown => meter.why(),
            _ => End::Decided,
        };
        Solution {
            verdict,
            best,
            end,
            effort: meter.effort,
            pv,
            pn: Some(numbers.proof),
            dn: Some(numbers.disproof),
            value: None,
        }
    }

    /// What is remembered of the position, if it is decided. A strategy can be read
    /// off by it; where nothing is left in memory, the position has to be solved
    /// again.
    pub fn known(&self, game: &G) -> Option<Known<G::Move, G::Zone>> {
        let memory = self.memory();
        let entry = memory.get(game.key())?;
        entry.numbers.is_decided().then(|| Known {
            proved: entry.numbers.proof == 0,
            best: entry.best,
            plies: entry.plies,
            zone: memory.zone(&entry),
        })
    }

    /// The move that wins for the side to move, if that is remembered.
    pub fn proved_move(&self, game: &G) -> Option<G::Move> {
        let known = self.known(game)?;
        (known.proved == game.is_or()).then_some(known.best)?
    }

    fn memory(&self) -> &Memory<G::Move, G::Zone> {
        self.engine.memory()
    }

    /// The line that begins with this move, as far as it is remembered.
    fn line(&self, game: &mut G, best: Option<G::Move>) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut keys = vec![game.key()];
        let mut next = best;
        while let Some(mv) = next
            && line.len() < LONGEST_LINE
        {
            game.play(mv);
            line.push(mv);
            let key = game.key();
            if keys.contains(&key) {
                break;
            }
            keys.push(key);
            next = self.memory().get(key).and_then(|entry| entry.best);
        }
        for _ in &line {
            game.undo();
        }
        line
    }
}
