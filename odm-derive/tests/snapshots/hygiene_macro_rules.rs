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
    ///Typed field handles of `Line`, from `Line::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct LineFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `id`.
        id: __odm::Field<__OdmDocument, __OdmPath, Line, Id<A>, 0>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for LineFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for LineFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for LineFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self { id: __odm::Field::NEW };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Line {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = LineFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Line";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "id")
                .of_type(
                    __odm::TypeProbe::<Id<A>>::ARRAY,
                    __odm::TypeProbe::<Id<A>>::OPTION,
                    __odm::TypeProbe::<Id<A>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<A>>::FORM,
                    __odm::TypeProbe::<Id<A>>::TRACED_FORM,
                )
                .written("Id<A>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            __odm::TypeProbe::<__odm::Of<'static, A>>::TARGET,
                            __odm::TypeProbe::<Id<A>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Id<A>>::KEY),
                ),
        ];
    }
    #[automatically_derived]
    impl Line {
        ///Returns typed field handles of `Line`, for filters, sorts and updates.
        fn fields() -> LineFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Line {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<A, 0> for Line {}
    #[automatically_derived]
    impl __odm::Keys for Line
    where
        for<'__odm> __odm::Held<'__odm, Id<A>>: __odm::HoldsKeys,
    {
        type Key = <__odm::Held<'static, Id<A>> as __odm::HoldsKeys>::Key;
        type Knows = <__odm::Held<'static, Id<A>> as __odm::HoldsKeys>::Knows;
        const __ODM_MANY: bool = __odm::TypeProbe::<Id<A>>::MANY_KEYS;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::TypeProbe::<Id<A>>::EACH_KEY(&self.id, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("id");
            __odm::TypeProbe::<Id<A>>::PUSH_INNER_PATH(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Reference for Line
    where
        for<'__odm> __odm::Held<'__odm, Id<A>>: __odm::HoldsKeys + __odm::Leads,
    {
        type Target = A;
        const __ODM_KEY: ::core::option::Option<__odm::KeyShape> = __odm::TypeProbe::<
            Id<A>,
        >::KEY;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_id {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("id") }> for Line {
        type Relation = __OdmBy_id;
    }
    #[automatically_derived]
    impl Line {
        const __ODM_ID: __odm::Relation<Self, __odm::Of<'static, A>, __OdmBy_id> = __odm::Relation::<
            Self,
            __odm::Of<'static, A>,
            __OdmBy_id,
        >::new(
            "Line.id",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Id<A>,
            >::EACH_KEY(&__odm_owner.id, __odm_found),
            __odm::TypeProbe::<Id<A>>::TARGET_PATH,
        );
        /**Loads the document that `id` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_id(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<A>
        where
            for<'__odm> __odm::Of<'__odm, A>: __odm::Leads<Target = A>,
        {
            Self::__ODM_ID.load_one(self, odm)
        }
        /**Loads the documents that `id` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_id<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, A, __OdmBy_id>
        where
            for<'__odm> __odm::Of<'__odm, A>: __odm::Leads<Target = A>,
        {
            Self::__ODM_ID.join_one(owners, odm)
        }
    }
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Id < A > > ::REFERENCE || __odm::TypeProbe:: < __odm::Of
            < 'static, A > > ::LEADS_TO_MODEL,
            "`Line.id` refers to `A`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `A`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < A > > ::REFERENCE || (__odm::TypeProbe:: < Id < A >
            > ::ONE_KEY || __odm::TypeProbe:: < Id < A > > ::MANY_KEYS),
            "`Line.id` is not a reference: `Id<A>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < A > > ::REFERENCE || false,
            "`Line.id` has another type of key than the `_id` of `A`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < A > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Line.id` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Id < A > > ::KEY_ARRAYS < 2,
        "`Line.id` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<A>>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered_embedded:: < Line > ()
    }
};
