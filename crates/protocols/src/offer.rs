//! The options of an engine, as its greeting describes them.

use serde::Serialize;

use leitai_base::suggest::nearest_names;

/// The type of an option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum OptionKind {
    /// On or off.
    Check,
    /// An integer.
    Spin,
    /// One of several words.
    Combo,
    /// A button without a value.
    Button,
    /// Any text.
    Text,
    /// The engine does not report the type, or uses a word of its own.
    #[default]
    Unknown,
}

impl OptionKind {
    fn named(word: &str) -> Self {
        match word {
            "check" => Self::Check,
            "spin" | "slider" => Self::Spin,
            "combo" => Self::Combo,
            "button" | "save" | "reset" => Self::Button,
            "string" | "file" | "path" => Self::Text,
            _ => Self::Unknown,
        }
    }
}

/// An option of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// Its name; protocols ignore its case.
    pub name: String,
    /// Its type.
    pub kind: OptionKind,
    /// The default value; `None` if the engine does not report it.
    pub default: Option<String>,
    /// The smallest number, for [`OptionKind::Spin`].
    pub min: Option<i64>,
    /// The largest number, for [`OptionKind::Spin`].
    pub max: Option<i64>,
    /// The words, for [`OptionKind::Combo`].
    pub choices: Vec<String>,
}

/// A value that an option does not accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The reason in words.
    pub text: String,
    /// A suggested valid value, if there is one.
    pub right: Option<String>,
    /// True if the option takes a number, and the value is none.
    pub malformed: bool,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl std::error::Error for Refused {}

/// Largest length in bytes of a list of choices in a message.
const LONGEST_LIST: usize = 200;

impl Offer {
    fn new(name: &str, kind: OptionKind) -> Self {
        Self {
            name: name.trim().to_owned(),
            kind,
            ..Self::default()
        }
    }

    /// A command that accepts any value.
    pub(crate) fn command(name: &str) -> Self {
        Self::new(name, OptionKind::Unknown)
    }

    /// A command that accepts a number from 1.
    pub(crate) fn resource(name: &str) -> Self {
        Self {
            min: Some(1),
            ..Self::new(name, OptionKind::Spin)
        }
    }

    /// Returns whether the option has this name.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The option with this name, in this spelling if several differ by case only.
    pub fn find<'o>(offers: &'o [Self], name: &str) -> Option<&'o Self> {
        called(offers, name, |offer| &offer.name)
    }

    /// The value in the engine's spelling: a number without leading zeros, `true` or `false`, a word
    /// as the engine offers it.
    ///
    /// # Errors
    /// The engine would refuse the value, as far as known.
    pub fn accept(&self, value: &str) -> Result<String, Refused> {
        let name = &self.name;
        let refused = |text: String, right: Option<String>| Refused {
            text,
            right,
            malformed: false,
        };
        match self.kind {
            OptionKind::Spin => {
                let Ok(number) = value.parse::<i64>() else {
                    return Err(Refused {
                        malformed: true,
                        ..refused(
                            format!("`{name}` is a number, not `{value}`"),
                            self.default.clone(),
                        )
                    });
                };
                let (least, most) = (self.min.unwrap_or(i64::MIN), self.max.unwrap_or(i64::MAX));
                if (least..=most).contains(&number) {
                    return Ok(number.to_string());
                }
                let text = format!("`{name}` = {number} is outside of {least} to {most}");
                // An empty range accepts no number.
                Err(refused(text, Some(number.min(most).max(least).to_string())))
            }
            OptionKind::Check => match value.to_ascii_lowercase().as_str() {
                "true" | "1" => Ok("true".to_owned()),
                "false" | "0" => Ok("false".to_owned()),
                _ => Err(refused(
                    format!("`{name}` is `true` or `false`, not `{value}`"),
                    self.default.clone(),
                )),
            },
            OptionKind::Combo if !self.choices.is_empty() => {
                if let Some(choice) = called(&self.choices, value, String::as_str) {
                    return Ok(choice.clone());
                }
                let choices: Vec<&str> = self.choices.iter().map(String::as_str).collect();
                let near = nearest_names(value, &choices);
                let mut list = choices.join(", ");
                if list.len() > LONGEST_LIST {
                    list.truncate(list.floor_char_boundary(LONGEST_LIST));
                    list.push_str(" ...");
                }
                let text = format!("`{name}` knows no `{value}`, only {list}");
                let near = near.first().map(|near| (*near).to_owned());
                Err(refused(text, near.or_else(|| self.default.clone())))
            }
            OptionKind::Button => match value.to_ascii_lowercase().as_str() {
                "true" => Ok("true".to_owned()),
                _ => Err(refused(
                    format!("`{name}` is a button, which `true` presses: it takes no `{value}`"),
                    Some("true".to_owned()),
                )),
            },
            OptionKind::Combo | OptionKind::Text | OptionKind::Unknown => Ok(value.to_owned()),
        }
    }

    /// Parses the text after `option name` in UCI: the name, then `type` and the rest.
    pub(crate) fn uci(text: &str) -> Self {
        let end = text.find(" type ").unwrap_or(text.len());
        Self::described(&text[..end], &text[end..])
    }

    /// Parses the text after `option` in UCCI: the name is one word.
    pub(crate) fn ucci(text: &str) -> Self {
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        Self::described(name, rest)
    }

    /// Parses `type T default D min A max B var C ...` in any order.
    fn described(name: &str, rest: &str) -> Self {
        let mut offer = Self::new(name, OptionKind::Unknown);
        let mut words = rest.split_whitespace().peekable();
        while let Some(key) = words.next() {
            let mut value: Vec<&str> = Vec::new();
            while let Some(word) = words.next_if(|word| !KEYS.contains(word)) {
                value.push(word);
            }
            let value = value.join(" ");
            match key {
                "type" => offer.kind = OptionKind::named(&value),
                "default" => offer.default = Some(value),
                "min" => offer.min = value.parse().ok(),
                "max" => offer.max = value.parse().ok(),
                "var" => offer.choices.push(value),
                _ => {}
            }
        }
        offer
    }

    /// Parses the value of `feature option=` in CECP: `NAME -KIND VALUES`. A name may have blanks;
    /// a kind has a dash.
    pub(crate) fn cecp(text: &str) -> Self {
        let end = text.find(" -").unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let rest = rest.trim_start().trim_start_matches('-');
        let (kind, values) = rest.split_once(' ').unwrap_or((rest, ""));
        let mut offer = Self::new(name, OptionKind::named(kind));
        match offer.kind {
            OptionKind::Spin => {
                let mut numbers = values.split_whitespace();
                offer.default = numbers.next().map(str::to_owned);
                offer.min = numbers.next().and_then(|number| number.parse().ok());
                offer.max = numbers.next().and_then(|number| number.parse().ok());
            }
            OptionKind::Combo => {
                for choice in values.split("///").map(str::trim) {
                    // The star marks the default.
                    let word = choice.trim_start_matches('*');
                    if word.len() < choice.len() {
                        offer.default = Some(word.to_owned());
                    }
                    offer.choices.push(word.to_owned());
                }
            }
            OptionKind::Check | OptionKind::Text => offer.default = Some(values.trim().to_owned()),
            OptionKind::Button | OptionKind::Unknown => {}
        }
        offer
    }
}

/// The item with this name: in the same spelling, or else without regard to case.
fn called<'i, T>(items: &'i [T], name: &str, name_of: impl Fn(&T) -> &str) -> Option<&'i T> {
    let same = items.iter().find(|item| name_of(item) == name);
    same.or_else(|| {
        let mut items = items.iter();
        items.find(|item| name_of(item).eq_ignore_ascii_case(name))
    })
}

/// The words that end a value.
const KEYS: [&str; 5] = ["type", "default", "min", "max", "var"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_its_range() {
        let expected = Offer {
            default: Some("20".to_owned()),
            min: Some(-20),
            max: Some(20),
            ..Offer::new("Skill Level", OptionKind::Spin)
        };
        let uci = Offer::uci("Skill Level type spin default 20 min -20 max 20");
        assert_eq!(uci, expected);
        // ElephantEye gives the default last; CECP gives numbers in their order.
        let ucci = Offer::ucci("skill type spin min -20 max 20 default 20");
        let cecp = Offer::cecp("Skill Level -spin 20 -20 20");
        assert_eq!(cecp, expected);
        let expected = Offer {
            name: "skill".to_owned(),
            ..expected
        };
        assert_eq!(ucci, expected);
        assert!(expected.is_called("Skill"));
    }

    #[test]
    fn words_to_choose_from_are_listed() {
        let offer = Offer::uci("Style type combo default Very Calm var Very Calm var Wild");
        assert_eq!(offer.choices, ["Very Calm", "Wild"]);
        assert_eq!(offer.default.as_deref(), Some("Very Calm"));
        let offer = Offer::cecp("Style -combo Wild /// *Very Calm");
        assert_eq!(offer.choices, ["Wild", "Very Calm"]);
        assert_eq!(offer.default.as_deref(), Some("Very Calm"));
    }

    #[test]
    fn unreported_options_are_unknown() {
        assert_eq!(
            Offer::uci("Lonely"),
            Offer::new("Lonely", OptionKind::Unknown)
        );
        assert_eq!(
            Offer::cecp("Clear Hash -button"),
            Offer::new("Clear Hash", OptionKind::Button)
        );
        let offer = Offer::uci("File type string default");
        assert_eq!(offer.default.as_deref(), Some(""));
        assert_eq!(Offer::ucci("").name, "");
    }

    #[test]
    fn values_are_spelled_as_offered() {
        let accepted = |offer: &str, value| Offer::uci(offer).accept(value).unwrap();
        for (offer, value, sent) in [
            ("Hash type spin default 16 min 1 max 1024", "064", "64"),
            ("Contempt type spin default 0 min -9 max 9", "-0", "0"),
            ("Nullmove type check default True", "FALSE", "false"),
            ("OwnBook type check default false", "1", "true"),
            (
                "Style type combo var Solid var Risky Play",
                "risky play",
                "Risky Play",
            ),
            ("Mode type combo var a var A", "A", "A"),
            ("Net type string default x", "Net.NNUE", "Net.NNUE"),
            ("Odd", "AsItIs", "AsItIs"),
        ] {
            assert_eq!(accepted(offer, value), sent, "{offer}");
        }
        let offers = ["hash", "Hash", "ThreadS"].map(Offer::uci);
        let found = |name| Offer::find(&offers, name).map(|offer| offer.name.as_str());
        assert_eq!(found("Hash"), Some("Hash"));
        assert_eq!(found("HASH"), Some("hash"));
        assert_eq!(found("threads"), Some("ThreadS"));
        assert_eq!(found("Thread"), None);
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "((type|var|min|spin|-spin|-combo|[*/ é-]|[a-z0-9]{0,5}) ){0,12}") {
            let _ = (Offer::uci(&text), Offer::ucci(&text), Offer::cecp(&text));
        }
    }
}
