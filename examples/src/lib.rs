//! What the examples share: a server with a recorder, a printer of questions and answers, and
//! progress bars for loading.

mod load;
mod stage;
mod text;

pub use load::{insert_all, progress};
pub use stage::{Stage, report};
pub use text::{date, few, thousands};

/// Prints a query, its plan and what it cost, and returns its answer.
///
/// The query is printed as it stands in the source, so that what is shown is what runs. It is built
/// twice, once for the plan; building sends nothing.
#[macro_export]
macro_rules! ask {
    ($stage:expr, $query:expr) => {
        $stage
            .ask(stringify!($query), ($query).plan()?, $query)
            .await?
    };
}
