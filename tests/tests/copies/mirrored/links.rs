//! `link_*` and `unlink_*`.
