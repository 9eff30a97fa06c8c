/**Typed handles of the stored fields of `Person`.

Got from `Person::fields()`, or from the handle of a field that embeds a `Person`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct PersonFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Person, Id<Person>, 0>,
    ///The field `name`, stored as `name`.
    name: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Person, String, 1>,
    ///The field `friends`, stored as `friends`.
    friends: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Person,
        Vec<Id<Person>>,
        2,
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
            name: __odm::Field::NEW,
            friends: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Person {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = PersonFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Person";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Person>>::ARRAY,
                    __odm::TypeProbe::<Id<Person>>::EMBED,
                ),
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                ),
            __odm::FieldShape::new("friends", "friends")
                .of_type(
                    __odm::TypeProbe::<Vec<Id<Person>>>::ARRAY,
                    __odm::TypeProbe::<Vec<Id<Person>>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            || {
                                <<Vec<
                                    Id<Person>,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Vec<Id<Person>>>,
                        )
                        .keyed(<Vec<Id<Person>> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Vec<Id<Person>>>::OPTION)
                        .on_delete(__odm::OnDelete::Pull),
                ),
        ];
    }
    #[automatically_derived]
    impl Person {
        ///Returns typed handles of the stored fields of `Person`, for filters, sorts and updates.
        fn fields() -> PersonFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Person {
        type Key = <Id<Person> as __odm::IdOf<Person>>::Key;
        type Id = Id<Person>;
        fn id(&self) -> &Id<Person> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "people",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    #[automatically_derived]
    impl __odm::Refers<<Vec<Id<Person>> as __odm::Reference>::Target, 2> for Person {}
    #[automatically_derived]
    impl Person {
        const __ODM_FRIENDS: __odm::Relation<
            Self,
            <Vec<Id<Person>> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "Person.friends",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.friends,
                __odm_found,
            ),
            <Vec<Id<Person>> as __odm::Reference>::target_path,
        );
        /**Loads the documents that `friends` refers to, in stored order with repeats.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadMany` for options and errors.*/
        fn load_friends(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadMany<<Vec<Id<Person>> as __odm::Reference>::Target> {
            Self::__ODM_FRIENDS.load_many(self, odm)
        }
        /**Loads, for many owners at once, what `friends` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_friends<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Vec<Id<Person>> as __odm::Reference>::Target> {
            Self::__ODM_FRIENDS.join(owners, odm)
        }
        /**Counts the documents that `friends` refers to, in stored order with repeats.

The server counts, and nothing is sent when there are no keys. The key in the target needs an index; `_id` has one. See `CountRelated` for options and errors.*/
        fn count_friends(&self, odm: &impl __odm::Executor) -> __odm::CountRelated {
            Self::__ODM_FRIENDS.count(self, odm)
        }
    }
    __odm::gives!(
        Person { id 628021283683842752 Id < Person >, name 14176396743819860870 String,
        friends 9414406990432725082 Vec < Id < Person > >, }
    );
    const _: () = ::core::assert!(
        < Vec < Id < Person > > as __odm::Keys > ::MANY,
        "`#[refs(many)]` needs an array, and `Person.friends` holds one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    fn __odm_checks() {
        __odm::check_id::<Id<Person>, Person>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Person as __odm::Model > ::SHAPE)
    }
};

/**Typed handles of the stored fields of `Share`.

Got from `Share::fields()`, or from the handle of a field that embeds a `Share`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct ShareFields<__OdmDocument, __OdmPath> {
    ///The field `with`, stored as `with`.
    with: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Share, Id<Person>, 0>,
    ///The field `name`, stored as `name`.
    name: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Share, String, 1>,
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
    for ShareFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for ShareFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for ShareFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            with: __odm::Field::NEW,
            name: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Share {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = ShareFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Share";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("with", "with")
                .of_type(
                    __odm::TypeProbe::<Id<Person>>::ARRAY,
                    __odm::TypeProbe::<Id<Person>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            || {
                                <<Id<
                                    Person,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Id<Person>>,
                        )
                        .keyed(<Id<Person> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Id<Person>>::OPTION)
                        .on_delete(__odm::OnDelete::Pull),
                ),
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Person as __odm::Model>::SHAPE,
                            || <Person>::fields().name.path(),
                        )
                        .optional(__odm::TypeProbe::<String>::OPTION),
                ),
        ];
    }
    #[automatically_derived]
    impl Share {
        ///Returns typed handles of the stored fields of `Share`, for filters, sorts and updates.
        fn fields() -> ShareFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Share {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            <Self as __odm::HasFields>::NAME,
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    #[automatically_derived]
    impl __odm::Refers<<Id<Person> as __odm::Reference>::Target, 0> for Share {}
    #[automatically_derived]
    impl Share {
        const __ODM_WITH: __odm::Relation<
            Self,
            <Id<Person> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "Share.with",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.with,
                __odm_found,
            ),
            <Id<Person> as __odm::Reference>::target_path,
        );
        /**Loads the document that `with` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_with(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<<Id<Person> as __odm::Reference>::Target> {
            Self::__ODM_WITH.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `with` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_with<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Id<Person> as __odm::Reference>::Target> {
            Self::__ODM_WITH.join_one(owners, odm)
        }
    }
    #[automatically_derived]
    impl __odm::Keys for Share {
        type Key = <Id<Person> as __odm::Keys>::Key;
        type Knows = <Id<Person> as __odm::Keys>::Knows;
        const MANY: bool = <Id<Person> as __odm::Keys>::MANY;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::Keys::each_key(&self.with, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("with");
            <Id<Person> as __odm::Keys>::push_inner_path(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Reference for Share {
        type Target = <Id<Person> as __odm::Reference>::Target;
        const KEY: ::core::option::Option<fn() -> ::std::string::String> = <Id<
            Person,
        > as __odm::Reference>::KEY;
    }
    __odm::gives!(
        Share { with 11991686087872398057 Id < Person >, name 14176396743819860870
        String, }
    );
    #[automatically_derived]
    impl ::core::convert::From<&Person> for Share
    where
        for<'__odm_x> Person: __odm::GivesKey<'__odm_x, Id<Person>>,
        for<'__odm_x> Person: __odm::Gives<
            '__odm_x,
            String,
            __odm::Step<14176396743819860870, __odm::Here>,
        >,
    {
        fn from(__odm_source: &Person) -> Self {
            Self {
                with: <Person as __odm::GivesKey<
                    '_,
                    Id<Person>,
                >>::give_key(__odm_source),
                name: <Person as __odm::Gives<
                    '_,
                    String,
                    __odm::Step<14176396743819860870, __odm::Here>,
                >>::give(__odm_source),
            }
        }
    }
    const _: () = ::core::assert!(
        ! < Id < Person > as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Share.with` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (< Id < Person > as __odm::Reference > ::Target, Person)
            > ::SAME,
            "nothing here refers to the source of `Person.name`; add a reference beside the copy, or name the one on the other side with `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Person>::fields().name);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Person.name` lies in an array, and `Share.name` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Person.name` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Share.name` is written as it is, and its source `Person.name` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Person > as __odm::Reference > ::Target,
            Person) > ::SAME && __odm::TypeProbe:: < Id < Person > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()), "`with` holds `Person.name` already; remove this copy"
        );
    };
    fn __odm_checks() {
        <Person>::fields().name.__copied_as::<String>();
    }
};

/**Typed handles of the stored fields of `Task`.

Got from `Task::fields()`, or from the handle of a field that embeds a `Task`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct TaskFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Task, Id<Task>, 0>,
    ///The field `owner`, stored as `owner`.
    owner: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Task, Id<Person>, 1>,
    ///The field `creator`, stored as `creator`.
    creator: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Task,
        Id<Person>,
        2,
    >,
    ///The field `reviewer`, stored as `reviewer`.
    reviewer: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Task,
        Option<ObjectId>,
        3,
    >,
    ///The field `former`, stored as `former`.
    former: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Task,
        Option<Id<Person>>,
        4,
    >,
    ///The field `reviewer_name`, stored as `reviewer_name`.
    reviewer_name: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Task,
        Option<String>,
        5,
    >,
    ///The field `former_name`, stored as `former_name`.
    former_name: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Task,
        Option<String>,
        6,
    >,
    ///The field `reviewed_as`, stored as `reviewed_as`.
    reviewed_as: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Task,
        String,
        7,
    >,
    ///The field `shares`, stored as `shares`.
    shares: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Task, Vec<Share>, 8>,
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
            creator: __odm::Field::NEW,
            reviewer: __odm::Field::NEW,
            former: __odm::Field::NEW,
            reviewer_name: __odm::Field::NEW,
            former_name: __odm::Field::NEW,
            reviewed_as: __odm::Field::NEW,
            shares: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Task {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = TaskFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Task";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Task>>::ARRAY,
                    __odm::TypeProbe::<Id<Task>>::EMBED,
                ),
            __odm::FieldShape::new("owner", "owner")
                .of_type(
                    __odm::TypeProbe::<Id<Person>>::ARRAY,
                    __odm::TypeProbe::<Id<Person>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Parent,
                            || {
                                <<Id<
                                    Person,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Id<Person>>,
                        )
                        .keyed(<Id<Person> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Id<Person>>::OPTION)
                        .on_delete(__odm::OnDelete::Restrict),
                ),
            __odm::FieldShape::new("creator", "creator")
                .of_type(
                    __odm::TypeProbe::<Id<Person>>::ARRAY,
                    __odm::TypeProbe::<Id<Person>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Parent,
                            || {
                                <<Id<
                                    Person,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Id<Person>>,
                        )
                        .keyed(<Id<Person> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Id<Person>>::OPTION)
                        .on_delete(__odm::OnDelete::Cascade),
                ),
            __odm::FieldShape::new("reviewer", "reviewer")
                .of_type(
                    __odm::TypeProbe::<Option<ObjectId>>::ARRAY,
                    __odm::TypeProbe::<Option<ObjectId>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            || <Person as __odm::Model>::SHAPE,
                            __odm::inner_path::<Option<ObjectId>>,
                        )
                        .optional(__odm::TypeProbe::<Option<ObjectId>>::OPTION)
                        .on_delete(__odm::OnDelete::Nullify),
                ),
            __odm::FieldShape::new("former", "former")
                .of_type(
                    __odm::TypeProbe::<Option<Id<Person>>>::ARRAY,
                    __odm::TypeProbe::<Option<Id<Person>>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            || {
                                <<Option<
                                    Id<Person>,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Option<Id<Person>>>,
                        )
                        .keyed(<Option<Id<Person>> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Option<Id<Person>>>::OPTION)
                        .on_delete(__odm::OnDelete::Keep),
                ),
            __odm::FieldShape::new("reviewer_name", "reviewer_name")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Person as __odm::Model>::SHAPE,
                            || <Person>::fields().name.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<String>>::OPTION)
                        .via("reviewer"),
                ),
            __odm::FieldShape::new("former_name", "former_name")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Person as __odm::Model>::SHAPE,
                            || <Person>::fields().name.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<String>>::OPTION)
                        .via("former")
                        .on_delete(__odm::OnDelete::Nullify),
                ),
            __odm::FieldShape::new("reviewed_as", "reviewed_as")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Person as __odm::Model>::SHAPE,
                            || <Person>::fields().name.path(),
                        )
                        .optional(__odm::TypeProbe::<String>::OPTION)
                        .via("reviewer")
                        .snapshot(),
                ),
            __odm::FieldShape::new("shares", "shares")
                .of_type(
                    __odm::TypeProbe::<Vec<Share>>::ARRAY,
                    __odm::TypeProbe::<Vec<Share>>::EMBED,
                ),
        ];
    }
    #[automatically_derived]
    impl Task {
        ///Returns typed handles of the stored fields of `Task`, for filters, sorts and updates.
        fn fields() -> TaskFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Task {
        type Key = <Id<Task> as __odm::IdOf<Task>>::Key;
        type Id = Id<Task>;
        fn id(&self) -> &Id<Task> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "tasks",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    #[automatically_derived]
    impl __odm::Refers<<Id<Person> as __odm::Reference>::Target, 1> for Task {}
    #[automatically_derived]
    impl __odm::Refers<<Id<Person> as __odm::Reference>::Target, 2> for Task {}
    #[automatically_derived]
    impl __odm::Refers<Person, 3> for Task {}
    #[automatically_derived]
    impl __odm::Refers<<Option<Id<Person>> as __odm::Reference>::Target, 4> for Task {}
    #[automatically_derived]
    impl Task {
        const __ODM_OWNER: __odm::Relation<
            Self,
            <Id<Person> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "Task.owner",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.owner,
                __odm_found,
            ),
            <Id<Person> as __odm::Reference>::target_path,
        );
        const __ODM_CREATOR: __odm::Relation<
            Self,
            <Id<Person> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "Task.creator",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.creator,
                __odm_found,
            ),
            <Id<Person> as __odm::Reference>::target_path,
        );
        const __ODM_REVIEWER: __odm::Relation<Self, Person> = __odm::Relation::new(
            "Task.reviewer",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.reviewer,
                __odm_found,
            ),
            || ::std::string::String::from("_id"),
        );
        const __ODM_FORMER: __odm::Relation<
            Self,
            <Option<Id<Person>> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "Task.former",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.former,
                __odm_found,
            ),
            <Option<Id<Person>> as __odm::Reference>::target_path,
        );
        /**Loads the document that `owner` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_owner(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<<Id<Person> as __odm::Reference>::Target> {
            Self::__ODM_OWNER.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `owner` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_owner<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Id<Person> as __odm::Reference>::Target> {
            Self::__ODM_OWNER.join_one(owners, odm)
        }
        /**Loads the document that `creator` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_creator(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<<Id<Person> as __odm::Reference>::Target> {
            Self::__ODM_CREATOR.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `creator` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_creator<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Id<Person> as __odm::Reference>::Target> {
            Self::__ODM_CREATOR.join_one(owners, odm)
        }
        /**Loads the document that `reviewer` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_reviewer(&self, odm: &impl __odm::Executor) -> __odm::LoadOne<Person> {
            Self::__ODM_REVIEWER.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `reviewer` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_reviewer<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, Person> {
            Self::__ODM_REVIEWER.join_one(owners, odm)
        }
        /**Loads the document that `former` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_former(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<<Option<Id<Person>> as __odm::Reference>::Target> {
            Self::__ODM_FORMER.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `former` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_former<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Option<Id<Person>> as __odm::Reference>::Target> {
            Self::__ODM_FORMER.join_one(owners, odm)
        }
    }
    __odm::gives!(
        Task { id 628021283683842752 Id < Task >, owner 12002927925776846068 Id < Person
        >, creator 16248577442244752791 Id < Person >, reviewer 11517315385103120410
        Option < ObjectId >, former 7263570140069044860 Option < Id < Person > >,
        reviewer_name 17197724976052003964 Option < String >, former_name
        181478667278424146 Option < String >, reviewed_as 8192434672484834221 String,
        shares 579259485732233489 Vec < Share >, }
    );
    const _: () = ::core::assert!(
        ! < Id < Person > as __odm::Keys > ::MANY,
        "`#[parent_ref]` needs one key, and `Task.owner` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        ! < Id < Person > as __odm::Keys > ::MANY,
        "`#[parent_ref]` needs one key, and `Task.creator` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        ! < Option < ObjectId > as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Task.reviewer` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < ObjectId > > ::EMBED.is_none(),
        "`nullify` belongs to the reference inside the struct that `Task.reviewer` embeds; write it there"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < ObjectId > > ::OPTION,
        "`nullify` sets `Task.reviewer` to null, and it is no `Option`; make it one, or choose another rule"
    );
    const _: () = ::core::assert!(
        ! < Option < Id < Person > > as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Task.former` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Person>::fields().name);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Person.name` lies in an array, and `Task.reviewer_name` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Person.name` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Task.reviewer_name` is written as it is, and its source `Person.name` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (Person, Person) > ::SAME && __odm::TypeProbe:: <
            Option < ObjectId > > ::EMBED.is_none() && __ODM_SOURCE.is_id()),
            "`reviewer` holds `Person.name` already; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (Person, Person) > ::SAME || __odm::TypeProbe:: < Option <
        String > > ::OPTION,
        "`reviewer` becomes null when its target is deleted, its copy `Task.reviewer_name` with it, and that is no `Option`; make it one"
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Person>::fields().name);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Person.name` lies in an array, and `Task.former_name` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Person.name` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Task.former_name` is written as it is, and its source `Person.name` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Option < Id < Person > > as __odm::Reference >
            ::Target, Person) > ::SAME && __odm::TypeProbe:: < Option < Id < Person > > >
            ::EMBED.is_none() && __ODM_SOURCE.is_id()),
            "`former` holds `Person.name` already; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < String > > ::OPTION,
        "`nullify` sets `Task.former_name` to null, and it is no `Option`; make it one, or choose another rule"
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Person>::fields().name);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Person.name` lies in an array, and `Task.reviewed_as` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Person.name` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Task.reviewed_as` is written as it is, and its source `Person.name` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (Person, Person) > ::SAME && __odm::TypeProbe:: <
            Option < ObjectId > > ::EMBED.is_none() && __ODM_SOURCE.is_id()),
            "`reviewer` holds `Person.name` already; remove this copy"
        );
    };
    fn __odm_checks() {
        __odm::check_plain_reference::<Option<ObjectId>, Person>();
        <Person>::fields().name.__copied_as::<Option<String>>();
        <Task>::fields().reviewer.__refers_to::<Person>();
        <Person>::fields().name.__copied_as::<Option<String>>();
        <Task>::fields().former.__refers_to::<Person>();
        <Person>::fields().name.__copied_as::<String>();
        <Task>::fields().reviewer.__refers_to::<Person>();
        __odm::check_id::<Id<Task>, Task>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Task as __odm::Model > ::SHAPE)
    }
};
