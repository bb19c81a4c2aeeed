//! Keeping order: reports, blocking and muting, and what administrators do about it. Where nobody is an administrator there is
//! no sign of any.
//!
//! - `people` says who sits at a seat, what two people want of each other, and who is suspended;
//! - `reports` takes reports, `measures` is what the one concerned sees and says to it;
//! - `desk` is what administrators can do, over HTTP (`admin`) and on the command line.

mod admin;
mod desk;
mod measures;
mod people;
mod reports;

use std::num::NonZeroU32;
use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use governor::{DefaultKeyedRateLimiter, Quota};

pub(crate) use admin::{
    __path_accounts, __path_answer, __path_appeals, __path_audit, __path_lift, __path_remove_challenge,
    __path_remove_line, __path_reports, __path_settle, __path_take,
};
pub use desk::{Desk, desk};
pub(crate) use measures::{__path_appeal, __path_own, __path_untie, own_order};
pub(crate) use people::{__path_tie, __path_tied, Person, Visitor};
pub(crate) use reports::{__path_look, __path_report, __path_report_challenge};

use crate::config::{Config, Rate};
use crate::hall::Hall;
use crate::owners::{Client, Pace};
use host::Failure;
use host::wire::Code;

/// How many reports one network may make: so many at once, then one every few minutes.
const REPORTS: Rate = Rate { per_second: 1.0 / 300.0, burst: 10 };
/// The same for one account, or one seat, in an hour.
const REPORTS_AN_HOUR: u32 = 10;

/// Who keeps order, and how much one may ask of them.
#[derive(Debug)]
pub(crate) struct Order {
    /// Accounts of administrators that the operator has named.
    named: Vec<String>,
    networks: Pace,
    people: DefaultKeyedRateLimiter<String>,
}

impl Order {
    pub(crate) fn new(config: &Config) -> Self {
        let quota = Quota::per_hour(NonZeroU32::new(REPORTS_AN_HOUR).unwrap_or(NonZeroU32::MIN));
        Order {
            named: config.administrators.clone(),
            networks: Pace::new(REPORTS),
            people: DefaultKeyedRateLimiter::keyed(quota),
        }
    }

    fn may_report(&self, client: Client, person: &str) -> Result<(), Failure> {
        let too_many = || {
            Failure::new(
                Code::TooMany,
                "You have reported a lot lately. Wait an hour before the next report.",
            )
        };
        let allowed = self.people.check_key(&person.to_owned()).is_ok() && self.networks.allows(client, 1);
        allowed.then_some(()).ok_or_else(too_many)
    }

    /// Forgets those who have not asked for a while.
    pub(crate) fn tidy(&self) {
        self.networks.tidy();
        self.people.retain_recent();
        self.people.shrink_to_fit();
    }
}

pub(crate) fn router() -> Router<Arc<Hall>> {
    Router::new()
        .route("/order", get(reports::look))
        .route("/games/{game}/report", post(reports::report))
        .route("/challenges/{challenge}/report", post(reports::report_challenge))
        .route("/games/{game}/tie", get(people::tied).post(people::tie))
        .route("/account/order", get(measures::own))
        .route("/account/ties/{tie}/end", post(measures::untie))
        .route("/account/measures/{measure}/appeal", post(measures::appeal))
        .route("/admin/reports", get(admin::reports))
        .route("/admin/reports/{report}/settle", post(admin::settle))
        .route("/admin/accounts", get(admin::accounts))
        .route("/admin/accounts/{account}/measures", post(admin::take))
        .route("/admin/appeals", get(admin::appeals))
        .route("/admin/measures/{measure}/answer", post(admin::answer))
        .route("/admin/measures/{measure}/lift", post(admin::lift))
        .route("/admin/challenges/{challenge}/remove", post(admin::remove_challenge))
        .route("/admin/games/{game}/chat/{line}/remove", post(admin::remove_line))
        .route("/admin/audit", get(admin::audit))
}
