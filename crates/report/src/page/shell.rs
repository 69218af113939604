//! The document around a page. It is self-contained, and its security policy enforces that: scripts
//! and style are identified by their digests.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::elements::text;

/// The board module for browsers.
pub const BOARD_SCRIPT: &str = include_str!("board.js");
/// The viewer module, which imports the board.
pub const VIEWER_SCRIPT: &str = include_str!("viewer.js");
/// The style of pages.
pub const PAGE_STYLE: &str = include_str!("page.css");
/// The style of boards and viewers.
pub const VIEWER_STYLE: &str = include_str!("viewer.css");

const MODULES: [&str; 2] = [BOARD_SCRIPT, VIEWER_SCRIPT];
const STYLE: [&str; 2] = [PAGE_STYLE, VIEWER_STYLE];

/// A page: its title, additional style rules, its body, and the data of its viewer, if it has one.
pub(crate) struct Document<'a> {
    pub(crate) title: &'a str,
    pub(crate) style: &'a str,
    pub(crate) body: &'a str,
    /// As JSON.
    pub(crate) games: Option<String>,
}

impl Document<'_> {
    /// The page as one file.
    pub(crate) fn html(&self) -> String {
        let (style, script) = (STYLE.concat() + self.style, in_one(&MODULES));
        let scripts = match &self.games {
            Some(_) => hash(&script),
            None => "'none'".to_owned(),
        };
        let policy = format!(
            "default-src 'none'; script-src {scripts}; style-src {}; img-src data:; base-uri \
             'none'; form-action 'none'",
            hash(&style)
        );
        // Text that looks like a tag would end the element.
        let games = self.games.as_ref();
        let games = games.map(|games| games.replace('<', "\\u003c"));
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(PreEscaped(policy));
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="no-referrer";
                    title { (text(self.title)) }
                    style { (PreEscaped(style)) }
                }
                body {
                    main { (PreEscaped(self.body)) }
                    @if let Some(games) = games {
                        script type="application/json" id="games" { (PreEscaped(games)) }
                        script type="module" { (PreEscaped(script)) }
                    }
                }
            }
        };
        page.into_string() + "\n"
    }
}

/// Modules joined to one without imports and exports.
fn in_one(modules: &[&str]) -> String {
    let lines = modules.iter().flat_map(|module| module.lines());
    let lines = lines.filter(|line| !line.starts_with("import "));
    let lines = lines.map(|line| line.strip_prefix("export ").unwrap_or(line));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The digest of an inline script or style, in the form of a security policy.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_one_that_imports_nothing() {
        let one = in_one(&[
            "export class A {}\n",
            "import { A } from './a.js';\nnew A();\n",
        ]);
        assert_eq!(one, "class A {}\nnew A();\n");
        let script = in_one(&MODULES);
        for line in script.lines() {
            assert!(
                !line.starts_with("export ") && !line.starts_with("import "),
                "{line}"
            );
        }
        // A closing tag would end the element.
        assert!(!script.contains("</script") && !STYLE.concat().contains("</style"));
    }

    /// Texts call a bound red, so it must be red in dark mode too.
    #[test]
    fn red_is_red() {
        let reds: Vec<u32> = STYLE
            .concat()
            .split("--red: #")
            .skip(1)
            .map(|rest| u32::from_str_radix(&rest[..6], 16).unwrap())
            .collect();
        assert_eq!(reds.len(), 2);
        for red in reds {
            let [_, r, g, b] = red.to_be_bytes().map(u32::from);
            assert!(10 * r > 25 * g.max(b), "{red:06x}");
        }
    }

    #[test]
    fn data_cannot_leave_their_element() {
        let document = Document {
            title: "<t>",
            style: "",
            body: "",
            games: Some("{\"a\":\"</script><script>\"}".to_owned()),
        };
        let html = document.html();
        assert!(html.contains("<title>&lt;t&gt;</title>"));
        assert!(html.contains("\\u003c/script>\\u003cscript>"));
        assert_eq!(html.matches("<script").count(), 2);
    }

    /// An example of the policy's specification (CSP Level 3, section 2.3.1).
    #[test]
    fn digests_are_those_of_a_policy() {
        assert_eq!(
            hash("doSomething();"),
            "'sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc='"
        );
    }
}
