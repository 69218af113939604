//! The options of an engine: set before its first game, and again when they change.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use super::{Engine, Result, StartError};
use leitai_config::Program;
use leitai_protocols::{Offer, OptionKind};

impl Engine {
    /// Sets the options, and keeps the engine's output until it is ready.
    pub(crate) fn set_options(&mut self, program: &Program, cancel: &AtomicBool) -> Result<()> {
        let profile = &program.profile;
        let offered = &self.introduction.offers;
        let init = profile.init.iter();
        let mut lines: Vec<String> = init.map(|line| self.codec.plain(line)).collect();
        self.codec.note_options(offered);
        let usual = profile.usual_options.iter();
        let usual = usual.map(|(name, value)| (name.as_str(), value.as_str()));
        let required = self.codec.required_options().into_iter();
        for (name, value) in required.chain(usual) {
            if let Some(offer) = Offer::find(offered, name) {
                let value = offer.accept(value).unwrap_or_else(|_| value.to_owned());
                lines.push(self.codec.option(offer.kind, &offer.name, &value));
            }
        }
        let options = spelled(offered, &profile.options)?;
        // The effect of a button may depend on other options: a table is cleared at its new size.
        let is_button = |name: &str| kind(offered, name) == OptionKind::Button;
        for are_buttons in [false, true] {
            for (name, value) in &options {
                if is_button(name) == are_buttons {
                    lines.push(self.codec.option(kind(offered, name), name, value));
                }
            }
        }
        self.options = options;
        self.introduction.remarks = self.send_and_wait(lines, self.startup, cancel)?;
        Ok(())
    }

    /// Sets the options whose values have changed.
    pub(crate) fn adjust(
        &mut self,
        options: &BTreeMap<String, String>,
        cancel: &AtomicBool,
    ) -> Result<()> {
        let offered = &self.introduction.offers;
        let options = spelled(offered, options)?;
        let mut lines = Vec::new();
        for (name, value) in &options {
            if self.options.get(name) != Some(value) {
                lines.push(self.codec.option(kind(offered, name), name, value));
            }
        }
        if lines.is_empty() {
            return Ok(());
        }
        self.options = options;
        self.discard_output();
        self.send_and_wait(lines, self.startup, cancel).map(|_| ())
    }
}

/// The type of an option.
fn kind(offered: &[Offer], name: &str) -> OptionKind {
    Offer::find(offered, name).map_or(OptionKind::Unknown, |offer| offer.kind)
}

/// Options of the config in the spelling of the engine: an engine may compare exactly.
fn spelled(
    offered: &[Offer],
    options: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>> {
    let spell = |(name, value): (&String, &String)| {
        let offer = Offer::find(offered, name).ok_or_else(|| {
            let names: Vec<&str> = offered.iter().map(|offer| offer.name.as_str()).collect();
            let offered = if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            };
            let name = name.clone();
            StartError::Option { name, offered }
        })?;
        let value = offer.accept(value).map_err(|refused| StartError::Value {
            name: name.clone(),
            refused: refused.text,
            malformed: refused.malformed,
        })?;
        Ok((offer.name.clone(), value))
    };
    options.iter().map(spell).collect()
}
