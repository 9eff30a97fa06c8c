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
    ///The field `name`, stored as `name`.
    name: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Line,
        ::std::string::String,
        1,
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
            id: __odm::Field::NEW,
            name: __odm::Field::NEW,
        };
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
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<::std::string::String>::ARRAY,
                    __odm::TypeProbe::<::std::string::String>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <A as __odm::Described>::SHAPE,
                            || <A>::fields().name.path(),
                        )
                        .optional(__odm::TypeProbe::<::std::string::String>::OPTION),
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
    type __OdmA = A;
    const _: () = ::core::assert!(
        ! < Id < A > as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Line.id` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        < Id < A > as __odm::Keys > ::ARRAYS < 2,
        "`Line.id` is an array of arrays, and references are in one; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<A>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<::std::string::String>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (< Id < A > as __odm::Reference > ::Target, __OdmA) >
            ::SAME,
            "nothing here refers to the source of `A.name`; add a reference beside the copy, or name the one on the other side with `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <A>::fields().name);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`A.name` lies in an array, and `Line.name` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `A.name` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Line.name` is written as it is, and its source `A.name` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < A > as __odm::Reference > ::Target, __OdmA) >
            ::SAME && __odm::TypeProbe:: < Id < A > > ::EMBED.is_none() && __ODM_SOURCE
            .is_id()), "`id` holds `A.name` already; remove this copy"
        );
    };
    fn __odm_checks() {
        <A>::fields().name.__copied_as::<::std::string::String>();
    }
};
