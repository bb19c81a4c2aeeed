exec(open('/tmp/sit/make.py').read())
p='/work/wt/bb/rules/brigade-battles/rules.toml'
t=open(p).read().rstrip()+'''

# ---------------------------------------------------------------- Special rules of our scenarios
[[rule]]
id = "antietam.a"
name = "Morell comes up"
says = "With the option morell, Morell and his three brigades enter from turn 11 (1600) by E3, and the Confederates begin with 8 points more; without it they never come."
clauses = 2

[[rule]]
id = "antietam.b"
name = "A bolder McClellan"
says = "With the option bolder_mcclellan, Richardson's division enters from turn 3 by E2, the IX Corps from turn 2 by E4, the VI Corps from turn 5 by E2, and the Confederates begin with 25 points more."

[[rule]]
id = "antietam.c"
name = "A P Hill by die"
says = "With the option hill_by_die, a die thrown when turn 9 (1400) begins tells from which turn A P Hill's division enters by W2: turn 9 on 1 or 2, turn 10 on 3 to 8, turn 11 on 9 or 10."
clauses = 3

[[rule]]
id = "antietam.d"
name = "Fords of the lower Antietam"
says = "With the option fords, Snavely's Ford (1228/1328) and the place below the bridge (1425/1525) carry markers: the first is a ford, the second is none. Without it the first is a known ford and the second plain river."
clauses = 2

[[rule]]
id = "cedar-mountain.a"
name = "Sigel's van"
says = "With the option sigel, Milroy's brigade enters in turn 8, the night turn, by NE; without it it never comes."
clauses = 2

[[rule]]
id = "cedar-mountain.b"
name = "Banks attacks"
says = "With the option banks_attacks, the Union gains 10 points once, when its first infantry unit comes to stand in the Gate (1012)."
clauses = 2
'''
open(p,'w').write(t)
import re
p='/work/wt/bb/scenarios/brigade-battles/antietam.toml'
s=open(p).read()
for id,r in (('morell','antietam.a'),('bolder_mcclellan','antietam.b'),('hill_by_die','antietam.c')):
    s=s.replace(f'[[variant]]\nid = "{id}"\n',f'[[variant]]\nid = "{id}"\nrule = "{r}"\n')
open(p,'w').write(s)
p='/work/wt/bb/scenarios/brigade-battles/cedar-mountain.toml'
s=open(p).read()
for id,r in (('sigel','cedar-mountain.a'),('banks_attacks','cedar-mountain.b')):
    s=s.replace(f'[[variant]]\nid = "{id}"\n',f'[[variant]]\nid = "{id}"\nrule = "{r}"\n')
open(p,'w').write(s)
D='15-scenarios/'
put(D+'antietam.a-morell','Morell enters from 1600 on, not before, and his coming is worth 8 points to the Confederates',['antietam.a/1'],'''
scenario = "brigade-battles/antietam"
otherwise = "pass"

[options]
morell = true

[position]
turn = 10
phase = "movement"
out_of_command = []

[[step]]
note = "65 points at the start, 75 of objectives, 8 for Morell."
by = "usa"
refused = { "march barnes 2411" = "8.3.a", "march morell 2411" = "8.3.a" }
expect = { "score.csa" = 148, "barnes.start" = "T11 E3", "griffin.start" = "T11 E3", "stockton.start" = "T11 E3", "morell.state" = "due" }

[[step]]
play = "done"
until = "march"
expect = { active = "csa" }

[[step]]
play = "done"
until = "march"
expect = { turn = 11, active = "usa" }

[[step]]
offered = ["march barnes 2411", "march morell 2413"]
''')
put(D+'antietam.a-without','Without the option Morell never comes',['antietam.a/2'],'''
scenario = "brigade-battles/antietam"

[position]
turn = 13
phase = "movement"
out_of_command = []

[[step]]
by = "usa"
refused = { "march barnes 2411" = "8.1.1.a" }
expect = { "score.csa" = 140, "barnes.state" = "gone" }
''')
put(D+'antietam.b-bolder','A bolder McClellan brings three bodies early, for 25 points',['antietam.b'],'''
scenario = "brigade-battles/antietam"

[options]
bolder_mcclellan = true

[position]
turn = 2
phase = "movement"
out_of_command = []

[[step]]
by = "usa"
offered = ["march ferrero 2421"]
refused = { "march meagher 2407" = "8.3.a", "march hancock 2407" = "8.3.a" }
expect = { "score.csa" = 165, "meagher.start" = "T3 E2", "crook.start" = "T2 E4", "torbert.start" = "T5 E2", "franklin.state" = "due" }
''')
for face,turn,clause in ((2,9,1),(3,10,2),(8,10,2),(9,11,3)):
    offered='offered = ["march gregg 0126", "march a-p-hill 0128"]' if turn==9 else 'refused = { "march gregg 0126" = "8.3.a" }'
    extra=''
    if turn!=9:
        steps=turn-9
        for k in range(steps):
            extra+=f'''
[[step]]
play = "done"
until = "march"
expect = {{ active = "usa", turn = {10+k} }}

[[step]]
play = "done"
until = "march"
expect = {{ active = "csa", turn = {10+k} }}

[[step]]
'''+('offered = ["march gregg 0126"]\n' if 10+k==turn else 'refused = { "march gregg 0126" = "8.3.a" }\n')
    put(D+f'antietam.c-die-{face}',f'A {face} on the die brings A P Hill in turn {turn}' if face!=8 else f'An 8 on the die brings A P Hill in turn {turn}',[f'antietam.c/{clause}'],f'''
scenario = "brigade-battles/antietam"
otherwise = "pass"

[options]
hill_by_die = true

[position]
turn = 8
active = "csa"
phase = "movement"
out_of_command = []

[[step]]
by = "csa"
refused = {{ "march gregg 0126" = "8.3.a" }}
play = "done"
until = "march"
dice = [{face}]
rolls = [{{ rule = "antietam.c", faces = [{face}] }}]
only_rolls = true
expect = {{ turn = 9, active = "usa" }}

[[step]]
play = "done"
until = "march"
expect = {{ turn = 9, active = "csa" }}

[[step]]
{offered}
'''+extra)
put(D+'antietam.d-searched','Where fords are searched for, both places on the lower Antietam carry markers and are closed',['antietam.d/1'],'''
scenario = "brigade-battles/antietam"

[options]
fords = true

[position]
phase = "organization"
out_of_command = []
unit.harland = { hex = "1328" }
unit.fairchild = { hex = "1525" }

[[step]]
expect = { "ford.1228.1328" = "unsearched", "ford.1425.1525" = "unsearched", "cost.harland.1328.1228" = "closed", "cost.fairchild.1525.1425" = "closed" }

[[step]]
play = ["search harland 1228/1328", "search fairchild 1425/1525"]
expect = { "ford.1228.1328" = "ford", "ford.1425.1525" = "river" }
''')
put(D+'antietam.d-known','Where fords are known, Snavely\'s is one and the place below the bridge is river',['antietam.d/2'],'''
scenario = "brigade-battles/antietam"

[[step]]
expect = { "side.1228.1328" = ["ford", "river"], "side.1425.1525" = ["river"] }
''')
put(D+'cedar-mountain.a-sigel','Milroy enters in the night turn',['cedar-mountain.a/1'],'''
scenario = "brigade-battles/cedar-mountain"
otherwise = "pass"

[options]
sigel = true

[position]
turn = 7
phase = "movement"
out_of_command = []

[[step]]
refused = { "march milroy 2203" = "8.3.a" }
expect = { "milroy.start" = "T8 NE", night = false }

[[step]]
play = "done"
until = "march"
expect = { active = "usa", turn = 7 }
''')
put(D+'cedar-mountain.a-without','Without the option Milroy never comes',['cedar-mountain.a/2'],'''
scenario = "brigade-battles/cedar-mountain"

[position]
turn = 8
phase = "movement"
out_of_command = []

[[step]]
expect = { "milroy.state" = "gone", "milroy.start" = "off" }
''')
for opt,clause in ((True,1),(False,2)):
    put(D+('cedar-mountain.b-prize' if opt else 'cedar-mountain.b-without'),'The first Union infantry at the Gate brings 10 points, once' if opt else 'Without the option the Gate is worth its 4 points alone',[f'cedar-mountain.b/{clause}'],f'''
scenario = "brigade-battles/cedar-mountain"

[options]
banks_attacks = {'true' if opt else 'false'}

[position]
turn = 6
active = "usa"
phase = "movement"
out_of_command = []
unit.crawford = {{ hex = "1011" }}
unit.geary = {{ hex = "1110" }}

[[step]]
note = "16 points at the start and 24 of objectives; the Gate adds 4."
expect = {{ "score.usa" = 40 }}

[[step]]
play = "march crawford 1012"
expect = {{ "crawford.hex" = "1012", "score.usa" = {54 if opt else 44} }}

[[step]]
note = "Whoever comes next gains nothing more."
play = ["march geary 1111"]
expect = {{ "score.usa" = {54 if opt else 44} }}
''')
