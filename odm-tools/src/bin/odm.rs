//! The operator's command for work without models.

mongo_odm_tools::cli!();
