//! Normalised Elo: the lead in standard deviations of one game.

use super::super::logistic::ELO_PER_LOGIT;
use super::super::normal::Z95;
use super::{Normal, Ranged};

/// nElo per unit of (μ-½)/σ, `800 / ln 10` = 347.435 585 522 601 46.
pub(super) const NELO_SCALE: f64 = 2.0 * ELO_PER_LOGIT;

/// The inputs of a match's nElo.
pub(super) struct Nelo<'a> {
    pub(super) games_per_unit: f64,
    /// The plain counts; meaningless without variance.
    pub(super) plain: &'a Normal,
    /// The plain counts on the customary basis, otherwise the padded ones.
    pub(super) used: &'a Normal,
    /// True if the basis is the customary one.
    pub(super) customary: bool,
}

impl Nelo<'_> {
    /// The value, and limits with σ held fixed.
    pub(super) fn fixed(&self) -> Ranged {
        // Towards zero the uncertainty of σ must not count: whether zero is excluded is decided
        // with σ held fixed, as for LOS.
        let limit = |side: f64| {
            if self.customary || side * self.plain.lead <= 0.0 {
                Some(self.limit(self.used, side, 1.0))
            } else {
                self.full_limit(side)
            }
        };
        Ranged::new(self.value(), limit(-1.0), limit(1.0))
    }

    /// The value, and limits that include the error of σ.
    pub(super) fn full(&self) -> Ranged {
        Ranged::new(self.value(), self.full_limit(-1.0), self.full_limit(1.0))
    }

    /// The customary half-width, z · 347.44 / √G.
    pub(super) fn half_width(&self, independent: &Normal) -> f64 {
        self.scale(Z95, independent.units)
    }

    /// Elo of a lead of `t` standard errors after `units`.
    fn scale(&self, t: f64, units: f64) -> f64 {
        NELO_SCALE / (self.games_per_unit * units).sqrt() * t
    }

    fn value(&self) -> Option<f64> {
        // Without variance only equality has a value: t is 0 then.
        (self.plain.error > 0.0 || self.plain.lead == 0.0)
            .then(|| self.scale(self.plain.t, self.plain.units))
    }

    fn limit(&self, around: &Normal, side: f64, factor: f64) -> f64 {
        self.scale(around.t + side * Z95 * factor, around.units)
    }

    fn full_limit(&self, side: f64) -> Option<f64> {
        // Whether zero is excluded is a test of the hypothesis zero, under which σ needs no
        // allowance.
        let far = |around: &Normal| self.limit(around, side, around.ratio_error());
        if side * self.plain.lead <= 0.0 {
            let near = self.scale(self.used.nearest(side), self.used.units);
            // The limit with allowance for σ covers more, and may cross zero when that of Elo does
            // not: it is used if its sign is the same.
            let full = far(self.used);
            let is_nearer = full * near > 0.0 && full.abs() < near.abs();
            return Some(if is_nearer { full } else { near });
        }
        if self.customary {
            return Some(far(self.used));
        }
        // Padding shrinks the ratio and alone would exclude the truth on the far side; so the wider
        // of both.
        (self.plain.error > 0.0)
            .then(|| side * f64::max(side * far(self.used), side * far(self.plain)))
    }
}
