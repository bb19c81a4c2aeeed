exec(open('/tmp/sit/make.py').read())
edit('06-organization/6.1.1.e-out-of-command',[('play = ["build foot", "burn torch 0705", "done"]','play = ["build foot", "burn torch 0705"]')])
edit('06-organization/6.1.1.g-raze-and-build',[('  { id = "hood",','  { id = "spare", side = "usa", sp = 6, independent = true, at = "0909" },\n  { id = "hood",')])
edit('09-combat/9.5.i-flank-in-cover',[('expect = { "guns.sp" = 9, "fire.column" = "13-16", "fire.modifier" = -1, "chart.13.5" = "M" }','expect = { "guns.sp" = 9, "guns.routed" = false, "chart.13.5" = "M", "fire.guns.a+b+c" = "9 SP, column 13-16, die -1" }')])
