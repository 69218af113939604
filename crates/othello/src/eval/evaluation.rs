//! The evaluation: values of discs by rows or by lines, and terms counted on the board, each with
//! the weights of the stage.

use std::ops::Add;

use super::count::{self, TermSet};
use super::lines::{EdgeTable, LineTables};
use super::numbers::term;
use super::params::{OthelloParams, disc_values};
use super::stage::{Stage, StagePosition, UNIT};
use super::terms::Terms;
use crate::{Othello, OthelloRules};
use leitai_game::eval::{Evaluation, MAX_EVAL, PackedScore, Score};
use leitai_game::{Move, Position};

/// The values of discs on their squares and of their relations, for the side to move minus the
/// other side. Terms without a weight in any stage cost no time.
#[derive(Clone, Debug)]
pub struct OthelloEvaluation {
    /// The complete evaluation, if it is simple enough.
    plain: Option<Plain>,
    /// The weights between each two neighbouring stages: one span if all stages are equal, none if
    /// the evaluation is plain.
    spans: Vec<Span>,
    /// The terms to count on the board.
    wanted: TermSet,
    /// The scoring rules of finished games.
    rules: OthelloRules,
}

/// The weights of two neighbouring stages.
#[derive(Clone, Debug)]
struct Span {
    tables: Tables,
    terms: [PackedScore; Terms::COUNT],
}

/// The lookup tables.
#[derive(Clone, Debug)]
enum Tables {
    /// Only squares.
    Rows(RowTables<PackedScore>),
    /// Squares, and edges with terms.
    Edges(RowTables<PackedScore>, EdgeTable),
    /// Everything that depends on lines.
    Lines(LineTables),
}

/// The kind of the lookup tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Rows,
    Edges,
    Lines,
}

impl Kind {
    /// The kind of tables for evaluations with these terms, with or without tuples.
    const fn of(wanted: TermSet, has_tuples: bool) -> Kind {
        if has_tuples {
            Kind::Lines
        } else if wanted.meets(TermSet::OF_EDGES) {
            Kind::Edges
        } else {
            Kind::Rows
        }
    }

    /// The terms that the tables hold.
    const fn holds(self) -> TermSet {
        match self {
            Kind::Rows => TermSet::NONE,
            Kind::Edges => TermSet::ON_EDGES,
            Kind::Lines => TermSet::ON_LINES,
        }
    }
}

/// Value of the discs in row 1, 2, 3 or 4, by the set of their files. The board is symmetric, so
/// four rows suffice for eight.
#[derive(Clone, Debug)]
struct RowTables<T>(Box<[[T; 256]; 4]>);

impl<T: Copy + Default + Add<Output = T>> RowTables<T> {
    fn new(value_of: impl Fn(usize) -> T) -> Self {
        let mut rows = Box::new([[T::default(); 256]; 4]);
        for (row, sums) in rows.iter_mut().enumerate() {
            for set in 1..256_usize {
                let square = 8 * row + set.trailing_zeros() as usize;
                sums[set] = sums[set & (set - 1)] + value_of(square);
            }
        }
        Self(rows)
    }

    /// Value of a set of discs, with one lookup per row.
    #[inline]
    fn value(&self, discs: u64) -> T {
        let sets = discs.to_le_bytes();
        (0..4).fold(T::default(), |sum, row| {
            let values = &self.0[row];
            sum + values[usize::from(sets[row])] + values[usize::from(sets[7 - row])]
        })
    }
}

impl RowTables<PackedScore> {
    fn of_stages(stages: [&[i32]; 2]) -> Self {
        let [one, other] = stages.map(disc_values);
        Self::new(|square| PackedScore::new(one[square], other[square]))
    }
}

/// Squares, discs and mobility, the same in all stages: the evaluation of most games.
#[derive(Clone, Debug)]
struct Plain {
    rows: RowTables<Score>,
    mobility: Score,
}

impl Plain {
    fn new(weights: &[i32]) -> Self {
        let values = disc_values(weights);
        Self {
            rows: RowTables::new(|square| values[square]),
            mobility: weights[term(0)],
        }
    }

    #[inline]
    fn value(&self, position: &Othello) -> Score {
        let [own, enemy] = count::discs(position);
        let squares = self.rows.value(own) - self.rows.value(enemy);
        match self.mobility {
            0 => squares,
            weight => squares + weight * count::mobility(position),
        }
    }
}

impl Span {
    fn new(kind: Kind, stages: [&[i32]; 2]) -> Self {
        let tables = match kind {
            Kind::Rows => Tables::Rows(RowTables::of_stages(stages)),
            Kind::Edges => Tables::Edges(RowTables::of_stages(stages), EdgeTable::new(stages)),
            Kind::Lines => Tables::Lines(LineTables::new(stages)),
        };
        let [earlier, later] = stages;
        let pair = |place| PackedScore::new(earlier[term(place)], later[term(place)]);
        Self {
            tables,
            terms: std::array::from_fn(pair),
        }
    }

    /// The weighted sum of the `wanted` terms. Most evaluations use only mobility or nothing.
    #[inline]
    fn counted(&self, wanted: TermSet, position: &Othello) -> PackedScore {
        if wanted == TermSet::NONE {
            return PackedScore::default();
        }
        let mut sum = PackedScore::default();
        if wanted.meets(TermSet::MOBILITY) {
            sum = self.terms[0] * count::mobility(position);
        }
        let others = wanted.without(TermSet::MOBILITY);
        if others != TermSet::NONE {
            sum += self.others(others, position);
        }
        sum
    }

    /// In a separate function, so that evaluations without these terms do none of this work.
    #[inline(never)]
    fn others(&self, wanted: TermSet, position: &Othello) -> PackedScore {
        let mut sum = PackedScore::default();
        for (place, &weight) in self.terms.iter().enumerate() {
            if wanted.meets(TermSet::of(place)) {
                sum += weight * count::term(place, position);
            }
        }
        sum
    }
}

impl OthelloEvaluation {
    /// The evaluation with these parameters, for games with these rules.
    #[doc(hidden)]
    pub fn new(params: &OthelloParams, rules: OthelloRules) -> Self {
        let stages = Stage::ALL.map(|stage| params.stage(stage));
        let has_weight = |place: &usize| stages.iter().any(|weights| weights[term(*place)] != 0);
        let wanted = (0..Terms::COUNT).filter(has_weight).map(TermSet::of);
        let wanted = wanted.fold(TermSet::NONE, TermSet::with);
        let first_tuple = term(Terms::COUNT);
        let has_tuples = |weights: &&[i32]| weights[first_tuple..].iter().any(|&it| it != 0);
        let kind = Kind::of(wanted, stages.iter().any(has_tuples));
        let is_constant = params.is_constant();
        let is_plain =
            is_constant && kind == Kind::Rows && wanted.without(TermSet::MOBILITY) == TermSet::NONE;
        let spans = if is_plain {
            Vec::new()
        } else if is_constant {
            vec![Span::new(kind, [stages[0]; 2])]
        } else {
            let pairs = stages.windows(2);
            let span = |pair: &[&[i32]]| Span::new(kind, [pair[0], pair[1]]);
            pairs.map(span).collect()
        };
        Self {
            plain: is_plain.then(|| Plain::new(stages[0])),
            spans,
            wanted: wanted.without(kind.holds()),
            rules,
        }
    }
}

impl Default for OthelloEvaluation {
    fn default() -> Self {
        Self::new(&OthelloParams::default(), OthelloRules::default())
    }
}

impl Evaluation<Othello> for OthelloEvaluation {
    /// No incremental state: a running sum would have to find the flipped discs again at every
    /// move.
    type Accumulator = ();

    fn accumulate(&self, _position: &Othello) {}

    fn advance(&self, (): (), _before: &Othello, _mv: Move) {}

    #[inline]
    fn evaluate(&self, position: &Othello, (): ()) -> Score {
        if let Some(plain) = &self.plain {
            return plain.value(position).clamp(-MAX_EVAL, MAX_EVAL);
        }
        let [own, enemy] = count::discs(position);
        let is_constant = self.spans.len() == 1;
        let place = if is_constant {
            StagePosition::FIRST
        } else {
            StagePosition::of((own | enemy).count_ones())
        };
        let Some(span) = self.spans.get(place.span) else {
            return 0;
        };
        let counted = span.counted(self.wanted, position);
        // The values of lines are doubled.
        let (sum, by) = match &span.tables {
            Tables::Rows(rows) => (rows.value(own) - rows.value(enemy) + counted, 1),
            Tables::Edges(rows, edges) => {
                let sum = rows.value(own) - rows.value(enemy) + counted;
                (sum + sum + edges.value(own, enemy), 2)
            }
            Tables::Lines(lines) => (lines.value(own, enemy) + counted + counted, 2),
        };
        let value = if is_constant {
            sum.first() / by
        } else {
            sum.between(place.later, UNIT, by)
        };
        value.clamp(-MAX_EVAL, MAX_EVAL)
    }

    fn evaluate_without_moves(&self, position: &Othello, _ply: u32) -> Score {
        finished(position.final_score(position.side_to_move(), self.rules))
    }
}

/// The value of a finished game that is won by this many discs (-64..=64, counted by the rules of
/// the game): the margin plus [`MAX_EVAL`]. It is greater than every estimate and grows with the
/// margin, at any distance. A draw is 0.
#[inline]
pub const fn finished(margin: i32) -> Score {
    margin + margin.signum() * MAX_EVAL
}
