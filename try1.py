import numpy as np, time, random, sys
from bummerl.kernels import cache
m=cache.load("four_handed")
from bummerl.kernels import table_layout as L
from bummerl.cards import DECK, cards_in
def ws(bits=12,feat=31):
    a=np.zeros(L.TABLE+(3<<bits),dtype=np.int64); a[L.TABLE_MASK]=(1<<bits)-1; a[L.FEATURES]=feat; return a
def row(kind,decl,hands,trumps,leader,flags=0,out=None):
    r=np.zeros(L.ROW_LENGTH,dtype=np.int64)
    r[0:4]=hands; r[L.KIND]=kind; r[L.DECLARER]=decl; r[L.SIDE]=(5 if decl%2==0 else 10)
    n=4
    seats=[0,1,2,3]
    if out is not None: seats.remove(out)
    for i,s in enumerate(seats): r[L.NEXT+s]=seats[(i+1)%len(seats)]
    r[L.PLAYERS]=len(seats)
    r[L.TRICK]=leader|len(seats)<<L.LEFT_SHIFT|L.NOTHING
    r[L.NEED]=r[L.OTHER]=66; r[L.TRUMPS]=trumps; r[L.FLAGS]=flags; r[L.DEALT]=5
    return r
if __name__=="__main__":
    rng=random.Random(1)
    deck=list(cards_in(DECK))
    deals=[]
    for i in range(2000):
        rng.shuffle(deck); deals.append([sum(1<<c for c in deck[5*j:5*j+5]) for j in range(4)])
    w=ws()
    for name,kind,d,tr,ld,out in (("rufer",0,0,63,0,None),("schnapser",1,0,63,0,None),("schnapser3",1,2,63,0,None),("kontraschnapser",1,1,63,0,None),("durchmarsch",2,0,0,0,None),("bauernschnapser",2,0,63,0,None),("bettler",3,0,0,0,2)):
        rows=np.array([row(kind,d,h,tr,ld,out=out) for h in deals])
        v=np.zeros(len(rows),dtype=np.int64); n=v.copy()
        t=time.perf_counter(); m.values(w,rows,v,n); t=time.perf_counter()-t
        print(name, "us %.2f"%(t/len(rows)*1e6), "nodes %.1f"%n.mean(), np.unique(v,return_counts=True))
