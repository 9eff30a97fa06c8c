//! Lists and summaries of only the children that match a filter.

use mongo_odm::{Error, Filter};

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "computed_people")]
struct Person {
    #[serde(rename = "_id")]
    id: Id<Person>,
    #[rollup(count, of = "Task", via = "owner")]
    tasks: i64,
    #[rollup(count, of = "Task", via = "owner", filter = "Task::open")]
    open: i64,
    #[rollup(sum, of = "Task", via = "owner", field = "hours", filter = open_or_long)]
    hours: i64,
    #[recent(
        of = "Task",
        via = "owner",
        sort = "due",
        limit = 2,
        desc,
        filter = "Task::open"
    )]
    latest: Vec<TaskLine>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "computed_tasks")]
struct Task {
    #[serde(rename = "_id")]
    id: Id<Task>,
    #[parent_ref]
    owner: Id<Person>,
    due: i64,
    hours: i64,
    done: bool,
    title: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Task")]
struct TaskLine {
    due: i64,
}

impl Task {
    fn open() -> Filter<Self> {
        Self::fields().done.eq(false)
    }
}

fn open_or_long() -> Filter<Task> {
    Task::open().or(Task::fields().hours.gt(100))
}

#[tokio::test]
async fn a_child_that_starts_or_stops_matching_is_counted_or_not() {
    let t = empty("computed_filters").await;
    let sync = t.odm.sync_indexes().only::<Person>();
    sync.only::<Task>().await.unwrap();
    let kate = Person {
        id: Id::new(),
        tasks: 0,
        open: 0,
        hours: 0,
        latest: Vec::new(),
    };
    kate.insert(&t.odm).await.unwrap();
    let task = |due: i64, done: bool| Task {
        id: Id::new(),
        owner: kate.id,
        due,
        hours: due * 10,
        done,
        title: "paint".to_owned(),
    };
    let holds = async |tasks: i64, open: i64, hours: i64, dues: &[i64]| {
        let kate = Person::get(&t.odm, kate.id).await.unwrap();
        let latest: Vec<i64> = kate.latest.iter().map(|line| line.due).collect();
        assert_eq!((kate.tasks, kate.open, kate.hours), (tasks, open, hours));
        assert_eq!(latest, dues);
    };
    let tasks = [
        task(1, false),
        task(2, false),
        task(3, true),
        task(4, false),
    ];
    Task::insert_many(&t.odm, &tasks).await.unwrap();
    holds(4, 3, 70, &[4, 2]).await;
    let fields = Task::fields();
    let update = |at: usize| Task::update(&t.odm, tasks[at].id);
    update(3).set(fields.done, true).await.unwrap();
    holds(4, 2, 30, &[2, 1]).await;
    update(2).set(fields.done, false).await.unwrap();
    holds(4, 3, 60, &[3, 2]).await;
    // A long task that is done matches the other half of the filter, so the sum contains it.
    update(3).set(fields.hours, 500).await.unwrap();
    holds(4, 3, 560, &[3, 2]).await;
    t.forget();
    update(0).set(fields.title, "build").await.unwrap();
    assert_eq!(t.recorder().names(), ["update"]);
    settle(&t.odm).await;
    assert!(t.odm.verify().only::<Person>().await.unwrap().is_empty());
}

/// A wrong model: a filter does not say which fields it reads, another one selects deleted documents, one list is
/// sorted by an array, and one number is in a struct.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "computed_wrong")]
struct Wrong {
    #[serde(rename = "_id")]
    id: Id<Wrong>,
    #[rollup(count, of = "Bit", via = "wrong", filter = "compared")]
    bits: i64,
    #[rollup(count, of = "Bit", via = "wrong", filter = "deleted")]
    deleted: i64,
    #[recent(of = "Bit", via = "wrong", sort = "marks", limit = 3)]
    ordered: Vec<BitLine>,
    parts: Vec<WrongPart>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Bit")]
struct BitLine {
    #[serde(rename = "_id")]
    id: Id<Bit>,
}

/// A reply whose list would contain itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "computed_replies")]
struct Reply {
    #[serde(rename = "_id")]
    id: Id<Reply>,
    #[refs(one)]
    to: Option<Id<Reply>>,
    #[recent(of = "Reply", via = "to", sort = "id", limit = 3)]
    replies: Vec<Reply>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct WrongPart {
    #[rollup(count, of = "Bit", via = "wrong")]
    bits: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "computed_bits")]
struct Bit {
    #[serde(rename = "_id")]
    id: Id<Bit>,
    #[parent_ref]
    wrong: Id<Wrong>,
    marks: Vec<i32>,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

fn deleted() -> Filter<Bit> {
    Bit::fields().deleted_at.ne(None)
}

fn compared() -> Filter<Bit> {
    doc! { "$expr": { "$eq": ["$_id", "$wrong"] } }.into()
}

#[tokio::test]
async fn what_cannot_be_kept_is_refused() {
    let problems = mongo_odm::check_models().unwrap_err().to_string();
    for problem in [
        "`Wrong.bits` is computed, but its filter has `$expr`, and the library cannot tell which fields that reads",
        "`Wrong.deleted` is computed, but it contains only live documents, in which `Bit.deleted_at` is null",
        "`Wrong.parts.bits` is computed, but it is in a struct inside the document, which can be missing",
        "`Wrong.ordered` is computed, but `Bit.marks` is an array, and has no place in an order",
        "copies go round in a circle: Reply.replies -> Reply.replies",
    ] {
        assert!(problems.contains(problem), "{problems}");
    }
    let t = empty("computed_wrong").await;
    let wrong = Wrong {
        id: Id::new(),
        bits: 0,
        deleted: 0,
        ordered: Vec::new(),
        parts: Vec::new(),
    };
    let refused = wrong.insert(&t.odm).await.unwrap_err();
    assert!(matches!(refused, Error::Declaration(_)), "{refused}");
}
