"""A slow reading of the rules of the games for three and four players; it imports nothing of ours.

Cards are text, ``HA``; hands are sets. Everybody sees everything. `value` plays every legal card (and, where that
counts, with and without announcing) and remembers what it has seen.

Seats go round from forehand, 0. With four players the declarer's partner sits two seats away; with three all others
play against the declarer together. Values are game points of the declarer's side without Kontra: in a race 1 to 3
won or lost, else the contract's value.
"""

from __future__ import annotations

from functools import cache

WORTH = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
VALUES = {
    "rufer": 1, "bettler": 5, "assbettler": 6, "schnapser": 6, "durchmarsch": 9, "zehnerloch": 10,
    "kontraschnapser": 12, "bauernschnapser": 12, "herrengangl": 18, "kontrabauernschnapser": 24, "herrenschnapser": 24,
}  # fmt: skip
ALL = {"durchmarsch", "zehnerloch", "bauernschnapser", "herrengangl", "kontrabauernschnapser", "herrenschnapser"}
PLAIN = {"bettler", "assbettler", "durchmarsch", "zehnerloch", "herrengangl"}


def order(contract):
    return "TKQJA" if contract == "zehnerloch" else "ATKQJ"


def wins_over(card, best, trump, ranks):
    if card[0] == best[0]:
        return ranks.index(card[1]) < ranks.index(best[1])
    return card[0] == trump


def best_of(trick, trump, ranks):
    place = 0
    for i in range(1, len(trick)):
        if wins_over(trick[i], trick[place], trump, ranks):
            place = i
    return place


def allowed(hand, trick, trump, ranks, beat=True):
    """Follow and beat; else trump, overtrump; else anything."""
    if not trick or beat == "free":
        return set(hand)
    led = trick[0][0]
    top = trick[best_of(trick, trump, ranks)]
    same = {c for c in hand if c[0] == led}
    if same:
        higher = {c for c in same if wins_over(c, top, trump, ranks)}
        return higher if higher and top[0] == led and beat else same
    trumps = {c for c in hand if c[0] == trump}
    if trumps:
        higher = {c for c in trumps if wins_over(c, top, trump, ranks)}
        return higher if higher and top[0] == trump and beat else trumps
    return set(hand)


class Game:
    """What does not change during a deal."""

    def __init__(self, contract, declarer, trump, players=4, options=None):
        options = options or {}
        self.contract, self.declarer, self.players = contract, declarer, players
        self.trump = None if contract in PLAIN else trump
        self.ranks = order(contract)
        self.options = options
        self.beat = not (contract == "durchmarsch" and options.get("gang_duty") == "follow")
        if players == 3 and contract == "rufer":
            self.beat = {"strict": True, "follow": False, "free": "free"}[options.get("dreier_rufer_duty", "strict")]
        self.worth = options.get(f"{contract}_value", VALUES[contract])
        self.cards = 5 if players == 4 else 6
        self.seats = list(range(players))
        if players == 4 and contract in ("bettler", "assbettler") and options.get("bettler_partner") != "in":
            self.seats.remove((declarer + 2) % 4)

    def side(self, seat):
        if self.players == 4:
            return (seat - self.declarer) % 2
        return 0 if seat == self.declarer else 1

    def next(self, seat):
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def counts(self, seat, points):
        if self.contract == "rufer":
            return True
        if self.contract not in ("schnapser", "kontraschnapser"):
            return False
        if seat == self.declarer:
            return True
        return self.side(seat) == 0 and points == 20 and bool(self.options.get("leader_twenty"))

    def race_end(self, winner, points, tricks):
        loser = 1 - winner
        worth = 3 if not tricks[loser] else 2 if points[loser] < 33 else 1
        return worth if winner == 0 else -worth

    def after_trick(self, by, points, tricks, left):
        """Return the value if the deal is over now, else None."""
        side = self.side(by)
        if self.contract == "rufer":
            if points[side] >= 66 and (left or self.options.get("last_trick") != "one"):
                return self.race_end(side, points, tricks)
            if not left:
                if self.options.get("last_trick") == "one":
                    return 1 if side == 0 else -1
                return self.race_end(side, points, tricks)
            return None
        if self.contract in ("bettler", "assbettler"):
            if by == self.declarer:
                return -self.worth
            return None if left else self.worth
        if by != self.declarer:
            return -self.worth
        if self.contract in ALL:
            return None if left else self.worth
        if points[0] >= 66 and (self.options.get("schnapser_end") != "three" or self.cards - left == 3):
            return self.worth
        return -self.worth if self.cards - left == 3 else None

    def turns(self, state):
        """Go through what can be done: text, and the value or the next state."""
        hands, turn, trick = state[:3]
        hand = hands[turn]
        for card in sorted(allowed(hand, trick, self.trump, self.ranks, self.beat)):
            says = [0]
            mate = card[0] + {"K": "Q", "Q": "K"}.get(card[1], "-")
            if not trick and mate in hand:
                bonus = 40 if card[0] == self.trump else 20
                if self.counts(turn, bonus):
                    says.append(bonus)
            for bonus in says:
                yield (f"{bonus} {card}" if bonus else card), self.act(state, card, bonus)

    def act(self, state, card, bonus):
        hands, turn, trick, points, tricks = state
        hands = tuple(h - {card} if s == turn else h for s, h in enumerate(hands))
        points, tricks = list(points), list(tricks)
        side = self.side(turn)
        if bonus:
            points[side] += bonus
            if points[side] >= 66 and tricks[side]:
                if self.contract == "rufer":
                    return self.race_end(side, points, tricks)
                if self.options.get("schnapser_end") != "three":
                    return self.worth
        trick = (*trick, card)
        if len(trick) < len(self.seats):
            return hands, self.next(turn), trick, tuple(points), tuple(tricks)
        leader = self.next(turn)
        by = leader
        for _ in range(best_of(trick, self.trump, self.ranks)):
            by = self.next(by)
        points[self.side(by)] += sum(WORTH[c[1]] for c in trick)
        tricks[self.side(by)] += 1
        end = self.after_trick(by, points, tricks, len(hands[by]))
        if end is not None:
            return end
        return hands, by, (), tuple(points), tuple(tricks)

    def solve(self, state):
        @cache
        def best(state):
            found = [then if isinstance(then, int) else best(then) for _, then in self.turns(state)]
            return max(found) if self.side(state[1]) == 0 else min(found)

        return {text: then if isinstance(then, int) else best(then) for text, then in self.turns(state)}


def moves(contract, declarer, trump, hands, turn, trick=(), points=(0, 0), tricks=(0, 0), players=4, options=None):
    """Return the value of everything that can be done."""
    game = Game(contract, declarer, trump, players, options)
    return game.solve((tuple(map(frozenset, hands)), turn, tuple(trick), tuple(points), tuple(tricks)))


def value(contract, declarer, trump, hands, turn, trick=(), points=(0, 0), tricks=(0, 0), players=4, options=None):
    """Return the value of a position."""
    found = moves(contract, declarer, trump, hands, turn, trick, points, tricks, players, options).values()
    mine = turn == declarer or (players == 4 and (turn - declarer) % 2 == 0)
    return max(found) if mine else min(found)
