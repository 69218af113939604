//! Bounds and step of a dimension, and their defaults.

use std::ops::Range;

use super::raw::{MOST_MOVE, RawParameter, Step};
use super::tuned::{Member, Tuned};
use crate::form::{Bounds as _, Spanned};
use crate::problem::Problem;
use crate::raw::Number as Typed;
use crate::value::optional;
use crate::{Number, Variant};

/// Default distance of the bounds from the start in steps.
const STEPS: i64 = 4;

/// An entry's settings for its dimensions' bounds, each value checked separately.
pub(super) struct Bounds {
    min: Option<Typed>,
    max: Option<Typed>,
    range: Option<i64>,
    step: Option<Spanned<f64>>,
    /// Position of the entry's path.
    path: Range<usize>,
}

/// The reason why numbers make no dimension.
pub(super) enum Flaw {
    /// One side has no room, and the entry gives no bounds.
    AtItsLimit,
    /// The entry's settings are inconsistent.
    Wrong(Problem),
}

impl Bounds {
    pub(super) fn check(
        raw: &RawParameter,
        path: Range<usize>,
        problems: &mut Vec<Problem>,
    ) -> Option<Self> {
        let before = problems.len();
        let _: Option<i64> = optional(raw.min.as_ref(), "min", problems);
        let _: Option<i64> = optional(raw.max.as_ref(), "max", problems);
        let range = optional(raw.range.as_ref(), "range", problems);
        for (key, bound) in [("min", &raw.min), ("max", &raw.max)] {
            let Some(bound) = bound else { continue };
            if let Some(range) = &raw.range {
                problems.push(
                    Problem::error(
                        bound.span(),
                        format!("`{key}` and `range` exclude each other"),
                    )
                    .context(range.span(), "the other one")
                    .help("keep `min` and `max`, or `range`: so far from the start"),
                );
            }
            if let Some(group) = &raw.group {
                problems.push(
                    Problem::error(bound.span(), format!("a `group` has no `{key}`"))
                        .context(group.span(), "its numbers move by the same amount")
                        .help("say how far they may move: `range = 100`"),
                );
            }
        }
        if let (Some(min), Some(max)) = (&raw.min, &raw.max)
            && min.get_ref() >= max.get_ref()
        {
            problems.push(
                Problem::error(min.span(), "`min` is not below `max`")
                    .context(max.span(), "the upper bound")
                    .help("swap the two, or widen them"),
            );
        }
        if let Some(step) = &raw.step {
            let value = *step.get_ref();
            if !Step::RANGE.contains(&value) {
                problems.push(
                    Problem::error(step.span(), "`step` is below one unit")
                        .label("numbers are whole: rounding would hide it")
                        .help("give `step` at least 1"),
                );
            }
        }
        (problems.len() == before).then(|| Self {
            min: raw.min.as_deref().cloned(),
            max: raw.max.as_deref().cloned(),
            range,
            step: raw.step.as_deref().cloned(),
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
    ) -> Result<Tuned, Flaw> {
        let values = numbers.iter().filter_map(|number| number.get(variant));
        let values: Vec<i64> = values.collect();
        let start = match values.first() {
            Some(&first) if !is_group => first,
            _ => 0,
        };
        let members = numbers.iter().zip(&values).map(|(number, value)| Member {
            number: number.clone(),
            offset: value.saturating_sub(start),
        });
        let members: Vec<Member> = members.collect();
        self.sides_are_known(&members)?;
        let (least, most) = own_range(&members);
        let (min, max) = self.sides(start, &values, &members, (least, most))?;
        if start <= min || start >= max {
            let said = [&self.min, &self.max];
            let on_lower = start <= min;
            let (own, bound) = if on_lower {
                (least, said[0])
            } else {
                (most, said[1])
            };
            return Err(match bound {
                None if own == start => Flaw::AtItsLimit,
                _ => self.no_room(&name, start, (min, max), bound.as_ref()),
            });
        }
        let half = (max - min) as f64 / 2.0;
        if let Some(step) = &self.step
            && *step.get_ref() > half
        {
            let message = "`step` is more than half of the way between the bounds";
            return Err(Flaw::Wrong(
                Problem::error(step.span(), message)
                    .label(format!("`{name}` moves from {min} to {max}"))
                    .help(
                        "a step is a plausible distance of the best value from the start: make it \
                         smaller, or the bounds wider",
                    ),
            ));
        }
        let step = self.wish(&values, &members);
        let step = match (&self.step, &self.min, &self.max) {
            (Some(_), ..) => step,
            (None, Some(_), Some(_)) => step.min((half / 3.0).round()).max(1.0),
            _ => step.min(half.floor()).max(1.0),
        };
        Ok(Tuned {
            name,
            members,
            start,
            min,
            max,
            step,
        })
    }

    /// Refuses an option without bounds.
    fn sides_are_known(&self, members: &[Member]) -> Result<(), Flaw> {
        let is_option = |member: &&Member| matches!(member.number, Number::Option(_));
        let is_known = self.range.is_some() || (self.min.is_some() && self.max.is_some());
        match members.iter().find(is_option) {
            Some(option) if !is_known => Err(Flaw::Wrong(
                Problem::error(self.path.clone(), "an option needs bounds")
                    .label(format!("`{}`", option.number))
                    .help(
                        "what the program takes is not known before it is started: add `min` and \
                         `max`, or `range`, so far from the start",
                    ),
            )),
            _ => Ok(()),
        }
    }

    /// The step given by the entry, or derived from its range, or from the numbers' magnitude: a
    /// tenth for evaluation, at least 5; a fifth for others, at least 1.
    fn wish(&self, values: &[i64], members: &[Member]) -> f64 {
        if let Some(step) = &self.step {
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

    /// The bounds; missing ones are chosen within the numbers' own ranges.
    fn sides(
        &self,
        start: i64,
        values: &[i64],
        members: &[Member],
        (least, most): (i64, i64),
    ) -> Result<(i64, i64), Flaw> {
        let usual = (STEPS as f64 * self.wish(values, members)).ceil() as i64;
        let reach = self.range.unwrap_or(usual);
        let side = |key, said: Option<&Typed>, usual: i64| match said {
            None => Ok(usual.clamp(least, most)),
            Some(said) if (least..=most).contains(said.get_ref()) => Ok(*said.get_ref()),
            Some(said) => Err(Flaw::Wrong(beyond(key, said, members, (least, most)))),
        };
        Ok((
            side("min", self.min.as_ref(), start.saturating_sub(reach))?,
            side("max", self.max.as_ref(), start.saturating_add(reach))?,
        ))
    }

    fn no_room(
        &self,
        name: &str,
        start: i64,
        (min, max): (i64, i64),
        bound: Option<&Typed>,
    ) -> Flaw {
        let span = bound.map_or_else(|| self.path.clone(), Spanned::span);
        let beyond = start < min || start > max;
        let message = if beyond {
            "the start lies beyond a bound"
        } else {
            "the start lies on a bound"
        };
        Flaw::Wrong(
            Problem::error(span, message)
                .label(format!(
                    "`{name}` starts at {start}; the bounds are {min} and {max}"
                ))
                .help(
                    "a number must be free to move both ways: widen the bounds, or leave the \
                     number out by `except`",
                ),
        )
    }
}

/// The range of the dimension's value that keeps each number in its own range.
fn own_range(members: &[Member]) -> (i64, i64) {
    members
        .iter()
        .fold((-MOST_MOVE, MOST_MOVE), |(low, high), member| {
            let (least, most) = member.number.range();
            (
                low.max(least.saturating_sub(member.offset)),
                high.min(most.saturating_sub(member.offset)),
            )
        })
}

fn beyond(key: &str, said: &Typed, members: &[Member], (least, most): (i64, i64)) -> Problem {
    let name = members.first().map(|member| member.number.path());
    let name = name.unwrap_or_default();
    Problem::error(
        said.span(),
        format!("`{key}` is beyond what the number takes"),
    )
    .label(format!("`{name}` takes {least} to {most}"))
    .help(format!("give `{key}` a number from {least} to {most}"))
}
