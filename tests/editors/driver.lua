-- Neovim as an author's hands: `nvim --headless -u NONE -l`-like, driven by a task in JSON (TASK), answers in JSON (OUT).
-- It types files into a buffer, state by state, and notes what the server tells of each state, and how soon.
local task = vim.fn.json_decode(vim.fn.readfile(vim.env.TASK))
local now = function() return vim.loop.hrtime() / 1e6 end
local heard, exited, shown = {}, nil, {}
local out = { states = {}, times = { diagnostics = {}, completion = {}, hover = {} }, asked = 0 }

local function handler(_, result, context)
  heard[result.uri] = { version = result.version, at = now(), diagnostics = result.diagnostics }
  vim.lsp.diagnostic.on_publish_diagnostics(nil, result, context, {})
end

local client = vim.lsp.start_client({
  name = "tabarro",
  cmd = task.command,
  root_dir = task.folder,
  flags = { debounce_text_changes = 1 },
  handlers = {
    ["textDocument/publishDiagnostics"] = handler,
    ["window/showMessage"] = function(_, result) table.insert(shown, result.message) end,
  },
  on_exit = function(code) exited = code end,
})

local function version(buffer) return vim.lsp.util.buf_versions[buffer] end

local function told(buffer, milliseconds)
  local uri = vim.uri_from_bufnr(buffer)
  vim.wait(milliseconds, function()
    return exited ~= nil or (heard[uri] ~= nil and heard[uri].version == version(buffer))
  end, 1)
  return heard[uri] ~= nil and heard[uri].version == version(buffer) and heard[uri] or nil
end

local function ask(buffer, method, params)
  local before = now()
  local answers, problem = vim.lsp.buf_request_sync(buffer, method, params, 10000)
  out.asked = out.asked + 1
  if problem ~= nil then out.problem = method .. ": " .. problem end
  for _, answer in pairs(answers or {}) do
    if answer.error ~= nil then out.problem = method .. ": " .. vim.inspect(answer.error) end
  end
  return now() - before, answers
end

local function open(name, text)
  vim.fn.writefile(vim.split(text, "\n", true), task.folder .. "/" .. name)
  vim.cmd("edit " .. vim.fn.fnameescape(task.folder .. "/" .. name))
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.buf_attach_client(buffer, client)
  vim.wait(10000, function() return vim.lsp.buf_is_attached(buffer, client) and version(buffer) ~= nil end, 5)
  told(buffer, 60000)
  return buffer
end

local function write(buffer, text)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, "\n", true))
end

local function cursor(buffer, text)
  local lines = vim.split(text, "\n", true)
  return {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = #lines - 1, character = vim.str_utfindex(lines[#lines]) },
  }
end

-- Every state that is asked for, one after the other; of each, what was told of it first.
for _, file in ipairs(task.type or {}) do
  local buffer = open(file.name, "")
  for index, text in ipairs(file.states) do
    write(buffer, text)
    local found = told(buffer, 60000)
    local codes = nil
    if found ~= nil then
      codes = {}
      for _, one in ipairs(found.diagnostics) do
        table.insert(codes, { one.code, one.range.start.line, one.range.start.character })
      end
    end
    table.insert(out.states, { name = file.name, index = index, told = codes or vim.NIL })
    if index % 5 == 0 then
      ask(buffer, "textDocument/completion", cursor(buffer, text))
      ask(buffer, "textDocument/hover", cursor(buffer, text))
      ask(buffer, "textDocument/definition", cursor(buffer, text))
    end
    if exited ~= nil then break end
  end
  if file.last then
    vim.wait(15000, function()
      local found = heard[vim.uri_from_bufnr(buffer)]
      return found ~= nil and found.version == version(buffer) and #found.diagnostics == file.last
    end, 20)
    local found = heard[vim.uri_from_bufnr(buffer)]
    table.insert(out.states, { name = file.name, index = 0, last = #found.diagnostics, shown = #vim.diagnostic.get(buffer) })
  end
end

-- One keystroke after the other at a place of a file: how long until the editor knows.
if task.measure then
  vim.cmd("edit " .. vim.fn.fnameescape(task.measure.file))
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.buf_attach_client(buffer, client)
  vim.wait(10000, function() return version(buffer) ~= nil end, 5)
  told(buffer, 60000)
  vim.wait(6000, function() return false end)
  local place = task.measure
  for index = 1, place.keystrokes do
    local letter = (index % 2 == 1) and "x" or ""
    vim.api.nvim_buf_set_text(buffer, place.line, place.column, place.line, place.column + (index % 2 == 1 and 0 or 1), { letter })
    local before = now()
    local params = {
      textDocument = { uri = vim.uri_from_bufnr(buffer) },
      position = { line = place.line, character = place.column },
    }
    table.insert(out.times.completion, (ask(buffer, "textDocument/completion", params)))
    local found = told(buffer, 60000)
    table.insert(out.times.diagnostics, found and found.at - before or -1)
    table.insert(out.times.hover, (ask(buffer, "textDocument/hover", params)))
    vim.wait(place.pause, function() return false end)
  end
  if place.leak then -- the secrecy check, which needs a rest
    vim.api.nvim_buf_set_lines(buffer, place.leak.line, place.leak.line, false, place.leak.text)
    local before = now()
    local arrived = vim.wait(60000, function()
      local found = heard[vim.uri_from_bufnr(buffer)]
      return found ~= nil and found.version == version(buffer) and #found.diagnostics > 0
    end, 5)
    out.leak = arrived and now() - before or -1
    out.leak_told = heard[vim.uri_from_bufnr(buffer)].diagnostics
  end
end

out.shown, out.exited = shown, exited or vim.NIL
vim.fn.writefile({ vim.fn.json_encode(out) }, vim.env.OUT)
vim.lsp.stop_client(client)
vim.wait(3000, function() return exited ~= nil end, 10)
vim.cmd("qa!")
