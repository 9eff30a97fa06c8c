//! The arguments of calls: executors, builders instead of futures, and errors of the application.

use std::{fmt, sync::Arc};

use futures_util::future::try_join_all;
use mongo_odm::{CustomError, Odm, Result, Tx, prelude::*};
use odm_tests::{Harness, shop::*};

async fn count(odm: &(impl Executor + ?Sized)) -> u64 {
    Part::count(odm).await.unwrap()
}

#[tokio::test]
async fn a_call_takes_a_database_through_any_pointer() {
    let t = Harness::new("calls_pointers").await;
    t.given(&parts(2)).await;
    let shared = Arc::new(t.odm.clone());
    let anything: &dyn Executor = &t.odm;
    let boxed: Box<dyn Executor> = Box::new(t.odm.clone());
    let mut own = t.odm.clone();
    assert_eq!(count(&&t.odm).await, 2);
    assert_eq!(count(&shared).await, 2);
    assert_eq!(count(anything).await, 2);
    assert_eq!(count(&boxed).await, 2);
    assert_eq!(count(&&mut own).await, 2);
    let product = product(1, []);
    assert_eq!(product.load_parts(anything).await.unwrap(), []);
}

#[tokio::test]
async fn a_call_takes_a_transaction_through_any_pointer() {
    let t = Harness::new("calls_transactions").await;
    let counted = t.odm.transaction(async |mut tx| {
        let tx: &mut Tx = &mut tx;
        part(1).insert(tx).await?;
        Ok((
            count(tx).await,
            count(&tx).await,
            count(&Arc::new(tx.clone())).await,
        ))
    });
    assert_eq!(counted.await.unwrap(), (1, 1, 1));
}

#[tokio::test]
async fn a_builder_that_has_become_a_future_is_spawned_and_joined() {
    let t = Harness::new("calls_futures").await;
    t.given(&parts(3)).await;
    let found = tokio::spawn(Part::find(&t.odm).into_future())
        .await
        .unwrap();
    assert_eq!(found.unwrap().len(), 3);
    let counts = (0..2).map(|_| Part::count(&t.odm).into_future());
    assert_eq!(try_join_all(counts).await.unwrap(), [3, 3]);
}

/// An error of the application.
#[derive(Debug, PartialEq)]
struct NotEnough(u64);

impl fmt::Display for NotEnough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} parts are not enough", self.0)
    }
}

impl std::error::Error for NotEnough {}
impl CustomError for NotEnough {}

fn enough(parts: u64) -> Result<(), NotEnough> {
    if parts < 5 {
        Err(NotEnough(parts))
    } else {
        Ok(())
    }
}

#[tokio::test]
async fn an_error_of_the_application_ends_a_transaction_and_comes_out_of_it() {
    let t = Harness::new("calls_errors").await;
    t.given(&parts(3)).await;
    let emptied: Result<()> = t
        .odm
        .transaction(async |tx| {
            let deleted = Part::delete_many(&tx, doc! {}).everything().await?;
            enough(deleted.deleted)?;
            Ok(())
        })
        .await;
    assert_eq!(emptied.unwrap_err().get_custom(), Some(&NotEnough(3)));
    assert_eq!(count(&t.odm).await, 3);
}

/// Two relations between the same models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "machines")]
struct Machine {
    #[serde(rename = "_id")]
    id: Id<Machine>,
    #[refs(many)]
    parts: Vec<Id<Part>>,
    #[refs(one)]
    main: Id<Part>,
}

type Main = mongo_odm::relation::Joined<Machine, Part, mongo_odm::relation!(Machine.main)>;

#[tokio::test]
async fn a_relation_has_a_name_in_types() {
    let t = Harness::new("calls_relations").await;
    let parts = parts(3);
    t.given(&parts).await;
    let machine = Machine {
        id: Id::new(),
        parts: parts.iter().map(|part| part.id).collect(),
        main: parts[1].id,
    };
    let main: Main = Machine::join_main([&machine], &t.odm).await.unwrap();
    let all = Machine::join_parts([&machine], &t.odm).await.unwrap();
    assert_eq!(main.one_of(&machine), Some(&parts[1]));
    assert_eq!(all.of(&machine).len(), 3);
}

/// Compiles statements with handles that are only known as an `Executor`.
#[allow(dead_code, reason = "what it says, it says to the compiler")]
fn an_executor_may_be_any(odm: &dyn Executor, part: &Part, shared: &Arc<Odm>) {
    drop((
        part.save(odm),
        part.load_products(odm),
        Product::join_parts([], shared),
    ));
}
