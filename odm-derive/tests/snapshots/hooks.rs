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
        ///The field `title`, stored as `title`.
        title: __odm::Field<__OdmDocument, __OdmPath, Task, String, 1>,
        ///The field `slug`, stored as `slug`.
        slug: __odm::Field<__OdmDocument, __OdmPath, Task, String, 2>,
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
            title: __odm::Field::NEW,
            slug: __odm::Field::NEW,
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
            __odm::FieldShape::new("title", "title")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::OPTION,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<String>::FORM,
                    __odm::TypeProbe::<String>::TRACED_FORM,
                )
                .written("String"),
            __odm::FieldShape::new("slug", "slug")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::OPTION,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<String>::FORM,
                    __odm::TypeProbe::<String>::TRACED_FORM,
                )
                .written("String"),
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
            )
            .hooks(__odm::hooks_table::<Self>());
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
    impl __odm::DeclaresHooks for Task {}
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Task>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = ::core::assert!(
        { use __odm::HookProbeFallback as _; __odm::HookProbe:: < Task > ::HAS_HOOK },
        "`impl Hooks for Task` is empty; write a hook, such as `before_insert`, or remove `hooks`"
    );
    __odm::inventory::submit! {
        __odm::registered:: < Task > ()
    }
};
