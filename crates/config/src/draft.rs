//! A `[[variant]]` table before inheritance.

use std::ops::Range;

use super::eval::EvalLayer;
use super::limits::{self, Limits, RawLimits};
use super::problem::{Problem, Problems};
use super::program_typed::Typed;
use super::reader::Fields;
use super::search::SearchLayer;
use super::values::{RawTable, Spanned, Text, choice};
use super::{GameChoice, Variant};

/// A `[[variant]]` table with each value checked separately.
pub(super) struct Draft {
    pub(super) name: Option<Text>,
    pub(super) base: Option<Text>,
    /// Position of the table.
    pub(super) span: Range<usize>,
    pub(super) layer: Layer,
    /// Position and name of the key that sets a search or an evaluation.
    pub(super) own: Option<(Range<usize>, &'static str)>,
    /// Position and value of its own limits.
    pub(super) limits: Option<(Range<usize>, Limits)>,
    /// Position of the key that lets a program limit itself.
    pub(super) limits_itself: Option<Range<usize>>,
    /// Its settings for a program.
    pub(super) typed: Typed,
}

impl Draft {
    pub(super) fn read(
        mut fields: Fields,
        game: Option<GameChoice>,
        problems: &mut Problems,
    ) -> Self {
        let span = fields.span();
        let name = fields.take::<Text>("name", "`variant.name`", problems);
        if name.is_absent() {
            Problem::error(span.clone(), "a variant without a name")
                .help("add `name = \"...\"` to it")
                .report(problems);
        }
        let base = fields.take("base", "`variant.base`", problems).value();
        let search = fields.take::<Spanned<RawTable>>("search", "`search`", problems);
        let search = search.value();
        let eval = if let Some(game) = game {
            let raw = fields.take::<RawTable>("eval", "`eval`", problems);
            let table = game.card.numbers();
            raw.value()
                .map(|raw| EvalLayer::check(&raw, table, problems))
        } else {
            // The valid keys depend on the game, which is unknown.
            fields.skip("eval");
            None
        };
        let mut limits_itself = None;
        let limits = if fields.is_text("limits") {
            let word = fields.take::<Text>("limits", "`variant.limits`", problems);
            word.value().map(|word| {
                let known = choice(&word, "limits", &[("own", ())], problems);
                limits_itself = known.map(|()| word.span());
                (word.span(), Limits::default())
            })
        } else {
            let table = fields.take::<Spanned<RawLimits>>("limits", "`variant.limits`", problems);
            let table = table.value();
            table.map(|raw| (raw.span(), limits::limits(&raw, problems)))
        };
        let typed = Typed::read(&mut fields, problems);
        fields.finish(problems);
        let own = search.as_ref().map(|raw| (raw.span(), "search"));
        let own = own.or_else(|| eval.as_ref().map(|_| (span.clone(), "eval")));
        let card = game.map(|game| game.card);
        let search = search.map(|raw| SearchLayer::check(raw.get_ref(), card, problems));
        let search = search.unwrap_or_default();
        Self {
            name: name.value(),
            base,
            own,
            limits,
            limits_itself,
            typed,
            span,
            layer: Layer { search, eval },
        }
    }

    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name.as_ref().is_some_and(|own| own.get_ref() == name)
    }
}

/// The own settings of one variant.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    pub(super) search: SearchLayer,
    pub(super) eval: Option<EvalLayer>,
}

impl Layer {
    /// Replaces the values that the layer sets.
    pub(super) fn apply(&self, variant: &mut Variant) {
        self.search.apply(&mut variant.search);
        if let Some(layer) = &self.eval {
            layer.apply(&mut variant.eval);
        }
    }
}
