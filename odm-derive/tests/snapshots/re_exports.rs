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
        ///The field `part`, stored as `part`.
        part: __odm::Field<__OdmDocument, __OdmPath, Order, Id<Component>, 1>,
        ///The field `part_name`, stored as `part_name`.
        part_name: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Order,
            String,
            2,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
        ///The field `place`, stored as `place`.
        place: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Order,
            shop::Location,
            3,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
        ///The field `shelf`, stored as `shelf`.
        shelf: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Order,
            i32,
            4,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
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
            part: __odm::Field::NEW,
            part_name: __odm::Field::NEW,
            place: __odm::Field::NEW,
            shelf: __odm::Field::NEW,
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
            __odm::FieldShape::new("part", "part")
                .of_type(
                    __odm::TypeProbe::<Id<Component>>::ARRAY,
                    __odm::TypeProbe::<Id<Component>>::OPTION,
                    __odm::TypeProbe::<Id<Component>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Component>>::FORM,
                    __odm::TypeProbe::<Id<Component>>::TRACED_FORM,
                )
                .written("Id<Component>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Parent,
                            __odm::TypeProbe::<__odm::Of<'static, Component>>::TARGET,
                            __odm::TypeProbe::<Id<Component>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Id<Component>>::KEY),
                ),
            __odm::FieldShape::new("part_name", "part_name")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::OPTION,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .written("String")
                .copy(
                    __odm::CopyShape::new(
                            || <shop::Component as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<shop::Component> as __odm::FieldSet>::NEW
                                    .name
                                    .path()
                            },
                        )
                        .via("part"),
                ),
            __odm::FieldShape::new("place", "place")
                .of_type(
                    __odm::TypeProbe::<shop::Location>::ARRAY,
                    __odm::TypeProbe::<shop::Location>::OPTION,
                    __odm::TypeProbe::<shop::Location>::EMBED,
                )
                .written("Location")
                .copy(
                    __odm::CopyShape::new(
                        || <self::shop::Component as __odm::Described>::SHAPE,
                        || {
                            <__odm::Handles<
                                self::shop::Component,
                            > as __odm::FieldSet>::NEW
                                .place
                                .path()
                        },
                    ),
                ),
            __odm::FieldShape::new("shelf", "shelf")
                .of_type(
                    __odm::TypeProbe::<i32>::ARRAY,
                    __odm::TypeProbe::<i32>::OPTION,
                    __odm::TypeProbe::<i32>::EMBED,
                )
                .written("i32")
                .copy(
                    __odm::CopyShape::new(
                        || <Component as __odm::Described>::SHAPE,
                        || {
                            __odm::inside(
                                    <__odm::Handles<Component> as __odm::FieldSet>::NEW.place,
                                )
                                .shelf
                                .path()
                        },
                    ),
                ),
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
    #[automatically_derived]
    impl __odm::DeclaresReference<Component, 1> for Order {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_part {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("part") }> for Order {
        type Relation = __OdmBy_part;
    }
    #[automatically_derived]
    impl Order {
        const __ODM_PART: __odm::Relation<
            Self,
            __odm::Of<'static, Component>,
            __OdmBy_part,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Component>,
            __OdmBy_part,
        >::new(
            "Order.part",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Id<Component>,
            >::EACH_KEY(&__odm_owner.part, __odm_found),
            __odm::TypeProbe::<Id<Component>>::TARGET_PATH,
        );
        /**Loads the document that `part` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_part(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Component>
        where
            for<'__odm> __odm::Of<'__odm, Component>: __odm::Leads<Target = Component>,
        {
            Self::__ODM_PART.load_one(self, odm)
        }
        /**Loads the documents that `part` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_part<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Component, __OdmBy_part>
        where
            for<'__odm> __odm::Of<'__odm, Component>: __odm::Leads<Target = Component>,
        {
            Self::__ODM_PART.join_one(owners, odm)
        }
    }
    type __OdmComponent = Component;
    type __Odmself_shop_Component = self::shop::Component;
    type __Odmshop_Component = shop::Component;
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Order>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Id < Component > > ::REFERENCE || __odm::TypeProbe:: <
            __odm::Of < 'static, Component > > ::LEADS_TO_MODEL,
            "`Order.part` refers to `Component`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Component`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Component > > ::REFERENCE || (__odm::TypeProbe:: <
            Id < Component > > ::ONE_KEY || __odm::TypeProbe:: < Id < Component > >
            ::MANY_KEYS),
            "`Order.part` is not a reference: `Id<Component>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Component > > ::REFERENCE || false,
            "`Order.part` has another type of key than the `_id` of `Component`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < Component > > ::MANY_KEYS,
        "`#[parent_ref]` needs one key, but `Order.part` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Id < Component > > ::KEY_ARRAYS < 2,
        "`Order.part` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Component>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < (__odm::Of < 'static, Component >, __Odmshop_Component) >
        ::LEADS,
        "`part` is not a reference to `shop::Component`, the model of the source `shop::Component.name`; write a reference to `shop::Component`"
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<shop::Component> as __odm::FieldSet>::NEW.name
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`shop::Component.name` is in an array, but `Order.part_name` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde flattens `shop::Component.name`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Order.part_name` has no codec, but its source `shop::Component.name` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`shop::Component.name` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < String >
            ::MAY_BE_MISSING,
            "`Order.part_name` is required, but `shop::Component.name` may be missing from a document, and the copy with it; add `#[serde(default)]` to `part_name` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, Component >,
            __Odmshop_Component) > ::LEADS && __odm::TypeProbe:: < Id < Component > >
            ::EMBED.is_none() && __ODM_SOURCE.is_id()),
            "`part` already contains `shop::Component.name`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, Component >, __Odmshop_Component) >
        ::LEADS || ! __odm::TypeProbe:: < Id < Component > > ::OPTION ||
        __odm::TypeProbe:: < String > ::OPTION,
        "`part` can be null, and its copy `Order.part_name` would then keep its value; make the copy an `Option`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<shop::Location>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (__odm::Of < 'static, Component >,
            __Odmself_shop_Component) > ::LEADS || ! __odm::TypeProbe:: < __odm::Of <
            'static, Component > > ::LEADS_TO_MODEL,
            "no field here refers to the source of `self::shop::Component.place`; add a reference next to the copy, or write the reference of the other model as `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<self::shop::Component> as __odm::FieldSet>::NEW.place
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`self::shop::Component.place` is in an array, but `Order.place` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde flattens `self::shop::Component.place`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Order.place` has no codec, but its source `self::shop::Component.place` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`self::shop::Component.place` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < shop::Location
            > ::MAY_BE_MISSING,
            "`Order.place` is required, but `self::shop::Component.place` may be missing from a document, and the copy with it; add `#[serde(default)]` to `place` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, Component >,
            __Odmself_shop_Component) > ::LEADS && __odm::TypeProbe:: < Id < Component >
            > ::EMBED.is_none() && __ODM_SOURCE.is_id()),
            "`part` already contains `self::shop::Component.place`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, Component >,
        __Odmself_shop_Component) > ::LEADS || ! __odm::TypeProbe:: < Id < Component > >
        ::OPTION || __odm::TypeProbe:: < shop::Location > ::OPTION,
        "`part` can be null, and its copy `Order.place` would then keep its value; make the copy an `Option`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<i32>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (__odm::Of < 'static, Component >, __OdmComponent) >
            ::LEADS || ! __odm::TypeProbe:: < __odm::Of < 'static, Component > >
            ::LEADS_TO_MODEL,
            "no field here refers to the source of `Component.place.shelf`; add a reference next to the copy, or write the reference of the other model as `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            __odm::inside(<__odm::Handles<Component> as __odm::FieldSet>::NEW.place)
                .shelf
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Component.place.shelf` is in an array, but `Order.shelf` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde flattens `Component.place.shelf`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Order.shelf` has no codec, but its source `Component.place.shelf` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Component.place.shelf` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < i32 >
            ::MAY_BE_MISSING,
            "`Order.shelf` is required, but `Component.place.shelf` may be missing from a document, and the copy with it; add `#[serde(default)]` to `shelf` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, Component >, __OdmComponent) >
            ::LEADS && __odm::TypeProbe:: < Id < Component > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()),
            "`part` already contains `Component.place.shelf`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, Component >, __OdmComponent) >
        ::LEADS || ! __odm::TypeProbe:: < Id < Component > > ::OPTION ||
        __odm::TypeProbe:: < i32 > ::OPTION,
        "`part` can be null, and its copy `Order.shelf` would then keep its value; make the copy an `Option`"
    );
    fn __odm_checks() {
        <__odm::Handles<shop::Component> as __odm::FieldSet>::NEW
            .name
            .__copied_as::<String>();
        <__odm::Handles<self::shop::Component> as __odm::FieldSet>::NEW
            .place
            .__copied_as::<shop::Location>();
        __odm::inside(<__odm::Handles<Component> as __odm::FieldSet>::NEW.place)
            .shelf
            .__copied_as::<i32>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Order > ()
    }
};
