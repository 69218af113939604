//! Evaluations that are sums of parameters times counts.

use crate::eval::xiangqi::{PHASES, Parameter, features};
use crate::game::xiangqi::Xiangqi;
use crate::search::Tactics;

/// A game with an evaluation that is linear in its parameters.
pub trait Linear: Tactics {
    /// Number of parameters, at most 65,536.
    const PARAMETERS: usize;

    /// What coefficients are counted in: a coefficient of `UNIT` adds the
    /// parameter once. Above 0.
    const UNIT: i32;

    /// The parameters that count here, each at most once, with their
    /// coefficients: the sum of parameters times coefficients, divided by
    /// [`UNIT`](Linear::UNIT), is the static value for the side to move, but
    /// for rounding and limits.
    fn features(&self) -> Vec<(usize, i32)>;
}

impl Linear for Xiangqi {
    const PARAMETERS: usize = Parameter::COUNT;
    const UNIT: i32 = PHASES;

    fn features(&self) -> Vec<(usize, i32)> {
        features(self)
            .into_iter()
            .map(|(parameter, coefficient)| (parameter.index(), coefficient))
            .collect()
    }
}
