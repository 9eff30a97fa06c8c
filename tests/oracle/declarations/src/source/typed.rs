//! Writes the typed calls of a model.

use crate::declaration::{Declaration, Field, Form, Maintained, Missing, Model, Scalar, What};

/// Generates the typed calls of a model.
pub(super) fn typed(all: &Declaration, model: &Model) -> String {
    let mut operators = String::new();
    for field in model.fields.iter().filter(|field| !field.is_derived()) {
        operators += &operator(all, field);
    }
    let calls: String = model
        .fields
        .iter()
        .map(|field| call(all, model, field))
        .collect();
    format!(
        "    impl Typed for {} {{\n        fn operate(update: Update<Self>, change: Change) -> Update<Self> {{\n            let f = \
         Self::fields();\n            match change.field.as_str() {{\n{operators}                other => panic!(\"no field \
         {{other}}\"),\n            }}\n        }}\n{}    }}\n\n",
        model.name,
        [relate(&calls), life(model)].concat()
    )
}

/// Generates the calls of a model that keeps deleted documents.
fn life(model: &Model) -> String {
    if model.maintained(Maintained::DeletedAt).is_none() {
        return String::new();
    }
    "\n        fn live(on: &dyn Executor, write: &Write, follow: Follow) -> Sent<Report> {\n            \
     live::<Self>(on, write, follow)\n        }\n"
        .to_owned()
}

fn relate(calls: &str) -> String {
    if calls.is_empty() {
        return String::new();
    }
    format!(
        "\n        fn relate(&self, on: &dyn Executor, call: &Relate) -> Sent<UpdateReport> {{\n            match \
         (call.field.as_str(), call.verb, call.to) {{\n{calls}                other => panic!(\"no call {{other:?}}\"),\n            \
         }}\n        }}\n"
    )
}

fn operator(all: &Declaration, field: &Field) -> String {
    let name = &field.name;
    if matches!(&field.what, What::Embed(embed) if embed.form == Form::Flat)
        || matches!(
            field.what,
            What::Copy(_) | What::Links(_) | What::Maintained(_)
        )
    {
        return String::new();
    }
    let is_number = matches!(
        all.scalar(field),
        Some(Scalar::Long | Scalar::Int | Scalar::Double)
    );
    let is_array = matches!(&field.what, What::Texts(_) | What::Keys(_))
        || matches!(&field.what, What::About(it) if it.is_many)
        || matches!(&field.what, What::Embed(embed) if embed.form == Form::Many);
    let class = match field.missing {
        _ if is_array => "array",
        Missing::Never if is_number => "number",
        Missing::Never => "value",
        _ if is_number => "optional_number",
        _ => "optional",
    };
    format!("                \"{name}\" => {class}(update, f.{name}, change),\n")
}

/// Generates match arms for the methods of a relation.
fn call(all: &Declaration, model: &Model, field: &Field) -> String {
    let name = &field.name;
    let arm = |verb: &str, method: &str, ids: &str, to: usize| {
        let id = format!("Id<{}, i64>", all.model(to).name);
        format!(
            "                (\"{name}\", Verb::{verb}, {to}) => send(call, self.{method}(on, {ids}::<{id}>(call))),\n"
        )
    };
    match &field.what {
        What::Keys(it) if it.inverse.is_some() => {
            arm("Link", &format!("link_{name}"), "ids", it.to)
                + &arm("Unlink", &format!("unlink_{name}"), "ids", it.to)
        }
        What::Follows(child, _) => arm("Take", &format!("take_{name}"), "ids", child.model),
        What::Key(it) if it.inverse.is_some() => {
            let id = if field.missing == Missing::Never {
                "id"
            } else {
                "some_id"
            };
            arm("Reassign", &format!("reassign_{name}"), id, it.to)
        }
        What::Links(false) => {
            let others = all
                .models
                .iter()
                .enumerate()
                .filter(|(_, it)| it.collection == model.collection);
            others
                .map(|(to, _)| arm("Link", "link", "ids", to) + &arm("Unlink", "unlink", "ids", to))
                .collect()
        }
        _ => String::new(),
    }
}
