//! Small surveys as pictures of hexes.

use hexmap::compile::{Cover, Ground, HexFeatures, Plan, SideFeatures, compile};
use hexmap::{Direction, Side};
use survey::Survey;

/// Five columns of four hexes, 100 yards across: 0101 has its centre at 58, 400.
const SIZE: &str = "title = \"Test\"\nsize = [460, 450]\n";

const PLAN: &str = "survey = \"test\"\nhex = 100\ncolumns = 5\nrows = 4\n";

fn planned(more: &str) -> Plan {
    toml::from_str(&format!("{PLAN}{more}")).unwrap()
}

fn survey(features: &str) -> Survey {
    survey::read(&format!("{SIZE}{features}")).unwrap()
}

fn ground(features: &str) -> Ground {
    compile(&survey(features), &planned("")).unwrap()
}

/// Each hex in its half row, even columns lower, as the letter of its cover and its level.
fn picture(ground: &Ground) -> String {
    let grid = &ground.grid;
    let mut lines = Vec::new();
    for row in 1..=grid.rows() {
        for parity in [1, 0] {
            let cells: Vec<String> = (1..=grid.columns())
                .filter(|column| column % 2 == parity)
                .filter_map(|column| grid.hex(column, row))
                .map(|hex| {
                    let letter = match ground.cover(hex) {
                        Cover::Clear => '.',
                        Cover::Woods => 'w',
                        Cover::Field => 'f',
                        Cover::Town => 'T',
                        Cover::Water => '~',
                        _ => '?',
                    };
                    format!("{letter}{}", ground.level(hex))
                })
                .collect();
            lines.push(format!("{}{}", if parity == 0 { "  " } else { "" }, cells.join("  ")));
        }
    }
    lines.join("\n")
}

/// The sides with a feature, as `0101/0102`, or `0101/` at the edge.
fn sides(ground: &Ground, feature: SideFeatures) -> String {
    let name = |side: Side| match ground.grid.hexes_of(side) {
        (a, Some(b)) => format!("{}/{}", ground.grid.name(a), ground.grid.name(b)),
        (a, None) => format!("{}/", ground.grid.name(a)),
    };
    let marked = ground.grid.sides().filter(|&side| ground.side(side).contains(feature));
    marked.map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_most_of_a_hex_counts() {
    let ground = ground(
        r#"
[[high]]
name = "Hill"
level = 1
outline = [[0, 0], [460, 0], [460, 160], [0, 160]]
[[high]]
name = "Top"
level = 2
outline = [[150, 0], [310, 0], [310, 110], [150, 110]]
[[woods]]
name = "Wood"
outline = [[0, 240], [220, 240], [220, 450], [0, 450]]
[[field]]
name = "Clearing"
outline = [[0, 350], [110, 350], [110, 450], [0, 450]]
"#,
    );
    let expected = "\
f0  .0  .0
  w0  .0
w0  .0  .0
  w0  .0
.0  .0  .0
  .1  .1
.1  .2  .1
  .1  .1";
    assert_eq!(picture(&ground), expected);
}

#[test]
fn slopes_lie_between_levels_and_rise_to_the_higher() {
    let ground = ground(
        r#"
[[high]]
name = "Knoll"
level = 1
outline = [[180, 250], [280, 250], [280, 350], [180, 350]]
"#,
    );
    let knoll = ground.grid.parse("0302").unwrap();
    assert_eq!(ground.level(knoll), 1);
    let slopes = sides(&ground, SideFeatures::SLOPE);
    assert_eq!(slopes, "0201/0302 0202/0302 0301/0302 0302/0401 0302/0402 0302/0303");
    for (direction, around) in ground.grid.neighbours(knoll) {
        assert!(!ground.is_uphill(knoll, direction));
        assert!(ground.is_uphill(around, direction.opposite()));
        assert_eq!(ground.upper(ground.grid.side(knoll, direction)), Some(knoll));
    }
}

#[test]
fn an_escarpment_replaces_the_slope() {
    let ground = ground(
        r#"
[[high]]
name = "Knoll"
level = 1
outline = [[180, 250], [280, 250], [280, 350], [180, 350]]
[[escarpment]]
name = "Face"
line = [[180, 350], [280, 350]]
falls = "left"
"#,
    );
    assert_eq!(sides(&ground, SideFeatures::ESCARPMENT), "0301/0302");
    assert!(!sides(&ground, SideFeatures::SLOPE).contains("0301/0302"));
    let foot = ground.grid.parse("0301").unwrap();
    assert!(ground.is_uphill(foot, Direction::South));
}

/// A stream straight down through the middle of column 3 makes a chain of sides to one hand of it.
#[test]
fn a_stream_is_a_chain_of_sides() {
    let ground = ground(
        r#"
[[water]]
name = "Run"
kind = "stream"
line = [[240, 460], [240, -10]]
"#,
    );
    let chain = sides(&ground, SideFeatures::STREAM);
    assert_eq!(chain, "0301/0401 0302/0401 0302/0402 0303/0402 0303/0403 0304/0403 0304/0404");
}

#[test]
fn a_stream_that_comes_back_separates_nothing() {
    let ground = ground(
        r#"
[[water]]
name = "Loop"
kind = "creek"
line = [[200, 300], [240, 360], [215, 300]]
"#,
    );
    assert_eq!(sides(&ground, SideFeatures::CREEK), "");
}

#[test]
fn a_road_is_a_chain_of_hexes_and_leaves_by_the_edge() {
    let ground = ground(
        r#"
[[road]]
name = "Pike"
kind = "road"
line = [[-40, 400], [58, 400], [145, 350], [231, 300], [231, -40]]
"#,
    );
    assert_eq!(sides(&ground, SideFeatures::ROAD), "0101/0201 0101/ 0201/0302 0302/0303 0303/0304 0304/");
}

/// The lane cuts 20 yards off the lower corner of 0201: it leads from 0101 to 0202 by 0102 only.
#[test]
fn a_clipped_corner_takes_the_faster_way() {
    let ground = ground(
        r#"
[[road]]
name = "Lane"
kind = "lane"
line = [[58, 400], [58, 330], [122, 298], [145, 250]]
"#,
    );
    assert_eq!(sides(&ground, SideFeatures::LANE), "0101/0102 0102/0202");
}

/// The hexes a railway cut from 58, 430 due south to 58, `end` lies in; 0102 begins at 350.
fn cut_down_to(end: i32) -> String {
    let ground = ground(&format!("[[cut]]\nname = \"Cut\"\nline = [[58, 430], [58, {end}]]\n"));
    let cut = ground.grid.hexes().filter(|&hex| ground.hex(hex).contains(HexFeatures::CUT));
    cut.map(|hex| ground.grid.name(hex).to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_cut_counts_from_a_quarter_of_a_hex() {
    assert_eq!(cut_down_to(326), "0101");
    assert_eq!(cut_down_to(325), "0101 0102");
}

/// Ten yards in one hex and four in the next: where it is longest it counts at any rate.
#[test]
fn a_short_cut_counts_where_it_is_longest() {
    let ground = ground("[[cut]]\nname = \"Cut\"\nline = [[58, 360], [58, 346]]\n");
    let cut: Vec<String> = ground
        .grid
        .hexes()
        .filter(|&hex| ground.hex(hex).contains(HexFeatures::CUT))
        .map(|hex| ground.grid.name(hex).to_string())
        .collect();
    assert_eq!(cut, ["0101"]);
}

#[test]
fn a_bridge_lies_where_road_and_water_meet() {
    let features = r#"
[[water]]
name = "Creek"
kind = "creek"
line = [[240, 460], [240, -10]]
[[road]]
name = "Pike"
kind = "road"
line = [[-40, 250], [500, 250]]
[[bridge]]
name = "Old bridge"
at = [240, 250]
"#;
    let ground = ground(features);
    let bridge = sides(&ground, SideFeatures::BRIDGE);
    assert_eq!(bridge.split(' ').count(), 1);
    let side = ground.grid.parse_side(&bridge).unwrap();
    assert!(ground.side(side).contains(SideFeatures::CREEK | SideFeatures::ROAD));
    // Whoever follows the road crosses the creek once, and there.
    let wet = ground
        .grid
        .sides()
        .filter(|&side| ground.side(side).contains(SideFeatures::CREEK | SideFeatures::ROAD))
        .count();
    assert_eq!(wet, 1);
}

#[test]
fn works_shelter_one_side_and_walls_both() {
    let ground = ground(
        r#"
[[wall]]
name = "Trench"
kind = "works"
line = [[180, 350], [280, 350]]
protects = "right"
[[wall]]
name = "Stone wall"
kind = "wall"
line = [[180, 150], [280, 150]]
"#,
    );
    let hex = |number: &str| ground.grid.parse(number).unwrap();
    let trench = ground.grid.parse_side("0301/0302").unwrap();
    assert!(ground.side(trench).contains(SideFeatures::WORKS));
    assert!(ground.shelters(trench, hex("0302")) && !ground.shelters(trench, hex("0301")));
    let wall = ground.grid.parse_side("0303/0304").unwrap();
    assert!(ground.side(wall).contains(SideFeatures::WALL));
    assert!(ground.shelters(wall, hex("0303")) && ground.shelters(wall, hex("0304")));
    assert!(!ground.shelters(wall, hex("0302")));
}

#[test]
fn broad_water_covers_hexes() {
    let ground = ground(
        r#"
[[water]]
name = "River"
kind = "river"
line = [[402, 460], [402, -10]]
outline = [[340, 450], [460, 450], [460, 0], [340, 0]]
"#,
    );
    assert_eq!(ground.cover(ground.grid.parse("0502").unwrap()), Cover::Water);
    assert_eq!(sides(&ground, SideFeatures::RIVER), "");
}

#[test]
fn corrections_have_the_last_word() {
    let ground = compile(
        &survey(""),
        &planned(
            r#"
[[correct]]
hexes = ["0302", "0303"]
cover = "woods"
level = 1
[[correct]]
sides = ["0101/0102/0103", "0202/0302"]
add = ["stream", "ford"]
[[correct]]
sides = ["0202/0302"]
remove = ["slope", "ford"]
[[correct]]
sides = ["0401>0301"]
add = ["escarpment", "works"]
remove = ["slope"]
"#,
        ),
    )
    .unwrap();
    assert_eq!(ground.cover(ground.grid.parse("0303").unwrap()), Cover::Woods);
    assert_eq!(sides(&ground, SideFeatures::FORD), "0101/0102 0102/0103");
    assert_eq!(sides(&ground, SideFeatures::STREAM), "0101/0102 0102/0103 0202/0302");
    assert!(!sides(&ground, SideFeatures::SLOPE).contains("0202/0302"));
    let (inside, outside) = (ground.grid.parse("0301").unwrap(), ground.grid.parse("0401").unwrap());
    let side = ground.grid.side_between(inside, outside).unwrap();
    assert_eq!(ground.upper(side), Some(inside));
    assert!(ground.shelters(side, inside) && !ground.shelters(side, outside));
}

#[test]
fn wrong_corrections_are_faults_at_their_places() {
    let text = r#"
[[correct]]
hexes = ["0909"]
level = 1
[[correct]]
sides = ["0101/0103", "0101", "0101/01x2"]
add = ["moat"]
"#;
    let hexes = compile(&survey(""), &planned(text)).unwrap_err();
    assert_eq!(hexes.len(), 1);
    let place = hexes[0].line_and_column(&format!("{PLAN}{text}"));
    assert_eq!((hexes[0].message.as_str(), place), ("there is no hex 0909", (7, 10)));
    let sides = compile(&survey(""), &planned(&text.replace("0909", "0101"))).unwrap_err();
    let messages: Vec<&str> = sides.iter().map(|fault| fault.message.as_str()).collect();
    assert!(messages[0].starts_with("\"moat\" is none of stream, creek"));
    assert_eq!(
        messages[1..],
        ["0101 and 0103 do not touch", "0101 names no hexside", "there is no hex 01x2"]
    );
}

#[test]
fn a_part_of_the_map() {
    let ground = compile(&survey(""), &planned("play = { columns = [2, 3], rows = [2, 3] }")).unwrap();
    let names: Vec<String> = ground.in_play().iter().map(|hex| ground.grid.name(hex).to_string()).collect();
    assert_eq!(names, ["0202", "0203", "0302", "0303"]);
    let nowhere = planned("play = { columns = [6, 9], rows = [1, 4] }");
    assert!(compile(&survey(""), &nowhere).is_err());
}

#[test]
fn a_plan_may_be_impossible() {
    assert!(compile(&survey(""), &Plan { columns: 0, ..planned("") }).is_err());
    assert!(compile(&survey(""), &Plan { hex: 0, ..planned("") }).is_err());
}
