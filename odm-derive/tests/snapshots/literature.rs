/**Typed handles of the stored fields of `Address`.

Got from `Address::fields()`, or from the handle of a field that embeds a `Address`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct AddressFields<__OdmDocument, __OdmPath> {
    ///The field `street`, stored as `street`.
    street: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Address, String, 0>,
    ///The field `city`, stored as `city`.
    city: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Address, String, 1>,
    ///The field `cc`, stored as `cc`.
    cc: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Address, String, 2>,
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
    for AddressFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for AddressFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for AddressFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            street: __odm::Field::NEW,
            city: __odm::Field::NEW,
            cc: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Address {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = AddressFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Address";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("street", "street")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                ),
            __odm::FieldShape::new("city", "city")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                ),
            __odm::FieldShape::new("cc", "cc")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                ),
        ];
    }
    #[automatically_derived]
    impl Address {
        ///Returns typed handles of the stored fields of `Address`, for filters, sorts and updates.
        fn fields() -> AddressFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Address {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            <Self as __odm::HasFields>::NAME,
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    __odm::gives!(
        Address { street 5718531220862952254 String, city 18003902094994090146 String, cc
        622144394032190307 String, }
    );
};

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
    ///The field `addresses`, stored as `addresses`.
    addresses: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Person,
        Vec<Address>,
        2,
    >,
    ///The field `tasks`, stored as `tasks`.
    tasks: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Person,
        Vec<Id<Task>>,
        3,
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
            addresses: __odm::Field::NEW,
            tasks: __odm::Field::NEW,
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
            __odm::FieldShape::new("addresses", "addresses")
                .of_type(
                    __odm::TypeProbe::<Vec<Address>>::ARRAY,
                    __odm::TypeProbe::<Vec<Address>>::EMBED,
                )
                .max(200u32),
            __odm::FieldShape::new("tasks", "tasks")
                .of_type(
                    __odm::TypeProbe::<Vec<Id<Task>>>::ARRAY,
                    __odm::TypeProbe::<Vec<Id<Task>>>::EMBED,
                )
                .max(2000u32)
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            || {
                                <<Vec<
                                    Id<Task>,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Vec<Id<Task>>>,
                        )
                        .keyed(<Vec<Id<Task>> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Vec<Id<Task>>>::OPTION)
                        .inverse("owner"),
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
    impl __odm::Refers<<Vec<Id<Task>> as __odm::Reference>::Target, 3> for Person {}
    #[automatically_derived]
    impl Person {
        const __ODM_TASKS: __odm::Relation<
            Self,
            <Vec<Id<Task>> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "Person.tasks",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.tasks,
                __odm_found,
            ),
            <Vec<Id<Task>> as __odm::Reference>::target_path,
        );
        /**Loads the documents that `tasks` refers to, in stored order with repeats.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadMany` for options and errors.*/
        fn load_tasks(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadMany<<Vec<Id<Task>> as __odm::Reference>::Target> {
            Self::__ODM_TASKS.load_many(self, odm)
        }
        /**Loads, for many owners at once, what `tasks` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_tasks<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Vec<Id<Task>> as __odm::Reference>::Target> {
            Self::__ODM_TASKS.join(owners, odm)
        }
        /**Counts the documents that `tasks` refers to, in stored order with repeats.

The server counts, and nothing is sent when there are no keys. The key in the target needs an index; `_id` has one. See `CountRelated` for options and errors.*/
        fn count_tasks(&self, odm: &impl __odm::Executor) -> __odm::CountRelated {
            Self::__ODM_TASKS.count(self, odm)
        }
    }
    __odm::gives!(
        Person { id 628021283683842752 Id < Person >, name 14176396743819860870 String,
        addresses 14764101859070121507 Vec < Address >, tasks 565226122958520589 Vec < Id
        < Task > >, }
    );
    const _: () = ::core::assert!(
        < Vec < Id < Task > > as __odm::Keys > ::MANY,
        "`#[refs(many)]` needs an array, and `Person.tasks` holds one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        match __odm::find_field(< < Vec < Id < Task > > as __odm::Reference > ::Target as
        __odm::HasFields > ::FIELDS, "owner") { ::core::option::Option::Some(field) if
        field.reference.is_some() => __odm::names_back(< < Vec < Id < Task > > as
        __odm::Reference > ::Target as __odm::HasFields > ::FIELDS, "owner", "tasks"), _
        => true, },
        "`Person.tasks` names `owner` as its inverse, and `owner` does not name `tasks`; add `inverse = \"tasks\"` to `owner`, or remove this one"
    );
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        <Person>::fields().addresses.__is_array();
        <<Vec<Id<Task>> as __odm::Reference>::Target>::fields()
            .owner
            .__refers_to::<Person>();
        <Person>::fields().tasks.__is_array();
        __odm::check_id::<Id<Person>, Person>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Person as __odm::Model > ::SHAPE)
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
    ///The field `description`, stored as `description`.
    description: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Task,
        String,
        1,
    >,
    ///The field `due_date`, stored as `due_date`.
    due_date: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Task, DateTime, 2>,
    ///The field `owner`, stored as `owner`.
    owner: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Task, Id<Person>, 3>,
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
            description: __odm::Field::NEW,
            due_date: __odm::Field::NEW,
            owner: __odm::Field::NEW,
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
            __odm::FieldShape::new("description", "description")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                ),
            __odm::FieldShape::new("due_date", "due_date")
                .of_type(
                    __odm::TypeProbe::<DateTime>::ARRAY,
                    __odm::TypeProbe::<DateTime>::EMBED,
                )
                .index(__odm::IndexShape::new(&[])),
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
                        .inverse("tasks"),
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
    impl __odm::Refers<<Id<Person> as __odm::Reference>::Target, 3> for Task {}
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
    }
    __odm::gives!(
        Task { id 628021283683842752 Id < Task >, description 919940972634798377 String,
        due_date 15181040552386790122 DateTime, owner 12002927925776846068 Id < Person >,
        }
    );
    const _: () = ::core::assert!(
        ! < Id < Person > as __odm::Keys > ::MANY,
        "`#[parent_ref]` needs one key, and `Task.owner` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        match __odm::find_field(< < Id < Person > as __odm::Reference > ::Target as
        __odm::HasFields > ::FIELDS, "tasks") { ::core::option::Option::Some(field) if
        field.reference.is_some() => __odm::names_back(< < Id < Person > as
        __odm::Reference > ::Target as __odm::HasFields > ::FIELDS, "tasks", "owner"), _
        => true, },
        "`Task.owner` names `tasks` as its inverse, and `tasks` does not name `owner`; add `inverse = \"owner\"` to `tasks`, or remove this one"
    );
    fn __odm_checks() {
        <<Id<Person> as __odm::Reference>::Target>::fields().tasks.__refers_to::<Task>();
        __odm::check_id::<Id<Task>, Task>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Task as __odm::Model > ::SHAPE)
    }
};

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
    __odm::gives!(
        PartLine { id 628021283683842752 Id < Part >, name 14176396743819860870 String, }
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
    {
        fn from(__odm_source: &Part) -> Self {
            Self {
                id: <Part as __odm::GivesKey<'_, Id<Part>>>::give_key(__odm_source),
                name: <Part as __odm::Gives<
                    '_,
                    String,
                    __odm::Step<14176396743819860870, __odm::Here>,
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
    fn __odm_checks() {
        <Part>::fields().name.__copied_as::<String>();
    }
};

/**Typed handles of the stored fields of `Product`.

Got from `Product::fields()`, or from the handle of a field that embeds a `Product`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct ProductFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Product, Id<Product>, 0>,
    ///The field `name`, stored as `name`.
    name: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Product, String, 1>,
    ///The field `manufacturer`, stored as `manufacturer`.
    manufacturer: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Product,
        String,
        2,
    >,
    ///The field `catalog_number`, stored as `catalog_number`.
    catalog_number: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Product,
        i64,
        3,
    >,
    ///The field `parts`, stored as `parts`.
    parts: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Product,
        Vec<PartLine>,
        4,
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
    for ProductFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for ProductFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for ProductFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            name: __odm::Field::NEW,
            manufacturer: __odm::Field::NEW,
            catalog_number: __odm::Field::NEW,
            parts: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Product {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = ProductFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Product";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Product>>::ARRAY,
                    __odm::TypeProbe::<Id<Product>>::EMBED,
                ),
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                ),
            __odm::FieldShape::new("manufacturer", "manufacturer")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                ),
            __odm::FieldShape::new("catalog_number", "catalog_number")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED)
                .index(__odm::IndexShape::new(&[]).unique()),
            __odm::FieldShape::new("parts", "parts")
                .of_type(
                    __odm::TypeProbe::<Vec<PartLine>>::ARRAY,
                    __odm::TypeProbe::<Vec<PartLine>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            || {
                                <<Vec<
                                    PartLine,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Vec<PartLine>>,
                        )
                        .keyed(<Vec<PartLine> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Vec<PartLine>>::OPTION),
                ),
        ];
    }
    #[automatically_derived]
    impl Product {
        ///Returns typed handles of the stored fields of `Product`, for filters, sorts and updates.
        fn fields() -> ProductFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Product {
        type Key = <Id<Product> as __odm::IdOf<Product>>::Key;
        type Id = Id<Product>;
        fn id(&self) -> &Id<Product> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::NAME,
                "products",
                <Self as __odm::HasFields>::FIELDS,
            )
            .indexes(
                &[
                    __odm::IndexShape::new(
                        &[
                            __odm::IndexKey::new(
                                || <Product>::fields().name.path(),
                                __odm::IndexKind::Ascending,
                            ),
                            __odm::IndexKey::new(
                                || <Product>::fields().manufacturer.path(),
                                __odm::IndexKind::Ascending,
                            ),
                        ],
                    ),
                ],
            );
    }
    #[automatically_derived]
    impl __odm::Refers<<Vec<PartLine> as __odm::Reference>::Target, 4> for Product {}
    #[automatically_derived]
    impl Product {
        const __ODM_PARTS: __odm::Relation<
            Self,
            <Vec<PartLine> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "Product.parts",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.parts,
                __odm_found,
            ),
            <Vec<PartLine> as __odm::Reference>::target_path,
        );
        /**Loads the documents that `parts` refers to, in stored order with repeats.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadMany` for options and errors.*/
        fn load_parts(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadMany<<Vec<PartLine> as __odm::Reference>::Target> {
            Self::__ODM_PARTS.load_many(self, odm)
        }
        /**Loads, for many owners at once, what `parts` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_parts<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Vec<PartLine> as __odm::Reference>::Target> {
            Self::__ODM_PARTS.join(owners, odm)
        }
        /**Counts the documents that `parts` refers to, in stored order with repeats.

The server counts, and nothing is sent when there are no keys. The key in the target needs an index; `_id` has one. See `CountRelated` for options and errors.*/
        fn count_parts(&self, odm: &impl __odm::Executor) -> __odm::CountRelated {
            Self::__ODM_PARTS.count(self, odm)
        }
    }
    __odm::gives!(
        Product { id 628021283683842752 Id < Product >, name 14176396743819860870 String,
        manufacturer 14725331760395725488 String, catalog_number 7926630925497731104 i64,
        parts 887663944871270597 Vec < PartLine >, }
    );
    const _: () = ::core::assert!(
        < Vec < PartLine > as __odm::Keys > ::MANY,
        "`#[refs(many)]` needs an array, and `Product.parts` holds one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        __odm_embeds::<Vec<PartLine>>();
        __odm::check_id::<Id<Product>, Product>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Product as __odm::Model > ::SHAPE)
    }
};

/**Typed handles of the stored fields of `Part`.

Got from `Part::fields()`, or from the handle of a field that embeds a `Part`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct PartFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Part, Id<Part>, 0>,
    ///The field `partno`, stored as `partno`.
    partno: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Part, String, 1>,
    ///The field `name`, stored as `name`.
    name: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Part, String, 2>,
    ///The field `qty`, stored as `qty`.
    qty: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Part, i64, 3>,
    ///The field `cost`, stored as `cost`.
    cost: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Part, f64, 4>,
    ///The field `price`, stored as `price`.
    price: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Part, f64, 5>,
    ///The field `product_name`, stored as `product_name`.
    product_name: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Part,
        Option<String>,
        6,
    >,
    ///The field `product_catalog_number`, stored as `product_catalog_number`.
    product_catalog_number: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Part,
        Option<i64>,
        7,
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
            partno: __odm::Field::NEW,
            name: __odm::Field::NEW,
            qty: __odm::Field::NEW,
            cost: __odm::Field::NEW,
            price: __odm::Field::NEW,
            product_name: __odm::Field::NEW,
            product_catalog_number: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Part {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = PartFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Part";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Part>>::ARRAY,
                    __odm::TypeProbe::<Id<Part>>::EMBED,
                ),
            __odm::FieldShape::new("partno", "partno")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .index(__odm::IndexShape::new(&[]).unique()),
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                ),
            __odm::FieldShape::new("qty", "qty")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED),
            __odm::FieldShape::new("cost", "cost")
                .of_type(__odm::TypeProbe::<f64>::ARRAY, __odm::TypeProbe::<f64>::EMBED),
            __odm::FieldShape::new("price", "price")
                .of_type(__odm::TypeProbe::<f64>::ARRAY, __odm::TypeProbe::<f64>::EMBED),
            __odm::FieldShape::new("product_name", "product_name")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Product as __odm::Model>::SHAPE,
                            || <Product>::fields().name.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<String>>::OPTION)
                        .via("Product.parts")
                        .keys_in_source(
                            || <Product>::fields().parts.__reference_path(),
                            || <Product>::fields().parts.__target_path(),
                        ),
                ),
            __odm::FieldShape::new("product_catalog_number", "product_catalog_number")
                .of_type(
                    __odm::TypeProbe::<Option<i64>>::ARRAY,
                    __odm::TypeProbe::<Option<i64>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Product as __odm::Model>::SHAPE,
                            || <Product>::fields().catalog_number.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<i64>>::OPTION)
                        .via("Product.parts")
                        .keys_in_source(
                            || <Product>::fields().parts.__reference_path(),
                            || <Product>::fields().parts.__target_path(),
                        ),
                ),
        ];
    }
    #[automatically_derived]
    impl Part {
        ///Returns typed handles of the stored fields of `Part`, for filters, sorts and updates.
        fn fields() -> PartFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Part {
        type Key = <Id<Part> as __odm::IdOf<Part>>::Key;
        type Id = Id<Part>;
        fn id(&self) -> &Id<Part> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "parts",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    __odm::gives!(
        Part { id 628021283683842752 Id < Part >, partno 16737783974963265491 String,
        name 14176396743819860870 String, qty 8111889035238652307 i64, cost
        859913274118676344 f64, price 3393610910270210282 f64, product_name
        8218899360307496514 Option < String >, product_catalog_number 2948749427117142444
        Option < i64 >, }
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Product>::fields().name);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Product.name` lies in an array, and `Part.product_name` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Product.name` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Part.product_name` is written as it is, and its source `Product.name` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <Product>::fields().catalog_number
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Product.catalog_number` lies in an array, and `Part.product_catalog_number` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Product.catalog_number` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Part.product_catalog_number` is written as it is, and its source `Product.catalog_number` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
    };
    fn __odm_checks() {
        <Product>::fields().name.__copied_as::<Option<String>>();
        <Product>::fields().parts.__belongs_to::<Product>();
        <Product>::fields().parts.__refers_to::<Part>();
        <Product>::fields().catalog_number.__copied_as::<Option<i64>>();
        <Product>::fields().parts.__belongs_to::<Product>();
        <Product>::fields().parts.__refers_to::<Part>();
        __odm::check_id::<Id<Part>, Part>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Part as __odm::Model > ::SHAPE)
    }
};

/**Typed handles of the stored fields of `Host`.

Got from `Host::fields()`, or from the handle of a field that embeds a `Host`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct HostFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Host, Id<Host>, 0>,
    ///The field `name`, stored as `name`.
    name: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Host, String, 1>,
    ///The field `ipaddr`, stored as `ipaddr`.
    ipaddr: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Host, String, 2>,
    ///The field `logmsgs`, stored as `logmsgs`.
    logmsgs: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Host,
        Vec<LogLine>,
        3,
    >,
    ///The field `messages_total`, stored as `messages_total`.
    messages_total: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Host,
        i64,
        4,
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
    for HostFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for HostFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for HostFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            name: __odm::Field::NEW,
            ipaddr: __odm::Field::NEW,
            logmsgs: __odm::Field::NEW,
            messages_total: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Host {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = HostFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Host";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Host>>::ARRAY,
                    __odm::TypeProbe::<Id<Host>>::EMBED,
                ),
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                ),
            __odm::FieldShape::new("ipaddr", "ipaddr")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .index(__odm::IndexShape::new(&[]).unique()),
            __odm::FieldShape::new("logmsgs", "logmsgs")
                .of_type(
                    __odm::TypeProbe::<Vec<LogLine>>::ARRAY,
                    __odm::TypeProbe::<Vec<LogLine>>::EMBED,
                )
                .recent(
                    __odm::RecentShape::new(
                        || <LogMsg as __odm::Model>::SHAPE,
                        || <LogMsg>::fields().host.__reference_path(),
                        || <LogMsg>::fields().time.path(),
                        1000u32,
                    ),
                ),
            __odm::FieldShape::new("messages_total", "messages_total")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED)
                .rollup(
                    __odm::RollupShape::new(
                        __odm::RollupKind::Count,
                        || <LogMsg as __odm::Model>::SHAPE,
                        || <LogMsg>::fields().host.__reference_path(),
                    ),
                ),
        ];
    }
    #[automatically_derived]
    impl Host {
        ///Returns typed handles of the stored fields of `Host`, for filters, sorts and updates.
        fn fields() -> HostFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Host {
        type Key = <Id<Host> as __odm::IdOf<Host>>::Key;
        type Id = Id<Host>;
        fn id(&self) -> &Id<Host> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::NAME,
                "hosts",
                <Self as __odm::HasFields>::FIELDS,
            )
            .has_many(
                &[
                    __odm::HasManyShape::new(
                        "messages",
                        || <LogMsg as __odm::Model>::SHAPE,
                        || <LogMsg>::fields().host.__reference_path(),
                    ),
                ],
            );
    }
    #[automatically_derived]
    impl Host {
        const __ODM_MESSAGES: __odm::Relation<Self, LogMsg> = __odm::Relation::new(
            "Host.messages",
            |__odm_owner, __odm_found| __odm::owner_keys(
                __odm_owner,
                <LogMsg>::fields().host.shape(),
                __odm_found,
            ),
            || <LogMsg>::fields().host.__reference_path(),
        );
        /**Loads the documents whose `LogMsg.host` refers to this `Host`.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. `LogMsg.host` needs an index; `sync_indexes` makes it. See `LoadMany` for options and errors.*/
        fn load_messages(&self, odm: &impl __odm::Executor) -> __odm::LoadMany<LogMsg> {
            Self::__ODM_MESSAGES.load_many(self, odm)
        }
        /**Loads, for many owners at once, `messages`, the documents whose `LogMsg.host` refers to one of them.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. `LogMsg.host` needs an index; `sync_indexes` makes it. See `Join` for options and errors.*/
        fn join_messages<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, LogMsg> {
            Self::__ODM_MESSAGES.join(owners, odm)
        }
        /**Counts the documents whose `LogMsg.host` refers to this `Host`.

The server counts, and nothing is sent when there are no keys. `LogMsg.host` needs an index; `sync_indexes` makes it. See `CountRelated` for options and errors.*/
        fn count_messages(&self, odm: &impl __odm::Executor) -> __odm::CountRelated {
            Self::__ODM_MESSAGES.count(self, odm)
        }
    }
    __odm::gives!(
        Host { id 628021283683842752 Id < Host >, name 14176396743819860870 String,
        ipaddr 10397685402546476879 String, logmsgs 8215268897002186895 Vec < LogLine >,
        messages_total 14235524795366533840 i64, }
    );
    fn __odm_checks() {
        fn __odm_lists<T: ::mongo_odm::field::ArrayType<Item: __odm::Projection<C>>, C>() {}
        __odm_lists::<Vec<LogLine>, LogMsg>();
        <LogMsg>::fields().host.__refers_to::<Host>();
        <LogMsg>::fields().time.path();
        <LogMsg>::fields().host.__refers_to::<Host>();
        __odm::check_id::<Id<Host>, Host>();
        <LogMsg>::fields().host.__refers_to::<Host>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Host as __odm::Model > ::SHAPE)
    }
};

/**Typed handles of the stored fields of `LogMsg`.

Got from `LogMsg::fields()`, or from the handle of a field that embeds a `LogMsg`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct LogMsgFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, LogMsg, Id<LogMsg>, 0>,
    ///The field `time`, stored as `time`.
    time: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, LogMsg, DateTime, 1>,
    ///The field `message`, stored as `message`.
    message: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, LogMsg, String, 2>,
    ///The field `host`, stored as `host`.
    host: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, LogMsg, Id<Host>, 3>,
    ///The field `ipaddr`, stored as `ipaddr`.
    ipaddr: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, LogMsg, String, 4>,
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
    for LogMsgFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for LogMsgFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for LogMsgFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            time: __odm::Field::NEW,
            message: __odm::Field::NEW,
            host: __odm::Field::NEW,
            ipaddr: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for LogMsg {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = LogMsgFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "LogMsg";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<LogMsg>>::ARRAY,
                    __odm::TypeProbe::<Id<LogMsg>>::EMBED,
                ),
            __odm::FieldShape::new("time", "time")
                .of_type(
                    __odm::TypeProbe::<DateTime>::ARRAY,
                    __odm::TypeProbe::<DateTime>::EMBED,
                ),
            __odm::FieldShape::new("message", "message")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                ),
            __odm::FieldShape::new("host", "host")
                .of_type(
                    __odm::TypeProbe::<Id<Host>>::ARRAY,
                    __odm::TypeProbe::<Id<Host>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Parent,
                            || {
                                <<Id<
                                    Host,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Id<Host>>,
                        )
                        .keyed(<Id<Host> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Id<Host>>::OPTION),
                ),
            __odm::FieldShape::new("ipaddr", "ipaddr")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Host as __odm::Model>::SHAPE,
                            || <Host>::fields().ipaddr.path(),
                        )
                        .optional(__odm::TypeProbe::<String>::OPTION),
                ),
        ];
    }
    #[automatically_derived]
    impl LogMsg {
        ///Returns typed handles of the stored fields of `LogMsg`, for filters, sorts and updates.
        fn fields() -> LogMsgFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for LogMsg {
        type Key = <Id<LogMsg> as __odm::IdOf<LogMsg>>::Key;
        type Id = Id<LogMsg>;
        fn id(&self) -> &Id<LogMsg> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::NAME,
                "logmsg",
                <Self as __odm::HasFields>::FIELDS,
            )
            .indexes(
                &[
                    __odm::IndexShape::new(
                        &[
                            __odm::IndexKey::new(
                                || <LogMsg>::fields().host.path(),
                                __odm::IndexKind::Ascending,
                            ),
                            __odm::IndexKey::new(
                                || <LogMsg>::fields().time.path(),
                                __odm::IndexKind::Descending,
                            ),
                        ],
                    ),
                ],
            );
    }
    #[automatically_derived]
    impl __odm::Refers<<Id<Host> as __odm::Reference>::Target, 3> for LogMsg {}
    #[automatically_derived]
    impl LogMsg {
        const __ODM_HOST: __odm::Relation<
            Self,
            <Id<Host> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "LogMsg.host",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.host,
                __odm_found,
            ),
            <Id<Host> as __odm::Reference>::target_path,
        );
        /**Loads the document that `host` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_host(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<<Id<Host> as __odm::Reference>::Target> {
            Self::__ODM_HOST.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `host` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_host<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Id<Host> as __odm::Reference>::Target> {
            Self::__ODM_HOST.join_one(owners, odm)
        }
    }
    __odm::gives!(
        LogMsg { id 628021283683842752 Id < LogMsg >, time 2185518981507421060 DateTime,
        message 6080987277291999908 String, host 4645455097838390639 Id < Host >, ipaddr
        10397685402546476879 String, }
    );
    const _: () = ::core::assert!(
        ! < Id < Host > as __odm::Keys > ::MANY,
        "`#[parent_ref]` needs one key, and `LogMsg.host` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (< Id < Host > as __odm::Reference > ::Target, Host) >
            ::SAME,
            "nothing here refers to the source of `Host.ipaddr`; add a reference beside the copy, or name the one on the other side with `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Host>::fields().ipaddr);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Host.ipaddr` lies in an array, and `LogMsg.ipaddr` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Host.ipaddr` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`LogMsg.ipaddr` is written as it is, and its source `Host.ipaddr` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Host > as __odm::Reference > ::Target, Host)
            > ::SAME && __odm::TypeProbe:: < Id < Host > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()), "`host` holds `Host.ipaddr` already; remove this copy"
        );
    };
    fn __odm_checks() {
        <Host>::fields().ipaddr.__copied_as::<String>();
        __odm::check_id::<Id<LogMsg>, LogMsg>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< LogMsg as __odm::Model > ::SHAPE)
    }
};

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
    impl __odm::Projection<LogMsg> for LogLine {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            "LogLine",
            &[
                __odm::FieldShape::new("time", "time")
                    .of_type(
                        __odm::TypeProbe::<DateTime>::ARRAY,
                        __odm::TypeProbe::<DateTime>::EMBED,
                    ),
                __odm::FieldShape::new("message", "message")
                    .of_type(
                        __odm::TypeProbe::<String>::ARRAY,
                        __odm::TypeProbe::<String>::EMBED,
                    ),
            ],
        );
        const STRICT: bool = false;
    }
    const _: () = ::core::assert!(
        __odm::find_field(< LogMsg as __odm::HasFields > ::FIELDS, "time").is_none() ||
        __odm::same_stored_name(< LogMsg as __odm::HasFields > ::FIELDS, "time", "time",
        ::core::option::Option::None),
        "`LogLine.time` reads `time`, and `LogMsg` stores `time` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< LogMsg as __odm::HasFields > ::FIELDS, "message").is_none()
        || __odm::same_stored_name(< LogMsg as __odm::HasFields > ::FIELDS, "message",
        "message", ::core::option::Option::None),
        "`LogLine.message` reads `message`, and `LogMsg` stores `message` under another name or with another codec; give both the same `rename` and `with`"
    );
    fn __odm_checks() {
        <LogMsg>::fields().time.__projected_as::<DateTime>();
        <LogMsg>::fields().message.__projected_as::<String>();
    }
};
