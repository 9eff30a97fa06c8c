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
    ///The field `id`, stored as `id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, PartLine, Id<Part>, 0>,
    ///The field `name`, stored as `name`.
    name: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, PartLine, String, 1>,
    ///The field `type`, stored as `type`.
    r#type: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        PartLine,
        Option<String>,
        2,
    >,
    ///The field `price`, stored as `price`.
    price: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        PartLine,
        Option<f64>,
        3,
    >,
    ///The field `city`, stored as `city`.
    city: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, PartLine, String, 4>,
    ///The field `sold_in`, stored as `sold_in`.
    sold_in: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        PartLine,
        Option<String>,
        5,
    >,
    ///The field `sold_at`, stored as `sold_at`.
    sold_at: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        PartLine,
        Option<String>,
        6,
    >,
    ///The field `maker`, stored as `maker`.
    maker: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        PartLine,
        shop::Maker,
        7,
    >,
    ///The field `tags`, stored as `tags`.
    tags: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        PartLine,
        Vec<String>,
        8,
    >,
    ///The field `seal`, stored as `seal`.
    seal: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        PartLine,
        shop::Seal,
        9,
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
            name: __odm::Field::NEW,
            r#type: __odm::Field::NEW,
            price: __odm::Field::NEW,
            city: __odm::Field::NEW,
            sold_in: __odm::Field::NEW,
            sold_at: __odm::Field::NEW,
            maker: __odm::Field::NEW,
            tags: __odm::Field::NEW,
            seal: __odm::Field::NEW,
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
            __odm::FieldShape::new("id", "id")
                .of_type(
                    __odm::TypeProbe::<Id<Part>>::ARRAY,
                    __odm::TypeProbe::<Id<Part>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            || {
                                <<Id<
                                    Part,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Id<Part>>,
                        )
                        .keyed(<Id<Part> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Id<Part>>::OPTION),
                ),
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Part as __odm::Model>::SHAPE,
                            || <Part>::fields().name.path(),
                        )
                        .optional(__odm::TypeProbe::<String>::OPTION),
                ),
            __odm::FieldShape::new("type", "type")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Part as __odm::Model>::SHAPE,
                            || <Part>::fields().r#type.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<String>>::OPTION)
                        .via("id"),
                ),
            __odm::FieldShape::new("price", "price")
                .of_type(
                    __odm::TypeProbe::<Option<f64>>::ARRAY,
                    __odm::TypeProbe::<Option<f64>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Part as __odm::Model>::SHAPE,
                            || <Part>::fields().price.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<f64>>::OPTION)
                        .snapshot(),
                ),
            __odm::FieldShape::new("city", "city")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Part as __odm::Model>::SHAPE,
                            || <Part>::fields().maker.city.path(),
                        )
                        .optional(__odm::TypeProbe::<String>::OPTION),
                ),
            __odm::FieldShape::new("sold_in", "sold_in")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Part as __odm::Model>::SHAPE,
                            || <Part>::fields().seller.city.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<String>>::OPTION),
                ),
            __odm::FieldShape::new("sold_at", "sold_at")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Part as __odm::Model>::SHAPE,
                            || <Part>::fields().seller.street.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<String>>::OPTION),
                ),
            __odm::FieldShape::new("maker", "maker")
                .of_type(
                    __odm::TypeProbe::<shop::Maker>::ARRAY,
                    __odm::TypeProbe::<shop::Maker>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Part as __odm::Model>::SHAPE,
                            || <Part>::fields().maker.path(),
                        )
                        .optional(__odm::TypeProbe::<shop::Maker>::OPTION),
                ),
            __odm::FieldShape::new("tags", "tags")
                .of_type(
                    __odm::TypeProbe::<Vec<String>>::ARRAY,
                    __odm::TypeProbe::<Vec<String>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Part as __odm::Model>::SHAPE,
                            || <Part>::fields().tags.path(),
                        )
                        .optional(__odm::TypeProbe::<Vec<String>>::OPTION),
                ),
            __odm::FieldShape::new("seal", "seal")
                .of_type(
                    __odm::TypeProbe::<shop::Seal>::ARRAY,
                    __odm::TypeProbe::<shop::Seal>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Part as __odm::Model>::SHAPE,
                            || <Part>::fields().seal.path(),
                        )
                        .optional(__odm::TypeProbe::<shop::Seal>::OPTION),
                ),
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
    impl __odm::Refers<<Id<Part> as __odm::Reference>::Target, 0> for PartLine {}
    #[automatically_derived]
    impl __odm::Keys for PartLine {
        type Key = <Id<Part> as __odm::Keys>::Key;
        type Knows = <Id<Part> as __odm::Keys>::Knows;
        const MANY: bool = <Id<Part> as __odm::Keys>::MANY;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::Keys::each_key(&self.id, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("id");
            <Id<Part> as __odm::Keys>::push_inner_path(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Reference for PartLine {
        type Target = <Id<Part> as __odm::Reference>::Target;
        const KEY: ::core::option::Option<fn() -> ::std::string::String> = <Id<
            Part,
        > as __odm::Reference>::KEY;
    }
    #[automatically_derived]
    impl PartLine {
        const __ODM_ID: __odm::Relation<Self, <Id<Part> as __odm::Reference>::Target> = __odm::Relation::new(
            "PartLine.id",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.id,
                __odm_found,
            ),
            <Id<Part> as __odm::Reference>::target_path,
        );
        /**Loads the document that `id` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_id(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<<Id<Part> as __odm::Reference>::Target> {
            Self::__ODM_ID.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `id` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_id<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Id<Part> as __odm::Reference>::Target> {
            Self::__ODM_ID.join_one(owners, odm)
        }
    }
    __odm::gives!(
        PartLine { id 628021283683842752 Id < Part >, name 14176396743819860870 String,
        r#type 12075340201627130925 Option < String >, price 3393610910270210282 Option <
        f64 >, city 18003902094994090146 String, sold_in 3570146739907579007 Option <
        String >, sold_at 3562557910651180485 Option < String >, maker
        14855700223722871079 shop::Maker, tags 15644445103386232192 Vec < String >, seal
        3245082232179198752 shop::Seal, }
    );
    #[automatically_derived]
    impl ::core::convert::From<&Part> for PartLine
    where
        for<'__odm_x> Part: __odm::GivesKey<'__odm_x, Id<Part>>,
        for<'__odm_x> Part: __odm::Gives<
            '__odm_x,
            String,
            __odm::Step<14176396743819860870, __odm::Here>,
        >,
        for<'__odm_x> Part: __odm::Gives<
            '__odm_x,
            Option<String>,
            __odm::Step<12075340201627130925, __odm::Here>,
        >,
        for<'__odm_x> Part: __odm::Gives<
            '__odm_x,
            Option<f64>,
            __odm::Step<3393610910270210282, __odm::Here>,
        >,
        for<'__odm_x> Part: __odm::Gives<
            '__odm_x,
            String,
            __odm::Step<
                14855700223722871079,
                __odm::Step<18003902094994090146, __odm::Here>,
            >,
        >,
        for<'__odm_x> Part: __odm::Gives<
            '__odm_x,
            Option<String>,
            __odm::Step<
                9462864411368874198,
                __odm::Step<18003902094994090146, __odm::Here>,
            >,
        >,
        for<'__odm_x> Part: __odm::Gives<
            '__odm_x,
            Option<String>,
            __odm::Step<
                9462864411368874198,
                __odm::Step<5718531220862952254, __odm::Here>,
            >,
        >,
        for<'__odm_x> Part: __odm::Gives<
            '__odm_x,
            shop::Maker,
            __odm::Step<14855700223722871079, __odm::Here>,
        >,
        for<'__odm_x> Part: __odm::Gives<
            '__odm_x,
            Vec<String>,
            __odm::Step<15644445103386232192, __odm::Here>,
        >,
        for<'__odm_x> Part: __odm::Gives<
            '__odm_x,
            shop::Seal,
            __odm::Step<3245082232179198752, __odm::Here>,
        >,
    {
        fn from(__odm_source: &Part) -> Self {
            Self {
                id: <Part as __odm::GivesKey<'_, Id<Part>>>::give_key(__odm_source),
                name: <Part as __odm::Gives<
                    '_,
                    String,
                    __odm::Step<14176396743819860870, __odm::Here>,
                >>::give(__odm_source),
                r#type: <Part as __odm::Gives<
                    '_,
                    Option<String>,
                    __odm::Step<12075340201627130925, __odm::Here>,
                >>::give(__odm_source),
                price: <Part as __odm::Gives<
                    '_,
                    Option<f64>,
                    __odm::Step<3393610910270210282, __odm::Here>,
                >>::give(__odm_source),
                city: <Part as __odm::Gives<
                    '_,
                    String,
                    __odm::Step<
                        14855700223722871079,
                        __odm::Step<18003902094994090146, __odm::Here>,
                    >,
                >>::give(__odm_source),
                sold_in: <Part as __odm::Gives<
                    '_,
                    Option<String>,
                    __odm::Step<
                        9462864411368874198,
                        __odm::Step<18003902094994090146, __odm::Here>,
                    >,
                >>::give(__odm_source),
                sold_at: <Part as __odm::Gives<
                    '_,
                    Option<String>,
                    __odm::Step<
                        9462864411368874198,
                        __odm::Step<5718531220862952254, __odm::Here>,
                    >,
                >>::give(__odm_source),
                maker: <Part as __odm::Gives<
                    '_,
                    shop::Maker,
                    __odm::Step<14855700223722871079, __odm::Here>,
                >>::give(__odm_source),
                tags: <Part as __odm::Gives<
                    '_,
                    Vec<String>,
                    __odm::Step<15644445103386232192, __odm::Here>,
                >>::give(__odm_source),
                seal: <Part as __odm::Gives<
                    '_,
                    shop::Seal,
                    __odm::Step<3245082232179198752, __odm::Here>,
                >>::give(__odm_source),
            }
        }
    }
    const _: () = ::core::assert!(
        ! < Id < Part > as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `PartLine.id` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part) >
            ::SAME,
            "nothing here refers to the source of `Part.name`; add a reference beside the copy, or name the one on the other side with `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Part>::fields().name);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Part.name` lies in an array, and `PartLine.name` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Part.name` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`PartLine.name` is written as it is, and its source `Part.name` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part)
            > ::SAME && __odm::TypeProbe:: < Id < Part > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()), "`id` holds `Part.name` already; remove this copy"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Part>::fields().r#type);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Part.type` lies in an array, and `PartLine.type` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Part.type` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`PartLine.type` is written as it is, and its source `Part.type` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part)
            > ::SAME && __odm::TypeProbe:: < Id < Part > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()), "`id` holds `Part.type` already; remove this copy"
        );
    };
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part) >
            ::SAME,
            "nothing here refers to the source of `Part.price`; add a reference beside the copy, or name the one on the other side with `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Part>::fields().price);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Part.price` lies in an array, and `PartLine.price` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Part.price` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`PartLine.price` is written as it is, and its source `Part.price` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part)
            > ::SAME && __odm::TypeProbe:: < Id < Part > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()), "`id` holds `Part.price` already; remove this copy"
        );
    };
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part) >
            ::SAME,
            "nothing here refers to the source of `Part.maker.city`; add a reference beside the copy, or name the one on the other side with `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <Part>::fields().maker.city
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Part.maker.city` lies in an array, and `PartLine.city` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Part.maker.city` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`PartLine.city` is written as it is, and its source `Part.maker.city` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part)
            > ::SAME && __odm::TypeProbe:: < Id < Part > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()),
            "`id` holds `Part.maker.city` already; remove this copy"
        );
    };
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part) >
            ::SAME,
            "nothing here refers to the source of `Part.seller.city`; add a reference beside the copy, or name the one on the other side with `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <Part>::fields().seller.city
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Part.seller.city` lies in an array, and `PartLine.sold_in` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Part.seller.city` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`PartLine.sold_in` is written as it is, and its source `Part.seller.city` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part)
            > ::SAME && __odm::TypeProbe:: < Id < Part > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()),
            "`id` holds `Part.seller.city` already; remove this copy"
        );
    };
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part) >
            ::SAME,
            "nothing here refers to the source of `Part.seller.street`; add a reference beside the copy, or name the one on the other side with `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <Part>::fields().seller.street
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Part.seller.street` lies in an array, and `PartLine.sold_at` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Part.seller.street` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`PartLine.sold_at` is written as it is, and its source `Part.seller.street` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part)
            > ::SAME && __odm::TypeProbe:: < Id < Part > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()),
            "`id` holds `Part.seller.street` already; remove this copy"
        );
    };
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part) >
            ::SAME,
            "nothing here refers to the source of `Part.maker`; add a reference beside the copy, or name the one on the other side with `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Part>::fields().maker);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Part.maker` lies in an array, and `PartLine.maker` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Part.maker` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`PartLine.maker` is written as it is, and its source `Part.maker` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part)
            > ::SAME && __odm::TypeProbe:: < Id < Part > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()), "`id` holds `Part.maker` already; remove this copy"
        );
    };
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part) >
            ::SAME,
            "nothing here refers to the source of `Part.tags`; add a reference beside the copy, or name the one on the other side with `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Part>::fields().tags);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Part.tags` lies in an array, and `PartLine.tags` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Part.tags` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`PartLine.tags` is written as it is, and its source `Part.tags` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part)
            > ::SAME && __odm::TypeProbe:: < Id < Part > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()), "`id` holds `Part.tags` already; remove this copy"
        );
    };
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part) >
            ::SAME,
            "nothing here refers to the source of `Part.seal`; add a reference beside the copy, or name the one on the other side with `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Part>::fields().seal);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Part.seal` lies in an array, and `PartLine.seal` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Part.seal` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`PartLine.seal` is written as it is, and its source `Part.seal` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Part > as __odm::Reference > ::Target, Part)
            > ::SAME && __odm::TypeProbe:: < Id < Part > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()), "`id` holds `Part.seal` already; remove this copy"
        );
    };
    fn __odm_checks() {
        <Part>::fields().name.__copied_as::<String>();
        <Part>::fields().r#type.__copied_as::<Option<String>>();
        <PartLine>::fields().id.__refers_to::<Part>();
        <Part>::fields().price.__copied_as::<Option<f64>>();
        <Part>::fields().maker.city.__copied_as::<String>();
        <Part>::fields().seller.city.__copied_as::<Option<String>>();
        <Part>::fields().seller.street.__copied_as::<Option<String>>();
        <Part>::fields().maker.__copied_as::<shop::Maker>();
        <Part>::fields().tags.__copied_as::<Vec<String>>();
        <Part>::fields().seal.__copied_as::<shop::Seal>();
    }
};
