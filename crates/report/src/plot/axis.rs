//! Axes: mapping of values to pixels, and tick positions.

/// A linear or logarithmic map of a range of values to a range of pixels.
#[derive(Clone, Copy)]
pub struct Axis {
    /// Exponents of ten on a logarithmic axis.
    values: [f64; 2],
    pub(crate) pixels: [f64; 2],
    logarithmic: bool,
    /// The first tick.
    first: f64,
    /// Distance of ticks.
    step: f64,
}

impl Axis {
    /// A linear axis from tick to tick around the values; `None` without values.
    pub fn linear(values: impl Iterator<Item = f64>, pixels: [f64; 2]) -> Option<Self> {
        let [low, high] = range(values)?;
        let step = step(high - low);
        let values = [(low / step).floor() * step, (high / step).ceil() * step];
        Some(Self::new(values, pixels, step))
    }

    /// Cuts the axis at the `limits` of the values.
    pub(crate) fn within(self, [least, most]: [f64; 2]) -> Self {
        let [low, high] = self.values;
        let values = [low.max(least), high.min(most)];
        if values[0] >= values[1] {
            return self;
        }
        Self {
            values,
            first: (values[0] / self.step).ceil() * self.step,
            ..self
        }
    }

    /// A logarithmic axis from power to power of ten around the values; `None` without values above
    /// 0.
    pub fn logarithmic(values: impl Iterator<Item = f64>, pixels: [f64; 2]) -> Option<Self> {
        let [low, high] = range(values.filter(|x| *x > 0.0).map(libm::log10))?;
        let axis = Self::new([low.floor(), high.ceil()], pixels, 1.0);
        Some(Self {
            logarithmic: true,
            ..axis
        })
    }

    /// An axis of the whole numbers from 1 on.
    pub(crate) fn counting(last: u32, pixels: [f64; 2]) -> Self {
        let step = f64::from(last.div_ceil(12).max(1));
        Self::new([1.0, f64::from(last)], pixels, step)
    }

    fn new(values: [f64; 2], pixels: [f64; 2], step: f64) -> Self {
        let [low, high] = values;
        Self {
            values: [low, if high > low { high } else { low + step }],
            pixels,
            logarithmic: false,
            first: low,
            step,
        }
    }

    /// The pixel of a value.
    pub fn at(&self, value: f64) -> f64 {
        let value = if self.logarithmic {
            libm::log10(value)
        } else {
            value
        };
        let [low, high] = self.values;
        let share = (value - low) / (high - low);
        self.pixels[0] + share * (self.pixels[1] - self.pixels[0])
    }

    /// The values with a tick.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        let [_, high] = self.values;
        let count = ((high - self.first) / self.step + 1e-9) as u32;
        let ticks = (0..=count).map(|i| self.first + f64::from(i) * self.step);
        if self.logarithmic {
            ticks.map(|power| 10_f64.powi(power as i32)).collect()
        } else {
            ticks.collect()
        }
    }
}

/// The smallest and the largest of the finite values.
fn range(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    let values: Vec<f64> = values.filter(|x| x.is_finite()).collect();
    let low = values.iter().copied().reduce(f64::min)?;
    let high = values.iter().copied().reduce(f64::max)?;
    Some([low, high])
}

/// A step of 1, 2 or 5 times a power of ten, with about five steps in `width`.
fn step(width: f64) -> f64 {
    if width <= 0.0 {
        return 1.0;
    }
    let raw = width / 5.0;
    let power = libm::pow(10.0, libm::log10(raw).floor());
    let digits = [1.0, 2.0, 5.0, 10.0].into_iter();
    let digit = digits.map(|digit| digit * power);
    digit
        .filter(|step| *step >= raw * 0.999)
        .reduce(f64::min)
        .unwrap_or(raw)
}

/// A tick's value without needless digits.
pub(crate) fn label(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0 + 0.0;
    if rounded.abs() >= 1e6 {
        format!("{:.0} M", rounded / 1e6)
    } else if rounded.abs() >= 1e4 {
        format!("{:.0} k", rounded / 1e3)
    } else {
        rounded.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks().into_iter().map(label).collect()
    }

    #[test]
    fn axes_hold_their_values_between_ticks() {
        let axis = Axis::linear([0.3, 0.97].into_iter(), [0.0, 100.0]).unwrap();
        assert_eq!(labels(&axis), ["0.2", "0.4", "0.6", "0.8", "1"]);
        assert!((axis.at(0.6) - 50.0).abs() < 1e-9);
        let axis = Axis::logarithmic([40.0, 1.2e6].into_iter(), [300.0, 0.0]).unwrap();
        let powers = ["10", "100", "1000", "10 k", "100 k", "1 M", "10 M"];
        assert_eq!(labels(&axis), powers);
        assert!((axis.at(10_000.0) - 150.0).abs() < 1e-9);
        let axis = Axis::counting(6, [0.0, 100.0]);
        assert_eq!(labels(&axis), ["1", "2", "3", "4", "5", "6"]);
        assert_eq!(Axis::counting(64, [0.0, 1.0]).ticks().len(), 11);
    }

    #[test]
    fn an_axis_ends_at_limits() {
        let axis = Axis::linear([0.0, 1437.0].into_iter(), [100.0, 0.0]).unwrap();
        let axis = axis.within([0.0, 1437.0]);
        assert_eq!(labels(&axis), ["0", "500", "1000"]);
        assert!(axis.at(1437.0).abs() < 1e-9 && (axis.at(0.0) - 100.0).abs() < 1e-9);
        let axis = Axis::linear([-73.0, 90.0].into_iter(), [0.0, 1.0]).unwrap();
        assert_eq!(
            labels(&axis.within([-80.0, 100.0])),
            ["-50", "0", "50", "100"]
        );
    }

    #[test]
    fn axes_of_nothing_and_of_one_value() {
        assert!(Axis::linear([f64::NAN].into_iter(), [0.0, 1.0]).is_none());
        assert!(Axis::logarithmic([0.0].into_iter(), [0.0, 1.0]).is_none());
        let one = || [1.0].into_iter();
        let axes = [
            Axis::linear(one(), [0.0, 1.0]).unwrap(),
            Axis::logarithmic(one(), [0.0, 1.0]).unwrap(),
            Axis::counting(1, [0.0, 1.0]),
        ];
        for axis in axes {
            assert!((0.0..=1.0).contains(&axis.at(1.0)));
            assert_eq!(axis.ticks().len(), 2);
        }
    }
}
