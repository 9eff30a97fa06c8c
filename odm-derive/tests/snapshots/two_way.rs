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
        owner: __odm::Field<__OdmDocument, __OdmPath, Task, Id<Person>, 1>,
        ///The field `helper`, stored as `helper`.
        helper: __odm::Field<__OdmDocument, __OdmPath, Task, Option<Id<Person>>, 2>,
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
            helper: __odm::Field::NEW,
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
                        .inverse("tasks"),
                ),
            __odm::FieldShape::new("helper", "helper")
                .of_type(
                    __odm::TypeProbe::<Option<Id<Person>>>::ARRAY,
                    __odm::TypeProbe::<Option<Id<Person>>>::OPTION,
                    __odm::TypeProbe::<Option<Id<Person>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<Id<Person>>>::FORM,
                    __odm::TypeProbe::<Option<Id<Person>>>::TRACED_FORM,
                )
                .written("Option<Id<Person>>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            __odm::TypeProbe::<__odm::Of<'static, Person>>::TARGET,
                            __odm::TypeProbe::<Option<Id<Person>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Option<Id<Person>>>::KEY)
                        .inverse("helped"),
                ),
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
    impl __odm::DeclaresReference<Person, 1> for Task {}
    #[automatically_derived]
    impl __odm::DeclaresReference<Person, 2> for Task {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_keeper {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("keeper") }> for Task {
        type Relation = __OdmBy_keeper;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_helper {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("helper") }> for Task {
        type Relation = __OdmBy_helper;
    }
    #[automatically_derived]
    impl Task {
        const __ODM_KEEPER: __odm::Relation<
            Self,
            __odm::Of<'static, Person>,
            __OdmBy_keeper,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Person>,
            __OdmBy_keeper,
        >::new(
            "Task.keeper",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Id<Person>,
            >::EACH_KEY(&__odm_owner.owner, __odm_found),
            __odm::TypeProbe::<Id<Person>>::TARGET_PATH,
        );
        const __ODM_HELPER: __odm::Relation<
            Self,
            __odm::Of<'static, Person>,
            __OdmBy_helper,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Person>,
            __OdmBy_helper,
        >::new(
            "Task.helper",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Option<Id<Person>>,
            >::EACH_KEY(&__odm_owner.helper, __odm_found),
            __odm::TypeProbe::<Option<Id<Person>>>::TARGET_PATH,
        );
        /**Loads the document that `owner` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_keeper(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Person>
        where
            for<'__odm> __odm::Of<'__odm, Person>: __odm::Leads<Target = Person>,
        {
            Self::__ODM_KEEPER.load_one(self, odm)
        }
        /**Loads the documents that `owner` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_keeper<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Person, __OdmBy_keeper>
        where
            for<'__odm> __odm::Of<'__odm, Person>: __odm::Leads<Target = Person>,
        {
            Self::__ODM_KEEPER.join_one(owners, odm)
        }
        /**Loads the document that `helper` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_helper(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Person>
        where
            for<'__odm> __odm::Of<'__odm, Person>: __odm::Leads<Target = Person>,
        {
            Self::__ODM_HELPER.load_one(self, odm)
        }
        /**Loads the documents that `helper` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_helper<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Person, __OdmBy_helper>
        where
            for<'__odm> __odm::Of<'__odm, Person>: __odm::Leads<Target = Person>,
        {
            Self::__ODM_HELPER.join_one(owners, odm)
        }
    }
    #[automatically_derived]
    impl Task {
        /**Changes `owner`, if the stored `Task` still has the value of this struct.

# Sends

One transaction, which also updates `tasks` at both ends and all copies: see [`Reassign`](mongo_odm::action::Reassign).

# Index

An index on `owner`. `sync_indexes` creates it.

# Errors

`Error::Reassigned` if the stored value is different. See [`Reassign`](mongo_odm::action::Reassign).*/
        #[track_caller]
        fn reassign_keeper(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
            to: impl __odm::Operand<Id<Person>>,
        ) -> __odm::Reassign {
            __odm::Reassign::new(
                self,
                <__odm::Handles<Self> as __odm::FieldSet>::NEW.owner,
                &self.owner,
                to,
                odm,
            )
        }
        /**Changes `helper`, if the stored `Task` still has the value of this struct.

# Sends

One transaction, which also updates `helped` at both ends and all copies: see [`Reassign`](mongo_odm::action::Reassign).

# Index

An index on `helper`. `sync_indexes` creates it.

# Errors

`Error::Reassigned` if the stored value is different. See [`Reassign`](mongo_odm::action::Reassign).*/
        #[track_caller]
        fn reassign_helper(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
            to: impl __odm::Operand<Option<Id<Person>>>,
        ) -> __odm::Reassign {
            __odm::Reassign::new(
                self,
                <__odm::Handles<Self> as __odm::FieldSet>::NEW.helper,
                &self.helper,
                to,
                odm,
            )
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Task>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Id < Person > > ::REFERENCE || __odm::TypeProbe:: <
            __odm::Of < 'static, Person > > ::LEADS_TO_MODEL,
            "`Task.owner` refers to `Person`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Person`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Person > > ::REFERENCE || (__odm::TypeProbe:: < Id
            < Person > > ::ONE_KEY || __odm::TypeProbe:: < Id < Person > > ::MANY_KEYS),
            "`Task.owner` is not a reference: `Id<Person>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Person > > ::REFERENCE || false,
            "`Task.owner` has another type of key than the `_id` of `Person`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < Person > > ::MANY_KEYS,
        "`#[parent_ref]` needs one key, but `Task.owner` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Id < Person > > ::KEY_ARRAYS < 2,
        "`Task.owner` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < Person > > ::ARRAY || __odm::TypeProbe:: < Id <
        Person > > ::GROWS,
        "a two-way reference adds elements and removes them, but `Task.owner` has a fixed length; make it a `Vec`"
    );
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < __odm::Of < 'static, Person > > ::TARGET_FIELDS
            .is_empty() || __odm::find_field(__odm::TypeProbe:: < __odm::Of < 'static,
            Person > > ::TARGET_FIELDS, "tasks").is_some(),
            "`Person` has no field `tasks`; write the field that refers to `Task`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < __odm::Of < 'static, Person > > ::TARGET_FIELDS
            .is_empty() || __odm::TypeProbe:: < __odm::Back < __odm::Of < 'static, Person
            >, Task, { __odm::position(__odm::TypeProbe:: < __odm::Of < 'static, Person >
            > ::TARGET_FIELDS, "tasks") } >> ::REFERS_BACK,
            "`tasks` of `Person` is not a reference to `Task`; write a field with `#[parent_ref]`, `#[refs(one)]` or `#[refs(many)]` that refers to `Task`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < __odm::Of < 'static, Person > > ::TARGET_FIELDS
            .is_empty() || __odm::names_back(__odm::TypeProbe:: < __odm::Of < 'static,
            Person > > ::TARGET_FIELDS, "tasks", < Task as __odm::HasFields >
            ::__ODM_FIELDS, "owner"),
            "`Task.owner` has the inverse `tasks`, but `tasks` does not have the inverse `owner`; add `inverse = \"owner\"` to `tasks`, or remove this `inverse`"
        );
    };
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Person>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Person > > > ::REFERENCE ||
            __odm::TypeProbe:: < __odm::Of < 'static, Person > > ::LEADS_TO_MODEL,
            "`Task.helper` refers to `Person`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Person`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Person > > > ::REFERENCE ||
            (__odm::TypeProbe:: < Option < Id < Person > > > ::ONE_KEY ||
            __odm::TypeProbe:: < Option < Id < Person > > > ::MANY_KEYS),
            "`Task.helper` is not a reference: `Option<Id<Person>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Person > > > ::REFERENCE || false,
            "`Task.helper` has another type of key than the `_id` of `Person`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < Id < Person > > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Task.helper` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < Id < Person > > > ::KEY_ARRAYS < 2,
        "`Task.helper` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < Id < Person > > > ::ARRAY || __odm::TypeProbe:: <
        Option < Id < Person > > > ::GROWS,
        "a two-way reference adds elements and removes them, but `Task.helper` has a fixed length; make it a `Vec`"
    );
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < __odm::Of < 'static, Person > > ::TARGET_FIELDS
            .is_empty() || __odm::find_field(__odm::TypeProbe:: < __odm::Of < 'static,
            Person > > ::TARGET_FIELDS, "helped").is_some(),
            "`Person` has no field `helped`; write the field that refers to `Task`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < __odm::Of < 'static, Person > > ::TARGET_FIELDS
            .is_empty() || __odm::TypeProbe:: < __odm::Back < __odm::Of < 'static, Person
            >, Task, { __odm::position(__odm::TypeProbe:: < __odm::Of < 'static, Person >
            > ::TARGET_FIELDS, "helped") } >> ::REFERS_BACK,
            "`helped` of `Person` is not a reference to `Task`; write a field with `#[parent_ref]`, `#[refs(one)]` or `#[refs(many)]` that refers to `Task`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < __odm::Of < 'static, Person > > ::TARGET_FIELDS
            .is_empty() || __odm::names_back(__odm::TypeProbe:: < __odm::Of < 'static,
            Person > > ::TARGET_FIELDS, "helped", < Task as __odm::HasFields >
            ::__ODM_FIELDS, "helper"),
            "`Task.helper` has the inverse `helped`, but `helped` does not have the inverse `helper`; add `inverse = \"helper\"` to `helped`, or remove this `inverse`"
        );
    };
    const _: () = __odm::check_key(__odm::TypeProbe::<Option<Id<Person>>>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered:: < Task > ()
    }
};
