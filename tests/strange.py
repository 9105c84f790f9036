"""Games that nobody would play, larger than any that comes along: what is promised for any game is tried with them."""

WIDE = """
name: Wide deck
about: {players} people hold {hand} of {cards} cards each, and draw and lay one in turn.
players: {{{players}: {{}}}}
things:
  player: [{names}]
  card:   [{deck}]
seats: players
state:
  hand of player: {{is: set of card, seen by: player}}
  laid:           {{is: list of card, seen by: all}}
  turns:          {{is: number, seen by: all}}
screens: {{secrets: [hand of player]}}
rules:
  game:
    deal: {{deal: cards, to: players, each: {hand}, as: hand}}
    play:
      repeat:
        round:
          for each: player in players
          do:
            lay:
              ask: player
              for: {{card: hand of player}}
              seen by: all
              text: "{{player}} lays {{card}}."
              if none: never
            down: {{set: {{hand of player: hand of player without card, laid: laid plus card}}}}
        count: {{set: {{turns: turns plus 1}}}}
        over:
          if: turns is at least {rounds}
          then: {{end: {{end: "players where {first} is in hand of it", text: It is over.}}}}
"""
RING = """
name: Ring
about: A thief moves unseen on {spots} spots, and shows himself every fourth time; {guards} guards look for him.
players: {{{players}: {{}}}}
things:
  robber: [thief]
  guard:  [{names}]
  player: {{any of: [robber, guard]}}
  way:    [lane]
  spot:   [{ring}]
seats: players
links:
  roads of spot along way:
    lane: [{links}]
state:
  lair:           {{is: spot, start: s1, seen by: thief}}
  place of guard: {{is: spot, start: s0, seen by: all}}
  moves:          {{is: number, seen by: all}}
screens: {{secrets: [lair]}}
rules:
  game:
    begin: {{draw: 1, from: spots, as: den, seen by: thief}}
    hide:  {{set: {{lair: den}}}}
    rounds:
      repeat:
        sneak: {{ask: thief, for: {{target: roads of lair along lane}}, if none: never}}
        there: {{set: {{lair: target, moves: moves plus 1}}}}
        trap:
          for each: guard in guards
          do:
            step:
              ask: guard
              for: {{next: roads of place of guard along lane}}
              seen by: all
              text: "{{guard}} goes to {{next}}."
              if none: never
            go:   {{set: {{place of guard: next}}}}
            look: {{show: lair is next, to: all, as: caught}}
            over:
              if: caught
              then: {{won: {{end: guards, text: Caught.}}}}
        sight:
          if: moves is 4 or moves is 8
          then:
            seen: {{show: lair, to: all, as: seen}}
        away:
          if: moves is at least 9
          then: {{won: {{end: thief, text: Escaped.}}}}
"""
BALLOT = """
name: Ballot
about: Some of {players} are traitors. All vote at the same time, in secret, and what was voted is counted.
players: {{{players}: {{}}}}
things:
  player: [{names}]
  role:   {{columns: {{copies: number}}, members: {{loyal: {{copies: {loyal}}}, traitor: {{copies: {traitors}}}}}}}
  deed:   [help, spoil]
seats: players
state:
  role of player: {{is: role, start: loyal, seen by: player}}
  deed of player: {{is: deed, start: help, seen by: player}}
  fails:          {{is: number, seen by: all}}
  rounds:         {{is: number, seen by: all}}
screens: {{secrets: [role of player]}}
rules:
  game:
    deal: {{deal: roles as often as copies, to: players, as: role}}
    rounds:
      repeat:
        acts:
          for each: player in players
          do:
            choose: {{ask: player, for: {{what: if role of player is traitor then help or spoil else help}}, if none: never}}
            do:     {{set: {{deed of player: what}}}}
        tell:  {{show: count of (players where deed of it is spoil), to: all, as: spoilt}}
        count: {{set: {{fails: fails plus spoilt, rounds: rounds plus 1}}}}
        over:
          if: rounds is at least 4
          then: {{end: {{end: if fails is at least 5 then (players where role of it is traitor) else (players where role of it is loyal), text: It is over.}}}}
"""


def _names(count):
    return ", ".join(f"p{n}" for n in range(count))


def wide(players, cards, hand, rounds=4):
    deck = ", ".join(f"c{n}" for n in range(cards))
    return WIDE.format(
        players=players,
        cards=cards,
        hand=hand,
        names=_names(players),
        deck=deck,
        rounds=min(rounds, hand - 1),
        first="c0",
    )


def ring(spots, guards):
    links = [f"[s{n}, s{(n + 1) % spots}]" for n in range(spots)] + [
        f"[s{n}, s{n * 7 % spots}]" for n in range(3, spots, 9)
    ]
    names = ", ".join(f"s{n}" for n in range(spots))
    return RING.format(
        spots=spots, guards=guards, players=guards + 1, names=_names(guards), ring=names, links=", ".join(links)
    )


def ballot(players, traitors):
    return BALLOT.format(players=players, traitors=traitors, loyal=players - traitors, names=_names(players))


STRANGE = {
    "52 cards for six": wide(6, 52, 8),
    "200 cards for six": wide(6, 200, 12),
    "200 spots": ring(200, 3),
    "votes of ten": ballot(10, 3),
}
