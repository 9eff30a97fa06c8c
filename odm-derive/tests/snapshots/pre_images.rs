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
    ///Typed field handles of `Order`, from `Order::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct OrderFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Order,
            Id<Order, i32>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `table`, stored as `table`.
        table: __odm::Field<__OdmDocument, __OdmPath, Order, i32, 1>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for OrderFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for OrderFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for OrderFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            table: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Order {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = OrderFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Order";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Order, i32>>::ARRAY,
                    __odm::TypeProbe::<Id<Order, i32>>::OPTION,
                    __odm::TypeProbe::<Id<Order, i32>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Order, i32>>::FORM,
                    __odm::TypeProbe::<Id<Order, i32>>::TRACED_FORM,
                )
                .written("Id<Order, i32>"),
            __odm::FieldShape::new("table", "table")
                .of_type(
                    __odm::TypeProbe::<i32>::ARRAY,
                    __odm::TypeProbe::<i32>::OPTION,
                    __odm::TypeProbe::<i32>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<i32>::FORM,
                    __odm::TypeProbe::<i32>::TRACED_FORM,
                )
                .written("i32"),
        ];
    }
    #[automatically_derived]
    impl Order {
        ///Returns typed field handles of `Order`, for filters, sorts and updates.
        fn fields() -> OrderFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Order {
        type Key = <Id<Order, i32> as __odm::IdOf<Order>>::Key;
        type Id = Id<Order, i32>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                "orders",
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .pre_images();
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
    impl __odm::DeclaresId<Id<Order, i32>> for Order {
        fn __odm_declared_id(&self) -> &Id<Order, i32> {
            &self.id
        }
    }
    #[automatically_derived]
    impl __odm::PreImages for Order {}
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Order, i32>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<i32>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered:: < Order > ()
    }
};
