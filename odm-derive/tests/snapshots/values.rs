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
        ///The field `state`, stored as `state`.
        state: __odm::Field<__OdmDocument, __OdmPath, Task, State, 1>,
        ///The field `actions`, stored as `actions`.
        actions: __odm::Field<__OdmDocument, __OdmPath, Task, Vec<Action>, 2>,
        ///The field `price`, stored as `price`.
        price: __odm::Field<__OdmDocument, __OdmPath, Task, Cents, 3>,
        ///The field `place`, stored as `place`.
        place: __odm::Field<__OdmDocument, __OdmPath, Task, (f64, f64), 4>,
        ///The field `counts`, stored as `counts`.
        counts: __odm::Field<__OdmDocument, __OdmPath, Task, HashMap<String, i64>, 5>,
        ///The field `words`, stored as `words`.
        words: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Task,
            BTreeMap<String, Vec<String>>,
            6,
        >,
        ///The field `note`, stored as `note`.
        note: __odm::Field<__OdmDocument, __OdmPath, Task, Presence<String>, 7>,
        ///The field `anything`, stored as `anything`.
        anything: __odm::Field<__OdmDocument, __OdmPath, Task, bson::Bson, 8>,
        ///The field `rest`, stored as `rest`.
        rest: __odm::Field<__OdmDocument, __OdmPath, Task, bson::Document, 9>,
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
            state: __odm::Field::NEW,
            actions: __odm::Field::NEW,
            price: __odm::Field::NEW,
            place: __odm::Field::NEW,
            counts: __odm::Field::NEW,
            words: __odm::Field::NEW,
            note: __odm::Field::NEW,
            anything: __odm::Field::NEW,
            rest: __odm::Field::NEW,
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
            __odm::FieldShape::new("state", "state")
                .of_type(
                    __odm::TypeProbe::<State>::ARRAY,
                    __odm::TypeProbe::<State>::OPTION,
                    __odm::TypeProbe::<State>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<State>::FORM,
                    __odm::TypeProbe::<State>::TRACED_FORM,
                )
                .written("State")
                .index(__odm::IndexShape::new(&[])),
            __odm::FieldShape::new("actions", "actions")
                .of_type(
                    __odm::TypeProbe::<Vec<Action>>::ARRAY,
                    __odm::TypeProbe::<Vec<Action>>::OPTION,
                    __odm::TypeProbe::<Vec<Action>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<Action>>::FORM,
                    __odm::TypeProbe::<Vec<Action>>::TRACED_FORM,
                )
                .written("Vec<Action>"),
            __odm::FieldShape::new("price", "price")
                .of_type(
                    __odm::TypeProbe::<Cents>::ARRAY,
                    __odm::TypeProbe::<Cents>::OPTION,
                    __odm::TypeProbe::<Cents>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Cents>::FORM,
                    __odm::TypeProbe::<Cents>::TRACED_FORM,
                )
                .written("Cents"),
            __odm::FieldShape::new("place", "place")
                .of_type(
                    __odm::TypeProbe::<(f64, f64)>::ARRAY,
                    __odm::TypeProbe::<(f64, f64)>::OPTION,
                    __odm::TypeProbe::<(f64, f64)>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<(f64, f64)>::FORM,
                    __odm::TypeProbe::<(f64, f64)>::TRACED_FORM,
                )
                .written("(f64, f64)"),
            __odm::FieldShape::new("counts", "counts")
                .of_type(
                    __odm::TypeProbe::<HashMap<String, i64>>::ARRAY,
                    __odm::TypeProbe::<HashMap<String, i64>>::OPTION,
                    __odm::TypeProbe::<HashMap<String, i64>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<HashMap<String, i64>>::FORM,
                    __odm::TypeProbe::<HashMap<String, i64>>::TRACED_FORM,
                )
                .written("HashMap<String, i64>"),
            __odm::FieldShape::new("words", "words")
                .of_type(
                    __odm::TypeProbe::<BTreeMap<String, Vec<String>>>::ARRAY,
                    __odm::TypeProbe::<BTreeMap<String, Vec<String>>>::OPTION,
                    __odm::TypeProbe::<BTreeMap<String, Vec<String>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<BTreeMap<String, Vec<String>>>::FORM,
                    __odm::TypeProbe::<BTreeMap<String, Vec<String>>>::TRACED_FORM,
                )
                .written("BTreeMap<String, Vec<String>>"),
            __odm::FieldShape::new("note", "note")
                .of_type(
                    __odm::TypeProbe::<Presence<String>>::ARRAY,
                    __odm::TypeProbe::<Presence<String>>::OPTION,
                    __odm::TypeProbe::<Presence<String>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Presence<String>>::FORM,
                    __odm::TypeProbe::<Presence<String>>::TRACED_FORM,
                )
                .written("Presence<String>"),
            __odm::FieldShape::new("anything", "anything")
                .of_type(
                    __odm::TypeProbe::<bson::Bson>::ARRAY,
                    __odm::TypeProbe::<bson::Bson>::OPTION,
                    __odm::TypeProbe::<bson::Bson>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<bson::Bson>::FORM,
                    __odm::TypeProbe::<bson::Bson>::TRACED_FORM,
                )
                .written("Bson"),
            __odm::FieldShape::new("rest", "rest")
                .of_type(
                    __odm::TypeProbe::<bson::Document>::ARRAY,
                    __odm::TypeProbe::<bson::Document>::OPTION,
                    __odm::TypeProbe::<bson::Document>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<bson::Document>::FORM,
                    __odm::TypeProbe::<bson::Document>::TRACED_FORM,
                )
                .written("Document"),
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
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Task>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<State>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<Action>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Cents>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<(f64, f64)>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<HashMap<String, i64>>::FOREIGN);
    const _: () = __odm::check_value(
        __odm::TypeProbe::<BTreeMap<String, Vec<String>>>::FOREIGN,
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Presence<String>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<bson::Bson>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<bson::Document>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered:: < Task > ()
    }
};
