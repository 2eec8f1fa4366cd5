-- Tests the plugin of Xournal++ without the program: lua5.3 Tests/Doors/xournalpp.lua FOLDER NOTEBOOK
-- FOLDER is that of the plugin, NOTEBOOK an .xopp file on which "hello world" is written.
-- $DUCTUS is the tool. The table 'app' below stands for Xournal++.
local folder, source = arg[1], arg[2]
local notebook = dofile(folder .. "/notebook.lua")

local function equal(name, found, expected)
  if found ~= expected then
    error(("%s: expected %s, found %s"):format(name, tostring(expected), tostring(found)), 2)
  end
end

-- JSON
equal("escapes", notebook.decoded('"a\\n\\u00e4\\ud83d\\ude00\\"\\\\"'), "a\nä😀\"\\")
local decoded = notebook.decoded(' {"a": [1, -2.5e1, true, null], "b": {}, "c": []} ')
equal("number", decoded.a[2], -25)
equal("true", decoded.a[3], true)
for _, damaged in ipairs { "", "{", '{"a"', '{"a":', '{"a":1', "[1", "[1 2]", '"a', "nope", '{a:1}' } do
  equal("damaged JSON " .. damaged, pcall(notebook.decoded, damaged), false)
end

-- Names for the shell
equal("quoted", notebook.output("printf %s " .. notebook.quoted("it's $HOME `x` \"y\"")),
  "it's $HOME `x` \"y\"")

-- Files
local work = os.tmpname()
os.remove(work)
assert(os.execute("mkdir " .. work))
local function inside(name) return work .. "/" .. name end
local text = assert(notebook.read(source))
assert(notebook.write(inside("it's a copy.xopp"), text))
equal("written and read", notebook.read(inside("it's a copy.xopp")), text)
equal("free name", notebook.freeName(inside("it's a copy"), ".xopp"), inside("it's a copy-2.xopp"))
local function refused(name, content, reason)
  local file = assert(io.open(inside(name), "wb"))
  file:write(content)
  file:close()
  local found, message = notebook.read(inside(name))
  equal(name, found, nil)
  assert(message:find(reason, 1, true), name .. ": " .. message)
end
refused("zip.xopp", "PK\3\4", "ZIP archive")
refused("cut.xopp", text:sub(1, #text // 2), "not a whole notebook")
refused("empty.xopp", "", "not a whole notebook")
refused("gzip.xopp", "\31\139\8\0\0\0", "not a whole notebook")
equal("no file", notebook.read(inside("none.xopp")), nil)
equal("no folder", notebook.write(inside("none/a.xopp"), text), nil)

-- Pages and strokes
local from, to = notebook.page(text, 1)
equal("page", text:sub(from, from + 4) .. text:sub(to - 6, to), "<page</page>")
equal("no page", notebook.page(text, 99), nil)
local strokes = notebook.strokes(text, from, to)
assert(#strokes > 4, "strokes")

-- Recent files
local recent = notebook.recentFiles([[<xbel><bookmark href="file:///a/old.xopp" modified="2026-01-01T00:00:00Z">
<bookmark href="file:///a/other.pdf" modified="2026-03-01T00:00:00Z"/>
<bookmark href="file:///a/n%C3%A9w%20%26&amp;.xopp" modified="2026-02-01T00:00:00Z">]])
equal("recent files", table.concat(recent, ";"), "/a/néw &&.xopp;/a/old.xopp")

-- The whole way through a Xournal++ of version 1.1, and through one of 1.2.
local messages, opened, callbacks = {}, {}, {}
local document, named = inside("page.xopp"), nil
assert(os.execute("mkdir " .. inside("data")))
local list = assert(io.open(inside("data/recently-used.xbel"), "w"))
list:write('<xbel><bookmark href="file://' .. source .. '" modified="2026-02-02T00:00:00Z">',
  '<bookmark href="file://' .. document .. '" modified="2026-01-01T00:00:00Z"></xbel>')
list:close()
local environment = os.getenv
os.getenv = function(name) return name == "XDG_DATA_HOME" and inside("data") or environment(name) end
app = {
  registerUi = function(entry) callbacks[#callbacks + 1] = entry.callback end,
  msgbox = function(message) messages[#messages + 1] = message return 1 end,
  getDocumentStructure = function() return { xoppFilename = named and document, currentPage = 1 } end,
  uiAction = function(action)
    if action.action == "ACTION_SAVE" then
      os.execute("sleep 0.05")
      os.remove(document)
      assert(notebook.write(document, text))
    else
      opened[#opened + 1] = action.action
    end
  end,
  refreshPage = function() end,
}
assert(notebook.write(document, text))
dofile(folder .. "/main.lua")
initUi()
equal("entries", table.concat(callbacks, " "), "convertToText copyAsText findInNotes savePDF")
for _, name in ipairs(callbacks) do equal(name, type(_G[name]), "function") end
-- Nothing is opened on this screen.
local execute = os.execute
os.execute = function(command)
  if command:find("^xournalpp ") then opened[#opened + 1] = command return true end
  return execute(command)
end
convertToText()
equal("messages", table.concat(messages, "; "), "")
local converted = assert(notebook.read(inside("page-text.xopp")))
assert(converted:find(">hello world</text>", 1, true), "the text box")
assert(opened[1]:find("page%-text.xopp"), "the copy is opened")
from, to = notebook.page(converted, 1)
equal("strokes left", #notebook.strokes(converted, from, to), 0)
local _, typed = text:gsub("<text", "")
local _, boxes = converted:gsub("<text", "")
equal("text boxes", boxes, typed + 1)
convertToText()
assert(notebook.exists(inside("page-text-2.xopp")), "a second copy has a name of its own")

-- Version 1.2 names the file.
named = true
savePDF()
assert(messages[1]:find("page-searchable.pdf", 1, true), messages[1])
assert(notebook.exists(inside("page-searchable.pdf")), "the PDF file")

messages, document = {}, ""
copyAsText()
assert(messages[1]:find("Save the document once", 1, true), messages[1])

messages, opened = {}, {}
local selection, added = {}, nil
app.getStrokes = function(kind)
  if kind == "selection" and #selection == 0 then error("no selection") end
  local found = {}
  for place, stroke in ipairs(strokes) do
    found[place] = { x = stroke.x, y = stroke.y, tool = "pen", color = 0x3333cc }
  end
  return found
end
app.addTexts = function(request) added = request.texts end
convertToText()
equal("text in the document", added[1].text, "hello world")
equal("its colour", added[1].color, 0x3333cc)
equal("ink that is not selected stays", #opened, 0)
selection = { 1 }
convertToText()
equal("selected ink goes", opened[1], "ACTION_DELETE")
equal("messages", table.concat(messages, "; "), "")
os.execute("rm -rf " .. notebook.quoted(work))
print("passed")
