//! Tests of ACL decoding: results equal those of ACL's own decoder bit for bit, and hostile clips are refused.

mod corpus;
mod encoded;
mod hostile;
