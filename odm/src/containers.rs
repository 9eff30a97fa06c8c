//! The containers of the standard library, grouped by the form in which serde stores them.

/// Calls a macro for each container that is stored as an array of `T`: `of!([generics] Type)`.
macro_rules! for_arrays {
    ($of:ident) => {
        $of!([] Vec<T>);
        $of!([] std::collections::VecDeque<T>);
        $of!([S] std::collections::HashSet<T, S>);
        $of!([] std::collections::BTreeSet<T>);
        $of!([const N: usize] [T; N]);
        #[cfg(feature = "smallvec")]
        $of!([const N: usize] smallvec::SmallVec<[T; N]>);
    };
}

/// Calls a macro for each pointer that is stored as its `T`: `of!(Type)`. `Box` is not among them: it is fundamental,
/// so other crates may implement a trait for a `Box` of their own type, and a general implementation would conflict.
macro_rules! for_pointers {
    ($of:ident) => {
        $of!(std::sync::Arc<T>);
        $of!(std::rc::Rc<T>);
    };
}

/// Calls a macro for each map from keys to `T`: `of!([generics] Type)`.
macro_rules! for_maps {
    ($of:ident) => {
        $of!([K, S] std::collections::HashMap<K, T, S>);
        $of!([K] std::collections::BTreeMap<K, T>);
    };
}

pub(crate) use {for_arrays, for_maps, for_pointers};
