#[doc(hidden)]
#[allow(
    dead_code,
    deprecated,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    non_camel_case_types,
    non_snake_case,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    ///Typed field handles of `Kept`, from `Kept::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct KeptFields<__OdmDocument, __OdmPath> {
        ///The field `next`, stored as `next`.
        next: __odm::Field<__OdmDocument, __OdmPath, Kept, Option<Id<A>>, 0>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for KeptFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for KeptFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for KeptFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self { next: __odm::Field::NEW };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Kept {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = KeptFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Kept";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("next", "next")
                .of_type(
                    __odm::TypeProbe::<Option<Id<A>>>::ARRAY,
                    __odm::TypeProbe::<Option<Id<A>>>::OPTION,
                    __odm::TypeProbe::<Option<Id<A>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<Id<A>>>::FORM,
                    __odm::TypeProbe::<Option<Id<A>>>::TRACED_FORM,
                )
                .written("Option<Id<A>>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            __odm::TypeProbe::<__odm::Of<'static, A>>::TARGET,
                            __odm::TypeProbe::<Option<Id<A>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Option<Id<A>>>::KEY),
                ),
        ];
    }
    #[automatically_derived]
    impl Kept {
        ///Returns typed field handles of `Kept`, for filters, sorts and updates.
        fn fields() -> KeptFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Kept {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<A, 0> for Kept {}
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < A > > > ::REFERENCE || __odm::TypeProbe::
            < __odm::Of < 'static, A > > ::LEADS_TO_MODEL,
            "`Kept.next` refers to `A`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `A`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < A > > > ::REFERENCE || (__odm::TypeProbe::
            < Option < Id < A > > > ::ONE_KEY || __odm::TypeProbe:: < Option < Id < A > >
            > ::MANY_KEYS),
            "`Kept.next` is not a reference: `Option<Id<A>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < A > > > ::REFERENCE || false,
            "`Kept.next` has another type of key than the `_id` of `A`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < Id < A > > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Kept.next` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < Id < A > > > ::KEY_ARRAYS < 2,
        "`Kept.next` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Option<Id<A>>>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered_embedded:: < Kept > ()
    }
};

#[doc(hidden)]
#[allow(
    dead_code,
    deprecated,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    non_camel_case_types,
    non_snake_case,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    #[automatically_derived]
    impl __odm::Projection<A> for Kept {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            "Kept",
            &[
                __odm::FieldShape::new("next", "next")
                    .of_type(
                        __odm::TypeProbe::<Option<Id<A>>>::ARRAY,
                        __odm::TypeProbe::<Option<Id<A>>>::OPTION,
                        __odm::TypeProbe::<Option<Id<A>>>::EMBED,
                    )
                    .written("Option<Id<A>>")
                    .reference(
                        __odm::ReferenceShape::new(
                                __odm::ReferenceKind::One,
                                __odm::TypeProbe::<__odm::Of<'static, A>>::TARGET,
                                __odm::TypeProbe::<Option<Id<A>>>::INNER_PATH,
                            )
                            .keyed(__odm::TypeProbe::<Option<Id<A>>>::KEY),
                    ),
            ],
        );
        const __ODM_STRICT: bool = false;
        fn __odm_read_projected(
            __odm_collection: &str,
            __odm_part: &__odm::RawDocument,
            __odm_whole: &__odm::RawDocument,
        ) -> __odm::Result<Self> {
            __odm::read_projection::<Self>(__odm_collection, __odm_part, __odm_whole)
        }
    }
    #[automatically_derived]
    impl __odm::Keys for Kept
    where
        for<'__odm> __odm::Held<'__odm, Option<Id<A>>>: __odm::HoldsKeys,
    {
        type Key = <__odm::Held<'static, Option<Id<A>>> as __odm::HoldsKeys>::Key;
        type Knows = <__odm::Held<'static, Option<Id<A>>> as __odm::HoldsKeys>::Knows;
        const __ODM_MANY: bool = __odm::TypeProbe::<Option<Id<A>>>::MANY_KEYS;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::TypeProbe::<Option<Id<A>>>::EACH_KEY(&self.next, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("next");
            __odm::TypeProbe::<Option<Id<A>>>::PUSH_INNER_PATH(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Reference for Kept
    where
        for<'__odm> __odm::Held<'__odm, Option<Id<A>>>: __odm::HoldsKeys + __odm::Leads,
    {
        type Target = A;
        const __ODM_KEY: ::core::option::Option<__odm::KeyShape> = __odm::TypeProbe::<
            Option<Id<A>>,
        >::KEY;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_next {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("next") }> for Kept {
        type Relation = __OdmBy_next;
    }
    #[automatically_derived]
    impl Kept {
        const __ODM_NEXT: __odm::Relation<Self, __odm::Of<'static, A>, __OdmBy_next> = __odm::Relation::<
            Self,
            __odm::Of<'static, A>,
            __OdmBy_next,
        >::new(
            "Kept.next",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Option<Id<A>>,
            >::EACH_KEY(&__odm_owner.next, __odm_found),
            __odm::TypeProbe::<Option<Id<A>>>::TARGET_PATH,
        );
        /**Loads the document that `next` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_next(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<A>
        where
            for<'__odm> __odm::Of<'__odm, A>: __odm::Leads<Target = A>,
        {
            Self::__ODM_NEXT.load_one(self, odm)
        }
        /**Loads the documents that `next` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_next<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, A, __OdmBy_next>
        where
            for<'__odm> __odm::Of<'__odm, A>: __odm::Leads<Target = A>,
        {
            Self::__ODM_NEXT.join_one(owners, odm)
        }
    }
    type __OdmA = A;
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < A > > > ::REFERENCE || __odm::refers(< A
            as __odm::HasFields > ::__ODM_FIELDS, "next") || __odm::TypeProbe:: <
            __odm::Of < 'static, A > > ::LEADS_TO_MODEL,
            "`Kept.next` refers to `A`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `A`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < A > > > ::REFERENCE || __odm::refers(< A
            as __odm::HasFields > ::__ODM_FIELDS, "next") || (__odm::TypeProbe:: < Option
            < Id < A > > > ::ONE_KEY || __odm::TypeProbe:: < Option < Id < A > > >
            ::MANY_KEYS),
            "`Kept.next` is not a reference: `Option<Id<A>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < A > > > ::REFERENCE || __odm::refers(< A
            as __odm::HasFields > ::__ODM_FIELDS, "next") || false,
            "`Kept.next` has another type of key than the `_id` of `A`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < Id < A > > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Kept.next` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < Id < A > > > ::KEY_ARRAYS < 2,
        "`Kept.next` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = ::core::assert!(
        __odm::is_flattened_as(< A as __odm::HasFields > ::__ODM_FIELDS, "next", false),
        "serde flattens `A.next`; write `#[serde(flatten)]` here, too"
    );
    const _: () = ::core::assert!(
        ! __odm::is_aliased(< A as __odm::HasFields > ::__ODM_FIELDS, "next"),
        "`A.next` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::is_required(< A as __odm::HasFields > ::__ODM_FIELDS, "next") || ! false
        && __odm::TypeProbe:: < Option < Id < A > > > ::MAY_BE_MISSING,
        "`Kept.next` is required, but `A.next` may be missing from a document; add `#[serde(default)]` to it here, too"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< A as __odm::HasFields > ::__ODM_FIELDS, "next").is_none() ||
        __odm::read_stored_name(< A as __odm::HasFields > ::__ODM_FIELDS, "next", "next",
        ::core::option::Option::None),
        "`Kept.next` reads `next`, and `A` stores `next` under another name or with another codec; give both the same `rename` and `with`"
    );
    fn __odm_checks() {
        <__odm::Handles<A> as __odm::FieldSet>::NEW
            .next
            .__projected_as::<Option<Id<A>>>();
    }
};
