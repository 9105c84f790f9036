"""Soon."""
from .language import N_

SUMMARY = N_("soon")


def arguments(parser, language):
    pass


def run(args, terminal):
    return 0
