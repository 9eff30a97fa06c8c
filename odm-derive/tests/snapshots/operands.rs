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
        ///The field `name`, stored as `name`.
        name: __odm::Field<__OdmDocument, __OdmPath, Part, Cow<'static, str>, 1>,
        ///The field `alias`, stored as `alias`.
        alias: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Part,
            Option<Cow<'static, str>>,
            2,
        >,
        ///The field `code`, stored as `code`.
        code: __odm::Field<__OdmDocument, __OdmPath, Part, Box<str>, 3>,
        ///The field `price`, stored as `price`.
        price: __odm::Field<__OdmDocument, __OdmPath, Part, f64, 4>,
        ///The field `discount`, stored as `discount`.
        discount: __odm::Field<__OdmDocument, __OdmPath, Part, Option<f64>, 5>,
        ///The field `pieces`, stored as `pieces`.
        pieces: __odm::Field<__OdmDocument, __OdmPath, Part, i64, 6>,
        ///The field `pair`, stored as `pair`.
        pair: __odm::Field<__OdmDocument, __OdmPath, Part, [Id<Part>; 2], 7>,
        ///The field `place`, stored as `place`.
        place: __odm::Field<__OdmDocument, __OdmPath, Part, [f64; 2], 8>,
        ///The field `size`, stored as `size`.
        size: __odm::Field<__OdmDocument, __OdmPath, Part, Option<[i32; 3]>, 9>,
        ///The field `labels`, stored as `labels`.
        labels: __odm::Field<__OdmDocument, __OdmPath, Part, Box<[String]>, 10>,
        ///The field `tags`, stored as `tags`.
        tags: __odm::Field<__OdmDocument, __OdmPath, Part, Vec<String>, 11>,
        ///The field `rows`, stored as `rows`.
        rows: __odm::Field<__OdmDocument, __OdmPath, Part, Vec<Vec<f64>>, 12>,
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
            name: __odm::Field::NEW,
            alias: __odm::Field::NEW,
            code: __odm::Field::NEW,
            price: __odm::Field::NEW,
            discount: __odm::Field::NEW,
            pieces: __odm::Field::NEW,
            pair: __odm::Field::NEW,
            place: __odm::Field::NEW,
            size: __odm::Field::NEW,
            labels: __odm::Field::NEW,
            tags: __odm::Field::NEW,
            rows: __odm::Field::NEW,
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
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<Cow<'static, str>>::ARRAY,
                    __odm::TypeProbe::<Cow<'static, str>>::OPTION,
                    __odm::TypeProbe::<Cow<'static, str>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Cow<'static, str>>::FORM,
                    __odm::TypeProbe::<Cow<'static, str>>::TRACED_FORM,
                )
                .written("Cow<'static, str>"),
            __odm::FieldShape::new("alias", "alias")
                .of_type(
                    __odm::TypeProbe::<Option<Cow<'static, str>>>::ARRAY,
                    __odm::TypeProbe::<Option<Cow<'static, str>>>::OPTION,
                    __odm::TypeProbe::<Option<Cow<'static, str>>>::EMBED,
                )
                .hides(&[__odm::TypeProbe::<Cow<'static, str>>::EMBED])
                .form(
                    __odm::TypeProbe::<Option<Cow<'static, str>>>::FORM,
                    __odm::TypeProbe::<Option<Cow<'static, str>>>::TRACED_FORM,
                )
                .written("Option<Cow<'static, str>>"),
            __odm::FieldShape::new("code", "code")
                .of_type(
                    __odm::TypeProbe::<Box<str>>::ARRAY,
                    __odm::TypeProbe::<Box<str>>::OPTION,
                    __odm::TypeProbe::<Box<str>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Box<str>>::FORM,
                    __odm::TypeProbe::<Box<str>>::TRACED_FORM,
                )
                .written("Box<str>"),
            __odm::FieldShape::new("price", "price")
                .of_type(
                    __odm::TypeProbe::<f64>::ARRAY,
                    __odm::TypeProbe::<f64>::OPTION,
                    __odm::TypeProbe::<f64>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<f64>::FORM,
                    __odm::TypeProbe::<f64>::TRACED_FORM,
                )
                .written("f64"),
            __odm::FieldShape::new("discount", "discount")
                .of_type(
                    __odm::TypeProbe::<Option<f64>>::ARRAY,
                    __odm::TypeProbe::<Option<f64>>::OPTION,
                    __odm::TypeProbe::<Option<f64>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<f64>>::FORM,
                    __odm::TypeProbe::<Option<f64>>::TRACED_FORM,
                )
                .written("Option<f64>"),
            __odm::FieldShape::new("pieces", "pieces")
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
            __odm::FieldShape::new("pair", "pair")
                .of_type(
                    __odm::TypeProbe::<[Id<Part>; 2]>::ARRAY,
                    __odm::TypeProbe::<[Id<Part>; 2]>::OPTION,
                    __odm::TypeProbe::<[Id<Part>; 2]>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<[Id<Part>; 2]>::FORM,
                    __odm::TypeProbe::<[Id<Part>; 2]>::TRACED_FORM,
                )
                .written("[Id<Part>; 2]")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            __odm::TypeProbe::<__odm::Of<'static, Part>>::TARGET,
                            __odm::TypeProbe::<[Id<Part>; 2]>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<[Id<Part>; 2]>::KEY),
                ),
            __odm::FieldShape::new("place", "place")
                .of_type(
                    __odm::TypeProbe::<[f64; 2]>::ARRAY,
                    __odm::TypeProbe::<[f64; 2]>::OPTION,
                    __odm::TypeProbe::<[f64; 2]>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<[f64; 2]>::FORM,
                    __odm::TypeProbe::<[f64; 2]>::TRACED_FORM,
                )
                .written("[f64; 2]"),
            __odm::FieldShape::new("size", "size")
                .of_type(
                    __odm::TypeProbe::<Option<[i32; 3]>>::ARRAY,
                    __odm::TypeProbe::<Option<[i32; 3]>>::OPTION,
                    __odm::TypeProbe::<Option<[i32; 3]>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<[i32; 3]>>::FORM,
                    __odm::TypeProbe::<Option<[i32; 3]>>::TRACED_FORM,
                )
                .written("Option<[i32; 3]>"),
            __odm::FieldShape::new("labels", "labels")
                .of_type(
                    __odm::TypeProbe::<Box<[String]>>::ARRAY,
                    __odm::TypeProbe::<Box<[String]>>::OPTION,
                    __odm::TypeProbe::<Box<[String]>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Box<[String]>>::FORM,
                    __odm::TypeProbe::<Box<[String]>>::TRACED_FORM,
                )
                .written("Box<[String]>"),
            __odm::FieldShape::new("tags", "tags")
                .of_type(
                    __odm::TypeProbe::<Vec<String>>::ARRAY,
                    __odm::TypeProbe::<Vec<String>>::OPTION,
                    __odm::TypeProbe::<Vec<String>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<String>>::FORM,
                    __odm::TypeProbe::<Vec<String>>::TRACED_FORM,
                )
                .written("Vec<String>"),
            __odm::FieldShape::new("rows", "rows")
                .of_type(
                    __odm::TypeProbe::<Vec<Vec<f64>>>::ARRAY,
                    __odm::TypeProbe::<Vec<Vec<f64>>>::OPTION,
                    __odm::TypeProbe::<Vec<Vec<f64>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<Vec<f64>>>::FORM,
                    __odm::TypeProbe::<Vec<Vec<f64>>>::TRACED_FORM,
                )
                .written("Vec<Vec<f64>>"),
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
    #[automatically_derived]
    impl __odm::DeclaresReference<Part, 7> for Part {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_pair {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("pair") }> for Part {
        type Relation = __OdmBy_pair;
    }
    #[automatically_derived]
    impl Part {
        const __ODM_PAIR: __odm::Relation<
            Self,
            __odm::Of<'static, Part>,
            __OdmBy_pair,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Part>,
            __OdmBy_pair,
        >::new(
            "Part.pair",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                [Id<Part>; 2],
            >::EACH_KEY(&__odm_owner.pair, __odm_found),
            __odm::TypeProbe::<[Id<Part>; 2]>::TARGET_PATH,
        );
        /**Loads the documents that `pair` refers to, in stored order with repeats.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_pair(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<Part>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_PAIR.load_many(self, odm)
        }
        /**Loads the documents that `pair` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_pair<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Part, __OdmBy_pair>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_PAIR.join(owners, odm)
        }
        /**Counts the documents that `pair` refers to, in stored order with repeats.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_pair(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<Part>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_PAIR.count(self, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Part>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Cow<'static, str>>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < Cow < 'static, str > > > ::FOLLOWED || !
        (__odm::declares(__odm::TypeProbe:: < Cow < 'static, str > > ::FLAT)),
        "`Part.alias` contains structs with copies, bounds, indexes or delete rules, but the library cannot see into this type; use the struct itself, or an `Option`, a `Box`, an `Arc` or an array (`Vec`, `Box<[T]>`) of it"
    );
    const _: () = __odm::check_value(
        __odm::TypeProbe::<Option<Cow<'static, str>>>::FOREIGN,
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Box<str>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<f64>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<f64>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < [Id < Part >; 2] > ::REFERENCE || __odm::TypeProbe:: <
            __odm::Of < 'static, Part > > ::LEADS_TO_MODEL,
            "`Part.pair` refers to `Part`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Part`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < [Id < Part >; 2] > ::REFERENCE || (__odm::TypeProbe:: <
            [Id < Part >; 2] > ::ONE_KEY || __odm::TypeProbe:: < [Id < Part >; 2] >
            ::MANY_KEYS),
            "`Part.pair` is not a reference: `[Id<Part>;2]` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < [Id < Part >; 2] > ::REFERENCE || false,
            "`Part.pair` has another type of key than the `_id` of `Part`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < [Id < Part >; 2] > ::ONE_KEY,
        "`#[refs(many)]` needs an array, but `Part.pair` contains one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < [Id < Part >; 2] > ::KEY_ARRAYS < 2,
        "`Part.pair` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < [Id < Part >; 2] > ::GROWS || !
        __odm::pulls(__odm::TypeProbe:: < [Id < Part >; 2] > ::FLAT),
        "a reference in these structs has `on_delete = \"pull\"`, which removes the struct from its array, but `Part.pair` has a fixed length; make it a `Vec`, or write another rule"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<[Id<Part>; 2]>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < [f64; 2] > ::GROWS || ! __odm::pulls(__odm::TypeProbe:: <
        [f64; 2] > ::FLAT),
        "a reference in these structs has `on_delete = \"pull\"`, which removes the struct from its array, but `Part.place` has a fixed length; make it a `Vec`, or write another rule"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<[f64; 2]>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < [i32; 3] > > ::GROWS || !
        __odm::pulls(__odm::TypeProbe:: < Option < [i32; 3] > > ::FLAT),
        "a reference in these structs has `on_delete = \"pull\"`, which removes the struct from its array, but `Part.size` has a fixed length; make it a `Vec`, or write another rule"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<[i32; 3]>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Box<[String]>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<String>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<Vec<f64>>>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered:: < Part > ()
    }
};
