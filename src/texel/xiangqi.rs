//! Layouts of the Xiangqi evaluation.

use std::collections::HashMap;

use super::{BadLayout, Dimension, Layout};
use crate::eval::xiangqi::{Parameter, Phase, XiangqiParams};

/// Whether a number has one value in middlegame and endgame or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phases {
    /// One: half as many dimensions, and rows half as long.
    Together,
    /// Two.
    Apart,
}

/// A layout for `params` in which `choose` says of each dimension whether it is
/// free, and within which bounds. Squares are tied to their mirror images, and
/// with [`Phases::Together`] the numbers of the endgame to those of the
/// middlegame; `choose` is asked for the first of such a group in the order of
/// [`Parameter::all`]. The name that it gives is replaced by the parameter's.
///
/// # Errors
/// [`BadLayout`]: tied numbers differ, or bounds are not in order.
pub fn xiangqi_layout(
    params: &XiangqiParams,
    phases: Phases,
    choose: impl Fn(Parameter) -> Option<Dimension>,
) -> Result<Layout, BadLayout> {
    let mut dimensions = Vec::new();
    let mut groups: HashMap<Parameter, Option<u16>> = HashMap::new();
    let mut of = Vec::with_capacity(Parameter::COUNT);
    for parameter in Parameter::all() {
        let first = first_of_group(parameter, phases);
        let dimension = *groups.entry(first).or_insert_with(|| {
            let chosen = choose(first)?;
            let name = first.to_string();
            dimensions.push(Dimension { name, ..chosen });
            Some((dimensions.len() - 1) as u16)
        });
        of.push(dimension);
    }
    let start = Parameter::all().map(|parameter| f64::from(params.get(parameter)));
    Layout::new(start.collect(), of, dimensions)
}

/// `params` with the values of a fit, each rounded to the nearest number; what
/// is fixed in `layout` stays as it is.
pub fn xiangqi_params(params: &XiangqiParams, layout: &Layout, values: &[f64]) -> XiangqiParams {
    let mut fitted = params.clone();
    for (parameter, value) in Parameter::all().zip(layout.expand(values)) {
        if layout.dimension_of(parameter.index()).is_some() {
            fitted.set(parameter, value.round() as i32);
        }
    }
    fitted
}

/// The first of the parameters that `parameter` is tied to.
fn first_of_group(parameter: Parameter, phases: Phases) -> Parameter {
    let phase_of = |phase| match phases {
        Phases::Together => Phase::Middle,
        Phases::Apart => phase,
    };
    match parameter {
        Parameter::Tempo => Parameter::Tempo,
        Parameter::Material(phase, kind) => Parameter::Material(phase_of(phase), kind),
        Parameter::Square(phase, kind, place) => {
            let (row, file) = (place / 9, place % 9);
            Parameter::Square(phase_of(phase), kind, 9 * row + file.min(8 - file))
        }
        Parameter::Term(phase, place) => Parameter::Term(phase_of(phase), place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::xiangqi::Terms;

    fn any() -> Dimension {
        Dimension {
            name: String::new(),
            min: -9000.0,
            max: 9000.0,
            scale: 50.0,
        }
    }

    #[test]
    fn mirror_images_and_phases_are_tied() {
        let params = XiangqiParams::default();
        let of_phase = 7 + 7 * 50 + Terms::COUNT;
        for (phases, expected) in [(Phases::Together, of_phase), (Phases::Apart, 2 * of_phase)] {
            let layout = xiangqi_layout(&params, phases, |_| Some(any())).unwrap();
            assert_eq!(layout.dimensions().len(), 1 + expected);
            let dimension = |name: &str| {
                let parameter: Parameter = name.parse().unwrap();
                layout.dimension_of(parameter.index())
            };
            assert_eq!(dimension("pst.horse[3][1]"), dimension("pst.horse[3][7]"));
            assert_ne!(dimension("pst.horse[3][1]"), dimension("pst.horse[3][6]"));
            let together = phases == Phases::Together;
            let (middle, end) = (dimension("material.rook"), dimension("end.material.rook"));
            assert_eq!(middle == end, together);
            let (middle, end) = (dimension("pst.pawn[2][8]"), dimension("end.pst.pawn[2][0]"));
            assert_eq!(middle == end, together);
        }
    }

    #[test]
    fn what_is_not_chosen_is_fixed() {
        let mut params = XiangqiParams::default();
        params.middle.material[0] = 3;
        let tempo = |parameter| (parameter == Parameter::Tempo).then(any);
        let layout = xiangqi_layout(&params, Phases::Apart, tempo).unwrap();
        assert_eq!(layout.dimensions().len(), 1);
        assert_eq!(layout.dimensions()[0].name, "tempo");
        let values = layout.expand(&[12.5]);
        assert!((values[0] - 12.5).abs() < 1e-12 && (values[1] - 3.0).abs() < 1e-12);
        params.tempo = 9;
        let fitted = xiangqi_params(&params, &layout, &[12.5]);
        assert_eq!((fitted.tempo, fitted.middle.material[0]), (13, 3));
        // Material that differs by phase cannot be tied.
        let bad = xiangqi_layout(&params, Phases::Together, |_| Some(any()));
        assert!(bad.unwrap_err().to_string().contains("(3 and 0)"));
    }
}
