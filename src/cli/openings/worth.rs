//! `leitai openings check --play`: the information in a book, as text.

use crate::cli::prelude::*;
use leitai_base::count::with_sign;
use leitai_session::{BookWorth, more_nodes};

/// The information as text.
pub(super) fn words(worth: &BookWorth) -> String {
    let (nodes, information) = (worth.nodes, &worth.information);
    let mut text = format!(
        "played       {} at {nodes} nodes a move against {} (seed {}); in {} of them the two games \
         differ: {}\n",
        count(worth.played, "pair", "pairs"),
        more_nodes(nodes),
        worth.seed,
        information.pairs,
        information.elo.map_or_else(
            || "all lost or won".to_owned(),
            |elo| format!("{} Elo", with_sign(elo, 1))
        ),
    );
    let _ = write!(
        text,
        "draws        {:.1} %, {:.1} % +- {:.1} between equals by Davidson's model\n\
         information  {:.2}e-5 +- {:.2}e-5 per pair and square Elo; level openings without draws \
         have 1.66e-5\n\
         a change that is worth 5 Elo in level games without draws is worth {:.1} here: a gate needs \
         some {:.0} pairs to find it",
        100.0 * information.draw_rate,
        100.0 * information.draw_rate_of_equals,
        100.0 * information.draw_rate_of_equals_error.unwrap_or(0.0),
        1e5 * information.per_pair,
        1e5 * information.standard_error,
        worth.five_elo_seen,
        worth.pairs_for_five_elo,
    );
    if !information.is_near {
        text.push_str(
            "\nwarning: the two are too unequal for an estimate about equals: give more nodes",
        );
    }
    text
}
