//! Diagnoses wrong answers: finds config keys that may fix them. Runs no program.

use crate::player::{Offer, read_move};
use leitai_config::{Letters, Passing, Profile};
use leitai_game::card::{AnyLine, AnyPosition, GameCard};

/// Signs in an illegal answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clues {
    /// The answer would be legal with the other rank base.
    pub(super) other_ranks: bool,
    /// The answer would be legal if it were the other side's turn.
    pub(super) other_side: bool,
    /// The answer would be legal at the usual start.
    pub(super) at_the_start: bool,
}

/// Reads the clues in an answer of a program with this profile.
pub(super) fn clues(profile: &Profile, line: &dyn AnyLine, text: &str) -> Clues {
    let position = line.position();
    let is_legal = |profile: &Profile, position: &dyn AnyPosition| {
        let canonical = read_move(position.card(), profile, text);
        canonical.is_some_and(|canonical| position.parse_move(&canonical).is_ok())
    };
    let other = Profile {
        rank_base: 1 - profile.rank_base.min(1),
        ..profile.clone()
    };
    let initial = position.card().initial();
    let passed = position.passed();
    Clues {
        other_ranks: is_legal(&other, position),
        other_side: passed.is_some_and(|passed| is_legal(profile, &*passed)),
        at_the_start: *position != *initial && is_legal(profile, &*initial),
    }
}

impl Clues {
    /// The strongest clue as the end of a sentence.
    pub(super) fn words(self, profile: &Profile) -> String {
        if self.other_ranks {
            let other = 1 - profile.rank_base.min(1);
            format!("; it would be if ranks are counted from {other}")
        } else if self.other_side {
            "; it is a move of the side whose turn it is not".to_owned()
        } else if self.at_the_start {
            "; it is one of the usual start: the program ignored the position".to_owned()
        } else {
            String::new()
        }
    }
}

/// An alternative profile that may be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AlternativeProfile {
    /// The whole profile.
    pub(super) profile: Profile,
    /// The config lines of the profile.
    pub(super) lines: Vec<String>,
}

/// Profiles that differ from `profile` in keys that affect answers, the likeliest first: fewest
/// changes first, and then those that the clues suggest.
pub(super) fn alternative_profiles(
    card: &dyn GameCard,
    profile: &Profile,
    found: &[Clues],
    offers: &[Offer],
) -> Vec<AlternativeProfile> {
    let mut suspects: Vec<AlternativeProfile> = game_option_profile(card, profile, offers)
        .into_iter()
        .collect();
    let is_tried = |(key, change): &(&str, Change)| {
        let has_key = card.facts().ways.contains(key) || *key == "usermove";
        (has_key && profile.protocol.uses(key)).then_some(*change)
    };
    let changes: Vec<Change> = CHANGES.iter().filter_map(is_tried).collect();
    let ranks = found.iter().any(|clues| clues.other_ranks);
    let mut sets: Vec<u32> = (1..1 << changes.len()).collect();
    // The lowest bit is the rank base, if that key is among the changes.
    sets.sort_by_key(|set| (set.count_ones(), (set & 1 == 1) != ranks, *set));
    suspects.extend(sets.into_iter().map(|set| changed(profile, &changes, set)));
    suspects
}

/// Changes a key of the profile, and returns the config line for it.
type Change = fn(&mut Profile) -> String;

/// The keys that affect answers.
const CHANGES: [(&str, Change); 5] = [
    ("rank_base", |profile| {
        profile.rank_base = 1 - profile.rank_base.min(1);
        format!("rank_base = {}", profile.rank_base)
    }),
    ("fen_fields", |profile| {
        profile.fen_fields = if profile.fen_fields == 4 { 6 } else { 4 };
        format!("fen_fields = {}", profile.fen_fields)
    }),
    ("letters", |profile| {
        profile.letters = match profile.letters {
            Letters::Bn => Letters::Eh,
            Letters::Eh => Letters::Bn,
        };
        format!("letters = \"{}\"", profile.letters.name())
    }),
    ("usermove", |profile| {
        profile.usermove = !profile.usermove;
        format!("usermove = {}", profile.usermove)
    }),
    ("passes", |profile| {
        profile.passes = match profile.passes {
            Passing::Send => Passing::Omit,
            Passing::Omit => Passing::Send,
        };
        format!("passes = \"{}\"", profile.passes.name())
    }),
];

/// The profile with the changes whose bits are set.
fn changed(profile: &Profile, changes: &[Change], set: u32) -> AlternativeProfile {
    let mut profile = profile.clone();
    let chosen = (0..changes.len()).filter(|bit| set & (1 << bit) != 0);
    let lines = chosen.map(|bit| changes[bit](&mut profile)).collect();
    AlternativeProfile { profile, lines }
}

/// A profile for a program that plays many games and does not know the current one: it offers the
/// option with which a known program of the game is set.
fn game_option_profile(
    card: &dyn GameCard,
    profile: &Profile,
    offers: &[Offer],
) -> Option<AlternativeProfile> {
    const GAME: &str = "UCI_Variant";
    let offer = offers.iter().find(|offer| offer.is_called(GAME))?;
    let is_set = |name: &String| offer.is_called(name);
    let mut set = profile.options.keys().chain(profile.usual_options.keys());
    if set.any(is_set) {
        return None;
    }
    let programs = card.facts().programs.iter();
    let mut programs = programs.filter(|known| known.ways.protocol == profile.protocol);
    let (known, game) = programs.find_map(|known| {
        let mut options = known.options.iter();
        let (_, game) = options.find(|(name, _)| *name == GAME)?;
        let knows = offer.choices.iter().any(|choice| choice == game);
        knows.then_some((known, *game))
    })?;
    let mut profile = profile.clone();
    let options = &mut profile.usual_options;
    options.insert(GAME.to_owned(), game.to_owned());
    profile.rank_base = known.ways.rank_base;
    Some(AlternativeProfile {
        profile,
        lines: vec![format!("preset = \"{}\"", known.name)],
    })
}

/// Lines of a config in a sentence.
pub(super) fn lines(lines: &[String]) -> String {
    let quoted: Vec<String> = lines.iter().map(|line| format!("`{line}`")).collect();
    quoted.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::card::AnyLine;
    use leitai_protocols::{CECP, UCI};

    fn xiangqi() -> &'static dyn GameCard {
        leitai_xiangqi::card()
    }

    fn known(name: &str) -> Profile {
        let mut known = xiangqi().facts().programs.iter();
        Profile::known(known.find(|program| program.name == name).unwrap())
    }

    fn place(index: usize) -> Box<dyn AnyLine> {
        let card = leitai_xiangqi::card();
        card.facts().examination.places[index].line(card)
    }

    #[test]
    fn ranks_from_one_are_recognised_under_ranks_from_zero() {
        let wrong = Profile::of(UCI);
        let start = place(0);
        // Red's cannon to the middle, as Fairy-Stockfish writes it.
        let found = clues(&wrong, &*start, "h3e3");
        assert!(found.other_ranks && !found.other_side);
        assert!(found.words(&wrong).contains("from 1"));
        let first = &alternative_profiles(xiangqi(), &wrong, &[found], &[])[0];
        assert_eq!(first.lines, ["rank_base = 1"]);
        assert_eq!(first.profile.rank_base, 1);
        // A move that is not even readable with the config's rank base.
        let black = place(2);
        assert!(clues(&wrong, &*black, "d10d9").other_ranks);
    }

    #[test]
    fn other_clues_are_distinguished() {
        let profile = Profile::of(CECP);
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
        let profile = known("hoixiangqi");
        let all = alternative_profiles(xiangqi(), &profile, &[], &[]);
        assert_eq!(all.len(), 15);
        let counts: Vec<usize> = all.iter().map(|suspect| suspect.lines.len()).collect();
        assert!(counts.is_sorted());
        assert_eq!(all[0].lines, ["fen_fields = 6"], "nothing speaks for ranks");
        assert!(all.iter().all(|suspect| suspect.profile != profile));
        assert_eq!(
            alternative_profiles(xiangqi(), &Profile::of(UCI), &[], &[]).len(),
            7
        );
    }

    #[test]
    fn a_program_for_many_games_gets_the_games_name() {
        let offer = Offer {
            name: "UCI_Variant".to_owned(),
            kind: crate::player::OptionKind::Combo,
            default: Some("chess".to_owned()),
            min: None,
            max: None,
            choices: vec!["chess".to_owned(), "xiangqi".to_owned()],
        };
        let offers = [offer];
        let first = &alternative_profiles(xiangqi(), &Profile::of(UCI), &[], &offers)[0];
        assert_eq!(first.lines, ["preset = \"fairy-stockfish\""]);
        let preset = known("fairy-stockfish");
        assert_eq!(
            alternative_profiles(xiangqi(), &preset, &[], &offers).len(),
            7
        );
    }
}
