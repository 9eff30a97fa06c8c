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
        name: __odm::Field<__OdmDocument, __OdmPath, Part, Option<Id<Part>>, 1>,
        ///The field `fields`, stored as `fields`.
        fields: __odm::Field<__OdmDocument, __OdmPath, Part, Vec<Id<Part>>, 2>,
        ///The field `line`, stored as `line`.
        line: __odm::Field<__OdmDocument, __OdmPath, Part, Line, 3>,
        ///The field `subject`, stored as `subject`.
        subject: __odm::Field<__OdmDocument, __OdmPath, Part, Option<Subject>, 4>,
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
            fields: __odm::Field::NEW,
            line: __odm::Field::NEW,
            subject: __odm::Field::NEW,
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
                    __odm::TypeProbe::<Option<Id<Part>>>::ARRAY,
                    __odm::TypeProbe::<Option<Id<Part>>>::OPTION,
                    __odm::TypeProbe::<Option<Id<Part>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<Id<Part>>>::FORM,
                    __odm::TypeProbe::<Option<Id<Part>>>::TRACED_FORM,
                )
                .written("Option<Id<Part>>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            __odm::TypeProbe::<__odm::Of<'static, Part>>::TARGET,
                            __odm::TypeProbe::<Option<Id<Part>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Option<Id<Part>>>::KEY),
                ),
            __odm::FieldShape::new("fields", "fields")
                .of_type(
                    __odm::TypeProbe::<Vec<Id<Part>>>::ARRAY,
                    __odm::TypeProbe::<Vec<Id<Part>>>::OPTION,
                    __odm::TypeProbe::<Vec<Id<Part>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<Id<Part>>>::FORM,
                    __odm::TypeProbe::<Vec<Id<Part>>>::TRACED_FORM,
                )
                .written("Vec<Id<Part>>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            __odm::TypeProbe::<__odm::Of<'static, Part>>::TARGET,
                            __odm::TypeProbe::<Vec<Id<Part>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Vec<Id<Part>>>::KEY),
                ),
            __odm::FieldShape::new("line", "line")
                .of_type(
                    __odm::TypeProbe::<Line>::ARRAY,
                    __odm::TypeProbe::<Line>::OPTION,
                    __odm::TypeProbe::<Line>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Line>::FORM,
                    __odm::TypeProbe::<Line>::TRACED_FORM,
                )
                .written("Line"),
            __odm::FieldShape::new("subject", "subject")
                .of_type(
                    __odm::TypeProbe::<Option<Subject>>::ARRAY,
                    __odm::TypeProbe::<Option<Subject>>::OPTION,
                    __odm::TypeProbe::<Option<Subject>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<Subject>>::FORM,
                    __odm::TypeProbe::<Option<Subject>>::TRACED_FORM,
                )
                .written("Option<Subject>"),
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
            "names_of_constants_parts",
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
    impl __odm::DeclaresReference<Part, 1> for Part {}
    #[automatically_derived]
    impl __odm::DeclaresReference<Part, 2> for Part {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_name {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("name") }> for Part {
        type Relation = __OdmBy_name;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_fields {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("fields") }> for Part {
        type Relation = __OdmBy_fields;
    }
    #[automatically_derived]
    impl Part {
        const __ODM_NAME: __odm::Relation<
            Self,
            __odm::Of<'static, Part>,
            __OdmBy_name,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Part>,
            __OdmBy_name,
        >::new(
            "Part.name",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Option<Id<Part>>,
            >::EACH_KEY(&__odm_owner.name, __odm_found),
            __odm::TypeProbe::<Option<Id<Part>>>::TARGET_PATH,
        );
        const __ODM_FIELDS: __odm::Relation<
            Self,
            __odm::Of<'static, Part>,
            __OdmBy_fields,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Part>,
            __OdmBy_fields,
        >::new(
            "Part.fields",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Vec<Id<Part>>,
            >::EACH_KEY(&__odm_owner.fields, __odm_found),
            __odm::TypeProbe::<Vec<Id<Part>>>::TARGET_PATH,
        );
        /**Loads the document that `name` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_name(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Part>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_NAME.load_one(self, odm)
        }
        /**Loads the documents that `name` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_name<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Part, __OdmBy_name>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_NAME.join_one(owners, odm)
        }
        /**Loads the documents that `fields` refers to, in stored order with repeats.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_fields(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<Part>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_FIELDS.load_many(self, odm)
        }
        /**Loads the documents that `fields` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_fields<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Part, __OdmBy_fields>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_FIELDS.join(owners, odm)
        }
        /**Counts the documents that `fields` refers to, in stored order with repeats.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_fields(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<Part>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_FIELDS.count(self, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Part>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Part > > > ::REFERENCE ||
            __odm::TypeProbe:: < __odm::Of < 'static, Part > > ::LEADS_TO_MODEL,
            "`Part.name` refers to `Part`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Part`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Part > > > ::REFERENCE ||
            (__odm::TypeProbe:: < Option < Id < Part > > > ::ONE_KEY ||
            __odm::TypeProbe:: < Option < Id < Part > > > ::MANY_KEYS),
            "`Part.name` is not a reference: `Option<Id<Part>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Part > > > ::REFERENCE || false,
            "`Part.name` has another type of key than the `_id` of `Part`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < Id < Part > > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Part.name` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < Id < Part > > > ::KEY_ARRAYS < 2,
        "`Part.name` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Option<Id<Part>>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < Part > > > ::REFERENCE || __odm::TypeProbe::
            < __odm::Of < 'static, Part > > ::LEADS_TO_MODEL,
            "`Part.fields` refers to `Part`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Part`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < Part > > > ::REFERENCE || (__odm::TypeProbe::
            < Vec < Id < Part > > > ::ONE_KEY || __odm::TypeProbe:: < Vec < Id < Part > >
            > ::MANY_KEYS),
            "`Part.fields` is not a reference: `Vec<Id<Part>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < Part > > > ::REFERENCE || false,
            "`Part.fields` has another type of key than the `_id` of `Part`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < Id < Part > > > ::ONE_KEY,
        "`#[refs(many)]` needs an array, but `Part.fields` contains one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Vec < Id < Part > > > ::KEY_ARRAYS < 2,
        "`Part.fields` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Vec<Id<Part>>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Line>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<Subject>>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered:: < Part > ()
    }
};
