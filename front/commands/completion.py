"""`tabarro completion`: a script with which a shell completes commands, their options and the names of games."""

from __future__ import annotations

import argparse
from importlib import import_module

from ...interpreter import games
from ...speech.language import LANGUAGES, Language
from ..common.arguments import add_language
from ..common.folders import folders
from ..common.streams import Terminal
from . import SUMMARIES

SHELLS = ("bash", "zsh", "fish")
BASH = """\
# tabarro completion bash > ~/.local/share/bash-completion/completions/tabarro
_tabarro() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=
  if [ "$COMP_CWORD" -eq 1 ]; then words="{commands}"
  elif [ "$before" = --lang ]; then words="{languages}"
  else case ${{COMP_WORDS[1]}} in
{cases}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _tabarro tabarro
"""
ZSH = """\
#compdef tabarro
# tabarro completion zsh > ~/.zfunc/_tabarro, with that folder in fpath
_tabarro() {{
  if (( CURRENT == 2 )); then compadd -- {commands}
  elif [[ $words[CURRENT-1] == --lang ]]; then compadd -- {languages}
  else case $words[2] in
{cases}
  esac; _files; fi
}}
compdef _tabarro tabarro
"""


def arguments(parser, language) -> None:
    _ = language.translate
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=_("for which: bash, zsh or fish"))


def run(args, terminal: Terminal) -> int:
    found = {name: _options(name, terminal.language) for name in SUMMARIES}
    names = games(folders())
    write = {"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell]
    terminal.out.write(write(found, names, terminal.language))
    return 0


def _options(name: str, language: Language) -> tuple[list[str], bool]:
    """The options of a command, and whether it wants a game."""
    parser = argparse.ArgumentParser(add_help=False)
    import_module(f".{name}", __package__).arguments(parser, language)
    add_language(parser, language)
    flags = [flag for action in parser._actions for flag in action.option_strings if flag.startswith("--")]
    return flags, any(not action.option_strings and action.metavar == "GAME" for action in parser._actions)


def _words(found: tuple[list[str], bool], names: list[str]) -> str:
    flags, has_game = found
    return " ".join([*flags, *(names if has_game else [])])


def _bash(found: dict[str, tuple[list[str], bool]], names: list[str], language: Language) -> str:
    cases = "\n".join(f'  {name}) words="{_words(one, names)}";;' for name, one in found.items())
    return BASH.format(commands=" ".join(found), languages=" ".join(LANGUAGES), cases=cases)


def _zsh(found: dict[str, tuple[list[str], bool]], names: list[str], language: Language) -> str:
    cases = "\n".join(f"  {name}) compadd -- {_words(one, names)};;" for name, one in found.items())
    return ZSH.format(commands=" ".join(found), languages=" ".join(LANGUAGES), cases=cases)


def _fish(found: dict[str, tuple[list[str], bool]], names: list[str], language: Language) -> str:
    lines = ["# tabarro completion fish > ~/.config/fish/completions/tabarro.fish"]
    for name, one in found.items():
        summary = language.translate(SUMMARIES[name]).replace("'", "’")
        lines.append(f"complete -c tabarro -n __fish_use_subcommand -a {name} -d '{summary}'")
        inside = f"complete -c tabarro -n '__fish_seen_subcommand_from {name}'"
        lines += [
            f"{inside} -l {flag[2:]}" + (f" -xa '{' '.join(LANGUAGES)}'" if flag == "--lang" else "") for flag in one[0]
        ]
        lines += [f"{inside} -a '{' '.join(names)}'"] if one[1] else []
    return "\n".join(lines) + "\n"
