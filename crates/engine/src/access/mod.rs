//! Who may read and write what. `policy` is the table, `standing` looks a caller up and asks it, `open` says which
//! operations agents reach at all; `spaces::resolve` and `spaces::readable` are where every operation passes through.

mod agents;
mod names;
mod open;
mod overlays;
mod pairing;
mod peers;
mod policy;
pub(crate) mod requests;
mod silent;
mod standing;
mod unread;

pub(crate) use agents::{agent_edit, agents_list, membership_set, named};
pub(crate) use open::admitted;
pub use open::is_open;
pub(crate) use overlays::{access_get, overlay_set};
pub use pairing::{Admitted, Claim};
pub(crate) use pairing::{agent_pair, agent_revoke, as_it_asks, pairing_decide};
pub use peers::Peer;
pub(crate) use peers::Peers;
pub(crate) use policy::Wish;
pub(crate) use requests::{forget as forget_requests, requests_list};
pub(crate) use silent::Silent;
pub(crate) use standing::{Parts, may_act, outranks, reach, really, usable};
pub(crate) use unread::told;

/// A secret for an agent: 32 random bytes, in hex.
fn secret() -> crate::error::Outcome<String> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)
        .map_err(|_| um_model::ApiError::new(um_model::ErrorCode::Io, "The system gives no random bytes."))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
