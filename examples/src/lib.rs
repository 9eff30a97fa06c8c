//! Code that the examples share: a server with a recorder, output of queries and results, and
//! progress bars for loading.

mod load;
mod stage;
mod text;

pub use load::{insert_all, progress};
pub use stage::{Stage, report};
pub use text::{date, few, thousands};

/// Prints a query, its plan and its cost, and returns its result.
///
/// The query is printed as it is written in the source, so that you see the code that runs. The
/// expression is evaluated twice, once for the plan. Creating a query sends nothing.
#[macro_export]
macro_rules! ask {
    ($stage:expr, $query:expr) => {
        $stage
            .ask(stringify!($query), ($query).plan()?, $query)
            .await?
    };
}
