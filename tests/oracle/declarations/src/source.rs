//! Writes a declaration as Rust.

mod attribute;
mod typed;

use self::{attribute::attribute, typed::typed};
use crate::declaration::{
    About, By, Declaration, Embed, Field, Form, MOST, Maintained, Missing, Model, Recent,
    Reference, Scalar, What,
};

/// Generates a module for each declaration, and the list of all declarations.
pub fn program(declarations: &[Declaration]) -> String {
    let modules: String = declarations.iter().map(module).collect();
    let adapters = |it: &Declaration| {
        format!(
            "    (\"{}\", {}::adapters as Adapters),\n",
            it.name, it.prefix
        )
    };
    let list = declarations
        .iter()
        .map(adapters)
        .collect::<Vec<_>>()
        .concat();
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
    let adapter = |it: &Model| format!("Box::new(Of::<{}>::default()), ", it.name);
    let list = declaration
        .models
        .iter()
        .map(adapter)
        .collect::<Vec<_>>()
        .concat();
    format!(
        "mod {} {{\n    #[allow(clippy::wildcard_imports, reason = \"no declaration uses all of it\")]\n    use odm_oracle::generated::*;\n\n{models}    pub(super) fn adapters() -> Vec<Box<dyn Adapter>> {{\n        \
         vec![{list}]\n    }}\n}}\n\n",
        declaration.prefix
    )
}

/// Generates the struct of a model and the structs that it embeds.
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
    let mut options = kind.unwrap_or_default();
    if let Some(tenant) = model.maintained(Maintained::Tenant) {
        options += ", tenant = \"";
        options += tenant;
        options += "\"";
    }
    if model.hook.is_some() {
        options += ", hooks";
    }
    let camel = if model.is_camel {
        "    #[serde(rename_all = \"camelCase\")]\n"
    } else {
        ""
    };
    format!(
        "{parts}    #[derive(Clone, Debug, Serialize, Deserialize, Model)]\n{camel}    #[model(collection = \"{}\"{})]\n    \
         pub struct {} {{\n        #[serde(rename = \"_id\")]\n        pub id: Id<{2}, i64>,\n{fields}    }}\n\n",
        model.collection, options, model.name,
    ) + &model
        .hook
        .as_ref()
        .map(|field| hooks(model, field))
        .unwrap_or_default()
}

/// Generates hooks that limit a numeric field.
fn hooks(model: &Model, field: &str) -> String {
    format!(
        "    impl Hooks for {} {{\n        async fn before_insert(&mut self, _: &Tx) -> Result<()> {{\n            self.{field} \
         = self.{field}.min({MOST});\n            Ok(())\n        }}\n\n        async fn before_update(&self, change: &mut \
         Update<Self>, _: &Tx) -> Result<()> {{\n            let field = Self::fields().{field};\n            if \
         change.value_set(field)?.is_some_and(|it| it > {MOST}) {{\n                change.set(field, {MOST});\n            \
         }}\n            Ok(())\n        }}\n    }}\n\n",
        model.name
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

/// Generates the enum of a reference to documents of several models.
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

/// Generates the struct of a link.
fn link(model: &Model) -> String {
    format!(
        "    #[derive(Clone, Debug, Serialize, Deserialize, Embedded)]\n    pub struct {}Link {{\n        pub target: i64,\n        \
         pub kind: String,\n    }}\n\n",
        model.name
    )
}

/// Generates the projection for the elements of a recent list.
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

/// Generates a field with its attributes.
fn line(all: &Declaration, field: &Field) -> String {
    format!("{}{}", attribute(all, field), plain(all, field))
}

/// Generates a field only with its serde attributes.
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
        What::Code | What::Maintained(Maintained::Version) => "i64".to_owned(),
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
        What::Maintained(Maintained::Tenant) => "String".to_owned(),
        What::Maintained(_) => "DateTime".to_owned(),
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
