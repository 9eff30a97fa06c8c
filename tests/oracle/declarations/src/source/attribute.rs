//! Writes the attributes of a field.

use std::fmt::Write as _;

use crate::declaration::{Declaration, Field, Maintained, Reference, Rule, Via, What};

pub(super) fn attribute(all: &Declaration, field: &Field) -> String {
    let text = match &field.what {
        What::Value(_) | What::Texts(None) | What::Maintained(Maintained::Tenant) => {
            return String::new();
        }
        What::Maintained(Maintained::CreatedAt) => "#[created_at]".to_owned(),
        What::Maintained(Maintained::UpdatedAt) => "#[updated_at]".to_owned(),
        What::Maintained(Maintained::Version) => "#[version]".to_owned(),
        What::Maintained(Maintained::DeletedAt) => "#[deleted_at]".to_owned(),
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
