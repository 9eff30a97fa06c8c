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
    ///Typed field handles of `Note`, from `Note::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct NoteFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Note,
            Id<Note>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `by`, stored as `by`.
        by: __odm::Field<__OdmDocument, __OdmPath, Note, Id<Person>, 1>,
        ///The field `about`, stored as `about`.
        about: __odm::Field<__OdmDocument, __OdmPath, Note, Vec<Subject>, 2>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for NoteFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for NoteFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for NoteFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            by: __odm::Field::NEW,
            about: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Note {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = NoteFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Note";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Note>>::ARRAY,
                    __odm::TypeProbe::<Id<Note>>::OPTION,
                    __odm::TypeProbe::<Id<Note>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Note>>::FORM,
                    __odm::TypeProbe::<Id<Note>>::TRACED_FORM,
                )
                .written("Id<Note>"),
            __odm::FieldShape::new("by", "by")
                .of_type(
                    __odm::TypeProbe::<Id<Person>>::ARRAY,
                    __odm::TypeProbe::<Id<Person>>::OPTION,
                    __odm::TypeProbe::<Id<Person>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Person>>::FORM,
                    __odm::TypeProbe::<Id<Person>>::TRACED_FORM,
                )
                .written("Id<Person>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Parent,
                            __odm::TypeProbe::<__odm::Of<'static, Person>>::TARGET,
                            __odm::TypeProbe::<Id<Person>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Id<Person>>::KEY)
                        .on_delete(__odm::OnDelete::Restrict),
                )
                .exists(),
            __odm::FieldShape::new("about", "about")
                .of_type(
                    __odm::TypeProbe::<Vec<Subject>>::ARRAY,
                    __odm::TypeProbe::<Vec<Subject>>::OPTION,
                    __odm::TypeProbe::<Vec<Subject>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<Subject>>::FORM,
                    __odm::TypeProbe::<Vec<Subject>>::TRACED_FORM,
                )
                .written("Vec<Subject>")
                .polymorphic()
                .exists(),
        ];
    }
    #[automatically_derived]
    impl Note {
        ///Returns typed field handles of `Note`, for filters, sorts and updates.
        fn fields() -> NoteFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Note {
        type Key = <Id<Note> as __odm::IdOf<Note>>::Key;
        type Id = Id<Note>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "notes",
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
    impl __odm::DeclaresId<Id<Note>> for Note {
        fn __odm_declared_id(&self) -> &Id<Note> {
            &self.id
        }
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<Person, 1> for Note {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_by {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("by") }> for Note {
        type Relation = __OdmBy_by;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_about {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("about") }> for Note {
        type Relation = __OdmBy_about;
    }
    #[automatically_derived]
    impl Note {
        const __ODM_BY: __odm::Relation<Self, __odm::Of<'static, Person>, __OdmBy_by> = __odm::Relation::<
            Self,
            __odm::Of<'static, Person>,
            __OdmBy_by,
        >::new(
            "Note.by",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Id<Person>,
            >::EACH_KEY(&__odm_owner.by, __odm_found),
            __odm::TypeProbe::<Id<Person>>::TARGET_PATH,
        );
        /**Loads the document that `by` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_by(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Person>
        where
            for<'__odm> __odm::Of<'__odm, Person>: __odm::Leads<Target = Person>,
        {
            Self::__ODM_BY.load_one(self, odm)
        }
        /**Loads the documents that `by` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_by<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Person, __OdmBy_by>
        where
            for<'__odm> __odm::Of<'__odm, Person>: __odm::Leads<Target = Person>,
        {
            Self::__ODM_BY.join_one(owners, odm)
        }
        /**Loads the documents of one model that `about` refers to, in stored order with repeats.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_about<__OdmTarget: __odm::Described>(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<__OdmTarget>
        where
            Vec<Subject>: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __odm::Of<'static, __OdmTarget>,
                __OdmBy_about,
            >::new(
                    "Note.about",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.about, __odm_found),
                    <Vec<Subject> as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .load_many(self, odm)
        }
        /**Loads the documents of one model that `about` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_about<'a, __OdmTarget: __odm::Described>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, __OdmTarget, __OdmBy_about>
        where
            Vec<Subject>: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __odm::Of<'static, __OdmTarget>,
                __OdmBy_about,
            >::new(
                    "Note.about",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.about, __odm_found),
                    <Vec<Subject> as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .join(owners, odm)
        }
        /**Counts the documents of one model that `about` refers to, in stored order with repeats.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_about<__OdmTarget: __odm::Described>(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<__OdmTarget>
        where
            Vec<Subject>: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __odm::Of<'static, __OdmTarget>,
                __OdmBy_about,
            >::new(
                    "Note.about",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.about, __odm_found),
                    <Vec<Subject> as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .count(self, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Note>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Id < Person > > ::REFERENCE || __odm::TypeProbe:: <
            __odm::Of < 'static, Person > > ::LEADS_TO_MODEL,
            "`Note.by` refers to `Person`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Person`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Person > > ::REFERENCE || (__odm::TypeProbe:: < Id
            < Person > > ::ONE_KEY || __odm::TypeProbe:: < Id < Person > > ::MANY_KEYS),
            "`Note.by` is not a reference: `Id<Person>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Person > > ::REFERENCE || false,
            "`Note.by` has another type of key than the `_id` of `Person`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < Person > > ::MANY_KEYS,
        "`#[parent_ref]` needs one key, but `Note.by` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Id < Person > > ::KEY_ARRAYS < 2,
        "`Note.by` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Person>>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < Subject > > ::ONE_KEY,
        "`#[refs(many)]` needs an array, but `Note.about` contains one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Vec < Subject > > ::KEY_ARRAYS < 2,
        "`Note.about` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<Subject>>::FOREIGN);
    fn __odm_checks() {
        __odm::check_polymorphic::<Vec<Subject>>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Note > ()
    }
};
