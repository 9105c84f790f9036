"""The extension for VS Code: it can be read, and starts the server as its settings say. (Of VS Code itself and of the
packages that it needs there is a stand-in here; `npm test` in its folder meets the server with the real ones.)"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "editors" / "vscode"
STAND_IN = """
const Module = require("module");
const usual = Module._load;
let made;
class LanguageClient {
  constructor(id, name, server, client) { made = { id, server, client }; }
  start() { return Promise.resolve(); }
  stop() {}
}
Module._load = function (name, ...rest) {
  if (name === "vscode") return {
    env: { language: "%(language)s" },
    workspace: {
      getConfiguration: () => ({ get: (key) => (%(settings)s)[key] }),
      createFileSystemWatcher: (pattern) => pattern,
    },
  };
  if (name === "vscode-languageclient/node") return { LanguageClient, TransportKind: { stdio: 0 } };
  return usual.call(this, name, ...rest);
};
const extension = require("%(folder)s/extension.js");
extension.activate({ subscriptions: [] }).then(() => console.log(JSON.stringify(made)));
"""


@pytest.mark.parametrize("name", ["extension.js", "test.js"])
def test_its_code_can_be_read(name):
    subprocess.run(["node", "--check", FOLDER / name], check=True)


@pytest.mark.parametrize(
    ("language", "settings", "command"),
    [
        ("ca", {}, ["tabarro", "lsp", "--lang", "ca"]),
        ("nb-no", {}, ["tabarro", "lsp", "--lang", "no"]),
        ("fr", {}, ["tabarro", "lsp"]),
        (
            "de",
            {"language": "ja", "command": "mine", "rules": ["a b"]},
            ["mine", "lsp", "--lang", "ja", "--rules", "a b"],
        ),
    ],
)
def test_it_starts_the_server_in_the_language_of_the_editor(language, settings, command):
    script = STAND_IN % {"language": language, "settings": json.dumps(settings), "folder": FOLDER.as_posix()}
    done = subprocess.run(["node", "-e", script], check=True, capture_output=True, text=True)
    made = json.loads(done.stdout)
    assert [made["server"]["run"]["command"], *made["server"]["run"]["args"]] == command
    assert made["client"]["documentSelector"] == [{"scheme": "file", "language": "yaml"}]


def test_what_it_says_of_itself_is_true():
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    assert package["main"] == "./extension.js" and package["activationEvents"] == ["onLanguage:yaml"]
    source = (FOLDER / "extension.js").read_text(encoding="utf-8")
    for setting in package["contributes"]["configuration"]["properties"]:
        assert f'settings.get("{setting.removeprefix("tabarro.")}")' in source
