//! Lists the containers of the standard library, grouped by the form in which serde stores them.

/// Calls a macro for each container that is stored as an array of `T`. The call has the form `of!([generics] Type)`.
macro_rules! for_arrays {
    ($of:ident) => {
        $of!([] Vec<T>);
        $of!([] std::collections::VecDeque<T>);
        $of!([S] std::collections::HashSet<T, S>);
        $of!([] std::collections::BTreeSet<T>);
        $of!([] Box<[T]>);
        $of!([const N: usize] [T; N]);
        #[cfg(feature = "smallvec")]
        $of!([const N: usize] smallvec::SmallVec<[T; N]>);
    };
}

/// Calls a macro for each smart pointer that serde stores in the same way as a value of type `T`. The call has the form
/// `of!(Type)`. `Box` is not included, because other crates may implement a trait for a `Box` of their own type (`Box`
/// is fundamental). An impl for every `Box` would conflict with such an impl.
macro_rules! for_pointers {
    ($of:ident) => {
        $of!(std::sync::Arc<T>);
        $of!(std::rc::Rc<T>);
    };
}

/// Calls a macro for each map that contains values of type `T`. The call has the form `of!([generics] Type)`.
macro_rules! for_maps {
    ($of:ident) => {
        $of!([K, S] std::collections::HashMap<K, T, S>);
        $of!([K] std::collections::BTreeMap<K, T>);
    };
}

pub(crate) use {for_arrays, for_maps, for_pointers};
