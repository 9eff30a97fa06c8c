/**Typed handles of the stored fields of `Kept`.

Got from `Kept::fields()`, or from the handle of a field that embeds a `Kept`.*/
#[allow(
    dead_code,
    deprecated,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct KeptFields<__OdmDocument, __OdmPath> {
    ///The field `next`, stored as `next`.
    next: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Kept,
        Option<Id<A>>,
        0,
    >,
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
    for KeptFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for KeptFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for KeptFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self { next: __odm::Field::NEW };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Kept {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = KeptFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Kept";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("next", "next")
                .of_type(
                    __odm::TypeProbe::<Option<Id<A>>>::ARRAY,
                    __odm::TypeProbe::<Option<Id<A>>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            || {
                                <<Option<
                                    Id<A>,
                                > as __odm::Reference>::Target as __odm::Described>::SHAPE
                            },
                            __odm::inner_path::<Option<Id<A>>>,
                        )
                        .keyed(<Option<Id<A>> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Option<Id<A>>>::OPTION),
                ),
        ];
    }
    #[automatically_derived]
    impl Kept {
        ///Returns typed handles of the stored fields of `Kept`, for filters, sorts and updates.
        fn fields() -> KeptFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Kept {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::NAME,
                <Self as __odm::HasFields>::FIELDS,
            )
            .of::<Self>();
    }
    __odm::inventory::submit! {
        __odm::RegisteredEmbedded(< Kept as __odm::Embedded > ::SHAPE)
    }
    #[automatically_derived]
    impl __odm::Refers<<Option<Id<A>> as __odm::Reference>::Target, 0> for Kept {}
    const _: () = ::core::assert!(
        ! < Option < Id < A > > as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Kept.next` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        < Option < Id < A > > as __odm::Keys > ::ARRAYS < 2,
        "`Kept.next` is an array of arrays, and references are in one; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Option<Id<A>>>::FOREIGN);
};

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
    impl __odm::Projection<A> for Kept {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            "Kept",
            &[
                __odm::FieldShape::new("next", "next")
                    .of_type(
                        __odm::TypeProbe::<Option<Id<A>>>::ARRAY,
                        __odm::TypeProbe::<Option<Id<A>>>::EMBED,
                    )
                    .reference(
                        __odm::ReferenceShape::new(
                                __odm::ReferenceKind::One,
                                || {
                                    <<Option<
                                        Id<A>,
                                    > as __odm::Reference>::Target as __odm::Described>::SHAPE
                                },
                                __odm::inner_path::<Option<Id<A>>>,
                            )
                            .keyed(<Option<Id<A>> as __odm::Reference>::KEY)
                            .optional(__odm::TypeProbe::<Option<Id<A>>>::OPTION),
                    ),
            ],
        );
        const STRICT: bool = false;
    }
    #[automatically_derived]
    impl __odm::Keys for Kept {
        type Key = <Option<Id<A>> as __odm::Keys>::Key;
        type Knows = <Option<Id<A>> as __odm::Keys>::Knows;
        const MANY: bool = <Option<Id<A>> as __odm::Keys>::MANY;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::Keys::each_key(&self.next, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("next");
            <Option<Id<A>> as __odm::Keys>::push_inner_path(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Reference for Kept {
        type Target = <Option<Id<A>> as __odm::Reference>::Target;
        const KEY: ::core::option::Option<__odm::KeyShape> = <Option<
            Id<A>,
        > as __odm::Reference>::KEY;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_next {}
    #[diagnostic::do_not_recommend]
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("next") }> for Kept {
        type Relation = __OdmBy_next;
    }
    #[automatically_derived]
    impl Kept {
        const __ODM_NEXT: __odm::Relation<
            Self,
            <Option<Id<A>> as __odm::Reference>::Target,
            __OdmBy_next,
        > = __odm::Relation::new(
            "Kept.next",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.next,
                __odm_found,
            ),
            <Option<Id<A>> as __odm::Reference>::target_path,
        );
        /**Loads the document that `next` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        #[track_caller]
        fn load_next(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<<Option<Id<A>> as __odm::Reference>::Target> {
            Self::__ODM_NEXT.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `next` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        #[track_caller]
        fn join_next<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<
            Self,
            <Option<Id<A>> as __odm::Reference>::Target,
            __OdmBy_next,
        > {
            Self::__ODM_NEXT.join_one(owners, odm)
        }
    }
    type __OdmA = A;
    const _: () = ::core::assert!(
        ! < Option < Id < A > > as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Kept.next` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        < Option < Id < A > > as __odm::Keys > ::ARRAYS < 2,
        "`Kept.next` is an array of arrays, and references are in one; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< A as __odm::HasFields > ::FIELDS, "next").is_none() ||
        __odm::same_stored_name(< A as __odm::HasFields > ::FIELDS, "next", "next",
        ::core::option::Option::None),
        "`Kept.next` reads `next`, and `A` stores `next` under another name or with another codec; give both the same `rename` and `with`"
    );
    fn __odm_checks() {
        <A>::fields().next.__projected_as::<Option<Id<A>>>();
    }
};
