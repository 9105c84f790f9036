"""The language server as an editor meets it: through pytest-lsp, which speaks the protocol over its streams."""

from __future__ import annotations

import asyncio
import io
import sys
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, make_test_lsp_client
from tabarro.cli import main

HOUSE = "extends: venice-2013\nname: {en: Quiet, ca: Tranquil}\nthings: {ball: {members: {purple: {cuont: 0}}}}\n"


def recording() -> LanguageClient:
    """A client that remembers which version it was told what of."""
    client = make_test_lsp_client()
    client.heard = {}

    def publish(params: types.PublishDiagnosticsParams) -> None:
        client.heard[params.uri] = (params.version, list(params.diagnostics))

    client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = publish
    return client


@pytest_lsp.fixture(
    config=ClientServerConfig(
        server_command=[sys.executable, "-m", "tabarro.cli", "lsp", "--lang", "ca"], client_factory=recording
    ),
)
async def client(lsp_client: LanguageClient, tmp_path: Path):
    params = types.InitializeParams(capabilities=types.ClientCapabilities(), root_uri=tmp_path.as_uri())
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


def opened(client: LanguageClient, path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(path.as_uri(), "yaml", 1, text))
    )
    return path.as_uri()


def typed(client: LanguageClient, uri: str, text: str, version: int) -> None:
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version, uri), [types.TextDocumentContentChangeWholeDocument(text)]
        )
    )


async def told(client: LanguageClient, uri: str, version: int, wanted, seconds: float = 20.0) -> list[types.Diagnostic]:
    """The diagnostics of this version, as soon as they are as wanted."""
    for _ in range(int(seconds / 0.02)):
        heard, found = client.heard.get(uri, (None, []))
        if heard == version and wanted(found):
            return found
        await asyncio.sleep(0.02)
    raise AssertionError(f"not told: {client.heard.get(uri)}")


@pytest.mark.asyncio
async def test_a_mistake_is_told_in_the_authors_language_and_its_remedy_mends_it(
    client: LanguageClient, tmp_path: Path
):
    uri = opened(client, tmp_path / "quiet.yaml", HOUSE)
    found = await told(client, uri, 1, bool)
    assert [(one.code, one.range.start.line, one.range.start.character) for one in found] == [("unknown_column", 2, 35)]
    assert "columna" in found[0].message and "count" in found[0].message
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(
            types.TextDocumentIdentifier(uri), found[0].range, types.CodeActionContext(diagnostics=found)
        )
    )
    assert [action.title for action in actions] == ["Escriu «count»"]
    (edit,) = actions[0].edit.changes[uri]
    lines = HOUSE.splitlines(keepends=True)
    line = lines[edit.range.start.line]
    lines[edit.range.start.line] = line[: edit.range.start.character] + edit.new_text + line[edit.range.end.character :]
    typed(client, uri, "".join(lines), 2)
    assert await told(client, uri, 2, lambda found: not found) == []


@pytest.mark.long
@pytest.mark.asyncio
async def test_an_unsaved_parent_and_the_cursor_are_those_of_the_editor(client: LanguageClient, tmp_path: Path):
    parent = opened(client, tmp_path / "parent.yaml", "extends: venice-2013\nname: {en: P}\n")
    child = opened(client, tmp_path / "child.yaml", "extends: parent\nwords:\n  player is calm: player is jolly\n")
    assert [one.code for one in await told(client, child, 1, bool)] == ["unknown_name"]
    typed(
        client,
        parent,
        "extends: venice-2013\nname: {en: P}\nwords:\n  player is jolly: any figure of player is on rialto\n",
        2,
    )
    assert await told(client, child, 1, lambda found: not found) == []
    text = "extends: parent\nname: {en: 🎭}\nwords: {player is calm: place of ambassador is ri}\n"
    typed(client, child, text, 2)
    at = types.Position(2, text.splitlines()[2].index("ri}") + 2)
    where = types.TextDocumentIdentifier(child)
    offered = await client.text_document_completion_async(types.CompletionParams(where, at))
    assert "rialto" in [item.label for item in offered.items]
    typed(client, child, text.replace("ri}", "rialto}"), 3)
    assert await told(client, child, 3, lambda found: not found) == []
    meant = await client.text_document_hover_async(types.HoverParams(where, types.Position(2, 27)))
    assert "L'ambaixador és a Rialto." in meant.contents.value
    found = await client.text_document_definition_async(types.DefinitionParams(where, types.Position(2, 35)))
    assert all(one.uri.endswith(".yaml") for one in found) and found


@pytest.mark.long
@pytest.mark.asyncio
async def test_what_gives_a_secret_away_is_told_and_goes_with_its_cause(client: LanguageClient, tmp_path: Path):
    fine = "extends: venice-2013\nname: {en: L}\nrules:\n  turn of player:\n"
    leak = "    hi: {before: shake, if: identity of player is agent_x, then: {told: {say: Hm., to: all}}}\n"
    uri = opened(client, tmp_path / "leak.yaml", fine + leak)
    found = await told(client, uri, 1, bool)
    assert [one.code for one in found] == ["tells_by_happening"] and found[0].range.start.line == 4
    typed(client, uri, fine + leak.replace("identity of player is agent_x", "round_limit is 3"), 2)
    await told(client, uri, 2, lambda found: not found)
    await asyncio.sleep(2)
    assert client.heard[uri] == (2, [])


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Editors need pygls"), ("de", "Editoren brauchen"), ("ja", "pygls が必要")]
)
def test_without_the_extra_the_command_says_what_is_missing(language, said, monkeypatch):
    for name in [
        name for name in sys.modules if name.split(".")[0] in ("pygls", "lsprotocol") or ".front.lsp." in name
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls", None)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    out, err = io.StringIO(), io.StringIO()
    assert main(["lsp", "--lang", language], out, err) == 2
    assert said in err.getvalue() and "tabarro[lsp]" in err.getvalue()


@pytest.mark.long
@pytest.mark.asyncio
async def test_warnings_come_with_what_is_saved_and_go_with_the_next_keystroke(client: LanguageClient, tmp_path: Path):
    text = "extends: venice-2013\nname: {en: Quiet}\nwords:\n  player is calm: any figure of player is on rialto\n"
    uri = opened(client, tmp_path / "quiet.yaml", text)
    found = await told(client, uri, 1, lambda found: any(one.code == "unused_words" for one in found), 60)
    assert {one.severity for one in found} == {types.DiagnosticSeverity.Warning}
    typed(client, uri, text + "\n", 2)
    assert await told(client, uri, 2, lambda found: not found) == []
