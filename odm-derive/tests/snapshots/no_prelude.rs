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
    ///Typed field handles of `Part`, from `Part::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct PartFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Part,
            mongo_odm::Id<Part>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `made`, stored as `made`.
        made: __odm::Field<__OdmDocument, __OdmPath, Part, mongo_odm::bson::DateTime, 1>,
        ///The field `size`, stored as `size`.
        size: __odm::Field<__OdmDocument, __OdmPath, Part, Size, 2>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for PartFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for PartFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for PartFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            made: __odm::Field::NEW,
            size: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Part {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = PartFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Part";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<mongo_odm::Id<Part>>::ARRAY,
                    __odm::TypeProbe::<mongo_odm::Id<Part>>::OPTION,
                    __odm::TypeProbe::<mongo_odm::Id<Part>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<mongo_odm::Id<Part>>::FORM,
                    __odm::TypeProbe::<mongo_odm::Id<Part>>::TRACED_FORM,
                )
                .written("Id<Part>"),
            __odm::FieldShape::new("made", "made")
                .of_type(
                    __odm::TypeProbe::<mongo_odm::bson::DateTime>::ARRAY,
                    __odm::TypeProbe::<mongo_odm::bson::DateTime>::OPTION,
                    __odm::TypeProbe::<mongo_odm::bson::DateTime>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<mongo_odm::bson::DateTime>::FORM,
                    __odm::TypeProbe::<mongo_odm::bson::DateTime>::TRACED_FORM,
                )
                .written("DateTime")
                .index(__odm::IndexShape::new(&[])),
            __odm::FieldShape::new("size", "size")
                .of_type(
                    __odm::TypeProbe::<Size>::ARRAY,
                    __odm::TypeProbe::<Size>::OPTION,
                    __odm::TypeProbe::<Size>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Size>::FORM,
                    __odm::TypeProbe::<Size>::TRACED_FORM,
                )
                .written("Size"),
        ];
    }
    #[automatically_derived]
    impl Part {
        ///Returns typed field handles of `Part`, for filters, sorts and updates.
        fn fields() -> PartFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Part {
        type Key = <mongo_odm::Id<Part> as __odm::IdOf<Part>>::Key;
        type Id = mongo_odm::Id<Part>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                "parts",
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .has_many(
                &[
                    __odm::HasManyShape::new(
                        "products",
                        || <Product as __odm::Described>::SHAPE,
                        || {
                            <__odm::Handles<Product> as __odm::FieldSet>::NEW
                                .parts
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
    impl __odm::DeclaresId<mongo_odm::Id<Part>> for Part {
        fn __odm_declared_id(&self) -> &mongo_odm::Id<Part> {
            &self.id
        }
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_products {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("products") }> for Part {
        type Relation = __OdmBy_products;
    }
    #[automatically_derived]
    impl Part {
        const __ODM_PRODUCTS: __odm::Relation<
            Self,
            __odm::Of<'static, Product>,
            __OdmBy_products,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Product>,
            __OdmBy_products,
        >::new(
            "Part.products",
            |__odm_owner, __odm_found| __odm::owner_keys(
                __odm_owner,
                <__odm::Handles<Product> as __odm::FieldSet>::NEW.parts.shape(),
                __odm_found,
            ),
            || <__odm::Handles<Product> as __odm::FieldSet>::NEW.parts.__reference_path(),
        );
        /**Loads the documents with a `Product.parts` that refers to this `Part`.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on `Product.parts`. `sync_indexes` creates it.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_products(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<Product>
        where
            for<'__odm> __odm::Of<'__odm, Product>: __odm::Leads<Target = Product>,
        {
            Self::__ODM_PRODUCTS.load_many(self, odm)
        }
        /**Loads `products` of many owners: the documents with a `Product.parts` that refers to one of them.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `Product.parts`. `sync_indexes` creates it.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_products<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Product, __OdmBy_products>
        where
            for<'__odm> __odm::Of<'__odm, Product>: __odm::Leads<Target = Product>,
        {
            Self::__ODM_PRODUCTS.join(owners, odm)
        }
        /**Counts the documents with a `Product.parts` that refers to this `Part`.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on `Product.parts`. `sync_indexes` creates it.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_products(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<Product>
        where
            for<'__odm> __odm::Of<'__odm, Product>: __odm::Leads<Target = Product>,
        {
            Self::__ODM_PRODUCTS.count(self, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<mongo_odm::Id<Part>>::FOREIGN);
    const _: () = __odm::check_value(
        __odm::TypeProbe::<mongo_odm::bson::DateTime>::FOREIGN,
    );
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        __odm_embeds::<Size>();
        <__odm::Handles<Product> as __odm::FieldSet>::NEW.parts.__leads_to::<Part, _>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Part > ()
    }
};
