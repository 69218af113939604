//! Elo over games, measured against reference players.

use maud::{Markup, PreEscaped, html};

use crate::page::elements::{WIDE, code, section};
use crate::page::number::signed;
use crate::plot::{Anchor, Panel, Size, short};
use leitai_runs::figures::tune::{Checkpoint, Reference};

const SIZE: Size = Size {
    whole: [860.0, 330.0],
    sides: [52.0, 190.0],
    ends: [24.0, 42.0],
};

/// Greatest length of a name, in characters; the rest is cut off.
const LETTERS: usize = 22;

/// Renders the section about strength; `None` if none was measured.
pub(super) fn strength(ratings: &[Checkpoint], references: &[Reference]) -> Option<Markup> {
    let values = ratings.iter().flat_map(|checkpoint| {
        let elo = &checkpoint.elo;
        [elo.value, elo.low, elo.high].into_iter().flatten()
    });
    let levels = references.iter().filter_map(|reference| reference.elo);
    let all: Vec<f64> = values.chain(levels).filter(|elo| elo.is_finite()).collect();
    all.first()?;
    let games = ratings.iter().map(|checkpoint| checkpoint.games).max()?;
    let title = "Elo over games";
    let mut panel = Panel::new(title, SIZE, games, all.into_iter(), Panel::UNLIMITED);
    panel.heading(Anchor::Start, "tick", "Elo");
    panel.below("games that the values were learned from");
    let mut names = Vec::new();
    for reference in references {
        let Some(elo) = reference.elo.filter(|elo| elo.is_finite()) else {
            continue;
        };
        if let Some(at) = panel.level("reference", elo) {
            let (name, elo) = (short(&reference.name, LETTERS), signed(elo.round() as i64));
            names.push((at, "name".to_owned(), format!("{name} {elo}")));
        }
    }
    panel.names(names);
    let points = ratings.iter().filter_map(|checkpoint| {
        let elo = checkpoint.elo.value?;
        Some((checkpoint.games, elo))
    });
    panel.curve("line", points);
    for checkpoint in ratings {
        panel.mark("mark", checkpoint.games, &checkpoint.elo);
    }
    let unknown: Vec<&Reference> = references.iter().filter(|it| it.elo.is_none()).collect();
    let body = html! {
        p.hint {
            "Elo of the values along the trajectory, against the pool. The first point is the start, the "
            "last the tuned values; bars are 95 % intervals"
            @if !references.is_empty() { ", dashed lines the reference players" }
            "."
            @if !unknown.is_empty() {
                " The games do not show the Elo of "
                @for (place, reference) in unknown.iter().enumerate() {
                    @if place > 0 { ", " }
                    (code(&reference.name))
                }
                "."
            }
        }
        div.wide role="group" tabindex="0" aria-label=(WIDE) { (PreEscaped(panel.finish())) }
    };
    Some(section(title, &body))
}
