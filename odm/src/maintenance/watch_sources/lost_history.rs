//! Tells when the history of a change stream is lost.

use crate::error::Error;

/// Whether the stream cannot go on from where it was.
pub(super) fn is_lost(error: &Error, opening: bool) -> bool {
    // InvalidResumeToken, ChangeStreamFatalError, ChangeStreamHistoryLost.
    const LOST: [i32; 3] = [260, 280, 286];
    // What the server says about a value that is no token of its own: BadValue, FailedToParse,
    // TypeMismatch, Overflow, or the number of an assertion, which are above those of states of the
    // server.
    const MALFORMED: [i32; 4] = [2, 9, 14, 15];
    const ASSERTIONS: std::ops::RangeFrom<i32> = 20_000..;
    let code = error.server_code().unwrap_or_default();
    LOST.contains(&code)
        || error.contains_label("NonResumableChangeStreamError")
        || (opening && (MALFORMED.contains(&code) || ASSERTIONS.contains(&code)))
}
