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
    ///Typed field handles of `Product`, from `Product::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct ProductFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Product,
            Id<Product>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `parts`, stored as `parts`.
        parts: __odm::Field<__OdmDocument, __OdmPath, Product, Parts, 1>,
        ///The field `main`, stored as `main`.
        main: __odm::Field<__OdmDocument, __OdmPath, Product, Maybe<PartId>, 2>,
        ///The field `other`, stored as `other`.
        other: __odm::Field<__OdmDocument, __OdmPath, Product, Maybe<i64>, 3>,
        ///The field `lines`, stored as `lines`.
        lines: __odm::Field<__OdmDocument, __OdmPath, Product, Lines, 4>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for ProductFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for ProductFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for ProductFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            parts: __odm::Field::NEW,
            main: __odm::Field::NEW,
            other: __odm::Field::NEW,
            lines: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Product {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = ProductFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Product";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Product>>::ARRAY,
                    __odm::TypeProbe::<Id<Product>>::OPTION,
                    __odm::TypeProbe::<Id<Product>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Product>>::FORM,
                    __odm::TypeProbe::<Id<Product>>::TRACED_FORM,
                )
                .written("Id<Product>"),
            __odm::FieldShape::new("parts", "parts")
                .of_type(
                    __odm::TypeProbe::<Parts>::ARRAY,
                    __odm::TypeProbe::<Parts>::OPTION,
                    __odm::TypeProbe::<Parts>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Parts>::FORM,
                    __odm::TypeProbe::<Parts>::TRACED_FORM,
                )
                .written("Parts")
                .max(100u32)
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            __odm::TypeProbe::<__odm::Held<'static, Parts>>::TARGET,
                            __odm::TypeProbe::<Parts>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Parts>::KEY),
                ),
            __odm::FieldShape::new("main", "main")
                .of_type(
                    __odm::TypeProbe::<Maybe<PartId>>::ARRAY,
                    __odm::TypeProbe::<Maybe<PartId>>::OPTION,
                    __odm::TypeProbe::<Maybe<PartId>>::EMBED,
                )
                .hides(&[__odm::TypeProbe::<PartId>::EMBED])
                .form(
                    __odm::TypeProbe::<Maybe<PartId>>::FORM,
                    __odm::TypeProbe::<Maybe<PartId>>::TRACED_FORM,
                )
                .written("Maybe<PartId>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            __odm::TypeProbe::<
                                __odm::Held<'static, Maybe<PartId>>,
                            >::TARGET,
                            __odm::TypeProbe::<Maybe<PartId>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Maybe<PartId>>::KEY)
                        .on_delete(__odm::OnDelete::Nullify),
                ),
            __odm::FieldShape::new("other", "other")
                .of_type(
                    __odm::TypeProbe::<Maybe<i64>>::ARRAY,
                    __odm::TypeProbe::<Maybe<i64>>::OPTION,
                    __odm::TypeProbe::<Maybe<i64>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Maybe<i64>>::FORM,
                    __odm::TypeProbe::<Maybe<i64>>::TRACED_FORM,
                )
                .written("Maybe<i64>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            __odm::TypeProbe::<__odm::Of<'static, Numbered>>::TARGET,
                            __odm::TypeProbe::<Maybe<i64>>::INNER_PATH,
                        )
                        .key(
                            __odm::key_of(|| {
                                <__odm::Handles<Numbered> as __odm::FieldSet>::NEW.number
                            }),
                        ),
                ),
            __odm::FieldShape::new("lines", "lines")
                .of_type(
                    __odm::TypeProbe::<Lines>::ARRAY,
                    __odm::TypeProbe::<Lines>::OPTION,
                    __odm::TypeProbe::<Lines>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Lines>::FORM,
                    __odm::TypeProbe::<Lines>::TRACED_FORM,
                )
                .written("Lines")
                .max(5u32),
        ];
    }
    #[automatically_derived]
    impl Product {
        ///Returns typed field handles of `Product`, for filters, sorts and updates.
        fn fields() -> ProductFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Product {
        type Key = <Id<Product> as __odm::IdOf<Product>>::Key;
        type Id = Id<Product>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "products",
            <Self as __odm::HasFields>::__ODM_FIELDS,
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
    impl __odm::DeclaresId<Id<Product>> for Product {
        fn __odm_declared_id(&self) -> &Id<Product> {
            &self.id
        }
    }
    #[automatically_derived]
    impl<__OdmTarget> __odm::DeclaresReference<__OdmTarget, 1> for Product
    where
        __odm::Held<'static, Parts>: __odm::LeadsOnlyTo<__OdmTarget>,
    {}
    #[automatically_derived]
    impl<__OdmTarget> __odm::DeclaresReference<__OdmTarget, 2> for Product
    where
        __odm::Held<'static, Maybe<PartId>>: __odm::LeadsOnlyTo<__OdmTarget>,
    {}
    #[automatically_derived]
    impl __odm::DeclaresReference<Numbered, 3> for Product {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_parts {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("parts") }> for Product {
        type Relation = __OdmBy_parts;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_main {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("main") }> for Product {
        type Relation = __OdmBy_main;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_other {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("other") }> for Product {
        type Relation = __OdmBy_other;
    }
    #[automatically_derived]
    impl Product {
        const __ODM_PARTS: __odm::Relation<
            Self,
            __odm::Held<'static, Parts>,
            __OdmBy_parts,
        > = __odm::Relation::<
            Self,
            __odm::Held<'static, Parts>,
            __OdmBy_parts,
        >::new(
            "Product.parts",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Parts,
            >::EACH_KEY(&__odm_owner.parts, __odm_found),
            __odm::TypeProbe::<Parts>::TARGET_PATH,
        );
        const __ODM_MAIN: __odm::Relation<
            Self,
            __odm::Held<'static, Maybe<PartId>>,
            __OdmBy_main,
        > = __odm::Relation::<
            Self,
            __odm::Held<'static, Maybe<PartId>>,
            __OdmBy_main,
        >::new(
            "Product.main",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Maybe<PartId>,
            >::EACH_KEY(&__odm_owner.main, __odm_found),
            __odm::TypeProbe::<Maybe<PartId>>::TARGET_PATH,
        );
        const __ODM_OTHER: __odm::Relation<
            Self,
            __odm::Of<'static, Numbered>,
            __OdmBy_other,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Numbered>,
            __OdmBy_other,
        >::new(
            "Product.other",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Maybe<i64>,
            >::EACH_KEY(&__odm_owner.other, __odm_found),
            || <__odm::Handles<Numbered> as __odm::FieldSet>::NEW.number.path(),
        );
        /**Loads the documents that `parts` refers to, in stored order with repeats.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_parts(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<<__odm::Held<'static, Parts> as __odm::Leads>::Target>
        where
            for<'__odm> __odm::Held<'__odm, Parts>: __odm::Leads,
        {
            Self::__ODM_PARTS.load_many(self, odm)
        }
        /**Loads the documents that `parts` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_parts<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<
            Self,
            <__odm::Held<'static, Parts> as __odm::Leads>::Target,
            __OdmBy_parts,
        >
        where
            for<'__odm> __odm::Held<'__odm, Parts>: __odm::Leads,
        {
            Self::__ODM_PARTS.join(owners, odm)
        }
        /**Counts the documents that `parts` refers to, in stored order with repeats.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_parts(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<<__odm::Held<'static, Parts> as __odm::Leads>::Target>
        where
            for<'__odm> __odm::Held<'__odm, Parts>: __odm::Leads,
        {
            Self::__ODM_PARTS.count(self, odm)
        }
        /**Loads the document that `main` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_main(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<
            <__odm::Held<'static, Maybe<PartId>> as __odm::Leads>::Target,
        >
        where
            for<'__odm> __odm::Held<'__odm, Maybe<PartId>>: __odm::Leads,
        {
            Self::__ODM_MAIN.load_one(self, odm)
        }
        /**Loads the documents that `main` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_main<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<
            Self,
            <__odm::Held<'static, Maybe<PartId>> as __odm::Leads>::Target,
            __OdmBy_main,
        >
        where
            for<'__odm> __odm::Held<'__odm, Maybe<PartId>>: __odm::Leads,
        {
            Self::__ODM_MAIN.join_one(owners, odm)
        }
        /**Loads the document that `other` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_other(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Numbered>
        where
            for<'__odm> __odm::Of<'__odm, Numbered>: __odm::Leads<Target = Numbered>,
        {
            Self::__ODM_OTHER.load_one(self, odm)
        }
        /**Loads the documents that `other` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_other<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Numbered, __OdmBy_other>
        where
            for<'__odm> __odm::Of<'__odm, Numbered>: __odm::Leads<Target = Numbered>,
        {
            Self::__ODM_OTHER.join_one(owners, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Product>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Parts > ::REFERENCE || ! __odm::TypeProbe:: < Parts >
            ::MODEL,
            "`Product.parts` contains whole `Parts` documents; write `Id<Parts>`, or `#[embed]` and a struct with `#[derive(Embedded)]`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Parts > ::REFERENCE || ! __odm::TypeProbe:: < Parts >
            ::POLYMORPHIC,
            "`Product.parts` contains an enum of references; add `polymorphic` to the attribute"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Parts > ::REFERENCE || ! (__odm::TypeProbe:: < Parts >
            ::ONE_KEY || __odm::TypeProbe:: < Parts > ::MANY_KEYS),
            "`Product.parts` is a plain key without a model; write `to = \"Model\"` in the attribute, or the type `Id<Model, Parts>`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Parts > ::REFERENCE || (__odm::TypeProbe:: < Parts >
            ::EMBED.is_none() || __odm::has_one_reference(__odm::TypeProbe:: < Parts >
            ::FLAT)),
            "`Product.parts` is not a reference: `Parts` contains none or several; write `#[refs(one)]` on exactly one field of `Parts`, or `#[embed]` instead of this attribute"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Parts > ::REFERENCE || __odm::TypeProbe:: < Parts >
            ::EMBED.is_some(),
            "`Product.parts` is not a reference: `Parts` contains no ids; write `Id<Model>`, an `Option` or `Vec` of it, or an `Embedded` with exactly one reference"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Parts > ::ONE_KEY,
        "`#[refs(many)]` needs an array, but `Product.parts` contains one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Parts > ::KEY_ARRAYS < 2,
        "`Product.parts` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Parts>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Maybe < PartId > > ::REFERENCE || ! __odm::TypeProbe:: <
            PartId > ::MODEL,
            "`Product.main` contains whole `PartId` documents; write `Maybe<Id<PartId>>`, or `#[embed]` and a struct with `#[derive(Embedded)]`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Maybe < PartId > > ::REFERENCE || ! __odm::TypeProbe:: <
            Maybe < PartId > > ::POLYMORPHIC,
            "`Product.main` contains an enum of references; add `polymorphic` to the attribute"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Maybe < PartId > > ::REFERENCE || ! (__odm::TypeProbe::
            < Maybe < PartId > > ::ONE_KEY || __odm::TypeProbe:: < Maybe < PartId > >
            ::MANY_KEYS),
            "`Product.main` is a plain key without a model; write `to = \"Model\"` in the attribute, or the type `Maybe<Id<Model, PartId>>`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Maybe < PartId > > ::REFERENCE || (__odm::TypeProbe:: <
            Maybe < PartId > > ::EMBED.is_none() ||
            __odm::has_one_reference(__odm::TypeProbe:: < Maybe < PartId > > ::FLAT)),
            "`Product.main` is not a reference: `PartId` contains none or several; write `#[refs(one)]` on exactly one field of `PartId`, or `#[embed]` instead of this attribute"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Maybe < PartId > > ::REFERENCE || __odm::TypeProbe:: <
            Maybe < PartId > > ::EMBED.is_some(),
            "`Product.main` is not a reference: `Maybe<PartId>` contains no ids; write `Id<Model>`, an `Option` or `Vec` of it, or an `Embedded` with exactly one reference"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Maybe < PartId > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Product.main` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Maybe < PartId > > ::KEY_ARRAYS < 2,
        "`Product.main` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Maybe < PartId > > ::OPTION,
        "`nullify` sets `Product.main` to null; make it an `Option`, or choose another rule"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Maybe<PartId>>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Maybe < i64 > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Product.other` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Maybe < i64 > > ::KEY_ARRAYS < 2,
        "`Product.other` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Maybe<i64>>::FOREIGN);
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        <__odm::Handles<Product> as __odm::FieldSet>::NEW.parts.__is_array();
        <__odm::Handles<Numbered> as __odm::FieldSet>::NEW
            .number
            .__is_key_of::<Maybe<i64>, Numbered>();
        <__odm::Handles<Product> as __odm::FieldSet>::NEW.lines.__is_array();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Product > ()
    }
};
