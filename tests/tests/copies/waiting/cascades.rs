//! Waits for the work that the job of a delete rule creates in turn.

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "waiting_ledgers")]
struct Ledger {
    #[serde(rename = "_id")]
    id: Id<Ledger>,
    #[rollup(count, of = "Booking", via = "ledger")]
    bookings: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "waiting_clients")]
struct Client {
    #[serde(rename = "_id")]
    id: Id<Client>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "waiting_bookings")]
struct Booking {
    #[serde(rename = "_id")]
    id: Id<Booking>,
    #[parent_ref]
    ledger: Id<Ledger>,
    #[parent_ref(on_delete = "cascade")]
    client: Id<Client>,
}

#[tokio::test(flavor = "multi_thread")]
async fn deltas_that_the_job_of_a_cascade_leaves_are_waited_for() {
    let t = empty("waiting_cascade").await;
    let sync = t.odm.sync_indexes().only::<Ledger>().only::<Client>();
    sync.only::<Booking>().await.unwrap();
    let (ledger, client) = (
        Ledger {
            id: Id::new(),
            bookings: 0,
        },
        Client { id: Id::new() },
    );
    ledger.insert(&t.odm).await.unwrap();
    client.insert(&t.odm).await.unwrap();
    let (odm, of, by) = (t.odm.clone(), ledger.id, client.id);
    // Repeats until two inserts conflict at the ledger, which then is hot.
    let book = || {
        let odm = odm.clone();
        let new = Booking {
            id: Id::new(),
            ledger: of,
            client: by,
        };
        tokio::spawn(async move { new.insert(&odm).await.unwrap().copies })
    };
    let mut met = false;
    while !met {
        let booked = futures_util::future::join_all((0..8).map(|_| book())).await;
        let mut copies = booked.into_iter().flat_map(Result::unwrap);
        met = copies.any(|it| it.forms.contains(&Form::Delta));
    }
    t.odm.run_pending_jobs().await.unwrap();
    let deleted = Client::delete(&by_jobs(&t.odm), by).await.unwrap();
    let bookings = &deleted.copies[0];
    assert_eq!(bookings.forms, [Form::Delta, Form::Job], "{deleted:?}");
    assert_eq!(bookings.guarantee, Guarantee::Eventual);
    assert!(Ledger::get(&t.odm, of).await.unwrap().bookings > 0);
    another(&t.odm).wait(deleted.token()).await.unwrap();
    assert_eq!(Ledger::get(&t.odm, of).await.unwrap().bookings, 0);
    settle(&t.odm).await;
}
