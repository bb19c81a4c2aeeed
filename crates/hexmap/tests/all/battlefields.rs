//! The surveys we ship, compiled: landmarks in their hexes, bridges on their hexsides, waters in one piece.

use hexmap::Side;
use hexmap::compile::{Cover, Ground, Plan, SideFeatures, compile};
use survey::{Survey, WaterKind};

struct Battlefield {
    survey: Survey,
    ground: Ground,
}

/// Reads and compiles a survey over a grid given as the lines of a scenario's `[map]`.
fn battlefield(text: &str, plan: &str) -> Battlefield {
    let told = |fault: &survey::Fault| format!("{:?} {fault}", fault.line_and_column(text));
    let survey = survey::read(text)
        .unwrap_or_else(|faults| panic!("{:#?}", faults.iter().map(told).collect::<Vec<_>>()));
    let plan: Plan = toml::from_str(&format!("survey = \"here\"\n{plan}")).unwrap();
    let ground = compile(&survey, &plan).unwrap();
    Battlefield { survey, ground }
}

macro_rules! survey_text {
    ($name:literal) => {
        include_str!(concat!("../../../../surveys/", $name, ".toml"))
    };
}

fn gettysburg() -> Battlefield {
    battlefield(survey_text!("gettysburg"), "hex = 300\ncolumns = 28\nrows = 21")
}

fn pea_ridge() -> Battlefield {
    battlefield(survey_text!("pea-ridge"), "hex = 300\ncolumns = 32\nrows = 28")
}

fn antietam() -> Battlefield {
    let plan = "hex = 250\ncolumns = 24\nrows = 29\neven-columns = \"higher\"";
    battlefield(survey_text!("antietam"), plan)
}

fn cedar_mountain() -> Battlefield {
    let plan = "hex = 250\ncolumns = 22\nrows = 22\neven-columns = \"higher\"";
    battlefield(survey_text!("cedar-mountain"), plan)
}

fn guilford() -> Battlefield {
    battlefield(survey_text!("guilford-court-house"), "hex = 200\ncolumns = 18\nrows = 16")
}

fn freemans_farm() -> Battlefield {
    battlefield(survey_text!("freemans-farm"), "hex = 200\ncolumns = 24\nrows = 20")
}

impl Battlefield {
    fn hex_of(&self, place: &str) -> String {
        let place = self.survey.place.iter().find(|known| known.name == place).unwrap();
        self.ground.grid.name(self.ground.hex_at(place.at).unwrap()).to_string()
    }

    fn sides(&self, feature: SideFeatures) -> Vec<String> {
        let grid = &self.ground.grid;
        let name = |side: Side| {
            let (a, b) = grid.hexes_of(side);
            format!("{}/{}", grid.name(a), b.map_or(String::new(), |hex| grid.name(hex).to_string()))
        };
        grid.sides().filter(|&side| self.ground.side(side).contains(feature)).map(name).collect()
    }

    fn count(&self, cover: Cover) -> usize {
        self.ground.grid.hexes().filter(|&hex| self.ground.cover(hex) == cover).count()
    }
}

#[test]
fn gettysburg_landmarks() {
    let field = gettysburg();
    let places = [
        ("Diamond", "1811"),
        ("Lutheran Seminary", "1311"),
        ("McPherson barn", "1008"),
        ("Oak Hill", "1304"),
        ("Barlow's Knoll", "1905"),
        ("Cemetery Hill", "1816"),
        ("Culp's Hill", "2116"),
        ("Herr Tavern", "0606"),
    ];
    for (place, hex) in places {
        assert_eq!(field.hex_of(place), hex, "{place}");
    }
    assert_eq!(field.sides(SideFeatures::BRIDGE), ["2005/2105", "2110/2209", "2211/2311", "2421/2521"]);
    assert_eq!(field.sides(SideFeatures::FORD), ["2213/2313", "2315/2316"]);
    assert_eq!(field.sides(SideFeatures::ESCARPMENT), ["2015/2115", "2115/2116", "2116/2215", "2116/2216"]);
    assert_eq!(field.sides(SideFeatures::CREEK).len(), 48);
    assert_eq!(field.sides(SideFeatures::STREAM).len(), 169);
    assert_eq!(field.count(Cover::Woods), 54);
}

#[test]
fn pea_ridge_landmarks() {
    let field = pea_ridge();
    let places = [
        ("Elkhorn Tavern", "2510"),
        ("Leetown", "1215"),
        ("Curtis headquarters", "1916"),
        ("Twelve Corner Church", "0306"),
    ];
    for (place, hex) in places {
        assert_eq!(field.hex_of(place), hex, "{place}");
    }
    assert_eq!(field.sides(SideFeatures::FORD), ["0826/0926"]);
    assert_eq!(field.sides(SideFeatures::ESCARPMENT).len(), 43);
    assert_eq!(field.sides(SideFeatures::CREEK).len(), 24);
    assert_eq!(field.count(Cover::Woods) + field.count(Cover::Field), 32 * 28);
}

#[test]
fn antietam_landmarks() {
    let field = antietam();
    assert_eq!(field.hex_of("Dunker Church"), "0811");
    assert_eq!(field.sides(SideFeatures::BRIDGE), ["1423/1523", "1715/1815", "2204/2304"]);
    assert_eq!(field.sides(SideFeatures::FORD), ["1228/1328", "1521/1522", "2107/2108"]);
    assert_eq!(field.sides(SideFeatures::RIVER).len(), 72);
    let sunken: Vec<String> = (field.ground.grid.hexes())
        .filter(|&hex| field.ground.hex(hex).contains(hexmap::compile::HexFeatures::CUT))
        .map(|hex| field.ground.grid.name(hex).to_string())
        .collect();
    assert_eq!(sunken, ["0912", "1012", "1112", "1213"]);
}

#[test]
fn cedar_mountain_landmarks() {
    let field = cedar_mountain();
    assert_eq!(field.hex_of("The Gate"), "1012");
    assert_eq!(field.sides(SideFeatures::FORD), ["1508/1608"]);
    assert_eq!(field.ground.level(field.ground.grid.parse("1619").unwrap()), 4);
}

#[test]
fn guilford_landmarks() {
    let field = guilford();
    assert_eq!(field.hex_of("Guilford Court House"), "1306");
    assert_eq!(field.sides(SideFeatures::FORD), ["0310/0409", "1007/1107"]);
    assert_eq!(field.sides(SideFeatures::CREEK).len(), 70);
}

#[test]
fn freemans_farm_landmarks() {
    let field = freemans_farm();
    assert_eq!(field.hex_of("Freeman's house"), "1008");
    let bridges = ["0503/0504", "1105/1204", "2017/2018", "2106/2107", "2114/2115"];
    assert_eq!(field.sides(SideFeatures::BRIDGE), bridges);
    assert_eq!(field.sides(SideFeatures::WORKS).len(), 26);
    assert_eq!(field.ground.cover(field.ground.grid.parse("2405").unwrap()), Cover::Water);
}

/// From any bank of a river that crosses the whole sheet one comes to the other only over its sides.
#[test]
fn a_river_has_two_banks() {
    let field = antietam();
    let grid = &field.ground.grid;
    assert!(field.survey.water.iter().any(|water| water.kind == WaterKind::River));
    let mut march = hexmap::March::new(grid);
    let church = field.ground.hex_at([1668, 4840]).unwrap();
    march.flood(grid, church, 200, |hex, direction, _| {
        !field.ground.across(hex, direction).contains(SideFeatures::RIVER)
    });
    let pry = field.ground.hex_at([4783, 4965]).unwrap();
    assert_eq!(march.cost(pry), None);
    assert!(march.reached().len() > 400);
}
