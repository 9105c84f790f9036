"use strict";
// The server as VS Code's own protocol library meets it: `npm install && npm test`. TABARRO names another command.
const { spawn } = require("child_process");
const assert = require("assert");
const fs = require("fs");
const os = require("os");
const path = require("path");
const url = require("url");
const rpc = require("vscode-languageserver-protocol/node");

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tabarro-"));
const file = path.join(folder, "quiet.yaml");
const text = "extends: venice-2013\nname: {en: Quiet}\nthings: {ball: {members: {purple: {cuont: 0}}}}\n";
fs.writeFileSync(file, text);
const uri = url.pathToFileURL(file).href;

async function main() {
  const server = spawn(process.env.TABARRO || "tabarro", ["lsp", "--lang", "nl"], { cwd: folder });
  const connection = rpc.createProtocolConnection(
    new rpc.StreamMessageReader(server.stdout),
    new rpc.StreamMessageWriter(server.stdin),
  );
  const told = new Promise((resolve) =>
    connection.onNotification(rpc.PublishDiagnosticsNotification.type, (params) => {
      if (params.diagnostics.length) resolve(params.diagnostics);
    }),
  );
  connection.listen();
  await connection.sendRequest(rpc.InitializeRequest.type, {
    processId: process.pid,
    rootUri: url.pathToFileURL(folder).href,
    capabilities: {},
  });
  await connection.sendNotification(rpc.InitializedNotification.type, {});
  await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "yaml", version: 1, text },
  });
  const [mistake] = await told;
  assert.strictEqual(mistake.code, "unknown_column");
  assert.match(mistake.message, /Bedoelde je „count”/);
  const textDocument = { uri };
  const actions = await connection.sendRequest(rpc.CodeActionRequest.type, {
    textDocument,
    range: mistake.range,
    context: { diagnostics: [mistake] },
  });
  assert.strictEqual(actions[0].edit.changes[uri][0].newText, "count");
  const offered = await connection.sendRequest(rpc.CompletionRequest.type, {
    textDocument,
    position: { line: 2, character: 19 },
  });
  assert.ok(offered.items.some((item) => item.label === "columns"), "keys of things are offered");
  const meant = await connection.sendRequest(rpc.HoverRequest.type, { textDocument, position: { line: 0, character: 2 } });
  assert.ok(meant.contents.value.length > 10);
  await connection.sendRequest(rpc.ShutdownRequest.type);
  await connection.sendNotification(rpc.ExitNotification.type);
  server.stdin.end();
  console.log("diagnostics, remedies, completion, hover: all is well");
}

main().then(
  () => process.exit(0),
  (problem) => {
    console.error(problem);
    process.exit(1);
  },
);
