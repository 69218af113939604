//! A `[[variant]]` table before inheritance.

use std::ops::Range;

use super::eval::{EvalLayer, EvalReader};
use super::form::Spanned;
use super::layer::Layer;
use super::problem::{Problem, Problems};
use super::program_typed::Typed;
use super::raw::{RawLimits, Text};
use super::reader::Fields;
use super::search::{RawSearch, SearchLayer};
use super::value::choice;
use super::{GameChoice, Limits, tables};

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
        let base = fields.take("base", "`variant.base`", problems);
        let search = fields
            .take::<Spanned<RawSearch>>("search", "`search`", problems)
            .value();
        let eval = if let Some(game) = game {
            let table = game.card.numbers();
            fields
                .take_by(EvalReader(table), "eval", "`eval`", problems)
                .value()
                .map(|raw| EvalLayer::check(raw.get_ref(), table, problems))
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
            table.map(|raw| (raw.span(), tables::limits(&raw, problems)))
        };
        let typed = Typed::read(&mut fields, problems);
        fields.finish(problems);
        let own = search.as_ref().map(|raw| (raw.span(), "search"));
        let own = own.or_else(|| eval.as_ref().map(|_| (span.clone(), "eval")));
        Self {
            name: name.value(),
            base: base.value(),
            own,
            limits,
            limits_itself,
            typed,
            span,
            layer: Layer {
                search: search
                    .map(|raw| {
                        SearchLayer::check(raw.get_ref(), game.map(|game| game.card), problems)
                    })
                    .unwrap_or_default(),
                eval,
            },
        }
    }

    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name.as_ref().is_some_and(|own| own.get_ref() == name)
    }
}
