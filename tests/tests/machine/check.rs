//! Runs the model checker.

use stateright::{Checker, HasDiscoveries, Model, Path};

use crate::{goal::Goal, setup::Setup};

impl Setup {
    /// Checks all states, and asserts their number.
    pub(crate) fn holds(self, states: usize) {
        let checker = self.checker().spawn_dfs().join();
        println!("holds in {} states", checker.unique_state_count());
        checker.assert_properties();
        assert_eq!(checker.unique_state_count(), states);
    }

    /// Finds a shortest counterexample to the only property of the goal, and asserts its number of steps.
    pub(crate) fn breaks(self, goal: Goal, steps: usize) {
        let setup = self.goal(goal);
        let property = setup.properties().remove(0).name;
        let checker = setup.checker().finish_when(HasDiscoveries::AnyFailures);
        let checker = checker.spawn_bfs().join();
        let path = checker.assert_any_discovery(property);
        println!("broken after {} states:", checker.unique_state_count());
        print(path.clone());
        assert_eq!(path.into_actions().len(), steps);
    }
}

/// Prints the steps of a counterexample. `--no-capture` shows them.
fn print(path: Path<<Setup as Model>::State, <Setup as Model>::Action>) {
    for (state, action) in path.into_vec() {
        println!("{:?}", state.database);
        if let Some(action) = action {
            println!("  {action:?}");
        }
    }
}
