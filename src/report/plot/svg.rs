//! A small writer of SVG: shapes in, well-formed text out. Coordinates are
//! pixels, written with one decimal, so that equal drawings are equal bytes.

use std::fmt::Write as _;

use super::style::{SHAPES, Style};
use crate::report::xml::escape;

/// Where a text is held.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// A drawing.
pub(crate) struct Svg {
    body: String,
    width: f64,
    height: f64,
    title: String,
}

impl Svg {
    pub(crate) fn new(width: f64, height: f64, title: &str) -> Self {
        Self {
            body: String::new(),
            width,
            height,
            title: title.to_owned(),
        }
    }

    pub(crate) fn line(&mut self, from: [f64; 2], to: [f64; 2], stroke: &str, style: &str) {
        let ([x1, y1], [x2, y2]) = (from, to);
        let _ = writeln!(
            self.body,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" \
             stroke=\"{stroke}\" {style}/>"
        );
    }

    pub(crate) fn path(&mut self, points: &[[f64; 2]], stroke: &str, style: &str) {
        let points: Vec<String> = points
            .iter()
            .map(|[x, y]| format!("{x:.1},{y:.1}"))
            .collect();
        let _ = writeln!(
            self.body,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{stroke}\" {style}/>",
            points.join(" ")
        );
    }

    /// A mark of the style's shape, so that colour is not needed to tell series
    /// apart; at `scale` 1 it is some 8 pixels wide.
    pub(crate) fn mark(&mut self, style: Style, [x, y]: [f64; 2], scale: f64) {
        let fill = style.colour;
        let corners = |offsets: &[[f64; 2]]| {
            let corner =
                |[dx, dy]: &[f64; 2]| format!("{:.1},{:.1}", x + scale * dx, y + scale * dy);
            let corners: Vec<String> = offsets.iter().map(corner).collect();
            format!(
                "<polygon points=\"{}\" fill=\"{fill}\"/>",
                corners.join(" ")
            )
        };
        let radius = 4.0 * scale;
        let mark = match style.shape % SHAPES {
            0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\"/>"),
            1 => corners(&[[-4.0, -4.0], [4.0, -4.0], [4.0, 4.0], [-4.0, 4.0]]),
            2 => corners(&[[0.0, -5.0], [5.0, 4.0], [-5.0, 4.0]]),
            _ => corners(&[[0.0, -5.5], [5.5, 0.0], [0.0, 5.5], [-5.5, 0.0]]),
        };
        self.body.push_str(&mark);
        self.body.push('\n');
    }

    pub(crate) fn text(&mut self, [x, y]: [f64; 2], anchor: Anchor, text: &str) {
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{}\">{}</text>",
            anchor.name(),
            escape(text)
        );
    }

    /// A text that runs upwards.
    pub(crate) fn upright(&mut self, [x, y]: [f64; 2], text: &str) {
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" \
             transform=\"rotate(-90 {x:.1} {y:.1})\">{}</text>",
            escape(text)
        );
    }

    /// A text of a class, which says how it looks.
    pub(crate) fn label(&mut self, [x, y]: [f64; 2], anchor: Anchor, class: &str, text: &str) {
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{}\">{}</text>",
            anchor.name(),
            escape(text)
        );
    }

    /// A text of a class in letters of this size, held in its middle.
    pub(crate) fn sized(&mut self, [x, y]: [f64; 2], size: f64, class: &str, text: &str) {
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\" \
             text-anchor=\"middle\">{}</text>",
            escape(text)
        );
    }

    /// A surface with these corners.
    pub(crate) fn area(&mut self, class: &str, corners: &[[f64; 2]]) {
        let corner = |[x, y]: &[f64; 2]| format!("{x:.1},{y:.1}");
        let corners: Vec<String> = corners.iter().map(corner).collect();
        let _ = writeln!(
            self.body,
            "<polygon class=\"{class}\" points=\"{}\"/>",
            corners.join(" ")
        );
    }

    /// A line through these points, of a class.
    pub(crate) fn curve(&mut self, class: &str, points: &[[f64; 2]]) {
        let point = |[x, y]: &[f64; 2]| format!("{x:.1},{y:.1}");
        let points: Vec<String> = points.iter().map(point).collect();
        let _ = writeln!(
            self.body,
            "<polyline class=\"{class}\" points=\"{}\"/>",
            points.join(" ")
        );
    }

    /// A disc of a class.
    pub(crate) fn disc(&mut self, class: &str, [x, y]: [f64; 2], radius: f64) {
        let _ = writeln!(
            self.body,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"
        );
    }

    /// A rectangle of a class, by its upper left corner.
    pub(crate) fn cell(&mut self, class: &str, [x, y]: [f64; 2], size: [f64; 2]) {
        let [width, height] = size;
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\"/>"
        );
    }

    /// Draws a group, with what is told of it where a pointer rests.
    pub(crate) fn group(&mut self, class: &str, tip: &str, draw: impl FnOnce(&mut Self)) {
        let _ = write!(
            self.body,
            "<g class=\"{class}\"><title>{}</title>",
            escape(tip)
        );
        draw(self);
        self.body.push_str("</g>\n");
    }

    /// The drawing as part of a page, whose style sheet says how classes look.
    pub(crate) fn finish_in_page(self, class: &str) -> String {
        let Self {
            body,
            width,
            height,
            title,
        } = self;
        format!(
            "<svg class=\"{class}\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" role=\"img\" aria-label=\"{}\">\n{body}</svg>\n",
            escape(&title)
        )
    }

    /// The drawing as a document that has its own style sheet, for its class and those in
    /// it, and can be a part of a page.
    pub(crate) fn finish_styled(self, class: &str, style: &str) -> String {
        let Self {
            body,
            width,
            height,
            title,
        } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{class}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
             role=\"img\">\n<title>{}</title>\n<style>{style}</style>\n{body}</svg>\n",
            escape(&title)
        )
    }

    pub(crate) fn finish(self) -> String {
        let Self {
            body,
            width,
            height,
            title,
        } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"13\" \
             fill=\"#222222\">\n<title>{}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n",
            escape(&title)
        )
    }
}
