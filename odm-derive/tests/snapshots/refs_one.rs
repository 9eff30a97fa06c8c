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
    ///Typed field handles of `PartLine`, from `PartLine::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct PartLineFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `id`.
        id: __odm::Field<__OdmDocument, __OdmPath, PartLine, Id<Part>, 0>,
        ///The field `qty`, stored as `qty`.
        qty: __odm::Field<__OdmDocument, __OdmPath, PartLine, i64, 1>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for PartLineFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for PartLineFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for PartLineFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            qty: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for PartLine {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = PartLineFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "PartLine";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "id")
                .of_type(
                    __odm::TypeProbe::<Id<Part>>::ARRAY,
                    __odm::TypeProbe::<Id<Part>>::OPTION,
                    __odm::TypeProbe::<Id<Part>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Part>>::FORM,
                    __odm::TypeProbe::<Id<Part>>::TRACED_FORM,
                )
                .written("Id<Part>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            __odm::TypeProbe::<__odm::Of<'static, Part>>::TARGET,
                            __odm::TypeProbe::<Id<Part>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Id<Part>>::KEY),
                ),
            __odm::FieldShape::new("qty", "qty")
                .of_type(
                    __odm::TypeProbe::<i64>::ARRAY,
                    __odm::TypeProbe::<i64>::OPTION,
                    __odm::TypeProbe::<i64>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<i64>::FORM,
                    __odm::TypeProbe::<i64>::TRACED_FORM,
                )
                .written("i64"),
        ];
    }
    #[automatically_derived]
    impl PartLine {
        ///Returns typed field handles of `PartLine`, for filters, sorts and updates.
        fn fields() -> PartLineFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for PartLine {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<Part, 0> for PartLine {}
    #[automatically_derived]
    impl __odm::Keys for PartLine
    where
        for<'__odm> __odm::Held<'__odm, Id<Part>>: __odm::HoldsKeys,
    {
        type Key = <__odm::Held<'static, Id<Part>> as __odm::HoldsKeys>::Key;
        type Knows = <__odm::Held<'static, Id<Part>> as __odm::HoldsKeys>::Knows;
        const __ODM_MANY: bool = __odm::TypeProbe::<Id<Part>>::MANY_KEYS;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::TypeProbe::<Id<Part>>::EACH_KEY(&self.id, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("id");
            __odm::TypeProbe::<Id<Part>>::PUSH_INNER_PATH(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Reference for PartLine
    where
        for<'__odm> __odm::Held<'__odm, Id<Part>>: __odm::HoldsKeys + __odm::Leads,
    {
        type Target = Part;
        const __ODM_KEY: ::core::option::Option<__odm::KeyShape> = __odm::TypeProbe::<
            Id<Part>,
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
    impl __odm::Related<{ __odm::relation_name("id") }> for PartLine {
        type Relation = __OdmBy_id;
    }
    #[automatically_derived]
    impl PartLine {
        const __ODM_ID: __odm::Relation<Self, __odm::Of<'static, Part>, __OdmBy_id> = __odm::Relation::<
            Self,
            __odm::Of<'static, Part>,
            __OdmBy_id,
        >::new(
            "PartLine.id",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Id<Part>,
            >::EACH_KEY(&__odm_owner.id, __odm_found),
            __odm::TypeProbe::<Id<Part>>::TARGET_PATH,
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
        ) -> __odm::LoadOne<Part>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
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
        ) -> __odm::Join<Self, Part, __OdmBy_id>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_ID.join_one(owners, odm)
        }
    }
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Id < Part > > ::REFERENCE || __odm::TypeProbe:: <
            __odm::Of < 'static, Part > > ::LEADS_TO_MODEL,
            "`PartLine.id` refers to `Part`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Part`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Part > > ::REFERENCE || (__odm::TypeProbe:: < Id <
            Part > > ::ONE_KEY || __odm::TypeProbe:: < Id < Part > > ::MANY_KEYS),
            "`PartLine.id` is not a reference: `Id<Part>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Part > > ::REFERENCE || false,
            "`PartLine.id` has another type of key than the `_id` of `Part`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < Part > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `PartLine.id` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Id < Part > > ::KEY_ARRAYS < 2,
        "`PartLine.id` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Part>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered_embedded:: < PartLine > ()
    }
};
