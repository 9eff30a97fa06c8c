#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    #[automatically_derived]
    impl __odm::Projection<LogMsg> for LogHost {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            "LogHost",
            &[
                __odm::FieldShape::new("host", "host")
                    .of_type(
                        __odm::TypeProbe::<Id<Host>>::ARRAY,
                        __odm::TypeProbe::<Id<Host>>::EMBED,
                    )
                    .reference(
                        __odm::ReferenceShape::new(
                                __odm::ReferenceKind::Parent,
                                || {
                                    <<Id<
                                        Host,
                                    > as __odm::Reference>::Target as __odm::Model>::SHAPE
                                },
                                __odm::inner_path::<Id<Host>>,
                            )
                            .keyed(<Id<Host> as __odm::Reference>::KEY)
                            .optional(__odm::TypeProbe::<Id<Host>>::OPTION),
                    ),
            ],
        );
        const STRICT: bool = false;
    }
    #[automatically_derived]
    impl __odm::Keys for LogHost {
        type Key = <Id<Host> as __odm::Keys>::Key;
        type Knows = <Id<Host> as __odm::Keys>::Knows;
        const MANY: bool = <Id<Host> as __odm::Keys>::MANY;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::Keys::each_key(&self.host, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("host");
            <Id<Host> as __odm::Keys>::push_inner_path(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Reference for LogHost {
        type Target = <Id<Host> as __odm::Reference>::Target;
        const KEY: ::core::option::Option<fn() -> ::std::string::String> = <Id<
            Host,
        > as __odm::Reference>::KEY;
    }
    #[automatically_derived]
    impl LogHost {
        const __ODM_HOST: __odm::Relation<
            Self,
            <Id<Host> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "LogHost.host",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.host,
                __odm_found,
            ),
            <Id<Host> as __odm::Reference>::target_path,
        );
        /**Loads the document that `host` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_host(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<<Id<Host> as __odm::Reference>::Target> {
            Self::__ODM_HOST.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `host` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_host<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Id<Host> as __odm::Reference>::Target> {
            Self::__ODM_HOST.join_one(owners, odm)
        }
    }
    const _: () = ::core::assert!(
        ! < Id < Host > as __odm::Keys > ::MANY,
        "`#[parent_ref]` needs one key, and `LogHost.host` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< LogMsg as __odm::HasFields > ::FIELDS, "host").is_none() ||
        __odm::same_stored_name(< LogMsg as __odm::HasFields > ::FIELDS, "host", "host",
        ::core::option::Option::None),
        "`LogHost.host` reads `host`, and `LogMsg` stores `host` under another name or with another codec; give both the same `rename` and `with`"
    );
    fn __odm_checks() {
        <LogMsg>::fields().host.__projected_as::<Id<Host>>();
    }
};
