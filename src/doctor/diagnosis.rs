//! What wrong answers mean: from what a program said to the keys that may help
//! it. Nothing is asked here.

use crate::card::{AnyLine, AnyPosition};
use crate::config::{Letters, Passing, Profile, Protocol};
use crate::game::Move;
use crate::player::{Offer, read_move};

/// What an answer that is not legal looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clues {
    /// It would be legal if ranks were counted from the other number.
    pub(super) other_ranks: bool,
    /// It would be legal if it were the other side's turn.
    pub(super) other_side: bool,
    /// It would be legal at the usual start.
    pub(super) at_the_start: bool,
}

/// Reads the clues in an answer of a program that speaks like this.
pub(super) fn clues(profile: &Profile, line: &dyn AnyLine, text: &str) -> Clues {
    let position = line.position();
    let legal = |position: &dyn AnyPosition, canonical: Option<String>| {
        canonical.is_some_and(|canonical| position.parse_move(&canonical).is_ok())
    };
    let other = Profile {
        rank_base: 1 - profile.rank_base.min(1),
        ..profile.clone()
    };
    let canonical = read_move(profile, text);
    let other_side = !position.in_check() && legal(&*position.passed(), canonical.clone());
    let initial = position.card().initial();
    Clues {
        other_ranks: legal(position, read_move(&other, text)),
        other_side,
        at_the_start: *position != *initial && legal(&*initial, canonical),
    }
}

impl Clues {
    /// The clues as the end of a sentence; the strongest one only.
    pub(super) fn words(self, profile: &Profile) -> String {
        if self.other_ranks {
            let other = 1 - profile.rank_base.min(1);
            format!("; it would be if ranks are counted from {other}")
        } else if self.other_side {
            "; it is a move of the side whose turn it is not".to_owned()
        } else if self.at_the_start {
            "; it is one of the usual start: the program did not take the position".to_owned()
        } else {
            String::new()
        }
    }
}

/// Another way to speak that may be the right one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Suspect {
    /// The whole profile.
    pub(super) profile: Profile,
    /// The lines of the config that make it so.
    pub(super) lines: Vec<String>,
}

/// The ways to speak that differ from `profile` in what answers depend on, the
/// likeliest first: with as few changes as possible, and those first that the
/// clues speak for.
pub(super) fn suspects(profile: &Profile, found: &[Clues], offers: &[Offer]) -> Vec<Suspect> {
    let mut all: Vec<Suspect> = chess_program(profile, offers).into_iter().collect();
    let keys = match profile.protocol {
        Protocol::Uci | Protocol::UciCyclone | Protocol::Ucci => 3,
        Protocol::Cecp => 4,
        Protocol::Gtp | Protocol::Nboard => return vec![other_passes(profile)],
    };
    let ranks = found.iter().any(|clues| clues.other_ranks);
    let mut sets: Vec<u32> = (1..1 << keys).collect();
    // The lowest bit is the rank base.
    sets.sort_by_key(|set| (set.count_ones(), (set & 1 == 1) != ranks, *set));
    all.extend(sets.into_iter().map(|set| changed(profile, set)));
    all
}

/// The profile with those keys changed whose bits are set.
fn changed(profile: &Profile, set: u32) -> Suspect {
    let mut profile = profile.clone();
    let mut lines = Vec::new();
    if set & 1 != 0 {
        profile.rank_base = 1 - profile.rank_base.min(1);
        lines.push(format!("rank_base = {}", profile.rank_base));
    }
    if set & 2 != 0 {
        profile.fen_fields = if profile.fen_fields == 4 { 6 } else { 4 };
        lines.push(format!("fen_fields = {}", profile.fen_fields));
    }
    if set & 4 != 0 {
        let (letters, name) = match profile.letters {
            Letters::Bn => (Letters::Eh, "EH"),
            Letters::Eh => (Letters::Bn, "BN"),
        };
        profile.letters = letters;
        lines.push(format!("letters = \"{name}\""));
    }
    if set & 8 != 0 {
        profile.usermove = !profile.usermove;
        lines.push(format!("usermove = {}", profile.usermove));
    }
    Suspect { profile, lines }
}

/// The profile by which passes are told otherwise.
fn other_passes(profile: &Profile) -> Suspect {
    let (passes, name) = match profile.passes {
        Passing::Send => (Passing::Omit, "omit"),
        Passing::Omit => (Passing::Send, "send"),
    };
    Suspect {
        profile: Profile {
            passes,
            ..profile.clone()
        },
        lines: vec![format!("passes = \"{name}\"")],
    }
}

/// A program for many games that has not been told which.
fn chess_program(profile: &Profile, offers: &[Offer]) -> Option<Suspect> {
    const GAME: &str = "UCI_Variant";
    let offer = offers.iter().find(|offer| offer.is_called(GAME))?;
    let is_set = |name: &String| offer.is_called(name);
    let knows = offer.choices.iter().any(|choice| choice == "xiangqi");
    let told = profile.options.keys().any(is_set) || profile.usual_options.keys().any(is_set);
    if told || !knows || profile.protocol != Protocol::Uci {
        return None;
    }
    let mut profile = profile.clone();
    profile
        .usual_options
        .insert(GAME.to_owned(), "xiangqi".to_owned());
    profile.rank_base = 1;
    Some(Suspect {
        profile,
        lines: vec!["preset = \"fairy-stockfish\"".to_owned()],
    })
}

/// Lines of a config in a sentence.
pub(super) fn lines(lines: &[String]) -> String {
    let quoted: Vec<String> = lines.iter().map(|line| format!("`{line}`")).collect();
    quoted.join(" and ")
}

/// A move that the position has.
pub(super) fn is_legal(profile: &Profile, position: &dyn AnyPosition, text: &str) -> Option<Move> {
    position.parse_move(&read_move(profile, text)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::{AnyLine, Card};
    use crate::config::Preset;
    use crate::games::xiangqi::Xiangqi;

    fn place(index: usize) -> Box<dyn AnyLine> {
        let card = Card::<Xiangqi>::get();
        card.examination().places[index].line(card)
    }

    #[test]
    fn ranks_from_one_are_recognised_where_the_config_says_zero() {
        let wrong = Profile::of(Protocol::Uci);
        let start = place(0);
        // Red's cannon to the middle, as Fairy-Stockfish writes it.
        let found = clues(&wrong, &*start, "h3e3");
        assert!(found.other_ranks && !found.other_side);
        assert!(found.words(&wrong).contains("from 1"));
        let first = &suspects(&wrong, &[found], &[])[0];
        assert_eq!(first.lines, ["rank_base = 1"]);
        assert_eq!(first.profile.rank_base, 1);
        // What cannot be read at all under the config's ranks, too.
        let black = place(2);
        assert!(clues(&wrong, &*black, "d10d9").other_ranks);
    }

    #[test]
    fn other_clues_are_told_apart() {
        let profile = Profile::of(Protocol::Cecp);
        let [start, moved] = [0, 1].map(place);
        let red = clues(&profile, &*moved, "b0c2");
        assert!(red.other_side && red.at_the_start && !red.other_ranks);
        assert!(red.words(&profile).contains("whose turn it is not"));
        let stale = clues(&profile, &*place(3), "b2e2");
        assert!(stale.at_the_start && !stale.other_side, "{stale:?}");
        assert_eq!(clues(&profile, &*start, "a0a9"), Clues::default());
        assert_eq!(clues(&profile, &*start, "(none)"), Clues::default());
    }

    #[test]
    fn all_ways_to_speak_are_suspected_the_simple_ones_first() {
        let profile = Profile::preset(Preset::Hoixiangqi);
        let all = suspects(&profile, &[], &[]);
        assert_eq!(all.len(), 15);
        let counts: Vec<usize> = all.iter().map(|suspect| suspect.lines.len()).collect();
        assert!(counts.is_sorted());
        assert_eq!(all[0].lines, ["fen_fields = 6"], "nothing speaks for ranks");
        assert!(all.iter().all(|suspect| suspect.profile != profile));
        assert_eq!(suspects(&Profile::of(Protocol::Uci), &[], &[]).len(), 7);
    }

    #[test]
    fn a_program_for_many_games_is_told_which() {
        let offer = Offer {
            name: "UCI_Variant".to_owned(),
            kind: crate::player::OptionKind::Combo,
            default: Some("chess".to_owned()),
            min: None,
            max: None,
            choices: vec!["chess".to_owned(), "xiangqi".to_owned()],
        };
        let offers = [offer];
        let first = &suspects(&Profile::of(Protocol::Uci), &[], &offers)[0];
        assert_eq!(first.lines, ["preset = \"fairy-stockfish\""]);
        let preset = Profile::preset(Preset::FairyStockfish);
        assert_eq!(suspects(&preset, &[], &offers).len(), 7);
    }
}
