//! The checks that use the program's counters: R1 to R4, R8 to R10, D1 and D4.

use mongo_odm::{
    bson::{Bson, Document, doc},
    prelude::*,
};
use mongo_odm_tools::{OdmTools, Thresholds};
use odm_tests::Harness;

use crate::{
    models::{
        Album, Bag, Book, Brand, BrandTitle, Citizen, Club, Film, FilmTitle, Hat, House, Member,
        Passport, Shelf, Track,
    },
    seeds::{figure, only, stored},
};

/// Returns thresholds with which ten calls are sufficient for a finding.
fn ten() -> Thresholds {
    let mut thresholds = Thresholds::default();
    thresholds.enough_calls = 10;
    thresholds.reads_for_one_write = 10;
    thresholds
}

async fn albums(t: &Harness) -> Vec<Album> {
    t.odm.sync_indexes().only::<Track>().await.unwrap();
    stored(
        t,
        "albums",
        (0..120).map(|n| doc! { "_id": n, "name": "a" }),
    )
    .await;
    let track = |n: i32| doc! { "_id": n, "name": "t", "album": n % 120 };
    stored(t, "tracks", (0..360).map(track)).await;
    Album::find(&t.odm).limit(12).await.unwrap()
}

#[tokio::test]
async fn documents_that_are_read_with_their_owner_alone() {
    let t = Harness::new("advise_r1").await;
    for _ in 0..10 {
        let albums = albums_of(&t).await;
        Album::join_tracks(&albums, &t.odm).await.unwrap();
    }
    let advice = t.odm.advise().thresholds(ten()).await.unwrap();
    let finding = only(&advice, "R1", "Track");
    assert_eq!(
        (figure(finding, "calls"), figure(finding, "for_each_owner")),
        (10, 3)
    );
    assert!(
        finding
            .change
            .contains("`#[embed(max = 20)] tracks: Vec<Track>` in `Album`"),
        "{finding}"
    );
    // A query for these documents without their owners shows that they are also read separately.
    Track::find(&t.odm).limit(1).await.unwrap();
    assert!(t.odm.advise().thresholds(ten()).await.unwrap().is_empty());
}

#[tokio::test]
async fn documents_of_a_two_way_array_are_counted_for_each_owner() {
    for (name, is_joined) in [("advise_r1_load", false), ("advise_r1_join", true)] {
        let t = Harness::new(name).await;
        let clubs = clubs(&t, 10, 150).await;
        for club in &clubs {
            if is_joined {
                Club::join_members(&clubs, &t.odm).await.unwrap();
            } else {
                // In a new task each, so that these are not consecutive loads of one task.
                let (odm, club) = (t.odm.clone(), club.clone());
                let loaded = tokio::spawn(async move { club.load_members(&odm).await });
                assert_eq!(loaded.await.unwrap().unwrap().len(), 15);
            }
        }
        let advice = t.odm.advise().thresholds(ten()).await.unwrap();
        let finding = only(&advice, "R1", "Member");
        let owners = if is_joined { 100 } else { 10 };
        assert_eq!(
            (figure(finding, "owners"), figure(finding, "for_each_owner")),
            (owners, 15)
        );
        assert!(finding.evidence.contains("about 15 for each"), "{finding}");
        assert!(
            finding.change.starts_with("`#[embed(max = 50)] members"),
            "{finding}"
        );
    }
}

#[tokio::test]
async fn documents_of_which_a_part_is_read_stay_on_their_own() {
    let t = Harness::new("advise_r1_part").await;
    let albums = albums(&t).await;
    for album in &albums {
        let (odm, album) = (t.odm.clone(), album.clone());
        let loaded = tokio::spawn(async move { album.load_tracks(&odm).limit(1).await });
        assert_eq!(loaded.await.unwrap().unwrap().len(), 1);
    }
    Album::join_tracks(&albums, &t.odm)
        .limit_each(1)
        .await
        .unwrap();
    let tracks = &t.odm.stats().relations[0];
    assert_eq!((tracks.loads, tracks.joins, tracks.parts), (12, 1, 13));
    let advice = t.odm.advise().thresholds(ten()).await.unwrap();
    assert!(advice.is_empty(), "{advice}");
}

#[tokio::test]
async fn one_document_that_is_read_with_its_owner() {
    let t = Harness::new("advise_r1_one").await;
    t.odm.sync_indexes().only::<Passport>().await.unwrap();
    stored(&t, "citizens", (0..20).map(|n| doc! { "_id": n })).await;
    let passport = |n: i32| doc! { "_id": n, "citizen": n };
    stored(&t, "passports", (0..20).map(passport)).await;
    let citizens = Citizen::find(&t.odm).await.unwrap();
    for citizen in citizens {
        let odm = t.odm.clone();
        let loaded = tokio::spawn(async move { citizen.load_passport(&odm).await });
        loaded.await.unwrap().unwrap();
    }
    let advice = t.odm.advise().thresholds(ten()).await.unwrap();
    let finding = only(&advice, "R1", "Passport");
    assert!(
        finding
            .change
            .starts_with("`#[embed] passport: Option<Passport>` in `Citizen`"),
        "{finding}"
    );
}

#[tokio::test]
async fn what_belongs_to_several_is_embedded_in_none() {
    let t = Harness::new("advise_r1_shared").await;
    t.odm.sync_indexes().only::<Club>().await.unwrap();
    t.odm.sync_indexes().only::<Member>().await.unwrap();
    let club = |n: i32| doc! { "_id": n, "name": "chess", "members": [n, n + 10] };
    stored(&t, "clubs", (0..10).map(club)).await;
    let member = |n: i32| doc! { "_id": n, "club": n % 10 };
    stored(&t, "members", (0..20).map(member)).await;
    for _ in 0..10 {
        let members = Member::find(&t.odm).await.unwrap();
        Member::join_club(&members, &t.odm).await.unwrap();
    }
    let advice = t.odm.advise().thresholds(ten()).await.unwrap();
    assert!(advice.is_empty(), "{advice}");
}

/// Stores clubs with members that refer to their club.
async fn clubs(t: &Harness, clubs: i32, members: i32) -> Vec<Club> {
    t.odm.sync_indexes().only::<Club>().await.unwrap();
    t.odm.sync_indexes().only::<Member>().await.unwrap();
    let club = |n| Club {
        id: Id::from(n),
        name: "chess".into(),
        members: Vec::new(),
    };
    t.given(&(0..clubs).map(club).collect::<Vec<_>>()).await;
    let member = |n| Member {
        id: Id::from(n),
        club: Id::from(n % clubs),
    };
    t.given(&(0..members).map(member).collect::<Vec<_>>()).await;
    Club::find(&t.odm).await.unwrap()
}

#[tokio::test]
async fn the_array_of_a_two_way_reference_is_no_copy() {
    let t = Harness::new("advise_r4_array").await;
    clubs(&t, 3, 0).await;
    for n in 0..120 {
        let club = Id::from(n % 3);
        let member = Member {
            id: Id::from(n),
            club,
        };
        member.insert(&t.odm).await.unwrap();
    }
    assert!(
        t.odm
            .stats()
            .copies
            .iter()
            .any(|it| it.copies_written >= 100)
    );
    let advice = t.odm.advise().await.unwrap();
    // The members of the clubs were already read completely before.
    assert!(advice.is_empty(), "{advice}");
}

#[tokio::test]
async fn what_is_computed_is_named_by_what_declares_it() {
    let t = Harness::new("advise_r4_computed").await;
    t.odm.sync_indexes().only::<Shelf>().await.unwrap();
    t.odm.sync_indexes().only::<Book>().await.unwrap();
    stored(&t, "shelves", [doc! { "_id": 1, "books": 0_i64 }]).await;
    for n in 0..120 {
        let (id, shelf) = (Id::from(n), Id::from(1));
        Book { id, shelf }.insert(&t.odm).await.unwrap();
    }
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "R4", "Shelf.books");
    assert!(
        finding.change.starts_with(
            "remove `#[rollup(count, of = \"Book\", via = \"shelf\")]` at `Shelf.books`, and "
        ),
        "{finding}"
    );
}

async fn albums_of(t: &Harness) -> Vec<Album> {
    if t.database()
        .collection("albums")
        .find_one(doc! {})
        .await
        .unwrap()
        .is_none()
    {
        return albums(t).await;
    }
    Album::find(&t.odm).limit(12).await.unwrap()
}

#[tokio::test]
async fn a_relation_that_is_loaded_one_document_at_a_time() {
    let t = Harness::new("advise_r8").await;
    let albums = albums(&t).await;
    Track::find(&t.odm).limit(1).await.unwrap();
    for album in &albums {
        album.load_tracks(&t.odm).await.unwrap();
    }
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "R8", "Album.tracks");
    assert_eq!(figure(finding, "most_loads_in_a_task"), 12);
    assert!(finding.evidence.contains("counted.rs:"), "{finding}");
    assert!(
        finding
            .change
            .contains("Album::join_tracks(&documents, &odm)"),
        "{finding}"
    );
}

#[tokio::test]
async fn an_embedded_part_that_is_asked_for_on_its_own() {
    let t = Harness::new("advise_r2").await;
    let rooms = |n: i32| vec![doc! { "colour": format!("c{n}") }];
    let house = |n: i32| doc! { "_id": n, "name": "h", "rooms": rooms(n) };
    stored(&t, "houses", (0..150).map(house)).await;
    for n in 0..10 {
        let colour = House::fields().rooms.colour.eq(format!("c{n}"));
        House::find(&t.odm).filter(colour).await.unwrap();
    }
    let advice = t.odm.advise().thresholds(ten()).await.unwrap();
    let finding = only(&advice, "R2", "House.rooms");
    assert_eq!(
        (figure(finding, "filtered"), figure(finding, "queries")),
        (10, 10)
    );
    assert!(finding.change.starts_with("a model of `Room`"), "{finding}");
}

#[tokio::test]
async fn a_reference_that_is_followed_for_one_field() {
    let t = Harness::new("advise_r3").await;
    t.odm.sync_indexes().only::<Hat>().await.unwrap();
    t.odm.sync_indexes().only::<Brand>().await.unwrap();
    let brand = |n: i32| doc! { "_id": n, "title": "Acme", "founded": 1990 };
    stored(&t, "brands", (0..10).map(brand)).await;
    stored(
        &t,
        "hats",
        (0..120).map(|n| doc! { "_id": n, "brand": n % 10, "size": 3 }),
    )
    .await;
    for _ in 0..10 {
        let hats = Hat::find(&t.odm).await.unwrap();
        Hat::join_brand(&hats, &t.odm)
            .select::<BrandTitle>()
            .await
            .unwrap();
    }
    let advice = t.odm.advise().thresholds(ten()).await.unwrap();
    let finding = only(&advice, "R3", "Hat.brand");
    assert_eq!(
        (figure(finding, "documents"), figure(finding, "updated")),
        (100, 0)
    );
    assert_eq!(
        finding.change,
        "`#[denorm(from = \"Brand.title\")]` beside `Hat.brand`"
    );
}

#[tokio::test]
async fn a_copy_that_costs_more_than_it_saves() {
    let t = Harness::new("advise_r4").await;
    t.odm
        .sync_indexes()
        .only::<crate::models::Shoe>()
        .await
        .unwrap();
    t.odm.sync_indexes().only::<Bag>().await.unwrap();
    t.odm.sync_indexes().only::<Brand>().await.unwrap();
    stored(
        &t,
        "brands",
        [doc! { "_id": 1, "title": "v0", "founded": 1990 }],
    )
    .await;
    let bag = |n: i32| doc! { "_id": n, "brand": 1, "brand_title": "v0" };
    stored(&t, "bags", (0..150).map(bag)).await;
    for n in 1..4 {
        let title = Brand::fields().title;
        Brand::update(&t.odm, Id::from(1))
            .set(title, format!("v{n}"))
            .await
            .unwrap();
    }
    assert_eq!(Bag::find(&t.odm).limit(20).await.unwrap().len(), 20);
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "R4", "Bag.brand_title");
    assert_eq!(figure(finding, "copies_written"), 450);
    assert_eq!(
        (
            figure(finding, "joins_avoided"),
            figure(finding, "fan_outs")
        ),
        (20, 3)
    );
    assert_eq!(
        finding.change,
        "remove `#[denorm(from = \"Brand.title\")]` at `Bag.brand_title`, and use `join_*` or `load_*` to read the values"
    );
}

#[tokio::test]
async fn a_lookup_over_a_declared_relation() {
    let t = Harness::new("advise_r9").await;
    albums(&t).await;
    Track::find(&t.odm).limit(1).await.unwrap();
    for _ in 0..10 {
        let lookup =
            doc! { "from": "tracks", "localField": "_id", "foreignField": "album", "as": "tracks" };
        let pipeline = vec![doc! { "$limit": 5 }, doc! { "$lookup": lookup }];
        let found: Vec<Document> = Album::aggregate(&t.odm, pipeline).await.unwrap();
        assert_eq!(found.len(), 5);
    }
    let advice = t.odm.advise().thresholds(ten()).await.unwrap();
    let finding = only(&advice, "R9", "Track.album");
    assert_eq!(figure(finding, "runs"), 10);
    assert!(
        finding
            .change
            .contains("`has_many(.. = \"Track.album\")` at `Album`"),
        "{finding}"
    );
}

#[tokio::test]
async fn a_two_way_reference_that_nobody_reads_backwards() {
    let t = Harness::new("advise_r10").await;
    t.odm.sync_indexes().only::<Club>().await.unwrap();
    t.odm.sync_indexes().only::<Member>().await.unwrap();
    let club = Club {
        id: Id::from(1),
        name: "chess".into(),
        members: Vec::new(),
    };
    t.given(&[club]).await;
    let members: Vec<_> = (0..120)
        .map(|n| Member {
            id: Id::from(n),
            club: Id::from(1),
        })
        .collect();
    t.given(&members).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "R10", "Club.members");
    assert_eq!(figure(finding, "written"), 120);
    Club::get(&t.odm, Id::from(1)).await.unwrap();
    assert!(t.odm.advise().await.unwrap().is_empty());
}

#[tokio::test]
async fn fields_that_no_query_asks_for() {
    let t = Harness::new("advise_d4").await;
    let film = |n: i32| doc! { "_id": n, "title": "Jaws", "plot": "A shark." };
    stored(&t, "films", (0..150).map(film)).await;
    for _ in 0..10 {
        Film::find(&t.odm).select::<FilmTitle>().await.unwrap();
    }
    let advice = t.odm.advise().thresholds(ten()).await.unwrap();
    let finding = only(&advice, "D4", "Film.plot");
    assert_eq!(figure(finding, "queries"), 10);
    // The studio is copied, and the library adds the time of the delete to each filter.
    assert_eq!(figure(finding, "fields"), 1, "{finding}");
}

#[tokio::test]
async fn large_documents_of_which_little_is_asked_for() {
    let t = Harness::new("advise_d1").await;
    let plot = "x".repeat(20 << 10);
    let film = |n: i32| doc! { "_id": n, "title": "Jaws", "plot": Bson::from(plot.as_str()) };
    stored(&t, "films", (0..150).map(film)).await;
    for _ in 0..10 {
        Film::find(&t.odm).select::<FilmTitle>().await.unwrap();
    }
    let advice = t.odm.advise().thresholds(ten()).await.unwrap();
    let finding = only(&advice, "D1", "Film");
    assert!(
        figure(finding, "median") > 20_000 && figure(finding, "asked_for") < 100,
        "{finding}"
    );
}
