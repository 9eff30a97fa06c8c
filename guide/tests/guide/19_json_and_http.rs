//! Chapter 19: models, ids and errors in JSON, paths, query strings and responses.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Json,
    body::to_bytes,
    extract::{Path, Query, State},
    response::{IntoResponse, Response},
};
use garde::Validate;
use mongo_odm::{Error, ErrorKind, JsonType, Key, Page, PageToken, bson::Decimal128, prelude::*};
use odm_guide::{Chapter, chapters, read, run};
use schemars::{JsonSchema, schema_for};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "concerts")]
struct Concert {
    #[serde(rename = "_id")]
    id: Id<Concert, i64>,
    #[index(unique)]
    title: String,
}

#[derive(Debug, Serialize, Deserialize, Model, JsonSchema)]
#[model(collection = "tickets", index(keys(concert = 1, id = 1)))]
struct Ticket {
    #[serde(rename = "_id")]
    id: Id<Ticket>,
    #[parent_ref(exists)]
    concert: Id<Concert, i64>,
    #[serde(with = "mongo_odm::with::native")]
    #[schemars(with = "String")]
    sold_at: DateTime,
    #[serde(with = "mongo_odm::with::native")]
    #[schemars(with = "String")]
    price: Decimal128,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sku(String);

impl Key for Sku {
    const JSON: JsonType = JsonType::String;
}

#[derive(Debug, Serialize, Deserialize, Model, Validate)]
#[model(collection = "venues", validate)]
struct Venue {
    #[serde(rename = "_id")]
    #[garde(skip)]
    id: Id<Venue, i64>,
    #[garde(length(min = 1, max = 40))]
    name: String,
    #[garde(range(min = 1))]
    seats: i64,
}

async fn create(State(odm): State<Odm>, Json(ticket): Json<Ticket>) -> Result<Json<Ticket>, Error> {
    ticket.insert(&odm).await?;
    Ok(Json(ticket))
}

async fn ticket(State(odm): State<Odm>, Path(id): Path<Id<Ticket>>) -> Result<Json<Ticket>, Error> {
    Ticket::get(&odm, id).await.map(Json)
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "reviews")]
struct Review {
    #[serde(rename = "_id")]
    id: Id<Review>,
    #[parent_ref(exists)]
    concert: Id<Concert, i64>,
    #[denorm(from = "Concert.title")]
    concert_title: String,
    text: String,
    stars: Option<i32>,
    #[version]
    version: i64,
}

#[derive(Debug, Deserialize, Insertable)]
#[insertable(of = "Review", set(concert))]
#[serde(deny_unknown_fields)]
struct NewReview {
    text: String,
}

async fn review(
    State(odm): State<Odm>,
    Path(concert): Path<Id<Concert, i64>>,
    Json(new): Json<NewReview>,
) -> Result<Json<Review>, Error> {
    let review = new.insert(&odm).set(Review::fields().concert, concert);
    review.await.map(Json)
}

#[derive(Debug, Default, Deserialize, Patch)]
#[patch(of = "Ticket")]
#[serde(default, deny_unknown_fields)]
struct TicketPatch {
    concert: Presence<Id<Concert, i64>>,
    #[serde(with = "mongo_odm::with::native")]
    price: Presence<Decimal128>,
}

async fn change(
    State(odm): State<Odm>,
    Path(id): Path<Id<Ticket>>,
    Json(patch): Json<TicketPatch>,
) -> Result<Json<Ticket>, Error> {
    Ticket::update(&odm, id).patch(patch).await?;
    Ticket::get(&odm, id).await.map(Json)
}

#[derive(Deserialize)]
struct Start {
    concert: Id<Concert, i64>,
    after: Option<PageToken>,
}

async fn tickets(
    State(odm): State<Odm>,
    Query(start): Query<Start>,
) -> Result<Json<Page<Ticket>>, Error> {
    let of_concert = Ticket::fields().concert.eq(start.concert);
    let tickets = Ticket::find(&odm).filter(of_concert);
    let page = tickets.sort(Ticket::fields().id.asc()).page(50);
    page.after(start.after).await.map(Json)
}

/// Logs the errors that the clients of the service do not see.
async fn log_failures(response: Response) -> Response {
    if let Some(error) = response.extensions().get::<Arc<Error>>()
        && response.status().is_server_error()
    {
        eprintln!("{}: {error}", error.code());
    }
    response
}

async fn shown(response: Response) -> String {
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    format!("{status}\n{}", String::from_utf8_lossy(&body))
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    odm.sync_indexes().only::<Review>().await?;
    let concert = Concert {
        id: Id::from_key(7),
        title: "Winterreise".into(),
    };
    concert.insert(&odm).await?;
    let sold = Ticket {
        id: Id::new(),
        concert: concert.id,
        sold_at: DateTime::from_millis(1_772_366_400_500),
        price: "12.50".parse().unwrap(),
    };
    let Json(sold) = create(State(odm.clone()), Json(sold)).await?;
    chapter.stores(&odm, "tickets").await?;
    chapter.shows(serde_json::to_string_pretty(&sold).unwrap());

    let new = serde_json::from_str(r#"{ "text": "Too slow." }"#).unwrap();
    let Json(review) = review(State(odm.clone()), Path(concert.id), Json(new)).await?;
    assert_eq!(review.concert_title, "Winterreise");
    chapter.stores(&odm, "reviews").await?;

    let patch: TicketPatch = serde_json::from_str(r#"{ "price": "14.00" }"#).unwrap();
    let update = Ticket::update(&odm, sold.id).patch(patch);
    chapter.plans(&update.plan()?);
    let patch = serde_json::from_str(r#"{ "price": "14.00" }"#).unwrap();
    let Json(changed) = change(State(odm.clone()), Path(sold.id), Json(patch)).await?;
    assert_eq!(changed.price.to_string(), "14.00");

    let found = ticket(State(odm.clone()), Path(sold.id)).await?;
    assert_eq!(found.id, sold.id);
    let start = Start {
        concert: concert.id,
        after: None,
    };
    let Json(page) = tickets(State(odm.clone()), Query(start)).await?;
    assert_eq!((page.items.len(), page.next), (1, None));

    let venue = Venue {
        id: Id::from_key(1),
        name: String::new(),
        seats: 0,
    };
    let invalid = venue.insert(&odm).await.unwrap_err();
    chapter.shows(shown(invalid.into_response()).await);

    let missing = ticket(State(odm.clone()), Path(Id::new())).await;
    let response = log_failures(missing.unwrap_err().into_response()).await;
    chapter.shows(shown(response).await);

    let schema = serde_json::to_value(schema_for!(Ticket)).unwrap();
    let properties = serde_json::to_string_pretty(&schema["properties"]);
    chapter.shows(properties.unwrap());
    let sku: Id<Concert, Sku> = Id::from_key(Sku("a-1".into()));
    assert_eq!(serde_json::to_string(&sku).unwrap(), "\"a-1\"");
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("19-json-and-http", program).await;
}

#[test]
fn the_table_has_the_status_of_each_code() {
    let text = read(&chapters().join("19-json-and-http.md"));
    let rows = text.lines().filter(|line| line.starts_with("| [`odm."));
    let rows: BTreeMap<String, u16> = rows
        .map(|row| {
            let code = row.split('`').nth(1).unwrap();
            let status = row.split('|').nth(2).unwrap().trim();
            (code.to_owned(), status.parse().unwrap())
        })
        .collect();
    let kinds = ErrorKind::ALL.iter();
    let kinds = kinds.map(|kind| (kind.code().to_owned(), kind.http_status()));
    assert_eq!(rows, kinds.collect());
}
