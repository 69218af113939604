//! The configured stages, made ready for the move picker.

use arrayvec::ArrayVec;

use super::Stage;

/// The stages in the order of their turn. A stage that claims all moves leaves
/// nothing to those after it, so there is a row of stages that claim some and
/// one last that claims the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ordering {
    pub(super) first: ArrayVec<Claim, 3>,
    pub(super) rest: Rest,
    /// Whether the list has a stage that knows captures.
    pub(super) captures_by_gain: bool,
}

/// A stage that claims some of the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    Tt,
    GoodCaptures,
    Killers,
}

/// What orders the moves that no other stage has claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    History,
    ByPiece,
    Generator,
}

impl Ordering {
    /// The ordering by `stages`. A stage named twice has its turn once.
    pub(super) fn new(stages: &[Stage]) -> Self {
        let mut ordering = Self {
            first: ArrayVec::new(),
            rest: Rest::Generator,
            captures_by_gain: false,
        };
        for stage in stages {
            let claim = match stage {
                Stage::Tt => Claim::Tt,
                Stage::GoodCaptures => Claim::GoodCaptures,
                Stage::Killers => Claim::Killers,
                Stage::History => {
                    ordering.rest = Rest::History;
                    break;
                }
                Stage::ByPiece => {
                    ordering.rest = Rest::ByPiece;
                    break;
                }
                _ => continue,
            };
            if !ordering.first.contains(&claim) {
                ordering.first.push(claim);
            }
        }
        ordering.captures_by_gain = ordering.first.contains(&Claim::GoodCaptures);
        ordering
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_that_claims_all_ends_the_list() {
        use Stage::{ByPiece, GoodCaptures, History, Killers, Tt};
        let default = Ordering::new(&[Tt, GoodCaptures, Killers, History]);
        assert_eq!(
            default.first.as_slice(),
            [Claim::Tt, Claim::GoodCaptures, Claim::Killers]
        );
        assert_eq!(default.rest, Rest::History);
        assert!(default.captures_by_gain);
        let early = Ordering::new(&[Killers, Killers, ByPiece, GoodCaptures, History, Tt]);
        assert_eq!(early.first.as_slice(), [Claim::Killers]);
        assert_eq!(early.rest, Rest::ByPiece);
        assert!(
            !early.captures_by_gain,
            "it never gets a move, here or in quiescence"
        );
        assert_eq!(Ordering::new(&[]).rest, Rest::Generator);
    }
}
