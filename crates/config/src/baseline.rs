//! The config of the games for a fit: the start variant against a sparring partner.

use std::fmt::Write;
use std::time::Duration;

use toml_edit::{DocumentMut, Item, value};

use super::write_back::{PLAYED, quoted};
use super::{Config, Games, Limits, TimeControl, Tune, Variant, WriteBackError, parse};

/// The text of a config in which the tuned variant of `config`, whose own text is `text`, plays
/// `pairs` pairs against a similar partner from the openings of the file `openings`.
///
/// The partner has lower limits: three quarters of the nodes, a ply less, three quarters of the
/// time. Two identical players without randomness would play both games of a pair alike.
///
/// The text omits `[tune]` and all variants except the tuned one and its bases; everything else
/// stays, including comments.
///
/// # Errors
/// The text cannot be extended, or the result does not read back as intended.
pub fn with_partner(
    text: &str,
    config: &Config,
    tune: &Tune,
    pairs: u64,
    openings: &str,
) -> Result<String, WriteBackError> {
    let mut document: DocumentMut = text.parse().map_err(WriteBackError::unreadable)?;
    let start = config.variants.get(tune.variant);
    let start = start.ok_or_else(|| WriteBackError::Different(String::new()))?;
    for table in PLAYED {
        document.remove(table);
    }
    // The partner has its own limits.
    if let Some(limits) = document.get_mut("limits").and_then(Item::as_table_like_mut) {
        limits.remove("equal_time");
    }
    document["openings"]["file"] = value(openings);
    document["openings"]["exhausted"] = value("error");
    match document.get_mut("variant") {
        Some(Item::ArrayOfTables(tables)) => {
            let text_of = |table: &toml_edit::Table, key: &str| {
                let text = table.get(key).and_then(Item::as_str);
                text.map(str::to_owned)
            };
            let bases = tables.iter();
            let bases = bases.map(|table| (text_of(table, "name"), text_of(table, "base")));
            let bases: Vec<_> = bases.collect();
            let line = lineage(&start.name, &bases);
            tables.retain(|table| text_of(table, "name").is_some_and(|name| line.contains(&name)));
        }
        _ => return Err(WriteBackError::InlineVariants),
    }
    let partner = free_name(&start.name, &config.variants);
    let limits = less(&start.limits.unwrap_or(config.limits));
    let mut out = document.to_string().trim_end().to_owned();
    let (own, other) = (quoted(&start.name), quoted(&partner));
    let _ = write!(
        out,
        "\n\n\
         # The games that the fit learns from. The twin spends a little less: two equals\n\
         # would play both games of a pair alike.\n\
         [[variant]]\n\
         name = {other}\n\
         base = {own}\n\
         limits = {{ {} }}\n\n\
         [tournament]\n\
         format = \"gauntlet\"\n\
         challengers = [{own}]\n\
         opponents = [{other}]\n\
         pairs = {pairs}\n",
        in_toml(&limits)
    );
    // Checks that the text reads back as intended.
    let games = Games::of(config.game.card);
    let read = parse(&out, "the games to learn from", &games);
    let read = read.map_err(WriteBackError::unreadable)?;
    let found = |name: &str| read.config.variants.iter().find(|it| it.name == name);
    let same = |it: &Variant, limits: Option<Limits>| {
        it.search == start.search && it.eval == start.eval && it.limits == limits
    };
    let is_sound = found(&start.name).is_some_and(|it| same(it, start.limits))
        && found(&partner).is_some_and(|it| same(it, Some(limits)));
    if is_sound {
        Ok(out)
    } else {
        Err(WriteBackError::Different(start.name.clone()))
    }
}

/// The name and the names of its bases.
fn lineage(name: &str, bases: &[(Option<String>, Option<String>)]) -> Vec<String> {
    let base_of = |name: &String| {
        let mut found = bases.iter().filter(|(own, _)| own.as_ref() == Some(name));
        found.next().and_then(|(_, base)| base.clone())
    };
    // The config check has already refused cycles.
    let line = std::iter::successors(Some(name.to_owned()), base_of);
    line.take(bases.len()).collect()
}

/// An unused name for the partner.
fn free_name(name: &str, variants: &[Variant]) -> String {
    let is_free = |name: &String| variants.iter().all(|variant| variant.name != *name);
    let more = (2..).map(|number| format!("{name}-twin-{number}"));
    let mut names = std::iter::once(format!("{name}-twin")).chain(more);
    names.find(is_free).unwrap_or_default()
}

/// Slightly lower limits, or higher ones where lower ones would be zero.
fn less(limits: &Limits) -> Limits {
    let quarters = |time: Duration| {
        let millis = (time.as_millis() as u64) * 3 / 4;
        Duration::from_millis(if time.is_zero() { 0 } else { millis.max(1) })
    };
    Limits {
        nodes: limits.nodes.map(|nodes| match nodes {
            0 | 1 => 2,
            nodes => nodes * 3 / 4,
        }),
        depth: limits.depth.map(|depth| match depth {
            0 | 1 => 2,
            depth => depth - 1,
        }),
        time: limits.time.map(|time| time.map(quarters)),
        equal_time: false,
        ..*limits
    }
}

/// The keys of `[limits]` with their values.
fn in_toml(limits: &Limits) -> String {
    let millis = |time: Duration| format!("{}ms", time.as_millis());
    let text = |key: &str, value: String| format!("{key} = \"{value}\"");
    let time = limits.time.map(|time| match time {
        TimeControl::PerMove(time) => text("movetime", millis(time)),
        TimeControl::Clock(clock) => text("clock", clock.to_string()),
    });
    let clock = limits.clock().filter(|clock| clock.first_increment);
    let keys = [
        limits.nodes.map(|nodes| format!("nodes = {nodes}")),
        limits.depth.map(|depth| format!("depth = {depth}")),
        time,
        clock.map(|_| "first_increment = true".to_owned()),
        limits.margin.map(|margin| text("margin", millis(margin))),
        limits
            .reference_nps
            .map(|speed| format!("reference_nps = {speed}")),
    ];
    let keys: Vec<String> = keys.into_iter().flatten().collect();
    keys.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    const HEAD: &str = "# A night.\ngame = \"xiangqi\"\nseed = 4\n";
    const TAIL: &str = "\n[tune]\nvariant = \"mine\"\n[tune.texel]\ngames = 400\n\
        [[tune.texel.parameter]]\npath = \"eval.material.*\"  # the pieces\n\
        [tune.pool]\nvariants = [\"other\"]\n\
        [[variant]]\nname = \"root\"\neval = { tempo = 9 }\n\
        [[variant]]\nname = \"other\"\n\
        [[variant]]\nname = \"mine\"  # me\nbase = \"root\"\n";

    fn twin_of(middle: &str) -> (String, Config) {
        let text = format!("{HEAD}{middle}{TAIL}");
        let config = parse(&text, "t.toml", &games::all()).unwrap().config;
        let tune = config.tune.clone().unwrap();
        let out = with_partner(&text, &config, &tune, 200, "t.baseline.epd").unwrap();
        let read = parse(&out, "t.baseline.toml", &games::all()).unwrap();
        assert!(read.warnings.is_empty(), "{}", read.warnings);
        (out, read.config)
    }

    #[test]
    fn the_start_meets_its_twin_alone() {
        let (text, config) = twin_of(
            "limits = { nodes = 200, equal_time = true }\n\
             openings = { file = \"b.epd\", order = \"sequential\" }",
        );
        for kept in ["# A night.", "name = \"mine\"  # me", "name = \"root\""] {
            assert!(text.contains(kept), "{kept} in {text}");
        }
        for gone in ["tune", "other", "b.epd\""] {
            assert!(!text.contains(gone), "{gone} in {text}");
        }
        let names: Vec<&str> = config.variants.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["root", "mine", "mine-twin"]);
        assert_eq!(config.seed, 4);
        let limits = config.limits_by_variant();
        assert_eq!((limits[1].nodes, limits[2].nodes), (Some(200), Some(150)));
        assert_eq!(config.variants[1].eval, config.variants[2].eval);
        let tournament = config.tournament.unwrap();
        let sides = tournament.sides.unwrap();
        assert_eq!(tournament.pairs, 200);
        assert_eq!((sides.challengers, sides.opponents), (vec![1], vec![2]));
    }

    #[test]
    fn every_limit_has_a_smaller_one() {
        for (limits, expected) in [
            ("depth = 5", "depth = 4"),
            ("depth = 1", "depth = 2"),
            ("nodes = 1", "nodes = 2"),
            ("nodes = 7, depth = 3", "nodes = 5, depth = 2"),
            ("movetime = \"100ms\"", "movetime = \"75ms\""),
            ("movetime = \"1ms\"", "movetime = \"1ms\""),
            (
                "clock = \"10s+0.1s\", margin = \"1s\", reference_nps = 900000",
                "clock = \"7.5s+75ms\", margin = \"1000ms\", reference_nps = 900000",
            ),
            ("clock = \"10s\"", "clock = \"7.5s\""),
            (
                "clock = \"40/60+0.6\", first_increment = true",
                "clock = \"40/45s+450ms\", first_increment = true",
            ),
            ("clock = \"40/60, 20/30\"", "clock = \"40/45s, 20/22.5s\""),
            ("clock = \"hourglass 60\"", "clock = \"hourglass 45s\""),
        ] {
            let (text, _) = twin_of(&format!(
                "limits = {{ {limits} }}\nopenings.file = \"b.epd\""
            ));
            let line = format!("\nlimits = {{ {expected} }}\n");
            assert!(text.contains(&line), "{expected} in {text}");
        }
    }

    #[test]
    fn a_name_that_is_taken_is_not_used_again() {
        let text = format!(
            "{HEAD}limits.depth = 3\nopenings.file = \"b.epd\"{}",
            TAIL.replace("other", "mine-twin")
        );
        let config = parse(&text, "t.toml", &games::all()).unwrap().config;
        let tune = config.tune.clone().unwrap();
        let out = with_partner(&text, &config, &tune, 2, "x").unwrap();
        assert!(out.contains("name = \"mine-twin-2\""), "{out}");
    }

    #[test]
    fn variants_in_one_list_are_refused() {
        let text = "game = \"othello\"\nlimits.depth = 3\nopenings.file = \"b.epd\"\n\
            variant = [{ name = \"a\" }]\n[tune.texel]\ngames = 4\n\
            [[tune.texel.parameter]]\npath = \"eval.squares[*]\"\n";
        let config = parse(text, "t.toml", &games::all()).unwrap().config;
        let tune = config.tune.clone().unwrap();
        let refused = with_partner(text, &config, &tune, 2, "x");
        assert_eq!(refused, Err(WriteBackError::InlineVariants));
    }
}
