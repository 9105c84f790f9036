"""One short module for each command: its arguments, and `run`. Nothing imports a command but `cli.py`, by its name.

What each of them is for stands here, so that `tabarro --help` need not load them all.
"""

from __future__ import annotations

from ...speech.language import N_

__all__ = ["SUMMARIES"]

SUMMARIES = {
    "list": N_("show all games, their numbers of players and their options"),
    "play": N_("play a game at the terminal"),
    "learn": N_("learn a game by playing it, step by step"),
    "resume": N_("go on with a game that is not finished"),
    "replay": N_("tell a saved game again"),
    "watch": N_("watch bots play a game"),
    "deduce": N_("find out what follows from the notes of a game at a real table"),
    "rulebook": N_("write the rules of a game for people to read"),
    "board": N_("draw the board of a game"),
    "print": N_("make a kit to print and cut out, to play a game at a table"),
    "new": N_("begin a variant of a game, or a board of your own"),
    "check": N_("look for mistakes in rule files"),
    "try": N_("look at a rule file each time it is saved, and tell what has changed"),
    "show": N_("show what can be changed in a game, and how"),
    "diff": N_("say what a variant changes"),
    "say": N_("say a condition in words, and whether it holds"),
    "test": N_("play scenarios and compare what follows with what they say"),
    "texts": N_("collect the texts of a game that are not translated"),
    "translate": N_("write a rule file in another language"),
    "pack": N_("put all that a house rule needs into one file, for others"),
    "unpack": N_("take the files out of a pack"),
    "simulate": N_("play many games among bots and count"),
    "perft": N_("count the ways in which a game can go"),
    "solve": N_("find out how a small game should be played"),
    "lsp": N_("help an editor with rule files while you type"),
    "schema": N_("print the JSON Schema of rule files, for editors"),
    "completion": N_("print what a shell needs to complete commands, options and games"),
    "help": N_("tell how a command is used"),
}
