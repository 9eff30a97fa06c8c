//! Checks the fields that the library maintains in every write.

use crate::{
    error::Errors,
    ir::{Field, Index, Maintained, MaintainedKind, Record},
};

/// Checks that only models have maintained fields, and that a model has at most one field for each attribute such as
/// `#[updated_at]`.
pub(crate) fn maintained(record: &Record, errors: &mut Errors) {
    let mut before: Vec<(&Field, &Maintained)> = Vec::new();
    for field in &record.fields {
        for maintained in &field.maintained {
            owner(record, maintained, errors);
            stored(field, maintained, errors);
            kept(record, field, maintained, errors);
            let first = before.iter().find(|(_, it)| it.kind == maintained.kind);
            if let Some((first, _)) = first {
                let message = format!(
                    "`{}` has `#[{}]` already; remove one of the two",
                    first.name(),
                    maintained.attribute
                );
                errors.at(&maintained.attribute, message);
            }
            before.push((field, maintained));
        }
    }
    archived(record, errors);
}

/// Rejects a model whose documents would be both marked as deleted and moved to the archive.
fn archived(record: &Record, errors: &mut Errors) {
    let is_marked = record.maintained_field(MaintainedKind::DeletedAt).is_some();
    let archive = record.model().and_then(|model| model.archive.as_ref());
    if let (true, Some(archive)) = (is_marked, archive) {
        let message = "the model has `#[deleted_at]`, which keeps deleted documents in their collection; remove one of the two";
        errors.at(archive, message);
    }
}

fn owner(record: &Record, maintained: &Maintained, errors: &mut Errors) {
    if record.model().is_none() {
        let message = format!(
            "`#[{}]` describes a whole document, and this struct is only a part of one; move the field to the model",
            maintained.attribute
        );
        errors.at(&maintained.attribute, message);
    }
}

/// Rejects a TTL index on the time of the delete. The server would remove documents without applying their delete
/// rules.
fn kept(record: &Record, field: &Field, maintained: &Maintained, errors: &mut Errors) {
    if maintained.kind != MaintainedKind::DeletedAt {
        return;
    }
    let is_of_field = |index: &&Index| {
        let mut keys = index.keys.iter();
        keys.any(|key| matches!(key.path.fields.as_slice(), [name] if *name == field.ident))
    };
    let of_model = record.model().into_iter().flat_map(|model| &model.indexes);
    let all = field.index.iter().chain(of_model.filter(is_of_field));
    for expire in all.filter_map(|index| index.expire_after_secs.as_ref()) {
        let message = "the server would remove deleted documents without applying delete rules; call `purge_many` with a \
                       filter on this field instead";
        errors.at(&expire.written, message);
    }
}

fn stored(field: &Field, maintained: &Maintained, errors: &mut Errors) {
    if let (MaintainedKind::Version, Some(codec)) = (maintained.kind, &field.codec) {
        let message = "`#[version]` stores a number, which needs no codec; remove `with`";
        errors.at(&codec.written, message);
    }
    if let (MaintainedKind::CreatedBy | MaintainedKind::UpdatedBy, Some(codec)) =
        (maintained.kind, &field.codec)
    {
        let message = format!(
            "`#[{}]` stores the key that your code passes to `odm.acting_as(..)`, and not an encoded form of it; remove `with`",
            maintained.attribute
        );
        errors.at(&codec.written, message);
    }
    if let (MaintainedKind::Tenant, Some(codec)) = (maintained.kind, &field.codec) {
        let message = "the tenant is the key that your code passes to `odm.for_tenant(..)`, and not an encoded form of it; \
                       remove the codec";
        errors.at(&codec.written, message);
    }
    if let (MaintainedKind::Version, Some(unread)) = (maintained.kind, &field.unread) {
        let message = "serde does not read the `#[version]`, so each save would be a conflict; remove `skip_deserializing`";
        errors.at(unread, message);
    }
    if field.flatten {
        let message = format!(
            "serde flattens this field, but `#[{}]` needs a field of its own; remove `flatten`",
            maintained.attribute
        );
        errors.at(&maintained.attribute, message);
    }
}
