//! Several programs, only some of which declare the lists and summaries.

use super::*;

#[tokio::test]
async fn a_program_writes_down_of_what_its_fields_are_computed() {
    let t = weather("computed_declared").await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    program(&t.odm).run_pending_jobs().await.unwrap();
    let schema = all(&t.odm, "_odm_schema").await;
    let name = "Station._id <- Reading.station";
    let of_readings = |it: &&Document| it.get_str("name").is_ok_and(|it| it == name);
    let declared = schema.iter().find(of_readings).unwrap();
    let fields = declared.get_array("fields").unwrap();
    let of = |name| move |it: &Bson| it.as_document().unwrap().get(name).cloned().unwrap();
    let froms: Vec<_> = fields.iter().map(of("from")).collect();
    let expected = [
        "recent 3 by time (_id, time, celsius)",
        "count()",
        "sum(rain)",
        "sum(cost)",
        "average(celsius)",
        "min(celsius)",
        "max(time)",
    ];
    assert_eq!(froms, expected.map(Bson::from));
    assert_eq!(of("reads")(&fields[2]), Bson::from(vec!["rain"]));
}

/// Another program computes the wettest day of a map. This program stores a job for the other program if this value can
/// have changed.
#[tokio::test]
async fn what_only_other_programs_compute_is_left_to_them() {
    let t = weather("computed_foreign").await;
    let now = DateTime::now();
    let wettest = doc! { "from": "max(rain)", "to": "wettest", "reads": ["rain"], "seen_at": now, "declared_at": now };
    let relation = "maps._id <- readings.station";
    let declaration = doc! {
        "_id": relation, "name": "Map._id <- Reading.station", "rule": false,
        "source": "readings", "source_key": "station", "in_source": true, "target": "maps", "key": "_id",
        "fields": [wettest], "seen_at": now, "declared_at": now,
    };
    put(&t.odm, "_odm_schema", [declaration]).await;
    let odm = program(&t.odm);
    let of_maps = async || {
        let jobs = odm.jobs().relation(relation).await.unwrap();
        let keys: Vec<_> = jobs.into_iter().map(|job| job.key).collect();
        odm.jobs().relation(relation).forget().await.unwrap();
        keys
    };
    let (north, south) = (station("north"), station("south"));
    let [one, other] = [&north, &south].map(|it| mongo_odm::JoinKey::from(Bson::from(it.id)));
    let new = reading(north.id, 1);
    new.insert(&odm).await.unwrap();
    assert_eq!(of_maps().await, [one.clone()]);
    let fields = Reading::fields();
    Reading::update(&odm, new.id)
        .set(fields.note, "dew")
        .await
        .unwrap();
    assert_eq!(of_maps().await, []);
    Reading::update(&odm, new.id)
        .set(fields.rain, 5)
        .await
        .unwrap();
    assert_eq!(of_maps().await, [one.clone()]);
    Reading::update(&odm, new.id)
        .set(fields.station, Some(south.id))
        .await
        .unwrap();
    let mut both = of_maps().await;
    both.sort();
    assert!(
        both == [one.clone(), other.clone()] || both == [other.clone(), one],
        "{both:?}"
    );
    Reading::delete(&odm, new.id).await.unwrap();
    assert_eq!(of_maps().await, [other]);
}

/// A program that does not know the declaration yet may store a child without a job, so the fields that are computed
/// now are computed again later.
#[tokio::test]
async fn what_is_computed_before_all_programs_know_is_looked_at_later() {
    let t = undeclared("computed_young").await;
    index_weather(&t.odm).await;
    let (north, south) = (station("north"), station("south"));
    t.given(&[north.clone()]).await;
    let waits = async |station: &Station| {
        let key = station.id;
        let of_station = |job: &&Document| {
            let id = job.get_document("_id").unwrap();
            id.get_str("relation").unwrap() == "stations._id <- readings.station"
                && id.get("key") == Some(&key.into())
        };
        let jobs = jobs(&t.odm).await;
        let job = jobs.iter().find(of_station).unwrap();
        job.contains_key("not_before")
    };
    reading(north.id, 1).insert(&program(&t.odm)).await.unwrap();
    assert!(waits(&north).await);
    let odm = long_known(&t.odm).await;
    south.insert(&odm).await.unwrap();
    reading(south.id, 1).insert(&odm).await.unwrap();
    assert!(!waits(&south).await);
}
