//! Decides whether the history of a change stream has been lost.

use crate::error::Error;

/// Whether the stream cannot continue at its position.
pub(super) fn is_lost(error: &Error, opening: bool) -> bool {
    // InvalidResumeToken, ChangeStreamFatalError, ChangeStreamHistoryLost.
    const LOST: [i32; 3] = [260, 280, 286];
    // Server errors about a value that is not a token: BadValue, FailedToParse, TypeMismatch, Overflow, or the
    // number of an assertion. The numbers of assertions are larger than the codes of other errors.
    const MALFORMED: [i32; 4] = [2, 9, 14, 15];
    const ASSERTIONS: std::ops::RangeFrom<i32> = 20_000..;
    let code = error.server_code().unwrap_or_default();
    LOST.contains(&code)
        || error.contains_label("NonResumableChangeStreamError")
        || (opening && (MALFORMED.contains(&code) || ASSERTIONS.contains(&code)))
}
