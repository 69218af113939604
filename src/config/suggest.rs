//! Which of the right names somebody meant.

/// The name that `given` is most likely a slip of, if any is close enough:
/// at most one slip in three letters (an insertion, a deletion, a substitution
/// or a swap), or a common beginning of three letters or more.
pub(super) fn did_you_mean<'n>(given: &str, names: &[&'n str]) -> Option<&'n str> {
    let given = given.to_lowercase().replace('_', "-");
    names
        .iter()
        .map(|name| {
            let plain = name.to_lowercase().replace('_', "-");
            let slips = strsim::damerau_levenshtein(&given, &plain);
            let begins = given.chars().count() >= 3
                && (plain.starts_with(&given) || given.starts_with(&plain));
            let near = slips * 3 <= given.chars().count().max(plain.chars().count());
            (near || begins, slips, *name)
        })
        .filter(|(close, ..)| *close)
        .min_by_key(|(_, slips, _)| *slips)
        .map(|(.., name)| name)
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    const STAGES: [&str; 5] = ["tt", "good-captures", "killers", "history", "by-piece"];

    #[test]
    fn slips_find_their_name() {
        assert_eq!(did_you_mean("killer", &STAGES), Some("killers"));
        assert_eq!(did_you_mean("good_captures", &STAGES), Some("good-captures"));
        assert_eq!(did_you_mean("Hitsory", &STAGES), Some("history"));
        assert_eq!(did_you_mean("good", &STAGES), Some("good-captures"));
    }

    #[test]
    fn strangers_find_none() {
        assert_eq!(did_you_mean("see", &STAGES), None);
        assert_eq!(did_you_mean("", &STAGES), None);
        assert_eq!(did_you_mean("x", &[]), None);
    }
}
