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
    ///Typed field handles of `Person`, from `Person::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct PersonFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Person,
            Id<Person>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `tasks`, stored as `tasks`.
        tasks: __odm::Field<__OdmDocument, __OdmPath, Person, Vec<Id<Task>>, 1>,
        ///The field `friends`, stored as `friends`.
        friends: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Person,
            Option<Vec<Id<Person>>>,
            2,
        >,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for PersonFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for PersonFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for PersonFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            tasks: __odm::Field::NEW,
            friends: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Person {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = PersonFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Person";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Person>>::ARRAY,
                    __odm::TypeProbe::<Id<Person>>::OPTION,
                    __odm::TypeProbe::<Id<Person>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Person>>::FORM,
                    __odm::TypeProbe::<Id<Person>>::TRACED_FORM,
                )
                .written("Id<Person>"),
            __odm::FieldShape::new("tasks", "tasks")
                .of_type(
                    __odm::TypeProbe::<Vec<Id<Task>>>::ARRAY,
                    __odm::TypeProbe::<Vec<Id<Task>>>::OPTION,
                    __odm::TypeProbe::<Vec<Id<Task>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<Id<Task>>>::FORM,
                    __odm::TypeProbe::<Vec<Id<Task>>>::TRACED_FORM,
                )
                .written("Vec<Id<Task>>")
                .max(2000u32)
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            __odm::TypeProbe::<__odm::Of<'static, Task>>::TARGET,
                            __odm::TypeProbe::<Vec<Id<Task>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Vec<Id<Task>>>::KEY)
                        .inverse("owner"),
                ),
            __odm::FieldShape::new("friends", "friends")
                .of_type(
                    __odm::TypeProbe::<Option<Vec<Id<Person>>>>::ARRAY,
                    __odm::TypeProbe::<Option<Vec<Id<Person>>>>::OPTION,
                    __odm::TypeProbe::<Option<Vec<Id<Person>>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<Vec<Id<Person>>>>::FORM,
                    __odm::TypeProbe::<Option<Vec<Id<Person>>>>::TRACED_FORM,
                )
                .written("Option<Vec<Id<Person>>>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            __odm::TypeProbe::<__odm::Of<'static, Person>>::TARGET,
                            __odm::TypeProbe::<Option<Vec<Id<Person>>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Option<Vec<Id<Person>>>>::KEY),
                ),
        ];
    }
    #[automatically_derived]
    impl Person {
        ///Returns typed field handles of `Person`, for filters, sorts and updates.
        fn fields() -> PersonFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Person {
        type Key = <Id<Person> as __odm::IdOf<Person>>::Key;
        type Id = Id<Person>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "people",
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
    impl __odm::DeclaresId<Id<Person>> for Person {
        fn __odm_declared_id(&self) -> &Id<Person> {
            &self.id
        }
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<Task, 1> for Person {}
    #[automatically_derived]
    impl __odm::DeclaresReference<Person, 2> for Person {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_tasks {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("tasks") }> for Person {
        type Relation = __OdmBy_tasks;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_friends {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("friends") }> for Person {
        type Relation = __OdmBy_friends;
    }
    #[automatically_derived]
    impl Person {
        const __ODM_TASKS: __odm::Relation<
            Self,
            __odm::Of<'static, Task>,
            __OdmBy_tasks,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Task>,
            __OdmBy_tasks,
        >::new(
            "Person.tasks",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Vec<Id<Task>>,
            >::EACH_KEY(&__odm_owner.tasks, __odm_found),
            __odm::TypeProbe::<Vec<Id<Task>>>::TARGET_PATH,
        );
        const __ODM_FRIENDS: __odm::Relation<
            Self,
            __odm::Of<'static, Person>,
            __OdmBy_friends,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Person>,
            __OdmBy_friends,
        >::new(
            "Person.friends",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Option<Vec<Id<Person>>>,
            >::EACH_KEY(&__odm_owner.friends, __odm_found),
            __odm::TypeProbe::<Option<Vec<Id<Person>>>>::TARGET_PATH,
        );
        /**Loads the documents that `tasks` refers to, in stored order with repeats.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_tasks(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<Task>
        where
            for<'__odm> __odm::Of<'__odm, Task>: __odm::Leads<Target = Task>,
        {
            Self::__ODM_TASKS.load_many(self, odm)
        }
        /**Loads the documents that `tasks` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_tasks<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Task, __OdmBy_tasks>
        where
            for<'__odm> __odm::Of<'__odm, Task>: __odm::Leads<Target = Task>,
        {
            Self::__ODM_TASKS.join(owners, odm)
        }
        /**Counts the documents that `tasks` refers to, in stored order with repeats.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_tasks(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<Task>
        where
            for<'__odm> __odm::Of<'__odm, Task>: __odm::Leads<Target = Task>,
        {
            Self::__ODM_TASKS.count(self, odm)
        }
        /**Loads the documents that `friends` refers to, in stored order with repeats.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_friends(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<Person>
        where
            for<'__odm> __odm::Of<'__odm, Person>: __odm::Leads<Target = Person>,
        {
            Self::__ODM_FRIENDS.load_many(self, odm)
        }
        /**Loads the documents that `friends` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_friends<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Person, __OdmBy_friends>
        where
            for<'__odm> __odm::Of<'__odm, Person>: __odm::Leads<Target = Person>,
        {
            Self::__ODM_FRIENDS.join(owners, odm)
        }
        /**Counts the documents that `friends` refers to, in stored order with repeats.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_friends(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<Person>
        where
            for<'__odm> __odm::Of<'__odm, Person>: __odm::Leads<Target = Person>,
        {
            Self::__ODM_FRIENDS.count(self, odm)
        }
    }
    #[automatically_derived]
    impl Person {
        /**Changes `owner` of documents to this `Person`, which moves them into `tasks`: all of them, or none.

# Sends

One transaction, which also updates the arrays of all owners and all copies: see [`Take`](mongo_odm::action::Take).

# Index

An index on `owner`. `sync_indexes` creates it.

# Errors

`Error::NotFound` if a document does not exist. See [`Take`](mongo_odm::action::Take).*/
        #[track_caller]
        fn take_tasks(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
            ids: impl ::core::iter::IntoIterator<Item: __odm::AsId<Task>>,
        ) -> __odm::Take
        where
            for<'__odm> __odm::Of<'__odm, Task>: __odm::Leads<Target = Task>,
            for<'__odm> &'__odm __odm::KeyThere<
                {
                    __odm::is_key(
                        __odm::TypeProbe::<__odm::Of<'static, Task>>::TARGET_FIELDS,
                        "owner",
                    )
                },
            >: __odm::IsFollowed,
        {
            __odm::Take::new::<
                __odm::Of<'static, Task>,
                _,
            >(
                self,
                <__odm::Handles<Self> as __odm::FieldSet>::NEW.tasks,
                "owner",
                ids,
                odm,
            )
        }
        /**Adds other documents to `tasks` of this `Person`, and this one to `owner` of each of them.

Existing links stay unchanged. A document that does not exist yet gets its `owner` when it is inserted.

# Sends

One transaction: an [`UpdateOne`](mongo_odm::action::UpdateOne) with `$addToSet`, and one `update` of the other documents.

# Errors

`Error::BoundExceeded` if an array is full. Then nothing is written. See [`UpdateOne`](mongo_odm::action::UpdateOne).*/
        #[track_caller]
        fn link_tasks(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
            others: impl ::core::iter::IntoIterator<
                Item: __odm::Operand<
                        <__odm::Held<'static, Vec<Id<Task>>> as __odm::HoldsItems>::Item,
                    >,
            >,
        ) -> __odm::UpdateOne<Self>
        where
            for<'__odm> __odm::Held<
                '__odm,
                Vec<Id<Task>>,
            >: __odm::HoldsItems<Array = Vec<Id<Task>>>,
            for<'__odm> &'__odm __odm::ArraysAtBothEnds<
                {
                    __odm::are_arrays(
                        <Self as __odm::HasFields>::__ODM_FIELDS,
                        "tasks",
                        __odm::TypeProbe::<__odm::Of<'static, Task>>::TARGET_FIELDS,
                        "owner",
                    )
                },
            >: __odm::AreMirrored,
        {
            __odm::link::<
                __odm::Held<'static, Vec<Id<Task>>>,
                _,
                _,
                _,
            >(self, <__odm::Handles<Self> as __odm::FieldSet>::NEW.tasks, others, odm)
        }
        /**Removes other documents from `tasks` of this `Person`, and this one from `owner` of each of them.

Missing links are not an error.

# Sends

One transaction: an [`UpdateOne`](mongo_odm::action::UpdateOne) with `$pull`, and one `update` of the other documents.

# Errors

See [`UpdateOne`](mongo_odm::action::UpdateOne).*/
        #[track_caller]
        fn unlink_tasks(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
            others: impl ::core::iter::IntoIterator<
                Item: __odm::Operand<
                        <__odm::Held<'static, Vec<Id<Task>>> as __odm::HoldsItems>::Item,
                    >,
            >,
        ) -> __odm::UpdateOne<Self>
        where
            for<'__odm> __odm::Held<
                '__odm,
                Vec<Id<Task>>,
            >: __odm::HoldsItems<Array = Vec<Id<Task>>>,
            for<'__odm> &'__odm __odm::ArraysAtBothEnds<
                {
                    __odm::are_arrays(
                        <Self as __odm::HasFields>::__ODM_FIELDS,
                        "tasks",
                        __odm::TypeProbe::<__odm::Of<'static, Task>>::TARGET_FIELDS,
                        "owner",
                    )
                },
            >: __odm::AreMirrored,
        {
            __odm::unlink::<
                __odm::Held<'static, Vec<Id<Task>>>,
                _,
                _,
                _,
            >(self, <__odm::Handles<Self> as __odm::FieldSet>::NEW.tasks, others, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Person>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < Task > > > ::REFERENCE || __odm::TypeProbe::
            < __odm::Of < 'static, Task > > ::LEADS_TO_MODEL,
            "`Person.tasks` refers to `Task`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Task`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < Task > > > ::REFERENCE || (__odm::TypeProbe::
            < Vec < Id < Task > > > ::ONE_KEY || __odm::TypeProbe:: < Vec < Id < Task > >
            > ::MANY_KEYS),
            "`Person.tasks` is not a reference: `Vec<Id<Task>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < Task > > > ::REFERENCE || false,
            "`Person.tasks` has another type of key than the `_id` of `Task`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < Id < Task > > > ::ONE_KEY,
        "`#[refs(many)]` needs an array, but `Person.tasks` contains one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Vec < Id < Task > > > ::KEY_ARRAYS < 2,
        "`Person.tasks` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < Id < Task > > > ::ARRAY || __odm::TypeProbe:: < Vec
        < Id < Task > > > ::GROWS,
        "a two-way reference adds elements and removes them, but `Person.tasks` has a fixed length; make it a `Vec`"
    );
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < __odm::Of < 'static, Task > > ::TARGET_FIELDS.is_empty()
            || __odm::find_field(__odm::TypeProbe:: < __odm::Of < 'static, Task > >
            ::TARGET_FIELDS, "owner").is_some(),
            "`Task` has no field `owner`; write the field that refers to `Person`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < __odm::Of < 'static, Task > > ::TARGET_FIELDS.is_empty()
            || __odm::TypeProbe:: < __odm::Back < __odm::Of < 'static, Task >, Person, {
            __odm::position(__odm::TypeProbe:: < __odm::Of < 'static, Task > >
            ::TARGET_FIELDS, "owner") } >> ::REFERS_BACK,
            "`owner` of `Task` is not a reference to `Person`; write a field with `#[parent_ref]`, `#[refs(one)]` or `#[refs(many)]` that refers to `Person`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < __odm::Of < 'static, Task > > ::TARGET_FIELDS.is_empty()
            || __odm::names_back(__odm::TypeProbe:: < __odm::Of < 'static, Task > >
            ::TARGET_FIELDS, "owner", < Person as __odm::HasFields > ::__ODM_FIELDS,
            "tasks"),
            "`Person.tasks` has the inverse `owner`, but `owner` does not have the inverse `tasks`; add `inverse = \"tasks\"` to `owner`, or remove this `inverse`"
        );
    };
    const _: () = __odm::check_key(__odm::TypeProbe::<Vec<Id<Task>>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Option < Vec < Id < Person > > > > ::REFERENCE ||
            __odm::TypeProbe:: < __odm::Of < 'static, Person > > ::LEADS_TO_MODEL,
            "`Person.friends` refers to `Person`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Person`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Vec < Id < Person > > > > ::REFERENCE ||
            (__odm::TypeProbe:: < Option < Vec < Id < Person > > > > ::ONE_KEY ||
            __odm::TypeProbe:: < Option < Vec < Id < Person > > > > ::MANY_KEYS),
            "`Person.friends` is not a reference: `Option<Vec<Id<Person>>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Vec < Id < Person > > > > ::REFERENCE || false,
            "`Person.friends` has another type of key than the `_id` of `Person`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < Vec < Id < Person > > > > ::ONE_KEY,
        "`#[refs(many)]` needs an array, but `Person.friends` contains one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < Vec < Id < Person > > > > ::KEY_ARRAYS < 2,
        "`Person.friends` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Option<Vec<Id<Person>>>>::FOREIGN);
    fn __odm_checks() {
        <__odm::Handles<Person> as __odm::FieldSet>::NEW.tasks.__is_array();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Person > ()
    }
};
