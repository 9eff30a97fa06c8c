//! The operator's command without models.

mongo_odm_tools::cli!();
