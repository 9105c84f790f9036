"""Where things lie in a state: a row of slots. Only the interpreter knows this; all others read cells and logs.

0 the node, 1 the log, 2 chance's generator (None: chance is a decision), 3 the result, 4 who plans (a mask) or None,
5 what a plan holds back from the others, 6 where a match goes on when the game inside it ends, 7 who won that game,
8 whether a plan is only being tried; then the cells of the state, then the variables of the rules.
"""

HEADER = 9
