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
            Id<Order>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `customer`, stored as `customer`.
        customer: __odm::Field<__OdmDocument, __OdmPath, Order, String, 1>,
        ///The field `type`, stored as `type`.
        r#type: __odm::Field<__OdmDocument, __OdmPath, Order, String, 2>,
        ///The field `placed`, stored as `placed`.
        placed: __odm::Field<__OdmDocument, __OdmPath, Order, DateTime, 3>,
        ///The field `position`, stored as `position`.
        position: __odm::Field<__OdmDocument, __OdmPath, Order, Vec<f64>, 4>,
        ///The field `lines`, stored as `lines`.
        lines: __odm::Field<__OdmDocument, __OdmPath, Order, Vec<Line>, 5>,
        ///The field `notes`, stored as `notes`.
        notes: __odm::Field<__OdmDocument, __OdmPath, Order, Vec<String>, 6>,
        ///The field `tags`, stored as `tags`.
        tags: __odm::Field<__OdmDocument, __OdmPath, Order, Vec<String>, 7>,
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
            customer: __odm::Field::NEW,
            r#type: __odm::Field::NEW,
            placed: __odm::Field::NEW,
            position: __odm::Field::NEW,
            lines: __odm::Field::NEW,
            notes: __odm::Field::NEW,
            tags: __odm::Field::NEW,
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
                    __odm::TypeProbe::<Id<Order>>::ARRAY,
                    __odm::TypeProbe::<Id<Order>>::OPTION,
                    __odm::TypeProbe::<Id<Order>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Order>>::FORM,
                    __odm::TypeProbe::<Id<Order>>::TRACED_FORM,
                )
                .written("Id<Order>"),
            __odm::FieldShape::new("customer", "customer")
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
            __odm::FieldShape::new("type", "type")
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
            __odm::FieldShape::new("placed", "placed")
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
            __odm::FieldShape::new("position", "position")
                .of_type(
                    __odm::TypeProbe::<Vec<f64>>::ARRAY,
                    __odm::TypeProbe::<Vec<f64>>::OPTION,
                    __odm::TypeProbe::<Vec<f64>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<f64>>::FORM,
                    __odm::TypeProbe::<Vec<f64>>::TRACED_FORM,
                )
                .written("Vec<f64>"),
            __odm::FieldShape::new("lines", "lines")
                .of_type(
                    __odm::TypeProbe::<Vec<Line>>::ARRAY,
                    __odm::TypeProbe::<Vec<Line>>::OPTION,
                    __odm::TypeProbe::<Vec<Line>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<Line>>::FORM,
                    __odm::TypeProbe::<Vec<Line>>::TRACED_FORM,
                )
                .written("Vec<Line>"),
            __odm::FieldShape::new("notes", "notes")
                .of_type(
                    __odm::TypeProbe::<Vec<String>>::ARRAY,
                    __odm::TypeProbe::<Vec<String>>::OPTION,
                    __odm::TypeProbe::<Vec<String>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<String>>::FORM,
                    __odm::TypeProbe::<Vec<String>>::TRACED_FORM,
                )
                .written("Vec<String>"),
            __odm::FieldShape::new("tags", "tags")
                .of_type(
                    __odm::TypeProbe::<Vec<String>>::ARRAY,
                    __odm::TypeProbe::<Vec<String>>::OPTION,
                    __odm::TypeProbe::<Vec<String>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<String>>::FORM,
                    __odm::TypeProbe::<Vec<String>>::TRACED_FORM,
                )
                .written("Vec<String>"),
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
        type Key = <Id<Order> as __odm::IdOf<Order>>::Key;
        type Id = Id<Order>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                "orders",
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .indexes(
                &[
                    __odm::IndexShape::new(
                            &[
                                __odm::IndexKey::new(
                                    || {
                                        <__odm::Handles<Order> as __odm::FieldSet>::NEW
                                            .customer
                                            .path()
                                    },
                                    __odm::IndexKind::Ascending,
                                ),
                                __odm::IndexKey::new(
                                    || {
                                        __odm::inside(
                                                <__odm::Handles<Order> as __odm::FieldSet>::NEW.lines,
                                            )
                                            .id
                                            .path()
                                    },
                                    __odm::IndexKind::Descending,
                                ),
                            ],
                        )
                        .name("by_customer")
                        .unique(),
                    __odm::IndexShape::new(
                        &[
                            __odm::IndexKey::new(
                                || {
                                    <__odm::Handles<Order> as __odm::FieldSet>::NEW
                                        .position
                                        .path()
                                },
                                __odm::IndexKind::TwoDSphere,
                            ),
                        ],
                    ),
                    __odm::IndexShape::new(
                        &[
                            __odm::IndexKey::new(
                                || {
                                    <__odm::Handles<Order> as __odm::FieldSet>::NEW
                                        .position
                                        .path()
                                },
                                __odm::IndexKind::TwoDSphere,
                            ),
                            __odm::IndexKey::new(
                                || {
                                    __odm::inside(
                                            <__odm::Handles<Order> as __odm::FieldSet>::NEW.lines,
                                        )
                                        .qty
                                        .path()
                                },
                                __odm::IndexKind::Ascending,
                            ),
                        ],
                    ),
                    __odm::IndexShape::new(
                        &[
                            __odm::IndexKey::new(
                                || {
                                    __odm::inside(
                                            <__odm::Handles<Order> as __odm::FieldSet>::NEW.lines,
                                        )
                                        .id
                                        .path()
                                },
                                __odm::IndexKind::Ascending,
                            ),
                            __odm::IndexKey::new(
                                || {
                                    <__odm::Handles<Order> as __odm::FieldSet>::NEW
                                        .customer
                                        .path()
                                },
                                __odm::IndexKind::Ascending,
                            ),
                            __odm::IndexKey::new(
                                || {
                                    __odm::inside(
                                            <__odm::Handles<Order> as __odm::FieldSet>::NEW.lines,
                                        )
                                        .qty
                                        .path()
                                },
                                __odm::IndexKind::Ascending,
                            ),
                        ],
                    ),
                    __odm::IndexShape::new(
                        &[
                            __odm::IndexKey::new(
                                || {
                                    <__odm::Handles<Order> as __odm::FieldSet>::NEW.notes.path()
                                },
                                __odm::IndexKind::Text,
                            ),
                            __odm::IndexKey::new(
                                || {
                                    <__odm::Handles<Order> as __odm::FieldSet>::NEW.tags.path()
                                },
                                __odm::IndexKind::Text,
                            ),
                        ],
                    ),
                    __odm::IndexShape::new(
                            &[
                                __odm::IndexKey::new(
                                    || {
                                        <__odm::Handles<Order> as __odm::FieldSet>::NEW
                                            .r#type
                                            .path()
                                    },
                                    __odm::IndexKind::Ascending,
                                ),
                                __odm::IndexKey::new(
                                    || {
                                        <__odm::Handles<Order> as __odm::FieldSet>::NEW
                                            .placed
                                            .path()
                                    },
                                    __odm::IndexKind::Ascending,
                                ),
                            ],
                        )
                        .sparse(),
                ],
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
    impl __odm::DeclaresId<Id<Order>> for Order {
        fn __odm_declared_id(&self) -> &Id<Order> {
            &self.id
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Order>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<DateTime>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<f64>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<Line>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<String>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<String>>::FOREIGN);
    const _: () = ::core::assert!(
        0 + (__odm::TypeProbe:: < String > ::ARRAY as usize) + (__odm::TypeProbe:: < Vec
        < Line > > ::ARRAY as usize) < 2,
        "at most one field of an index can be an array, but several of `customer`, `lines` are; move the others to another index"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < f64 > > ::TEXT && ! __odm::TypeProbe:: < Vec < f64 >
        > ::NUMBER && ! __odm::TypeProbe:: < Vec < f64 > > ::TEXTLESS,
        "`Order.position` is not a location, and the server rejects other values under a `2dsphere` key; make it a struct with `type` and `coordinates` (GeoJSON) or `[f64; 2]`, longitude first"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < f64 > > ::TEXT && ! __odm::TypeProbe:: < Vec < f64 >
        > ::NUMBER && ! __odm::TypeProbe:: < Vec < f64 > > ::TEXTLESS,
        "`Order.position` is not a location, and the server rejects other values under a `2dsphere` key; make it a struct with `type` and `coordinates` (GeoJSON) or `[f64; 2]`, longitude first"
    );
    const _: () = ::core::assert!(
        0 + (__odm::TypeProbe:: < Vec < Line > > ::ARRAY as usize) + (__odm::TypeProbe::
        < String > ::ARRAY as usize) < 2,
        "at most one field of an index can be an array, but several of `lines`, `customer` are; move the others to another index"
    );
    const _: () = ::core::assert!(
        0 + (__odm::TypeProbe:: < String > ::ARRAY as usize) + (__odm::TypeProbe:: <
        DateTime > ::ARRAY as usize) < 2,
        "at most one field of an index can be an array, but several of `type`, `placed` are; move the others to another index"
    );
    __odm::inventory::submit! {
        __odm::registered:: < Order > ()
    }
};
