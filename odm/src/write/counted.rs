//! Counts the writes of the application.

use crate::{
    client::odm::{Exec, Write},
    error::{Error, Result},
    observe::stats::{Writes, Wrote},
};

/// Runs a write of the application and counts it.
pub(crate) async fn run_counted<W>(write: W, exec: Exec) -> Result<W::Report>
where
    W: Write,
    W::Report: Wrote,
{
    let (odm, model) = (exec.odm().clone(), write.model());
    let done = exec.write(write).await;
    match &done {
        Ok(report) => odm.count_write(model, report),
        Err(error) => odm.count_write(model, error),
    }
    done
}

/// The parts of a write of many that were done before the error.
impl Wrote for Error {
    fn wrote(&self) -> Writes {
        let mut done = Writes::default();
        match self {
            Self::InsertMany { inserted, .. } => done.inserted = *inserted,
            Self::PartlyUpdated { modified, .. } => done.updated = *modified,
            Self::PartlyDeleted { deleted, .. } => done.deleted = *deleted,
            _ => {}
        }
        done
    }
}
