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
    ///Typed field handles of `A`, from `A::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct AFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            A,
            Id<A>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `type`, stored as `type`.
        r#type: __odm::Field<__OdmDocument, __OdmPath, A, String, 1>,
        ///The field `match`, stored as `match`.
        r#match: __odm::Field<__OdmDocument, __OdmPath, A, r#struct, 2>,
        ///The field `ref`, stored as `ref`.
        r#ref: __odm::Field<__OdmDocument, __OdmPath, A, Vec<Id<A>>, 3>,
        ///The field `in`, stored as `in`.
        r#in: __odm::Field<__OdmDocument, __OdmPath, A, Option<Id<A>>, 4>,
        ///The field `quoted`, stored as `quoted`.
        quoted: __odm::Field<
            __OdmDocument,
            __OdmPath,
            A,
            Option<String>,
            5,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
        ///The field `bare`, stored as `bare`.
        bare: __odm::Field<
            __OdmDocument,
            __OdmPath,
            A,
            Option<String>,
            6,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for AFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for AFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for AFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            r#type: __odm::Field::NEW,
            r#match: __odm::Field::NEW,
            r#ref: __odm::Field::NEW,
            r#in: __odm::Field::NEW,
            quoted: __odm::Field::NEW,
            bare: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for A {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = AFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "A";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<A>>::ARRAY,
                    __odm::TypeProbe::<Id<A>>::OPTION,
                    __odm::TypeProbe::<Id<A>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<A>>::FORM,
                    __odm::TypeProbe::<Id<A>>::TRACED_FORM,
                )
                .written("Id<A>"),
            __odm::FieldShape::new("type", "type")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::OPTION,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<String>::FORM,
                    __odm::TypeProbe::<String>::TRACED_FORM,
                )
                .written("String"),
            __odm::FieldShape::new("match", "match")
                .of_type(
                    __odm::TypeProbe::<r#struct>::ARRAY,
                    __odm::TypeProbe::<r#struct>::OPTION,
                    __odm::TypeProbe::<r#struct>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<r#struct>::FORM,
                    __odm::TypeProbe::<r#struct>::TRACED_FORM,
                )
                .written("struct"),
            __odm::FieldShape::new("ref", "ref")
                .of_type(
                    __odm::TypeProbe::<Vec<Id<A>>>::ARRAY,
                    __odm::TypeProbe::<Vec<Id<A>>>::OPTION,
                    __odm::TypeProbe::<Vec<Id<A>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<Id<A>>>::FORM,
                    __odm::TypeProbe::<Vec<Id<A>>>::TRACED_FORM,
                )
                .written("Vec<Id<A>>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            __odm::TypeProbe::<__odm::Of<'static, A>>::TARGET,
                            __odm::TypeProbe::<Vec<Id<A>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Vec<Id<A>>>::KEY)
                        .inverse("ref"),
                ),
            __odm::FieldShape::new("in", "in")
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
                            __odm::ReferenceKind::Parent,
                            __odm::TypeProbe::<__odm::Of<'static, A>>::TARGET,
                            __odm::TypeProbe::<Option<Id<A>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Option<Id<A>>>::KEY),
                ),
            __odm::FieldShape::new("quoted", "quoted")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .written("Option<String>")
                .copy(
                    __odm::CopyShape::new(
                            || <A as __odm::Described>::SHAPE,
                            || <__odm::Handles<A> as __odm::FieldSet>::NEW.r#type.path(),
                        )
                        .via("in"),
                ),
            __odm::FieldShape::new("bare", "bare")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .written("Option<String>")
                .copy(
                    __odm::CopyShape::new(
                            || <A as __odm::Described>::SHAPE,
                            || <__odm::Handles<A> as __odm::FieldSet>::NEW.r#type.path(),
                        )
                        .via("in"),
                ),
        ];
    }
    #[automatically_derived]
    impl A {
        ///Returns typed field handles of `A`, for filters, sorts and updates.
        fn fields() -> AFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for A {
        type Key = <Id<A> as __odm::IdOf<A>>::Key;
        type Id = Id<A>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                "a",
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .indexes(
                &[
                    __odm::IndexShape::new(
                        &[
                            __odm::IndexKey::new(
                                || {
                                    <__odm::Handles<A> as __odm::FieldSet>::NEW.r#type.path()
                                },
                                __odm::IndexKind::Ascending,
                            ),
                            __odm::IndexKey::new(
                                || {
                                    __odm::inside(
                                            <__odm::Handles<A> as __odm::FieldSet>::NEW.r#match,
                                        )
                                        .r#fn
                                        .path()
                                },
                                __odm::IndexKind::Ascending,
                            ),
                        ],
                    ),
                ],
            )
            .has_many(
                &[
                    __odm::HasManyShape::new(
                        "loop",
                        || <A as __odm::Described>::SHAPE,
                        || {
                            <__odm::Handles<A> as __odm::FieldSet>::NEW
                                .r#ref
                                .__reference_path()
                        },
                    ),
                ],
            );
        type __OdmModel = Self;
        fn __odm_read_document(
            __odm_collection: &str,
            __odm_part: &__odm::RawDocument,
            __odm_whole: &__odm::RawDocument,
        ) -> __odm::Result<Self> {
            __odm::read_model::<Self>(__odm_collection, __odm_part, __odm_whole)
        }
    }
    #[automatically_derived]
    impl __odm::DeclaresId<Id<A>> for A {
        fn __odm_declared_id(&self) -> &Id<A> {
            &self.id
        }
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<A, 3> for A {}
    #[automatically_derived]
    impl __odm::DeclaresReference<A, 4> for A {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_ref {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("ref") }> for A {
        type Relation = __OdmBy_ref;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_in {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("in") }> for A {
        type Relation = __OdmBy_in;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_loop {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("loop") }> for A {
        type Relation = __OdmBy_loop;
    }
    #[automatically_derived]
    impl A {
        const __ODM_REF: __odm::Relation<Self, __odm::Of<'static, A>, __OdmBy_ref> = __odm::Relation::<
            Self,
            __odm::Of<'static, A>,
            __OdmBy_ref,
        >::new(
            "A.ref",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Vec<Id<A>>,
            >::EACH_KEY(&__odm_owner.r#ref, __odm_found),
            __odm::TypeProbe::<Vec<Id<A>>>::TARGET_PATH,
        );
        const __ODM_IN: __odm::Relation<Self, __odm::Of<'static, A>, __OdmBy_in> = __odm::Relation::<
            Self,
            __odm::Of<'static, A>,
            __OdmBy_in,
        >::new(
            "A.in",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Option<Id<A>>,
            >::EACH_KEY(&__odm_owner.r#in, __odm_found),
            __odm::TypeProbe::<Option<Id<A>>>::TARGET_PATH,
        );
        const __ODM_LOOP: __odm::Relation<Self, __odm::Of<'static, A>, __OdmBy_loop> = __odm::Relation::<
            Self,
            __odm::Of<'static, A>,
            __OdmBy_loop,
        >::new(
            "A.loop",
            |__odm_owner, __odm_found| __odm::owner_keys(
                __odm_owner,
                <__odm::Handles<A> as __odm::FieldSet>::NEW.r#ref.shape(),
                __odm_found,
            ),
            || <__odm::Handles<A> as __odm::FieldSet>::NEW.r#ref.__reference_path(),
        );
        /**Loads the documents that `ref` refers to, in stored order with repeats.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_ref(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<A>
        where
            for<'__odm> __odm::Of<'__odm, A>: __odm::Leads<Target = A>,
        {
            Self::__ODM_REF.load_many(self, odm)
        }
        /**Loads the documents that `ref` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_ref<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, A, __OdmBy_ref>
        where
            for<'__odm> __odm::Of<'__odm, A>: __odm::Leads<Target = A>,
        {
            Self::__ODM_REF.join(owners, odm)
        }
        /**Counts the documents that `ref` refers to, in stored order with repeats.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_ref(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<A>
        where
            for<'__odm> __odm::Of<'__odm, A>: __odm::Leads<Target = A>,
        {
            Self::__ODM_REF.count(self, odm)
        }
        /**Loads the document that `in` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_in(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<A>
        where
            for<'__odm> __odm::Of<'__odm, A>: __odm::Leads<Target = A>,
        {
            Self::__ODM_IN.load_one(self, odm)
        }
        /**Loads the documents that `in` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_in<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, A, __OdmBy_in>
        where
            for<'__odm> __odm::Of<'__odm, A>: __odm::Leads<Target = A>,
        {
            Self::__ODM_IN.join_one(owners, odm)
        }
        /**Loads the documents with a `A.ref` that refers to this `A`.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on `A.ref`. `sync_indexes` creates it.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_loop(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<A>
        where
            for<'__odm> __odm::Of<'__odm, A>: __odm::Leads<Target = A>,
        {
            Self::__ODM_LOOP.load_many(self, odm)
        }
        /**Loads `loop` of many owners: the documents with a `A.ref` that refers to one of them.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `A.ref`. `sync_indexes` creates it.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_loop<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, A, __OdmBy_loop>
        where
            for<'__odm> __odm::Of<'__odm, A>: __odm::Leads<Target = A>,
        {
            Self::__ODM_LOOP.join(owners, odm)
        }
        /**Counts the documents with a `A.ref` that refers to this `A`.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on `A.ref`. `sync_indexes` creates it.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_loop(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<A>
        where
            for<'__odm> __odm::Of<'__odm, A>: __odm::Leads<Target = A>,
        {
            Self::__ODM_LOOP.count(self, odm)
        }
    }
    #[automatically_derived]
    impl A {
        /**Changes `ref` of documents to this `A`, which moves them into `ref`: all of them, or none.

# Sends

One transaction, which also updates the arrays of all owners and all copies: see [`Take`](mongo_odm::action::Take).

# Index

An index on `ref`. `sync_indexes` creates it.

# Errors

`Error::NotFound` if a document does not exist. See [`Take`](mongo_odm::action::Take).*/
        #[track_caller]
        fn take_ref(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
            ids: impl ::core::iter::IntoIterator<Item: __odm::AsId<A>>,
        ) -> __odm::Take
        where
            for<'__odm> __odm::Of<'__odm, A>: __odm::Leads<Target = A>,
            for<'__odm> &'__odm __odm::KeyThere<
                {
                    __odm::is_key(
                        __odm::TypeProbe::<__odm::Of<'static, A>>::TARGET_FIELDS,
                        "ref",
                    )
                },
            >: __odm::IsFollowed,
        {
            __odm::Take::new::<
                __odm::Of<'static, A>,
                _,
            >(
                self,
                <__odm::Handles<Self> as __odm::FieldSet>::NEW.r#ref,
                "ref",
                ids,
                odm,
            )
        }
        /**Adds other documents to `ref` of this `A`, and this one to `ref` of each of them.

Existing links stay unchanged. A document that does not exist yet gets its `ref` when it is inserted.

# Sends

One transaction: an [`UpdateOne`](mongo_odm::action::UpdateOne) with `$addToSet`, and one `update` of the other documents.

# Errors

`Error::BoundExceeded` if an array is full. Then nothing is written. See [`UpdateOne`](mongo_odm::action::UpdateOne).*/
        #[track_caller]
        fn link_ref(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
            others: impl ::core::iter::IntoIterator<
                Item: __odm::Operand<
                        <__odm::Held<'static, Vec<Id<A>>> as __odm::HoldsItems>::Item,
                    >,
            >,
        ) -> __odm::UpdateOne<Self>
        where
            for<'__odm> __odm::Held<
                '__odm,
                Vec<Id<A>>,
            >: __odm::HoldsItems<Array = Vec<Id<A>>>,
            for<'__odm> &'__odm __odm::ArraysAtBothEnds<
                {
                    __odm::are_arrays(
                        <Self as __odm::HasFields>::__ODM_FIELDS,
                        "ref",
                        __odm::TypeProbe::<__odm::Of<'static, A>>::TARGET_FIELDS,
                        "ref",
                    )
                },
            >: __odm::AreMirrored,
        {
            __odm::link::<
                __odm::Held<'static, Vec<Id<A>>>,
                _,
                _,
                _,
            >(self, <__odm::Handles<Self> as __odm::FieldSet>::NEW.r#ref, others, odm)
        }
        /**Removes other documents from `ref` of this `A`, and this one from `ref` of each of them.

Missing links are not an error.

# Sends

One transaction: an [`UpdateOne`](mongo_odm::action::UpdateOne) with `$pull`, and one `update` of the other documents.

# Errors

See [`UpdateOne`](mongo_odm::action::UpdateOne).*/
        #[track_caller]
        fn unlink_ref(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
            others: impl ::core::iter::IntoIterator<
                Item: __odm::Operand<
                        <__odm::Held<'static, Vec<Id<A>>> as __odm::HoldsItems>::Item,
                    >,
            >,
        ) -> __odm::UpdateOne<Self>
        where
            for<'__odm> __odm::Held<
                '__odm,
                Vec<Id<A>>,
            >: __odm::HoldsItems<Array = Vec<Id<A>>>,
            for<'__odm> &'__odm __odm::ArraysAtBothEnds<
                {
                    __odm::are_arrays(
                        <Self as __odm::HasFields>::__ODM_FIELDS,
                        "ref",
                        __odm::TypeProbe::<__odm::Of<'static, A>>::TARGET_FIELDS,
                        "ref",
                    )
                },
            >: __odm::AreMirrored,
        {
            __odm::unlink::<
                __odm::Held<'static, Vec<Id<A>>>,
                _,
                _,
                _,
            >(self, <__odm::Handles<Self> as __odm::FieldSet>::NEW.r#ref, others, odm)
        }
    }
    type __OdmA = A;
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<A>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<r#struct>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < A > > > ::REFERENCE || __odm::TypeProbe:: <
            __odm::Of < 'static, A > > ::LEADS_TO_MODEL,
            "`A.ref` refers to `A`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `A`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < A > > > ::REFERENCE || (__odm::TypeProbe:: <
            Vec < Id < A > > > ::ONE_KEY || __odm::TypeProbe:: < Vec < Id < A > > >
            ::MANY_KEYS),
            "`A.ref` is not a reference: `Vec<Id<A>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < A > > > ::REFERENCE || false,
            "`A.ref` has another type of key than the `_id` of `A`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < Id < A > > > ::ONE_KEY,
        "`#[refs(many)]` needs an array, but `A.ref` contains one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Vec < Id < A > > > ::KEY_ARRAYS < 2,
        "`A.ref` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < Id < A > > > ::ARRAY || __odm::TypeProbe:: < Vec <
        Id < A > > > ::GROWS,
        "a two-way reference adds elements and removes them, but `A.ref` has a fixed length; make it a `Vec`"
    );
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < __odm::Of < 'static, A > > ::TARGET_FIELDS.is_empty() ||
            __odm::find_field(__odm::TypeProbe:: < __odm::Of < 'static, A > >
            ::TARGET_FIELDS, "ref").is_some(),
            "`A` has no field `ref`; write the field that refers to `A`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < __odm::Of < 'static, A > > ::TARGET_FIELDS.is_empty() ||
            __odm::TypeProbe:: < __odm::Back < __odm::Of < 'static, A >, A, {
            __odm::position(__odm::TypeProbe:: < __odm::Of < 'static, A > >
            ::TARGET_FIELDS, "ref") } >> ::REFERS_BACK,
            "`ref` of `A` is not a reference to `A`; write a field with `#[parent_ref]`, `#[refs(one)]` or `#[refs(many)]` that refers to `A`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < __odm::Of < 'static, A > > ::TARGET_FIELDS.is_empty() ||
            __odm::names_back(__odm::TypeProbe:: < __odm::Of < 'static, A > >
            ::TARGET_FIELDS, "ref", < A as __odm::HasFields > ::__ODM_FIELDS, "ref"),
            "`A.ref` has the inverse `ref`, but `ref` does not have the inverse `ref`; add `inverse = \"ref\"` to `ref`, or remove this `inverse`"
        );
    };
    const _: () = __odm::check_key(__odm::TypeProbe::<Vec<Id<A>>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < A > > > ::REFERENCE || __odm::TypeProbe::
            < __odm::Of < 'static, A > > ::LEADS_TO_MODEL,
            "`A.in` refers to `A`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `A`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < A > > > ::REFERENCE || (__odm::TypeProbe::
            < Option < Id < A > > > ::ONE_KEY || __odm::TypeProbe:: < Option < Id < A > >
            > ::MANY_KEYS),
            "`A.in` is not a reference: `Option<Id<A>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < A > > > ::REFERENCE || false,
            "`A.in` has another type of key than the `_id` of `A`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < Id < A > > > ::MANY_KEYS,
        "`#[parent_ref]` needs one key, but `A.in` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < Id < A > > > ::KEY_ARRAYS < 2,
        "`A.in` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Option<Id<A>>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < (__odm::Of < 'static, A >, __OdmA) > ::LEADS,
        "`in` is not a reference to `A`, the model of the source `A.type`; write a reference to `A`"
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<A> as __odm::FieldSet>::NEW.r#type
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`A.type` is in an array, but `A.quoted` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(), "serde flattens `A.type`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`A.quoted` has no codec, but its source `A.type` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`A.type` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < Option < String
            > > ::MAY_BE_MISSING,
            "`A.quoted` is required, but `A.type` may be missing from a document, and the copy with it; add `#[serde(default)]` to `quoted` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, A >, __OdmA) > ::LEADS &&
            __odm::TypeProbe:: < Option < Id < A > > > ::EMBED.is_none() && __ODM_SOURCE
            .is_id()), "`in` already contains `A.type`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, A >, __OdmA) > ::LEADS || !
        __odm::TypeProbe:: < Option < Id < A > > > ::OPTION || __odm::TypeProbe:: <
        Option < String > > ::OPTION,
        "`in` can be null, and its copy `A.quoted` would then keep its value; make the copy an `Option`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < (__odm::Of < 'static, A >, __OdmA) > ::LEADS,
        "`in` is not a reference to `A`, the model of the source `A.type`; write a reference to `A`"
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<A> as __odm::FieldSet>::NEW.r#type
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`A.type` is in an array, but `A.bare` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(), "serde flattens `A.type`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`A.bare` has no codec, but its source `A.type` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`A.type` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < Option < String
            > > ::MAY_BE_MISSING,
            "`A.bare` is required, but `A.type` may be missing from a document, and the copy with it; add `#[serde(default)]` to `bare` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, A >, __OdmA) > ::LEADS &&
            __odm::TypeProbe:: < Option < Id < A > > > ::EMBED.is_none() && __ODM_SOURCE
            .is_id()), "`in` already contains `A.type`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, A >, __OdmA) > ::LEADS || !
        __odm::TypeProbe:: < Option < Id < A > > > ::OPTION || __odm::TypeProbe:: <
        Option < String > > ::OPTION,
        "`in` can be null, and its copy `A.bare` would then keep its value; make the copy an `Option`"
    );
    const _: () = ::core::assert!(
        0 + (__odm::TypeProbe:: < String > ::ARRAY as usize) + (__odm::TypeProbe:: <
        r#struct > ::ARRAY as usize) < 2,
        "at most one field of an index can be an array, but several of `type`, `match` are; move the others to another index"
    );
    fn __odm_checks() {
        <__odm::Handles<A> as __odm::FieldSet>::NEW
            .r#type
            .__copied_as::<Option<String>>();
        <__odm::Handles<A> as __odm::FieldSet>::NEW
            .r#type
            .__copied_as::<Option<String>>();
        <__odm::Handles<A> as __odm::FieldSet>::NEW.r#ref.__leads_to::<A, _>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < A > ()
    }
};
