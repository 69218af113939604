//! Bounds and step of a dimension, and their defaults.

use super::raw::{MAX_MOVE, RawParameter, Step};
use super::tuned::{DimensionMember, TunedDimension};
use crate::problem::{Problem, Problems};
use crate::values::{Bounds as _, Number as Typed, Spanned, Text, ranged};
use crate::{Number, Variant};

/// Default distance of the bounds from the start in steps.
const STEPS: i64 = 4;

/// An entry's settings for its dimensions' bounds.
pub(super) struct Bounds<'r> {
    min: Option<&'r Typed>,
    max: Option<&'r Typed>,
    range: Option<i64>,
    step: Option<&'r Spanned<f64>>,
    path: &'r Text,
}

/// The reason why numbers make no dimension.
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
        let _: Option<i64> = ranged(&raw.min, "min", problems);
        let _: Option<i64> = ranged(&raw.max, "max", problems);
        let range = ranged(&raw.range, "range", problems);
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
        let step = raw.step.as_deref();
        if let Some(step) = step.filter(|step| !Step::RANGE.contains(step.get_ref())) {
            Problem::error(step.span(), "`step` is below one unit")
                .label("numbers are whole: rounding would hide it")
                .help("give `step` at least 1")
                .report(problems);
        }
        (problems.len() == before).then_some(Self {
            min: raw.min.as_deref(),
            max: raw.max.as_deref(),
            range,
            step,
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
        let values = numbers.iter().filter_map(|number| number.get(variant));
        let values: Vec<i64> = values.collect();
        let start = match values.first() {
            Some(&first) if !is_group => first,
            _ => 0,
        };
        let members = numbers
            .iter()
            .zip(&values)
            .map(|(number, value)| DimensionMember {
                number: number.clone(),
                offset: value.saturating_sub(start),
            });
        let members: Vec<DimensionMember> = members.collect();
        self.check_option(&members)?;
        let (least, most) = own_range(&members);
        let step = self.desired_step(&values, &members);
        let reach = (STEPS as f64 * step).ceil() as i64;
        let reach = self.range.unwrap_or(reach);
        let side = |key, typed: Option<&Typed>, usual: i64| match typed {
            None => Ok(usual.clamp(least, most)),
            Some(typed) if (least..=most).contains(typed.get_ref()) => Ok(*typed.get_ref()),
            Some(typed) => Err(beyond(key, typed, &members, (least, most))),
        };
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
                        "`{name}` starts at {start}; the bounds are {min} and {max}"
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
                    .label(format!("`{name}` moves from {min} to {max}"))
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

    /// Refuses an option without bounds.
    fn check_option(&self, members: &[DimensionMember]) -> Result<(), Flaw> {
        let is_option = |member: &&DimensionMember| matches!(member.number, Number::Option(_));
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

    /// The step given by the entry, or derived from its range, or from the numbers' magnitude: a
    /// tenth for evaluation, at least 5; a fifth for others, at least 1.
    fn desired_step(&self, values: &[i64], members: &[DimensionMember]) -> f64 {
        if let Some(step) = self.step {
            return *step.get_ref();
        }
        if let Some(range) = self.range {
            return (range as f64 / STEPS as f64).round().max(1.0);
        }
        let size = values.iter().map(|value| value.unsigned_abs()).max();
        let size = size.unwrap_or(0) as f64;
        if members.iter().all(|member| member.number.is_eval()) {
            (size / 10.0).round().max(5.0)
        } else {
            (size / 5.0).round().max(1.0)
        }
    }
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
    typed: &Typed,
    members: &[DimensionMember],
    (least, most): (i64, i64),
) -> Flaw {
    let name = members.first().map(|member| member.number.path());
    let name = name.unwrap_or_default();
    let message = format!("`{key}` is beyond the range of the number");
    Flaw::Wrong(
        Problem::error(typed.span(), message)
            .label(format!("`{name}` takes {least} to {most}"))
            .help(format!("give `{key}` a number from {least} to {most}")),
    )
}
