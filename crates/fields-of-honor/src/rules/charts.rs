//! The printed tables, as `rules/fields-of-honor/tables.toml` gives them: rates, ranges, modifiers.

use serde::Deserialize;
use std::collections::BTreeMap;
use table::INCH;

/// The whole file, parsed once a battle.
#[derive(Debug, Clone, Deserialize)]
pub struct Tables {
    pub scale: Scales,
    pub movement: BTreeMap<String, toml::Value>,
    pub terrain: Vec<TerrainRow>,
    pub test: TestRows,
    pub fire: FireRows,
    pub field_gun: Vec<GunRow>,
    pub small_arm: Vec<ArmRow>,
    pub melee: MeleeRows,
    pub sniping: SnipingRow,
    pub sighting: SightingRow,
    pub orders: OrderRows,
}

impl Tables {
    /// The tables shipped with the project.
    ///
    /// # Panics
    /// Never: the file is part of the program and a test reads it.
    pub fn shipped() -> Tables {
        toml::from_str(include_str!("../../../../rules/fields-of-honor/tables.toml"))
            .expect("the shipped tables are sound")
    }

    /// Engaged and Charge rate of a row of the movement table at a scale, in inches.
    pub fn rate(&self, row: &str, scale: Scale) -> (i64, i64) {
        let of = |column: &str| {
            let cell = self.movement.get(row).and_then(|r| r.get(column)).and_then(|c| c.get(scale as usize));
            cell.and_then(toml::Value::as_integer).unwrap_or(0)
        };
        (of("engaged"), of("charge"))
    }
}

/// The three scales.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Company,
    Battalion,
    Regiment,
}

impl Scale {
    pub const NAMES: [&'static str; 3] = ["company", "battalion", "regiment"];
    pub const ALL: [Scale; 3] = [Scale::Company, Scale::Battalion, Scale::Regiment];
}

#[derive(Debug, Clone, Deserialize)]
pub struct Scales {
    pub company: ScaleRow,
    pub battalion: ScaleRow,
    pub regiment: ScaleRow,
}

impl Scales {
    pub fn of(&self, scale: Scale) -> &ScaleRow {
        match scale {
            Scale::Company => &self.company,
            Scale::Battalion => &self.battalion,
            Scale::Regiment => &self.regiment,
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct ScaleRow {
    pub yards_per_inch: i64,
    pub men_per_figure: i64,
    pub guns_per_artillery_stand: [i64; 2],
    pub bmu_men: [i64; 2],
    pub engagement: i64,
    pub max_visibility: i64,
    pub command_range: i64,
    pub simultaneous_charge_gap: i64,
    pub artillery_through_skirmish_gap: i64,
    pub woods_sight: WoodsSight,
    pub attack_columns: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub struct WoodsSight {
    pub light: i64,
    pub medium: i64,
    pub heavy: i64,
}

#[derive(Debug, Clone, Deserialize)]
pub struct TerrainRow {
    pub name: String,
    #[serde(default)]
    pub cost: Option<f64>,
    pub suppress: bool,
    #[serde(default)]
    pub reveal_yards: Option<i64>,
}

impl TerrainRow {
    /// Twice the multiplier: a whole number, roads included.
    pub fn doubled(&self) -> i64 {
        self.cost.map_or(2, |c| (c * 2.0) as i64)
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct TestRows {
    pub morale: Test<MoraleMods>,
    pub charge_home: Test<HomeMods>,
    pub square: Test<SquareMods>,
    pub pursuit: Bands<PursuitMods>,
    pub reaction: Bands<ReactionMods>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Test<M> {
    pub base: i16,
    pub modifiers: M,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Bands<M> {
    pub modifiers: M,
}

/// The five ratings of a chart, A first.
macro_rules! ratings {
    ($name:ident { $($field:ident),* $(,)? }) => {
        #[derive(Debug, Clone, Deserialize)]
        #[allow(non_snake_case)]
        pub struct $name {
            #[serde(default)]
            pub rating_A: i16,
            #[serde(default)]
            pub rating_B: i16,
            #[serde(default)]
            pub rating_C: i16,
            #[serde(default)]
            pub rating_D: i16,
            #[serde(default)]
            pub rating_E: i16,
            $(pub $field: i16,)*
        }

        impl $name {
            /// The modifier of a rating.
            pub fn rating(&self, rating: Rating) -> i16 {
                [self.rating_A, self.rating_B, self.rating_C, self.rating_D, self.rating_E][rating as usize]
            }
        }
    };
}

ratings!(MoraleMods {
    suppressed,
    shaken,
    routed,
    casualties_20,
    casualties_50,
    casualties_70,
    mob,
    charged,
    surprised,
    flank_threat,
    light_cover,
    heavy_cover,
    overall_commander,
    sub_commander,
    supported_by_1,
    supported_by_2,
    won_melee,
    inspiring_in_range,
    inspiring_attached,
    inspiring_killed,
});
ratings!(HomeMods {
    per_3_hits,
    odds_over_1_to_1,
    attack_order,
    melee_only,
    skirmisher,
    no_fire,
    cavalry,
    vs_hidden,
    vs_extended_line,
    vs_flank_or_rear,
    uphill,
    vs_skirmishers,
    sub_commander_attached,
    brash_attached,
    cautious_in_range,
});
ratings!(SquareMods { charge_over_half, sub_commander_attached, perfectionist });
ratings!(PursuitMods { in_cover, cavalry_or_melee_only, brash_attached });
ratings!(ReactionMods {
    suppressed,
    casualties_20,
    casualties_50,
    casualties_70,
    sub_commander_attached,
    brash_attached
});
ratings!(SmallArmsMods {
    vs_extended_line,
    vs_artillery,
    vs_prone,
    vs_light_cover,
    vs_heavy_cover,
    vs_skirmishers,
    firer_suppressed,
    firer_skirmishers,
    vs_hidden,
    firer_mounted,
    opportunity,
    vs_mounted,
    vs_column,
    vs_square,
    vs_mob,
    vs_flank,
    initial_fire_or_breechloader,
    perfectionist_stationary,
});
ratings!(ArtilleryMods {
    vs_extended_line,
    vs_artillery,
    vs_prone,
    vs_light_cover,
    vs_heavy_cover,
    firer_suppressed,
    opportunity,
    vs_hidden,
    vs_skirmishers,
    vs_mounted,
    vs_column,
    vs_mob,
    vs_flank,
    canister,
    vs_square,
});
ratings!(MeleeMods {
    in_march_column,
    suppressed,
    shaken,
    vs_light_cover,
    vs_hard_cover,
    vs_uphill,
    vs_armored,
    formed_vs_mob_or_skirmishers,
    charged_this_round,
    won_last_round,
    lances_first_round,
    flank_attack,
    rear_attack,
});

/// A rating, A the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rating {
    A,
    B,
    C,
    D,
    E,
}

impl Rating {
    pub const NAMES: [&'static str; 5] = ["A", "B", "C", "D", "E"];
    pub const ALL: [Rating; 5] = [Rating::A, Rating::B, Rating::C, Rating::D, Rating::E];

    /// One grade worse (R100).
    pub fn worse(self) -> Rating {
        Self::ALL[(self as usize + 1).min(4)]
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct FireRows {
    pub hit_number: HitNumbers,
    pub divisor_base: i16,
    pub divisor_min: i16,
    pub small_arms: SmallArmsRows,
    pub artillery: ArtilleryRows,
}

#[derive(Debug, Clone, Deserialize)]
pub struct HitNumbers {
    pub short: i16,
    pub medium: i16,
    pub long: i16,
    pub extreme: i16,
}

#[derive(Debug, Clone, Deserialize)]
pub struct SmallArmsRows {
    pub hit_modifiers: SmallHit,
    pub divisor_modifiers: SmallArmsMods,
}

#[derive(Debug, Clone, Deserialize)]
pub struct SmallHit {
    pub smoothbore: i16,
    pub improved: i16,
    pub moved: i16,
    pub own_detached_skirmishers_falling_back: i16,
}

#[derive(Debug, Clone, Deserialize)]
pub struct ArtilleryRows {
    pub attack_dice: AttackDice,
    pub hit_modifiers: GunHit,
    pub divisor_modifiers: ArtilleryMods,
}

#[derive(Debug, Clone, Deserialize)]
pub struct AttackDice {
    pub light: u8,
    pub medium: u8,
    pub heavy: u8,
    pub machine_gun: u8,
    pub position: u8,
    pub shrapnel_bonus: u8,
    pub rockets_bonus: u8,
}

#[derive(Debug, Clone, Deserialize)]
pub struct GunHit {
    pub smoothbore: i16,
    pub shrapnel: i16,
    pub improved: i16,
    pub prolonged: i16,
}

#[derive(Debug, Clone, Deserialize)]
pub struct GunRow {
    pub name: String,
    pub class: String,
    pub dice: u8,
    pub company: [i64; 4],
    pub battalion: [i64; 4],
    pub regiment: [i64; 4],
}

#[derive(Debug, Clone, Deserialize)]
pub struct ArmRow {
    pub name: String,
    pub smoothbore: bool,
    pub improved: bool,
    pub company: [f64; 4],
    pub battalion: [f64; 4],
    pub regiment: [f64; 4],
}

/// Inches of a table in working units.
pub(crate) fn to_units(inches: f64) -> i64 {
    (inches * 1000.0) as i64 * (INCH / 1000)
}

#[derive(Debug, Clone, Deserialize)]
pub struct MeleeRows {
    pub divisor_base: i16,
    pub divisor_min: i16,
    pub ranks_counted: u8,
    pub overlap_infantry: u8,
    pub overlap_cavalry: u8,
    pub remaining_stand_bonus: u16,
    pub divisor_modifiers: MeleeMods,
}

#[derive(Debug, Clone, Deserialize)]
pub struct SnipingRow {
    pub yards: Vec<i64>,
    pub hit_2d6: Vec<i16>,
    pub bow_max_yards: i64,
}

#[derive(Debug, Clone, Deserialize)]
pub struct SightingRow {
    pub yards: Vec<i64>,
    pub need: BTreeMap<String, Vec<i16>>,
    pub modifiers: SightingMods,
}

#[derive(Debug, Clone, Deserialize)]
pub struct SightingMods {
    pub naval_telescope: i16,
    pub regulars_without_binoculars: i16,
    pub poor_quality: i16,
    pub elevated: i16,
}

#[derive(Debug, Clone, Deserialize)]
pub struct OrderRows {
    pub defend_marker_max: i64,
    pub move_marker_max_inches: [i64; 3],
    pub move_marker_min_enemy: i64,
    pub move_converts_within_marker: i64,
    pub move_converts_within_enemy: i64,
    pub attack_marker_max_inches: [i64; 3],
}
