//! The command for operators, compiled without any models.

mongo_odm_tools::cli!();
