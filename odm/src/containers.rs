//! The containers of the standard library, by how serde stores them.

/// Writes something for every container that is stored as an array of `T`: `of!([generics] Type)`.
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

/// Writes something for every pointer that is stored as the `T` behind it: `of!(Type)`. A `Box` is another matter: a
/// trait that others implement for their own types may be theirs for a box of one, too.
macro_rules! for_pointers {
    ($of:ident) => {
        $of!(std::sync::Arc<T>);
        $of!(std::rc::Rc<T>);
    };
}

/// Writes something for every map of keys to `T`: `of!([generics] Type)`.
macro_rules! for_maps {
    ($of:ident) => {
        $of!([K, S] std::collections::HashMap<K, T, S>);
        $of!([K] std::collections::BTreeMap<K, T>);
    };
}

pub(crate) use {for_arrays, for_maps, for_pointers};
