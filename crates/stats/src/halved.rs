//! Where a condition that holds on one side of a point ends.

/// The ends of an interval that was halved so many times: `holds` is taken to be so at the
/// first end and not at the second.
pub(super) fn halved(ends: [f64; 2], times: u32, holds: impl Fn(f64) -> bool) -> [f64; 2] {
    (0..times).fold(ends, |[inside, outside], _| {
        let middle = f64::midpoint(inside, outside);
        if holds(middle) {
            [middle, outside]
        } else {
            [inside, middle]
        }
    })
}
