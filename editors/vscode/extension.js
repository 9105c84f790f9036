"use strict";
// Starts `tabarro lsp` for YAML files and lets VS Code talk to it; all else is done there.
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const SPOKEN = ["ca", "de", "en", "ja", "nl", "no"];
let client;

/** The arguments of the command, from the settings and the language of VS Code. */
function argumentsFrom(settings, language) {
  const own = { nb: "no", nn: "no" }[language.split("-")[0]] || language.split("-")[0];
  const wanted = settings.get("language") || (SPOKEN.includes(own) ? own : "");
  const given = ["lsp"];
  if (wanted) given.push("--lang", wanted);
  for (const folder of settings.get("rules") || []) given.push("--rules", folder);
  return given;
}

function activate(context) {
  const settings = vscode.workspace.getConfiguration("tabarro");
  const command = settings.get("command") || "tabarro";
  const run = { command, args: argumentsFrom(settings, vscode.env.language || "en"), transport: TransportKind.stdio };
  client = new LanguageClient(
    "tabarro",
    "Tabarro",
    { run, debug: run },
    {
      documentSelector: [{ scheme: "file", language: "yaml" }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.yaml") },
    },
  );
  context.subscriptions.push({ dispose: () => client && client.stop() });
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate, argumentsFrom };
