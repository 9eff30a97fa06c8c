//! The labels at the ends of lines, and the tooltips of lines.

use crate::pictures::{
    line::{Line, LineKind},
    words::derived,
};

/// Returns the labels at the start and at the end of a line. `n:1` means that many documents at the start refer to one
/// document at the end.
pub(super) fn at_ends(line: &Line<'_>) -> [String; 2] {
    let Some((here, there)) = line.many else {
        return Default::default();
    };
    let (here, there) = (here.sign(), there.sign());
    let back = match line.kind {
        LineKind::TwoWay if line.from != line.to => format!("{there}:{here}"),
        _ => String::new(),
    };
    [format!("{here}:{there}"), back]
}

/// Returns the tooltip of a line.
pub(super) fn tooltip(line: &Line<'_>) -> String {
    let Line {
        from, to, field, ..
    } = line;
    match &field.derived {
        Some(how) if line.kind.is_derived() => {
            format!("{} = {} of {}", to.path, derived(how), how.from.model)
        }
        _ => format!("{} → {}", from.path, to.path),
    }
}
