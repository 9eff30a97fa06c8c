//! Strings of known width. Each character is one or two cells wide.
//!
//! Every string is written with a `textLength` attribute, so that it fits into its box in any font.

use std::fmt::Write;

use crate::pictures::words::visible;

/// The width of a cell in the normal font size, in tenths of a pixel. The next constant is the
/// width in the small font size.
pub(super) const NORMAL: i32 = 66;
pub(super) const LARGE: i32 = 72;
pub(super) const SMALL: i32 = 57;

/// A string that can be drawn at any point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'t> {
    pub(super) shown: &'t str,
    pub(super) class: &'t str,
    /// The width of a cell, in tenths of a pixel.
    pub(super) cell: i32,
    /// Largest number of cells that are drawn. If the text is longer, a tooltip shows the complete
    /// text.
    pub(super) most: usize,
}

impl Text<'_> {
    /// Draws the text. The left or right end of the text is at the given point.
    pub(super) fn draw(&self, out: &mut String, x: i32, y: i32, from_right: bool) {
        let shown = clipped(self.shown, self.most);
        if shown.is_empty() {
            return;
        }
        let length = tenths(&shown, self.cell);
        let anchor = if from_right {
            r#" text-anchor="end""#
        } else {
            ""
        };
        let _ = write!(
            out,
            r#"<text class="{}" x="{x}" y="{y}"{anchor} textLength="{}.{}" lengthAdjust="spacingAndGlyphs">"#,
            self.class,
            length / 10,
            length % 10
        );
        if shown != self.shown {
            let _ = write!(out, "<title>{}</title>", escaped(self.shown));
        }
        let _ = writeln!(out, "{}</text>", escaped(&shown));
    }
}

/// Returns the width of a string in pixels.
pub(super) fn width(text: &str, cell: i32) -> i32 {
    (tenths(text, cell) + 9) / 10
}

/// Returns the width of a string in pixels after it has been shortened to a number of cells.
pub(super) fn clipped_width(text: &str, cell: i32, most: usize) -> i32 {
    width(&clipped(text, most), cell)
}

fn tenths(text: &str, cell: i32) -> i32 {
    let cells: usize = text.chars().map(cells).sum();
    i32::try_from(cells).unwrap_or(i32::MAX / cell) * cell
}

/// Shortens a string to a number of cells.
fn clipped(text: &str, most: usize) -> String {
    if text.chars().map(cells).sum::<usize>() <= most {
        return text.to_owned();
    }
    let mut taken = 1;
    let beginning = text.chars().take_while(|letter| {
        taken += cells(*letter);
        taken <= most
    });
    beginning.chain(['…']).collect()
}

/// Returns the width of a character in cells, which is two for East Asian characters and emoji.
fn cells(letter: char) -> usize {
    let is_wide = matches!(
        u32::from(letter),
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f
            | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd
    );
    if is_wide { 2 } else { 1 }
}

/// Escapes the characters that have a special meaning in XML.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars().map(visible) {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_means_something_in_xml() {
        assert_eq!(
            escaped("</text><a b=\"c\">&#0;"),
            "&lt;/text&gt;&lt;a b=&quot;c&quot;&gt;&amp;#0;"
        );
        assert_eq!(
            escaped("a\0b\n\u{202e}c\u{ffff}"),
            "a\u{fffd}b\u{fffd}\u{fffd}c\u{fffd}"
        );
    }

    #[test]
    fn a_text_is_as_wide_as_its_cells() {
        assert_eq!(width("abc", NORMAL), 20);
        assert_eq!(width("價格", NORMAL), width("abcd", NORMAL));
        assert_eq!(clipped("abcdef", 6), "abcdef");
        assert_eq!(clipped("abcdefg", 6), "abcde…");
        assert_eq!(clipped("價價價", 5), "價價…");
    }
}
