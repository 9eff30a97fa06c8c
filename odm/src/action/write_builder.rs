//! Methods that all builders for writes share: `plan`, `dry_run`, `into_future`, and those of `CopyOptions`.

/// Implements `plan`, `dry_run`, `CopyOptions` and `IntoFuture` for the builder of a write.
///
/// The builder has a field `fan_out`, and a method `into_write`, which returns the write and its executor. The write
/// does not depend on the model type, so the rest of the code is compiled only once.
macro_rules! write_builder {
    ([$($generics:tt)*] $builder:ty: $write:ty => $report:ty, $operation:literal) => {
        impl<$($generics)*> $builder {
            /// Returns the statements that the call would send, including the updates to derived data, in mongosh
            /// syntax. Sends nothing.
            ///
            /// The plan assumes that each document that the write searches for exists exactly once. `<name now>`
            /// represents a value that only the server can determine.
            ///
            /// # Limits
            ///
            /// The plan cannot show the result of an update pipeline, or the copies that depend on this result. A
            /// standalone server has no transactions. The plan takes this into account only when the handle already
            /// knows the type of the server: after the first write with copies, or after
            /// [`Odm::health`](crate::Odm::health).
            ///
            /// # Errors
            ///
            /// The errors that the call itself can return before it sends a statement.
            ///
            /// # Examples
            ///
            /// ```no_run
            /// # use mongo_odm::prelude::*;
            /// fn example<M: Model>(odm: &Odm, document: &M) -> mongo_odm::Result<String> {
            ///     Ok(document.save(odm).plan()?.to_string())
            /// }
            /// ```
            pub fn plan(self) -> crate::error::Result<crate::client::plan::Plan> {
                fn plan(
                    made: crate::error::Result<($write, crate::client::odm::Exec)>,
                ) -> crate::error::Result<crate::client::plan::Plan> {
                    let (write, exec) = made?;
                    let model = crate::client::odm::Write::model(&write);
                    exec.plan(write).map_err(|error| error.in_model(model))
                }
                plan(self.into_write())
            }

            /// Runs the write in a transaction, rolls the transaction back, and returns the report of the write.
            ///
            /// # Sends
            ///
            /// The statements of the write in one transaction, and an `abortTransaction`. The transaction writes all
            /// copies, so the report has one batch and the guarantee [`Atomic`](crate::Guarantee::Atomic), even if the
            /// write itself would leave copies to jobs.
            ///
            /// # Errors
            ///
            /// The errors of the call itself. In addition, the method fails with
            /// [`Error::Invalid`](crate::Error::Invalid) in a transaction, and with
            /// [`Error::NoTransactions`](crate::Error::NoTransactions) on a standalone server.
            ///
            /// # Examples
            ///
            /// ```no_run
            /// # use mongo_odm::prelude::*;
            /// async fn changed<M: Model>(odm: &Odm, document: &M) -> mongo_odm::Result<u64> {
            ///     Ok(document.save(odm).dry_run().await?.modified)
            /// }
            /// ```
            pub async fn dry_run(self) -> crate::error::Result<$report> {
                fn run(
                    made: crate::error::Result<($write, crate::client::odm::Exec)>,
                ) -> crate::client::odm::Running<$report> {
                    Box::pin(async move {
                        let (write, exec) = made?;
                        let model = crate::client::odm::Write::model(&write);
                        let written = exec.dry_run(write);
                        Ok(crate::client::odm::traced(model, $operation, written).await?.into())
                    })
                }
                let mut builder = self;
                builder.fan_out.follow_at_once();
                run(builder.into_write()).await
            }
        }

        impl<$($generics)*> crate::derived::follow::CopyOptions for $builder {
            fn fan_out_mut(&mut self) -> &mut crate::derived::follow::FanOut {
                &mut self.fan_out
            }
        }

        impl<$($generics)*> IntoFuture for $builder {
            type Output = crate::error::Result<$report>;
            type IntoFuture = crate::client::odm::Running<$report>;

            fn into_future(self) -> Self::IntoFuture {
                fn run(
                    made: crate::error::Result<($write, crate::client::odm::Exec)>,
                ) -> crate::client::odm::Running<$report> {
                    Box::pin(async move {
                        let (write, exec) = made?;
                        let model = crate::client::odm::Write::model(&write);
                        let written = crate::write::run_counted(write, exec);
                        crate::client::odm::traced(model, $operation, written).await
                    })
                }
                run(self.into_write())
            }
        }
    };
}

pub(crate) use write_builder;

/// Implements the options of a builder and the methods of `write_builder!`, for a builder whose update is already
/// prepared.
macro_rules! prepared_update {
    ($builder:ident: $write:ty, $operation:literal) => {
        impl $builder {
            crate::action::write_builder::hooks_setter!();
            crate::setters::option_setters!(comment, write_concern);
            crate::setters::option_setters!(@ in options: mongodb::options::UpdateOptions);

            fn into_write(mut self) -> crate::error::Result<($write, crate::client::odm::Exec)> {
                let mut write = self.write?;
                // The prepared update has the collation that its filter needs.
                self.options.collation = write.update.options.collation.take();
                write.update.options = self.options;
                write.update.fan_out = self.fan_out;
                Ok((write, self.exec))
            }
        }

        crate::action::write_builder::write_builder!([] $builder: $write => crate::write::UpdateReport, $operation);
    };
}
pub(super) use prepared_update;

/// Implements `BulkOperation` for a builder. `$variant` is the variant of `write::BulkOperation` for the builder's
/// write.
macro_rules! bulk_operation {
    ([$($generics:tt)*] $builder:ty: $variant:ident) => {
        impl<$($generics)*> crate::action::BulkOperation for $builder {
            fn into_operation(
                mut self,
                bulk: &crate::client::odm::Exec,
            ) -> crate::error::Result<crate::action::bulk_write::Operation> {
                self.exec.share_time(bulk);
                let (write, exec) = self.into_write()?;
                let write = crate::write::BulkOperation::$variant(write);
                Ok(crate::action::bulk_write::Operation { write, exec })
            }
        }
    };
}
pub(super) use bulk_operation;

/// Generates the method `without_hooks` of a builder that implements `CopyOptions`.
macro_rules! hooks_setter {
    () => {
        /// Skips the [hooks](crate::Hooks) of the written documents, for example in an import.
        ///
        /// # Sends
        ///
        /// The same statements as for a model without hooks.
        ///
        /// # Examples
        ///
        /// ```no_run
        /// # use mongo_odm::prelude::*;
        /// async fn example<M: Model>(odm: &Odm, document: &M) -> mongo_odm::Result<()> {
        ///     document.save(odm).without_hooks().await?;
        ///     Ok(())
        /// }
        /// ```
        pub fn without_hooks(mut self) -> Self {
            $crate::derived::follow::CopyOptions::fan_out_mut(&mut self).skips_hooks = true;
            self
        }
    };
}
pub(super) use hooks_setter;

/// Generates the methods `if_version` and `if_unchanged` of a builder that has a field `expected`. Each signature is one
/// line, so that the compiler shows it in one line, too.
#[rustfmt::skip]
macro_rules! version_setters {
    () => {
        /// Carries out the write only if the stored version of the document is `version`, for example the version in the
        /// header `If-Match` of an HTTP request. You need not read the document first. A delete that marks the document
        /// (`#[deleted_at]`) increments the version.
        ///
        /// # Sends
        ///
        /// The filter also contains the version. If no document matches, one more `find` reads the stored version.
        ///
        /// # Errors
        ///
        /// - [`Error::Conflict`](crate::Error::Conflict) if the stored document has a different version or no longer
        ///   exists. Nothing was written.
        /// - [`Error::Deleted`](crate::Error::Deleted) if the document is deleted, and its model has `#[deleted_at]`. A
        ///   purge does not return this error.
        /// - [`Error::Invalid`](crate::Error::Invalid) for a `delete_many` or a `purge_many`, because several documents do
        ///   not have one common version. Nothing is sent.
        ///
        /// # Examples
        ///
        /// ```no_run
        /// use mongo_odm::prelude::*;
        ///
        /// #[derive(Debug, Serialize, Deserialize, Model)]
        /// #[model(collection = "tasks")]
        /// struct Task {
        ///     #[serde(rename = "_id")]
        ///     id: Id<Task>,
        ///     title: String,
        ///     #[version]
        ///     version: i64,
        /// }
        ///
        /// # async fn example(odm: Odm, id: Id<Task>) -> mongo_odm::Result<()> {
        /// let title = Task::fields().title;
        /// Task::update(&odm, id).set(title, "Order timber").if_version(3).await?;
        /// Task::delete(&odm, id).if_version(4).await?;
        /// # Ok(()) }
        /// ```
        pub fn if_version(mut self, version: impl crate::model::VersionNumber) -> Self where M: crate::model::Versioned {
            self.expected = Some(Ok(crate::write::GivenVersion::new(version)));
            self
        }

        /// Carries out the write only if the stored version of the document is still the version of `loaded`. The call is
        /// equivalent to [`if_version`](Self::if_version) with the version of the struct.
        ///
        /// # Sends
        ///
        /// The statements of [`if_version`](Self::if_version).
        ///
        /// # Errors
        ///
        /// The errors of [`if_version`](Self::if_version), and [`Error::Invalid`](crate::Error::Invalid) if `loaded` does
        /// not have the id of the document.
        ///
        /// # Examples
        ///
        /// ```no_run
        #[doc = include_str!("../docs/version_models.txt")]
        /// # use mongo_odm::Error;
        /// async fn rename(odm: &Odm, task: &Task, title: &str) -> mongo_odm::Result<bool> {
        ///     let update = Task::update(odm, task.id).set(Task::fields().title, title);
        ///     match update.if_unchanged(task).await {
        ///         Err(Error::Conflict { .. }) => Ok(false),
        ///         done => done.map(|_| true),
        ///     }
        /// }
        /// ```
        pub fn if_unchanged(mut self, loaded: &M) -> Self where M: crate::model::Versioned + crate::model::derive_traits::Storable {
            self.expected = Some(crate::action::get::given_version(loaded));
            self
        }
    };
}
pub(super) use version_setters;

/// Generates the method `keep_timestamps` of a builder that has a field `keeps_timestamps`.
macro_rules! timestamps_setter {
    () => {
        /// Stores the times and actors that the structs contain (`#[created_at]`, `#[updated_at]`, `#[created_by]`,
        /// `#[updated_by]`), so the handle does not need an actor. Use this option for imports.
        ///
        /// # Sends
        ///
        /// The same number of statements as without this option.
        ///
        /// # Examples
        ///
        /// ```no_run
        /// use mongo_odm::{bson::DateTime, prelude::*};
        ///
        /// #[derive(Debug, Serialize, Deserialize, Model)]
        /// #[model(collection = "tasks")]
        /// struct Task {
        ///     #[serde(rename = "_id")]
        ///     id: Id<Task>,
        ///     #[created_at]
        ///     created: DateTime,
        /// }
        ///
        /// async fn import(odm: &Odm, new: Vec<Task>, changed: Task) -> mongo_odm::Result<()> {
        ///     Task::insert_many(odm, &new).keep_timestamps().await?;
        ///     changed.save(odm).keep_timestamps().await?;
        ///     Ok(())
        /// }
        /// ```
        pub const fn keep_timestamps(mut self) -> Self {
            self.keeps_timestamps = true;
            self
        }
    };
}
pub(super) use timestamps_setter;
