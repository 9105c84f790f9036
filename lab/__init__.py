"""Many games, and what they tell; scenarios, and whether they come out as they say.

| module | what others use of it |
|---|---|
| `playout` | `Series`, `play_some`: games among bots, one record each |
| `workers`, `cluster` | `play_all`, `play_on_cluster`: in several processes, on several machines |
| `statistics` | `report`, `compare`: shares with their intervals, lengths, differences |
| `knowledge` | `Knowledge`: when each player could have known what |
| `perft` | `explore`, `deepen`: in how many ways a game can go |
| `scenario`, `stated` | `run`, `position_in`: tests of rules that people write |
"""
