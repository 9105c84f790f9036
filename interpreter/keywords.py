"""The words of the language that several stages know; steps.VERBS, the schema and the reference list the same verbs."""

STEP_VERBS = (
    "if",
    "cases",
    "for each",
    "repeat",
    "call",
    "return",
    "play",
    "end",
    "ask",
    "plan",
    "draw",
    "deal",
    "shuffle",
    "let",
    "set",
    "move",
    "show",
    "say",
)

BODIES = ("then", "else", "do", "repeat", "if none")  # the keys of a step that hold steps

# What other readers of YAML take for true and false. Here they are words like any other (no is also a language).
TRUTH_WORDS = {
    word: truth
    for truth, words in (
        ("true", "yes on y True TRUE Yes YES On ON Y"),
        ("false", "no off n False FALSE No NO Off OFF N"),
    )
    for word in words.split()
}
