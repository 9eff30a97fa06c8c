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
    ///Typed field handles of `Basket`, from `Basket::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct BasketFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Basket,
            Id<Basket>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `lines`, stored as `lines`.
        lines: __odm::Field<__OdmDocument, __OdmPath, Basket, Vec<Line>, 1>,
        ///The field `offer`, stored as `offer`.
        offer: __odm::Field<__OdmDocument, __OdmPath, Basket, Option<Id<Offer>>, 2>,
        ///The field `about`, stored as `about`.
        about: __odm::Field<__OdmDocument, __OdmPath, Basket, Vec<Subject>, 3>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for BasketFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for BasketFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for BasketFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            lines: __odm::Field::NEW,
            offer: __odm::Field::NEW,
            about: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Basket {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = BasketFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Basket";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Basket>>::ARRAY,
                    __odm::TypeProbe::<Id<Basket>>::OPTION,
                    __odm::TypeProbe::<Id<Basket>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Basket>>::FORM,
                    __odm::TypeProbe::<Id<Basket>>::TRACED_FORM,
                )
                .written("Id<Basket>"),
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
                .written("Vec<Line>")
                .max(50u32),
            __odm::FieldShape::new("offer", "offer")
                .of_type(
                    __odm::TypeProbe::<Option<Id<Offer>>>::ARRAY,
                    __odm::TypeProbe::<Option<Id<Offer>>>::OPTION,
                    __odm::TypeProbe::<Option<Id<Offer>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<Id<Offer>>>::FORM,
                    __odm::TypeProbe::<Option<Id<Offer>>>::TRACED_FORM,
                )
                .written("Option<Id<Offer>>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            __odm::TypeProbe::<__odm::Of<'static, Offer>>::TARGET,
                            __odm::TypeProbe::<Option<Id<Offer>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Option<Id<Offer>>>::KEY),
                ),
            __odm::FieldShape::new("about", "about")
                .of_type(
                    __odm::TypeProbe::<Vec<Subject>>::ARRAY,
                    __odm::TypeProbe::<Vec<Subject>>::OPTION,
                    __odm::TypeProbe::<Vec<Subject>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<Subject>>::FORM,
                    __odm::TypeProbe::<Vec<Subject>>::TRACED_FORM,
                )
                .written("Vec<Subject>")
                .polymorphic(),
        ];
    }
    #[automatically_derived]
    impl Basket {
        ///Returns typed field handles of `Basket`, for filters, sorts and updates.
        fn fields() -> BasketFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Basket {
        type Key = <Id<Basket> as __odm::IdOf<Basket>>::Key;
        type Id = Id<Basket>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "baskets",
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
    impl __odm::DeclaresId<Id<Basket>> for Basket {
        fn __odm_declared_id(&self) -> &Id<Basket> {
            &self.id
        }
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<Offer, 2> for Basket {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_offer {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("offer") }> for Basket {
        type Relation = __OdmBy_offer;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_about {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("about") }> for Basket {
        type Relation = __OdmBy_about;
    }
    #[automatically_derived]
    impl Basket {
        const __ODM_OFFER: __odm::Relation<
            Self,
            __odm::Of<'static, Offer>,
            __OdmBy_offer,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Offer>,
            __OdmBy_offer,
        >::new(
            "Basket.offer",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Option<Id<Offer>>,
            >::EACH_KEY(&__odm_owner.offer, __odm_found),
            __odm::TypeProbe::<Option<Id<Offer>>>::TARGET_PATH,
        );
        /**Loads the document that `offer` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

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
        /**Loads the documents that `offer` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

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
        /**Loads the documents of one model that `about` refers to, in stored order with repeats.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_about<__OdmTarget: __odm::Described>(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<__OdmTarget>
        where
            Vec<Subject>: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __odm::Of<'static, __OdmTarget>,
                __OdmBy_about,
            >::new(
                    "Basket.about",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.about, __odm_found),
                    <Vec<Subject> as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .load_many(self, odm)
        }
        /**Loads the documents of one model that `about` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_about<'a, __OdmTarget: __odm::Described>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, __OdmTarget, __OdmBy_about>
        where
            Vec<Subject>: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __odm::Of<'static, __OdmTarget>,
                __OdmBy_about,
            >::new(
                    "Basket.about",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.about, __odm_found),
                    <Vec<Subject> as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .join(owners, odm)
        }
        /**Counts the documents of one model that `about` refers to, in stored order with repeats.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_about<__OdmTarget: __odm::Described>(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<__OdmTarget>
        where
            Vec<Subject>: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __odm::Of<'static, __OdmTarget>,
                __OdmBy_about,
            >::new(
                    "Basket.about",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.about, __odm_found),
                    <Vec<Subject> as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .count(self, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Basket>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Offer > > > ::REFERENCE ||
            __odm::TypeProbe:: < __odm::Of < 'static, Offer > > ::LEADS_TO_MODEL,
            "`Basket.offer` refers to `Offer`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Offer`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Offer > > > ::REFERENCE ||
            (__odm::TypeProbe:: < Option < Id < Offer > > > ::ONE_KEY ||
            __odm::TypeProbe:: < Option < Id < Offer > > > ::MANY_KEYS),
            "`Basket.offer` is not a reference: `Option<Id<Offer>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Offer > > > ::REFERENCE || false,
            "`Basket.offer` has another type of key than the `_id` of `Offer`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < Id < Offer > > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Basket.offer` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < Id < Offer > > > ::KEY_ARRAYS < 2,
        "`Basket.offer` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Option<Id<Offer>>>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < Subject > > ::ONE_KEY,
        "`#[refs(many)]` needs an array, but `Basket.about` contains one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Vec < Subject > > ::KEY_ARRAYS < 2,
        "`Basket.about` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<Subject>>::FOREIGN);
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        <__odm::Handles<Basket> as __odm::FieldSet>::NEW.lines.__is_array();
        __odm::check_polymorphic::<Vec<Subject>>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Basket > ()
    }
};
