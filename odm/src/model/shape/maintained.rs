//! Fields that the library maintains in every write of a document.

/// The meaning of a field that the library maintains in every write of a document.
///
/// Your code cannot set such a field. `query::maintained` contains the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Maintained {
    /// `#[created_at]`: the time of the insert.
    CreatedAt,
    /// `#[updated_at]`: the time of the last write of the document's own fields.
    UpdatedAt,
    /// `#[version]`: the number of writes of the document's own fields.
    Version,
}
