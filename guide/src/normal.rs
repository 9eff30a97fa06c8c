//! Texts that are the same in each run.

use mongo_odm::bson::{Bson, Document};
use serde_json::json;

/// Maximum length of a line in a statement or a document.
const WIDTH: usize = 88;

/// The generated ids that were found. The position of an id determines its number.
#[derive(Debug, Default)]
pub(crate) struct Ids(Vec<String>);

impl Ids {
    /// Replaces each generated id by its number.
    pub(crate) fn numbered(&mut self, text: &str) -> String {
        let mut numbered = String::new();
        let mut word = String::new();
        // The additional line break ends the last word.
        for next in text.chars().chain(['\n']) {
            if next.is_ascii_alphanumeric() {
                word.push(next);
                continue;
            }
            numbered.push_str(&self.number(std::mem::take(&mut word)));
            numbered.push(next);
        }
        numbered.pop();
        numbered
    }

    fn number(&mut self, word: String) -> String {
        let is_id = word.len() == 24 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_id {
            return word;
        }
        let known = self.0.iter().position(|id| *id == word);
        let at = known.unwrap_or_else(|| {
            self.0.push(word);
            self.0.len() - 1
        });
        (at + 1).to_string()
    }
}

/// Whether two texts are equal. In statements and documents, white space does not matter.
pub(crate) fn same(language: &str, left: &str, right: &str) -> bool {
    if language == "text" {
        return left.trim_end() == right.trim_end();
    }
    let visible = |text: &str| text.split_whitespace().collect::<String>();
    visible(left) == visible(right)
}

/// Returns a document as JSON.
pub(crate) fn as_json(document: Document) -> String {
    wrapped(&in_a_line(&Bson::from(document)), 0)
}

/// Returns a value as relaxed extended JSON in one line.
fn in_a_line(value: &Bson) -> String {
    let list = |parts: Vec<String>| parts.join(", ");
    match value {
        Bson::Document(fields) if fields.is_empty() => "{}".into(),
        Bson::Document(fields) => {
            let field = |(name, value)| format!("{}: {}", json!(name), in_a_line(value));
            format!("{{ {} }}", list(fields.iter().map(field).collect()))
        }
        Bson::Array(elements) => {
            format!("[{}]", list(elements.iter().map(in_a_line).collect()))
        }
        Bson::ObjectId(id) => format!("{{ \"$oid\": \"{id}\" }}"),
        Bson::DateTime(time) => {
            let time = time.try_to_rfc3339_string().unwrap_or_default();
            format!("{{ \"$date\": \"{time}\" }}")
        }
        other => json!(other).to_string(),
    }
}

/// Breaks a long line at its longest array or document.
pub(crate) fn wrapped(line: &str, indent: usize) -> String {
    let fits = indent + line.chars().count() <= WIDTH;
    let Some((from, to)) = longest_group(line).filter(|_| !fits) else {
        return line.to_owned();
    };
    let (head, rest) = line.split_at(from + 1);
    let (inner, tail) = rest.split_at(to - from - 1);
    let margin = " ".repeat(indent);
    let items = items(inner.trim()).into_iter();
    let items: Vec<String> = items
        .map(|item| format!("{margin}  {}", wrapped(item, indent + 2)))
        .collect();
    let (head, tail) = (wrapped(head, indent), wrapped(tail, indent));
    format!("{head}\n{}\n{margin}{tail}", items.join(",\n"))
}

/// Returns the brackets of the longest array or document that is an argument or a value of the line.
fn longest_group(line: &str) -> Option<(usize, usize)> {
    let mut open = Vec::new();
    let mut longest = None;
    for (at, bracket) in brackets(line).filter(|it| it.1 != ',') {
        if "([{".contains(bracket) {
            open.push((at, bracket));
            continue;
        }
        let Some((from, _)) = open.pop() else {
            continue;
        };
        let is_outer = bracket != ')' && open.iter().all(|(_, it)| *it == '(');
        let is_longer = longest.is_none_or(|(first, last)| at - from > last - first);
        if is_outer && is_longer && at > from + 1 {
            longest = Some((from, at));
        }
    }
    longest
}

/// Splits a text at the commas outside of brackets.
fn items(inner: &str) -> Vec<&str> {
    let mut depth = 0;
    let mut items = Vec::new();
    let mut start = 0;
    for (at, it) in brackets(inner) {
        match it {
            ',' if depth == 0 => {
                items.push(inner.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    items.push(inner.get(start..).unwrap_or_default().trim());
    items
}

/// Returns brackets and commas outside of strings.
fn brackets(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut in_string = false;
    let mut escaped = false;
    text.char_indices().filter(move |(_, it)| {
        let is_quote = *it == '"' && !escaped;
        escaped = *it == '\\' && !escaped;
        in_string ^= is_quote;
        !in_string && "()[]{},".contains(*it)
    })
}
