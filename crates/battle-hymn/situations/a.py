exec(open('/tmp/sit/make.py').read())
# --- R41
put('05-command/5.3.2.a-own-move','A leader who rides up to the enemy stays there and may be fired at',['5.3.2.a','5.3.1.d','1.1.2.c'],'''
unit = [
  { id = "gibbon", side = "usa", sp = 9, independent = true, at = "1614" },
  { id = "hood", side = "csa", sp = 9, independent = true, at = "0904" },
]
leader = [{ id = "meade", side = "usa", rank = "division", at = "0107" }]

[map]
cols = 18
rows = 18

[position]
phase = "movement"
tide = { usa = true, csa = false }

[[step]]
note = "Leaders need no command to enter a zone, but stop there."
play = "march meade 0804"
expect = { "meade.hex" = "0804", "meade.reach" = [], "distance.meade.gibbon" = 14 }

[[step]]
note = "No enemy has come to him, so nothing takes him back to Gibbon, fourteen hexes off."
play = "done"
then = "fire"
expect = { "meade.hex" = "0804", "meade.alone" = true }

[[step]]
by = "csa"
offers = ["fire hood at 0804", "done"]
play = "fire hood at meade"
dice = [5]
rolls = [{ by = "hood", at = "meade", rule = "5.3.1.d", need = 5, result = 1, modifiers = {} }]
expect = { "meade.replaced" = true, "meade.hex" = "1614", "losses.usa" = 1 }
''')
put('05-command/5.3.2.a-left-behind','A leader whose unit marches away stays next to the enemy with his whole move',['5.3.2.a','8.1.1.d'],'''
unit = [
  { id = "gibbon", side = "usa", sp = 9, independent = true, at = "0505" },
  { id = "hood", side = "csa", sp = 9, independent = true, at = "0504" },
]
leader = [{ id = "meade", side = "usa", rank = "division", at = "0505" }]

[map]
cols = 9
rows = 9

[position]
phase = "movement"

[[step]]
play = "march gibbon 0508"
expect = { "gibbon.hex" = "0508", "meade.hex" = "0505", "meade.alone" = true, "meade.mp" = 9 }

[[step]]
play = "done"
decides = "csa"
expect = { "meade.hex" = "0505" }

[[step]]
offered = ["fire hood at meade"]
''')
put('05-command/5.3.2.a-remain','A leader who does not follow the advance stays, alone next to an enemy',['5.3.2.a','9.9.a'],'''
unit = [
  { id = "gibbon", side = "usa", sp = 20, independent = true, at = "0505" },
  { id = "hood", side = "csa", sp = 2, morale = "gold", independent = true, at = "0504" },
  { id = "law", side = "csa", sp = 12, morale = "gold", independent = true, at = "0606" },
]
leader = [{ id = "meade", side = "usa", rank = "division", at = "0505" }]

[map]
cols = 9
rows = 9

[position]
phase = "offensive"
tide = { usa = false, csa = false }

[[step]]
play = "fire gibbon at hood"
dice = [9]
expect = { "hood.state" = "gone" }

[[step]]
play = ["advance gibbon", "remain meade"]
expect = { "gibbon.hex" = "0504", "meade.hex" = "0505", "meade.alone" = true, "distance.meade.law" = 1 }
''')
put('05-command/5.3.2.a-enemy-leader','Only a combat unit drives a lone leader off, not an enemy leader',['5.3.2.a'],'''
unit = [
  { id = "gibbon", side = "usa", sp = 9, independent = true, at = "0509" },
  { id = "hood", side = "csa", sp = 9, independent = true, at = "0501" },
]
leader = [
  { id = "meade", side = "usa", rank = "division", at = "0505" },
  { id = "hill", side = "csa", rank = "division", at = "0501" },
]
first = "csa"

[map]
cols = 9
rows = 9

[position]
phase = "movement"
active = "csa"

[[step]]
play = "march hill 0504"
expect = { "hill.hex" = "0504", "meade.hex" = "0505" }

[[step]]
note = "Two hexes off he stays; next to him he leaves."
play = "march hood 0503"
expect = { "meade.hex" = "0505" }

[[step]]
play = "march hood 0605"
expect = { "hood.hex" = "0605", "meade.hex" = "0509" }
''')
# --- R2
put('09-combat/9.4.i-hexside','Along a hexside no unit is fired over, and ground hides only if both hexes do',['9.4.i','9.4.c','9.4.d'],'''
unit = [
  { id = "guns", side = "csa", type = "artillery", sp = 6, independent = true, at = "0606" },
  { id = "law", side = "csa", sp = 9, independent = true, at = "0505" },
  { id = "christian", side = "usa", sp = 9, independent = true, at = "0504" },
  { id = "east-guns", side = "csa", type = "artillery", sp = 6, independent = true, at = "1306" },
  { id = "doubleday", side = "usa", sp = 9, independent = true, at = "1204" },
]

[map]
cols = 15
rows = 9
terrain = { woods = ["0605", "1205", "1305"] }

[position]
phase = "defensive"

[[step]]
note = "The line from 0606 to 0504 runs between Law and the woods of 0605: open. Woods on both sides of the other hide Doubleday."
by = "csa"
offered = ["fire guns at christian"]
refused = { "fire east-guns at doubleday" = "9.4.d" }
expect = { "sight.guns.christian" = true, "sight.east-guns.doubleday" = false }
''')
put('09-combat/9.4.i-closed-line','Guns one hex behind a closed line fire between two of its units',['9.4.i','9.4.g'],'''
unit = [
  { id = "guns", side = "csa", type = "artillery", sp = 6, independent = true, at = "0606" },
  { id = "behind", side = "csa", type = "artillery", sp = 6, independent = true, at = "0507" },
  { id = "law", side = "csa", sp = 9, independent = true, at = "0505" },
  { id = "hood", side = "csa", sp = 9, independent = true, at = "0605" },
  { id = "christian", side = "usa", sp = 9, independent = true, at = "0504" },
]

[map]
cols = 9
rows = 9

[position]
phase = "defensive"

[[step]]
note = "The line of the other guns crosses Law's own hex."
by = "csa"
offered = ["fire guns at christian"]
refused = { "fire behind at christian" = "9.4.g" }
''')
put('09-combat/9.4.i-mixed-ground','Along a hexside woods in one hex and a height in the other hide the target, one of them does not',['9.4.i','9.4.f'],'''
unit = [
  { id = "guns", side = "csa", type = "artillery", sp = 6, independent = true, at = "0606" },
  { id = "christian", side = "usa", sp = 9, independent = true, at = "0504" },
  { id = "east-guns", side = "csa", type = "artillery", sp = 6, independent = true, at = "1306" },
  { id = "doubleday", side = "usa", sp = 9, independent = true, at = "1204" },
]

[map]
cols = 15
rows = 9
terrain = { woods = ["1205"] }
levels = { "1" = ["0605", "1305"] }

[[step]]
expect = { "sight.guns.christian" = true, "sight.east-guns.doubleday" = false }
''')
# --- R27
for end,(die,extra) in {'stays':(7,'"friend.hex" = "0205"'),'routs-on':(8,None)}.items():
    put(f'09-retreat/9.8.ab-routed-{end}',{'stays':'A routed unit that a rout passes checks, and stays if it passes','routs-on':'A routed unit that a rout passes and that fails its check routs three hexes more'}[end],['9.8.ab','9.8.z'],f'''
unit = [
  {{ id = "hood", side = "csa", sp = 17, independent = true, at = "0207" }},
  {{ id = "gibbon", side = "usa", sp = 12, independent = true, at = "0206" }},
  {{ id = "friend", side = "usa", sp = 12, independent = true, at = "0205" }},
]
retreat = {{ usa = ["0201"] }}

[map]
cols = 2
rows = 9

[position]
phase = "offensive"
active = "csa"
tide = {{ usa = false, csa = false }}
unit.friend = {{ routed = true }}

[[step]]
play = "fire hood at gibbon"
dice = [3, 8]
then = "retreat"

[[step]]
note = "Through the friend: he checks although he is routed."
play = ["retreat gibbon 0205", "retreat gibbon 0204", "retreat gibbon 0203"]
dice = [{die}]
rolls = [{{ by = "friend", rule = "9.8.ab", need = 7, result = {1 if die==7 else 0} }}]
only_rolls = true
expect = {{ "gibbon.hex" = "0203", "friend.hex" = "0205", "friend.routed" = true }}
{'then = "advance"' if die==7 else 'then = "retreat"'}
'''+('' if die==7 else '''
[[step]]
by = "usa"
note = "Three hexes from 0205, past Gibbon in 0203: he ends beyond him and makes him check in turn."
play = ["retreat friend 0204", "retreat friend 0203", "retreat friend 0202"]
dice = [7]
rolls = [{ by = "gibbon", rule = "9.8.ab", result = 1 }]
expect = { "friend.hex" = "0202", "gibbon.hex" = "0203" }
'''))
edit('09-retreat/9.8.ab-chain',[('Hood is routed and does not check; B does, for A\'s rout, and then again for Hood\'s.','B and Hood, routed as he is, check for A\'s rout, and then B again for Hood\'s.'),
 ('dice = [4, 10, 6, 3, 9]','dice = [4, 10, 6, 3, 9, 4]'),
 ('{ by = "b", faces = [3] }, { by = "b", faces = [9] }','{ by = "b", faces = [3] }, { by = "hood", rule = "9.8.ab", faces = [9], result = 1 }, { by = "b", faces = [4] }')])
edit('09-retreat/9.8.z-through-friends',[('A and B check; C is routed already and does not. A passes, B passes.','All three check, C too, routed as it is.'),
 ('dice = [4, 10, 7, 9]','dice = [4, 10, 7, 9, 7]'),
 ('{ by = "b", rule = "9.8.ab", need = 9, result = 1 }]','{ by = "b", rule = "9.8.ab", need = 9, result = 1 }, { by = "c", rule = "9.8.ab", need = 7, result = 1 }]')])
s=open(ROOT+'09-retreat/9.8.ab-long-file.toml').read()
i=s.rindex('  { by = "f3", rule = "9.8.ab" },\n  { by = "f10", rule')
s=s[:i]+'  { by = "f3", rule = "9.8.ab" },\n  { by = "hood", rule = "9.8.ab" },\n'+s[i+len('  { by = "f3", rule = "9.8.ab" },\n'):]
import re
m=re.search(r'dice = \[([^\]]*)\]',s)
d=[x.strip() for x in m.group(1).split(',') if x.strip()]
s=s.replace(m.group(0),'dice = ['+', '.join(d+['4'])+']')
open(ROOT+'09-retreat/9.8.ab-long-file.toml','w').write(s)
put('09-retreat/9.8.ab-dies-in-a-friends-hex','A routing unit that dies on entering a friend\'s hex has not moved through it: the friend does not check',['9.8.ab','9.8.s'],'''
unit = [
  { id = "gibbon", side = "usa", sp = 17, independent = true, at = "0107" },
  { id = "hood", side = "csa", sp = 12, morale = "black", independent = true, at = "0106" },
  { id = "friend", side = "csa", sp = 5, morale = "black", independent = true, at = "0105" },
  { id = "patrick", side = "usa", sp = 6, independent = true, at = "0205" },
]
retreat = { csa = ["0101"] }

[map]
cols = 2
rows = 9
off = ["0203", "0204", "0206", "0207", "0202", "0201"]

[position]
phase = "offensive"
tide = { usa = false, csa = false }
unit.hood = { sp = 1 }

[[step]]
note = "Patrick's zone covers 0105: Hood's last SP is lost there."
play = "fire gibbon at hood"
dice = [3, 8]
only_rolls = true
rolls = [{ at = "hood" }, { by = "hood", result = 0 }]
expect = { "hood.state" = "gone", "losses.csa" = 1, "friend.hex" = "0105" }
''')
# --- R34
put('09-retreat/9.9.a-two-hexes','Each hex that the combat emptied may be entered by one unit of the fire',['9.9.a','9.9.b','9.8.ab'],'''
unit = [
  { id = "hood", side = "csa", sp = 12, independent = true, at = "0506" },
  { id = "law", side = "csa", sp = 12, independent = true, at = "0606" },
  { id = "gibbon", side = "usa", sp = 12, independent = true, at = "0505" },
  { id = "friend", side = "usa", sp = 12, independent = true, at = "0406" },
]
retreat = { usa = ["0107"] }
first = "csa"

[map]
cols = 9
rows = 9

[position]
phase = "offensive"
active = "csa"
tide = { usa = false, csa = false }

[[step]]
play = ["fire hood at gibbon", "join law"]
dice = [3, 8]
then = "retreat"

[[step]]
play = ["retreat gibbon 0406", "retreat gibbon 0306", "retreat gibbon 0207"]
dice = [9]
rolls = [{ by = "friend", rule = "9.8.ab", result = 0 }]
decides = "usa"

[[step]]
otherwise = "first"
play = []
until = "advance"
expect = { "gibbon.routed" = true, "friend.routed" = true }

[[step]]
by = "csa"
refused = { "advance law 0406" = "9.9.a", "advance law 0306" = "9.9.a" }
offers = ["advance hood", "advance hood 0406", "advance law", "hold"]
play = "advance law 0505"
expect = { "law.hex" = "0505" }
then = "advance"

[[step]]
note = "One unit a hex, one hex a unit."
refused = { "advance hood" = "9.9.b", "advance law 0406" = "9.9.a" }
offers = ["advance hood 0406", "hold"]
play = "advance hood 0406"
expect = { "hood.hex" = "0406" }
''')
# --- R62
put('06-organization/6.1.3.b-two-markers','A unit searches every marker beside it, and may still build',['6.1.3.b','6.1.a','6.1.1.a'],'''
options = { fords = true, breastworks = true }
unit = [
  { id = "foot", side = "usa", sp = 6, independent = true, at = "0505" },
  { id = "hood", side = "csa", sp = 6, independent = true, at = "0501" },
]
ford = [{ side = "0505/0605", face = "yes" }, { side = "0505/0606", face = "no" }]

[map]
cols = 9
rows = 9
sides = { river = ["0505/0605", "0505/0606"] }

[position]
phase = "organization"

[[step]]
play = "search foot 0505/0605"
expect = { "ford.0505.0605" = "ford" }

[[step]]
offers = ["search foot 0505/0606", "build foot", "done"]
play = "build foot"
expect = { "foot.task" = "build" }

[[step]]
note = "Building ties the unit's march and fire, not its eyes."
offers = ["search foot 0505/0606", "done"]
play = "search foot 0505/0606"
expect = { "ford.0505.0606" = "river", "foot.task" = "build" }
''')
put('06-organization/6.1.1.g-raze-and-build','Pulling a breastwork down uses nothing up; building and burning exclude each other',['6.1.1.g','6.1.1.b','6.1.2.b','6.1.a'],'''
options = { breastworks = true, burning = true }
unit = [
  { id = "foot", side = "usa", sp = 6, independent = true, at = "0505" },
  { id = "torch", side = "usa", sp = 6, independent = true, at = "0605" },
  { id = "hood", side = "csa", sp = 6, independent = true, at = "0501" },
]
burnable = [{ bridge = "0505/0605", name = "the bridge" }]

[map]
cols = 9
rows = 9
sides = { river = ["0505/0605"], bridge = ["0505/0605"] }

[position]
phase = "organization"
works = ["0505"]

[[step]]
refused = { "build foot" = "6.1.1.h", "raze torch" = "6.1.1.g" }
play = "raze foot"
expect = { works = [] }

[[step]]
offered = ["build foot", "burn foot 0505/0605"]
play = ["build foot", "burn torch 0505/0605"]
expect = { "foot.task" = "build", "torch.task" = "burn" }

[[step]]
refused = { "burn foot 0505/0605" = "6.1.1.b", "build torch" = "6.1.2.b", "build foot" = "6.1.1.b", "burn torch 0505/0605" = "6.1.2.b" }
''')
edit('06-organization/6.1.1.a-who-builds',[('refused = { "build foot" = "6.1.a" }','refused = { "build foot" = "6.1.1.b" }'),('dig, in their own hex; one action each','dig, in their own hex, once')])
edit('06-organization/6.1.3.c-found',[('note = "A search neither ends the unit\'s move nor can be made twice."','note = "A marker is turned up once; a search ends neither the unit\'s phase nor its move."'),(', "search foot 0505/0606" = "6.1.a" }',' }')])
# --- R64
put('06-organization/6.1.2.e-stream','A burned bridge leaves the water under it: a stream is waded',['6.1.2.e'],'''
options = { burning = true }
unit = [
  { id = "foot", side = "usa", sp = 6, independent = true, at = "0505" },
  { id = "hood", side = "csa", sp = 6, independent = true, at = "0503" },
]
burnable = [
  { bridge = "0505/0605", name = "the stream bridge" },
  { bridge = "0505/0606", name = "the bridge over nothing told" },
]

[map]
cols = 9
rows = 9
sides = { stream = ["0505/0605"], bridge = ["0505/0605", "0505/0606"], road = ["0505/0605"] }

[position]
phase = "movement"
burned = ["0505/0605", "0505/0606"]

[[step]]
note = "Hood is too near for column. Clear 1 and stream 1; a side for which no water is given becomes river."
expect = { "cost.foot.0505.0605" = 2, "side.0505.0605" = ["stream"], "cost.foot.0505.0606" = "closed", "side.0505.0606" = ["river"] }
''')
# --- R67
put('12-tide/12.0.b-lone-leader','The die against a lone leader is a fire attack and may be rolled again',['12.0.b','5.3.1.d','12.0.c'],'''
unit = [
  { id = "far", side = "csa", sp = 9, independent = true, at = "0501" },
  { id = "guns", side = "usa", type = "artillery", sp = 6, independent = true, at = "0508" },
]
leader = [{ id = "hill", side = "csa", rank = "division", at = "0505" }]

[map]
cols = 9
rows = 9

[position]
phase = "artillery"

[[step]]
play = "fire guns at hill"
dice = [4]
rolls = [{ by = "guns", at = "hill", rule = "5.3.1.d", faces = [4] }]
decides = "usa"
then = "tide"
expect = { "hill.replaced" = false, "tide.usa" = true }

[[step]]
offers = ["tide", "keep"]
play = "tide"
dice = [5]
expect = { "hill.replaced" = true, "hill.hex" = "0501", "tide.usa" = false, "tide.csa" = true }
''')
put('12-tide/12.0.b-lone-leader-kept','A die against a lone leader that is kept stands, hit or miss',['12.0.b','5.3.1.d'],'''
unit = [
  { id = "far", side = "csa", sp = 9, independent = true, at = "0501" },
  { id = "guns", side = "usa", type = "artillery", sp = 6, independent = true, at = "0508" },
  { id = "more-guns", side = "usa", type = "artillery", sp = 6, division = "meade", at = "0708" },
]
leader = [
  { id = "hill", side = "csa", rank = "division", at = "0505" },
  { id = "early", side = "csa", rank = "division", at = "0704" },
  { id = "meade", side = "usa", rank = "division", at = "0108" },
]

[map]
cols = 9
rows = 9

[position]
phase = "artillery"
out_of_command = ["more-guns"]

[[step]]
note = "The guns may join each other: alone they open fire."
play = ["fire guns at hill", "open"]
dice = [5]
then = "tide"

[[step]]
play = "keep"
expect = { "hill.replaced" = true, "tide.usa" = true }

[[step]]
note = "Guns out of command by themselves: nobody asks."
play = "fire more-guns at early"
dice = [4]
rolls = [{ at = "early", need = 5, result = 0 }]
expect = { "early.replaced" = false, "early.hex" = "0704", "tide.usa" = true }
''')
edit('05-command/5.3.1.d-lone-leader',[('tide = { usa = true, csa = true }',NOTIDE),('The die cannot be rolled again. He who is hit goes','He who is hit goes'),('rolls = [{ at = "hit"','rolls = [{ by = "guns", at = "hit"')])
# --- R68
put('14-victory/14.0.b-from-the-start','Who stands on an objective at the start controls it where the scenario names nobody',['14.0.b','14.0.a'],'''
unit = [
  { id = "gibbon", side = "usa", sp = 9, independent = true, at = "0505" },
  { id = "hood", side = "csa", sp = 9, independent = true, at = "0101" },
]
leader = [{ id = "meade", side = "usa", rank = "division", at = "0705" }]
objective = [{ hex = "0505", points = 5 }, { hex = "0705", points = 2 }, { hex = "0101", points = 3, control = "csa" }]

[map]
cols = 9
rows = 9

[[step]]
note = "A leader by himself holds nothing."
expect = { "control.0505" = "usa", "score.usa" = 5, "control.0705" = "none", "control.0101" = "csa", "score.csa" = 3 }
''')
# --- R51
put('08-movement/8.1.11.b-in-a-zone','Movement stops in a zone: no change of formation follows; who begins there may change',['8.1.11.b','1.1.2.c','8.1.10.a'],'''
unit = [
  { id = "horse", side = "usa", type = "cavalry", sp = 6, independent = true, at = "0505" },
  { id = "spare", side = "usa", type = "cavalry", sp = 6, independent = true, at = "0603" },
  { id = "hood", side = "csa", sp = 9, independent = true, at = "0502" },
]

[map]
cols = 9
rows = 9

[position]
phase = "movement"

[[step]]
play = "march horse 0503"
expect = { "horse.hex" = "0503", "horse.formation" = "mounted", "horse.mp" = 7 }

[[step]]
refused = { "march horse 0504" = "1.1.2.c", "dismount horse" = "1.1.2.c" }
not_offered = ["dismount horse"]
play = "dismount spare"
expect = { "spare.formation" = "dismounted", "spare.mp" = 4, "spare.in_zone_of" = ["hood"] }
''')
# --- R60
put('06-organization/6.1.1.e-out-of-command','A breastwork is completed although its builders have lost touch with their leader',['6.1.1.e','5.2.4.d','6.1.2.d'],'''
options = { breastworks = true, burning = true }
unit = [
  { id = "foot", side = "usa", sp = 6, division = "meade", at = "0505" },
  { id = "torch", side = "usa", sp = 6, division = "meade", at = "0705" },
  { id = "hood", side = "csa", sp = 6, independent = true, at = "0101" },
]
leader = [{ id = "meade", side = "usa", rank = "division", at = "0505" }]
burnable = [{ depot = "0705", name = "the depot" }]

[map]
cols = 15
rows = 9

[position]
phase = "organization"

[[step]]
play = ["build foot", "burn torch 0705", "done"]
then = "march"

[[step]]
note = "Meade rides off: at the next Command Phase both are out of command."
play = ["march meade 1405", "done"]
until = "organize"
otherwise = "pass"
expect = { turn = 1, active = "usa" }
''')
