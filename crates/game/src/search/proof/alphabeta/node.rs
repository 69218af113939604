//! Search of one alpha-beta node.

use super::bounds::Bounds;
use super::value::{DISPROVED, PROVED, Reply, open_value};
use super::{AlphaBeta, AndOr, Meter};
use crate::search::limits::Searched;
use crate::search::proof::Outcome;
use crate::search::proof::entry::{EVERYWHERE, Entry};
use crate::search::proof::numbers::Numbers;

/// The moves' results so far at a node.
struct Progress<M, Z> {
    /// The best value so far, and its move.
    value: i32,
    best: Option<M>,
    /// The zone of the failures.
    zone: Z,
    /// The zone of the pass's failure, if the pass has failed.
    passed: Option<Z>,
    /// The number of plies of the longest failure, and its move.
    longest: Option<(u32, M)>,
    rests_on: u32,
    /// True if all moves so far lose.
    is_lost: bool,
}

/// The result of a node, and its best move.
type NodeResult<G> = (Reply<<G as AndOr>::Zone>, Option<<G as AndOr>::Move>);

impl<G: AndOr> AlphaBeta<G> {
    /// Searches the position after a move to `depth` plies.
    fn child(
        &mut self,
        game: &mut G,
        meter: &mut Meter,
        mv: G::Move,
        depth: u32,
        window: (i32, i32),
    ) -> Searched<Reply<G::Zone>> {
        meter.visit()?;
        game.play(mv);
        meter.reach(self.path.len());
        let key = game.key();
        let reply = if let Some(place) = self.path.find(key) {
            Ok(Reply {
                rests_on: place,
                ..Reply::new(DISPROVED, game.everything())
            })
        } else {
            self.path.push(key);
            let reply = self.node(game, meter, depth, window);
            self.path.pop();
            reply
        };
        game.undo();
        reply
    }

    /// Searches the current position to `depth` plies.
    fn node(
        &mut self,
        game: &mut G,
        meter: &mut Meter,
        depth: u32,
        (alpha, beta): (i32, i32),
    ) -> Searched<Reply<G::Zone>> {
        let key = self.path.last();
        if self.has_table {
            let known = self.memory.result(key);
            meter.count_lookup(known.is_some());
            if let Some(known) = known {
                let value = if known.proved { PROVED } else { DISPROVED };
                return Ok(Reply {
                    plies: known.plies,
                    ..Reply::new(value, known.zone)
                });
            }
            let bounds = self.table.get(key);
            meter.count_lookup(bounds.is_some());
            let value = bounds.and_then(|bounds| bounds.decide(depth, alpha, beta));
            if let Some(value) = value {
                return Ok(Reply::open(value));
            }
        }
        let (value, zone) = match game.outcome() {
            Outcome::Proved(zone) => (PROVED, zone),
            Outcome::Disproved(zone) => (DISPROVED, zone),
            Outcome::Open if depth == 0 => return Ok(Reply::open(open_value(game.evaluate()))),
            Outcome::Open => {
                let (reply, _) = self.open_node(game, meter, depth, (alpha, beta))?;
                return Ok(reply);
            }
        };
        if self.has_table {
            let entry = Entry::new(Numbers::decided(value == PROVED));
            self.memory.put_decided(key, entry, zone.clone());
        }
        Ok(Reply::new(value, zone))
    }

    /// Searches the current position, whose value is unknown; also returns its best move.
    pub(super) fn open_node(
        &mut self,
        game: &mut G,
        meter: &mut Meter,
        depth: u32,
        window: (i32, i32),
    ) -> Searched<NodeResult<G>> {
        let first = self.moves.len();
        meter.effort.expanded += 1;
        game.moves(&mut self.moves);
        meter.effort.generated += (self.moves.len() - first) as u64;
        if self.has_table
            && let Some(Bounds { best: Some(mv), .. }) = self.table.get(self.path.last())
            && let Some(place) = self.moves[first..].iter().position(|&other| other == mv)
        {
            self.moves[first..=first + place].rotate_right(1);
        }
        let searched = self.try_moves(game, meter, depth, window, first);
        self.moves.truncate(first);
        searched
    }

    /// Searches the moves from `first` on, until one is good enough.
    fn try_moves(
        &mut self,
        game: &mut G,
        meter: &mut Meter,
        depth: u32,
        (alpha, beta): (i32, i32),
        first: usize,
    ) -> Searched<NodeResult<G>> {
        let (win, loss) = if game.is_or() {
            (PROVED, DISPROVED)
        } else {
            (DISPROVED, PROVED)
        };
        let mut progress = Progress {
            value: loss,
            best: None,
            zone: G::Zone::default(),
            passed: None,
            longest: None,
            rests_on: EVERYWHERE,
            is_lost: true,
        };
        let (mut low, mut high) = (alpha, beta);
        let mut at = first;
        while low < high {
            if at == self.moves.len()
                && !(progress.is_lost && self.widen(game, meter, first, &mut progress))
            {
                break;
            }
            let mv = self.moves[at];
            at += 1;
            let passed = progress.passed.as_ref();
            if passed.is_some_and(|zone| game.is_elsewhere(mv, zone)) {
                continue;
            }
            let mut reply = self.child(game, meter, mv, depth - 1, (low, high))?;
            if reply.value == win {
                game.lift(mv, reply.value == PROVED, &mut reply.zone);
                reply.plies += 1;
                return Ok((self.decide(reply, Some(mv)), Some(mv)));
            }
            progress.rests_on = progress.rests_on.min(reply.rests_on);
            if reply.value == loss {
                game.lift(mv, reply.value == PROVED, &mut reply.zone);
                G::merge(&mut progress.zone, &reply.zone);
                if game.pass() == Some(mv) {
                    progress.passed = Some(reply.zone);
                }
                let plies = reply.plies.saturating_add(1);
                if progress.longest.is_none_or(|(longest, _)| plies > longest) {
                    progress.longest = Some((plies, mv));
                }
            } else if progress.is_lost || reply.value.abs_diff(win) < progress.value.abs_diff(win) {
                progress.is_lost = false;
                (progress.value, progress.best) = (reply.value, Some(mv));
                if win == PROVED {
                    high = high.min(reply.value);
                } else {
                    low = low.max(reply.value);
                }
            }
        }
        if progress.is_lost {
            let best = progress.longest.map(|(_, mv)| mv);
            let reply = Reply {
                value: loss,
                zone: progress.zone,
                plies: progress.longest.map_or(0, |(plies, _)| plies),
                rests_on: progress.rests_on,
            };
            return Ok((self.decide(reply, best), best));
        }
        let best = progress.best;
        Ok((self.estimate(&progress, depth, (alpha, beta)), best))
    }

    /// Appends further moves that must be searched after all others have lost; returns whether
    /// there are any.
    fn widen(
        &mut self,
        game: &mut G,
        meter: &mut Meter,
        first: usize,
        progress: &mut Progress<G::Move, G::Zone>,
    ) -> bool {
        let mut more = Vec::new();
        let tried = &self.moves[first..];
        game.widen(
            tried,
            progress.passed.as_ref(),
            &mut progress.zone,
            &mut more,
        );
        meter.effort.generated += more.len() as u64;
        self.moves.extend(&more);
        !more.is_empty()
    }

    /// Stores the decision of the current position, if it holds on every line.
    fn decide(&mut self, mut reply: Reply<G::Zone>, best: Option<G::Move>) -> Reply<G::Zone> {
        if reply.rests_on as usize >= self.path.len() - 1 {
            reply.rests_on = EVERYWHERE;
            if self.has_table {
                let mut entry = Entry::new(Numbers::decided(reply.value == PROVED));
                (entry.plies, entry.best, entry.work) = (reply.plies, best, reply.plies);
                let key = self.path.last();
                self.memory.put_decided(key, entry, reply.zone.clone());
            }
        }
        reply
    }

    /// Stores the bounds of the current position's estimated value, if they hold on every line.
    fn estimate(
        &mut self,
        progress: &Progress<G::Move, G::Zone>,
        depth: u32,
        (alpha, beta): (i32, i32),
    ) -> Reply<G::Zone> {
        let value = progress.value;
        let mut rests_on = progress.rests_on;
        if rests_on as usize >= self.path.len() - 1 {
            rests_on = EVERYWHERE;
            if self.has_table {
                let bounds = Bounds {
                    low: if value > alpha { value } else { PROVED },
                    high: if value < beta { value } else { DISPROVED },
                    depth,
                    iteration: self.iteration,
                    best: progress.best,
                };
                self.table.put(self.path.last(), bounds, &mut |_| {});
            }
        }
        Reply {
            rests_on,
            ..Reply::open(value)
        }
    }
}
