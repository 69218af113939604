//! A small writer of SVG: shapes in, well-formed text out. Coordinates are pixels, written with one
//! decimal, so that equal drawings are equal bytes.

use std::fmt::Write as _;

use super::style::{SHAPES, Style};
use crate::xml::escape;

/// The anchor of a text.
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
pub struct Svg {
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

    /// Writes a shape: the name of its element, and its attributes.
    fn shape(&mut self, shape: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.body, "<{shape}/>");
    }

    /// Writes a text with additional attributes before and after its position.
    fn words(&mut self, before: &str, [x, y]: [f64; 2], after: &str, anchor: Anchor, text: &str) {
        let (anchor, text) = (anchor.name(), escape(text));
        let _ = writeln!(
            self.body,
            "<text {before}x=\"{x:.1}\" y=\"{y:.1}\"{after} text-anchor=\"{anchor}\">{text}</text>"
        );
    }

    pub(crate) fn line(&mut self, from: [f64; 2], to: [f64; 2], stroke: &str, style: &str) {
        let ([x1, y1], [x2, y2]) = (from, to);
        self.shape(format_args!(
            "line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" \
             stroke=\"{stroke}\" {style}"
        ));
    }

    pub fn path(&mut self, points: &[[f64; 2]], stroke: &str, style: &str) {
        let points = list(points);
        self.shape(format_args!(
            "polyline points=\"{points}\" fill=\"none\" stroke=\"{stroke}\" {style}"
        ));
    }

    /// Draws a mark with the style's shape, so that series differ even without colour; at `scale` 1
    /// it is some 8 pixels wide.
    pub fn mark(&mut self, style: Style, [x, y]: [f64; 2], scale: f64) {
        let fill = style.colour;
        let corners: &[[f64; 2]] = match style.shape % SHAPES {
            0 => {
                let radius = 4.0 * scale;
                return self.shape(format_args!(
                    "circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\""
                ));
            }
            1 => &[[-4.0, -4.0], [4.0, -4.0], [4.0, 4.0], [-4.0, 4.0]],
            2 => &[[0.0, -5.0], [5.0, 4.0], [-5.0, 4.0]],
            _ => &[[0.0, -5.5], [5.5, 0.0], [0.0, 5.5], [-5.5, 0.0]],
        };
        let corner = |[dx, dy]: &[f64; 2]| [x + scale * dx, y + scale * dy];
        let corners = list(&corners.iter().map(corner).collect::<Vec<_>>());
        self.shape(format_args!("polygon points=\"{corners}\" fill=\"{fill}\""));
    }

    pub(crate) fn text(&mut self, at: [f64; 2], anchor: Anchor, text: &str) {
        self.words("", at, "", anchor, text);
    }

    /// Writes a text that runs upwards.
    pub(crate) fn upright(&mut self, [x, y]: [f64; 2], text: &str) {
        let text = escape(text);
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" \
             transform=\"rotate(-90 {x:.1} {y:.1})\">{text}</text>"
        );
    }

    /// Writes a text with a class, which determines its look.
    pub(crate) fn label(&mut self, at: [f64; 2], anchor: Anchor, class: &str, text: &str) {
        self.words(&format!("class=\"{class}\" "), at, "", anchor, text);
    }

    /// Writes a text with a class and a font size, anchored in its middle.
    pub(crate) fn sized(&mut self, at: [f64; 2], size: f64, class: &str, text: &str) {
        let (class, size) = (
            format!("class=\"{class}\" "),
            format!(" font-size=\"{size:.1}\""),
        );
        self.words(&class, at, &size, Anchor::Middle, text);
    }

    /// Draws a polygon with these corners.
    pub(crate) fn area(&mut self, class: &str, corners: &[[f64; 2]]) {
        let corners = list(corners);
        self.shape(format_args!(
            "polygon class=\"{class}\" points=\"{corners}\""
        ));
    }

    /// Draws a line through these points, with a class.
    pub(crate) fn curve(&mut self, class: &str, points: &[[f64; 2]]) {
        let points = list(points);
        self.shape(format_args!(
            "polyline class=\"{class}\" points=\"{points}\""
        ));
    }

    /// Draws a path with a class, given in a box of 100 by 100; the point is the middle of the box,
    /// `side` its size.
    pub(crate) fn outline(&mut self, class: &str, path: &str, [x, y]: [f64; 2], side: f64) {
        let scale = side / 100.0;
        self.shape(format_args!(
            "path class=\"{class}\" transform=\"translate({x:.1} {y:.1}) scale({scale:.3}) \
             translate(-50 -50)\" d=\"{path}\""
        ));
    }

    /// Draws a disc with a class.
    pub(crate) fn disc(&mut self, class: &str, [x, y]: [f64; 2], radius: f64) {
        self.shape(format_args!(
            "circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\""
        ));
    }

    /// Draws a rectangle with a class, by its upper left corner.
    pub(crate) fn cell(&mut self, class: &str, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
        self.shape(format_args!(
            "rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\""
        ));
    }

    /// Draws a group with a tooltip.
    pub(crate) fn group(&mut self, class: &str, tip: &str, draw: impl FnOnce(&mut Self)) {
        let tip = escape(tip);
        let _ = write!(self.body, "<g class=\"{class}\"><title>{tip}</title>");
        draw(self);
        self.body.push_str("</g>\n");
    }

    /// Rotates the output of `draw` by 180 degrees around a point.
    pub(crate) fn turned(&mut self, [x, y]: [f64; 2], draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.body, "<g transform=\"rotate(180 {x:.1} {y:.1})\">");
        draw(self);
        self.body.push_str("</g>\n");
    }

    /// The size and role as attributes of an image, and the title.
    fn frame(&self) -> (String, String) {
        let (width, height) = (self.width, self.height);
        let size = format!(
            "viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
             role=\"img\""
        );
        (size, escape(&self.title))
    }

    /// The drawing as part of a page, whose style sheet determines the look of classes.
    pub(crate) fn finish_in_page(self, class: &str) -> String {
        let ((size, title), body) = (self.frame(), self.body);
        format!("<svg class=\"{class}\" {size} aria-label=\"{title}\">\n{body}</svg>\n")
    }

    /// The drawing as a document with its own style sheet, for its class and those in it, which can
    /// also be embedded in a page.
    pub(crate) fn finish_styled(self, class: &str, style: &str) -> String {
        let ((size, title), body) = (self.frame(), self.body);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{class}\" {size}>\n\
             <title>{title}</title>\n<style>{style}</style>\n{body}</svg>\n"
        )
    }

    pub fn finish(self) -> String {
        let (width, height, body) = (self.width, self.height, self.body);
        let title = escape(&self.title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"13\" \
             fill=\"#222222\">\n<title>{title}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n"
        )
    }
}

/// Points as an attribute.
fn list(points: &[[f64; 2]]) -> String {
    let points = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}"));
    points.collect::<Vec<_>>().join(" ")
}
