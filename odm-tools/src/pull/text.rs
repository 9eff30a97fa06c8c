//! Writes the source code of models.

use std::fmt::Write;

use super::{
    comment::{self, one_line},
    dbrefs,
    enums::EnumPlan,
    ident::{quoted, raw},
    left_out,
    models::{ModelPlan, models},
    rest::RestPlan,
    structs::{FieldPlan, StructPlan},
};
use crate::survey::Survey;

/// Writes models for the collections of a database, as the source code of one module.
///
/// The result depends only on the [`survey`](crate::OdmTools::survey), and nothing is sent. Configure the survey to
/// [keep the documents](crate::SurveyDatabase::keep_documents), because `write_models` needs them to find the kinds in
/// a collection and the order of the fields. The models describe only the sampled documents. Use `odm check` to find
/// documents that do not match the models.
///
/// # Guarantees
///
/// Every document in the sample can be read and written back with the same values and types. Missing and null values
/// are preserved (`Option`, `Presence`). A field that contains values of several types becomes a `Bson`. A flattened
/// `Document` keeps the fields that have names such as `""`, `a.b` or `$a`, which a struct field cannot store. The
/// order of fields is preserved, with two exceptions. The first is a collection in which the documents have different
/// field orders. The second is a map of structs in which the names are not sorted, because such a map becomes a
/// `BTreeMap`. A map without structs becomes a `Document`. A comment marks both exceptions.
///
/// Comments also mark operations that the server rejects. The server rejects saves in a time series, saves of documents
/// that have top-level fields such as `$a`, and writes to a capped collection in a transaction.
///
/// # References
///
/// The models declare the references that the survey has found, with `has_many` or `has_one` in the target model.
/// [`SurveyDatabase`](crate::SurveyDatabase) describes how the target is selected among several collections. If the
/// target is undecided or the values are divided, no reference is declared, and a comment lists all candidates with
/// their shares. A comment next to a reference reports that another collection also contains the values, or that at
/// least 10 % of the values are dangling. A comment next to a copy states its source. A `DBRef` becomes a struct
/// (`DbRef<Id<User>>`), because the library does not follow `DBRef`s.
///
/// # Indexes
///
/// An index is declared if attributes support all its options. Comments describe the other indexes, the views, and the
/// indexes of empty collections.
///
/// # Types
///
/// If the arrays at a path have different lengths of at most 1,000 elements, they get a `max` above the longest length.
/// A comment states the longest length. A field that has only a few distinct strings becomes an enum, which has an
/// additional variant for any other string. If all strings at a path are dates, ids or numbers, the field remains a
/// `String`, and a comment points this out. The names of types and variants contain only ASCII letters, so that the
/// compiler and clippy do not warn.
///
/// # Examples
///
/// ```no_run
/// use mongo_odm_tools::OdmTools;
///
/// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
/// let survey = odm.survey().keep_documents().await?;
/// println!("{}", mongo_odm_tools::write_models(&survey));
/// # Ok(()) }
/// ```
pub fn write_models(survey: &Survey) -> String {
    let mut body = String::new();
    for model in models(survey) {
        model.write(&mut body);
    }
    if is_used(&body, "DbRef") {
        line(&mut body, dbrefs::STRUCT);
    }
    for told in left_out::comments(survey) {
        comment::write(&mut body, "// ", &told);
    }
    let code = head(survey, &body) + &body;
    format!("{}\n", code.trim_end())
}

fn head(survey: &Survey, body: &str) -> String {
    let mut head = format!(
        "//! Models of the database `{}`, written by `odm pull` from samples of its documents.\n//!\n\
         //! What the samples do not show is not known: `odm check` finds documents that do not fit.\n\n",
        survey.database.escape_debug()
    );
    if body.contains("BTreeMap<") {
        head.push_str("use std::collections::BTreeMap;\n\n");
    }
    let mut of = |path: &str, names: &[&str]| {
        let used = names.iter().filter(|name| is_used(body, name));
        let used: Vec<&str> = used.copied().collect();
        match used.as_slice() {
            [] => {}
            [one] => _ = writeln!(head, "use {path}::{one};"),
            several => _ = writeln!(head, "use {path}::{{{}}};", several.join(", ")),
        }
    };
    let bson = [
        "Binary",
        "Bson",
        "Decimal128",
        "Document",
        "Regex",
        "Timestamp",
        "Uuid",
    ];
    // Rustfmt sorts `mongo_odm::Name` before the other imports of the crate, and `mongo_odm::{..}` after them.
    let own = ["AnyKey", "Presence"];
    let is_one = own.iter().filter(|name| is_used(body, name)).count() == 1;
    if is_one {
        of("mongo_odm", &own);
    }
    of("mongo_odm::bson", &bson);
    of("mongo_odm::prelude", &["*"]);
    if !is_one {
        of("mongo_odm", &own);
    }
    head.push('\n');
    head
}

/// Whether a field in the generated code has a type that uses this name.
fn is_used(body: &str, name: &str) -> bool {
    if name == "*" {
        return body.contains("#[derive(");
    }
    let code = body
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let fields = code.filter_map(|line| line.trim_start().strip_prefix("pub "));
    let mut types = fields.filter_map(|line| line.split_once(": "));
    types.any(|(_, ty)| {
        ty.split(|c: char| !c.is_alphanumeric())
            .any(|word| word == name)
    })
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

impl ModelPlan {
    fn write(&self, out: &mut String) {
        let mut head = String::new();
        for told in &self.comments {
            comment::write(&mut head, "// ", told);
        }
        let one_line = format!("#[model({})]", self.options.join(", "));
        if one_line.len() <= 100 {
            line(&mut head, &one_line);
        } else {
            line(&mut head, "#[model(");
            line(&mut head, &format!("    {}", self.options.join(",\n    ")));
            line(&mut head, ")]");
        }
        self.root.write("Model", &head, out);
        for embedded in self.structs.iter().rev() {
            embedded.write("Embedded", "", out);
        }
        for it in &self.enums {
            it.write(out);
        }
    }
}

impl StructPlan {
    fn write(&self, derive: &str, head: &str, out: &mut String) {
        for docs in &self.docs {
            line(out, &format!("/// {}", one_line(docs)));
        }
        line(
            out,
            &format!("#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, {derive})]"),
        );
        out.push_str(head);
        line(out, &format!("pub struct {} {{", self.name));
        let at = self.rest.as_ref().map_or(self.fields.len(), |it| it.at);
        let (before, behind) = self.fields.split_at(at.min(self.fields.len()));
        for field in before {
            field.write(out);
        }
        if let Some(rest) = &self.rest {
            rest.write(out);
        }
        for field in behind {
            field.write(out);
        }
        line(out, "}\n");
    }
}

impl RestPlan {
    fn write(&self, out: &mut String) {
        comment::write(out, "    // ", &self.why);
        line(out, "    #[serde(flatten)]");
        line(out, &format!("    pub {}: Document,", raw(&self.name)));
    }
}

impl FieldPlan {
    fn write(&self, out: &mut String) {
        for told in &self.comments {
            comment::write(out, "    // ", told);
        }
        let rename =
            (self.name != self.stored).then(|| format!("rename = {}", quoted(&self.stored)));
        let serde: Vec<String> = rename
            .into_iter()
            .chain(self.serde.map(str::to_owned))
            .collect();
        if !serde.is_empty() {
            line(out, &format!("    #[serde({})]", serde.join(", ")));
        }
        for attribute in &self.attributes {
            line(out, &format!("    #[{attribute}]"));
        }
        line(out, &format!("    pub {}: {},", raw(&self.name), self.ty));
    }
}

impl EnumPlan {
    fn write(&self, out: &mut String) {
        line(out, &format!("/// {}", one_line(&self.docs)));
        line(
            out,
            "#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]",
        );
        line(out, &format!("pub enum {} {{", self.name));
        for (variant, stored) in &self.variants {
            if variant != stored {
                line(out, &format!("    #[serde(rename = {})]", quoted(stored)));
            }
            line(out, &format!("    {variant},"));
        }
        line(out, "    // Any text that the sample does not have.");
        line(out, "    #[serde(untagged)]");
        line(out, &format!("    {}(String),", self.other));
        line(out, "}\n");
    }
}
