//! Bounds and step of a dimension, and their defaults.

use super::raw::{MAX_MOVE, RawParameter};
use super::tuned::{DimensionMember, TunedDimension};
use crate::problem::{Problem, Problems};
use crate::values::{Spanned, Text, real};
use crate::{Decimal, Number, Variant};
use leitai_base::count::count;

/// Default distance of the bounds from the start in steps.
const STEPS: i64 = 4;

/// An entry's settings for its dimensions' bounds.
pub(super) struct Bounds<'r> {
    min: Option<&'r Spanned<f64>>,
    max: Option<&'r Spanned<f64>>,
    range: Option<&'r Spanned<f64>>,
    step: Option<&'r Spanned<f64>>,
    path: &'r Text,
}

/// The reason why numbers cannot form a dimension.
pub(super) enum Flaw {
    /// One side has no room, and the entry gives no bounds.
    AtItsLimit,
    /// The entry's settings are inconsistent.
    Wrong(Problem),
}

impl<'r> Bounds<'r> {
    pub(super) fn check(
        raw: &'r RawParameter,
        path: &'r Text,
        problems: &mut Problems,
    ) -> Option<Self> {
        let before = problems.len();
        real(&raw.min, 0.0, "min", problems);
        real(&raw.max, 0.0, "max", problems);
        real(&raw.range, 0.0, "range", problems);
        for (key, bound) in [("min", &raw.min), ("max", &raw.max)] {
            let Some(bound) = bound else { continue };
            if let Some(range) = &raw.range {
                Problem::error(
                    bound.span(),
                    format!("`{key}` and `range` exclude each other"),
                )
                .context(range.span(), "the other one")
                .help("keep `min` and `max`, or `range`, the distance from the start")
                .report(problems);
            }
            if let Some(group) = &raw.group {
                Problem::error(bound.span(), format!("a `group` has no `{key}`"))
                    .context(group.span(), "its numbers move by the same amount")
                    .help("limit the distance from the start: `range = 100`")
                    .report(problems);
            }
        }
        if let (Some(min), Some(max)) = (&raw.min, &raw.max)
            && min.get_ref() >= max.get_ref()
        {
            Problem::error(min.span(), "`min` is not below `max`")
                .context(max.span(), "the upper bound")
                .help("swap the two, or widen them")
                .report(problems);
        }
        real(&raw.step, 0.0, "step", problems);
        (problems.len() == before).then_some(Self {
            min: raw.min.as_deref(),
            max: raw.max.as_deref(),
            range: raw.range.as_deref(),
            step: raw.step.as_deref(),
            path,
        })
    }

    /// The dimension of that name. Its value is that of the first number, or for a group the common
    /// change of its numbers.
    pub(super) fn dimension(
        &self,
        name: String,
        numbers: &[Number],
        is_group: bool,
        variant: &Variant,
    ) -> Result<TunedDimension, Flaw> {
        let decimals = self.decimals(numbers);
        let numbers = numbers.iter().map(|number| number.with_decimals(decimals));
        let numbers: Vec<Number> = numbers.collect();
        let values = numbers.iter().map(|number| self.value(number, variant));
        let values = values.collect::<Result<Vec<i64>, Flaw>>()?;
        let start = match values.first() {
            Some(&first) if !is_group => first,
            _ => 0,
        };
        let members = numbers
            .into_iter()
            .zip(&values)
            .map(|(number, value)| DimensionMember {
                number,
                offset: value.saturating_sub(start),
            });
        let members: Vec<DimensionMember> = members.collect();
        self.check_option(&members)?;
        let (least, most) = own_range(&members);
        let units = |key: &str, typed: &Spanned<f64>| whole_units(key, typed, decimals);
        let range = self.range.map(|range| units("range", range)).transpose()?;
        let step = self.desired_step(&values, &members, decimals)?;
        let reach = range.unwrap_or((STEPS as f64 * step).ceil() as i64);
        let side = |key, typed: Option<&Spanned<f64>>, usual: i64| match typed {
            None => Ok(usual.clamp(least, most)),
            Some(typed) => match units(key, typed)? {
                value if (least..=most).contains(&value) => Ok(value),
                _ => Err(beyond(key, typed, &members, (least, most))),
            },
        };
        let shown = |units| Decimal { units, decimals };
        let min = side("min", self.min, start.saturating_sub(reach))?;
        let max = side("max", self.max, start.saturating_add(reach))?;
        if start <= min || start >= max {
            let (own, bound) = if start <= min {
                (least, self.min)
            } else {
                (most, self.max)
            };
            if bound.is_none() && own == start {
                return Err(Flaw::AtItsLimit);
            }
            let is_beyond = start < min || start > max;
            let place = if is_beyond { "beyond" } else { "on" };
            let span = bound.map_or(self.path.span(), Spanned::span);
            return Err(Flaw::Wrong(
                Problem::error(span, format!("the start lies {place} a bound"))
                    .label(format!(
                        "`{name}` starts at {}; the bounds are {} and {}",
                        shown(start),
                        shown(min),
                        shown(max)
                    ))
                    .help(
                        "a number must be free to move both ways: widen the bounds, or exclude \
                         the number by `except`",
                    ),
            ));
        }
        let half = (max - min) as f64 / 2.0;
        if let Some(typed) = self.step.filter(|_| step > half) {
            let message = "`step` is more than half of the way between the bounds";
            return Err(Flaw::Wrong(
                Problem::error(typed.span(), message)
                    .label(format!(
                        "`{name}` moves from {} to {}",
                        shown(min),
                        shown(max)
                    ))
                    .help(
                        "a step is a plausible distance of the best value from the start: make it \
                         smaller, or the bounds wider",
                    ),
            ));
        }
        let step = match (self.step, self.min, self.max) {
            (Some(_), ..) => step,
            (None, Some(_), Some(_)) => step.min((half / 3.0).round()).max(1.0),
            _ => step.min(half.floor()).max(1.0),
        };
        Ok(TunedDimension {
            name,
            members,
            start,
            min,
            max,
            step,
        })
    }

    /// The value of a number in units. Refuses an option beyond its range: 32 bits in units of the
    /// last decimal.
    fn value(&self, number: &Number, variant: &Variant) -> Result<i64, Flaw> {
        let (least, most) = number.range();
        let value = number.get(variant);
        value
            .filter(|it| (least..=most).contains(it))
            .ok_or_else(|| {
                let decimals = number.decimals();
                let [least, most] = [least, most].map(|units| Decimal { units, decimals });
                let places = count(decimals.into(), "decimal", "decimals");
                Flaw::Wrong(
                    Problem::error(self.path.span(), "an option is too large to tune")
                        .label(format!("`{number}` with {places} may be {least} to {most}"))
                        .help(
                            "units of the last decimal must fit into 32 bits: leave it out by \
                             `except`, or give fewer decimals in the options and the bounds",
                        ),
                )
            })
    }

    /// Refuses an option without bounds.
    fn check_option(&self, members: &[DimensionMember]) -> Result<(), Flaw> {
        let is_option = |member: &&DimensionMember| matches!(member.number, Number::Option { .. });
        let is_bounded = self.range.is_some() || (self.min.is_some() && self.max.is_some());
        match members.iter().find(is_option) {
            Some(option) if !is_bounded => Err(Flaw::Wrong(
                Problem::error(self.path.span(), "an option needs bounds")
                    .label(format!("`{}`", option.number))
                    .help(
                        "the range of an option is unknown before the program starts: add `min` \
                         and `max`, or `range`, the distance from the start",
                    ),
            )),
            _ => Ok(()),
        }
    }

    /// The decimals of options: those of their values and of the entry's settings, whichever has
    /// the most. Numbers of the evaluation and the search are whole.
    fn decimals(&self, numbers: &[Number]) -> u8 {
        if !numbers.iter().all(|it| matches!(it, Number::Option { .. })) {
            return 0;
        }
        let typed = [self.min, self.max, self.range, self.step];
        let typed = typed.into_iter().flatten();
        let typed = typed.map(|typed| Decimal::decimals_of(*typed.get_ref()));
        let most = numbers.iter().map(Number::decimals).chain(typed).max();
        most.unwrap_or(0).min(Decimal::MAX_DECIMALS)
    }

    /// The step in units: given by the entry, or derived from its range, or from the numbers'
    /// magnitude: a tenth for evaluation, at least 5; a fifth for others, at least 1.
    fn desired_step(
        &self,
        values: &[i64],
        members: &[DimensionMember],
        decimals: u8,
    ) -> Result<f64, Flaw> {
        if let Some(step) = self.step {
            let units = Decimal::units_of(*step.get_ref(), decimals);
            if units < 1.0 {
                return Err(Flaw::Wrong(
                    Problem::error(step.span(), "`step` is below one unit")
                        .label("numbers are whole: rounding would hide it")
                        .help("give `step` at least 1"),
                ));
            }
            return Ok(units);
        }
        if let Some(range) = self.range {
            let range = Decimal::units_of(*range.get_ref(), decimals);
            return Ok((range / STEPS as f64).round().max(1.0));
        }
        let size = values.iter().map(|value| value.unsigned_abs()).max();
        let size = size.unwrap_or(0) as f64;
        Ok(if members.iter().all(|member| member.number.is_eval()) {
            (size / 10.0).round().max(5.0)
        } else {
            (size / 5.0).round().max(1.0)
        })
    }
}

/// A setting in units of the last decimal.
fn whole_units(key: &str, typed: &Spanned<f64>, decimals: u8) -> Result<i64, Flaw> {
    let value = *typed.get_ref();
    if decimals == 0 && value.fract() != 0.0 {
        return Err(Flaw::Wrong(
            Problem::error(typed.span(), format!("`{key}` is not a whole number"))
                .label("numbers of the evaluation and the search are whole")
                .help(format!("write `{key} = {}`", value.round())),
        ));
    }
    Ok(Decimal::nearest(value, decimals).units)
}

/// The range of the dimension's value that keeps each number in its own range.
fn own_range(members: &[DimensionMember]) -> (i64, i64) {
    let ranges = members.iter().map(|member| {
        let (least, most) = member.number.range();
        let offset = member.offset;
        (least.saturating_sub(offset), most.saturating_sub(offset))
    });
    ranges.fold((-MAX_MOVE, MAX_MOVE), |(low, high), (least, most)| {
        (low.max(least), high.min(most))
    })
}

fn beyond(
    key: &str,
    typed: &Spanned<f64>,
    members: &[DimensionMember],
    (least, most): (i64, i64),
) -> Flaw {
    let first = members.first().map(|member| &member.number);
    let name = first.map(Number::path).unwrap_or_default();
    let decimals = first.map_or(0, Number::decimals);
    let [least, most] = [least, most].map(|units| Decimal { units, decimals });
    let message = format!("`{key}` is beyond the range of the number");
    Flaw::Wrong(
        Problem::error(typed.span(), message)
            .label(format!("`{name}` takes {least} to {most}"))
            .help(format!("give `{key}` a number from {least} to {most}")),
    )
}
