//! Writes a declaration as Rust.

use std::fmt::Write as _;

use crate::declaration::{
    About, By, Declaration, Embed, Field, Form, Missing, Model, Recent, Reference, Rule, Scalar,
    Via, What,
};

/// Writes a module for each declaration, and the list of all of them.
pub fn program(declarations: &[Declaration]) -> String {
    let modules: String = declarations.iter().map(module).collect();
    let list: String = declarations
        .iter()
        .map(|it| {
            format!(
                "    (\"{}\", {}::adapters as Adapters),\n",
                it.name, it.prefix
            )
        })
        .collect();
    format!(
        "{modules}/// All declarations.\npub const DECLARED: &[(&str, Adapters)] = &[\n{list}];\n"
    )
}

fn module(declaration: &Declaration) -> String {
    let models: String = declaration
        .models
        .iter()
        .map(|it| structs(declaration, it) + &typed(declaration, it))
        .collect();
    let list: String = declaration
        .models
        .iter()
        .map(|it| format!("Box::new(Of::<{}>::default()), ", it.name))
        .collect();
    format!(
        "mod {} {{\n    use odm_oracle::generated::*;\n\n{models}    pub(super) fn adapters() -> Vec<Box<dyn Adapter>> {{\n        \
         vec![{list}]\n    }}\n}}\n\n",
        declaration.prefix
    )
}

/// Writes a model and the structs that it embeds.
pub fn structs(all: &Declaration, model: &Model) -> String {
    let mut parts = String::new();
    for field in &model.fields {
        parts += &match &field.what {
            What::Embed(embed) => embedded(all, embed),
            What::About(it) => about(all, it),
            What::Recent(it) => element(all, it),
            What::Links(_) => link(model),
            _ => String::new(),
        };
    }
    let fields: String = model.fields.iter().map(|it| line(all, it)).collect();
    let fields = fields.replace("Vec<Link>", &format!("Vec<{}Link>", model.name));
    let kind = model
        .kind
        .as_ref()
        .map(|kind| format!(", kind(kind = \"{kind}\")"));
    let camel = if model.is_camel {
        "    #[serde(rename_all = \"camelCase\")]\n"
    } else {
        ""
    };
    format!(
        "{parts}    #[derive(Clone, Debug, Serialize, Deserialize, Model)]\n{camel}    #[model(collection = \"{}\"{})]\n    \
         pub struct {} {{\n        #[serde(rename = \"_id\")]\n        pub id: Id<{2}, i64>,\n{fields}    }}\n\n",
        model.collection,
        kind.unwrap_or_default(),
        model.name,
    )
}

fn embedded(all: &Declaration, embed: &Embed) -> String {
    let inner = embed.fields.iter().filter_map(|it| match &it.what {
        What::Embed(inner) => Some(embedded(all, inner)),
        What::About(it) => Some(about(all, it)),
        _ => None,
    });
    let inner: String = inner.collect();
    let fields: String = embed.fields.iter().map(|it| line(all, it)).collect();
    format!(
        "{inner}    #[derive(Clone, Debug, Serialize, Deserialize, Embedded)]\n    pub struct {} {{\n{fields}    }}\n\n",
        embed.name
    )
}

/// Writes the enum of a reference to documents of several models.
fn about(all: &Declaration, about: &About) -> String {
    let variant = |it: &Reference| {
        let (name, to) = (About::variant(it.to), &all.model(it.to).name);
        match &it.by {
            Some(by) => format!("        #[refs(to = \"{to}.{by}\")]\n        {name}(i64),\n"),
            None => format!("        {name}(Id<{to}, i64>),\n"),
        }
    };
    let variants: String = about.targets.iter().map(variant).collect();
    format!(
        "    #[derive(Clone, Debug, Serialize, Deserialize, Embedded)]\n    #[serde(tag = \"kind\", content = \"id\")]\n    \
         pub enum {} {{\n{variants}    }}\n\n",
        about.name
    )
}

/// Writes the struct of a link.
fn link(model: &Model) -> String {
    format!(
        "    #[derive(Clone, Debug, Serialize, Deserialize, Embedded)]\n    pub struct {}Link {{\n        pub target: i64,\n        \
         pub kind: String,\n    }}\n\n",
        model.name
    )
}

/// Writes the projection that is the element of a list.
fn element(all: &Declaration, recent: &Recent) -> String {
    let child = all.model(recent.of.model);
    let id = format!(
        "        #[serde(rename = \"_id\")]\n        pub id: Id<{}, i64>,\n",
        child.name
    );
    let mut fields = if recent.has_id { id } else { String::new() };
    for name in &recent.fields {
        fields += &plain(all, child.field(name));
    }
    format!(
        "    #[derive(Clone, Debug, Serialize, Deserialize, Projection)]\n    #[projection(of = \"{}\")]\n    pub struct {} \
         {{\n{fields}    }}\n\n",
        child.name, recent.element
    )
}

/// Writes a field with what it is.
fn line(all: &Declaration, field: &Field) -> String {
    format!("{}{}", attribute(all, field), plain(all, field))
}

/// Writes a field as serde sees it.
fn plain(all: &Declaration, field: &Field) -> String {
    let mut serde = Vec::new();
    if matches!(&field.what, What::Embed(embed) if embed.form == Form::Flat) {
        serde.push("flatten".to_owned());
    } else {
        serde.push(format!("rename = \"{}\"", field.stored));
    }
    match field.missing {
        Missing::Skipped => serde.push("skip_serializing_if = \"Option::is_none\"".to_owned()),
        Missing::Default => serde.push("default".to_owned()),
        Missing::Never | Missing::Null => {}
    }
    format!(
        "        #[serde({})]\n        pub {}: {},\n",
        serde.join(", "),
        field.name,
        rust_type(all, field)
    )
}

fn rust_type(all: &Declaration, field: &Field) -> String {
    let id = |to: usize| format!("Id<{}, i64>", all.model(to).name);
    let held = match &field.what {
        What::Key(it) | What::Keys(it) if it.by.is_some() => {
            if matches!(field.what, What::Keys(_)) {
                "Vec<i64>".to_owned()
            } else {
                "i64".to_owned()
            }
        }
        What::Code => "i64".to_owned(),
        What::Key(reference) => id(reference.to),
        What::Keys(reference) => format!("Vec<{}>", id(reference.to)),
        What::Follows(child, _) => format!("Vec<{}>", id(child.model)),
        What::About(it) if it.is_many => format!("Vec<{}>", it.name),
        What::About(it) => it.name.clone(),
        What::Texts(_) => "Vec<String>".to_owned(),
        What::Links(_) => "Vec<Link>".to_owned(),
        What::Embed(embed) if embed.form == Form::Many => format!("Vec<{}>", embed.name),
        What::Embed(embed) => embed.name.clone(),
        What::Recent(recent) => format!("Vec<{}>", recent.element),
        What::Fold(fold) if fold.by == By::Average => "Average".to_owned(),
        What::Fold(fold) if fold.by == By::Count => "u64".to_owned(),
        What::Copy(copy) if is_count(all.model(copy.model).field(&copy.field), all) => {
            "u64".to_owned()
        }
        What::Value(_) | What::Copy(_) | What::Fold(_) => scalar(all.scalar(field)).to_owned(),
    };
    match field.missing {
        Missing::Null | Missing::Skipped => format!("Option<{held}>"),
        Missing::Never | Missing::Default => held,
    }
}

/// Returns whether a field is a count, or a copy of one.
fn is_count(field: &Field, all: &Declaration) -> bool {
    match &field.what {
        What::Fold(fold) => fold.by == By::Count,
        What::Copy(copy) => is_count(all.model(copy.model).field(&copy.field), all),
        _ => false,
    }
}

const fn scalar(scalar: Option<Scalar>) -> &'static str {
    match scalar {
        Some(Scalar::Text) | None => "String",
        Some(Scalar::Long) => "i64",
        Some(Scalar::Int) => "i32",
        Some(Scalar::Double) => "f64",
        Some(Scalar::Flag) => "bool",
    }
}

fn attribute(all: &Declaration, field: &Field) -> String {
    let text = match &field.what {
        What::Value(_) => return String::new(),
        What::Texts(None) => return String::new(),
        What::Code => "#[index(unique)]".to_owned(),
        What::Texts(Some(max)) => format!("#[embed(max = {max})]"),
        What::Key(reference) => format!("#[refs(one{})]", options(all, reference)),
        What::Keys(reference) => format!(
            "#[refs(many{}{})]",
            options(all, reference),
            bound(reference.max)
        ),
        What::Embed(embed) if embed.refers => {
            let max = bound(field.reference().and_then(|it| it.max));
            format!("#[embed]\n        #[refs(many{max})]")
        }
        What::Embed(_) => "#[embed]".to_owned(),
        What::Copy(copy) => {
            let model = &all.model(copy.model).name;
            let via = match &copy.via {
                Via::Beside(via) => via.clone(),
                Via::Source(via) => format!("{model}.{via}"),
            };
            let snapshot = if copy.snapshot { ", snapshot" } else { "" };
            let nullify = if copy.nullify {
                ", on_delete = \"nullify\""
            } else {
                ""
            };
            format!(
                "#[denorm(from = \"{model}.{}\", via = \"{via}\"{snapshot}{nullify})]",
                copy.field
            )
        }
        What::Fold(fold) => {
            let by = format!("{:?}", fold.by).to_lowercase();
            let field = fold
                .field
                .as_ref()
                .map(|it| format!(", field = \"{it}\""))
                .unwrap_or_default();
            let child = &all.model(fold.of.model).name;
            format!(
                "#[rollup({by}, of = \"{child}\", via = \"{}\"{field})]",
                fold.of.via
            )
        }
        What::Recent(it) => format!(
            "#[recent(of = \"{}\", via = \"{}\", sort = \"{}\", limit = {}{})]",
            all.model(it.of.model).name,
            it.of.via,
            it.sort,
            it.limit,
            if it.desc { ", desc" } else { "" }
        ),
        What::About(it) => {
            let (form, max) = (if it.is_many { "many" } else { "one" }, bound(it.max));
            let exists = if it.exists { ", exists" } else { "" };
            format!("#[refs({form}, polymorphic{max}{exists})]")
        }
        What::Links(true) => "#[links(one_sided)]".to_owned(),
        What::Links(false) => "#[links]".to_owned(),
        What::Follows(child, max) => {
            format!("#[refs(many, inverse = \"{}\"{})]", child.via, bound(*max))
        }
    };
    format!("        {text}\n")
}

fn options(all: &Declaration, reference: &Reference) -> String {
    let mut text = String::new();
    if let Some(by) = &reference.by {
        _ = write!(text, ", to = \"{}.{by}\"", all.model(reference.to).name);
    }
    if reference.rule != Rule::Keep {
        _ = write!(
            text,
            ", on_delete = \"{}\"",
            format!("{:?}", reference.rule).to_lowercase()
        );
    }
    if reference.exists {
        text += ", exists";
    }
    if let Some(inverse) = &reference.inverse {
        _ = write!(text, ", inverse = \"{inverse}\"");
    }
    text
}

fn bound(max: Option<usize>) -> String {
    max.map(|max| format!(", max = {max}")).unwrap_or_default()
}

/// Writes the typed calls of a model.
fn typed(all: &Declaration, model: &Model) -> String {
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
        if calls.is_empty() {
            calls
        } else {
            relate(&calls)
        },
    )
}

fn relate(calls: &str) -> String {
    format!(
        "\n        fn relate(&self, on: &dyn Executor, call: &Relate) -> Sent<UpdateReport> {{\n            match \
         (call.field.as_str(), call.verb, call.to) {{\n{calls}                other => panic!(\"no call {{other:?}}\"),\n            \
         }}\n        }}\n"
    )
}

fn operator(all: &Declaration, field: &Field) -> String {
    let name = &field.name;
    if matches!(&field.what, What::Embed(embed) if embed.form == Form::Flat)
        || matches!(field.what, What::Copy(_) | What::Links(_))
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

/// Writes the calls that are generated for a relation.
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
