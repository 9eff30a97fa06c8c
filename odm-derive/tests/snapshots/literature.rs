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
        ///The field `name`, stored as `name`.
        name: __odm::Field<__OdmDocument, __OdmPath, Product, String, 1>,
        ///The field `manufacturer`, stored as `manufacturer`.
        manufacturer: __odm::Field<__OdmDocument, __OdmPath, Product, String, 2>,
        ///The field `catalog_number`, stored as `catalog_number`.
        catalog_number: __odm::Field<__OdmDocument, __OdmPath, Product, i64, 3>,
        ///The field `parts`, stored as `parts`.
        parts: __odm::Field<__OdmDocument, __OdmPath, Product, Vec<PartLine>, 4>,
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
            name: __odm::Field::NEW,
            manufacturer: __odm::Field::NEW,
            catalog_number: __odm::Field::NEW,
            parts: __odm::Field::NEW,
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
            __odm::FieldShape::new("name", "name")
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
            __odm::FieldShape::new("manufacturer", "manufacturer")
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
            __odm::FieldShape::new("catalog_number", "catalog_number")
                .of_type(
                    __odm::TypeProbe::<i64>::ARRAY,
                    __odm::TypeProbe::<i64>::OPTION,
                    __odm::TypeProbe::<i64>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<i64>::FORM,
                    __odm::TypeProbe::<i64>::TRACED_FORM,
                )
                .written("i64")
                .index(__odm::IndexShape::new(&[]).unique()),
            __odm::FieldShape::new("parts", "parts")
                .of_type(
                    __odm::TypeProbe::<Vec<PartLine>>::ARRAY,
                    __odm::TypeProbe::<Vec<PartLine>>::OPTION,
                    __odm::TypeProbe::<Vec<PartLine>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<PartLine>>::FORM,
                    __odm::TypeProbe::<Vec<PartLine>>::TRACED_FORM,
                )
                .written("Vec<PartLine>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            __odm::TypeProbe::<
                                __odm::Held<'static, Vec<PartLine>>,
                            >::TARGET,
                            __odm::TypeProbe::<Vec<PartLine>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Vec<PartLine>>::KEY),
                ),
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
            )
            .indexes(
                &[
                    __odm::IndexShape::new(
                        &[
                            __odm::IndexKey::new(
                                || {
                                    <__odm::Handles<Product> as __odm::FieldSet>::NEW
                                        .name
                                        .path()
                                },
                                __odm::IndexKind::Ascending,
                            ),
                            __odm::IndexKey::new(
                                || {
                                    <__odm::Handles<Product> as __odm::FieldSet>::NEW
                                        .manufacturer
                                        .path()
                                },
                                __odm::IndexKind::Ascending,
                            ),
                        ],
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
    impl __odm::DeclaresId<Id<Product>> for Product {
        fn __odm_declared_id(&self) -> &Id<Product> {
            &self.id
        }
    }
    #[automatically_derived]
    impl<__OdmTarget> __odm::DeclaresReference<__OdmTarget, 4> for Product
    where
        __odm::Held<'static, Vec<PartLine>>: __odm::LeadsOnlyTo<__OdmTarget>,
    {}
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
    #[automatically_derived]
    impl Product {
        const __ODM_PARTS: __odm::Relation<
            Self,
            __odm::Held<'static, Vec<PartLine>>,
            __OdmBy_parts,
        > = __odm::Relation::<
            Self,
            __odm::Held<'static, Vec<PartLine>>,
            __OdmBy_parts,
        >::new(
            "Product.parts",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Vec<PartLine>,
            >::EACH_KEY(&__odm_owner.parts, __odm_found),
            __odm::TypeProbe::<Vec<PartLine>>::TARGET_PATH,
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
        ) -> __odm::LoadMany<
            <__odm::Held<'static, Vec<PartLine>> as __odm::Leads>::Target,
        >
        where
            for<'__odm> __odm::Held<'__odm, Vec<PartLine>>: __odm::Leads,
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
            <__odm::Held<'static, Vec<PartLine>> as __odm::Leads>::Target,
            __OdmBy_parts,
        >
        where
            for<'__odm> __odm::Held<'__odm, Vec<PartLine>>: __odm::Leads,
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
        ) -> __odm::CountRelated<
            <__odm::Held<'static, Vec<PartLine>> as __odm::Leads>::Target,
        >
        where
            for<'__odm> __odm::Held<'__odm, Vec<PartLine>>: __odm::Leads,
        {
            Self::__ODM_PARTS.count(self, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Product>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Vec < PartLine > > ::REFERENCE || ! __odm::TypeProbe:: <
            PartLine > ::MODEL,
            "`Product.parts` contains whole `PartLine` documents; write `Vec<Id<PartLine>>`, or `#[embed]` and a struct with `#[derive(Embedded)]`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < PartLine > > ::REFERENCE || ! __odm::TypeProbe:: <
            Vec < PartLine > > ::POLYMORPHIC,
            "`Product.parts` contains an enum of references; add `polymorphic` to the attribute"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < PartLine > > ::REFERENCE || ! (__odm::TypeProbe::
            < Vec < PartLine > > ::ONE_KEY || __odm::TypeProbe:: < Vec < PartLine > >
            ::MANY_KEYS),
            "`Product.parts` is a plain key without a model; write `to = \"Model\"` in the attribute, or the type `Vec<Id<Model, PartLine>>`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < PartLine > > ::REFERENCE || (__odm::TypeProbe:: <
            Vec < PartLine > > ::EMBED.is_none() ||
            __odm::has_one_reference(__odm::TypeProbe:: < Vec < PartLine > > ::FLAT)),
            "`Product.parts` is not a reference: `PartLine` contains none or several; write `#[refs(one)]` on exactly one field of `PartLine`, or `#[embed]` instead of this attribute"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < PartLine > > ::REFERENCE || __odm::TypeProbe:: <
            Vec < PartLine > > ::EMBED.is_some(),
            "`Product.parts` is not a reference: `Vec<PartLine>` contains no ids; write `Id<Model>`, an `Option` or `Vec` of it, or an `Embedded` with exactly one reference"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < PartLine > > ::ONE_KEY,
        "`#[refs(many)]` needs an array, but `Product.parts` contains one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Vec < PartLine > > ::KEY_ARRAYS < 2,
        "`Product.parts` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = ::core::assert!(
        0 + (__odm::TypeProbe:: < String > ::ARRAY as usize) + (__odm::TypeProbe:: <
        String > ::ARRAY as usize) < 2,
        "at most one field of an index can be an array, but several of `name`, `manufacturer` are; move the others to another index"
    );
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        __odm_embeds::<Vec<PartLine>>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Product > ()
    }
};
