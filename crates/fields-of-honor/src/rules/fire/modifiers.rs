//! Hit numbers and divisors (qrs.smallarms, qrs.artillery, smallarms.advanced).

use game::words::signed;
use game::{Rule, Sum};

use crate::at::At;
use crate::cite;
use crate::rules::basics::{Formation, Layout};
use crate::rules::charts::Rating;
use crate::rules::fire::arcs::Bearing;
use crate::rules::fire::{BANDS, FireOrder, RANGES, When};
use crate::setup::battle::Battle;
use crate::setup::ground::Cover;
use crate::state::{BodyId, Marks, Order, State};

impl At<'_> {
    pub(super) fn hit_number(self, by: BodyId, band: usize, shrapnel: bool, order: FireOrder) -> Sum {
        let body = self.body(by);
        let info = self.battle.info(body);
        let numbers = &self.battle.tables.fire.hit_number;
        let base = [numbers.short, numbers.medium, numbers.long, numbers.extreme][band];
        if info.weapon.kind.is_artillery() {
            let mods = &self.battle.tables.fire.artillery.hit_modifiers;
            let mut hit = Sum::of(base, RANGES[band], cite!("qrs.artillery.b"));
            if info.weapon.smoothbore {
                hit.add(mods.smoothbore, "smoothbore", cite!("qrs.artillery.c"));
            }
            if info.weapon.improved {
                hit.add(mods.improved, "improved", cite!("qrs.artillery.c"));
            }
            if shrapnel {
                hit.add(mods.shrapnel, "shrapnel", cite!("qrs.artillery.c"));
            }
            if body.marks.has(Marks::PROLONGED) {
                hit.add(mods.prolonged, "prolonged", cite!("move.artillery.d"));
            }
            return hit;
        }
        let mods = &self.battle.tables.fire.small_arms.hit_modifiers;
        let mut hit = Sum::of(base, RANGES[band], cite!("qrs.smallarms.b"));
        if info.weapon.smoothbore {
            hit.add(mods.smoothbore, "smoothbore", cite!("qrs.smallarms.c"));
        }
        if info.weapon.improved {
            hit.add(mods.improved, "improved", cite!("qrs.smallarms.c"));
        }
        if order.when == When::Rush {
            hit.add(mods.moved, "rushing", cite!("zouave.b"));
        } else if self.state.counts_as_moved(by, order.when) {
            hit.add(mods.moved, "moved", cite!("qrs.smallarms.c"));
        }
        if order.masked {
            let value = mods.own_detached_skirmishers_falling_back;
            hit.add(value, "own skirmishers falling back", cite!("skirmish.g"));
        }
        hit
    }

    /// The rating it fires with: one grade worse prone or just up (R100).
    pub(super) fn fire_rating(self, by: BodyId) -> (Rating, Rule) {
        let body = self.body(by);
        let info = self.battle.info(body);
        let rating = info.fire.unwrap_or(Rating::E);
        if body.marks.has(Marks::STOOD) {
            return (rating.worse(), cite!("move.prone.d"));
        }
        if body.marks.has(Marks::PRONE) && !info.breechloader && !info.weapon.kind.is_artillery() {
            return (rating.worse(), cite!("move.prone.e"));
        }
        let rule =
            if info.weapon.kind.is_artillery() { cite!("qrs.artillery.k") } else { cite!("qrs.smallarms.l") };
        (rating, rule)
    }

    /// The divisor of small arms (qrs.smallarms).
    pub(super) fn arms_divisor(
        self,
        by: BodyId,
        at: BodyId,
        target: &Layout,
        aim: &Bearing,
        when: When,
    ) -> Sum {
        let body = self.body(by);
        let info = self.battle.info(body);
        let mods = &self.battle.tables.fire.small_arms.divisor_modifiers;
        let chart = Chart::small_arms(self.battle);
        let mut sum = chart.firer(self, by, when);
        let first = mods.initial_fire_or_breechloader;
        let fresh = !info.breechloader && !self.state.bmus[usize::from(body.bmu)].fired;
        let rows = [
            (
                body.skirmishing(),
                (mods.firer_skirmishers, cite!("qrs.smallarms.j")),
                "firing in skirmish order",
            ),
            (body.mounted(self.battle), (mods.firer_mounted, cite!("qrs.smallarms.m")), "firing mounted"),
            (info.breechloader, (first, cite!("smallarms.advanced.b")), "breechloader"),
            (fresh, (first, cite!("qrs.smallarms.s")), "initial fire"),
        ];
        add_rows(&mut sum, &rows);
        if let Some(screen) = aim.through {
            // Casualties are worked out as against the skirmishers alone (R55).
            sum.add(mods.vs_skirmishers, "through skirmishers", cite!("skirmish.e"));
            let layout = self.layout(screen);
            chart.cover(&mut sum, self.cover(&layout, Some(aim.from), false));
        } else {
            chart.target(&mut sum, self, at, target, aim);
        }
        sum
    }

    /// The divisor of artillery (qrs.artillery).
    pub(super) fn gun_divisor(
        self,
        by: BodyId,
        at: BodyId,
        target: &Layout,
        aim: &Bearing,
        when: When,
        canister: bool,
    ) -> Sum {
        let mods = &self.battle.tables.fire.artillery.divisor_modifiers;
        let chart = Chart::artillery(self.battle);
        let mut sum = chart.firer(self, by, when);
        add_rows(&mut sum, &[(canister, (mods.canister, cite!("qrs.artillery.r")), "canister")]);
        chart.target(&mut sum, self, at, target, aim);
        sum
    }
}

impl State {
    /// Whether a body fires as one that moved. The target of a charge fires before it moves: what it does because of this
    /// charge does not count yet (R22, R34).
    fn counts_as_moved(&self, by: BodyId, when: When) -> bool {
        let charged = self.charge.targets.iter().find(|t| t.body == by && when == When::Defence);
        charged.map_or(self.body(by).marks.has(Marks::MOVED), |target| target.moved)
    }
}

/// A term of a chart: its value and its rule.
type Row = (i16, Rule);

/// What the two fire charts have in common: the firer's order and the target's shape and cover.
struct Chart {
    base: Row,
    suppressed: Row,
    opportunity: Row,
    perfectionist: Row,
    extended: Row,
    artillery: Row,
    prone: Row,
    light: Row,
    heavy: Row,
    skirmishers: Row,
    hidden: Row,
    mounted: Row,
    column: Row,
    square: Row,
    mob: Row,
    flank: Row,
}

impl Chart {
    fn small_arms(battle: &Battle) -> Chart {
        let fire = &battle.tables.fire;
        let mods = &fire.small_arms.divisor_modifiers;
        Chart {
            base: (fire.divisor_base, cite!("qrs.smallarms.d")),
            suppressed: (mods.firer_suppressed, cite!("qrs.smallarms.i")),
            opportunity: (mods.opportunity, cite!("qrs.smallarms.n")),
            perfectionist: (mods.perfectionist_stationary, cite!("personality.f")),
            extended: (mods.vs_extended_line, cite!("qrs.smallarms.e")),
            artillery: (mods.vs_artillery, cite!("qrs.smallarms.e")),
            prone: (mods.vs_prone, cite!("qrs.smallarms.f")),
            light: (mods.vs_light_cover, cite!("qrs.smallarms.g")),
            heavy: (mods.vs_heavy_cover, cite!("qrs.smallarms.g")),
            skirmishers: (mods.vs_skirmishers, cite!("qrs.smallarms.h")),
            hidden: (mods.vs_hidden, cite!("qrs.smallarms.k")),
            mounted: (mods.vs_mounted, cite!("qrs.smallarms.o")),
            column: (mods.vs_column, cite!("qrs.smallarms.p")),
            square: (mods.vs_square, cite!("qrs.smallarms.p")),
            mob: (mods.vs_mob, cite!("qrs.smallarms.q")),
            flank: (mods.vs_flank, cite!("qrs.smallarms.r")),
        }
    }

    fn artillery(battle: &Battle) -> Chart {
        let fire = &battle.tables.fire;
        let mods = &fire.artillery.divisor_modifiers;
        Chart {
            base: (fire.divisor_base, cite!("qrs.artillery.d")),
            suppressed: (mods.firer_suppressed, cite!("qrs.artillery.h")),
            opportunity: (mods.opportunity, cite!("qrs.artillery.i")),
            perfectionist: (
                fire.small_arms.divisor_modifiers.perfectionist_stationary,
                cite!("personality.f"),
            ),
            extended: (mods.vs_extended_line, cite!("qrs.artillery.e")),
            artillery: (mods.vs_artillery, cite!("qrs.artillery.e")),
            prone: (mods.vs_prone, cite!("qrs.artillery.f")),
            light: (mods.vs_light_cover, cite!("qrs.artillery.g")),
            heavy: (mods.vs_heavy_cover, cite!("qrs.artillery.g")),
            skirmishers: (mods.vs_skirmishers, cite!("qrs.artillery.l")),
            hidden: (mods.vs_hidden, cite!("qrs.artillery.j")),
            mounted: (mods.vs_mounted, cite!("qrs.artillery.m")),
            column: (mods.vs_column, cite!("qrs.artillery.n")),
            square: (mods.vs_square, cite!("qrs.artillery.o")),
            mob: (mods.vs_mob, cite!("qrs.artillery.p")),
            flank: (mods.vs_flank, cite!("qrs.artillery.q")),
        }
    }

    /// The base, and what the firer itself adds on either chart.
    fn firer(&self, now: At<'_>, by: BodyId, when: When) -> Sum {
        let At { battle, state } = now;
        let body = state.body(by);
        let mut sum = Sum::of(self.base.0, "base", self.base.1);
        let fire = &battle.tables.fire;
        let (rating, rule) = now.fire_rating(by);
        let value = if battle.info(body).weapon.kind.is_artillery() {
            fire.artillery.divisor_modifiers.rating(rating)
        } else {
            fire.small_arms.divisor_modifiers.rating(rating)
        };
        sum.add(value, "fire rating", rule);
        let careful = now.is_drilled(by);
        let rows = [
            (body.order == Order::Suppressed, self.suppressed, "firer suppressed"),
            (when == When::Opportunity, self.opportunity, "opportunity fire"),
            (careful && !state.counts_as_moved(by, when), self.perfectionist, "perfectionist, stationary"),
        ];
        add_rows(&mut sum, &rows);
        sum
    }

    /// The cover of whoever the dice are counted against.
    fn cover(&self, sum: &mut Sum, cover: Cover) {
        match cover {
            Cover::None => {}
            Cover::Light => sum.add(self.light.0, "light cover", self.light.1),
            Cover::Heavy => sum.add(self.heavy.0, "heavy cover", self.heavy.1),
        }
    }

    /// What the target adds: its formation, arm, posture, cover and flank.
    fn target(&self, sum: &mut Sum, now: At<'_>, at: BodyId, layout: &Layout, aim: &Bearing) {
        let At { battle, state } = now;
        let enemy = state.body(at);
        let shape = match enemy.shape.formation {
            _ if enemy.marks.has(Marks::RUSH) => {
                Some(((self.skirmishers.0, cite!("zouave.c")), "a rush counts as skirmishers"))
            }
            Formation::Extended => Some((self.extended, "extended line")),
            Formation::Skirmish => Some((self.skirmishers, "skirmishers")),
            Formation::Mob => Some((self.mob, "mob")),
            Formation::Square => Some((self.square, "square")),
            f if f.is_column() => Some((self.column, "column")),
            _ => None,
        };
        if let Some(((value, rule), reason)) = shape {
            sum.add(value, reason, rule);
        }
        self.cover(sum, now.cover(layout, Some(aim.from), false));
        let rows = [
            (battle.arm(enemy).is_artillery(), self.artillery, "artillery"),
            (enemy.marks.has(Marks::PRONE), self.prone, "prone"),
            (enemy.marks.has(Marks::HIDDEN), self.hidden, "hidden"),
            (enemy.mounted(battle), self.mounted, "mounted"),
            (aim.flank, self.flank, "flank fire"),
        ];
        add_rows(sum, &rows);
    }
}

fn add_rows(sum: &mut Sum, rows: &[(bool, Row, &'static str)]) {
    for (_, (value, rule), reason) in rows.iter().filter(|(applies, ..)| *applies) {
        sum.add(*value, reason, *rule);
    }
}

/// The hit numbers as rows of a chart: what it is, small arms, guns.
pub(crate) fn hit_rows(battle: &Battle) -> Vec<Vec<String>> {
    let fire = &battle.tables.fire;
    let (numbers, arms, guns) =
        (&fire.hit_number, &fire.small_arms.hit_modifiers, &fire.artillery.hit_modifiers);
    let by_range = BANDS.into_iter().zip([numbers.short, numbers.medium, numbers.long, numbers.extreme]);
    let needs =
        by_range.map(|(band, need)| row(band, &format!("{need} or more"), &format!("{need} or more")));
    let added = [
        row("smoothbore", &signed(arms.smoothbore), &signed(guns.smoothbore)),
        row("improved", &signed(arms.improved), &signed(guns.improved)),
        row("moved", &signed(arms.moved), NONE),
        row("shrapnel", NONE, &signed(guns.shrapnel)),
        row("prolonged", NONE, &signed(guns.prolonged)),
    ];
    needs.chain(added).collect()
}

/// The terms of the divisors as rows of a chart: what it is, small arms, guns.
pub(crate) fn divisor_rows(battle: &Battle) -> Vec<Vec<String>> {
    let fire = &battle.tables.fire;
    let (mods, gun_mods) = (&fire.small_arms.divisor_modifiers, &fire.artillery.divisor_modifiers);
    let (arms, guns) = (Chart::small_arms(battle), Chart::artillery(battle));
    let both = |reason: &str, of: fn(&Chart) -> Row| row(reason, &signed(of(&arms).0), &signed(of(&guns).0));
    let ratings = |of: &dyn Fn(Rating) -> i16| {
        let each = |(rating, name): (Rating, &str)| format!("{name} {}", signed(of(rating)));
        Rating::ALL.into_iter().zip(Rating::NAMES).map(each).collect::<Vec<_>>().join(", ")
    };
    vec![
        row("base", &arms.base.0.to_string(), &guns.base.0.to_string()),
        row("fire rating", &ratings(&|r| mods.rating(r)), &ratings(&|r| gun_mods.rating(r))),
        row("initial fire", &signed(mods.initial_fire_or_breechloader), NONE),
        row("breechloader", &signed(mods.initial_fire_or_breechloader), NONE),
        row("canister", NONE, &signed(gun_mods.canister)),
        both("flank fire", |c| c.flank),
        both("light cover", |c| c.light),
        both("heavy cover", |c| c.heavy),
        both("column", |c| c.column),
        both("square", |c| c.square),
        both("mob", |c| c.mob),
        both("mounted", |c| c.mounted),
        both("artillery", |c| c.artillery),
        both("extended line", |c| c.extended),
        both("skirmishers", |c| c.skirmishers),
        both("prone", |c| c.prone),
        both("hidden", |c| c.hidden),
        both("firer suppressed", |c| c.suppressed),
        both("opportunity fire", |c| c.opportunity),
        both("perfectionist, stationary", |c| c.perfectionist),
        row("firing in skirmish order", &signed(mods.firer_skirmishers), NONE),
        row("firing mounted", &signed(mods.firer_mounted), NONE),
    ]
}

const NONE: &str = "–";

fn row(reason: &str, arms: &str, guns: &str) -> Vec<String> {
    [reason, arms, guns].map(str::to_owned).to_vec()
}
