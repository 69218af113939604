//! Splits a collection into its game trees, so that a broken tree does not affect the others, and
//! cuts each tree down to its first node, so that a deep tree is parsed quickly.

#[derive(Debug)]
pub(super) struct Tree<'a> {
    /// From the opening bracket to the closing one, or to the point where the tree breaks.
    text: &'a str,
    /// The line of its opening bracket, from 1.
    pub(super) line: usize,
    /// True if the tree has a closing bracket.
    closed: bool,
}

/// The end of a tree.
enum End {
    /// The offset after the closing bracket.
    Closed(usize),
    /// The tree is broken; the offset where the next tree seems to begin.
    Broken(usize),
}

/// The trees of a text. Text between them is skipped.
pub(super) fn trees(text: &str) -> Vec<Tree<'_>> {
    let mut trees = Vec::new();
    let mut at = 0;
    let (mut line, mut counted) = (1, 0);
    // Each broken tree can cost a scan to the end of the text. This budget stops the scan of a text
    // with many broken trees.
    let mut patience = text.len().saturating_mul(32);
    while let Some(start) = text[at..].find('(').map(|offset| at + offset) {
        line += text[counted..start].matches('\n').count();
        counted = start;
        let (end, closed) = match end(&text[start..]) {
            End::Closed(length) => (start + length, true),
            End::Broken(length) => {
                patience = patience.saturating_sub(text.len() - start);
                (start + length, false)
            }
        };
        let end = if patience == 0 { text.len() } else { end };
        trees.push(Tree {
            text: &text[start..end],
            line,
            closed,
        });
        at = end;
    }
    trees
}

/// Finds the end of the tree at the start of the text. A line that begins like a tree, within a
/// value or in an unclosed tree, begins the next tree.
fn end(text: &str) -> End {
    let mut depth = 0_usize;
    let mut value = false;
    let mut escaped = false;
    let mut line_start = false;
    let mut next = None;
    for (at, byte) in text.bytes().enumerate() {
        if line_start && byte == b'(' && text[at..].starts_with("(;") {
            if value {
                return End::Broken(at);
            }
            next = next.or(Some(at));
        }
        line_start = byte == b'\n' || line_start && matches!(byte, b' ' | b'\t');
        match byte {
            _ if escaped => escaped = false,
            b'\\' if value => escaped = true,
            b']' if value => value = false,
            _ if value => {}
            b'[' => value = true,
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return End::Closed(at + 1);
                }
            }
            _ => {}
        }
    }
    End::Broken(next.unwrap_or(text.len()))
}

impl Tree<'_> {
    /// The tree with only its first node.
    pub(super) fn root(&self) -> Result<String, String> {
        if !self.closed {
            return Err("the game tree has no end: a `)` or a `]` is missing".to_owned());
        }
        let inside = self
            .text
            .strip_prefix('(')
            .unwrap_or(self.text)
            .trim_start();
        let node = inside
            .strip_prefix(';')
            .ok_or("a game tree begins with `(;`")?;
        let mut value = false;
        let mut escaped = false;
        for (at, byte) in node.bytes().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if value => escaped = true,
                b']' if value => value = false,
                _ if value => {}
                b'[' => value = true,
                b';' | b'(' | b')' => return Ok(format!("(;{})", &node[..at])),
                _ => {}
            }
        }
        Err("the first node has no end".to_owned())
    }
}
