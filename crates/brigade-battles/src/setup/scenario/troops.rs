//! 2.3 The order of battle: `[[leader]]` and `[[unit]]`.

use game::Side;
use game::read::{Field, Section};

use crate::setup::pieces::{Arm, LeaderSheet, Morale, Rank, Start, UnitSheet};
use crate::setup::scenario::{Roll, SIDES, at_most};
use crate::state::{LEADERS, LeaderId, MOST_OF_A_SIDE, MOST_SP, UNITS};

impl Roll<'_> {
    pub(super) fn leaders(&mut self, sheet: &Section<'_>) -> Vec<LeaderSheet> {
        let sections = at_most(&sheet.field("leader"), LEADERS, "leaders");
        let ids: Vec<String> =
            sections.iter().map(|s| s.field("id").required().id().unwrap_or_default()).collect();
        let mut leaders: Vec<LeaderSheet> = Vec::new();
        for section in &sections {
            let slug = ids[leaders.len()].clone();
            if leaders.iter().any(|l| l.slug == slug && !slug.is_empty()) {
                section
                    .field("id")
                    .fault(format!("a second `{slug}`"), "an id of its own for each unit and leader");
            }
            let superior = section.field("superior");
            let named = superior.text();
            let found = named.as_ref().and_then(|n| ids.iter().position(|id| id == n));
            if let Some(name) = named
                && found.is_none()
            {
                superior.fault(format!("no leader `{name}`"), "the id of a leader");
            }
            let rank = section.field("rank").one_of(&["division", "corps", "army"]).unwrap_or(0);
            let leader = LeaderSheet {
                name: section.field("name").text().unwrap_or_else(|| title_case(&slug)),
                side: self.side(&section.field("side").required()).unwrap_or(Side::First),
                rank: [Rank::Division, Rank::Corps, Rank::Army][rank],
                superior: found.map(|i| LeaderId(i as u8)),
                start: self.start(&section.field("at").required(), None),
                replaced: section.field("replaced").truth().unwrap_or(false),
                slug,
            };
            section.finish();
            leaders.push(leader);
        }
        for (index, section) in sections.iter().enumerate().take(leaders.len()) {
            let above = leaders[index].superior.map(|l| &leaders[l.index()]);
            if above.is_some_and(|l| l.rank <= leaders[index].rank || l.side != leaders[index].side) {
                section.fault(
                    "the superior has no higher rank in the same army",
                    "division under corps under army",
                );
                leaders[index].superior = None;
            }
        }
        under_their_army(&mut leaders);
        leaders
    }

    pub(super) fn units(&mut self, sheet: &Section<'_>, leaders: &[LeaderSheet]) -> Vec<UnitSheet> {
        let mut units: Vec<UnitSheet> = Vec::new();
        let sections = at_most(&sheet.field("unit"), UNITS, "units");
        for section in &sections {
            if let Some(unit) = self.unit(section, leaders) {
                let twice =
                    units.iter().any(|u| u.slug == unit.slug) || leaders.iter().any(|l| l.slug == unit.slug);
                if twice {
                    section.field("id").fault(
                        format!("a second `{}`", unit.slug),
                        "an id of its own for each unit and leader",
                    );
                }
                let shared =
                    matches!(unit.start, Start::At(_)) && units.iter().any(|u| u.start == unit.start);
                if shared {
                    section
                        .field("at")
                        .fault("a second combat unit in the hex", "one combat unit a hex (1.1.1.a)");
                }
                units.push(unit);
            }
            section.finish();
        }
        for (side, id) in Side::BOTH.into_iter().zip(SIDES) {
            let count = units.iter().filter(|u| u.side == side).count();
            if count > MOST_OF_A_SIDE {
                sheet
                    .field("unit")
                    .fault(format!("{count} units of {id}"), format!("at most {MOST_OF_A_SIDE}"));
            }
        }
        units
    }

    fn unit(&mut self, section: &Section<'_>, leaders: &[LeaderSheet]) -> Option<UnitSheet> {
        let slug = section.field("id").required().id();
        let side = self.side(&section.field("side").required());
        let arm = section.field("type").one_of(&["infantry", "cavalry", "artillery"]).unwrap_or(0);
        let arm = [Arm::Infantry, Arm::Cavalry, Arm::Artillery][arm];
        let sp = section.field("sp").required().integer(1..=MOST_SP as i64);
        let morale = colour(&section.field("morale")).unwrap_or(Morale::Black);
        let back_morale = colour(&section.field("back_morale")).unwrap_or(morale);
        let leader = |key: &'static str, rank: Rank| {
            let field = section.field(key);
            let name = field.text()?;
            let found = leaders.iter().position(|l| l.slug == name && l.rank == rank && Some(l.side) == side);
            if found.is_none() {
                field.fault(
                    format!("`{name}` is not a {key} leader of that side"),
                    format!("the id of a {key} leader"),
                );
            }
            found.map(|i| LeaderId(i as u8))
        };
        let division = leader("division", Rank::Division);
        let above = |from: Option<LeaderId>, rank: Rank| {
            let mut next = from;
            while let Some(l) = next {
                if leaders[l.index()].rank == rank {
                    return Some(l);
                }
                next = leaders[l.index()].superior;
            }
            None
        };
        let corps = leader("corps", Rank::Corps).or_else(|| above(division, Rank::Corps));
        let army = above(corps.or(division), Rank::Army)
            .or_else(|| side.and_then(|side| army_leader(leaders, side)));
        let start = self.start(&section.field("at").required(), None);
        let on_map = matches!(start, Start::At(_) | Start::Nowhere);
        let deployed = match arm {
            Arm::Infantry => true,
            Arm::Cavalry => section.field("dismounted").truth().unwrap_or(false),
            Arm::Artillery => !section.field("limbered").truth().unwrap_or(!on_map),
        };
        let name = section.field("name").text();
        let byname = section.field("byname").text();
        let independent = section.field("independent").truth().unwrap_or(false);
        let back = section.field("back").integer(0..=98);
        let (slug, side, sp) = (slug?, side?, sp? as u8);
        if back.is_some_and(|back| back * 2 > i64::from(sp)) {
            section
                .field("back")
                .fault("the back has more than half the SP of the front", "at most half (2.3.2.a)");
        }
        Some(UnitSheet {
            name: name.unwrap_or_else(|| title_case(&slug)),
            byname,
            side,
            arm,
            sp,
            back: if arm == Arm::Artillery {
                0
            } else {
                back.map_or_else(|| back_of(sp, morale), |b| b as u8)
            },
            morale,
            back_morale,
            division,
            corps,
            army,
            independent,
            start,
            deployed,
            slug,
        })
    }
}

/// 5.3.d: the army is the army leader's command, so he is above those of its leaders for whom the file names nobody.
fn under_their_army(leaders: &mut [LeaderSheet]) {
    for index in 0..leaders.len() {
        let LeaderSheet { side, rank, superior, .. } = leaders[index];
        if rank < Rank::Army && superior.is_none() {
            leaders[index].superior = army_leader(leaders, side);
        }
    }
}

/// The first army leader of a side.
fn army_leader(leaders: &[LeaderSheet], side: Side) -> Option<LeaderId> {
    leaders.iter().position(|l| l.rank == Rank::Army && l.side == side).map(|i| LeaderId(i as u8))
}

/// G6: the SP of the back where the counter does not say.
fn back_of(sp: u8, morale: Morale) -> u8 {
    let half = sp / 2;
    match morale {
        Morale::Green | Morale::Black => half,
        Morale::Gold if sp >= 2 => half.saturating_sub(1).max(1),
        Morale::Gold => 0,
    }
}

fn colour(field: &Field<'_>) -> Option<Morale> {
    field.one_of(&["green", "black", "gold"]).map(|index| [Morale::Green, Morale::Black, Morale::Gold][index])
}

fn title_case(slug: &str) -> String {
    let words = slug.split('-').map(|word| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    });
    words.collect::<Vec<String>>().join(" ")
}
