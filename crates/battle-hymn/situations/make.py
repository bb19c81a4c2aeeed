import os
ROOT='/work/wt/bb/crates/brigade-battles/situations/'
def put(path, title, proves, body, note=None):
    proves='['+', '.join(f'"{p}"' for p in proves)+']'
    text=f'system = "brigade-battles"\ntitle = "{title}"\nproves = {proves}\n'
    if note: text+=f'note = "{note}"\n'
    p=ROOT+path+'.toml'
    os.makedirs(os.path.dirname(p),exist_ok=True)
    open(p,'w').write(text+body.strip('\n')+'\n')
def edit(path, pairs):
    p=ROOT+path+'.toml'
    s=open(p).read()
    for a,b in pairs:
        assert s.count(a)==1,(path,a,s.count(a))
        s=s.replace(a,b)
    open(p,'w').write(s)
NOTIDE='tide = { usa = false, csa = false }'
