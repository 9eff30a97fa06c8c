//! What is the same in many builders: options, and how a write is run, planned and tried.

/// Writes the setters of options of the driver that a builder has.
///
/// The builder has a method `options_mut` that leads to the driver's options.
macro_rules! option_setters {
    ($($name:ident),+) => { $( $crate::action::setters::option_setters!(@ $name); )+ };
    (@ hint) => {
        /// Makes the server use an index, by its keys.
        pub fn hint(mut self, keys: impl Into<mongodb::bson::Document>) -> Self {
            self.options_mut().hint = Some(mongodb::options::Hint::Keys(keys.into()));
            self
        }
    };
    (@ collation) => {
        /// Compares strings by the rules of a language.
        pub fn collation(mut self, collation: mongodb::options::Collation) -> Self {
            self.options_mut().collation = Some(collation);
            self
        }
    };
    (@ comment) => {
        /// Writes a comment beside the statement into the server's log and profile.
        pub fn comment(mut self, comment: impl Into<mongodb::bson::Bson>) -> Self {
            self.options_mut().comment = Some(comment.into());
            self
        }
    };
    (@ max_time) => {
        /// Makes the server give up after this time.
        pub fn max_time(mut self, time: std::time::Duration) -> Self {
            self.options_mut().max_time = Some(time);
            self
        }
    };
    (@ let_vars) => {
        /// Names values that expressions use as `$$name`.
        pub fn let_vars(mut self, variables: impl Into<mongodb::bson::Document>) -> Self {
            self.options_mut().let_vars = Some(variables.into());
            self
        }
    };
    (@ allow_disk_use) => {
        /// Lets the server sort and group on its disk where memory does not do.
        pub fn allow_disk_use(mut self) -> Self {
            self.options_mut().allow_disk_use = Some(true);
            self
        }
    };
    (@ read_concern) => {
        /// Says what the server has to be sure of before it answers; not in a transaction, which reads a
        /// snapshot.
        pub fn read_concern(mut self, concern: mongodb::options::ReadConcern) -> Self {
            self.options_mut().read_concern = Some(concern);
            self
        }
    };
    (@ read_preference) => {
        /// Says which members of the replica set may answer; not in a transaction, which asks the primary.
        pub fn read_preference(mut self, preference: mongodb::options::ReadPreference) -> Self {
            let criteria = mongodb::options::SelectionCriteria::ReadPreference(preference);
            self.options_mut().selection_criteria = Some(criteria);
            self
        }
    };
    (@ write_concern) => {
        /// Says which members of the replica set must have the write before it returns.
        ///
        /// Where something follows the write, both are a transaction, and a majority has to have it.
        pub fn write_concern(mut self, concern: mongodb::options::WriteConcern) -> Self {
            self.options_mut().write_concern = Some(concern);
            self
        }
    };
    (@ any $options:ty) => {
        /// Changes any option of the driver.
        pub fn options(mut self, change: impl FnOnce(&mut $options)) -> Self {
            change(self.options_mut());
            self
        }
    };
}

/// Writes how a builder of a write is planned, tried and run.
///
/// The builder has a method `into_write` that returns the write and what runs it.
macro_rules! write_builder {
    ([$($generics:tt)*] $builder:ty => $report:ty, $operation:literal) => {
        impl<$($generics)*> $builder {
            /// Returns what will be sent, as mongosh text, with what follows: the write is run on paper, where
            /// every document that it looks for is there once, and `<name now>` stands for what the server
            /// tells. Sends nothing.
            ///
            /// # Errors
            ///
            /// As awaiting it, before anything is sent.
            pub fn plan(self) -> crate::error::Result<crate::statement::Plan> {
                let (write, exec) = self.into_write()?;
                exec.plan(write)
            }

            /// Runs the write in a transaction that is rolled back, and returns what it would have
            /// reported.
            ///
            /// It sends what the write sends, as one transaction, and an abort. All copies are written in it,
            /// however many they are.
            ///
            /// # Errors
            ///
            /// As awaiting it; [`Error::Invalid`](crate::Error::Invalid) in a transaction, and
            /// [`Error::NoTransactions`](crate::Error::NoTransactions) on a standalone server.
            pub async fn dry_run(self) -> crate::error::Result<$report> {
                let (mut write, exec) = self.into_write()?;
                write.fan_out.follow_at_once();
                exec.dry_run(write).await
            }
        }

        impl<$($generics)*> std::future::IntoFuture for $builder {
            type Output = crate::error::Result<$report>;
            type IntoFuture = crate::odm::Running<$report>;

            fn into_future(self) -> Self::IntoFuture {
                Box::pin(async move {
                    let (write, exec) = self.into_write()?;
                    let model = crate::odm::Write::model(&write);
                    crate::action::traced(model, $operation, exec.write(write)).await
                })
            }
        }
    };
}

pub(crate) use {option_setters, write_builder};
