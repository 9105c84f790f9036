"""The language server as an editor meets it: through pytest-lsp, which speaks the protocol over its streams."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, make_test_lsp_client

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
    assert [action.title for action in actions] == ["Escriviu «count»"]
    (edit,) = actions[0].edit.changes[uri]
    lines = HOUSE.splitlines(keepends=True)
    line = lines[edit.range.start.line]
    lines[edit.range.start.line] = line[: edit.range.start.character] + edit.new_text + line[edit.range.end.character :]
    typed(client, uri, "".join(lines), 2)
    assert await told(client, uri, 2, lambda found: not found) == []
