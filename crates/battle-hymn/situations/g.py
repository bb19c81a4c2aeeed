exec(open('/tmp/sit/make.py').read())
put('09-combat/9.5.b-ranges','Guns fire doubled at one hex, in full to four, halved to eight, and no further',['9.5.b','7.3.a','9.1.4.a'],'''
unit = [
  { id = "guns", side = "usa", type = "artillery", sp = 7, independent = true, at = "0512" },
  { id = "hood", side = "csa", sp = 9, independent = true, at = "0503" },
  { id = "law", side = "csa", sp = 9, independent = true, at = "0704" },
]

[map]
cols = 9
rows = 15

[position]
phase = "artillery"

[[step]]
refused = { "fire guns at hood" = "9.5.b", "fire guns at 0505" = "9.5.a" }
offers = ["done", "fire guns at 0704"]
expect = { "sp.guns.0511" = 14, "sp.guns.0510" = 7, "sp.guns.0508" = 7, "sp.guns.0507" = 3, "sp.guns.0504" = 3, "sp.guns.0503" = 0, "distance.guns.law" = 9 }
''')
put('09-retreat/9.8.l-three-hexes','A leader transfers to a unit three hexes off, not four, and to the nearest',['9.8.l','9.8.m'],'''
unit = [
  { id = "gibbon", side = "usa", sp = 40, independent = true, at = "0510" },
  { id = "hood", side = "csa", sp = 12, morale = "gold", division = "jones", at = "0509" },
  { id = "near", side = "csa", sp = 6, division = "jones", at = "0209" },
  { id = "far", side = "csa", sp = 6, division = "jones", at = "0909" },
  { id = "close", side = "csa", sp = 6, independent = true, at = "0609" },
]
leader = [{ id = "jones", side = "csa", rank = "division", at = "0509" }]
retreat = { csa = ["0501"] }

[map]
cols = 9
rows = 15

[position]
phase = "offensive"
tide = { usa = false, csa = false }

[[step]]
play = "fire gibbon at hood"
dice = [5]
then = "leader"
expect = { "distance.jones.near" = 3, "distance.jones.far" = 4 }

[[step]]
refused = { "place jones far" = "9.8.l", "place jones close" = "9.8.l" }
offers = ["place jones near", "stay jones"]
''')
put('09-retreat/9.8.m-four-hexes','Four hexes off is too far: the leader goes back with his unit',['9.8.m'],'''
unit = [
  { id = "gibbon", side = "usa", sp = 40, independent = true, at = "0110" },
  { id = "hood", side = "csa", sp = 12, morale = "gold", division = "jones", at = "0109" },
  { id = "far", side = "csa", sp = 6, division = "jones", at = "0105" },
]
leader = [{ id = "jones", side = "csa", rank = "division", at = "0109" }]
retreat = { csa = ["0101"] }

[map]
cols = 1
rows = 15

[position]
phase = "offensive"
tide = { usa = false, csa = false }

[[step]]
play = "fire gibbon at hood"
dice = [5, 1]
expect = { "hood.hex" = "0107", "jones.hex" = "0107" }
''')
put('11-night/11.0.g-cap','Stragglers never bring a unit above its full strength, and the losses fall by what came back',['11.0.g','11.0.f','11.0.e'],'''
unit = [
  { id = "one", side = "usa", sp = 9, independent = true, at = "0105" },
  { id = "two", side = "usa", sp = 9, independent = true, at = "0205" },
  { id = "whole", side = "usa", sp = 9, independent = true, at = "0305" },
  { id = "hood", side = "csa", sp = 9, independent = true, at = "0909" },
]
turns = { labels = ["night", "day"], night = [1], stragglers = [1] }

[map]
cols = 9
rows = 9

[position]
phase = "rally"
active = "csa"
losses = { usa = 5, csa = 4 }
tide = { usa = false, csa = false }
unit.one = { lost = 1 }
unit.two = { lost = 3 }
unit.hood = { lost = 2 }

[[step]]
note = "9 gives two, but one lacks only one; 8 gives one; 5 gives Hood nothing. Both markers come back."
before = "interval"
expect = { "losses.usa" = 5 }

[[step]]
dice = [9, 8, 5]
rolls = [{ by = "one", rule = "11.0.d" }, { by = "two" }, { by = "hood" }]
only_rolls = true
expect = { turn = 2, "one.sp" = 9, "two.sp" = 7, "whole.sp" = 9, "hood.sp" = 7, "losses.usa" = 3, "losses.csa" = 4, "tide.usa" = true, "tide.csa" = true }
''')
