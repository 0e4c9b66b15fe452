"""The games for three and four players: their contracts, rules and positions."""
