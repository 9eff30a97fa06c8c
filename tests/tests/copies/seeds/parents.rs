//! Fields of a document that are computed from referring documents.

use mongo_odm::{Average, Guarantee, bson::Document, prelude::*};
use odm_tests::sent::{commands, number};

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "seed_people")]
struct Person {
    #[serde(rename = "_id")]
    id: Id<Person>,
    name: String,
    #[refs(many, inverse = "owner", max = 2000)]
    tasks: Vec<Id<Task>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "seed_tasks")]
struct Task {
    #[serde(rename = "_id")]
    id: Id<Task>,
    description: String,
    due_date: DateTime,
    #[parent_ref(inverse = "tasks")]
    owner: Id<Person>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "seed_hosts")]
struct Server {
    #[serde(rename = "_id")]
    id: Id<Server>,
    name: String,
    #[recent(of = "Line", via = "host", sort = "time", limit = 1000)]
    logmsgs: Vec<ShortLine>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "seed_logmsg")]
struct Line {
    #[serde(rename = "_id")]
    id: Id<Line>,
    time: DateTime,
    message: String,
    #[parent_ref]
    host: Id<Server>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Line")]
struct ShortLine {
    time: DateTime,
    message: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "seed_movies")]
struct Movie {
    #[serde(rename = "_id")]
    id: Id<Movie>,
    #[rollup(average, of = "Screening", via = "movie", field = "viewers")]
    viewers: Average,
    #[rollup(sum, of = "Screening", via = "movie", field = "revenue")]
    revenue: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "seed_screenings")]
struct Screening {
    #[serde(rename = "_id")]
    id: Id<Screening>,
    #[parent_ref]
    movie: Id<Movie>,
    viewers: i64,
    revenue: f64,
}

/// "If you need to reassign the task to another person, you need to perform two updates instead of just one": here, the
/// updates are one transaction and one statement.
#[tokio::test]
async fn s05_two_way_references_and_reassign() {
    let t = empty("s05_two_way_references").await;
    t.odm.sync_indexes().await.unwrap();
    let person = |name: &str| Person {
        id: Id::new(),
        name: name.to_owned(),
        tasks: Vec::new(),
    };
    let (kate, nicky) = (person("Kate Monster"), person("Nicky"));
    t.given(&[kate.clone(), nicky.clone()]).await;
    let task = Task {
        id: Id::new(),
        description: "Write lesson plan".to_owned(),
        due_date: DateTime::from_millis(1_396_310_400_000),
        owner: kate.id,
    };
    task.insert(&t.odm).await.unwrap();
    t.forget();
    let report = task.reassign_owner(&t.odm, nicky.id).await.unwrap();
    let sent = ["findAndModify", "update", "commitTransaction"];
    assert_eq!(t.recorder().names(), sent);
    assert_eq!(report.copies[0].guarantee, Guarantee::Atomic);
    let update = commands(&t, "update").remove(0);
    let updates = update.get_array("updates").unwrap();
    let operators = updates
        .iter()
        .map(|it| it.as_document().unwrap().get_document("u").unwrap());
    let operators: Vec<&Document> = operators.collect();
    assert_eq!(
        operators,
        [
            &doc! { "$pullAll": { "tasks": [task.id] } },
            &doc! { "$push": { "tasks": { "$each": [task.id] } } },
        ]
    );
    let tasks = async |id| Person::get(&t.odm, id).await.unwrap().tasks;
    assert_eq!(
        (tasks(kate.id).await, tasks(nicky.id).await),
        (vec![], vec![task.id])
    );
}

/// Returns the `$push` of each `update` of a server's list.
fn pushes(t: &odm_tests::Harness) -> Vec<Document> {
    let push = |command: &Document| {
        let update = command.get_array("updates").unwrap()[0].as_document();
        let pushed = update.unwrap().get_document("u").unwrap();
        let pushed = pushed.get_document("$push").unwrap();
        pushed.get_document("logmsgs").unwrap().clone()
    };
    commands(t, "update").iter().map(push).collect()
}

/// "db.hosts.update({_id: ..}, {$push: {logmsgs: {$each: [..], $sort: {time: 1}, $slice: -1000}}})": the article's
/// statement, in the transaction of the message. If the message is newer than all listed messages, as in nearly all
/// cases, the server has nothing to sort and needs a fifth of the time.
#[tokio::test]
async fn s10_recent_list_capped_by_slice() {
    let t = empty("s10_recent_list").await;
    t.odm.sync_indexes().await.unwrap();
    let goofy = Server {
        id: Id::new(),
        name: "goofy.example.com".to_owned(),
        logmsgs: Vec::new(),
    };
    goofy.insert(&t.odm).await.unwrap();
    let line = |second: i64| Line {
        id: Id::new(),
        time: DateTime::from_millis(1_396_310_400_000 + second * 1_000),
        message: format!("cpu is on fire! ({second})"),
        host: goofy.id,
    };
    let first: Vec<Line> = (0..1_500).map(line).collect();
    Line::insert_many(&t.odm, &first).await.unwrap();
    t.forget();
    line(2_000).insert(&t.odm).await.unwrap();
    assert_eq!(
        t.recorder().names(),
        ["insert", "update", "commitTransaction"]
    );
    let short = |second| doc! { "time": line(second).time, "message": line(second).message };
    let push = &pushes(&t)[0];
    assert_eq!(push.get_array("$each").unwrap(), &[short(2_000).into()]);
    assert_eq!(number(push, "$slice"), Some(-1_000));
    assert!(!push.contains_key("$sort"));
    t.forget();
    line(1_800).insert(&t.odm).await.unwrap();
    assert_eq!(
        t.recorder().names(),
        ["insert", "update", "update", "commitTransaction"]
    );
    let push = &pushes(&t)[1];
    assert_eq!(push.get_array("$each").unwrap(), &[short(1_800).into()]);
    assert_eq!(push.get_document("$sort").unwrap(), &doc! { "time": 1 });
    assert_eq!(number(push, "$slice"), Some(-1_000));
    // The message is older than all listed messages, so the list does not change.
    line(-1).insert(&t.odm).await.unwrap();
    let listed = Server::get(&t.odm, goofy.id).await.unwrap().logmsgs;
    assert_eq!(listed.len(), 1_000);
    let expected = (502..1_500).chain([1_800, 2_000]).map(line);
    let expected = expected.map(|it| ShortLine {
        time: it.time,
        message: it.message,
    });
    assert!(listed.into_iter().eq(expected));
    t.odm.run_pending_jobs().await.unwrap();
    assert!(t.odm.verify().only::<Server>().await.unwrap().is_empty());
}

/// An average that is stored as sum and count, so a reader does not need the screenings.
#[tokio::test]
async fn s13_running_average() {
    let t = empty("s13_running_average").await;
    t.odm.sync_indexes().await.unwrap();
    let movie = Movie {
        id: Id::new(),
        viewers: Average::default(),
        revenue: 0.0,
    };
    movie.insert(&t.odm).await.unwrap();
    let screening = |viewers: i64, revenue: f64| Screening {
        id: Id::new(),
        movie: movie.id,
        viewers,
        revenue,
    };
    assert_eq!(
        Movie::get(&t.odm, movie.id).await.unwrap().viewers.value(),
        None
    );
    let all = [
        screening(344, 3_440.0),
        screening(150, 1_500.0),
        screening(496, 4_960.5),
    ];
    Screening::insert_many(&t.odm, &all).await.unwrap();
    let shown = Movie::get(&t.odm, movie.id).await.unwrap();
    assert_eq!(shown.viewers.value(), Some(330.0));
    assert!((shown.revenue - 9_900.5).abs() < 1e-9);
    Screening::delete(&t.odm, all[2].id).await.unwrap();
    let shown = Movie::get(&t.odm, movie.id).await.unwrap();
    assert_eq!(shown.viewers.value(), Some(247.0));
    assert!((shown.revenue - 4_940.0).abs() < f64::EPSILON);
}
