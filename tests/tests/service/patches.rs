//! Patches: bodies of `PATCH` requests that change only some fields of documents.

use axum::{
    Json, Router,
    extract::{Path, State},
    http::{Method, StatusCode},
    routing::patch,
};
use mongo_odm::{Error, ErrorKind, PatchProblem, Update, bson::Document, prelude::*};
use odm_tests::Harness;
use serde_json::{Value, json};

use crate::requests::send;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "patched_teams")]
struct Team {
    #[serde(rename = "_id")]
    id: Id<Team, i64>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "patched_issues")]
struct Issue {
    #[serde(rename = "_id")]
    id: Id<Issue, i64>,
    #[serde(rename = "t")]
    title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due: Option<DateTime>,
    points: Option<i32>,
    note: Presence<String>,
    #[refs(many, max = 3)]
    teams: Vec<Id<Team, i64>>,
    #[parent_ref]
    team: Id<Team, i64>,
    #[denorm(from = Team.name, via = team)]
    team_name: Option<String>,
    #[embed]
    place: Place,
    #[embed]
    #[serde(default)]
    second: Option<Place>,
    #[updated_at]
    updated: DateTime,
    #[version]
    version: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Place {
    city: String,
    room: Option<i32>,
    #[embed]
    floor: Option<Floor>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Floor {
    number: i32,
    color: Option<String>,
}

#[derive(Debug, Default, Deserialize, Patch)]
#[patch(of = "Issue")]
#[serde(default, deny_unknown_fields)]
struct IssuePatch {
    title: Presence<String>,
    #[serde(with = "mongo_odm::with::native")]
    due: Presence<DateTime>,
    points: Presence<i32>,
    note: Presence<String>,
    teams: Presence<Vec<Id<Team, i64>>>,
    team: Presence<Id<Team, i64>>,
    #[embed]
    place: Presence<PlacePatch>,
    #[embed]
    second: Presence<PlacePatch>,
}

#[derive(Debug, Default, Deserialize, Patch)]
#[patch(of = "Place")]
#[serde(default)]
struct PlacePatch {
    city: Presence<String>,
    room: Presence<i32>,
    #[embed]
    floor: Presence<FloorPatch>,
}

#[derive(Debug, Default, Deserialize, Patch)]
#[patch(of = "Floor")]
#[serde(default)]
struct FloorPatch {
    number: Presence<i32>,
    color: Presence<String>,
}

/// A patch that replaces an embedded struct as a whole.
#[derive(Debug, Default, Deserialize, Patch)]
#[patch(of = "Issue")]
#[serde(default)]
struct WholePlace {
    second: Presence<Place>,
}

fn id<M>(number: i64) -> Id<M, i64> {
    Id::from_key(number)
}

fn place(city: &str) -> Place {
    Place {
        city: city.into(),
        room: Some(1),
        floor: Some(Floor {
            number: 2,
            color: Some("red".into()),
        }),
    }
}

fn issue(number: i64) -> Issue {
    Issue {
        id: id(number),
        title: "leak".into(),
        due: Some(DateTime::from_millis(5)),
        points: Some(3),
        note: Presence::Value("soon".into()),
        teams: vec![id(1)],
        team: id(1),
        team_name: None,
        place: place("Oslo"),
        second: None,
        updated: DateTime::MIN,
        version: 0,
    }
}

async fn opened(test: &str) -> Harness {
    let t = Harness::new(test).await;
    t.odm.sync_indexes().only::<Issue>().await.unwrap();
    for (number, name) in [(1, "Blue"), (2, "Red")] {
        let team = Team {
            id: id(number),
            name: name.into(),
        };
        team.insert(&t.odm).await.unwrap();
    }
    issue(1).insert(&t.odm).await.unwrap();
    t.forget();
    t
}

fn parsed(body: Value) -> IssuePatch {
    serde_json::from_value(body).unwrap()
}

async fn stored(t: &Harness) -> Issue {
    Issue::get(&t.odm, id(1)).await.unwrap()
}

fn operators(patch: IssuePatch) -> Document {
    changed(Update::new().patch(patch))
}

fn changed(update: Update<Issue>) -> Document {
    match update.into_modifications().unwrap() {
        mongo_odm::mongodb::options::UpdateModifications::Document(operators) => operators,
        pipeline => panic!("{pipeline:?}"),
    }
}

#[test]
fn a_patch_contains_only_the_fields_of_the_request() {
    let all = operators(parsed(json!({
        "title": "flood", "due": null, "points": null, "note": null, "teams": [1, 2],
        "place": { "room": null, "floor": { "number": 4 } }, "second": null,
    })));
    let expected = doc! {
        "$set": {
            "t": "flood", "points": null, "note": null, "teams": [1_i64, 2_i64],
            "place.room": null, "place.floor.number": 4, "second": null,
        },
        "$unset": { "due": "" },
    };
    assert_eq!(all, expected);
    assert_eq!(operators(parsed(json!({}))), doc! {});
    let dated = operators(parsed(json!({ "due": "1970-01-01T00:00:05Z" })));
    let due = DateTime::from_millis(5_000);
    assert_eq!(dated, doc! { "$set": { "due": due } });
    assert_eq!(
        operators(parsed(json!({ "place": { "floor": {} } }))),
        doc! {}
    );
}

#[test]
fn the_last_call_for_a_field_takes_effect() {
    let due = DateTime::from_millis(1);
    let null = || parsed(json!({ "due": null }));
    let value = || parsed(json!({ "due": "1970-01-01T00:00:00.002Z" }));
    let field = Issue::fields().due;
    let set_first = Update::<Issue>::new().set(field, due).patch(null());
    assert_eq!(changed(set_first), doc! { "$unset": { "due": "" } });
    let set_last = Update::<Issue>::new().patch(null()).set(field, due);
    assert_eq!(changed(set_last), doc! { "$set": { "due": due } });
    let unset_first = Update::<Issue>::new().unset(field).patch(value());
    let expected = doc! { "$set": { "due": DateTime::from_millis(2) } };
    assert_eq!(changed(unset_first), expected);
}

#[test]
fn null_for_a_required_field_is_an_error_with_its_path() {
    for (body, path) in [
        (json!({ "title": null }), "t"),
        (json!({ "place": null }), "place"),
        (json!({ "place": { "city": null } }), "place.city"),
        (
            json!({ "second": { "floor": { "number": null } } }),
            "second.floor.number",
        ),
    ] {
        let update = Update::<Issue>::new().patch(parsed(body));
        let error = update.into_modifications().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidPatch);
        assert_eq!(
            error.to_string(),
            format!(
                "the patch of `Issue` sets `{path}` to null, but the field must have a value; leave the field out to keep \
                 its value"
            )
        );
    }
}

#[tokio::test]
async fn a_patch_changes_the_copies_and_the_maintained_fields_too() {
    let t = opened("patch_copies").await;
    let patch =
        parsed(json!({ "team": 2, "note": "now", "place": { "floor": { "color": null } } }));
    let report = Issue::update(&t.odm, id(1)).patch(patch).await.unwrap();
    assert_eq!((report.matched, report.modified), (1, 1));
    let changed = stored(&t).await;
    assert_eq!(changed.team_name.as_deref(), Some("Red"));
    assert_eq!(changed.version, 2);
    assert_eq!(changed.note, Presence::Value("now".into()));
    assert_eq!(
        changed.place.floor,
        Some(Floor {
            number: 2,
            color: None
        })
    );
    assert_eq!((changed.due, changed.points), (issue(1).due, Some(3)));
    // A patch can be combined with other operators and with the version.
    let update = Issue::update(&t.odm, id(1)).patch(parsed(json!({ "points": null })));
    let update = update.push(Issue::fields().teams, id::<Team>(2));
    update.if_unchanged(&changed).await.unwrap();
    let update = Issue::update(&t.odm, id(1)).patch(parsed(json!({ "points": 9 })));
    let stale = update.if_unchanged(&changed).await.unwrap_err();
    assert_eq!(stale.kind(), ErrorKind::Conflict);
    let changed = stored(&t).await;
    assert_eq!(
        (changed.points, changed.teams.len(), changed.version),
        (None, 2, 3)
    );
}

#[tokio::test]
async fn an_empty_patch_sends_nothing_and_changes_no_version() {
    let t = opened("patch_empty").await;
    let empty = || parsed(json!({ "second": {} }));
    let one = Issue::update(&t.odm, id(1)).patch(empty()).await.unwrap();
    let all = Issue::fields().id.gt(id(0));
    let many = Issue::update_many(&t.odm, all.clone()).patch(empty());
    assert!(many.plan().unwrap().statements.is_empty());
    let many = Issue::update_many(&t.odm, all.clone()).patch(empty());
    assert_eq!((one, many.await.unwrap()), Default::default());
    assert_eq!(t.recorder().names(), [""; 0]);
    let found = Issue::find_one_and_update(&t.odm, all.clone()).patch(empty());
    let found = found.return_new().await.unwrap().unwrap();
    assert_eq!((found.id, found.version), (id(1), 1));
    let upsert = Issue::upsert(&t.odm, all).patch(empty()).await.unwrap_err();
    assert!(
        upsert.to_string().contains("has an empty patch"),
        "{upsert}"
    );
    let without_patch = Issue::update(&t.odm, id(1)).await.unwrap_err();
    assert_eq!(without_patch.kind(), ErrorKind::Invalid);
    assert_eq!(stored(&t).await.version, 1);
}

#[tokio::test]
async fn a_document_without_the_embedded_struct_is_an_error_and_stays_as_it_is() {
    let t = opened("patch_no_struct").await;
    let patch = || parsed(json!({ "title": "x", "second": { "room": 7 } }));
    let fields = Issue::fields();
    let by_id = fields.id.eq(id(1));
    let before = stored(&t).await;
    let refused = [
        Issue::update(&t.odm, id(1)).patch(patch()).await.err(),
        Issue::update_many(&t.odm, by_id.clone())
            .patch(patch())
            .await
            .err(),
        Issue::find_one_and_update(&t.odm, by_id.clone())
            .sort(fields.id.asc())
            .patch(patch())
            .await
            .err(),
        Issue::update(&t.odm, id(1))
            .patch(parsed(json!({ "team": 2, "second": { "room": 7 } })))
            .await
            .err(),
        Issue::update(&t.odm, id(1))
            .patch(patch())
            .add_to_set(fields.teams, id::<Team>(2))
            .await
            .err(),
        Issue::update_many(&t.odm, by_id.clone())
            .patch(patch())
            .add_to_set(fields.teams, id::<Team>(2))
            .await
            .err(),
        Issue::update_many(&t.odm, by_id.clone())
            .patch(parsed(json!({ "team": 2, "second": { "room": 7 } })))
            .await
            .err(),
    ];
    for (at, error) in refused.into_iter().enumerate() {
        let Some(Error::InvalidPatch {
            of, field, problem, ..
        }) = error
        else {
            panic!("{at}: {error:?}");
        };
        assert_eq!(
            (of, &*field, problem),
            ("Issue", "second", PatchProblem::NoStruct),
            "{at}"
        );
    }
    assert_eq!(stored(&t).await, before);
    let upsert = Issue::upsert(&t.odm, by_id)
        .patch(patch())
        .await
        .unwrap_err();
    assert!(upsert.to_string().contains("`Issue.second`"), "{upsert}");
    // No document has this id, so no document lacks the struct.
    let report = Issue::update(&t.odm, id(9)).patch(patch()).await.unwrap();
    assert_eq!(report.matched, 0);
    let whole: WholePlace = serde_json::from_value(json!({
        "second": { "city": "Rome", "room": 1, "floor": null },
    }))
    .unwrap();
    Issue::update(&t.odm, id(1)).patch(whole).await.unwrap();
    Issue::update(&t.odm, id(1)).patch(patch()).await.unwrap();
    let changed = stored(&t).await;
    assert_eq!(changed.second.unwrap().room, Some(7));
    // The struct `second` is stored, but it does not contain a floor.
    let deeper = parsed(json!({ "second": { "floor": { "number": 1 } } }));
    let error = Issue::update(&t.odm, id(1))
        .patch(deeper)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("`second.floor`"), "{error}");
}

#[tokio::test]
async fn a_bound_and_a_missing_struct_are_both_checked() {
    let t = opened("patch_bound").await;
    let patch = parsed(json!({ "teams": [1, 2, 3, 4] }));
    let error = Issue::update(&t.odm, id(1)).patch(patch).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BoundExceeded);
    let patch = parsed(json!({ "place": { "room": 5 } }));
    let update = Issue::update(&t.odm, id(1)).patch(patch);
    let full = [1, 2, 3].map(id::<Team>);
    let error = update
        .push_all(Issue::fields().teams, full)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BoundExceeded);
    assert_eq!(stored(&t).await.place.room, Some(1));
}

async fn change(
    State(odm): State<Odm>,
    Path(id): Path<Id<Issue, i64>>,
    Json(patch): Json<IssuePatch>,
) -> Result<Json<Issue>, Error> {
    let by_id = Issue::fields().id.eq(id);
    let changed = Issue::find_one_and_update(&odm, by_id).patch(patch);
    let changed = changed.return_new().await?;
    let found = changed.unwrap_or(Issue::get(&odm, id).await?);
    Ok(Json(found))
}

#[tokio::test]
async fn a_request_is_a_patch_and_a_wrong_type_is_an_error_with_the_field() {
    let t = opened("patch_request").await;
    let router = Router::new()
        .route("/issues/{id}", patch(change))
        .with_state(t.odm.clone());
    let request = async |uri: &str, body: Value| {
        let (status, text) = send(&router, Method::PATCH, uri, Some(body)).await;
        (status, text)
    };
    let (status, text) = request("/issues/1", json!({ "title": "flood", "due": null })).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let changed: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&changed["t"], &changed["due"]),
        (&json!("flood"), &Value::Null)
    );
    for (body, named) in [
        (json!({ "title": 5 }), "title: invalid type: integer `5`"),
        (
            json!({ "place": { "floor": { "number": "x" } } }),
            "place.floor.number: invalid type",
        ),
        (json!({ "titel": "x" }), "unknown field `titel`"),
    ] {
        let (status, text) = request("/issues/1", body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(text.contains(named), "{text}");
    }
    let (status, text) = request("/issues/1", json!({ "title": null })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(text.contains("odm.invalid_patch"), "{text}");
    assert_eq!(
        request("/issues/9", json!({})).await.0,
        StatusCode::NOT_FOUND
    );
}
