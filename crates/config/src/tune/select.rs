//! Converts entries to dimensions: numbers that move together, and numbers that do not move.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::bounds::Flaw;
use super::entry::{Entry, Named, Purpose};
use super::raw::RawParameter;
use super::tuned::{ANCHOR, AT_ITS_LIMIT, EXCEPT, FreezeReason, Frozen, TunedDimension};
use crate::glob::Glob;
use crate::problem::{Problem, Problems};
use crate::values::Spanned;
use crate::{Number, Variant};
use leitai_game::numbers::{Entry as Declared, Useless};

/// The numbers named by a table of parameters.
pub(super) struct Selected {
    pub(super) dimensions: Vec<TunedDimension>,
    pub(super) frozen: Vec<Frozen>,
}

/// Every number of the variant, with its path.
pub(super) fn named(variant: &Variant) -> Vec<Named> {
    let all = Number::all(variant).into_iter();
    all.map(|number| (number.clone(), number.path())).collect()
}

/// The dimensions and the frozen numbers; `None` after an error. `of` is the purpose of the
/// numbers, `all` has the numbers of the variant.
pub(super) fn select(
    typed: &[Spanned<RawParameter>],
    of: Purpose,
    anchor: Option<&Glob>,
    variant: &Variant,
    all: &[Named],
    problems: &mut Problems,
) -> Option<Selected> {
    let before = problems.len();
    let entries: Vec<Entry<'_>> = typed
        .iter()
        .filter_map(|raw| Entry::check(raw, of, variant, all, problems))
        .collect();
    let named = entries.iter().flat_map(|entry| &entry.named).collect();
    let mut selection = Selection {
        named,
        anchor,
        owners: HashMap::new(),
        names: HashMap::new(),
        dimensions: Vec::new(),
        frozen: Vec::new(),
    };
    for index in 0..entries.len() {
        selection.add(index, &entries, variant, problems);
    }
    for (index, entry) in entries.iter().enumerate() {
        selection.refuse_empty(index, entry, problems);
    }
    let whole = !problems[before..].iter().any(Problem::is_error);
    let frozen = selection.frozen.into_iter().map(|(_, frozen)| frozen);
    whole.then_some(Selected {
        dimensions: selection.dimensions,
        frozen: frozen.collect(),
    })
}

/// The same numbers in each later stage of the game, stage by stage.
fn stages(family: &[Number]) -> Vec<Vec<Number>> {
    let mut stages: Vec<Vec<Number>> = Vec::new();
    for number in family {
        for (place, later) in number.in_later_stages().into_iter().enumerate() {
            match stages.get_mut(place) {
                Some(stage) => stage.push(later),
                None => stages.push(vec![later]),
            }
        }
    }
    stages
}

struct Selection<'e> {
    /// The numbers that any entry names itself.
    named: HashSet<&'e Number>,
    anchor: Option<&'e Glob>,
    /// The index of the entry that moves a number.
    owners: HashMap<Number, usize>,
    /// The position that defines each dimension's name.
    names: HashMap<String, Range<usize>>,
    dimensions: Vec<TunedDimension>,
    /// Frozen numbers with the index of the entry.
    frozen: Vec<(usize, Frozen)>,
}

impl Selection<'_> {
    fn add(
        &mut self,
        index: usize,
        entries: &[Entry<'_>],
        variant: &Variant,
        problems: &mut Problems,
    ) {
        let entry = &entries[index];
        let mut flaws: Vec<(Problem, usize)> = Vec::new();
        let families = self.families(index, entry, variant);
        if let Some(other) = self.claim(index, &families, entries) {
            problems.push(other);
            return;
        }
        let groups: Vec<(String, Vec<Number>)> = match entry.group {
            Some(name) if !families.is_empty() => {
                vec![(name.get_ref().clone(), families.concat())]
            }
            _ => families
                .into_iter()
                .filter_map(|family| Some((family.first()?.path(), family)))
                .collect(),
        };
        for (name, family) in groups {
            let is_group = entry.group.is_some();
            let place = entry.group.unwrap_or(entry.path).span();
            if let Some(other) = self.names.insert(name.clone(), place.clone()) {
                Problem::error(place, format!("two dimensions are called `{name}`"))
                    .context(other, "the other one")
                    .help("give the group another name")
                    .report(problems);
                return;
            }
            match entry.bounds.dimension(name, &family, is_group, variant) {
                Ok(dimension) => self.dimensions.push(dimension),
                Err(Flaw::AtItsLimit) => self.freeze(index, entry, AT_ITS_LIMIT, family),
                Err(Flaw::Wrong(problem)) => {
                    let same = |(other, _): &&mut (Problem, usize)| {
                        other.span == problem.span && other.message == problem.message
                    };
                    match flaws.iter_mut().find(same) {
                        Some((_, more)) => *more += 1,
                        None => flaws.push((problem, 0)),
                    }
                }
            }
        }
        problems.extend(flaws.into_iter().map(|(problem, more)| match more {
            0 => problem,
            more => problem.help(format!(
                "the same holds for {more} more numbers of the path"
            )),
        }));
    }

    /// Numbers that move together by mirror images and stages, without frozen numbers.
    fn families(&mut self, index: usize, entry: &Entry<'_>, variant: &Variant) -> Vec<Vec<Number>> {
        let mut seen = HashSet::new();
        let mut families = Vec::new();
        for number in &entry.named {
            if seen.contains(number) {
                continue;
            }
            let mut family = vec![number.clone()];
            let image = number.mirrored().filter(|_| entry.mirror);
            family.extend(image.filter(|image| image != number));
            let why = family
                .iter()
                .find_map(|number| self.freeze_reason(entry, number, variant));
            seen.extend(family.iter().cloned());
            let mut later = stages(&family);
            for stage in &mut later {
                stage.retain(|number| !self.named.contains(number));
            }
            if let Some(why) = why {
                family.extend(later.concat());
                self.freeze(index, entry, why, family);
                continue;
            }
            for stage in later {
                match stage
                    .iter()
                    .find_map(|number| self.freeze_reason(entry, number, variant))
                {
                    Some(why) => self.freeze(index, entry, why, stage),
                    None => family.extend(stage),
                }
            }
            family.retain(|number| number.get(variant).is_some());
            families.push(family);
        }
        families
    }

    /// The reason why the number does not move, if any.
    fn freeze_reason(
        &self,
        entry: &Entry<'_>,
        number: &Number,
        variant: &Variant,
    ) -> Option<FreezeReason> {
        let path = number.path();
        let is_met = |glob: &Glob| glob.matches(&path);
        let useless = match number {
            Number::Search(number) => number.useless_in(&variant.search),
            _ => number.of_eval().and_then(Declared::useless),
        };
        let anchor = self.anchor.is_some_and(is_met).then_some(ANCHOR);
        let except = entry.except.iter().any(is_met).then_some(EXCEPT);
        useless.or(anchor).or(except)
    }

    fn freeze(&mut self, index: usize, entry: &Entry<'_>, why: FreezeReason, numbers: Vec<Number>) {
        let mut frozen = self.frozen.iter_mut();
        if let Some((_, frozen)) = frozen.find(|(at, frozen)| *at == index && frozen.why == why) {
            frozen.numbers.extend(numbers);
        } else {
            let entry = entry.path.get_ref().clone();
            self.frozen.push((
                index,
                Frozen {
                    entry,
                    why,
                    numbers,
                },
            ));
        }
    }

    /// Assigns the numbers to the entry, or returns the error for a number that another entry
    /// moves.
    fn claim(
        &mut self,
        index: usize,
        families: &[Vec<Number>],
        entries: &[Entry<'_>],
    ) -> Option<Problem> {
        for number in families.iter().flatten() {
            let owner = self.owners.insert(number.clone(), index);
            let Some(owner) = owner.filter(|owner| *owner != index) else {
                continue;
            };
            let (one, other) = (&entries[owner], &entries[index]);
            let help = if !other.glob.is_exact() || !one.glob.is_exact() {
                format!("remove it from one of the two: `except = [\"{number}\"]`")
            } else if other.named.contains(number) && one.named.contains(number) {
                "remove one of the two".to_owned()
            } else {
                "squares move with their mirror images unless both entries say `mirror = false`"
                    .to_owned()
            };
            return Some(
                Problem::error(other.path.span(), format!("`{number}` is named twice"))
                    .label("here")
                    .context(one.path.span(), "and here")
                    .help(help),
            );
        }
        None
    }

    /// Refuses an entry whose numbers are all frozen. One that the variant does not use may serve
    /// other variants, unless no number moves at all.
    fn refuse_empty(&self, index: usize, entry: &Entry<'_>, problems: &mut Problems) {
        let of_this = self.frozen.iter().filter(|(at, _)| *at == index);
        let of_this = of_this.map(|(_, frozen)| frozen);
        let numbers: HashSet<&Number> = of_this.clone().flat_map(|f| &f.numbers).collect();
        let is_whole = entry.named.iter().all(|number| numbers.contains(number));
        let mut reasons = of_this.clone().map(|frozen| frozen.why.name);
        if !self.dimensions.is_empty() && reasons.any(|name| name == Useless::UNUSED) {
            return;
        }
        if let (true, Some(first)) = (is_whole, of_this.clone().next()) {
            let message = format!(
                "`{}` names no number that can be tuned",
                entry.path.get_ref()
            );
            Problem::error(entry.path.span(), message)
                .label(first.why.reason)
                .help("remove this parameter, or use a path that names other numbers")
                .report(problems);
        }
    }
}
