use super::svg::escaped;

#[test]
fn names_cannot_break_a_drawing() {
    assert_eq!(escaped("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
}
