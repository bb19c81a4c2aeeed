exec(open('/tmp/sit/make.py').read())
edit('09-retreat/9.9.a-two-hexes',[('''[[step]]
otherwise = "first"
play = []
until = "advance"
expect = { "gibbon.routed" = true, "friend.routed" = true }
''','''[[step]]
play = ["retreat friend 0306", "retreat friend 0207", "retreat friend 0107"]
dice = [1]
expect = { "gibbon.routed" = true, "friend.routed" = true, "friend.hex" = "0107" }
''')])
p='06-organization/6.1.1.e-out-of-command'
edit(p,[('''play = ["march meade 1405", "done"]
until = "organize"
otherwise = "pass"
expect = { turn = 1, active = "usa" }
''','''play = ["march meade 1405", "done"]
until = "march"
expect = { active = "csa", works = [], burned = [] }

[[step]]
play = "done"
until = "march"
expect = { turn = 2, active = "usa", "foot.in_command" = false, "foot.task" = "none", works = ["0505"], "torch.in_command" = false, burned = ["0705"] }
''')])
s=open(ROOT+p+'.toml').read().replace('proves = ','otherwise = "pass"\nproves = ',1)
open(ROOT+p+'.toml','w').write(s)
# R48
put('05-command/5.3.a-independent','An independent unit is always in command, and still of the division and corps on its counter',['5.3.a','5.3.d','2.3.3.a'],'''
unit = [
  { id = "toombs", side = "csa", sp = 8, division = "jones", independent = true, at = "0505" },
  { id = "evans", side = "csa", sp = 8, corps = "longstreet", independent = true, at = "0303" },
  { id = "hampton", side = "csa", sp = 8, independent = true, at = "0107" },
  { id = "lawton", side = "csa", sp = 8, independent = true, at = "0701" },
  { id = "foe", side = "usa", sp = 8, independent = true, at = "0909" },
]
leader = [
  { id = "lee", side = "csa", rank = "army", at = "0701" },
  { id = "longstreet", side = "csa", rank = "corps", superior = "lee", at = "0303" },
  { id = "jones", side = "csa", rank = "division", superior = "longstreet", at = "0505" },
  { id = "kemper", side = "csa", rank = "division", superior = "longstreet", at = "0107" },
]

[map]
cols = 9
rows = 9

[position]
phase = "movement"
active = "usa"

[[step]]
note = "All are black: 7, and 8 with a leader of their own. Hampton and Lawton name nobody: only the army leader is theirs."
expect = { "toombs.passes_at" = 8, "evans.passes_at" = 8, "hampton.passes_at" = 7, "lawton.passes_at" = 8, "jones.command" = ["toombs"], "longstreet.command" = ["toombs", "evans"], "toombs.in_command" = true }
''')
put('09-retreat/9.8.l-independent','A leader may go over to an independent unit of his division, not to one that names nobody',['9.8.l','9.8.m'],'''
unit = [
  { id = "gibbon", side = "usa", sp = 40, independent = true, at = "0106" },
  { id = "hood", side = "csa", sp = 12, morale = "gold", division = "jones", at = "0105" },
  { id = "hampton", side = "csa", sp = 6, independent = true, at = "0104" },
  { id = "toombs", side = "csa", sp = 6, division = "jones", independent = true, at = "0102" },
]
leader = [{ id = "jones", side = "csa", rank = "division", at = "0105" }]
retreat = { csa = ["0101"] }

[map]
cols = 1
rows = 9

[position]
phase = "offensive"
tide = { usa = false, csa = false }

[[step]]
play = "fire gibbon at hood"
dice = [5]
then = "leader"

[[step]]
refused = { "place jones hampton" = "9.8.l" }
offers = ["place jones toombs", "stay jones"]
play = "place jones toombs"
dice = [1]
expect = { "hood.hex" = "0103", "jones.hex" = "0102" }
''')
# R54
edit('08-movement/8.2.a-clear',[('title = "Clear ground off the road counts as well, hexside surcharges in full; a field does not"','title = "Clear ground off the road counts as well, uphill too; water is paid for besides, and a field in full"'),
('note = "Guns and leaders have the bonus too. A road makes even a climb half a point, here there is none."','note = "Guns and leaders have the bonus too. One price for road and clear ground, whatever the slope (R54)."'),
('"cost.foot.0505.0605" = "1.5"','"cost.foot.0505.0605" = "0.5"')])
# R24
put('09-retreat/9.8.i-end-in-zone','A retreat that could end only in a zone goes on, losing 1 SP a hex, until it is out of it',['9.8.i','9.8.h'],'''
unit = [
  { id = "gibbon", side = "usa", sp = 40, independent = true, at = "0107" },
  { id = "hood", side = "csa", sp = 12, morale = "gold", independent = true, at = "0106" },
  { id = "patrick", side = "usa", sp = 6, independent = true, at = "0204" },
]
retreat = { csa = ["0101"] }

[map]
cols = 2
rows = 9
off = ["0205", "0206", "0207", "0203", "0202", "0201"]

[position]
phase = "offensive"
tide = { usa = false, csa = false }

[[step]]
note = "A lane one hex wide. Two hexes back is 0104, in Patrick's zone like 0103; 0102 is free."
play = "fire gibbon at hood"
dice = [5, 1]
expect = { "zone.usa.0105" = false, "zone.usa.0104" = true, "zone.usa.0103" = true, "hood.hex" = "0102", "hood.sp" = 8, "losses.csa" = 4 }
''')
put('09-retreat/9.8.i-nowhere-to-go','A unit is eliminated when no way at all leads out of the enemy zones',['9.8.i','9.8.g','9.8.f'],'''
unit = [
  { id = "gibbon", side = "usa", sp = 40, independent = true, at = "0105" },
  { id = "hood", side = "csa", sp = 12, morale = "gold", independent = true, at = "0104" },
  { id = "patrick", side = "usa", sp = 6, independent = true, at = "0101" },
]
retreat = { csa = ["0102"] }

[map]
cols = 1
rows = 9

[position]
phase = "offensive"
tide = { usa = false, csa = false }

[[step]]
note = "A lane one hex wide: two hexes back is 0102, in Patrick's zone, and he bars the rest of it."
play = "fire gibbon at hood"
dice = [5]
expect = { "hood.state" = "gone", "losses.csa" = 12 }
''')
put('09-retreat/9.8.s-rout-through-zones','A rout that could end only in a zone goes on; each hex of zone costs 1 SP',['9.8.s','9.8.t'],'''
unit = [
  { id = "gibbon", side = "usa", sp = 17, independent = true, at = "0106" },
  { id = "hood", side = "csa", sp = 12, morale = "gold", independent = true, at = "0105" },
  { id = "patrick", side = "usa", sp = 6, independent = true, at = "0203" },
]
retreat = { csa = ["0101"] }

[map]
cols = 2
rows = 9
off = ["0204", "0205", "0206", "0202", "0201"]

[position]
phase = "offensive"
tide = { usa = false, csa = false }

[[step]]
note = "0103 and 0102 lie in Patrick's zone. The third hex is 0102, where the rout may not end: one more."
play = "fire gibbon at hood"
dice = [4, 10]
expect = { "zone.usa.0103" = true, "zone.usa.0102" = true, "hood.hex" = "0101", "hood.sp" = 10, "losses.csa" = 2 }
''')
put('09-retreat/9.8.t-dies-going-on','A unit that goes on through zones dies in the hex that takes its last SP',['9.8.t','9.8.s','1.1.3.d'],'''
unit = [
  { id = "gibbon", side = "usa", sp = 17, independent = true, at = "0106" },
  { id = "hood", side = "csa", sp = 12, morale = "gold", independent = true, at = "0105" },
  { id = "patrick", side = "usa", sp = 6, independent = true, at = "0203" },
]
retreat = { csa = ["0101"] }

[map]
cols = 2
rows = 9
off = ["0204", "0205", "0206", "0202", "0201"]

[position]
phase = "offensive"
tide = { usa = false, csa = false }
unit.hood = { sp = 2 }

[[step]]
play = "fire gibbon at hood"
dice = [4, 10]
expect = { "hood.state" = "gone", "losses.csa" = 2 }
''')
put('09-retreat/9.8.i-short-way-first','A way that ends outside the zones after two hexes goes before every longer one',['9.8.i','9.8.d','9.8.h'],'''
unit = [
  { id = "gibbon", side = "usa", sp = 40, independent = true, at = "0506" },
  { id = "hood", side = "csa", sp = 12, morale = "gold", independent = true, at = "0505" },
  { id = "patrick", side = "usa", sp = 6, independent = true, at = "0502" },
  { id = "meade", side = "usa", sp = 6, independent = true, at = "0302" },
]
retreat = { csa = ["0501"] }

[map]
cols = 9
rows = 9

[position]
phase = "offensive"
tide = { usa = false, csa = false }

[[step]]
play = "fire gibbon at hood"
dice = [5]
then = "retreat"
expect = { "zone.usa.0503" = true, "zone.usa.0403" = true, "zone.usa.0603" = true, "zone.usa.0604" = false, "zone.usa.0404" = false }

[[step]]
note = "By 0504 or 0605; where a way ends the zones count, on the way they cost."
play = "retreat hood 0504"
expect = { "hood.retreats_to" = ["0404", "0604"] }

[[step]]
refused = { "retreat hood 0503" = "9.8.i" }
play = "retreat hood 0604"
dice = [1]
expect = { "hood.hex" = "0604", "hood.sp" = 10 }
''')
# R7
put('09-combat/9.5.i-flank-in-cover','Flank fire counts besides the best cover, and the shift for limbered guns besides both',['9.5.i','9.5.g','9.5.e','9.5.h'],'''
unit = [
  { id = "a", side = "usa", sp = 3, independent = true, at = "0505" },
  { id = "b", side = "usa", sp = 3, independent = true, at = "0405" },
  { id = "c", side = "usa", sp = 3, independent = true, at = "0605" },
  { id = "guns", side = "csa", type = "artillery", sp = 9, limbered = true, independent = true, at = "0504" },
]
retreat = { csa = ["0501"] }

[map]
cols = 9
rows = 9
terrain = { woods = ["0504"] }

[position]
phase = "offensive"
works = ["0504"]
tide = { usa = false, csa = false }

[[step]]
note = "9 SP, one column further right; breastwork -2 and not the woods as well; flank +1: a 6 is a 5."
play = ["fire a at guns", "join b", "join c"]
dice = [6, 1]
rolls = [{ by = "a", at = "guns", rule = "9.5.d", result = 6, modifiers = { "9.5.d" = -2, "9.5.g" = 1 } }]
expect = { "guns.sp" = 9, "fire.column" = "13-16", "fire.modifier" = -1, "chart.13.5" = "M" }
''')
# faults
put('09-retreat/9.8.u-has-moved','A routed unit that has moved its one hex is told so',['9.8.u'],'''
unit = [
  { id = "runs", side = "csa", sp = 12, independent = true, at = "0505" },
  { id = "gibbon", side = "usa", sp = 17, independent = true, at = "0509" },
]
leader = [{ id = "meade", side = "usa", rank = "division", at = "0502" }]
first = "csa"

[map]
cols = 9
rows = 9

[position]
phase = "movement"
active = "csa"
unit.runs = { routed = true }

[[step]]
note = "Meade, a leader, is no enemy that a routed unit keeps away from."
play = "march runs 0504"
expect = { "runs.hex" = "0504", "runs.reach" = [] }

[[step]]
refused = { "march runs 0503" = "9.8.u" }
''')
put('08-movement/8.1.9-orders','Guns limber and unlimber, cavalry mounts and dismounts; each order fits its own arm',['8.1.9.a','8.1.9.b'],'''
unit = [
  { id = "horse", side = "usa", type = "cavalry", sp = 6, independent = true, at = "0505" },
  { id = "walkers", side = "usa", type = "cavalry", sp = 6, dismounted = true, independent = true, at = "0305" },
  { id = "limbers", side = "usa", type = "artillery", sp = 6, limbered = true, independent = true, at = "0705" },
  { id = "guns", side = "usa", type = "artillery", sp = 6, independent = true, at = "0905" },
  { id = "foot", side = "usa", sp = 6, independent = true, at = "0105" },
  { id = "hood", side = "csa", sp = 9, independent = true, at = "0501" },
]

[map]
cols = 9
rows = 9

[position]
phase = "movement"

[[step]]
refused = { "mount guns" = "8.1.9.a", "dismount limbers" = "8.1.9.a", "limber walkers" = "8.1.9.b", "unlimber horse" = "8.1.9.b", "mount horse" = "8.1.9.a", "limber limbers" = "8.1.9.a", "mount foot" = "8.1.9.a", "limber foot" = "8.1.9.a", "dismount hood" = "8.1.1.a" }
offered = ["limber guns", "unlimber limbers", "mount walkers", "dismount horse"]
''')
# R53: leaders
put('08-movement/8.2.c-leaders-do-not-count','An enemy leader within four hexes does not end column; a unit at four does, at five not',['8.2.c','8.2.a'],'''
unit = [
  { id = "foot", side = "usa", sp = 6, independent = true, at = "0509" },
  { id = "hood", side = "csa", sp = 9, independent = true, at = "0503" },
]
leader = [{ id = "hill", side = "csa", rank = "division", at = "0506" }]

[map]
cols = 9
rows = 15

[position]
phase = "movement"

[[step]]
expect = { "distance.foot.hill" = 3, "cost.foot.0509.0508" = "0.5", "cost.foot.0508.0507" = 1, "distance.0507.hood" = 4, "cost.foot.0507.0508" = 1 }
''')
# mutants
put('11-night/11.0.c-two-hexes','At night guns fire at one hex and not at two',['11.0.c'],'''
unit = [
  { id = "guns", side = "usa", type = "artillery", sp = 6, independent = true, at = "0505" },
  { id = "hood", side = "csa", sp = 9, independent = true, at = "0504" },
  { id = "law", side = "csa", sp = 9, independent = true, at = "0705" },
]
turns = { labels = ["day", "night"], night = [2] }

[map]
cols = 9
rows = 9

[position]
turn = 2
phase = "artillery"

[[step]]
refused = { "fire guns at law" = "11.0.c" }
offers = ["fire guns at 0504", "done"]
expect = { "distance.guns.law" = 2, "sp.guns.law" = 0, "sp.guns.hood" = 12 }
''')
put('09-combat/9.5.e-wall-corner','Where a line enters by a corner, a wall helps only if it runs on both sides of the corner',['9.5.e','9.5.d'],'''
unit = [
  { id = "guns", side = "usa", type = "artillery", sp = 6, independent = true, at = "0606" },
  { id = "hood", side = "csa", sp = 9, independent = true, at = "0504" },
  { id = "east-guns", side = "usa", type = "artillery", sp = 6, independent = true, at = "1206" },
  { id = "law", side = "csa", sp = 9, independent = true, at = "1104" },
]

[map]
cols = 15
rows = 9
sides = { wall = ["0504/0505", "1104/1105", "1104/1205"] }

[[step]]
note = "Both fire along a hexside two hexes off: into 0504 past one wall, into 1104 over the corner of two."
expect = { "fire.hood.guns" = "6 SP, column 5-8, die +0", "fire.law.east-guns" = "6 SP, column 5-8, die -1" }
''')
edit('10-rally/10.1-rally',[('{ id = "hood", side = "csa", sp = 9, independent = true, at = "0501" }','{ id = "hood", side = "csa", sp = 9, independent = true, at = "0501" },\n  { id = "law", side = "csa", sp = 9, independent = true, at = "0301" }'),
 ('unit.lost = { routed = true }','unit.lost = { routed = true }\nunit.law = { routed = true }'),
 ('"rally hood" = "10.1.a" }','"rally hood" = "10.1.a", "rally law" = "10.1.a" }')])
