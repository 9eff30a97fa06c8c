/**Typed handles of the stored fields of `Task`.

Got from `Task::fields()`, or from the handle of a field that embeds a `Task`.*/
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
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Task, Id<Task>, 0>,
    ///The field `owner`, stored as `owner`.
    owner: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Task, PersonRef, 1>,
    ///The field `reviewer`, stored as `reviewer`.
    reviewer: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Task,
        Option<PersonRef>,
        2,
    >,
    ///The field `watchers`, stored as `watchers`.
    watchers: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Task,
        Vec<PersonRef>,
        3,
    >,
    ///The field `creator`, stored as `creator`.
    creator: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Task, PersonRef, 4>,
    ///The field `former`, stored as `former`.
    former: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Task, PersonRef, 5>,
}
#[doc(hidden)]
#[allow(
    dead_code,
    deprecated,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    non_camel_case_types,
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
            reviewer: __odm::Field::NEW,
            watchers: __odm::Field::NEW,
            creator: __odm::Field::NEW,
            former: __odm::Field::NEW,
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
                    __odm::TypeProbe::<PersonRef>::ARRAY,
                    __odm::TypeProbe::<PersonRef>::EMBED,
                ),
            __odm::FieldShape::new("reviewer", "reviewer")
                .of_type(
                    __odm::TypeProbe::<Option<PersonRef>>::ARRAY,
                    __odm::TypeProbe::<Option<PersonRef>>::EMBED,
                )
                .on_delete(__odm::OnDelete::Nullify),
            __odm::FieldShape::new("watchers", "watchers")
                .of_type(
                    __odm::TypeProbe::<Vec<PersonRef>>::ARRAY,
                    __odm::TypeProbe::<Vec<PersonRef>>::EMBED,
                )
                .max(20u32)
                .on_delete(__odm::OnDelete::Pull),
            __odm::FieldShape::new("creator", "creator")
                .of_type(
                    __odm::TypeProbe::<PersonRef>::ARRAY,
                    __odm::TypeProbe::<PersonRef>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Parent,
                            || {
                                <<PersonRef as __odm::Reference>::Target as __odm::Described>::SHAPE
                            },
                            __odm::inner_path::<PersonRef>,
                        )
                        .keyed(<PersonRef as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<PersonRef>::OPTION)
                        .on_delete(__odm::OnDelete::Cascade),
                ),
            __odm::FieldShape::new("former", "former")
                .of_type(
                    __odm::TypeProbe::<PersonRef>::ARRAY,
                    __odm::TypeProbe::<PersonRef>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            || {
                                <<PersonRef as __odm::Reference>::Target as __odm::Described>::SHAPE
                            },
                            __odm::inner_path::<PersonRef>,
                        )
                        .keyed(<PersonRef as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<PersonRef>::OPTION),
                )
                .on_delete(__odm::OnDelete::Keep),
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
    impl __odm::Described for Task {
        type Key = <Id<Task> as __odm::IdOf<Task>>::Key;
        type Id = Id<Task>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "tasks",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    #[automatically_derived]
    impl __odm::Storable for Task {
        fn stored_id(&self) -> &Id<Task> {
            &self.id
        }
    }
    #[automatically_derived]
    impl __odm::Documents for Task {}
    #[automatically_derived]
    impl __odm::Model for Task {}
    #[automatically_derived]
    impl __odm::Refers<<PersonRef as __odm::Reference>::Target, 4> for Task {}
    #[automatically_derived]
    impl __odm::Refers<<PersonRef as __odm::Reference>::Target, 5> for Task {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_creator {}
    #[diagnostic::do_not_recommend]
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
    #[diagnostic::do_not_recommend]
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("former") }> for Task {
        type Relation = __OdmBy_former;
    }
    #[automatically_derived]
    impl Task {
        const __ODM_CREATOR: __odm::Relation<
            Self,
            <PersonRef as __odm::Reference>::Target,
            __OdmBy_creator,
        > = __odm::Relation::new(
            "Task.creator",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.creator,
                __odm_found,
            ),
            <PersonRef as __odm::Reference>::target_path,
        );
        const __ODM_FORMER: __odm::Relation<
            Self,
            <PersonRef as __odm::Reference>::Target,
            __OdmBy_former,
        > = __odm::Relation::new(
            "Task.former",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.former,
                __odm_found,
            ),
            <PersonRef as __odm::Reference>::target_path,
        );
        /**Loads the document that `creator` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        #[track_caller]
        fn load_creator(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<<PersonRef as __odm::Reference>::Target> {
            Self::__ODM_CREATOR.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `creator` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        #[track_caller]
        fn join_creator<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<
            Self,
            <PersonRef as __odm::Reference>::Target,
            __OdmBy_creator,
        > {
            Self::__ODM_CREATOR.join_one(owners, odm)
        }
        /**Loads the document that `former` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        #[track_caller]
        fn load_former(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<<PersonRef as __odm::Reference>::Target> {
            Self::__ODM_FORMER.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `former` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        #[track_caller]
        fn join_former<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, <PersonRef as __odm::Reference>::Target, __OdmBy_former> {
            Self::__ODM_FORMER.join_one(owners, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Task>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<PersonRef>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < PersonRef > > ::OPTION,
        "`nullify` sets `Task.reviewer` to null, and it is no `Option`; make it one, or choose another rule"
    );
    const _: () = ::core::assert!(
        __odm::declares_nothing(__odm::TypeProbe:: < Option < PersonRef > > ::IN_MAP),
        "`Task.reviewer` is a map of structs with copies, bounds, indexes or delete rules, and MongoDB updates no elements of a map; make it a `Vec` of a struct with the key in a field of its own"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Vec < PersonRef > > ::ARRAY,
        "`pull` removes an element of an array, and `Task.watchers` is a single struct; write `nullify` and make it an `Option`, or write `cascade` or `restrict`"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < PersonRef > > ::ARRAY || __odm::TypeProbe:: < Vec <
        PersonRef > > ::GROWS,
        "`pull` removes elements, and `Task.watchers` always has as many; make it a `Vec`"
    );
    const _: () = ::core::assert!(
        __odm::declares_nothing(__odm::TypeProbe:: < Vec < PersonRef > > ::IN_MAP),
        "`Task.watchers` is a map of structs with copies, bounds, indexes or delete rules, and MongoDB updates no elements of a map; make it a `Vec` of a struct with the key in a field of its own"
    );
    const _: () = ::core::assert!(
        ! < PersonRef as __odm::Keys > ::MANY,
        "`#[parent_ref]` needs one key, and `Task.creator` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        < PersonRef as __odm::Keys > ::ARRAYS < 2,
        "`Task.creator` is an array of arrays, and references are in one; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<PersonRef>::FOREIGN);
    const _: () = ::core::assert!(
        ! < PersonRef as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Task.former` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        < PersonRef as __odm::Keys > ::ARRAYS < 2,
        "`Task.former` is an array of arrays, and references are in one; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        fn __odm_refers<T: __odm::Reference>() {}
        __odm_embeds::<Option<PersonRef>>();
        __odm_refers::<Option<PersonRef>>();
        <Task>::fields().watchers.__is_array();
        __odm_refers::<Vec<PersonRef>>();
        __odm_embeds::<PersonRef>();
        __odm_refers::<PersonRef>();
        __odm::check_id::<Id<Task>, Task>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Task as __odm::Described > ::SHAPE)
    }
};
