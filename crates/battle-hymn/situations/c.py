exec(open('/tmp/sit/make.py').read())
edit('09-retreat/9.9.a-two-hexes',[('''dice = [3, 8]
then = "retreat"

[[step]]
play = ["retreat gibbon 0406", "retreat gibbon 0306", "retreat gibbon 0207"]
dice = [9]
rolls = [{ by = "friend", rule = "9.8.ab", result = 0 }]
decides = "usa"

[[step]]
play = ["retreat friend 0306", "retreat friend 0207", "retreat friend 0107"]
dice = [1]
expect = { "gibbon.routed" = true, "friend.routed" = true, "friend.hex" = "0107" }
''','''dice = [3, 8, 9, 7]
rolls = [{ at = "gibbon" }, { by = "gibbon", result = 0 }, { by = "friend", rule = "9.8.ab", result = 0 }]
expect = { "gibbon.routed" = true, "friend.routed" = true }
''')])
for end,die in (('stays',7),('routs-on',8)):
    p='09-retreat/9.8.ab-routed-'+end
    s=open(ROOT+p+'.toml').read()
    i=s.index('[[step]]')
    s=s[:i]+f'''[[step]]
note = "Through the friend, who checks although he is routed."
play = "fire hood at gibbon"
dice = [3, 8, {die}{'' if die==7 else ', 7'}]
only_rolls = true
rolls = [{{ at = "gibbon" }}, {{ by = "gibbon", result = 0 }}, {{ by = "friend", rule = "9.8.ab", need = 7, result = {1 if die==7 else 0} }}{'' if die==7 else ', { by = "gibbon", rule = "9.8.ab", result = 1 }'}]
expect = {{ "gibbon.hex" = "0203", "friend.hex" = "{'0205' if die==7 else '0202'}", "friend.routed" = true }}
then = "advance"
'''
    open(ROOT+p+'.toml','w').write(s)
edit('09-retreat/9.8.u-has-moved',[('  { id = "gibbon",','  { id = "rear", side = "csa", sp = 12, independent = true, at = "0101" },\n  { id = "gibbon",')])
edit('10-rally/10.1-rally',[('play = ["done", "done"]\nexpect = { phase = "rally", active = "usa", turn = 2 }','play = ["done", "done", "done"]\nexpect = { phase = "rally", active = "usa", turn = 2 }')])
