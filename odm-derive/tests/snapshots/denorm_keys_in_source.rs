/**Typed handles of the stored fields of `PartLine`.

Got from `PartLine::fields()`, or from the handle of a field that embeds a `PartLine`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct PartLineFields<__OdmDocument, __OdmPath> {
    ///The field `number`, stored as `number`.
    number: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, PartLine, i64, 0>,
    ///The field `quantity`, stored as `quantity`.
    quantity: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, PartLine, i32, 1>,
}
#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
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
            number: __odm::Field::NEW,
            quantity: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for PartLine {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = PartLineFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "PartLine";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("number", "number")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED)
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            || <Part as __odm::Model>::SHAPE,
                            __odm::inner_path::<i64>,
                        )
                        .key(|| <Part>::fields().partno.path())
                        .optional(__odm::TypeProbe::<i64>::OPTION),
                ),
            __odm::FieldShape::new("quantity", "quantity")
                .of_type(__odm::TypeProbe::<i32>::ARRAY, __odm::TypeProbe::<i32>::EMBED),
        ];
    }
    #[automatically_derived]
    impl PartLine {
        ///Returns typed handles of the stored fields of `PartLine`, for filters, sorts and updates.
        fn fields() -> PartLineFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for PartLine {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            <Self as __odm::HasFields>::NAME,
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    #[automatically_derived]
    impl __odm::Refers<Part, 0> for PartLine {}
    #[automatically_derived]
    impl PartLine {
        const __ODM_NUMBER: __odm::Relation<Self, Part> = __odm::Relation::new(
            "PartLine.number",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.number,
                __odm_found,
            ),
            || <Part>::fields().partno.path(),
        );
        /**Loads the document that `number` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_number(&self, odm: &impl __odm::Executor) -> __odm::LoadOne<Part> {
            Self::__ODM_NUMBER.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `number` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_number<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, Part> {
            Self::__ODM_NUMBER.join_one(owners, odm)
        }
    }
    #[automatically_derived]
    impl __odm::Keys for PartLine {
        type Key = <i64 as __odm::Keys>::Key;
        type Knows = <i64 as __odm::Keys>::Knows;
        const MANY: bool = <i64 as __odm::Keys>::MANY;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::Keys::each_key(&self.number, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("number");
            <i64 as __odm::Keys>::push_inner_path(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Reference for PartLine {
        type Target = Part;
        const KEY: ::core::option::Option<fn() -> ::std::string::String> = ::core::option::Option::Some(||
        <Part>::fields().partno.path());
    }
    __odm::gives!(
        PartLine { number 9237349086447201248 i64, quantity 11778755761620948760 i32, }
    );
    const _: () = ::core::assert!(
        ! < i64 as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `PartLine.number` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    fn __odm_checks() {
        __odm::check_keyed_reference::<i64, Part>();
        <Part>::fields().partno.__is_key_of::<i64>();
    }
};

/**Typed handles of the stored fields of `Product`.

Got from `Product::fields()`, or from the handle of a field that embeds a `Product`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct ProductFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Product, Id<Product>, 0>,
    ///The field `name`, stored as `title`.
    name: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Product, String, 1>,
    ///The field `lines`, stored as `lines`.
    lines: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Product,
        Vec<PartLine>,
        2,
    >,
    ///The field `box_`, stored as `box_`.
    box_: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Product,
        Option<Id<Part>>,
        3,
    >,
}
#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
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
            lines: __odm::Field::NEW,
            box_: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Product {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = ProductFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Product";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Product>>::ARRAY,
                    __odm::TypeProbe::<Id<Product>>::EMBED,
                ),
            __odm::FieldShape::new("name", "title")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                ),
            __odm::FieldShape::new("lines", "lines")
                .of_type(
                    __odm::TypeProbe::<Vec<PartLine>>::ARRAY,
                    __odm::TypeProbe::<Vec<PartLine>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            || {
                                <<Vec<
                                    PartLine,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Vec<PartLine>>,
                        )
                        .keyed(<Vec<PartLine> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Vec<PartLine>>::OPTION),
                ),
            __odm::FieldShape::new("box_", "box_")
                .of_type(
                    __odm::TypeProbe::<Option<Id<Part>>>::ARRAY,
                    __odm::TypeProbe::<Option<Id<Part>>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            || {
                                <<Option<
                                    Id<Part>,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Option<Id<Part>>>,
                        )
                        .keyed(<Option<Id<Part>> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Option<Id<Part>>>::OPTION),
                ),
        ];
    }
    #[automatically_derived]
    impl Product {
        ///Returns typed handles of the stored fields of `Product`, for filters, sorts and updates.
        fn fields() -> ProductFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Product {
        type Key = <Id<Product> as __odm::IdOf<Product>>::Key;
        type Id = Id<Product>;
        fn id(&self) -> &Id<Product> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "products",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    #[automatically_derived]
    impl __odm::Refers<<Vec<PartLine> as __odm::Reference>::Target, 2> for Product {}
    #[automatically_derived]
    impl __odm::Refers<<Option<Id<Part>> as __odm::Reference>::Target, 3> for Product {}
    #[automatically_derived]
    impl Product {
        const __ODM_LINES: __odm::Relation<
            Self,
            <Vec<PartLine> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "Product.lines",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.lines,
                __odm_found,
            ),
            <Vec<PartLine> as __odm::Reference>::target_path,
        );
        const __ODM_BOX_: __odm::Relation<
            Self,
            <Option<Id<Part>> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "Product.box_",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.box_,
                __odm_found,
            ),
            <Option<Id<Part>> as __odm::Reference>::target_path,
        );
        /**Loads the documents that `lines` refers to, in stored order with repeats.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadMany` for options and errors.*/
        fn load_lines(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadMany<<Vec<PartLine> as __odm::Reference>::Target> {
            Self::__ODM_LINES.load_many(self, odm)
        }
        /**Loads, for many owners at once, what `lines` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_lines<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Vec<PartLine> as __odm::Reference>::Target> {
            Self::__ODM_LINES.join(owners, odm)
        }
        /**Counts the documents that `lines` refers to, in stored order with repeats.

The server counts, and nothing is sent when there are no keys. The key in the target needs an index; `_id` has one. See `CountRelated` for options and errors.*/
        fn count_lines(&self, odm: &impl __odm::Executor) -> __odm::CountRelated {
            Self::__ODM_LINES.count(self, odm)
        }
        /**Loads the document that `box_` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_box_(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<<Option<Id<Part>> as __odm::Reference>::Target> {
            Self::__ODM_BOX_.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `box_` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_box_<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Option<Id<Part>> as __odm::Reference>::Target> {
            Self::__ODM_BOX_.join_one(owners, odm)
        }
    }
    __odm::gives!(
        Product { id 628021283683842752 Id < Product >, name 14176396743819860870 String,
        lines 6693467979504746524 Vec < PartLine >, box_ 14774623296105189879 Option < Id
        < Part > >, }
    );
    const _: () = ::core::assert!(
        < Vec < PartLine > as __odm::Keys > ::MANY,
        "`#[refs(many)]` needs an array, and `Product.lines` holds one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        ! < Option < Id < Part > > as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Product.box_` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    fn __odm_checks() {
        __odm::check_id::<Id<Product>, Product>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Product as __odm::Model > ::SHAPE)
    }
};

/**Typed handles of the stored fields of `Part`.

Got from `Part::fields()`, or from the handle of a field that embeds a `Part`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct PartFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Part, Id<Part>, 0>,
    ///The field `partno`, stored as `no`.
    partno: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Part, i64, 1>,
    ///The field `product`, stored as `product`.
    product: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Part,
        Option<String>,
        2,
    >,
    ///The field `same`, stored as `same`.
    same: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Part,
        Option<String>,
        3,
    >,
    ///The field `boxed_in`, stored as `boxed_in`.
    boxed_in: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Part, String, 4>,
}
#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
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
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = PartFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Part";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Part>>::ARRAY,
                    __odm::TypeProbe::<Id<Part>>::EMBED,
                ),
            __odm::FieldShape::new("partno", "no")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED),
            __odm::FieldShape::new("product", "product")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Product as __odm::Model>::SHAPE,
                            || <Product>::fields().name.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<String>>::OPTION)
                        .via("Product.lines")
                        .keys_in_source(
                            || <Product>::fields().lines.__reference_path(),
                            || <Product>::fields().lines.__target_path(),
                        ),
                ),
            __odm::FieldShape::new("same", "same")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Product as __odm::Model>::SHAPE,
                            || <Product>::fields().name.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<String>>::OPTION)
                        .via("Product.lines.number")
                        .keys_in_source(
                            || <Product>::fields().lines.number.__reference_path(),
                            || <Product>::fields().lines.number.__target_path(),
                        ),
                ),
            __odm::FieldShape::new("boxed_in", "boxed_in")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Product as __odm::Model>::SHAPE,
                            || <Product>::fields().name.path(),
                        )
                        .optional(__odm::TypeProbe::<String>::OPTION)
                        .via("Product.box_")
                        .keys_in_source(
                            || <Product>::fields().box_.__reference_path(),
                            || <Product>::fields().box_.__target_path(),
                        ),
                ),
        ];
    }
    #[automatically_derived]
    impl Part {
        ///Returns typed handles of the stored fields of `Part`, for filters, sorts and updates.
        fn fields() -> PartFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Part {
        type Key = <Id<Part> as __odm::IdOf<Part>>::Key;
        type Id = Id<Part>;
        fn id(&self) -> &Id<Part> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::NAME,
                "parts",
                <Self as __odm::HasFields>::FIELDS,
            )
            .has_many(
                &[
                    __odm::HasManyShape::new(
                        "products",
                        || <Product as __odm::Model>::SHAPE,
                        || <Product>::fields().lines.__reference_path(),
                    ),
                ],
            );
    }
    #[automatically_derived]
    impl Part {
        const __ODM_PRODUCTS: __odm::Relation<Self, Product> = __odm::Relation::new(
            "Part.products",
            |__odm_owner, __odm_found| __odm::owner_keys(
                __odm_owner,
                <Product>::fields().lines.shape(),
                __odm_found,
            ),
            || <Product>::fields().lines.__reference_path(),
        );
        /**Loads the documents whose `Product.lines` refers to this `Part`.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. `Product.lines` needs an index; `sync_indexes` makes it. See `LoadMany` for options and errors.*/
        fn load_products(&self, odm: &impl __odm::Executor) -> __odm::LoadMany<Product> {
            Self::__ODM_PRODUCTS.load_many(self, odm)
        }
        /**Loads, for many owners at once, `products`, the documents whose `Product.lines` refers to one of them.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. `Product.lines` needs an index; `sync_indexes` makes it. See `Join` for options and errors.*/
        fn join_products<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, Product> {
            Self::__ODM_PRODUCTS.join(owners, odm)
        }
        /**Counts the documents whose `Product.lines` refers to this `Part`.

The server counts, and nothing is sent when there are no keys. `Product.lines` needs an index; `sync_indexes` makes it. See `CountRelated` for options and errors.*/
        fn count_products(&self, odm: &impl __odm::Executor) -> __odm::CountRelated {
            Self::__ODM_PRODUCTS.count(self, odm)
        }
    }
    __odm::gives!(
        Part { id 628021283683842752 Id < Part >, partno 16737783974963265491 i64,
        product 7067897761789831404 Option < String >, same 683243228863131483 Option <
        String >, boxed_in 3332155616797395723 String, }
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Product>::fields().name);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Product.name` lies in an array, and `Part.product` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Product.name` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Part.product` is written as it is, and its source `Product.name` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Product>::fields().name);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Product.name` lies in an array, and `Part.same` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Product.name` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Part.same` is written as it is, and its source `Product.name` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Product>::fields().name);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Product.name` lies in an array, and `Part.boxed_in` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Product.name` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Part.boxed_in` is written as it is, and its source `Product.name` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
    };
    fn __odm_checks() {
        <Product>::fields().name.__copied_as::<Option<String>>();
        <Product>::fields().lines.__belongs_to::<Product>();
        <Product>::fields().lines.__refers_to::<Part>();
        <Product>::fields().name.__copied_as::<Option<String>>();
        <Product>::fields().lines.number.__belongs_to::<Product>();
        <Product>::fields().lines.number.__refers_to::<Part>();
        <Product>::fields().name.__copied_as::<String>();
        <Product>::fields().box_.__belongs_to::<Product>();
        <Product>::fields().box_.__refers_to::<Part>();
        __odm::check_id::<Id<Part>, Part>();
        <Product>::fields().lines.__refers_to::<Part>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Part as __odm::Model > ::SHAPE)
    }
};
