"""Things by their names, for tests that know that what they look at are things."""


def named(game, value):
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, tuple):
        return [named(game, x) for x in value]
    return game.vocabulary.atoms[value].name
