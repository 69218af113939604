//! The options of an engine: set before its first game, and again when they change.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use super::{Engine, Result, StartError};
use crate::player::external::codec::ProtocolCodec;
use crate::player::external::offer::Offer;
use leitai_config::Program;

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
                lines.push(self.codec.option(offer.kind, name, value));
            }
        }
        // The effect of a button may depend on other options: a table is cleared at its new size.
        let is_button = |name: &str| Offer::find(offered, name).is_some_and(Offer::is_button);
        for are_buttons in [false, true] {
            for (name, value) in &profile.options {
                if is_button(name) == are_buttons {
                    lines.push(option(&mut *self.codec, offered, name, value)?);
                }
            }
        }
        self.options.clone_from(&profile.options);
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
        let mut lines = Vec::new();
        for (name, value) in options {
            if self.options.get(name) != Some(value) {
                lines.push(option(&mut *self.codec, offered, name, value)?);
            }
        }
        if lines.is_empty() {
            return Ok(());
        }
        self.options.clone_from(options);
        self.discard_output();
        self.send_and_wait(lines, self.startup, cancel).map(|_| ())
    }
}

/// The command that sets an option of the config.
fn option(
    codec: &mut dyn ProtocolCodec,
    offered: &[Offer],
    name: &str,
    value: &str,
) -> Result<String> {
    let offer = Offer::find(offered, name).ok_or_else(|| {
        let names: Vec<&str> = offered.iter().map(|offer| offer.name.as_str()).collect();
        let offered = if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        };
        let name = name.to_owned();
        StartError::Option { name, offered }
    })?;
    match offer.refuses(value) {
        Some(refused) => Err(StartError::Value {
            name: name.to_owned(),
            refused: refused.text,
            malformed: refused.malformed,
        }),
        None => Ok(codec.option(offer.kind, name, value)),
    }
}
