//! Derives a consistent search from the options.

use super::options::{Choice, Options, Target};
use leitai_game::search::SearchParams;

impl Options {
    /// Applies a consistent set of options: all if they are consistent, otherwise as many as
    /// possible, in the order in which they were set.
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

    /// Returns the conflict of the applied options with one another or with the game.
    fn conflict(&self) -> Option<String> {
        self.params().conflict().map(|(reason, _)| reason)
    }

    /// Returns a message about options without effect; `None` if all are applied.
    pub(super) fn held(&self) -> Option<&str> {
        self.held.as_deref()
    }

    /// Returns the search settings with the options applied.
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
