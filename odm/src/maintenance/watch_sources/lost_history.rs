//! Decides whether the oplog no longer contains the position of a change stream.

use crate::error::Error;

/// Whether an error means that the stream cannot continue at its stored position.
pub(super) fn is_lost(error: &Error, opening: bool) -> bool {
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
