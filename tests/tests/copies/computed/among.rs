//! New children that belong in the middle of a recent list. A second update sorts them into the list, and counts no
//! child twice.

use super::*;

/// A board with the most expensive offers, in a list whose elements have no `_id`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "among_boards")]
pub struct Board {
    #[serde(rename = "_id")]
    pub id: Id<Board>,
    #[recent(of = "Offer", via = "board", sort = "price", limit = 2)]
    pub dearest: Vec<OfferLine>,
    #[rollup(count, of = "Offer", via = "board")]
    pub offers: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "among_offers")]
pub struct Offer {
    #[serde(rename = "_id")]
    pub id: Id<Offer>,
    #[parent_ref]
    pub board: Id<Board>,
    pub price: Decimal128,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Offer")]
pub struct OfferLine {
    pub price: Decimal128,
}

/// A queue with the latest tickets. The library can determine their order unless values are missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "among_queues")]
pub struct Queue {
    #[serde(rename = "_id")]
    pub id: Id<Queue>,
    #[recent(of = "Ticket", via = "queue", sort = "time", limit = 2)]
    pub last: Vec<TicketLine>,
    #[rollup(count, of = "Ticket", via = "queue")]
    pub tickets: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "among_tickets")]
pub struct Ticket {
    #[serde(rename = "_id")]
    pub id: Id<Ticket>,
    #[parent_ref]
    pub queue: Id<Queue>,
    pub time: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Ticket")]
pub struct TicketLine {
    #[serde(rename = "_id")]
    pub id: Id<Ticket>,
    pub time: Option<i64>,
}

async fn market(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Board>().only::<Offer>();
    let sync = sync.only::<Queue>().only::<Ticket>();
    sync.await.unwrap();
    t
}

fn board() -> Board {
    Board {
        id: Id::new(),
        dearest: Vec::new(),
        offers: 0,
    }
}

fn offer(board: &Board, price: &str) -> Offer {
    Offer {
        id: Id::new(),
        board: board.id,
        price: Decimal128::from_str(price).unwrap(),
    }
}

fn ticket(queue: &Queue, time: Option<i64>) -> Ticket {
    Ticket {
        id: Id::new(),
        queue: queue.id,
        time,
    }
}

#[tokio::test]
async fn a_newcomer_that_is_cut_off_is_counted_once_beside_a_list_that_cannot_take_another() {
    let t = market("among_cut_off").await;
    let boards = [board(), board()];
    t.given(&boards).await;
    let [one, other] = &boards;
    for price in ["5", "6"] {
        t.given(&[offer(one, price), offer(other, price)]).await;
    }
    // The first offer is cheaper than all offers in the full list. The second has a price that the list already
    // contains.
    let both = [offer(one, "1"), offer(other, "6")];
    Offer::insert_many(&t.odm, &both).await.unwrap();
    settle(&t.odm).await;
    for board in Board::find(&t.odm).await.unwrap() {
        assert_eq!(board.offers, 3, "{board:?}");
    }
    assert!(t.odm.verify().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_newcomer_without_a_value_is_counted_once_beside_a_parent_that_is_missing() {
    let t = market("among_missing").await;
    let queue = || Queue {
        id: Id::new(),
        last: Vec::new(),
        tickets: 0,
    };
    for (round, way) in ["inline", "deferred", "null"].into_iter().enumerate() {
        let (one, other) = (queue(), queue());
        one.insert(&t.odm).await.unwrap();
        if way == "null" {
            other.insert(&t.odm).await.unwrap();
            let queues = t.odm.database().collection::<Document>("among_queues");
            let null = doc! { "$set": { "last": null } };
            let nulled = queues.update_one(doc! { "_id": other.id }, null).await;
            assert_eq!(nulled.unwrap().modified_count, 1);
        }
        t.given(&[ticket(&one, Some(1)), ticket(&one, Some(2))])
            .await;
        let both = [ticket(&one, None), ticket(&other, Some(1))];
        let insert = Ticket::insert_many(&t.odm, &both);
        match way {
            "deferred" => insert.deferred().await.unwrap(),
            _ => insert.await.unwrap(),
        };
        t.odm.run_pending_jobs().await.unwrap();
        let stored = Queue::get(&t.odm, one.id).await.unwrap();
        assert_eq!(stored.tickets, 3, "{way}: {stored:?}");
        if way != "null" {
            other.insert(&t.odm).await.unwrap();
        }
        settle(&t.odm).await;
        assert!(t.odm.verify().await.unwrap().is_empty(), "{way}");
        let stored = Queue::get(&t.odm, other.id).await.unwrap();
        assert_eq!((stored.tickets, stored.last.len()), (1, 1), "{way}");
        assert_eq!(Queue::count(&t.odm).await.unwrap(), 2 * (round as u64 + 1));
    }
}
