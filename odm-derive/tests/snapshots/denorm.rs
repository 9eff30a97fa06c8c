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
        ///The field `name`, stored as `name`.
        name: __odm::Field<
            __OdmDocument,
            __OdmPath,
            PartLine,
            String,
            1,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
        ///The field `price`, stored as `price`.
        price: __odm::Field<__OdmDocument, __OdmPath, PartLine, Option<f64>, 2>,
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
            name: __odm::Field::NEW,
            price: __odm::Field::NEW,
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
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::OPTION,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .written("String")
                .copy(
                    __odm::CopyShape::new(
                            || <Part as __odm::Described>::SHAPE,
                            || <__odm::Handles<Part> as __odm::FieldSet>::NEW.name.path(),
                        )
                        .via("id"),
                ),
            __odm::FieldShape::new("price", "price")
                .of_type(
                    __odm::TypeProbe::<Option<f64>>::ARRAY,
                    __odm::TypeProbe::<Option<f64>>::OPTION,
                    __odm::TypeProbe::<Option<f64>>::EMBED,
                )
                .written("Option<f64>")
                .copy(
                    __odm::CopyShape::new(
                            || <Part as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<Part> as __odm::FieldSet>::NEW.price.path()
                            },
                        )
                        .snapshot(),
                ),
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
    type __OdmPart = Part;
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
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < (__odm::Of < 'static, Part >, __OdmPart) > ::LEADS,
        "`id` is not a reference to `Part`, the model of the source `Part.name`; write a reference to `Part`"
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<Part> as __odm::FieldSet>::NEW.name
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Part.name` is in an array, but `PartLine.name` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(), "serde flattens `Part.name`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`PartLine.name` has no codec, but its source `Part.name` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Part.name` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < String >
            ::MAY_BE_MISSING,
            "`PartLine.name` is required, but `Part.name` may be missing from a document, and the copy with it; add `#[serde(default)]` to `name` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, Part >, __OdmPart) > ::LEADS &&
            __odm::TypeProbe:: < Id < Part > > ::EMBED.is_none() && __ODM_SOURCE
            .is_id()), "`id` already contains `Part.name`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, Part >, __OdmPart) > ::LEADS || !
        __odm::TypeProbe:: < Id < Part > > ::OPTION || __odm::TypeProbe:: < String >
        ::OPTION,
        "`id` can be null, and its copy `PartLine.name` would then keep its value; make the copy an `Option`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<f64>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (__odm::Of < 'static, Part >, __OdmPart) > ::LEADS || !
            __odm::TypeProbe:: < __odm::Of < 'static, Part > > ::LEADS_TO_MODEL,
            "no field here refers to the source of `Part.price`; add a reference next to the copy, or write the reference of the other model as `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<Part> as __odm::FieldSet>::NEW.price
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Part.price` is in an array, but `PartLine.price` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde flattens `Part.price`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`PartLine.price` has no codec, but its source `Part.price` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Part.price` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < Option < f64 >
            > ::MAY_BE_MISSING,
            "`PartLine.price` is required, but `Part.price` may be missing from a document, and the copy with it; add `#[serde(default)]` to `price` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, Part >, __OdmPart) > ::LEADS &&
            __odm::TypeProbe:: < Id < Part > > ::EMBED.is_none() && __ODM_SOURCE
            .is_id()), "`id` already contains `Part.price`; remove this copy"
        );
    };
    fn __odm_checks() {
        <__odm::Handles<Part> as __odm::FieldSet>::NEW.name.__copied_as::<String>();
        <__odm::Handles<Part> as __odm::FieldSet>::NEW
            .price
            .__copied_as::<Option<f64>>();
    }
    __odm::inventory::submit! {
        __odm::registered_embedded:: < PartLine > ()
    }
};
