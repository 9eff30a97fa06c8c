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
    ///Typed field handles of `Task`, from `Task::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct TaskFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Task,
            Id<Task>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `owner`, stored as `owner`.
        owner: __odm::Field<__OdmDocument, __OdmPath, Task, PersonRef, 1>,
        ///The field `reviewer`, stored as `reviewer`.
        reviewer: __odm::Field<__OdmDocument, __OdmPath, Task, Option<PersonRef>, 2>,
        ///The field `watchers`, stored as `watchers`.
        watchers: __odm::Field<__OdmDocument, __OdmPath, Task, Vec<PersonRef>, 3>,
        ///The field `creator`, stored as `creator`.
        creator: __odm::Field<__OdmDocument, __OdmPath, Task, PersonRef, 4>,
        ///The field `former`, stored as `former`.
        former: __odm::Field<__OdmDocument, __OdmPath, Task, PersonRef, 5>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for TaskFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for TaskFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for TaskFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            owner: __odm::Field::NEW,
            reviewer: __odm::Field::NEW,
            watchers: __odm::Field::NEW,
            creator: __odm::Field::NEW,
            former: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Task {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = TaskFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Task";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Task>>::ARRAY,
                    __odm::TypeProbe::<Id<Task>>::OPTION,
                    __odm::TypeProbe::<Id<Task>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Task>>::FORM,
                    __odm::TypeProbe::<Id<Task>>::TRACED_FORM,
                )
                .written("Id<Task>"),
            __odm::FieldShape::new("owner", "owner")
                .of_type(
                    __odm::TypeProbe::<PersonRef>::ARRAY,
                    __odm::TypeProbe::<PersonRef>::OPTION,
                    __odm::TypeProbe::<PersonRef>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<PersonRef>::FORM,
                    __odm::TypeProbe::<PersonRef>::TRACED_FORM,
                )
                .written("PersonRef"),
            __odm::FieldShape::new("reviewer", "reviewer")
                .of_type(
                    __odm::TypeProbe::<Option<PersonRef>>::ARRAY,
                    __odm::TypeProbe::<Option<PersonRef>>::OPTION,
                    __odm::TypeProbe::<Option<PersonRef>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<PersonRef>>::FORM,
                    __odm::TypeProbe::<Option<PersonRef>>::TRACED_FORM,
                )
                .written("Option<PersonRef>")
                .on_delete(__odm::OnDelete::Nullify),
            __odm::FieldShape::new("watchers", "watchers")
                .of_type(
                    __odm::TypeProbe::<Vec<PersonRef>>::ARRAY,
                    __odm::TypeProbe::<Vec<PersonRef>>::OPTION,
                    __odm::TypeProbe::<Vec<PersonRef>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<PersonRef>>::FORM,
                    __odm::TypeProbe::<Vec<PersonRef>>::TRACED_FORM,
                )
                .written("Vec<PersonRef>")
                .max(20u32)
                .on_delete(__odm::OnDelete::Pull),
            __odm::FieldShape::new("creator", "creator")
                .of_type(
                    __odm::TypeProbe::<PersonRef>::ARRAY,
                    __odm::TypeProbe::<PersonRef>::OPTION,
                    __odm::TypeProbe::<PersonRef>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<PersonRef>::FORM,
                    __odm::TypeProbe::<PersonRef>::TRACED_FORM,
                )
                .written("PersonRef")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Parent,
                            __odm::TypeProbe::<__odm::Held<'static, PersonRef>>::TARGET,
                            __odm::TypeProbe::<PersonRef>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<PersonRef>::KEY)
                        .on_delete(__odm::OnDelete::Cascade),
                ),
            __odm::FieldShape::new("former", "former")
                .of_type(
                    __odm::TypeProbe::<PersonRef>::ARRAY,
                    __odm::TypeProbe::<PersonRef>::OPTION,
                    __odm::TypeProbe::<PersonRef>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<PersonRef>::FORM,
                    __odm::TypeProbe::<PersonRef>::TRACED_FORM,
                )
                .written("PersonRef")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            __odm::TypeProbe::<__odm::Held<'static, PersonRef>>::TARGET,
                            __odm::TypeProbe::<PersonRef>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<PersonRef>::KEY),
                )
                .on_delete(__odm::OnDelete::Keep),
        ];
    }
    #[automatically_derived]
    impl Task {
        ///Returns typed field handles of `Task`, for filters, sorts and updates.
        fn fields() -> TaskFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Task {
        type Key = <Id<Task> as __odm::IdOf<Task>>::Key;
        type Id = Id<Task>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "tasks",
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
    impl __odm::DeclaresId<Id<Task>> for Task {
        fn __odm_declared_id(&self) -> &Id<Task> {
            &self.id
        }
    }
    #[automatically_derived]
    impl<__OdmTarget> __odm::DeclaresReference<__OdmTarget, 4> for Task
    where
        __odm::Held<'static, PersonRef>: __odm::LeadsOnlyTo<__OdmTarget>,
    {}
    #[automatically_derived]
    impl<__OdmTarget> __odm::DeclaresReference<__OdmTarget, 5> for Task
    where
        __odm::Held<'static, PersonRef>: __odm::LeadsOnlyTo<__OdmTarget>,
    {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_creator {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("creator") }> for Task {
        type Relation = __OdmBy_creator;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_former {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("former") }> for Task {
        type Relation = __OdmBy_former;
    }
    #[automatically_derived]
    impl Task {
        const __ODM_CREATOR: __odm::Relation<
            Self,
            __odm::Held<'static, PersonRef>,
            __OdmBy_creator,
        > = __odm::Relation::<
            Self,
            __odm::Held<'static, PersonRef>,
            __OdmBy_creator,
        >::new(
            "Task.creator",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                PersonRef,
            >::EACH_KEY(&__odm_owner.creator, __odm_found),
            __odm::TypeProbe::<PersonRef>::TARGET_PATH,
        );
        const __ODM_FORMER: __odm::Relation<
            Self,
            __odm::Held<'static, PersonRef>,
            __OdmBy_former,
        > = __odm::Relation::<
            Self,
            __odm::Held<'static, PersonRef>,
            __OdmBy_former,
        >::new(
            "Task.former",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                PersonRef,
            >::EACH_KEY(&__odm_owner.former, __odm_found),
            __odm::TypeProbe::<PersonRef>::TARGET_PATH,
        );
        /**Loads the document that `creator` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_creator(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<<__odm::Held<'static, PersonRef> as __odm::Leads>::Target>
        where
            for<'__odm> __odm::Held<'__odm, PersonRef>: __odm::Leads,
        {
            Self::__ODM_CREATOR.load_one(self, odm)
        }
        /**Loads the documents that `creator` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_creator<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<
            Self,
            <__odm::Held<'static, PersonRef> as __odm::Leads>::Target,
            __OdmBy_creator,
        >
        where
            for<'__odm> __odm::Held<'__odm, PersonRef>: __odm::Leads,
        {
            Self::__ODM_CREATOR.join_one(owners, odm)
        }
        /**Loads the document that `former` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_former(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<<__odm::Held<'static, PersonRef> as __odm::Leads>::Target>
        where
            for<'__odm> __odm::Held<'__odm, PersonRef>: __odm::Leads,
        {
            Self::__ODM_FORMER.load_one(self, odm)
        }
        /**Loads the documents that `former` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_former<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<
            Self,
            <__odm::Held<'static, PersonRef> as __odm::Leads>::Target,
            __OdmBy_former,
        >
        where
            for<'__odm> __odm::Held<'__odm, PersonRef>: __odm::Leads,
        {
            Self::__ODM_FORMER.join_one(owners, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Task>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<PersonRef>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < PersonRef > > ::OPTION,
        "`nullify` sets `Task.reviewer` to null; make it an `Option`, or choose another rule"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Vec < PersonRef > > ::ARRAY,
        "`pull` removes an element of an array, but `Task.watchers` is a single struct; write `nullify` and make it an `Option`, or write `cascade` or `restrict`"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < PersonRef > > ::ARRAY || __odm::TypeProbe:: < Vec <
        PersonRef > > ::GROWS,
        "`pull` removes elements, but `Task.watchers` has a fixed length; make it a `Vec`"
    );
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < PersonRef > ::REFERENCE || ! __odm::TypeProbe:: <
            PersonRef > ::MODEL,
            "`Task.creator` contains whole `PersonRef` documents; write `Id<PersonRef>`, or `#[embed]` and a struct with `#[derive(Embedded)]`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < PersonRef > ::REFERENCE || ! __odm::TypeProbe:: <
            PersonRef > ::POLYMORPHIC,
            "`Task.creator` contains an enum of references; add `polymorphic` to the attribute"
        );
        ::core::assert!(
            __odm::TypeProbe:: < PersonRef > ::REFERENCE || ! (__odm::TypeProbe:: <
            PersonRef > ::ONE_KEY || __odm::TypeProbe:: < PersonRef > ::MANY_KEYS),
            "`Task.creator` is a plain key without a model; write `to = \"Model\"` in the attribute, or the type `Id<Model, PersonRef>`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < PersonRef > ::REFERENCE || (__odm::TypeProbe:: <
            PersonRef > ::EMBED.is_none() || __odm::has_one_reference(__odm::TypeProbe::
            < PersonRef > ::FLAT)),
            "`Task.creator` is not a reference: `PersonRef` contains none or several; write `#[refs(one)]` on exactly one field of `PersonRef`, or `#[embed]` instead of this attribute"
        );
        ::core::assert!(
            __odm::TypeProbe:: < PersonRef > ::REFERENCE || __odm::TypeProbe:: <
            PersonRef > ::EMBED.is_some(),
            "`Task.creator` is not a reference: `PersonRef` contains no ids; write `Id<Model>`, an `Option` or `Vec` of it, or an `Embedded` with exactly one reference"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < PersonRef > ::MANY_KEYS,
        "`#[parent_ref]` needs one key, but `Task.creator` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < PersonRef > ::KEY_ARRAYS < 2,
        "`Task.creator` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<PersonRef>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < PersonRef > ::REFERENCE || ! __odm::TypeProbe:: <
            PersonRef > ::MODEL,
            "`Task.former` contains whole `PersonRef` documents; write `Id<PersonRef>`, or `#[embed]` and a struct with `#[derive(Embedded)]`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < PersonRef > ::REFERENCE || ! __odm::TypeProbe:: <
            PersonRef > ::POLYMORPHIC,
            "`Task.former` contains an enum of references; add `polymorphic` to the attribute"
        );
        ::core::assert!(
            __odm::TypeProbe:: < PersonRef > ::REFERENCE || ! (__odm::TypeProbe:: <
            PersonRef > ::ONE_KEY || __odm::TypeProbe:: < PersonRef > ::MANY_KEYS),
            "`Task.former` is a plain key without a model; write `to = \"Model\"` in the attribute, or the type `Id<Model, PersonRef>`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < PersonRef > ::REFERENCE || (__odm::TypeProbe:: <
            PersonRef > ::EMBED.is_none() || __odm::has_one_reference(__odm::TypeProbe::
            < PersonRef > ::FLAT)),
            "`Task.former` is not a reference: `PersonRef` contains none or several; write `#[refs(one)]` on exactly one field of `PersonRef`, or `#[embed]` instead of this attribute"
        );
        ::core::assert!(
            __odm::TypeProbe:: < PersonRef > ::REFERENCE || __odm::TypeProbe:: <
            PersonRef > ::EMBED.is_some(),
            "`Task.former` is not a reference: `PersonRef` contains no ids; write `Id<Model>`, an `Option` or `Vec` of it, or an `Embedded` with exactly one reference"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < PersonRef > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Task.former` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < PersonRef > ::KEY_ARRAYS < 2,
        "`Task.former` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        fn __odm_refers<T: __odm::Reference>() {}
        __odm_embeds::<Option<PersonRef>>();
        __odm_refers::<Option<PersonRef>>();
        <__odm::Handles<Task> as __odm::FieldSet>::NEW.watchers.__is_array();
        __odm_refers::<Vec<PersonRef>>();
        __odm_embeds::<PersonRef>();
        __odm_refers::<PersonRef>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Task > ()
    }
};
