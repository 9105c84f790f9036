"""The verbs that a step can have; steps.VERBS, the schema and the reference list the same."""

STEP_VERBS = ("if", "for each", "repeat", "call", "return", "play", "end", "ask", "plan", "draw", "deal", "let", "set",
              "show", "say")
