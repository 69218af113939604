//! From the options that were set to a search whose settings go together.

use super::options::{Choice, Options, Target};
use crate::search::SearchParams;

impl Options {
    /// Brings into force what goes together: everything that was set if it
    /// does, else as much as can be, what was set first before the rest.
    pub(super) fn settle(&mut self) {
        self.held = None;
        let before: Vec<i64> = self.choices.iter().map(|choice| choice.in_force).collect();
        for choice in &mut self.choices {
            choice.in_force = choice.value;
        }
        if self.conflict().is_none() {
            return;
        }
        for (choice, before) in self.choices.iter_mut().zip(before) {
            choice.in_force = before;
        }
        let differs = |choice: &Choice| choice.in_force != choice.value;
        let places = 0..self.choices.len();
        let mut held: Vec<usize> = places.filter(|&at| differs(&self.choices[at])).collect();
        held.sort_by_key(|&at| self.choices[at].set);
        let reason = loop {
            let tried = held.len();
            let mut reason = None;
            held.retain(|&at| {
                let before = self.choices[at].in_force;
                self.choices[at].in_force = self.choices[at].value;
                let conflict = self.conflict();
                let refused = conflict.is_some();
                if refused {
                    self.choices[at].in_force = before;
                    reason = reason.take().or(conflict);
                }
                refused
            });
            if held.len() == tried || held.is_empty() {
                break reason;
            }
        };
        let names = held
            .iter()
            .map(|&at| format!("`{}`", self.choices[at].name));
        let names = names.collect::<Vec<_>>().join(", ");
        self.held = reason.map(|reason| format!("options not in force: {names}: {reason}"));
    }

    /// Why the options that are in force do not go together, or not with the game.
    fn conflict(&self) -> Option<String> {
        self.params().conflict().map(|(reason, _)| reason)
    }

    /// Which options are not in force, and why; none if all are.
    pub(super) fn held(&self) -> Option<&str> {
        self.held.as_deref()
    }

    /// The search as it is to be.
    pub(super) fn params(&self) -> SearchParams {
        let mut params = self.base.clone();
        for choice in &self.choices {
            match choice.target {
                Target::Switch(at) => params.groups()[at].1.turn(choice.in_force != 0),
                Target::Search(setting) => setting.set(&mut params, choice.in_force),
                _ => {}
            }
        }
        params
    }
}
