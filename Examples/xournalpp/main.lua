-- A plugin for Xournal++ from version 1.1: README.md says how to install and use it.
-- From version 1.2, text goes into the open document. Before, the plugin works on the saved file
-- and opens a copy.

local folder = debug.getinfo(1, "S").source:match("^@?(.*[/\\])") or "./"
local notebook = dofile(folder .. "notebook.lua")
-- The program; a path if it is not on the PATH.
local ductus = notebook.quoted(os.getenv("DUCTUS") or "ductus")

function initUi()
  app.registerUi({ menu = "Ductus: handwriting to text", callback = "convertToText",
    accelerator = "<Shift><Alt>h" })
  app.registerUi({ menu = "Ductus: copy page as text", callback = "copyAsText",
    accelerator = "<Shift><Alt>c" })
  app.registerUi({ menu = "Ductus: find in notes", callback = "findInNotes",
    accelerator = "<Shift><Alt>f" })
  app.registerUi({ menu = "Ductus: save searchable PDF", callback = "savePDF",
    accelerator = "<Shift><Alt>p" })
end

-- Shows a message. Returns nothing.
local function say(message)
  app.msgbox(message, { [1] = "OK" })
end

local function has(program)
  return os.execute("command -v " .. program .. " > /dev/null 2>&1") == true
end

-- What changes when a file is written.
local function stamp(path)
  return notebook.output("stat -c '%y %s %i' " .. notebook.quoted(path)) or ""
end

-- The files that may be the open document. Version 1.1 does not tell which it is, but each file that
-- was opened or saved is among the recent ones of the desktop.
local function possibleFiles(structure)
  if structure.xoppFilename then
    return structure.xoppFilename ~= "" and { structure.xoppFilename } or {}
  end
  local data = os.getenv("XDG_DATA_HOME") or (os.getenv("HOME") or "") .. "/.local/share"
  local file = io.open(data .. "/recently-used.xbel", "rb")
  if not file then return {} end
  local paths = notebook.recentFiles(file:read("a"))
  file:close()
  return paths
end

-- The one of the files that is written anew, within ten seconds.
local function writtenFile(paths, before)
  for _ = 1, 100 do
    os.execute("sleep 0.1")
    for place, path in ipairs(paths) do
      if stamp(path) ~= before[place] then return path end
    end
  end
end

-- Saves the document and waits until its file is written: path, number of the page and the XML text.
local function saved()
  local structure = app.getDocumentStructure()
  local paths, before = possibleFiles(structure), {}
  if #paths == 0 then return say("Save the document once, then try again.") end
  for place, path in ipairs(paths) do before[place] = stamp(path) end
  if app.activateAction then app.activateAction("save") else app.uiAction({ action = "ACTION_SAVE" }) end
  local path = writtenFile(paths, before)
  if not path then return say("The document was not saved within ten seconds. Save it, then try again.") end
  -- Read it when all of it is there.
  local text, reason
  for _ = 1, 50 do
    text, reason = notebook.read(path)
    if text then return path, structure.currentPage, text end
    os.execute("sleep 0.1")
  end
  return say(reason)
end

-- The strokes of the page and what they say.
local function readPage()
  local path, number, text = saved()
  if not path then return nil end
  local from, to = notebook.page(text, number)
  local strokes = from and notebook.strokes(text, from, to) or {}
  if #strokes == 0 then
    say("There is no handwriting on this page.")
    return nil
  end
  local answer, reason = notebook.answer(ductus, strokes)
  if not answer then
    say(reason)
    return nil
  end
  return answer, strokes, text, path
end

-- The open document: Xournal++ has functions for it since version 1.2.
local function convertInDocument()
  -- Without a selection, asking for its strokes may be an error.
  local asked, found = pcall(app.getStrokes, "selection")
  local selected = asked and found and #found > 0
  local strokes = {}
  for _, stroke in ipairs(selected and found or app.getStrokes("layer")) do
    if stroke.tool == "pen" then
      stroke.color = stroke.color or 0
      strokes[#strokes + 1] = stroke
    end
  end
  if #strokes == 0 then return say("There is no handwriting here.") end
  local answer, reason = notebook.answer(ductus, strokes)
  if not answer then return say(reason) end
  local boxes, texts = notebook.boxes(answer, strokes), {}
  for place, box in ipairs(boxes) do
    texts[place] = { text = box.text, x = box.x, y = box.y, color = box.color,
      font = { name = "Sans", size = box.size } }
  end
  if #texts == 0 then return say("No text was found.") end
  -- The text stands beside the ink unless the ink is selected, which is then removed.
  if selected then app.uiAction({ action = "ACTION_DELETE" }) end
  app.addTexts({ texts = texts, allowUndoRedoAction = "grouped" })
  app.refreshPage()
end

-- Handwriting becomes text boxes at its place.
function convertToText()
  if app.addTexts and app.getStrokes then return convertInDocument() end
  local answer, strokes, text, path = readPage()
  if not answer then return end
  local boxes = notebook.boxes(answer, strokes)
  if #boxes == 0 then return say("No text was found on this page.") end
  local copy = notebook.freeName(path:gsub("%.xopp$", "") .. "-text", ".xopp")
  local written, reason = notebook.write(copy, notebook.replaced(text, strokes, boxes))
  if not written then return say(reason) end
  os.execute("xournalpp " .. notebook.quoted(copy) .. " > /dev/null 2>&1 &")
end

-- The text of the page goes to the clipboard.
function copyAsText()
  local answer = readPage()
  if not answer then return end
  local best = answer.candidates[1]
  if not best or not best.text:find("%S") then return say("No text was found on this page.") end
  local wayland = os.getenv("WAYLAND_DISPLAY") and has("wl-copy")
  local program = wayland and "wl-copy" or has("xclip") and "xclip -selection clipboard"
    or has("xsel") and "xsel --clipboard --input"
  if not program then
    return say(best.text .. "\n\nInstall xclip, xsel or wl-clipboard to have this in the clipboard.")
  end
  local pipe = io.popen(program .. " > /dev/null 2>&1", "w")
  pipe:write(best.text)
  pipe:close()
end

-- Asks for words, and opens a page with the ink of all places where they are.
function findInNotes()
  if not has("zenity") then
    return say("Install zenity, which asks for the words, or use: ductus notes search WORDS --html hits.html")
  end
  local words = notebook.output(
    "zenity --entry --title=Ductus --text='Words to find in your notes' 2> /dev/null")
  words = words and words:gsub("%s+$", "")
  if not words or words == "" then return end
  -- A folder that its owner alone can read.
  local place = notebook.output("mktemp -d")
  if not place then return say("No temporary folder can be made.") end
  local page = place:gsub("%s+$", "") .. "/hits.html"
  local found, message = notebook.output(ductus .. " notes search --html " .. notebook.quoted(page)
    .. " -- " .. notebook.quoted(words))
  if not found then return say(message) end
  os.execute("xdg-open " .. notebook.quoted(page) .. " > /dev/null 2>&1 &")
end

-- Writes a PDF file in which viewers find and copy the handwriting, beside the notebook. NAME.pdf
-- may be the file under the notes, so it gets another name.
function savePDF()
  local path = saved()
  if not path then return end
  local pdf = path:gsub("%.xopp$", "") .. "-searchable.pdf"
  if notebook.exists(pdf)
    and app.msgbox("The file is there already: " .. pdf, { [1] = "Replace", [2] = "Cancel" }) ~= 1 then
    return
  end
  local _, message = notebook.output(ductus .. " convert " .. notebook.quoted(path) .. " --to pdf --output "
    .. notebook.quoted(pdf))
  say(message or ("Saved " .. pdf))
end
