//! Prints a case as a test in Rust: the models that it uses, and its calls.

mod values;

use std::collections::BTreeSet;

use mongo_odm::bson::Document;

use crate::{
    declaration::{Declaration, Field, Model, What},
    inject::ERRORS,
    program::{Call, Change, Follow, Operator, Relate, Step, Verb, Write},
    source,
};
use values::{document, literal, value};

/// Generates a test. Its function `read` converts a document to a struct.
pub fn test(all: &Declaration, name: &str, program: &[Step]) -> String {
    let models: String = concerned(all, program)
        .into_iter()
        .map(|it| source::structs(all, all.model(it)))
        .collect();
    let steps: String = program.iter().map(|it| step(all, it)).collect();
    format!(
        "{models}    #[tokio::test]\n    async fn case_{name}() -> mongo_odm::Result<()> {{\n{steps}        Ok(())\n    }}\n"
    )
}

/// Lists the models that a program writes, and the models that these refer to.
fn concerned(all: &Declaration, program: &[Step]) -> BTreeSet<usize> {
    let mut models = BTreeSet::new();
    for step in program {
        models.extend(step.calls().iter().map(|it| it.model));
    }
    loop {
        let named: BTreeSet<usize> = models.iter().flat_map(|it| named(all.model(*it))).collect();
        if named.is_subset(&models) {
            return models;
        }
        models.extend(named);
    }
}

fn named(model: &Model) -> Vec<usize> {
    model.fields.iter().flat_map(of_field).collect()
}

fn of_field(field: &Field) -> Vec<usize> {
    match &field.what {
        What::Copy(copy) => vec![copy.model],
        What::Fold(fold) => vec![fold.of.model],
        What::Recent(recent) => vec![recent.of.model],
        What::Follows(child, _) => vec![child.model],
        What::About(about) => about.targets.iter().map(|it| it.to).collect(),
        What::Embed(embed) => embed.fields.iter().flat_map(of_field).collect(),
        _ => field.reference().into_iter().map(|it| it.to).collect(),
    }
}

fn step(all: &Declaration, step: &Step) -> String {
    let several = |calls: &[Call], odm: &str| {
        let calls = calls
            .iter()
            .map(|it| format!("            {};\n", call(all, it, odm)));
        calls.collect::<String>()
    };
    match step {
        Step::Call(it) => format!("        {}?;\n", call(all, it, "odm")),
        Step::Transaction(calls, commits) => format!(
            "        odm.transaction(async |tx| {{\n{}            {}\n        }}).await;\n",
            several(calls, "tx").replace(";\n", "?;\n"),
            if *commits {
                "Ok(())"
            } else {
                "Err(Error::custom(\"the program gives up\"))"
            }
        ),
        Step::AtOnce(calls) => format!(
            "        join! {{\n{}        }};\n",
            several(calls, "odm").replace(";\n", ",\n")
        ),
        Step::Dropped(it, micros) => format!(
            "        timeout(Duration::from_micros({micros}), {}).await;\n",
            call(all, it, "odm").trim_end_matches(".await")
        ),
        Step::DroppedTransaction(calls, micros) => format!(
            "        timeout(Duration::from_micros({micros}), odm.transaction(async |tx| {{\n{}            Ok(())\n        }})).await;\n",
            several(calls, "tx").replace(";\n", "?;\n")
        ),
        Step::Failing(it, failure) => {
            format!(
                "        // {failure:?}\n        {};\n",
                call(all, it, "odm")
            )
        }
        Step::Settle => "        settle(&odm).await;\n".to_owned(),
        Step::Hostile(model, it) => format!(
            "        collection(\"{}\").insert_one(doc! {}).await?;\n",
            all.model(*model).collection,
            document(it)
        ),
        Step::Repair(error) => format!(
            "        // {}\n        odm.verify().repair().await?;\n",
            ERRORS[*error].0
        ),
        Step::Inject(error) => format!("        // {}\n", ERRORS[*error].0),
    }
}

fn call(all: &Declaration, call: &Call, odm: &str) -> String {
    let follow = match call.follow {
        Follow::Inline => "",
        Follow::Atomic => ".atomic()",
        Follow::Deferred => ".deferred()",
        Follow::KeepSnapshots => ".keep_snapshots()",
    };
    let number = if call.handle == 0 {
        String::new()
    } else {
        call.handle.to_string()
    };
    let odm = if odm == "odm" {
        format!("&odm{number}")
    } else {
        "&tx".to_owned()
    };
    let written = |it: &Write| format!("{}{follow}", write(all.model(call.model), it, &odm));
    if !call.in_bulk {
        return format!("{}.await", written(&call.write));
    }
    let (operations, unordered) = match &call.write {
        Write::InsertMany(many, is_ordered) => {
            let inserts = many.iter().map(|one| written(&Write::Insert(one.clone())));
            let unordered = if *is_ordered { "" } else { ".unordered()" };
            (inserts.collect::<Vec<String>>(), unordered)
        }
        other => (vec![written(other)], ""),
    };
    let add = |it: &String| format!(".add({it})");
    let added: String = operations.iter().map(add).collect();
    format!(
        "{}.bulk_write(){added}{unordered}.await",
        odm.trim_start_matches('&')
    )
}

fn write(model: &Model, write: &Write, odm: &str) -> String {
    let name = &model.name;
    let read = |it: &Document| format!("read::<{name}>(doc! {})", document(it));
    let operators = |changes: &[Change]| {
        changes
            .iter()
            .map(|it| operator(model, it))
            .collect::<String>()
    };
    match write {
        Write::Insert(one) => format!("{}.insert({odm})", read(one)),
        Write::InsertMany(many, is_ordered) => {
            let many: Vec<String> = many.iter().map(read).collect();
            let unordered = if *is_ordered { "" } else { ".unordered()" };
            format!(
                "{name}::insert_many({odm}, &[{}]){unordered}",
                many.join(", ")
            )
        }
        Write::Save(one) => format!("{}.save({odm})", read(one)),
        Write::Replace(one) => format!("{}.replace({odm})", read(one)),
        Write::Update(id, it) => {
            format!("{name}::update({odm}, Id::from_key({id})){}", operators(it))
        }
        Write::Pipeline(id, it) => {
            let set = |it: &Change| {
                let value = literal(&it.value);
                format!("\"{}\": {{ \"$literal\": {value} }}", it.stored)
            };
            let sets: Vec<String> = it.iter().map(set).collect();
            format!(
                "{name}::update({odm}, Id::from_key({id})).modifications(vec![doc! {{ \"$set\": {{ {} }} }}])",
                sets.join(", ")
            )
        }
        Write::UpdateMany(filter, it) => {
            format!(
                "{name}::update_many({odm}, doc! {}){}",
                document(filter),
                operators(it)
            )
        }
        Write::FindAndUpdate(filter, it) => {
            format!(
                "{name}::find_one_and_update({odm}, doc! {}){}",
                document(filter),
                operators(it)
            )
        }
        Write::Upsert(id, it) => format!(
            "{name}::upsert({odm}, doc! {{ \"_id\": {id}_i64 }}){}",
            operators(it)
        ),
        Write::Delete(id) => format!("{name}::delete({odm}, Id::from_key({id}))"),
        Write::DeleteMany(filter) => {
            format!("{name}::delete_many({odm}, doc! {})", document(filter))
        }
        Write::Restore(id) => format!("{name}::restore({odm}, Id::from_key({id}))"),
        Write::Purge(id) => format!("{name}::purge({odm}, Id::from_key({id}))"),
        Write::PurgeMany(filter) => {
            format!("{name}::purge_many({odm}, doc! {})", document(filter))
        }
        Write::Relate(it) => relate(model, it, &read(&it.of), odm),
    }
}

fn relate(model: &Model, call: &Relate, of: &str, odm: &str) -> String {
    let ids: Vec<String> = call
        .ids
        .iter()
        .map(|id| format!("Id::from_key({id})"))
        .collect();
    let ids = match call.verb {
        Verb::Reassign => ids.first().cloned().unwrap_or_else(|| "None".to_owned()),
        _ => format!("[{}]", ids.join(", ")),
    };
    let verb = format!("{:?}", call.verb).to_lowercase();
    let is_links = matches!(model.field(&call.field).what, What::Links(_));
    let relation = if is_links {
        String::new()
    } else {
        format!("_{}", call.field)
    };
    format!("{of}.{verb}{relation}({odm}, {ids})")
}

fn operator(model: &Model, change: &Change) -> String {
    if let Some(plain) = &change.plain {
        return format!(".with(doc! {})", literal(&plain.clone().into()));
    }
    let field = model.field(&change.field);
    let place = format!("{}::fields().{}", model.name, field.name);
    let (name, element) = match change.operator {
        Operator::Set => ("set", false),
        Operator::SetOnInsert => ("set_on_insert", false),
        Operator::Inc => ("inc", false),
        Operator::Mul => ("mul", false),
        Operator::Min => ("min", false),
        Operator::Max => ("max", false),
        Operator::Push => ("push", true),
        Operator::AddToSet => ("add_to_set", true),
        Operator::Pull => ("pull", true),
        Operator::Unset => return format!(".unset({place})"),
        Operator::PopFirst => return format!(".pop_first({place})"),
        Operator::PopLast => return format!(".pop_last({place})"),
    };
    format!(".{name}({place}, {})", value(field, &change.value, element))
}
