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
            Id<Part>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `partno`, stored as `no`.
        partno: __odm::Field<__OdmDocument, __OdmPath, Part, i64, 1>,
        ///The field `product`, stored as `product`.
        product: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Part,
            Option<String>,
            2,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
        ///The field `same`, stored as `same`.
        same: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Part,
            Option<String>,
            3,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
        ///The field `boxed_in`, stored as `boxed_in`.
        boxed_in: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Part,
            Option<String>,
            4,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
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
            partno: __odm::Field::NEW,
            product: __odm::Field::NEW,
            same: __odm::Field::NEW,
            boxed_in: __odm::Field::NEW,
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
                    __odm::TypeProbe::<Id<Part>>::ARRAY,
                    __odm::TypeProbe::<Id<Part>>::OPTION,
                    __odm::TypeProbe::<Id<Part>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Part>>::FORM,
                    __odm::TypeProbe::<Id<Part>>::TRACED_FORM,
                )
                .written("Id<Part>"),
            __odm::FieldShape::new("partno", "no")
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
            __odm::FieldShape::new("product", "product")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .written("Option<String>")
                .copy(
                    __odm::CopyShape::new(
                            || <Product as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<Product> as __odm::FieldSet>::NEW
                                    .name
                                    .path()
                            },
                        )
                        .via("Product.lines")
                        .keys_in_source(
                            || {
                                <__odm::Handles<Product> as __odm::FieldSet>::NEW
                                    .lines
                                    .__reference_path()
                            },
                            || {
                                <__odm::Handles<Product> as __odm::FieldSet>::NEW
                                    .lines
                                    .__target_path()
                            },
                        ),
                ),
            __odm::FieldShape::new("same", "same")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .written("Option<String>")
                .copy(
                    __odm::CopyShape::new(
                            || <Product as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<Product> as __odm::FieldSet>::NEW
                                    .name
                                    .path()
                            },
                        )
                        .via("Product.lines.number")
                        .keys_in_source(
                            || {
                                __odm::inside(
                                        <__odm::Handles<Product> as __odm::FieldSet>::NEW.lines,
                                    )
                                    .number
                                    .__reference_path()
                            },
                            || {
                                __odm::inside(
                                        <__odm::Handles<Product> as __odm::FieldSet>::NEW.lines,
                                    )
                                    .number
                                    .__target_path()
                            },
                        ),
                ),
            __odm::FieldShape::new("boxed_in", "boxed_in")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .written("Option<String>")
                .copy(
                    __odm::CopyShape::new(
                            || <Product as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<Product> as __odm::FieldSet>::NEW
                                    .name
                                    .path()
                            },
                        )
                        .via("Product.box_")
                        .keys_in_source(
                            || {
                                <__odm::Handles<Product> as __odm::FieldSet>::NEW
                                    .box_
                                    .__reference_path()
                            },
                            || {
                                <__odm::Handles<Product> as __odm::FieldSet>::NEW
                                    .box_
                                    .__target_path()
                            },
                        ),
                ),
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
        type Key = <Id<Part> as __odm::IdOf<Part>>::Key;
        type Id = Id<Part>;
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
                                .lines
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
    impl __odm::DeclaresId<Id<Part>> for Part {
        fn __odm_declared_id(&self) -> &Id<Part> {
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
                <__odm::Handles<Product> as __odm::FieldSet>::NEW.lines.shape(),
                __odm_found,
            ),
            || <__odm::Handles<Product> as __odm::FieldSet>::NEW.lines.__reference_path(),
        );
        /**Loads the documents with a `Product.lines` that refers to this `Part`.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on `Product.lines`. `sync_indexes` creates it.

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
        /**Loads `products` of many owners: the documents with a `Product.lines` that refers to one of them.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `Product.lines`. `sync_indexes` creates it.

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
        /**Counts the documents with a `Product.lines` that refers to this `Part`.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on `Product.lines`. `sync_indexes` creates it.

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
    type __OdmProduct = Product;
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Part>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::source(|| < __odm::Handles < Product > as __odm::FieldSet > ::NEW.lines)
        .is_copy(),
        "`Product.lines` in `via` is a copy and changes with its source; write a reference that is not a copy, or make it a `snapshot`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Product > as __odm::FieldSet > ::NEW.lines)
        .has_one_name(),
        "`Product.lines` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < String > > ::OPTION,
        "`Part.product` would keep its value when no `Product.lines` refers to the document; make it an `Option`"
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<Product> as __odm::FieldSet>::NEW.name
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Product.name` is in an array, but `Part.product` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde flattens `Product.name`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Part.product` has no codec, but its source `Product.name` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Product.name` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < Option < String
            > > ::MAY_BE_MISSING,
            "`Part.product` is required, but `Product.name` may be missing from a document, and the copy with it; add `#[serde(default)]` to `product` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
    };
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::source(|| __odm::inside(< __odm::Handles < Product > as __odm::FieldSet
        > ::NEW.lines).number).is_copy(),
        "`Product.lines.number` in `via` is a copy and changes with its source; write a reference that is not a copy, or make it a `snapshot`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| __odm::inside(< __odm::Handles < Product > as __odm::FieldSet >
        ::NEW.lines).number).has_one_name(),
        "`Product.lines.number` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < String > > ::OPTION,
        "`Part.same` would keep its value when no `Product.lines.number` refers to the document; make it an `Option`"
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<Product> as __odm::FieldSet>::NEW.name
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Product.name` is in an array, but `Part.same` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde flattens `Product.name`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Part.same` has no codec, but its source `Product.name` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Product.name` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < Option < String
            > > ::MAY_BE_MISSING,
            "`Part.same` is required, but `Product.name` may be missing from a document, and the copy with it; add `#[serde(default)]` to `same` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
    };
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::source(|| < __odm::Handles < Product > as __odm::FieldSet > ::NEW.box_)
        .is_copy(),
        "`Product.box_` in `via` is a copy and changes with its source; write a reference that is not a copy, or make it a `snapshot`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Product > as __odm::FieldSet > ::NEW.box_)
        .has_one_name(),
        "`Product.box_` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < String > > ::OPTION,
        "`Part.boxed_in` would keep its value when no `Product.box_` refers to the document; make it an `Option`"
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<Product> as __odm::FieldSet>::NEW.name
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Product.name` is in an array, but `Part.boxed_in` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde flattens `Product.name`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Part.boxed_in` has no codec, but its source `Product.name` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Product.name` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < Option < String
            > > ::MAY_BE_MISSING,
            "`Part.boxed_in` is required, but `Product.name` may be missing from a document, and the copy with it; add `#[serde(default)]` to `boxed_in` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
    };
    fn __odm_checks() {
        <__odm::Handles<Product> as __odm::FieldSet>::NEW
            .name
            .__copied_as::<Option<String>>();
        <__odm::Handles<Product> as __odm::FieldSet>::NEW
            .lines
            .__belongs_to::<__OdmProduct>();
        <__odm::Handles<Product> as __odm::FieldSet>::NEW.lines.__refers_to::<Part>();
        <__odm::Handles<Product> as __odm::FieldSet>::NEW
            .name
            .__copied_as::<Option<String>>();
        __odm::inside(<__odm::Handles<Product> as __odm::FieldSet>::NEW.lines)
            .number
            .__belongs_to::<__OdmProduct>();
        __odm::inside(<__odm::Handles<Product> as __odm::FieldSet>::NEW.lines)
            .number
            .__refers_to::<Part>();
        <__odm::Handles<Product> as __odm::FieldSet>::NEW
            .name
            .__copied_as::<Option<String>>();
        <__odm::Handles<Product> as __odm::FieldSet>::NEW
            .box_
            .__belongs_to::<__OdmProduct>();
        <__odm::Handles<Product> as __odm::FieldSet>::NEW.box_.__refers_to::<Part>();
        <__odm::Handles<Product> as __odm::FieldSet>::NEW.lines.__leads_to::<Part, _>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Part > ()
    }
};
