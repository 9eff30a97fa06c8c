//! Models as source.

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

/// Writes models for the collections of a database, as the source of one module.
///
/// It is a pure function of what [`survey`](crate::OdmTools::survey) has found, and sends nothing. The survey should
/// [keep the documents](crate::SurveyDatabase::keep_documents): they tell several kinds in one collection apart, and in
/// which order names stand. What the sample does not show is not known: `odm check` finds documents that do not fit.
///
/// *What is kept.* Every document of the sample is read and written back with the same values of the same types: what may
/// be missing or null stays so (`Option`, `Presence`), values of several types are `Bson`, and names that no field can have
/// (`""`, `a.b`, `$a`) go into a flattened `Document` at the place where they stand. The order of fields is kept, too,
/// except where documents of one collection differ in it, or where names that are values of a struct are not sorted
/// (`BTreeMap`; without a struct they stay a `Document`): a comment says so, with an example. What the server itself
/// refuses is said as well: to save documents of a time series, own names that begin with `$`, writes to a capped
/// collection in a transaction.
///
/// *References* are those that the survey has found by their values, with `has_many` or `has_one` at the other side;
/// [`SurveyDatabase`](crate::SurveyDatabase) says what decides between several collections. Where nothing does, or where the values
/// are divided among them, a comment names all of them with the share of the values that each has, and no reference is declared;
/// where another collection has the values too, or a tenth or more of them lead nowhere, a comment says so beside the reference.
/// Of a copy beside its reference a comment says what it is a copy of. A `DBRef` is a struct of its own (`DbRef<Id<User>>`), since
/// the library follows none.
///
/// *Indexes* are declared as far as attributes have their options; the others are comments, as are the indexes of
/// collections that are left out because they have no documents, and the views.
///
/// *Types.* Arrays of different lengths get a `max` with room above the longest one seen, with that one in a comment,
/// unless one has more than 1,000 elements. Texts that are few become enums, with a variant for any other text. Texts that
/// are all dates, ids or numbers stay texts, with a comment. Names of Rust are of ASCII letters, so that neither the
/// compiler nor clippy warns of them.
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
    // One name stands before the others in the order of rustfmt, a list behind them.
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

/// Whether a type of the library stands somewhere in the code.
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
