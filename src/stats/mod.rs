//! What results mean: one file per formula family.
