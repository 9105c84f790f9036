"""What only an onlooker can tell of a belief: whether it is right."""

from tabarro.interpreter.slots import HEADER


def holds_the_truth(belief, state):
    """Is the true deal among the worlds?"""
    return tuple(state.v[HEADER + cell] for cell in belief.ready().place) in belief.worlds
