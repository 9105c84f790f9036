"""The language server: what an editor asks, and what it is told. Only this module knows the protocol."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import wraps
from importlib.metadata import version
from io import BufferedReader, BufferedWriter, FileIO
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from ...interpreter.files import real
from ...speech import language as speech_language
from ...speech.language import Language
from ..common.folders import catalogues, folders
from .analysis import Analysis, Mistake, analyse, mistakes
from .completion import Item, complete
from .desk import COLLECT, Desk
from .helper import Helper
from .meaning import hover, origins
from .positions import Lines
from .remedies import Remedy, mended
from .renaming import Refused, can_rename, renamed
from .worker import Answer, Task

__all__ = ["serve"]

SOON = 0.02  # seconds after a keystroke before the text is looked at
LATER = 0.3  # seconds of rest before it is looked at thoroughly


KINDS = {
    "key": types.CompletionItemKind.Property,
    "name": types.CompletionItemKind.Variable,
    "keyword": types.CompletionItemKind.Keyword,
    "value": types.CompletionItemKind.Value,
    "path": types.CompletionItemKind.Reference,
    "file": types.CompletionItemKind.File,
}


@dataclass(eq=False)
class Document:
    """A file that is open."""

    uri: str
    path: Path
    text: str
    version: int | None
    analysis: Analysis | None = None  # of the latest state that was looked at
    good: Analysis | None = None  # of the latest that could be understood
    spoken: Analysis | None = None  # of the one whose conditions can be said at once
    quick: list[Mistake] = field(default_factory=list)
    slow: list[Mistake] = field(default_factory=list)
    task: int = 0  # the number of the latest that the helper was given
    saved: bool = True

    @property
    def mistakes(self) -> list[Mistake]:
        """What was found thoroughly, and what only a quick look has shown."""
        told = {(one.code, one.start) for one in self.slow}
        return [*self.slow, *(one for one in self.quick if (one.code, one.start) not in told)]


class Server(LanguageServer):
    def __init__(self, language: Language):
        super().__init__("tabarro", version("tabarro"))
        self.language = language
        self.documents: dict[str, Document] = {}
        self.desk = Desk()
        self.thread = ThreadPoolExecutor(1)  # the one who looks quickly
        self.tutor = ThreadPoolExecutor(1)  # the one who learns the words of a game, to say them
        self.helper = Helper(self._heard)
        self.doubter = Helper(self._heard)  # who looks for what may not be meant, when a file is saved
        self._waiting: dict[str, None] = {}  # documents that are to be looked at, in this order
        self._looking: asyncio.Task[None] | None = None
        self._later: asyncio.TimerHandle | None = None
        self._to_do: list[str] = []  # documents that are to be looked at thoroughly
        self._busy = ""
        self._number = 0
        self._loop: asyncio.AbstractEventLoop | None = None

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Our own mistakes are no concern of an author."""

    # --- files --------------------------------------------------------------------------------------------------------
    def settle(self, root: str | None) -> None:
        """In the folder that the editor works in, house rules are found as by every other command."""
        if root and os.path.isdir(root):
            os.chdir(root)
        speech_language.use_catalogues(tuple(catalogues()))

    def opened(self, uri: str, text: str, version: int | None) -> None:
        name = to_fs_path(uri)
        if name is None:
            return
        self._loop = asyncio.get_running_loop()
        self.helper.start()
        self.documents[uri] = Document(uri, real(Path(name)), text, version)
        self.look(uri)

    def edited(self, uri: str, text: str, version: int | None) -> None:
        document = self.documents.get(uri)
        if document is not None:
            document.text, document.version, document.saved = text, version, False
            document.slow = []
            self.doubter.give_up()
            self.look(uri)

    def stored(self, uri: str) -> None:
        document = self.documents.get(uri)
        if document is not None:
            document.saved = True
            speech_language.use_catalogues(tuple(catalogues()))
            self.look(uri)

    def closed(self, uri: str) -> None:
        document = self.documents.pop(uri, None)
        if document is not None:
            self._publish(Document(uri, document.path, "", None))
            for other in self._children(document.path):
                self.look(other.uri)

    def _children(self, path: Path) -> list[Document]:
        """The open files that are made of this one, too."""
        return [
            one for one in self.documents.values() if one.path != path and one.analysis and path in one.analysis.files
        ]

    # --- looking ------------------------------------------------------------------------------------------------------
    def look(self, uri: str) -> None:
        """Soon, and once for all that is typed until then."""
        document = self.documents[uri]
        for each in (document, *self._children(document.path)):
            self._waiting[each.uri] = None
            each.task = 0
        if self._later is not None:
            self._later.cancel()
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(self._look_soon())

    async def _look_soon(self) -> None:
        await asyncio.sleep(SOON)
        while self._waiting:
            uri = next(iter(self._waiting))
            del self._waiting[uri]
            document = self.documents.get(uri)
            if document is not None:
                await self._look_at(document)
        self._later = asyncio.get_running_loop().call_later(LATER, self._thoroughly, list(self.documents))

    async def _look_at(self, document: Document) -> None:
        text, texts, where = document.text, {one.path: one.text for one in self.documents.values()}, folders()

        def quickly() -> tuple[Analysis, list[Mistake]] | None:
            try:
                if self.desk.folders != where:
                    self.desk = Desk(where)
                self.desk.open = texts
                found = analyse(self.desk, document.path)
                told = mistakes(found.problems, document.path, text, found.library, self.language, all_of_them=False)
                return found, told
            except Exception:  # ours: better nothing than something wrong
                return None

        found = await asyncio.get_running_loop().run_in_executor(self.thread, quickly)
        if document.text != text or self.documents.get(document.uri) is not document:
            return
        document.quick, document.slow = found[1] if found else [], []
        if found is not None:
            document.analysis = found[0]
            if found[0].is_good or document.good is None:
                document.good = found[0]
        self._publish(document)
        if document.spoken is None and document.good is not None and document.good.is_good:
            asyncio.ensure_future(self._learn(document, document.good))

    async def _learn(self, document: Document, known: Analysis) -> None:
        """To be able to say the conditions of a game one has to know all its words; that takes a moment."""

        def learn() -> bool:
            try:
                return known.speaker(self.language) is not None
            except Exception:
                return False

        if await asyncio.get_running_loop().run_in_executor(self.tutor, learn):
            document.spoken = known

    def _thoroughly(self, uris: list[str]) -> None:
        """The one that was changed last, then the others."""
        self._to_do = [uri for uri in uris if uri in self.documents and not self.documents[uri].task]
        self._next_task()

    def _next_task(self) -> None:
        if not self._to_do:
            return
        uri = self._to_do.pop()
        document = self.documents.get(uri)
        if document is None:
            return self._next_task()
        self._number += 1
        document.task = self._number
        self.helper.ask(self._task(document))

    def _task(self, document: Document, doubts: bool = False) -> Task:
        texts = {one.path: one.text for one in self.documents.values()}
        code = self.language.code
        return Task(document.task, document.path, texts, folders(), tuple(catalogues()), code, doubts)

    def _heard(self, answer: Answer) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._take, answer)

    def _take(self, answer: Answer) -> None:
        for document in self.documents.values():
            if document.task == answer.number and document.path == answer.path:
                document.slow = answer.mistakes
                self._publish(document)
                if answer.complete and not answer.doubts:
                    if not answer.mistakes and all(one.saved for one in self.documents.values()):
                        self.doubter.ask(self._task(document, doubts=True))
                    self._next_task()

    # --- telling ------------------------------------------------------------------------------------------------------
    def lines(self, text: str) -> Lines:
        encoding = self.workspace.position_encoding
        return Lines(text, str(getattr(encoding, "value", encoding) or "utf-16"))

    def range(self, lines: Lines, start: int, end: int) -> types.Range:
        return types.Range(types.Position(*lines.position(start)), types.Position(*lines.position(end)))

    def _publish(self, document: Document) -> None:
        lines = self.lines(document.text)
        told = [self._diagnostic(one, lines) for one in document.mistakes]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(document.uri, told, version=document.version)
        )

    def _diagnostic(self, one: Mistake, lines: Lines) -> types.Diagnostic:
        related = None
        if one.file:
            at = types.Position(max(0, one.line - 1), max(0, one.column - 1))
            where = types.Location(from_fs_path(one.file) or "", types.Range(at, at))
            related = [types.DiagnosticRelatedInformation(where, one.message)]
        return types.Diagnostic(
            self.range(lines, one.start, one.end),
            "\n".join(filter(None, (one.message, one.remedy))),
            severity=types.DiagnosticSeverity(one.severity),
            code=one.code,
            source="tabarro",
            related_information=related,
        )

    # --- what is asked ------------------------------------------------------------------------------------------------
    def asked(self, uri: str, position: types.Position) -> tuple[Document, Analysis, int, Lines] | None:
        """The document, its text as it stands with what is known of it, and where the cursor is in it."""
        document = self.documents.get(uri)
        if document is None:
            return None
        lines = self.lines(document.text)
        known = document.analysis
        if known is None or known.text != document.text:
            desk = Desk(folders())
            desk.open = {one.path: one.text for one in self.documents.values()}
            known = Analysis(document.path, document.text, desk, desk.library())
        return document, known, lines.offset(position.line, position.character), lines

    def completions(self, params: types.CompletionParams) -> types.CompletionList | None:
        asked = self.asked(params.text_document.uri, params.position)
        if asked is None:
            return None
        document, known, offset, lines = asked
        found = complete(known, document.good, offset, self.language)
        return types.CompletionList(False, [self._completion(item, offset, lines) for item in found])

    def _completion(self, item: Item, offset: int, lines: Lines) -> types.CompletionItem:
        return types.CompletionItem(
            item.label,
            kind=KINDS[item.kind],
            detail=item.detail or None,
            documentation=item.about or None,
            sort_text=f"{item.rank}{item.label}",
            filter_text=item.label,
            text_edit=types.TextEdit(self.range(lines, item.start, offset), item.insert),
        )

    async def hovering(self, params: types.HoverParams) -> types.Hover | None:
        asked = self.asked(params.text_document.uri, params.position)
        if asked is None:
            return None
        document, known, offset, lines = asked
        good = document.good or known
        if document.spoken is None and good.is_good:
            await self._learn(document, good)
        found = hover(known, good, document.spoken or good, offset, self.language)
        if found is None:
            return None
        said = types.MarkupContent(types.MarkupKind.PlainText, "\n".join(found.lines))
        return types.Hover(said, self.range(lines, found.start, found.end))

    def definitions(self, params: types.DefinitionParams) -> list[types.Location]:
        asked = self.asked(params.text_document.uri, params.position)
        if asked is None:
            return []
        document, known, offset, _ = asked
        result = []
        for found in origins(known, document.good or known, offset):
            open_one = next((one for one in self.documents.values() if one.path == found.file), None)
            uri = open_one.uri if open_one is not None else from_fs_path(str(found.file)) or ""
            at = types.Position(max(0, found.line - 1), max(0, found.column - 1))
            result.append(types.Location(uri, types.Range(at, at)))
        return result

    def name_at(self, params: types.PrepareRenameParams) -> types.Range | None:
        asked = self.asked(params.text_document.uri, params.position)
        if asked is None:
            return None
        document, known, offset, lines = asked
        found = can_rename(known, document.good or known, offset)
        return self.range(lines, *found) if found is not None else None

    def renaming(self, params: types.RenameParams) -> types.WorkspaceEdit | None:
        asked = self.asked(params.text_document.uri, params.position)
        if asked is None:
            return None
        document, known, offset, lines = asked
        desk = Desk(folders())
        desk.open = {one.path: one.text for one in self.documents.values()}
        edits = renamed(known, document.good or known, offset, params.new_name, desk, self.language)
        changes = [types.TextEdit(self.range(lines, edit.start, edit.end), edit.text) for edit in edits]
        return types.WorkspaceEdit(changes={document.uri: changes})

    # --- remedies -----------------------------------------------------------------------------------------------------
    async def code_actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        document = self.documents.get(params.text_document.uri)
        if document is None or document.analysis is None or document.analysis.text != document.text:
            return []
        lines = self.lines(document.text)
        start = lines.offset(params.range.start.line, params.range.start.character)
        end = lines.offset(params.range.end.line, params.range.end.character)
        wanted = [one for one in document.mistakes if one.start <= end and one.end >= start]
        wanted = wanted or [one for one in document.mistakes if lines.position(one.start)[0] == params.range.start.line]
        known = document.analysis
        texts, where = {one.path: one.text for one in self.documents.values()}, folders()

        def tried() -> list[tuple[Mistake, Remedy]]:
            desk = self.desk.again(where, texts)
            return [(one, remedy) for one in wanted for remedy, _ in mended(one, known, desk, self.language)]

        found = await asyncio.get_running_loop().run_in_executor(self.thread, tried)
        return [self._action(document, one, remedy, lines) for one, remedy in found]

    def _action(self, document: Document, one: Mistake, remedy: Remedy, lines: Lines) -> types.CodeAction:
        edits = [types.TextEdit(self.range(lines, edit.start, edit.end), edit.text) for edit in remedy.edits]
        return types.CodeAction(
            self.language.say(remedy.title, **remedy.values),
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[self._diagnostic(one, lines)],
            edit=types.WorkspaceEdit(changes={document.uri: edits}),
        )


def serve(language: Language) -> None:
    """Until the editor says good-bye."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL + 1)
    gc.set_threshold(*COLLECT)
    streams = BufferedReader(FileIO(os.dup(0))), BufferedWriter(FileIO(os.dup(1), "w"))
    os.dup2(2, 1)  # whatever else is written must not get between what the editor reads
    made(language).start_io(*streams)


def made(language: Language) -> Server:
    server = Server(language)
    feature = server.feature

    def quietly(handler: Callable[..., Any]) -> Callable[..., Any]:
        """What fails is not answered; the next question will be."""
        if asyncio.iscoroutinefunction(handler):

            @wraps(handler)
            async def waiting(params: Any) -> Any:
                try:
                    return await handler(params)
                except Exception:
                    return None

            return waiting

        @wraps(handler)
        def answering(params: Any) -> Any:
            try:
                return handler(params)
            except JsonRpcInvalidParams:  # a refusal, in words
                raise
            except Exception:
                return None

        return answering

    @feature(types.INITIALIZED)
    @quietly
    def initialized(params: types.InitializedParams) -> None:
        server.settle(server.workspace.root_path)

    @feature(types.TEXT_DOCUMENT_DID_OPEN)
    @quietly
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        server.opened(document.uri, document.text, document.version)

    @feature(types.TEXT_DOCUMENT_DID_CHANGE)
    @quietly
    def edited(params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        document = server.workspace.get_text_document(uri)
        server.edited(uri, document.source, params.text_document.version)

    @feature(types.TEXT_DOCUMENT_DID_SAVE)
    @quietly
    def stored(params: types.DidSaveTextDocumentParams) -> None:
        server.stored(params.text_document.uri)

    @feature(types.TEXT_DOCUMENT_DID_CLOSE)
    @quietly
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri)

    @feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    @quietly
    def others(params: types.DidChangeWatchedFilesParams) -> None:
        for uri in list(server.documents):
            server.look(uri)

    @feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions([" ", "/", "{", "[", ","]))
    @quietly
    def completions(params: types.CompletionParams) -> types.CompletionList | None:
        return server.completions(params)

    @feature(types.TEXT_DOCUMENT_HOVER)
    @quietly
    async def hovering(params: types.HoverParams) -> types.Hover | None:
        return await server.hovering(params)

    @feature(types.TEXT_DOCUMENT_DEFINITION)
    @quietly
    def definitions(params: types.DefinitionParams) -> list[types.Location]:
        return server.definitions(params)

    @feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    @quietly
    def name_at(params: types.PrepareRenameParams) -> types.Range | None:
        return server.name_at(params)

    @feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    @quietly
    def renaming(params: types.RenameParams) -> types.WorkspaceEdit | None:
        try:
            return server.renaming(params)
        except Refused as refused:
            raise JsonRpcInvalidParams(str(refused)) from None

    @feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix]))
    @quietly
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return await server.code_actions(params)

    @feature(types.SHUTDOWN)
    @quietly
    def shut_down(params: Any) -> None:
        server.helper.stop()
        server.doubter.stop()

    return server
