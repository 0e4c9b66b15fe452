import itertools, sys, time
from try1 import *
from concurrent.futures import ThreadPoolExecutor
lay=cache.load("layouts")
from bummerl.cards import parse_hand
def swap(h,t):
    if t==0: return h
    a=h&63; b=(h>>6*t)&63
    return h&~(63|63<<6*t)|b|a<<6*t
def combos(n,k): return np.array([sum(1<<i for i in c) for c in itertools.combinations(range(n),k)],dtype=np.int64)
def run(name,hand,seat,kind,tr,leader,known=False,threads=2,sample=None):
    h=parse_hand(hand); h=swap(h,1) if tr else h
    deck=swap(DECK,1) if tr else DECK
    unseen=[1<<c for c in cards_in(deck&~h)]
    cards=np.array(unseen,dtype=np.int64)
    seats=[s for s in range(4) if s!=seat]
    if 0 in seats: seats.remove(0); seats=[0]+seats
    f=combos(15,5)
    if known:
        tm=sum(1<<i for i,c in enumerate(unseen) if c&63)
        f=f[(f&tm)!=0]
    s=combos(10,5)
    H=[0]*4; H[seat]=h
    # any cards for the others
    r=row(kind,seat,H,63 if tr else 0,leader,out=None)
    total=len(f)*len(s)
    t0=time.perf_counter()
    chunks=np.array_split(np.arange(total,dtype=np.int64),64)
    def work(c):
        w=ws(); out=np.zeros(10,dtype=np.int64); out[7]=-1
        lay.count(w,r,cards,f,s,np.array(seats,dtype=np.int64),c,out); return out
    with ThreadPoolExecutor(threads) as ex: outs=list(ex.map(work,chunks))
    o=sum(outs)
    print(name,hand,"made",o[4:7].sum(),"of",total,"%.2f s"%(time.perf_counter()-t0),"nodes",o[8]/total, o[:7], flush=True)
if __name__=="__main__":
    run("durchmarsch","CAKQJ,HA",0,2,False,0)
    run("durchmarsch","HA,SATQ,DA",0,2,False,0)
    run("durchmarsch","HAT,DAT,ST",0,2,False,0)
    run("schnapser","HAT,SA,DKJ",0,1,True,0)
    run("schnapser","HAKQ,CQ,DJ",0,1,True,0)
    run("bauernschnapser","HATJ,SAT",0,2,True,0)
    run("bauernschnapser","HATJ,DAQ",0,2,True,0)
    run("kontraschnapser","HAKQ,CA,SA",1,1,True,0,True)
    run("kontraschnapser","HAT,DAT,SA",1,1,True,0,True)
    run("kontrabauernschnapser","HATJ,SA,DA",1,2,True,0,True)
    run("rufer","HAT,DAT,SA",0,0,True,0)
