//! Writes comments in the generated code.

/// The largest width of a comment line.
const WIDTH: usize = 120;

/// Writes a comment, with a prefix such as `    // ` before each line. Long comments are broken into lines. A mongosh
/// statement stays on one line, so that it can be copied.
pub(super) fn write(out: &mut String, lead: &str, text: &str) {
    let text = one_line(text);
    let breaks = !text.starts_with("db.");
    let mut line = lead.to_owned();
    for (at, word) in text.split(' ').enumerate() {
        let is_full = line.chars().count() + 1 + word.chars().count() > WIDTH;
        if breaks && is_full && line.len() > lead.len() {
            out.push_str(&line);
            out.push('\n');
            lead.clone_into(&mut line);
        } else if at > 0 {
            line.push(' ');
        }
        line.push_str(word);
    }
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Removes line breaks from a comment, because the text after a line break would become code. Also escapes characters
/// that change the direction of text, because such characters can disguise code. The names of collections, fields and
/// indexes can contain both kinds of characters.
pub(super) fn one_line(comment: &str) -> String {
    let mut shown = String::new();
    for letter in comment.chars() {
        match letter {
            letter if letter.is_control() => shown.push(' '),
            '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}' => {
                shown.extend(letter.escape_unicode());
            }
            letter => shown.push(letter),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_comments_are_broken_and_statements_are_not() {
        let words = vec!["word"; 40].join(" ");
        let mut out = String::new();
        write(&mut out, "    // ", &words);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(
            lines
                .iter()
                .all(|line| line.starts_with("    // word") && line.len() <= WIDTH)
        );
        let mut out = String::new();
        write(&mut out, "// ", &format!("db.{words}"));
        assert_eq!(out.lines().count(), 1);
    }

    #[test]
    fn no_name_breaks_out_of_its_comment() {
        assert_eq!(one_line("a\nb\u{202e}c\u{2028}"), "a b\\u{202e}c\\u{2028}");
    }
}
