//! Generates the check that a model with the option `hooks` implements at least one hook.

use quote::quote_spanned;

use super::question::Checks;
use crate::{hygiene::ends, ir::Model};

impl Checks<'_> {
    /// Checks that the impl of `Hooks` is not empty.
    pub(super) fn hooks(&mut self, model: &Model) {
        let Some(hooks) = &model.hooks else {
            return;
        };
        let (first, last) = ends(hooks);
        let ident = &self.record.ident;
        let message = format!(
            "`impl Hooks for {ident}` is empty; write a hook, such as `before_insert`, or remove `hooks`"
        );
        let holds = quote_spanned!(first=> {
            use __odm::HookProbeFallback as _;
            __odm::HookProbe::<#ident>::HAS_HOOK
        });
        self.assert(first, last, &holds, &message);
    }
}
