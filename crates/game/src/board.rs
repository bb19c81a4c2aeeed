//! What the board draws. Plain data, the same for every system; with the feature `ts` the TypeScript declarations
//! are generated from it.

mod plain;

use serde::{Deserialize, Serialize};

use crate::dice::Test;
use crate::log::Modifier;
use crate::{BySide, Rule, Side, words};

/// A piece on the board: an index into the battle's order of battle, then its leaders and markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
#[serde(transparent)]
pub struct PieceId(pub u16);

/// Where a piece stands or an action leads.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// A hex by its number: `0910`.
    Hex(String),
    /// A pose on the table: the middle of the front edge in thousandths of an inch, facing in hundredths of a degree
    /// clockwise from north.
    Pose {
        /// East.
        x: i32,
        /// North.
        y: i32,
        /// Clockwise from north.
        facing: i32,
    },
    /// A box beside the board: `shattered`, `eliminated`, `hour 12 at B`.
    Box(String),
}

/// What the board draws once for a battle.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Board {
    /// `Battle Hymn`.
    pub system: String,
    /// `McPherson's Ridge`.
    pub title: String,
    /// `Gettysburg, 1 July 1863, morning`.
    pub subtitle: String,
    /// Two or three sentences for the set-up screen.
    pub blurb: String,
    /// The two sides.
    pub sides: BySide<SideFace>,
    /// The ground.
    pub ground: Ground,
    /// The charts of the scenario, for reading.
    pub charts: Vec<Chart>,
    /// House rules in force.
    pub options: Vec<HouseRule>,
    /// The overlays that [`Ask`] may name.
    pub overlays: Vec<OverlayName>,
}

/// How a side looks and is called.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct SideFace {
    /// In files and notation: `usa`.
    pub id: String,
    /// `Union`.
    pub name: String,
    /// In a sentence: `the Union`, `the Confederates`, `Mexico`.
    pub called: String,
    /// It takes its verbs in the plural: the Confederates win.
    pub plural: bool,
    /// One of the palette of the look: `union`, `confederate`, `crown`, `continental`, `dark`, `light`.
    pub livery: String,
}

impl SideFace {
    /// A side of this name.
    #[must_use]
    pub fn new(id: &str, name: &str, livery: &str) -> Self {
        SideFace {
            id: id.into(),
            name: name.into(),
            called: words::the(name),
            plural: words::many(name),
            livery: livery.into(),
        }
    }
}

/// A house rule and whether it is on.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct HouseRule {
    /// In files: `at_random`.
    pub id: String,
    /// In words.
    pub name: String,
    /// What it changes.
    pub says: String,
    /// Whether it is on.
    pub on: bool,
    /// The rule it touches.
    pub rule: Option<Rule>,
}

/// An overlay the player may ask for.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct OverlayName {
    /// `zones`, `sight`, `reach`, `command`, `arcs`.
    pub id: String,
    /// In words.
    pub name: String,
    /// What must be pointed at: nothing, a place or a piece.
    pub of: OverlayOf,
}

/// What an overlay is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "lowercase")]
pub enum OverlayOf {
    /// The whole board.
    Board,
    /// A place.
    Place,
    /// A piece.
    Piece,
}

/// The ground: hexes or a table.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "lowercase")]
pub enum Ground {
    /// A hex map.
    Hexes(HexGround),
    /// A table in inches.
    Table(TableGround),
}

/// A hex map: the grid, what the rules see in each hex, and the survey that the art is drawn from.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct HexGround {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// Even columns sit half a hex lower (else higher).
    pub even_low: bool,
    /// Yards between opposite sides of a hex.
    pub hex_yards: u32,
    /// Yards from the survey's west and north edges to the map's.
    pub inset: [i32; 2],
    /// The survey, as its file has it (`surveys/*.toml` as JSON).
    #[cfg_attr(feature = "ts", ts(type = "any"))]
    pub survey: serde_json::Value,
    /// What the rules see.
    pub hexes: Vec<HexFace>,
    /// Hexsides that matter.
    pub sides: Vec<SideOfHex>,
}

/// What the rules see in a hex.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct HexFace {
    /// `0910`.
    pub hex: String,
    /// `woods`.
    pub terrain: String,
    /// Level of elevation.
    pub level: i8,
    /// A name, where it has one.
    pub name: Option<String>,
}

/// A hexside with features.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct SideOfHex {
    /// One hex.
    pub a: String,
    /// The other; none at the edge of the map.
    pub b: Option<String>,
    /// `stream`, `road`, `slope` (up into `a`), ...
    pub features: Vec<String>,
}

/// A table in inches.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct TableGround {
    /// East-west, in thousandths of an inch.
    pub width: i32,
    /// North-south, in thousandths of an inch.
    pub depth: i32,
    /// Terrain pieces, the lowest first.
    pub terrain: Vec<TerrainPiece>,
}

/// A piece of terrain on a table.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct TerrainPiece {
    /// `woods`, `hill`, `stream`, `wall`, `fence`, `road`, `building`, `field`, ...
    pub kind: String,
    /// A name, where it has one.
    pub name: Option<String>,
    /// Corners in thousandths of an inch.
    pub points: Vec<[i32; 2]>,
    /// An outline (else a line).
    pub closed: bool,
    /// Width of a line, in thousandths of an inch.
    pub width: i32,
    /// What it means: "difficult, light cover, blocks sight beyond 2 in".
    pub says: String,
}

/// A chart for reading.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Chart {
    /// Its name.
    pub title: String,
    /// Column heads; the first is the row's.
    pub columns: Vec<String>,
    /// Rows of cells.
    pub rows: Vec<Vec<String>>,
    /// The rule it belongs to.
    pub rule: Option<Rule>,
    /// A remark, such as which values are ours.
    pub note: String,
}

/// What the board draws at a moment.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct View {
    /// All pieces that the eyes may see, those in boxes too.
    pub pieces: Vec<Piece>,
    /// Signs on the map that are no pieces.
    pub marks: Vec<Mark>,
    /// Hours or turns.
    pub track: Vec<TrackCell>,
    /// Phases or steps of the turn; empty where there are none.
    pub phases: Vec<StepCell>,
    /// The systems' own furniture: a cup, a morale ladder, momentum, tactics, a charge in steps.
    pub panels: Vec<Panel>,
    /// Victory points or what stands for them.
    pub score: BySide<i32>,
    /// The terms of the score, for the Score tab.
    pub tally: Vec<TallyRow>,
    /// The combat under way, if any.
    pub combat: Option<Combat>,
}

/// A piece.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Piece {
    /// Its id.
    pub id: PieceId,
    /// In notation: `meredith`.
    pub slug: String,
    /// Whose.
    pub side: Side,
    /// `Meredith`.
    pub name: String,
    /// `the Iron Brigade`.
    pub byname: Option<String>,
    /// `infantry`, `cavalry`, `dismounted`, `artillery`, `horse-artillery`, `leader`, `horses`, `wagons`, `skirmishers`, ...
    pub arm: String,
    /// The formation it belongs to.
    pub band: Option<Band>,
    /// Where it is.
    pub place: Place,
    /// Its bases on a table.
    pub footprint: Option<Footprint>,
    /// The large number on the counter.
    pub big: String,
    /// The small numbers at its right: morale, movement.
    pub small: Vec<String>,
    /// The strip: how much is whole, shaken, lost.
    pub gauge: Option<Gauge>,
    /// Figures for the card: label and value.
    pub figures: Vec<Figure>,
    /// `demoralised`, `disrupted`, `routed`, `shaken`, ...; none when in good order.
    pub state: Option<String>,
    /// At most two round badges.
    pub badges: Vec<Badge>,
    /// It has done what it may do for now.
    pub spent: bool,
    /// It lies face down: the eyes may not see what it is.
    pub hidden: bool,
    /// A colour apart within the side, where there is one: `german`.
    pub livery: Option<String>,
}

/// A formation's band on a counter.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Band {
    /// `Wadsworth`.
    pub label: String,
    /// Which colour and pattern.
    pub index: u8,
}

/// How whole a unit is.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Gauge {
    /// Cells that are whole.
    pub whole: u8,
    /// Cells that are shaken.
    pub hurt: u8,
    /// Cells that are lost.
    pub lost: u8,
}

/// A figure on the unit card.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Figure {
    /// `intact`.
    pub label: String,
    /// `6`.
    pub value: String,
}

/// A round badge.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Badge {
    /// `approach`, `moved`, `fired`, `order-attack`, `smoke`, `out-of-command`, ...
    pub sign: String,
    /// In words.
    pub title: String,
    /// The rule behind it.
    pub rule: Option<Rule>,
}

/// Bases on a table, relative to the pose: x to the right, y forward, thousandths of an inch.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Footprint {
    /// The whole block's width.
    pub width: i32,
    /// The whole block's depth.
    pub depth: i32,
    /// Each base: left, front, width, depth (front 0 is the front edge, negative behind it).
    pub bases: Vec<[i32; 4]>,
}

/// A sign on the map.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Mark {
    /// `objective`, `entry`, `approach`, `fire`, `horses`, `smoke`, `breastworks`, `marker`, ...
    pub kind: String,
    /// Where.
    pub place: Place,
    /// Where an arrow leads.
    pub to: Option<Place>,
    /// Whose, or who holds it.
    pub side: Option<Side>,
    /// What is written on it: points, a letter, a number.
    pub text: String,
    /// In words.
    pub title: String,
}

/// A cell of the turn track.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct TrackCell {
    /// `10`.
    pub label: String,
    /// Below it: `USA`.
    pub sub: String,
    /// The side in whose colour its foot is.
    pub side: Option<Side>,
    /// The present one.
    pub now: bool,
    /// Already past.
    pub past: bool,
    /// Night.
    pub night: bool,
    /// Reinforcements arrive.
    pub flag: bool,
    /// Victory is checked on entering it.
    pub check: bool,
}

/// A phase or step.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct StepCell {
    /// `Bombard`.
    pub label: String,
    /// Done, under way or to come.
    pub state: StepState,
    /// One line of why.
    pub note: String,
    /// Its rule.
    pub rule: Option<Rule>,
    /// Whose.
    pub side: Option<Side>,
}

/// How far a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "lowercase")]
pub enum StepState {
    /// Over.
    Done,
    /// Under way.
    Now,
    /// To come.
    Ahead,
    /// Will not happen.
    Skipped,
}

/// A system's own furniture.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Panel {
    /// Markers in a cup, drawn and held.
    Cup {
        /// Still in the cup (open knowledge).
        inside: Vec<Chit>,
        /// Drawn, in order; the last is the present one.
        drawn: Vec<Chit>,
        /// Held back.
        held: Vec<Chit>,
    },
    /// A procedure in numbered steps: a combat turn, a charge.
    Steps {
        /// Its name.
        title: String,
        /// The steps.
        steps: Vec<StepCell>,
    },
    /// A ladder of numbers with a pointer for each side: army morale.
    Ladder {
        /// Its name.
        title: String,
        /// The highest number.
        top: i32,
        /// Bands from the top: lowest number and name.
        bands: Vec<LadderBand>,
        /// Where each side stands.
        at: BySide<i32>,
    },
    /// Counted tokens: momentum.
    Tokens {
        /// Its name.
        title: String,
        /// How many each side has.
        held: BySide<u8>,
        /// How many are in the pool.
        pool: u8,
    },
    /// Cards to choose from or lying face down.
    Cards {
        /// Its name.
        title: String,
        /// Whose.
        side: Side,
        /// The cards.
        cards: Vec<Card>,
    },
    /// Rows of words and numbers.
    Table {
        /// Its name.
        title: String,
        /// Column heads.
        columns: Vec<String>,
        /// Rows of cells.
        rows: Vec<Vec<String>>,
        /// The cell that is lit: row and column.
        lit: Option<[usize; 2]>,
    },
}

/// A marker in or out of a cup.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Chit {
    /// `Wadsworth`.
    pub label: String,
    /// `move`, `combat`.
    pub sub: String,
    /// Whose.
    pub side: Side,
}

/// A band of a ladder.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct LadderBand {
    /// From this number up.
    pub from: i32,
    /// `Fatigued`.
    pub name: String,
    /// What it does.
    pub says: String,
}

/// A card.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Card {
    /// `Refuse flank`.
    pub name: String,
    /// Which drawing.
    pub art: String,
    /// Why it is open, or what is lacking.
    pub note: String,
    /// Whether it is within the rules to play it.
    pub open: bool,
    /// Chosen, lying face up or down.
    pub chosen: bool,
    /// Face down.
    pub face_down: bool,
    /// The rule that opens or closes it.
    pub rule: Option<Rule>,
}

/// A row of the score.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct TallyRow {
    /// `Losses, infantry`.
    pub what: String,
    /// Points for each side.
    pub points: BySide<i32>,
    /// The rule that counts it.
    pub rule: Option<Rule>,
}

/// The combat under way, drawn on the map and explained in the dock.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Combat {
    /// `Engagement, Round One`.
    pub title: String,
    /// The pieces that take part.
    pub pieces: Vec<PieceId>,
    /// Each fire or blow to come or just rolled.
    pub fires: Vec<Fire>,
}

/// One fire.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Fire {
    /// Who fires.
    pub by: Vec<PieceId>,
    /// At whom.
    pub at: Vec<PieceId>,
    /// How many dice.
    pub dice: u8,
    /// What each must show.
    pub test: Option<Test>,
    /// What the number is made of.
    pub modifiers: Vec<Modifier>,
    /// Modifiers that were looked at and do not apply, with the reason.
    pub considered: Vec<Modifier>,
}

/// The decision at hand.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Prompt {
    /// Who decides.
    pub side: Side,
    /// What kind of decision, for keyboards and tests: `march`, `retreat`, `split-fire`.
    pub kind: String,
    /// One sentence.
    pub sentence: String,
    /// Who decides and what else is open.
    pub detail: String,
    /// The rule it rests on.
    pub rule: Rule,
}

/// A legal action, ready to be drawn and picked.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Offer {
    /// The action in notation; sent back as it is.
    pub action: String,
    /// `march`, `fire`, `pass`, ...: offers of one verb are drawn alike.
    pub verb: String,
    /// On a button: `March to 0910`.
    pub label: String,
    /// The piece that acts, if one does.
    pub piece: Option<PieceId>,
    /// Pieces it is done to.
    pub targets: Vec<PieceId>,
    /// Where it leads.
    pub place: Option<Place>,
    /// The way there, the start first; empty where there is none.
    pub path: Vec<Place>,
    /// What it costs, in the system's unit: `6`.
    pub cost: Option<String>,
    /// What it would meet: "Stops in Archer's zone", with the rule.
    pub notes: Vec<OfferNote>,
    /// Numbers to be chosen with a stepper, drawn on the pieces: fire split over targets.
    pub shares: Vec<Share>,
    /// It ends or declines something (End the turn, Pass): drawn as a button, never on the map.
    pub button: bool,
    /// It rolls dice at once, so that odds can be asked for.
    pub rolls: bool,
    /// The rule that allows it.
    pub rule: Option<Rule>,
    /// What a player would most likely do: listed first, so that the board puts it forward.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub main: bool,
    /// Its bases there, on a table, where they change.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub footprint: Option<Footprint>,
    /// The march hex by hex, where this one action was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub march: Option<March>,
}

/// A march looked at closely: what each hex costs, and the fire it would draw.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct March {
    /// The hexes it enters, in order.
    pub steps: Vec<Stride>,
    /// Who would fire at it where it ends, each with all that it has.
    pub fire: Vec<Fire>,
}

/// One hex of a march.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Stride {
    /// The hex entered.
    pub place: Place,
    /// What it costs, in the system's unit.
    pub cost: String,
    /// What is paid for: `woods, up a slope`.
    pub why: String,
    /// The rule behind it.
    pub rule: Rule,
}

impl Offer {
    /// An offer of this action with nothing else said yet.
    pub fn new(action: impl Into<String>, verb: impl Into<String>, label: impl Into<String>) -> Self {
        Offer {
            action: action.into(),
            verb: verb.into(),
            label: label.into(),
            piece: None,
            targets: Vec::new(),
            place: None,
            path: Vec::new(),
            cost: None,
            notes: Vec::new(),
            shares: Vec::new(),
            button: false,
            rolls: false,
            rule: None,
            main: false,
            footprint: None,
            march: None,
        }
    }
}

/// A remark on an offer.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct OfferNote {
    /// The remark.
    pub text: String,
    /// It is a danger.
    pub warning: bool,
    /// It ends the move there.
    pub stop: bool,
    /// The rule behind it.
    pub rule: Option<Rule>,
}

/// A share of something divided.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Share {
    /// Who gives it.
    pub by: PieceId,
    /// Who gets it.
    pub at: PieceId,
    /// How much.
    pub amount: u8,
}

/// A question about the position.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Ask {
    /// Which overlay.
    pub overlay: String,
    /// Whose, where it is a side's.
    pub side: Option<Side>,
    /// About which place.
    pub place: Option<Place>,
    /// About which piece.
    pub piece: Option<PieceId>,
}

/// The answer: places with a word each, and shapes on a table.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Overlay {
    /// Hexes to be tinted.
    pub cells: Vec<OverlayCell>,
    /// Outlines in thousandths of an inch.
    pub shapes: Vec<OverlayShape>,
    /// One sentence.
    pub note: String,
    /// What the fire of a piece at each enemy would be now, for the charts (`fire`).
    pub fires: Vec<Prospect>,
}

/// What the fire of one piece at another would be now, whoever's turn it is.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Prospect {
    /// At whom.
    pub at: PieceId,
    /// The fire; none where it cannot be.
    pub fire: Option<Fire>,
    /// What it may bring, or why it cannot be.
    pub notes: Vec<OfferNote>,
    /// The rows and columns of the charts that speak of it.
    pub labels: Vec<String>,
}

/// A hex of an overlay.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct OverlayCell {
    /// `0910`.
    pub hex: String,
    /// `seen`, `blocked`, `zone`, `reach`, ...
    pub tag: String,
    /// Whose, if a side's.
    pub side: Option<Side>,
    /// What is written in it.
    pub text: String,
}

/// A shape of an overlay on a table.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct OverlayShape {
    /// Corners.
    pub points: Vec<[i32; 2]>,
    /// `arc`, `full`, `partial`, `reach`, `command`, ...
    pub tag: String,
    /// What is written at it.
    pub text: String,
}
