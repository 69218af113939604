//! The evaluation: squares by rows, terms that are counted on the board, and tuples
//! line by line, each with the weights of the stage.

use super::count::{self, Wanted};
use super::params::{OthelloParams, OthelloWeights, limited};
use super::stage::{Pair, Place, Stage};
use super::terms::Terms;
use super::tuples::{Length, pattern};
use crate::eval::{Evaluation, MAX_EVAL, Score};
use crate::game::othello::{Othello, OthelloRules};
use crate::game::{Move, Position};

/// What discs are worth where they stand, and how they stand to each other, for the
/// side to move less the other one.
#[derive(Clone, Debug)]
pub struct OthelloEvaluation {
    /// The weights between each two neighbouring stages; one if all are the same.
    spans: Vec<Span>,
    /// The terms that have a weight in any stage; `None` if no term has.
    wanted: Option<Wanted>,
    params: OthelloParams,
    /// By what a finished game is counted.
    rules: OthelloRules,
}

/// The weights of two neighbouring stages.
#[derive(Clone, Debug)]
struct Span {
    /// Value of the discs in row 1, 2, 3 or 4, by the set of their files. The board is
    /// symmetric, so four rows serve for eight.
    rows: Box<[[Pair; 256]; 4]>,
    terms: [Pair; Terms::COUNT],
}

impl Span {
    fn new(earlier: &OthelloWeights, later: &OthelloWeights) -> Self {
        let values = [earlier, later].map(OthelloWeights::disc_values);
        let mut rows = Box::new([[Pair::default(); 256]; 4]);
        for (row, sums) in rows.iter_mut().enumerate() {
            for set in 1..256_usize {
                let square = 8 * row + set.trailing_zeros() as usize;
                let first = Pair::new(values[0][square], values[1][square]);
                sums[set] = sums[set & (set - 1)] + first;
            }
        }
        let [earlier, later] = [earlier, later].map(|weights| weights.terms.numbers());
        Self {
            rows,
            terms: std::array::from_fn(|place| {
                Pair::new(limited(earlier[place]), limited(later[place]))
            }),
        }
    }

    /// Value of a set of discs by their squares. A row is one look-up.
    #[inline]
    fn squares(&self, discs: u64) -> Pair {
        let sets = discs.to_le_bytes().map(usize::from);
        (0..4).fold(Pair::default(), |sum, row| {
            sum + self.rows[row][sets[row]] + self.rows[row][sets[7 - row]]
        })
    }
}

impl OthelloEvaluation {
    /// The evaluation with these numbers, in games under these rules.
    pub fn new(params: &OthelloParams, rules: OthelloRules) -> Self {
        let stages = Stage::ALL.map(|stage| params.stage(stage));
        let spans = if params.is_constant() {
            vec![Span::new(stages[0], stages[0])]
        } else {
            let pairs = stages.windows(2);
            pairs.map(|pair| Span::new(pair[0], pair[1])).collect()
        };
        let is_wanted = |place: usize| {
            let mut stages = stages.iter();
            stages.any(|weights| weights.terms.number(place) != 0)
        };
        let wanted: Wanted = std::array::from_fn(is_wanted);
        Self {
            spans,
            wanted: wanted.contains(&true).then_some(wanted),
            params: params.clone(),
            rules,
        }
    }

    fn tuples(&self, position: &Othello, place: Place) -> Pair {
        let [own, enemy] = count::discs(position);
        let mut sum = Pair::default();
        for length in Length::ALL {
            let [earlier, later] = [place.span, place.span + 1].map(|stage| {
                let weights = self.params.stage(Stage::ALL[stage]);
                weights.tuples.of(length)
            });
            for tuple in &length.shape().tuples {
                let squares = tuple.squares.into_iter().take(length.squares());
                let first = usize::from(tuple.class) * length.patterns();
                let mut add = |pattern: usize| {
                    let (earlier, later) = (earlier[first + pattern], later[first + pattern]);
                    sum += Pair::new(limited(earlier), limited(later));
                };
                if tuple.forward {
                    add(pattern(squares.clone(), own, enemy));
                }
                if tuple.backward {
                    add(pattern(squares.rev(), own, enemy));
                }
            }
        }
        sum
    }
}

impl Default for OthelloEvaluation {
    fn default() -> Self {
        Self::new(&OthelloParams::default(), OthelloRules::default())
    }
}

impl Evaluation<Othello> for OthelloEvaluation {
    /// Nothing is worth carrying along: a sum kept up move by move would have to find
    /// the turned discs again at every move.
    type Accumulator = ();

    fn accumulate(&self, _position: &Othello) {}

    fn advance(&self, (): (), _before: &Othello, _mv: Move) {}

    #[inline]
    fn evaluate(&self, position: &Othello, (): ()) -> Score {
        let [own, enemy] = count::discs(position);
        let mut place = Place::of((own | enemy).count_ones());
        if self.spans.len() == 1 {
            place.span = 0;
        }
        let span = &self.spans[place.span];
        let mut sum = span.squares(own) - span.squares(enemy);
        if let Some(wanted) = &self.wanted {
            let counts = count::balance(position, wanted);
            for (&weight, count) in span.terms.iter().zip(counts) {
                sum += weight * count;
            }
        }
        sum += self.tuples(position, place);
        sum.at(place.later).clamp(-MAX_EVAL, MAX_EVAL)
    }

    fn evaluate_without_moves(&self, position: &Othello, _ply: u32) -> Score {
        finished(position.final_score(position.side_to_move(), self.rules))
    }
}

/// What a finished game is worth that is won by so many discs (-64..=64, counted by
/// the rules of the game): the margin on top of [`MAX_EVAL`]. That is more than any
/// estimate, and more the more discs it is won by, however far away. A draw is 0.
#[inline]
pub const fn finished(margin: i32) -> Score {
    margin + margin.signum() * MAX_EVAL
}
