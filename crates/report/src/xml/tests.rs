use super::escape;

/// Checks that the text is one XML element: tags closed in order, attributes in quotes, no stray
/// `&` or `<`.
pub(crate) fn check_xml(text: &str) -> Result<(), String> {
    let mut open = Vec::new();
    let mut rest = text.trim_end();
    while let Some(start) = rest.find('<') {
        let words = &rest[..start];
        if open.is_empty() && !(words.is_empty() && rest.len() == text.trim_end().len()) {
            return Err("text outside the root".to_owned());
        }
        let stray = words.split('&').skip(1).any(|entity| {
            !["amp;", "lt;", "gt;", "quot;", "apos;", "#"]
                .iter()
                .any(|name| entity.starts_with(name))
        });
        if stray || words.contains('>') {
            return Err(format!("stray character in `{words}`"));
        }
        let end = start + rest[start..].find('>').ok_or("an open tag")?;
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("`{name}` is closed out of order"));
            }
            continue;
        }
        let body = tag.strip_suffix('/').unwrap_or(tag);
        let (name, attributes) = body.split_once(' ').unwrap_or((body, ""));
        let quoted: Vec<&str> = attributes.split('"').collect();
        let named = quoted
            .iter()
            .step_by(2)
            .rev()
            .skip(1)
            .all(|part| part.ends_with('='));
        let closed = quoted.last().is_some_and(|part| part.trim().is_empty());
        if !closed || !named {
            return Err(format!("bad attributes in `{tag}`"));
        }
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    if open.is_empty() && rest.is_empty() {
        Ok(())
    } else {
        Err(format!("left open: {open:?} {rest}"))
    }
}

#[test]
fn names_cannot_break_the_document() {
    assert_eq!(
        escape("a<b>&\"c'\u{1}\n\u{202e}]]>"),
        "a&lt;b&gt;&amp;&quot;c&apos;\\u{1}&#10;\\u{202e}]]&gt;"
    );
    assert_eq!(escape("士 è"), "士 è");
}

#[test]
fn the_check_of_drawings_finds_slips() {
    for bad in [
        "<a>",
        "<a></b>",
        "<a b=c/>",
        "<a>x & y</a>",
        "<a/>x",
        "<a b=\"1/>",
    ] {
        assert!(check_xml(bad).is_err(), "{bad}");
    }
    assert_eq!(check_xml("<a b=\"1\" c=\"2\"><d/>x &amp; y</a>\n"), Ok(()));
}
