//! Colours of numbers: orange below the middle of a scale, blue above it, stronger with the
//! distance. The middle is 0 unless all numbers are then of one colour. People with colour
//! blindness can distinguish orange and blue, and each number is written too.

use std::fmt::Write as _;

use crate::plot::{Anchor, Svg};

/// Number of colour steps on either side of the middle.
const STEPS: i64 = 8;

/// Luminance from which black text is more readable than white.
const INK_CHANGES: f64 = 0.18;

type Rgb = [f64; 3];

/// Colours at both ends and in the middle.
struct Theme {
    below: Rgb,
    zero: Rgb,
    above: Rgb,
}

const LIGHT: Theme = Theme {
    below: [201.0, 92.0, 10.0],
    zero: [245.0, 244.0, 240.0],
    above: [33.0, 102.0, 172.0],
};

const DARK: Theme = Theme {
    below: [255.0, 159.0, 77.0],
    zero: [58.0, 63.0, 71.0],
    above: [110.0, 180.0, 255.0],
};

/// The range of a scale, symmetric about its middle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    middle: i64,
    reach: i64,
}

impl Scale {
    /// Returns a scale about 0 that covers all numbers.
    pub(super) fn about_zero(values: impl Iterator<Item = i64>) -> Self {
        let reach = values.map(i64::saturating_abs).max().unwrap_or(0);
        Self { middle: 0, reach }
    }

    /// Returns a scale about 0, or about the middle of the numbers if they are so far from 0 and so
    /// close together that they would all have the same colour.
    pub(super) fn of(values: impl Iterator<Item = i64> + Clone) -> Self {
        let [least, most] = [values.clone().min(), values.clone().max()].map(|v| v.unwrap_or(0));
        let is_far = (least > 0 && least > most / 2) || (most < 0 && most < least / 2);
        if !is_far {
            return Self::about_zero(values);
        }
        let middle = i64::midpoint(least, most);
        let reach = most
            .saturating_sub(middle)
            .max(middle.saturating_sub(least));
        Self { middle, reach }
    }

    /// Returns the CSS class of a number's colour.
    pub(super) fn class(self, value: i64) -> String {
        let value = value.saturating_sub(self.middle);
        if value == 0 || self.reach == 0 {
            return class(0);
        }
        let share = value.saturating_abs() as f64 / self.reach as f64;
        let step = (share * STEPS as f64).ceil() as i64;
        class(step.clamp(1, STEPS) * value.signum())
    }

    /// Draws the scale as a legend, centred at a point.
    pub(super) fn draw(self, svg: &mut Svg, [x, y]: [f64; 2], write: fn(i64) -> String) {
        const WIDTH: f64 = 9.0;
        for step in -STEPS..=STEPS {
            let corner = [x + (step as f64 - 0.5) * WIDTH, y - 5.0];
            svg.cell(&class(step), corner, [WIDTH, 10.0]);
        }
        let end = (STEPS as f64 + 0.5) * WIDTH + 6.0;
        let mut label = |at: [f64; 2], anchor, value| {
            svg.label(at, anchor, "tick", &write(value));
        };
        let least = self.middle.saturating_sub(self.reach);
        let most = self.middle.saturating_add(self.reach);
        label([x - end, y + 4.0], Anchor::End, least);
        label([x + end, y + 4.0], Anchor::Start, most);
        label([x, y + 17.0], Anchor::Middle, self.middle);
    }
}

fn class(step: i64) -> String {
    match step {
        0 => "z".to_owned(),
        step if step < 0 => format!("n{}", -step),
        step => format!("p{step}"),
    }
}

/// Style rules for all classes.
pub(super) fn rules(dark: bool) -> String {
    let theme = if dark { &DARK } else { &LIGHT };
    let mut rules = String::new();
    for step in -STEPS..=STEPS {
        let end = if step < 0 { theme.below } else { theme.above };
        let share = step.abs() as f64 / STEPS as f64;
        let colour: Rgb = std::array::from_fn(|i| theme.zero[i] + share * (end[i] - theme.zero[i]));
        let class = class(step);
        let fill = hex(colour);
        let ink = if luminance(colour) > INK_CHANGES {
            "#000"
        } else {
            "#fff"
        };
        let _ = writeln!(
            rules,
            "rect.{class},.{class} circle,.{class} rect{{fill:{fill}}}\
             .{class} text{{fill:{ink}}}"
        );
    }
    rules
}

fn hex(colour: Rgb) -> String {
    let [r, g, b] = colour.map(|part| part.round().clamp(0.0, 255.0) as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Relative luminance, 0 to 1 (Web Content Accessibility Guidelines 2.1).
fn luminance(colour: Rgb) -> f64 {
    let [r, g, b] = colour.map(|part| {
        let part = part / 255.0;
        if part <= 0.03928 {
            part / 12.92
        } else {
            libm::pow((part + 0.055) / 1.055, 2.4)
        }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_colour_of_their_side() {
        let scale = Scale::of([3, -80].into_iter());
        let classes = [-80, -70, -1, 0, 1, 10, 11, 80, 999].map(|value| scale.class(value));
        assert_eq!(
            classes,
            ["n8", "n7", "n1", "z", "p1", "p1", "p2", "p8", "p8"]
        );
        assert_eq!(Scale::about_zero([].into_iter()).class(5), "z");
        let least = Scale::about_zero([i64::MIN].into_iter());
        assert_eq!(least.class(i64::MIN), "n8");
    }

    #[test]
    fn numbers_far_from_zero_have_colours_of_their_own() {
        let classes =
            |values: [i64; 3]| values.map(|value| Scale::of(values.into_iter()).class(value));
        assert_eq!(classes([206, 216, 226]), ["n8", "z", "p8"]);
        assert_eq!(classes([-226, -216, -206]), ["n8", "z", "p8"]);
        assert_eq!(classes([0, 100, 200]), ["z", "p4", "p8"], "0 is the middle");
        assert_eq!(classes([i64::MIN, -1, i64::MAX]), ["n8", "n1", "p8"]);
        assert_eq!(classes([7, 7, 7]), ["z"; 3]);
    }

    /// The contrast of text and background is at least 4.5, as the Web Content Accessibility
    /// Guidelines require.
    #[test]
    fn every_number_can_be_read() {
        for theme in [&LIGHT, &DARK] {
            for end in [theme.below, theme.above] {
                for step in 0..=STEPS {
                    let share = step as f64 / STEPS as f64;
                    let colour: Rgb =
                        std::array::from_fn(|i| theme.zero[i] + share * (end[i] - theme.zero[i]));
                    let light = luminance(colour);
                    let ink = if light > INK_CHANGES { 0.0 } else { 1.0 };
                    let (high, low) = (light.max(ink), light.min(ink));
                    let contrast = (high + 0.05) / (low + 0.05);
                    assert!(contrast > 4.5, "{step} of {end:?}: {contrast}");
                }
            }
        }
    }
}
