//! How a write is run, planned and tried, the same in all builders of writes.

/// Writes how a builder of a write is planned, tried and run.
///
/// The builder has a method `into_write` that returns the write and what runs it. What it makes knows no model, so
/// that everything behind it is compiled once.
macro_rules! write_builder {
    ([$($generics:tt)*] $builder:ty: $write:ty => $report:ty, $operation:literal) => {
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
                fn run(
                    made: crate::error::Result<($write, crate::client::odm::Exec)>,
                ) -> crate::client::odm::Running<$report> {
                    Box::pin(async move {
                        let (write, exec) = made?;
                        let model = crate::client::odm::Write::model(&write);
                        crate::client::odm::traced(model, $operation, exec.dry_run(write)).await
                    })
                }
                let mut builder = self;
                builder.fan_out.follow_at_once();
                run(builder.into_write()).await
            }
        }

        impl<$($generics)*> std::future::IntoFuture for $builder {
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
