//! Links under other names, and links that are ids.
