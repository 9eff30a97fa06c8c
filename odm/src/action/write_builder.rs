//! How a write is run, planned and tried, the same in all builders of writes.

/// Writes how a builder of a write is planned, tried and run.
///
/// The builder has a method `into_write` that returns the write and what runs it.
macro_rules! write_builder {
    ([$($generics:tt)*] $builder:ty => $report:ty, $operation:literal) => {
        impl<$($generics)*> $builder {
            /// Returns what will be sent, as mongosh text, with what follows: the write is run on paper, where
            /// every document that it looks for is there once, and `<name now>` stands for what the server
            /// tells; what a pipeline makes of a document is not known, nor the copies that it brings. Sends
            /// nothing.
            ///
            /// A standalone server has no transactions, and the plan shows what runs there instead as soon as
            /// the handle has asked the server, which the first write with copies does, and
            /// [`Odm::health`](crate::Odm::health). Before that, a plan is one for a replica set.
            ///
            /// # Errors
            ///
            /// As awaiting it, before anything is sent.
            pub fn plan(self) -> crate::error::Result<crate::plan::Plan> {
                let (write, exec) = self.into_write()?;
                let model = crate::odm::Write::model(&write);
                exec.plan(write).map_err(|error| error.about(model))
            }

            /// Runs the write in a transaction that is rolled back, and returns what it would have
            /// reported.
            ///
            /// It sends what the write sends, as one transaction, and an abort. All copies are written in it,
            /// however many they are, and the report says so: in one batch and
            /// [`Atomic`](crate::Guarantee::Atomic), also where the write leaves them to jobs.
            ///
            /// # Errors
            ///
            /// As awaiting it; [`Error::Invalid`](crate::Error::Invalid) in a transaction, and
            /// [`Error::NoTransactions`](crate::Error::NoTransactions) on a standalone server.
            pub async fn dry_run(self) -> crate::error::Result<$report> {
                let (mut write, exec) = self.into_write()?;
                write.fan_out.follow_at_once();
                let model = crate::odm::Write::model(&write);
                crate::odm::traced(model, $operation, exec.dry_run(write)).await
            }
        }

        impl<$($generics)*> std::future::IntoFuture for $builder {
            type Output = crate::error::Result<$report>;
            type IntoFuture = crate::odm::Running<$report>;

            fn into_future(self) -> Self::IntoFuture {
                Box::pin(async move {
                    let (write, exec) = self.into_write()?;
                    let model = crate::odm::Write::model(&write);
                    crate::odm::traced(model, $operation, exec.write(write)).await
                })
            }
        }
    };
}

pub(crate) use write_builder;
