"""Records that are wrong in one way each: the key that must be named, and a word of the reason."""

GOOD = "trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40:20"

MALFORMED: dict[str, tuple[str, str, str]] = {
    "two cards alike": ("trump=C me=STJ,DQ,CAQ opp=SAT,DAK,CJ points=40:20", "opp", "♠10"),
    "a card twice in one hand": ("trump=C me=STT,DQ,CAQ opp=SAQ,DAK,CJ", "me", "twice"),
    "19 cards": ("trump=SQ me=HQ,DAK,CTK unseen=HT,DTJ,CQJ gone=SAK,STJ,HAK,HJ,CA points=28:27 talon=2", "gone", "♦Q"),
    "unequal hands": ("trump=C me=STJ,DQ,CAQ opp=SAQ,DAK points=40:20", "opp", "4"),
    "too many in hand": ("trump=C me=STJ,DQJ,CAQ opp=SAQ,HAK,DAK", "me", "6"),
    "too many with the opponent": ("trump=C me=STJ opp=SAQ,DAK,CJ points=40:20", "opp", "5"),
    "points impossible": ("trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40:21", "points", "impossible"),
    "points without a trick": ("trump=DJ me=SA,HT,DAK,CQ opp=HJ,DTQ,CAT points=4:0 talon=10", "points", "no card"),
    "one player's points impossible": ("trump=S me=SATKQJ opp=HATKQJ points=1:59", "points", "impossible"),
    "over already": ("trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=66:10", "points", "over"),
    "closed without a talon": (f"{GOOD} closed=me@20 talon=0", "closed", "used up"),
    "closed by nobody": (f"{GOOD} closed=him@20", "closed", "me@19"),
    "closed with more points than now": (f"{GOOD} closed=me@30 talon=2", "closed", "now"),
    "closed with an impossible count": (f"{GOOD} closed=me@3 talon=2", "closed", "3"),
    "closer not at the lead": ("trump=H me=HTK,DTQJ opp=ST,HQ,DAK,CT points=32:28 closed=me@28 turn=opp", "turn", "lead"),
    "count at the close differs": ("trump=H me=HTK,DTQJ opp=ST,HQ,DAK,CT points=32:28 closed=me@20", "closed", "28"),
    "closed too early": (
        "rules=rulebook trump=DJ me=SA,HT,DAK,CQ opp=HJ,DTQ,CAT closed=me@0 talon=10", "closed", "first trick"),
    "closed too late": (
        "rules=sharp trump=DJ me=SA,HT,DAK,CQ opp=HJ,DTQ,CAT talon=2 closed=me@38 points=41:38", "closed", "4"),
    "a trick of one point": (
        "trump=SJ me=HA,HT,DA opp=HK,HQ,DK points=30:20 closed=me@19", "closed", "4 or more"),
    "closed by a player never at the lead": (
        "trump=SJ me=HA,HT,DA opp=HK,HQ,DK points=0:30 turn=opp closed=me@9", "closed", "never"),
    "led by a player without a trick": (
        "trump=SJ me=HAT,DAT opp=HKQ,DKQ talon=10 points=4:0 closed=opp@0 turn=opp", "turn", "lead"),
    "a marriage whose other card is unseen": ("trump=DJ me=SATK,HA,CA gone=HTK talon=8 points=34:0", "points", "20"),
    "a marriage in one trick": (
        "trump=SJ me=HAT,DAT,CA opp=HKQ,DKQ,CJ talon=ST,SK,SQ,CT,SA,HJ,DJ,SJ gone=CKQ points=27:0", "points", "20"),
    "a marriage before the rules allow one": (
        "rules=sharp trump=DJ me=SATK,HA,CA gone=SQ,HQ talon=8 points=26:0", "points", "20"),
    "closed before the other's first trick": (
        "trump=DJ me=SAT,HA,CA gone=SQ,HQ talon=10 points=0:6 turn=opp closed=me@6", "closed", "me@0"),
    "talon odd": ("trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK points=41:38 talon=3", "talon", "3"),
    "talon too long": ("trump=DJ me=SA,HT,DAK,CQ talon=12", "talon", "12"),
    "talon ends wrongly": ("trump=DJ me=SA,HT,DAK,CQ opp=HJ,DTQ,CAT talon=CK,SJ", "talon", "face-up"),
    "talon size missing": ("trump=DJ me=SA,HT,DAK,CQ opp=HJ,DTQ,CAT points=41:38", "talon", "missing"),
    "unseen missing": ("trump=DJ me=SA,HT,DAK,CQ points=41:38 talon=2", "unseen", "missing"),
    "unseen too short": ("trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CAT points=41:38 talon=2", "unseen", "5"),
    "face-up card missing": ("trump=D me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK points=41:38 talon=2", "trump", "face-up"),
    "short hand with an open talon": ("trump=DJ me=SA,HT,DAK unseen=HJ,DTQ,CATK talon=2", "me", "4"),
    "led by two": ("trump=C me=STJ,DQ,CAQ opp=SAQ,DAK led=CJ,CK points=40:20", "led", "one card"),
    "led card still in hand": ("trump=C me=STJ,DQ,CAQ opp=SAQ,DAK led=SA points=40:20", "led", "♠A"),
    "announced without a lead": (f"{GOOD} announced=20", "announced", "led"),
    "announced with an ace": ("trump=C me=STJ,DQ,CAQ opp=SQ,DAK,CJ led=SA announced=20 points=40:20", "announced", "king"),
    "announced without the partner": (
        "trump=C me=STJ,DQ,CAQ opp=SAQ,DA,CJ led=DK announced=20 points=40:40", "announced", "♦Q"),
    "announced at the wrong price": (
        "trump=C me=STJ,HAT,CA opp=SAQ,DK,CJ led=DQ announced=40 points=40:40", "announced", "40"),
    "queen led against the rules": (
        "rules=sharp trump=C me=STJ,HAT,CA opp=SAQ,DK,CJ led=DQ announced=20 points=40:40", "led", "king"),
    "pending beside points": (f"{GOOD} pending=20:0", "pending", "points"),
    "pending too much": ("trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ turn=opp points=0:40 pending=60:0", "pending", "60"),
    "tricks do not fit": (f"{GOOD} tricks=3:3", "tricks", "5"),
    "tricks without points": ("trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=60:0 tricks=4:1", "tricks", "opp"),
    "score of a match that is over": (f"{GOOD} score=0:7", "score", "7"),
    "not a card": ("trump=C me=S1J,DQ,CAQ opp=SAQ,DAK,CJ", "me", "S1J"),
    "a nine": ("trump=C me=S9J,DQ,CAQ opp=SAQ,DAK,CJ", "me", "♠9"),
    "suit without a rank": ("trump=C me=SAT,H opp=SAQ,DAK,CJ", "me", "suit"),
    "not a trump": ("trump=X me=STJ,DQ,CAQ opp=SAQ,DAK,CJ", "trump", "X"),
    "no trump": ("me=STJ,DQ,CAQ opp=SAQ,DAK,CJ", "trump", "missing"),
    "no hand": ("trump=C opp=SAQ,DAK,CJ", "me", "missing"),
    "nobody's turn": (f"{GOOD} turn=him", "turn", "me or opp"),
    "points as one number": ("trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40", "points", "14:9"),
    "no such rules": (f"{GOOD} rules=hard", "rules", "hard"),
    "no such rule option": (f"{GOOD} rules=soft+speed=1", "rules", "speed"),
    "no such game": (f"{GOOD} game=skat", "game", "skat"),
    "a key nobody knows": (f"{GOOD} pionts=1:2", "pionts", "points"),
    "a key twice": (f"{GOOD} me=SA", "me", "twice"),
    "no key": (f"{GOOD} hello", "record", "hello"),
}  # fmt: skip
