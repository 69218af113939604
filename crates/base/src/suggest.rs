//! Suggestions for misspelt names.

/// The name that `given` probably misspells, if any is close enough: at most one error in three
/// letters (an insertion, a deletion, a substitution or a swap), or a common prefix of at least
/// three letters that is most of the shorter name.
pub fn did_you_mean<'n>(given: &str, names: &[&'n str]) -> Option<&'n str> {
    let given = given.to_lowercase().replace('_', "-");
    names
        .iter()
        .map(|name| {
            let plain = name.to_lowercase().replace('_', "-");
            let slips = strsim::damerau_levenshtein(&given, &plain);
            let common = given.chars().zip(plain.chars());
            let common = common.take_while(|(one, other)| one == other).count();
            let shorter = given.chars().count().min(plain.chars().count());
            let begins = common >= 3 && common * 3 >= shorter * 2;
            let near = slips * 3 <= given.chars().count().max(plain.chars().count());
            (near || begins, slips, *name)
        })
        .filter(|(close, ..)| *close)
        .min_by_key(|(_, slips, _)| *slips)
        .map(|(.., name)| name)
}

/// Up to three of the `names` that `given` may misspell, the nearest first; `did_you_mean` defines
/// the distance.
pub fn nearest_names<'n>(given: &str, names: &[&'n str]) -> Vec<&'n str> {
    let mut left = names.to_vec();
    let mut near = Vec::new();
    while let (Some(name), true) = (did_you_mean(given, &left), near.len() < 3) {
        left.retain(|other| *other != name);
        near.push(name);
    }
    near
}

#[cfg(test)]
mod tests {
    use super::{did_you_mean, nearest_names};

    const STAGES: [&str; 5] = ["tt", "good-captures", "killers", "history", "by-piece"];

    #[test]
    fn slips_find_their_name() {
        assert_eq!(did_you_mean("killer", &STAGES), Some("killers"));
        assert_eq!(
            did_you_mean("good_captures", &STAGES),
            Some("good-captures")
        );
        assert_eq!(did_you_mean("Hitsory", &STAGES), Some("history"));
        assert_eq!(did_you_mean("good", &STAGES), Some("good-captures"));
        assert_eq!(did_you_mean("killer-moves", &STAGES), Some("killers"));
    }

    #[test]
    fn several_may_be_near() {
        let names = ["Hush", "Threads", "Hash", "Hasp", "Hast"];
        let near = nearest_names("Hash", &names);
        assert_eq!((near.len(), near[0]), (3, "Hash"));
        assert!(!near.contains(&"Threads"));
        assert_eq!(nearest_names("Volume", &names), [""; 0]);
    }

    #[test]
    fn strangers_find_none() {
        assert_eq!(did_you_mean("see", &STAGES), None);
        assert_eq!(did_you_mean("", &STAGES), None);
        assert_eq!(did_you_mean("x", &[]), None);
    }
}
