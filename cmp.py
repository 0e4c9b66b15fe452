import subprocess, sys, random, numpy as np, time
sys.path.insert(0,'/tmp/bk')
from try1 import *
from bummerl.cards import cards_in
from bummerl.cards import SUITS, RANKS
N=int(sys.argv[1]); rng=random.Random(int(sys.argv[2]))
deck=list(cards_in(DECK))
def txt(h): return "".join(SUITS[c//6]+RANKS[c%6] for c in cards_in(h))
def ten(h):
    out=0
    for c in cards_in(h):
        out|=1<<(c-5 if c%6==5 else c)
    return out
def swap(h,t):
    if t==0: return h
    a=h&63; b=(h>>6*t)&63
    return h&~(63|63<<6*t)|b|a<<6*t
CON={"rufer":(0,True,"F"),"bettler":(3,False,"D"),"schnapser":(1,True,"F"),"durchmarsch":(2,False,"D"),"zehnerloch":(2,False,"D"),"kontraschnapser":(1,True,"F"),"bauernschnapser":(2,True,"F"),"kontrabauernschnapser":(2,True,"F")}
w=ws()
for name,(kind,tr,ld) in CON.items():
    lines=[];rows=[]
    for i in range(N):
        rng.shuffle(deck); H=[sum(1<<c for c in deck[5*j:5*j+5]) for j in range(4)]
        t=rng.randrange(4)
        d={"rufer":0,"schnapser":rng.choice((0,2)),"bauernschnapser":rng.choice((0,2)),"kontraschnapser":rng.choice((1,3)),"kontrabauernschnapser":rng.choice((1,3))}.get(name,rng.randrange(4))
        if name not in("rufer","bettler") and i%2:
            # strong hands for the declarer
            best=sorted(deck,key=lambda c:(-(c//6==t)*3-(c%6)+rng.random()*4))
            mine=best[:5]; rest=best[5:]; rng.shuffle(rest)
            H=[]
            for j in range(4):
                if j==d: H.append(sum(1<<c for c in mine))
                else: H.append(sum(1<<c for c in rest[:5])); rest=rest[5:]
        lines.append(f"4 {name} {d} {SUITS[t]} "+" ".join(txt(h) for h in H))
        K=[swap(h,t) for h in H] if tr else H
        if name=="zehnerloch": K=[ten(h) for h in K]
        rows.append(row(kind,d,K,63 if tr else 0, 0 if ld=="F" else d, out=(d+2)%4 if kind==3 else None))
    t0=time.perf_counter()
    out=subprocess.run(["/tmp/ym/multi","solve"],input="\n".join(lines)+"\n",capture_output=True,text=True); t1=time.perf_counter()-t0
    if out.returncode or not out.stdout: print(out.stderr[:300], lines[0]); break
    rows=np.array(rows); v=np.zeros(N,dtype=np.int64); n=v.copy()
    t0=time.perf_counter(); m.values(w,rows,v,n); t2=time.perf_counter()-t0
    got=out.stdout.split("\n")
    if name=="rufer": print(got[:3])
    res=[int(g.split()[-1]) if g.split()[-1].lstrip('-').isdigit() else g for g in got if g]
    exp=np.array([ (r if name=="rufer" else (1 if r>0 else -1)) for r in res])
    bad=np.nonzero(exp!=v)[0]
    print(name, "made",(v>0).sum(),"differ",len(bad),"us %.2f yard %.2f"%(t2/N*1e6,t1/N*1e6), [ (lines[i],got[i],v[i]) for i in bad[:2]])
