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
    ///Typed field handles of `Numbered`, from `Numbered::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct NumberedFields<__OdmDocument, __OdmPath> {
        ///The field `number`, stored as `number`.
        number: __odm::Field<__OdmDocument, __OdmPath, Numbered, Option<i64>, 0>,
        ///The field `name`, stored as `name`.
        name: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Numbered,
            Option<String>,
            1,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for NumberedFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for NumberedFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for NumberedFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            number: __odm::Field::NEW,
            name: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Numbered {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = NumberedFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Numbered";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("number", "number")
                .of_type(
                    __odm::TypeProbe::<Option<i64>>::ARRAY,
                    __odm::TypeProbe::<Option<i64>>::OPTION,
                    __odm::TypeProbe::<Option<i64>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<i64>>::FORM,
                    __odm::TypeProbe::<Option<i64>>::TRACED_FORM,
                )
                .written("Option<i64>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Parent,
                            __odm::TypeProbe::<__odm::Of<'static, Part>>::TARGET,
                            __odm::TypeProbe::<Option<i64>>::INNER_PATH,
                        )
                        .key(
                            __odm::key_of(|| {
                                <__odm::Handles<Part> as __odm::FieldSet>::NEW.number
                            }),
                        ),
                ),
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .written("Option<String>")
                .copy(
                    __odm::CopyShape::new(
                        || <Part as __odm::Described>::SHAPE,
                        || <__odm::Handles<Part> as __odm::FieldSet>::NEW.name.path(),
                    ),
                ),
        ];
    }
    #[automatically_derived]
    impl Numbered {
        ///Returns typed field handles of `Numbered`, for filters, sorts and updates.
        fn fields() -> NumberedFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Numbered {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<Part, 0> for Numbered {}
    #[automatically_derived]
    impl __odm::Keys for Numbered
    where
        for<'__odm> __odm::Held<'__odm, Option<i64>>: __odm::HoldsKeys,
    {
        type Key = <__odm::Held<'static, Option<i64>> as __odm::HoldsKeys>::Key;
        type Knows = <__odm::Held<'static, Option<i64>> as __odm::HoldsKeys>::Knows;
        const __ODM_MANY: bool = __odm::TypeProbe::<Option<i64>>::MANY_KEYS;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::TypeProbe::<Option<i64>>::EACH_KEY(&self.number, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("number");
            __odm::TypeProbe::<Option<i64>>::PUSH_INNER_PATH(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Reference for Numbered
    where
        for<'__odm> __odm::Held<'__odm, Option<i64>>: __odm::HoldsKeys,
    {
        type Target = Part;
        const __ODM_KEY: ::core::option::Option<__odm::KeyShape> = ::core::option::Option::Some(
            __odm::key_of(|| <__odm::Handles<Part> as __odm::FieldSet>::NEW.number),
        );
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_number {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("number") }> for Numbered {
        type Relation = __OdmBy_number;
    }
    #[automatically_derived]
    impl Numbered {
        const __ODM_NUMBER: __odm::Relation<
            Self,
            __odm::Of<'static, Part>,
            __OdmBy_number,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Part>,
            __OdmBy_number,
        >::new(
            "Numbered.number",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Option<i64>,
            >::EACH_KEY(&__odm_owner.number, __odm_found),
            || <__odm::Handles<Part> as __odm::FieldSet>::NEW.number.path(),
        );
        /**Loads the document that `number` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_number(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Part>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_NUMBER.load_one(self, odm)
        }
        /**Loads the documents that `number` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_number<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Part, __OdmBy_number>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_NUMBER.join_one(owners, odm)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<&Part> for Numbered {
        fn from(__odm_document: &Part) -> Self {
            Self {
                number: <__odm::Handles<Part> as __odm::FieldSet>::NEW
                    .number
                    .__copy::<Option<i64>>(&__odm_document.number),
                name: <__odm::Handles<Part> as __odm::FieldSet>::NEW
                    .name
                    .__copy::<Option<String>>(&__odm_document.name),
            }
        }
    }
    type __OdmPart = Part;
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < i64 > > ::MANY_KEYS,
        "`#[parent_ref]` needs one key, but `Numbered.number` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < i64 > > ::KEY_ARRAYS < 2,
        "`Numbered.number` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Option<i64>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (__odm::Of < 'static, Part >, __OdmPart) > ::LEADS || !
            __odm::TypeProbe:: < __odm::Of < 'static, Part > > ::LEADS_TO_MODEL,
            "no field here refers to the source of `Part.name`; add a reference next to the copy, or write the reference of the other model as `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<Part> as __odm::FieldSet>::NEW.name
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Part.name` is in an array, but `Numbered.name` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(), "serde flattens `Part.name`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Numbered.name` has no codec, but its source `Part.name` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Part.name` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < Option < String
            > > ::MAY_BE_MISSING || __ODM_SOURCE.is_in_option(),
            "`Numbered.name` is required, but `Part.name` may be missing from a document, and the copy with it; add `#[serde(default)]` to `name` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, Part >, __OdmPart) > ::LEADS || !
        __odm::TypeProbe:: < Option < i64 > > ::OPTION || __odm::TypeProbe:: < Option <
        String > > ::OPTION,
        "`number` can be null, and its copy `Numbered.name` would then keep its value; make the copy an `Option`"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < __OdmPart > ::MODEL || __odm::TypeProbe:: < (__odm::Of <
        'static, Part >, __OdmPart) > ::LEADS,
        "`number` refers to another model, but `from` is `Part`; refer to `Part`, or write `impl From<&Part> for Numbered` by hand"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < __OdmPart > ::MODEL || __odm::TypeProbe:: < (__odm::Of <
        'static, Part >, __OdmPart) > ::LEADS,
        "`name` is a copy of another model, but `from` is `Part`; copy a field of `Part`, or write `impl From<&Part> for Numbered` by hand"
    );
    fn __odm_checks() {
        <__odm::Handles<Part> as __odm::FieldSet>::NEW
            .number
            .__is_key_of::<Option<i64>, Part>();
    }
    __odm::inventory::submit! {
        __odm::registered_embedded:: < Numbered > ()
    }
};
