exec(open('/tmp/sit/make.py').read())
put('09-combat/9.6.d-order','Loss, limbering and leader come before the retreat, the retreat before the check',['9.6.d','9.8.k','9.8.d','5.3.1.a'],'''
unit = [
  { id = "gibbon", side = "csa", sp = 24, independent = true, at = "0107" },
  { id = "guns", side = "usa", type = "artillery", sp = 9, morale = "gold", division = "meade", at = "0106" },
]
leader = [{ id = "meade", side = "usa", rank = "division", at = "0106" }]
retreat = { usa = ["0101"] }
first = "csa"

[map]
cols = 1
rows = 9

[position]
phase = "offensive"
active = "csa"
tide = { usa = false, csa = false }

[[step]]
note = "24 SP and a 10: 3R, and the leader is checked."
play = "fire gibbon at guns"
dice = [10]
before = "casualty"
expect = { "guns.sp" = 6, "guns.formation" = "unlimbered", "guns.hex" = "0106", "meade.hex" = "0106" }

[[step]]
dice = [6]
before = "limber"
rolls = [{ by = "meade", rule = "5.3.1.a", need = 7, result = 0 }]
expect = { "guns.sp" = 6, "meade.replaced" = false }

[[step]]
before = "retreat"
expect = { "guns.sp" = 5, "guns.formation" = "limbered", "guns.hex" = "0106" }

[[step]]
before = "morale"
expect = { "guns.hex" = "0104", "meade.hex" = "0104", "guns.passes_at" = 9 }

[[step]]
dice = [9]
rolls = [{ by = "guns", rule = "9.7.b", need = 9, result = 1, modifiers = { "1.1.5.a" = 9, "5.3.a" = 1, "9.7.c" = -1 } }]
expect = { "guns.routed" = false, "losses.usa" = 4 }
''')
put('06-organization/6.1.a-nothing-to-do','A phase in which nobody can do anything is passed over; what it would refuse is still refused',['6.1.a','4.2.a','10.1.a'],'''
unit = [
  { id = "gibbon", side = "usa", sp = 9, independent = true, at = "0107" },
  { id = "hood", side = "csa", sp = 9, independent = true, at = "0101" },
]

[map]
cols = 1
rows = 9

[position]
phase = "command"

[[step]]
before = "organization"
refused = {}
expect = { phase = "organization", active = "usa" }

[[step]]
refused = { "build gibbon" = "6.1.a", "raze gibbon" = "6.1.a", "march gibbon 0106" = "4.2.a" }
before = "artillery"
expect = { phase = "artillery" }

[[step]]
refused = { "fire gibbon at hood" = "7.1.a" }
''')
