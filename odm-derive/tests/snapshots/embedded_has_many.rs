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
    ///Typed field handles of `Line`, from `Line::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct LineFields<__OdmDocument, __OdmPath> {
        ///The field `sku`, stored as `sku`.
        sku: __odm::Field<__OdmDocument, __OdmPath, Line, String, 0>,
        ///The field `quantity`, stored as `quantity`.
        quantity: __odm::Field<__OdmDocument, __OdmPath, Line, i32, 1>,
        ///The field `type`, stored as `t`.
        r#type: __odm::Field<__OdmDocument, __OdmPath, Line, i64, 2>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for LineFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for LineFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for LineFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            sku: __odm::Field::NEW,
            quantity: __odm::Field::NEW,
            r#type: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Line {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = LineFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Line";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("sku", "sku")
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
            __odm::FieldShape::new("quantity", "quantity")
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
            __odm::FieldShape::new("type", "t")
                .of_type(
                    __odm::TypeProbe::<i64>::ARRAY,
                    __odm::TypeProbe::<i64>::OPTION,
                    __odm::TypeProbe::<i64>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<i64>::FORM,
                    __odm::TypeProbe::<i64>::TRACED_FORM,
                )
                .written("i64"),
        ];
    }
    #[automatically_derived]
    impl Line {
        ///Returns typed field handles of `Line`, for filters, sorts and updates.
        fn fields() -> LineFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Line {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_stocks {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("stocks") }> for Line {
        type Relation = __OdmBy_stocks;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_offer {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("offer") }> for Line {
        type Relation = __OdmBy_offer;
    }
    #[automatically_derived]
    impl Line {
        const __ODM_STOCKS: __odm::Relation<
            Self,
            __odm::Of<'static, Stock>,
            __OdmBy_stocks,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Stock>,
            __OdmBy_stocks,
        >::new(
            "Line.stocks",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                String,
            >::EACH_KEY(&__odm_owner.sku, __odm_found),
            || <__odm::Handles<Stock> as __odm::FieldSet>::NEW.sku.__reference_path(),
        );
        const __ODM_OFFER: __odm::Relation<
            Self,
            __odm::Of<'static, Offer>,
            __OdmBy_offer,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Offer>,
            __OdmBy_offer,
        >::new(
            "Line.offer",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                i64,
            >::EACH_KEY(&__odm_owner.r#type, __odm_found),
            || {
                __odm::inside(<__odm::Handles<Offer> as __odm::FieldSet>::NEW.codes)
                    .code
                    .__reference_path()
            },
        );
        /**Loads the documents with a `Stock.sku` that refers to this `Line`.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on `Stock.sku`. `sync_indexes` creates it.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_stocks(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<Stock>
        where
            for<'__odm> __odm::Of<'__odm, Stock>: __odm::Leads<Target = Stock>,
        {
            Self::__ODM_STOCKS.load_many(self, odm)
        }
        /**Loads `stocks` of many owners: the documents with a `Stock.sku` that refers to one of them.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `Stock.sku`. `sync_indexes` creates it.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_stocks<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Stock, __OdmBy_stocks>
        where
            for<'__odm> __odm::Of<'__odm, Stock>: __odm::Leads<Target = Stock>,
        {
            Self::__ODM_STOCKS.join(owners, odm)
        }
        /**Counts the documents with a `Stock.sku` that refers to this `Line`.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on `Stock.sku`. `sync_indexes` creates it.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_stocks(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<Stock>
        where
            for<'__odm> __odm::Of<'__odm, Stock>: __odm::Leads<Target = Stock>,
        {
            Self::__ODM_STOCKS.count(self, odm)
        }
        /**Loads the document with a `Offer.codes.code` that refers to this `Line`.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on `Offer.codes.code`. `sync_indexes` creates it.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_offer(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Offer>
        where
            for<'__odm> __odm::Of<'__odm, Offer>: __odm::Leads<Target = Offer>,
        {
            Self::__ODM_OFFER.load_one(self, odm)
        }
        /**Loads `offer` of many owners: the documents with a `Offer.codes.code` that refers to one of them.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `Offer.codes.code`. `sync_indexes` creates it.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_offer<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Offer, __OdmBy_offer>
        where
            for<'__odm> __odm::Of<'__odm, Offer>: __odm::Leads<Target = Offer>,
        {
            Self::__ODM_OFFER.join_one(owners, odm)
        }
    }
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<i32>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::compared(|| < __odm::Handles < Stock > as __odm::FieldSet > ::NEW.sku)
        .is(__odm::key_of(|| < __odm::Handles < Line > as __odm::FieldSet > ::NEW.sku)),
        "`Stock.sku` is not compared with `Line.sku`; write `to = \"Model.sku\"` there, or another field as `key`"
    );
    const _: () = ::core::assert!(
        __odm::compared(|| __odm::inside(< __odm::Handles < Offer > as __odm::FieldSet >
        ::NEW.codes).code).is(__odm::key_of(|| < __odm::Handles < Line > as
        __odm::FieldSet > ::NEW.r#type)),
        "`Offer.codes.code` is not compared with `Line.type`; write `to = \"Model.type\"` there, or another field as `key`"
    );
    __odm::inventory::submit! {
        __odm::registered_embedded:: < Line > ()
    }
};
