"""From a player's log: what can be known, and what to do. It knows no game and no language of people.

| module | what others use of it |
|---|---|
| `belief` | `Belief`, `WorldCells`, `Unknown`, `MISSING`: the worlds that agree with a log |
| `deals`, `answers` | sets of worlds as numbers; what can be answered to a question in a world |
| `courses`, `stories`, `wishes` | `Courses`: in any game, the positions as they may be now, and how likely each is |
| `noted` | `Noted`, `NotedNow`: the same, from what somebody has noted at a real table |
| `models` | `courses_of`: how others are taken to choose |
| `now`, `secrets` | `belief_of`, `belief_for`: a belief of either kind, as the game needs it |
| `odds` | `Odds`: how likely each of them is |
| `questions` | `Questions`: what a seat may want to know, and whether it does |
| `bots` | `BOTS`: who can sit at the table without being a person |
| `kinds` | `KINDS`, `USUAL`, `SEATED`, `MODELS`: what these are called |
| `dealing`, `origins` | how worlds are dealt; where a value that is shown was chosen |
| `hurry` | `Hurry`: how much of the time to think is gone |
| `imagination` | `Imagination`, `insight`: what may follow from a choice |
| `thinker`, `goals`, `judge`, `deducer`, `search`, `ahead` | what bots are made of |
"""
