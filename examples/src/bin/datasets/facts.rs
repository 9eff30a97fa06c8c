//! Facts about the data sets that the library must reproduce.

use std::fmt::Display;

use anyhow::Result;

/// Facts that were confirmed, and facts that were not.
#[derive(Debug, Default)]
pub struct Facts {
    right: usize,
    wrong: Vec<String>,
}

impl Facts {
    /// Compares a result with the known value.
    pub fn check<T: PartialEq + Display + Copy>(&mut self, what: &str, found: T, known: T) {
        if found == known {
            self.right += 1;
            println!("   fact    {what}: {found}");
        } else {
            println!("   WRONG   {what}: {found}, but it is {known}");
            self.wrong
                .push(format!("{what}: {found}, but it is {known}"));
        }
    }

    /// Returns an error if any fact was not confirmed.
    pub fn verdict(self) -> Result<()> {
        let all = self.right + self.wrong.len();
        println!("{} of {all} facts reproduced", self.right);
        anyhow::ensure!(
            self.wrong.is_empty(),
            "not reproduced: {}",
            self.wrong.join("; ")
        );
        Ok(())
    }
}
