/**Typed handles of the stored fields of `Line`.

Got from `Line::fields()`, or from the handle of a field that embeds a `Line`.*/
#[allow(
    dead_code,
    deprecated,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct LineFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Line, Id<A>, 0>,
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
        const NEW: Self = Self { id: __odm::Field::NEW };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Line {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = LineFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Line";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "id")
                .of_type(
                    __odm::TypeProbe::<Id<A>>::ARRAY,
                    __odm::TypeProbe::<Id<A>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            || {
                                <<Id<
                                    A,
                                > as __odm::Reference>::Target as __odm::Described>::SHAPE
                            },
                            __odm::inner_path::<Id<A>>,
                        )
                        .keyed(<Id<A> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Id<A>>::OPTION),
                ),
        ];
    }
    #[automatically_derived]
    impl Line {
        ///Returns typed handles of the stored fields of `Line`, for filters, sorts and updates.
        fn fields() -> LineFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Line {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::NAME,
                <Self as __odm::HasFields>::FIELDS,
            )
            .of::<Self>();
    }
    __odm::inventory::submit! {
        __odm::RegisteredEmbedded(< Line as __odm::Embedded > ::SHAPE)
    }
    #[automatically_derived]
    impl __odm::Refers<<Id<A> as __odm::Reference>::Target, 0> for Line {}
    #[automatically_derived]
    impl __odm::Keys for Line {
        type Key = <Id<A> as __odm::Keys>::Key;
        type Knows = <Id<A> as __odm::Keys>::Knows;
        const MANY: bool = <Id<A> as __odm::Keys>::MANY;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::Keys::each_key(&self.id, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("id");
            <Id<A> as __odm::Keys>::push_inner_path(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Reference for Line {
        type Target = <Id<A> as __odm::Reference>::Target;
        const KEY: ::core::option::Option<__odm::KeyShape> = <Id<
            A,
        > as __odm::Reference>::KEY;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_id {}
    #[diagnostic::do_not_recommend]
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("id") }> for Line {
        type Relation = __OdmBy_id;
    }
    #[automatically_derived]
    impl Line {
        const __ODM_ID: __odm::Relation<
            Self,
            <Id<A> as __odm::Reference>::Target,
            __OdmBy_id,
        > = __odm::Relation::new(
            "Line.id",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.id,
                __odm_found,
            ),
            <Id<A> as __odm::Reference>::target_path,
        );
        /**Loads the document that `id` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        #[track_caller]
        fn load_id(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<<Id<A> as __odm::Reference>::Target> {
            Self::__ODM_ID.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `id` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        #[track_caller]
        fn join_id<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, <Id<A> as __odm::Reference>::Target, __OdmBy_id> {
            Self::__ODM_ID.join_one(owners, odm)
        }
    }
    const _: () = ::core::assert!(
        ! < Id < A > as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Line.id` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        < Id < A > as __odm::Keys > ::ARRAYS < 2,
        "`Line.id` is an array of arrays, and references are in one; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<A>>::FOREIGN);
};
