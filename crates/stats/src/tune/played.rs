//! Players and results of batches, in steps.

use super::{Kind, Players, Proposal, Space};
use crate::Pentanomial;
use crate::RandomNumbers;

/// Wins minus losses of the first player, summed over the games.
pub(super) fn lead(result: &Pentanomial) -> f64 {
    let [ll, ld, _, wd, ww] = result.0.map(|n| n as f64);
    2.0 * (ww - ll) + (wd - ld)
}

/// Number of games of a proposal.
pub(super) fn games(proposal: &Proposal) -> f64 {
    2.0 * f64::from(proposal.pairs)
}

/// Returns centre and signed half-difference of each coordinate of a batch, in steps, as played.
pub(super) fn coordinates<'a>(
    space: &'a Space,
    proposal: &'a Proposal,
) -> impl Iterator<Item = (f64, f64)> + 'a {
    let sides = proposal.plus.iter().zip(&proposal.minus);
    space.dimensions().iter().zip(sides).map(|(d, (&p, &m))| {
        let center = (0.5 * p + 0.5 * m - d.start) / d.step;
        (center, 0.5 * (p - m) / d.step)
    })
}

/// Returns two players around a centre in steps, `reach(i)` steps away from it in each coordinate,
/// on random sides.
pub(super) fn sides(
    space: &Space,
    center: &[f64],
    reach: impl Fn(usize) -> f64,
    mut random: RandomNumbers,
) -> Players {
    let signs = random.signs(space.len());
    let coordinates = space.dimensions().iter().zip(center).zip(signs);
    coordinates
        .enumerate()
        .map(|(i, ((d, z), sign))| {
            let u = match d.kind {
                Kind::Integer | Kind::Decimal(_) => random.uniform(),
                Kind::Real => 0.0,
            };
            d.sides(d.start + z * d.step, sign * reach(i) * d.step, u)
        })
        .unzip()
}

/// Returns notes about parameters that ended within `reach(i)` steps of a bound.
pub(super) fn near_bounds(
    space: &Space,
    values: &[f64],
    reach: impl Fn(usize) -> f64,
) -> Vec<String> {
    let parameters = space.dimensions().iter().zip(values).enumerate();
    parameters
        .filter_map(|(i, (d, &value))| {
            let near = reach(i) * d.step;
            let (side, bound) = if d.max - value < near {
                ("max", d.max)
            } else if value - d.min < near {
                ("min", d.min)
            } else {
                return None;
            };
            let shown = d.kind.shown_decimals();
            Some(format!(
                "{}: {value:.shown$} lies within one perturbation ({near:.shown$}) of {side} = {bound}; \
                 the best value may lie beyond, widen the bound if that makes sense",
                d.name
            ))
        })
        .collect()
}
