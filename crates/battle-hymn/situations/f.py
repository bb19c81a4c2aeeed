exec(open('/tmp/sit/make.py').read())
D='15-scenarios/'
for n in ('cedar-mountain.b-prize','cedar-mountain.b-without'):
    p=ROOT+D+n+'.toml'; s=open(p).read(); i=s.index('\n[[step]]\nnote = "Whoever'); s=s[:i]
    s=s.replace('unit.geary = { hex = "1110" }\n','').replace('brings 10 points, once','brings 10 points')
    open(p,'w').write(s)
edit(D+'cedar-mountain.a-sigel',[('turn = 7\nphase','turn = 7\nactive = "usa"\nphase'),('''play = "done"
until = "march"
expect = { active = "usa", turn = 7 }
''','''play = "done"
until = "march"
expect = { active = "csa", turn = 8 }

[[step]]
play = "done"
until = "march"
expect = { active = "usa", turn = 8, night = true }

[[step]]
offered = ["march milroy 2203", "march milroy 2103"]
''')])
