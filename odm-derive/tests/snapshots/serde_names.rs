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
    ///Typed field handles of `A`, from `A::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct AFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            A,
            Id<A>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `due_date`, stored as `dueDate`.
        due_date: __odm::Field<__OdmDocument, __OdmPath, A, DateTime, 1>,
        ///The field `y`, stored as `x`.
        y: __odm::Field<__OdmDocument, __OdmPath, A, i64, 2>,
        ///The field `maybe`, stored as `maybe`.
        maybe: __odm::Field<
            __OdmDocument,
            __OdmPath,
            A,
            Option<i64>,
            3,
            __odm::AsSerde,
            __odm::Defaulted,
        >,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for AFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for AFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for AFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            due_date: __odm::Field::NEW,
            y: __odm::Field::NEW,
            maybe: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for A {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = AFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "A";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<A>>::ARRAY,
                    __odm::TypeProbe::<Id<A>>::OPTION,
                    __odm::TypeProbe::<Id<A>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<A>>::FORM,
                    __odm::TypeProbe::<Id<A>>::TRACED_FORM,
                )
                .written("Id<A>"),
            __odm::FieldShape::new("due_date", "dueDate")
                .of_type(
                    __odm::TypeProbe::<DateTime>::ARRAY,
                    __odm::TypeProbe::<DateTime>::OPTION,
                    __odm::TypeProbe::<DateTime>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<DateTime>::FORM,
                    __odm::TypeProbe::<DateTime>::TRACED_FORM,
                )
                .written("DateTime"),
            __odm::FieldShape::new("y", "x")
                .of_type(
                    __odm::TypeProbe::<i64>::ARRAY,
                    __odm::TypeProbe::<i64>::OPTION,
                    __odm::TypeProbe::<i64>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<i64>::FORM,
                    __odm::TypeProbe::<i64>::TRACED_FORM,
                )
                .aliased()
                .written("i64"),
            __odm::FieldShape::new("maybe", "maybe")
                .of_type(
                    __odm::TypeProbe::<Option<i64>>::ARRAY,
                    __odm::TypeProbe::<Option<i64>>::OPTION,
                    __odm::TypeProbe::<Option<i64>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<i64>>::FORM,
                    __odm::TypeProbe::<Option<i64>>::TRACED_FORM,
                )
                .default()
                .skips(|value| __odm::skips::<
                    Option<i64>,
                    __odm::AsSerde,
                >(value, |value: &Option<i64>| Option::is_none(value)))
                .written("Option<i64>"),
        ];
    }
    #[automatically_derived]
    impl A {
        ///Returns typed field handles of `A`, for filters, sorts and updates.
        fn fields() -> AFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for A {
        type Key = <Id<A> as __odm::IdOf<A>>::Key;
        type Id = Id<A>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "a",
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
    impl __odm::DeclaresId<Id<A>> for A {
        fn __odm_declared_id(&self) -> &Id<A> {
            &self.id
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<A>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<DateTime>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<i64>>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered:: < A > ()
    }
};
