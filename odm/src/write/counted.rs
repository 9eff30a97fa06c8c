//! Counts what the writes of the application have done.

use mongodb::bson::RawDocumentBuf;

use super::{DeleteReport, InsertReport, UpdateReport, UpsertReport};
use crate::{
    client::odm::{Exec, Write},
    error::{Error, Result},
    observe::stats::{Writes, Wrote},
};

/// Runs a write of the application, and counts what it has done.
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
        let (mut inserted, mut updated, mut deleted) = (0, 0, 0);
        match self {
            Self::InsertMany { inserted: done, .. } => inserted = *done,
            Self::PartlyUpdated { modified, .. } => updated = *modified,
            Self::PartlyDeleted { deleted: done, .. } => deleted = *done,
            _ => {}
        }
        Writes {
            inserted,
            updated,
            deleted,
        }
    }
}

impl Wrote for InsertReport {
    fn wrote(&self) -> Writes {
        Writes {
            inserted: self.inserted,
            ..Writes::default()
        }
    }
}

impl Wrote for UpdateReport {
    fn wrote(&self) -> Writes {
        Writes {
            updated: self.modified,
            ..Writes::default()
        }
    }
}

impl Wrote for UpsertReport {
    fn wrote(&self) -> Writes {
        Writes {
            inserted: u64::from(self.upserted_id.is_some()),
            updated: self.modified,
            deleted: 0,
        }
    }
}

impl Wrote for DeleteReport {
    fn wrote(&self) -> Writes {
        Writes {
            deleted: self.deleted,
            ..Writes::default()
        }
    }
}

/// What a `findAndModify` returns is the only document that it can have changed.
impl Wrote for Option<RawDocumentBuf> {
    fn wrote(&self) -> Writes {
        Writes {
            updated: u64::from(self.is_some()),
            ..Writes::default()
        }
    }
}
