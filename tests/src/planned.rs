//! Compares the statements in a plan with those that were sent.

use std::fmt::Write;

use mongo_odm::{
    Plan, Statement,
    bson::{Bson, Document, doc},
};
use mongo_odm_testkit::{Recorder, Sent};

use crate::{Harness, cluster::is_sharded};

mod on_cluster;

/// Fields of commands that belong to a session or a cursor, and are not part of a plan.
const UNPLANNED: [&str; 12] = [
    "lsid",
    "txnNumber",
    "autocommit",
    "startTransaction",
    "$db",
    "$clusterTime",
    "$readPreference",
    "batchSize",
    "singleBatch",
    "cursor",
    "ordered",
    "recoveryToken",
];

/// Commands that end a transaction or a cursor, or read more of a cursor. They are not part of a plan.
const UNPLANNED_COMMANDS: [&str; 4] = [
    "commitTransaction",
    "abortTransaction",
    "getMore",
    "killCursors",
];

/// Checks that the statements of a plan were sent since the recorder was cleared, and nothing else.
///
/// # Panics
///
/// If something differs. The message contains the difference.
pub fn assert_sent(t: &Harness, title: &str, plan: &Plan) {
    assert_recorded(t.recorder(), title, plan);
}

/// Checks the same with the recorder of any database.
///
/// # Panics
///
/// If something differs. The message contains the difference.
pub fn assert_recorded(recorder: &Recorder, title: &str, plan: &Plan) {
    compare(title, &plan.statements, &recorded(recorder));
}

/// Checks that the statements of a plan were sent first, and returns the statements that were sent after them.
///
/// # Panics
///
/// If something differs. The message contains the difference.
pub fn assert_begun(t: &Harness, title: &str, plan: &Plan) -> Vec<Sent> {
    let mut sent = recorded(t.recorder());
    let rest = sent.split_off(plan.statements.len().min(sent.len()));
    compare(title, &plan.statements, &sent);
    rest
}

/// Checks that a plan was sent whose statements, except the first, are repeated for each batch. Only the last batch
/// must equal the plan: the call sent the first statement, the statements of any number of batches, and the planned
/// statements of the last batch.
///
/// # Panics
///
/// If something differs. The message contains the difference.
pub fn assert_last_part(t: &Harness, title: &str, plan: &Plan) {
    let mut sent = recorded(t.recorder());
    let part = plan.statements.len().saturating_sub(1);
    assert!(sent.len() > 1 + part, "{title}: one part\n{plan}");
    sent.drain(1..sent.len() - part);
    compare(title, &plan.statements, &sent);
}

/// Checks that the given statements were sent in this order. Other statements may have been sent in between.
///
/// # Panics
///
/// If a statement was not sent. The message contains this statement.
pub fn assert_among_sent(t: &Harness, title: &str, planned: &[Statement]) {
    let sent = recorded(t.recorder());
    let mut sent = sent.iter();
    for statement in planned {
        let planned: Bson = command(statement).into();
        let is_it = |sent: &Sent| {
            let sent = without_unplanned(&sent.command).into();
            difference(&planned, &sent, "").is_none()
        };
        assert!(
            sent.any(is_it),
            "{title}: not sent, or not in this order:\n{statement}"
        );
    }
}

/// Returns the commands that were sent, without those that are not part of a plan.
fn recorded(recorder: &Recorder) -> Vec<Sent> {
    let mut sent = recorder.commands();
    sent.retain(|it| !UNPLANNED_COMMANDS.contains(&it.name.as_str()));
    sent
}

fn compare(title: &str, planned: &[Statement], sent: &[Sent]) {
    let commands: Vec<Document> = planned.iter().map(command).collect();
    let mut problems = differences(&commands, sent);
    if is_sharded() && !problems.is_empty() {
        problems = differences_on_cluster(&commands, sent);
    }
    if !problems.is_empty() {
        let planned: Vec<String> = planned.iter().map(Statement::to_string).collect();
        let sent: Vec<String> = sent.iter().map(|it| it.command.to_string()).collect();
        panic!(
            "{title}\n{problems}\nplan:\n{}\n\nsent:\n{}",
            planned.join("\n"),
            sent.join("\n")
        );
    }
}

fn differences_on_cluster(planned: &[Document], sent: &[Sent]) -> String {
    let with_lookups = |sent: &[Sent]| {
        let mut expected = Vec::new();
        for planned in planned {
            let sent = sent.get(expected.len());
            let is_in_transaction = sent.is_some_and(|it| it.command.contains_key("autocommit"));
            if is_in_transaction {
                expected.extend(on_cluster::without_lookups(planned));
            } else {
                expected.push(planned.clone());
            }
        }
        differences(&expected, sent)
    };
    let problems = with_lookups(sent);
    if problems.is_empty() {
        return problems;
    }
    with_lookups(&on_cluster::without_repeats(sent.to_vec()))
}

fn differences(planned: &[Document], sent: &[Sent]) -> String {
    let mut problems = String::new();
    if sent.len() != planned.len() {
        let _ = writeln!(problems, "planned {}, sent {}", planned.len(), sent.len());
    }
    for (at, (planned, sent)) in planned.iter().zip(sent).enumerate() {
        let sent = without_unplanned(&sent.command);
        if let Some(difference) = difference(&planned.clone().into(), &sent.into(), "") {
            let _ = writeln!(problems, "statement {}: {difference}", at + 1);
        }
    }
    problems
}

/// Returns the command that corresponds to a mongosh statement of a plan.
fn command(statement: &Statement) -> Document {
    let target: Bson = statement.collection.clone().map_or(1.into(), Bson::from);
    let mut arguments = statement.arguments.iter().cloned();
    let first = arguments.next().unwrap_or(Bson::Null);
    let second = arguments.next();
    let third = arguments.next();
    let options = |option: Option<Bson>| match option {
        Some(Bson::Document(options)) => options,
        _ => Document::new(),
    };
    match statement.method {
        "runCommand" => first.as_document().cloned().unwrap_or_default(),
        "find" => find(statement, target, first, second),
        "aggregate" => {
            // The driver sends the read preference in a different field.
            let mut options = options(second);
            options.remove("readPreference");
            with(doc! { "aggregate": target, "pipeline": first }, options)
        }
        "countDocuments" => count(target, first, options(second)),
        "distinct" => {
            let query = second.unwrap_or(doc! {}.into());
            let mut command = doc! { "distinct": target, "key": first, "query": query };
            command.extend(options(third));
            command
        }
        "insertOne" => with(
            doc! { "insert": target, "documents": [first] },
            options(second),
        ),
        "insertMany" => with(
            doc! { "insert": target, "documents": first },
            options(second),
        ),
        "updateOne" | "updateMany" | "replaceOne" => {
            let many = statement.method == "updateMany";
            update(
                target,
                doc! { "q": first, "u": second },
                options(third),
                many,
            )
        }
        "findOneAndUpdate" => find_and_modify(target, first, second, options(third)),
        "deleteOne" | "deleteMany" => {
            let limit = i32::from(statement.method == "deleteOne");
            delete(target, doc! { "q": first, "limit": limit }, options(second))
        }
        other => panic!("no command is known for `{other}`"),
    }
}

fn with(mut command: Document, mut options: Document) -> Document {
    options.remove("ordered");
    command.extend(options);
    command
}

fn find(statement: &Statement, target: Bson, filter: Bson, projection: Option<Bson>) -> Document {
    let mut command = doc! { "find": target, "filter": filter };
    command.extend(projection.map(|fields| ("projection".to_owned(), fields)));
    for (method, argument) in &statement.chain {
        let argument = match (*method, argument) {
            ("limit", Bson::Int32(limit)) => Bson::Int32(limit.abs()),
            (_, argument) => argument.clone(),
        };
        if *method != "readPref" {
            command.insert(*method, argument);
        }
    }
    command
}

/// The driver counts with an aggregation.
fn count(target: Bson, filter: Bson, mut options: Document) -> Document {
    let mut pipeline = vec![doc! { "$match": filter }];
    for (stage, option) in [("$skip", "skip"), ("$limit", "limit")] {
        pipeline.extend(options.remove(option).map(|number| doc! { stage: number }));
    }
    pipeline.push(doc! { "$group": { "_id": 1, "n": { "$sum": 1 } } });
    options.remove("readPreference");
    with(doc! { "aggregate": target, "pipeline": pipeline }, options)
}

/// In the command, some options belong to each statement (beside its filter), and the others to the whole command.
fn update(target: Bson, mut one: Document, mut options: Document, many: bool) -> Document {
    for option in ["upsert", "arrayFilters", "collation", "hint"] {
        if let Some(value) = options.remove(option) {
            one.insert(option, value);
        }
    }
    if many {
        one.insert("multi", true);
    }
    with(doc! { "update": target, "updates": [one] }, options)
}

fn delete(target: Bson, mut one: Document, mut options: Document) -> Document {
    for option in ["collation", "hint"] {
        if let Some(value) = options.remove(option) {
            one.insert(option, value);
        }
    }
    with(doc! { "delete": target, "deletes": [one] }, options)
}

fn find_and_modify(
    target: Bson,
    filter: Bson,
    update: Option<Bson>,
    options: Document,
) -> Document {
    let mut command = doc! { "findAndModify": target, "query": filter, "update": update };
    for (name, value) in options {
        let name = match name.as_str() {
            "returnNewDocument" => "new",
            "projection" => "fields",
            name => name,
        };
        command.insert(name, value);
    }
    command
}

fn without_unplanned(command: &Document) -> Document {
    let planned = command.iter();
    let planned = planned.filter(|(name, _)| !UNPLANNED.contains(&name.as_str()));
    // In a transaction, only the first statement contains the read concern, for all statements.
    let planned =
        planned.filter(|(name, _)| *name != "readConcern" || !command.contains_key("autocommit"));
    let mut planned: Document = planned
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    for list in ["updates", "deletes"] {
        if let Ok(all) = planned.get_array_mut(list) {
            all.iter_mut()
                .filter_map(Bson::as_document_mut)
                .for_each(without_defaults);
        }
    }
    without_defaults(&mut planned);
    planned
}

/// Removes some default values, because the driver sends them and mongosh does not.
fn without_defaults(command: &mut Document) {
    for name in ["multi", "upsert", "new"] {
        if command.get_bool(name).is_ok_and(|value| !value) {
            command.remove(name);
        }
    }
}

/// Returns the first difference between a planned and a sent value. A planned `<..>` matches any value.
fn difference(planned: &Bson, sent: &Bson, path: &str) -> Option<String> {
    match (planned, sent) {
        (Bson::JavaScriptCode(unknown), _) if unknown.starts_with('<') => None,
        // A version is a new id in each write.
        (Bson::ObjectId(_), Bson::ObjectId(_)) if path.contains(".version") => None,
        (Bson::Document(planned), Bson::Document(sent)) => {
            let mut names: Vec<&String> = planned.keys().collect();
            names.extend(sent.keys().filter(|name| !planned.contains_key(*name)));
            names.into_iter().find_map(|name| {
                let path = format!("{path}.{name}");
                match (planned.get(name), sent.get(name)) {
                    (Some(planned), Some(sent)) => difference(planned, sent, &path),
                    // Only one of the two contains this default.
                    (Some(Bson::Boolean(false)), None) => None,
                    (planned, sent) => Some(format!("{path}: planned {planned:?}, sent {sent:?}")),
                }
            })
        }
        (Bson::Array(planned), Bson::Array(sent)) if planned.len() == sent.len() => {
            let pairs = planned.iter().zip(sent).enumerate();
            pairs.into_iter().find_map(|(at, (planned, sent))| {
                difference(planned, sent, &format!("{path}.{at}"))
            })
        }
        (planned, sent) if is_same(planned, sent) => None,
        (planned, sent) => Some(format!("{path}: planned {planned}, sent {sent}")),
    }
}

/// Returns whether two values are equal; compares numbers by their value, not by their type.
fn is_same(planned: &Bson, sent: &Bson) -> bool {
    let number = |value: &Bson| match value {
        Bson::Int32(number) => Some(i64::from(*number)),
        Bson::Int64(number) => Some(*number),
        _ => None,
    };
    planned == sent || number(planned).is_some_and(|planned| Some(planned) == number(sent))
}
