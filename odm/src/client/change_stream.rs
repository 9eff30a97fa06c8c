//! Functions shared by typed change streams and the watcher of sources.

use mongodb::bson::{Bson, Document, RawDocument, doc};

use crate::error::Error;

/// Returns the resume token for the position after the batch in a reply. The server sends this token even if the batch
/// is empty.
pub(crate) fn position_after(reply: &RawDocument) -> Option<Bson> {
    let cursor = reply.get_document("cursor").ok()?;
    let token = cursor.get("postBatchResumeToken").ok()??;
    Bson::try_from(token).ok()
}

/// Whether an error means that the stream cannot continue at its stored position.
pub(crate) fn is_lost(error: &Error, opening: bool) -> bool {
    // The codes of `InvalidResumeToken`, `ChangeStreamFatalError` and `ChangeStreamHistoryLost`.
    const LOST: [i32; 3] = [260, 280, 286];
    // The codes for a value that is not a resume token: `BadValue`, `FailedToParse`, `TypeMismatch` and `Overflow`. The
    // server may also return the number of an internal assertion. The numbers of assertions are larger than all other
    // error codes.
    const MALFORMED: [i32; 4] = [2, 9, 14, 15];
    const ASSERTIONS: std::ops::RangeFrom<i32> = 20_000..;
    let code = error.server_code().unwrap_or_default();
    LOST.contains(&code)
        || error.contains_label("NonResumableChangeStreamError")
        || (opening && (MALFORMED.contains(&code) || ASSERTIONS.contains(&code)))
}

/// Returns an expression for the paths that an update wrote, including array positions: `parts.3.id`.
pub(crate) fn written_paths() -> Document {
    let description = |field: &str| doc! { "$ifNull": [format!("$updateDescription.{field}"), []] };
    let updated = doc! { "$map": {
        "input": { "$objectToArray": { "$ifNull": ["$updateDescription.updatedFields", {}] } },
        "in": "$$this.k",
    } };
    // An update with a pipeline can truncate an array without writing a field.
    let cut = doc! { "$map": { "input": description("truncatedArrays"), "in": "$$this.field" } };
    let all = doc! { "$concatArrays": [updated, description("removedFields"), cut] };
    doc! { "$cond": [{ "$eq": ["$operationType", "update"] }, all, "$$REMOVE"] }
}

/// Returns a regular expression for all paths that overlap with one of the given paths. The matched paths may contain
/// array positions.
pub(crate) fn overlapping_paths(paths: &[impl AsRef<str>]) -> String {
    any_of(paths, overlap_pattern)
}

/// Returns a regular expression for the given paths and all paths below them. The matched paths may contain array
/// positions.
pub(crate) fn covered_paths(paths: &[impl AsRef<str>]) -> String {
    any_of(paths, path_pattern)
}

fn any_of(paths: &[impl AsRef<str>], pattern: fn(&str) -> String) -> String {
    let patterns: Vec<String> = paths.iter().map(|path| pattern(path.as_ref())).collect();
    format!("^(?:{})", patterns.join("|"))
}

fn overlap_pattern(path: &str) -> String {
    const POSITIONS: &str = r"(?:\.\d+)*";
    let segments: Vec<String> = path.split('.').map(quoted).collect();
    let inner = segments.into_iter().rev().fold(None, |below, segment| {
        Some(match below {
            None => format!(r"{segment}(?:$|\.)"),
            Some(below) => format!(r"{segment}{POSITIONS}(?:$|\.{below})"),
        })
    });
    inner.unwrap_or_default()
}

fn path_pattern(path: &str) -> String {
    let segments: Vec<String> = path.split('.').map(quoted).collect();
    let path = segments.join(r"(?:\.\d+)*\.");
    format!(r"{path}(?:$|\.)")
}

fn quoted(name: &str) -> String {
    let mut quoted = String::new();
    for c in name.chars() {
        if c.is_ascii_punctuation() && c != '_' {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_allows_positions_between_segments() {
        assert_eq!(overlap_pattern("name"), r"name(?:$|\.)");
        assert_eq!(
            overlap_pattern("parts.id"),
            r"parts(?:\.\d+)*(?:$|\.id(?:$|\.))"
        );
        assert_eq!(overlap_pattern("a-b"), r"a\-b(?:$|\.)");
    }

    #[test]
    fn a_path_covers_the_paths_below_it() {
        assert_eq!(path_pattern("name"), r"name(?:$|\.)");
        assert_eq!(path_pattern("parts.name"), r"parts(?:\.\d+)*\.name(?:$|\.)");
    }
}
