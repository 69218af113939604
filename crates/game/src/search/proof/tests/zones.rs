//! A game of lines whose zones can be checked position by position.
//!
//! The attacker takes cells to own all cells of at least one line; the defender takes cells too, or
//! passes. Cells outside a zone may have any content without changing the result.

use super::graph::Dice;
use super::{NEVER, variants};
use crate::search::proof::path::mixed;
use crate::search::proof::{AndOr, Outcome, SolveLimits, Solver};

const CELLS: u32 = 7;
const PASS: u8 = 255;

/// Cells by owner, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cells {
    attacker: u32,
    defender: u32,
    or: bool,
}

#[derive(Clone)]
struct Lines {
    wanted: Vec<u32>,
    at: Cells,
    before: Vec<Cells>,
    /// True if all moves are searched from the beginning.
    is_full: bool,
}

impl Cells {
    fn empty(self) -> u32 {
        !(self.attacker | self.defender) & ((1 << CELLS) - 1)
    }

    fn after(self, mv: u8) -> Cells {
        let bit = if mv == PASS { 0 } else { 1 << mv };
        let mut next = self;
        if self.or {
            next.attacker |= bit;
        } else {
            next.defender |= bit;
        }
        next.or = !self.or;
        next
    }
}

fn bits(set: u32) -> impl Iterator<Item = u8> {
    (0..CELLS as u8).filter(move |cell| set & (1 << cell) != 0)
}

impl Lines {
    fn random(seed: u64, is_full: bool) -> Self {
        let mut dice = Dice::new(seed);
        let wanted = (0..2 + dice.roll(5))
            .map(|_| {
                let cells = 2 + dice.roll(3);
                (0..cells).fold(0, |line, _| line | 1 << dice.roll(u64::from(CELLS)))
            })
            .collect();
        let mut at = Cells {
            attacker: 0,
            defender: 0,
            or: dice.roll(2) == 0,
        };
        for cell in 0..CELLS {
            match dice.roll(8) {
                0 => at.attacker |= 1 << cell,
                1 => at.defender |= 1 << cell,
                _ => {}
            }
        }
        Self {
            wanted,
            at,
            before: Vec::new(),
            is_full,
        }
    }

    /// Returns whether the attacker wins, by exhaustive search.
    fn truth(&self, at: Cells) -> bool {
        if self.wanted.iter().any(|line| line & !at.attacker == 0) {
            return true;
        }
        if at.or {
            bits(at.empty()).any(|mv| self.truth(at.after(mv)))
        } else {
            self.truth(at.after(PASS)) && bits(at.empty()).all(|mv| self.truth(at.after(mv)))
        }
    }
}

impl AndOr for Lines {
    type Move = u8;
    type Zone = u32;

    fn key(&self) -> u128 {
        let Cells {
            attacker,
            defender,
            or,
        } = self.at;
        let bits = u64::from(attacker) << 32 | u64::from(defender) << 1 | u64::from(or);
        u128::from(mixed(bits + 1)) << 64 | u128::from(mixed(bits + (1 << 60)))
    }

    fn is_or(&self) -> bool {
        self.at.or
    }

    fn outcome(&mut self) -> Outcome<u32> {
        let at = self.at;
        if let Some(line) = self.wanted.iter().find(|&line| line & !at.attacker == 0) {
            return Outcome::Proved(*line);
        }
        let blocked: Option<u32> = self.wanted.iter().try_fold(0, |zone, line| {
            let cell = bits(line & at.defender).next()?;
            Some(zone | 1 << cell)
        });
        blocked.map_or(Outcome::Open, Outcome::Disproved)
    }

    fn moves(&mut self, moves: &mut Vec<u8>) {
        if !self.at.or {
            moves.push(PASS);
        }
        let some = if self.is_full { CELLS as usize } else { 1 };
        moves.extend(bits(self.at.empty()).take(some));
    }

    fn pass(&self) -> Option<u8> {
        (!self.at.or).then_some(PASS)
    }

    fn is_elsewhere(&self, mv: u8, zone: &u32) -> bool {
        mv != PASS && *zone & 1 << mv == 0
    }

    fn widen(&mut self, tried: &[u8], passed: Option<&u32>, zone: &mut u32, moves: &mut Vec<u8>) {
        let at = self.at;
        if at.or {
            // A cell of the zone must stop every line.
            for line in &self.wanted {
                match bits(line & at.defender).next() {
                    Some(_) if line & at.defender & *zone != 0 => {}
                    Some(cell) => *zone |= 1 << cell,
                    None => *zone |= line & at.empty(),
                }
            }
        }
        let untried = |mv: &u8| !tried.contains(mv);
        let inside = passed.unwrap_or(zone);
        moves.extend(bits(inside & at.empty()).filter(untried));
    }

    fn lift(&mut self, mv: u8, _: bool, zone: &mut u32) {
        if mv != PASS {
            *zone |= 1 << mv;
        }
    }

    fn merge(zone: &mut u32, other: &u32) {
        *zone |= other;
    }

    fn everything(&self) -> u32 {
        (1 << CELLS) - 1
    }

    fn play(&mut self, mv: u8) {
        self.before.push(self.at);
        self.at = self.at.after(mv);
    }

    fn undo(&mut self) {
        self.at = self.before.pop().expect("a move was played");
    }

    fn evaluate(&mut self) -> i32 {
        let missing = |line: &u32| (line & !self.at.attacker).count_ones() as i32;
        let open = self
            .wanted
            .iter()
            .filter(|&line| line & self.at.defender == 0);
        open.map(missing).min().unwrap_or(9)
    }
}

/// Asserts that all positions that agree within the zone have the same result.
fn check(game: &Lines, zone: u32, truth: bool, what: &str) {
    let free: Vec<u8> = bits(!zone & ((1 << CELLS) - 1)).collect();
    for mut filling in 0..3_u32.pow(free.len() as u32) {
        let mut other = Cells {
            attacker: game.at.attacker & zone,
            defender: game.at.defender & zone,
            or: game.at.or,
        };
        for cell in &free {
            match filling % 3 {
                1 => other.attacker |= 1 << cell,
                2 => other.defender |= 1 << cell,
                _ => {}
            }
            filling /= 3;
        }
        assert_eq!(
            game.truth(other),
            truth,
            "{what} {:?} {other:?} {zone:b}",
            game.at
        );
    }
}

#[test]
fn results_and_zones_hold() {
    let (mut zones, mut cells) = (0, 0);
    let mut counts = [0, 0];
    for seed in 0..20 {
        let full = Lines::random(seed, true);
        let truth = full.truth(full.at);
        counts[usize::from(truth)] += 1;
        for params in variants() {
            for is_full in [true, false] {
                let mut game = Lines::random(seed, is_full);
                let mut solver = Solver::new(&params);
                let limits = SolveLimits {
                    nodes: Some(200_000),
                    stop: NEVER,
                };
                let solution = solver.solve(&mut game, limits, None);
                let what = format!("{seed} {is_full} {params:?}");
                let zone = match solution.verdict {
                    Outcome::Proved(zone) if truth => zone,
                    Outcome::Disproved(zone) if !truth => zone,
                    other => panic!("{what} {other:?} {:?}", solution.end),
                };
                check(&game, zone, truth, &what);
                zones += 1;
                cells += zone.count_ones();
                if params.table < 18 {
                    continue;
                }
                // Stored results have zones too.
                for mv in solution.pv {
                    game.play(mv);
                    if let Some(known) = solver.known(&game) {
                        check(&game, known.zone, known.proved, &what);
                    }
                }
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
    assert!(cells < 6 * zones, "{cells} cells in {zones} zones");
}
