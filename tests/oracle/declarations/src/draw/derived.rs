//! Generates the fields that are derived over a reference: copies, summaries and recent lists.

use super::Draw;
use crate::declaration::{
    By, Child, CopyOf, Field, Fold, Missing, Recent, Rule, Scalar, Via, What,
};

impl Draw {
    /// Draws copies of fields of `to`, with a reference in the same struct as the copies.
    pub(super) fn copies(
        &mut self,
        from: usize,
        to: usize,
        via: &str,
        is_optional: bool,
        rule: Rule,
    ) -> Vec<Field> {
        let mut copies = Vec::new();
        for _ in 0..self.random.weighted(&[(2, 0), (4, 1), (2, 2)]) {
            let Some(source) = self.source(from, to) else {
                continue;
            };
            // The documentation does not promise that documents of one `insert_many` find one another. A snapshot of a
            // summary copies the stored value, which may be stale.
            let is_fold = matches!(source.what, What::Fold(_));
            let snapshot = self.random.percent(15) && from != to && !is_fold;
            let nullify = !snapshot && rule == Rule::Keep && self.random.percent(15);
            let copy = CopyOf {
                via: Via::Beside(via.to_owned()),
                model: to,
                field: source.name.clone(),
                snapshot,
                nullify,
            };
            let may_miss = is_optional || nullify || source.missing != Missing::Never;
            let missing = self.missing_copy(may_miss);
            let name = self.name(if snapshot { "snapshot" } else { "copy" });
            copies.push(self.field(from, &name, missing, What::Copy(copy)));
        }
        copies
    }

    fn missing_copy(&mut self, may_miss: bool) -> Missing {
        match (may_miss, self.random.below(8)) {
            (true, 0..3) => Missing::Skipped,
            (true, _) | (false, 0) => Missing::Null,
            (false, _) => Missing::Never,
        }
    }

    /// Returns a field that can be copied.
    fn source(&mut self, from: usize, to: usize) -> Option<Field> {
        let model = &self.models[to];
        let is_source = |field: &&Field| match &field.what {
            What::Value(_) => true,
            What::Copy(_) => from != to && !self.returns_to(from, field),
            What::Fold(fold) => from != to && fold.by != By::Average,
            _ => false,
        };
        let sources: Vec<Field> = model.fields.iter().filter(is_source).cloned().collect();
        (!sources.is_empty()).then(|| self.random.pick(&sources).clone())
    }

    /// Returns whether a copy depends, directly or through other copies, on a field of the given model.
    fn returns_to(&self, model: usize, field: &Field) -> bool {
        let What::Copy(copy) = &field.what else {
            return false;
        };
        let source = self.models[copy.model].field(&copy.field);
        copy.model == model || self.returns_to(model, source)
    }

    /// Adds fields that are derived from the children of a model to this model.
    pub(super) fn derived(&mut self, from: usize, to: usize, via: &str) {
        let child = Child {
            model: from,
            via: via.to_owned(),
        };
        for _ in 0..self.random.weighted(&[(2, 0), (3, 1), (2, 2), (1, 3)]) {
            self.fold(to, &child);
        }
        if self.random.percent(25) {
            self.recent(to, &child);
        }
        if from != to && self.random.percent(15) {
            self.copy_of_owner(from, to, via);
        }
    }

    fn fold(&mut self, to: usize, of: &Child) {
        let by = self.random.weighted(&[
            (4, By::Count),
            (2, By::Sum),
            (1, By::Average),
            (1, By::Min),
            (1, By::Max),
        ]);
        let numbers = self.values(of.model, by != By::Min && by != By::Max);
        let field = (by != By::Count).then(|| self.random.pick(&numbers).name.clone());
        let missing = match by {
            By::Min | By::Max if self.random.percent(30) => Missing::Skipped,
            By::Min | By::Max => Missing::Null,
            _ => Missing::Never,
        };
        self.add(
            to,
            "fold",
            missing,
            What::Fold(Fold {
                of: of.clone(),
                by,
                field,
            }),
        );
    }

    /// Returns the fields of a model that the user sets, or only the numeric ones.
    fn values(&self, model: usize, numbers: bool) -> Vec<Field> {
        let fits = |field: &&Field| match field.what {
            What::Value(Scalar::Text | Scalar::Flag) => !numbers,
            What::Value(_) => true,
            _ => false,
        };
        self.models[model]
            .fields
            .iter()
            .filter(fits)
            .cloned()
            .collect()
    }

    fn recent(&mut self, to: usize, of: &Child) {
        let values = self.values(of.model, false);
        let sort = self.random.pick(&values).name.clone();
        let mut fields = vec![sort.clone()];
        let other = self.random.pick(&values).name.clone();
        if other != sort {
            fields.push(other);
        }
        let recent = Recent {
            of: of.clone(),
            sort,
            desc: self.random.percent(30),
            limit: self.random.between(1, 3),
            element: format!("{}R{}", self.models[to].name, self.names),
            has_id: self.random.percent(60),
            fields,
        };
        self.add(to, "recent", Missing::Never, What::Recent(recent));
    }

    /// Adds a copy whose reference is in the source document.
    fn copy_of_owner(&mut self, from: usize, to: usize, via: &str) {
        let values = self.values(from, false);
        let field = self.random.pick(&values).name.clone();
        let via = Via::Source(via.to_owned());
        let copy = CopyOf {
            via,
            model: from,
            field,
            snapshot: false,
            nullify: false,
        };
        let missing = self.missing_copy(true);
        self.add(to, "copy", missing, What::Copy(copy));
    }
}
