//! Bisection.

/// Halves an interval `times` times and returns the ends of the rest. Assumes that `holds` is true
/// at the first end and false at the second.
pub fn bisect(ends: [f64; 2], times: u32, holds: impl Fn(f64) -> bool) -> [f64; 2] {
    (0..times).fold(ends, |[inside, outside], _| {
        let middle = f64::midpoint(inside, outside);
        if holds(middle) {
            [middle, outside]
        } else {
            [inside, middle]
        }
    })
}
