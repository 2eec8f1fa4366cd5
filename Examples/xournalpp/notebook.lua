-- Files of Xournal++ and answers of Ductus, without the program: Tests/Doors/xournalpp.lua tests it.
local notebook = {}

-- A word for the shell, whatever it holds.
function notebook.quoted(word)
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

-- The output of a command and its errors, or nil and what the command says.
function notebook.output(command)
  local pipe = io.popen(command .. " 2>&1", "r")
  local text = pipe:read("a")
  if pipe:close() then return text end
  return nil, text
end

-- The XML text of a notebook, or nil and why there is none.
function notebook.read(path)
  local file, reason = io.open(path, "rb")
  if not file then return nil, "The file cannot be read: " .. reason end
  local start = file:read(4) or ""
  file:close()
  if start:sub(1, 2) == "PK" then
    return nil, "The file is a ZIP archive, which this plugin does not read. Save it in the plain form."
  end
  local command = start:sub(1, 2) == "\31\139" and "gzip -dc < " or "cat < "
  local text, message = notebook.output(command .. notebook.quoted(path))
  if not text or not text:find("</xournal>", 1, true) then
    return nil, "The file is not a whole notebook of Xournal++. " .. (message or "")
  end
  return text
end

-- Whether there is a file that can be read.
function notebook.exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

-- The first of NAME.END, NAME-2.END, NAME-3.END that no file has.
function notebook.freeName(name, ending)
  local path, number = name .. ending, 2
  while notebook.exists(path) do
    path, number = name .. "-" .. number .. ending, number + 1
  end
  return path
end

-- Writes the XML text of a notebook; true, or nil and why not.
function notebook.write(path, text)
  local pipe = io.popen("exec 2> /dev/null; gzip -c > " .. notebook.quoted(path), "w")
  local written = pipe:write(text)
  if pipe:close() and written then return true end
  os.remove(path)
  return nil, "The file cannot be written: " .. path
end

-- The notebooks among the recent files of the desktop (recently-used.xbel), at most 50, newest first.
function notebook.recentFiles(text)
  local entries = {}
  for attributes in text:gmatch("<bookmark%s([^>]*)>") do
    local address = attributes:match('href="file://([^"]*)"')
    if address and address:find("%.xopp$") then
      address = address:gsub("&amp;", "&"):gsub("&apos;", "'"):gsub("&quot;", '"')
      local path = address:gsub("%%(%x%x)", function(code) return string.char(tonumber(code, 16)) end)
      entries[#entries + 1] = { path = path, time = attributes:match('modified="([^"]*)"') or "" }
    end
  end
  table.sort(entries, function(a, b) return a.time > b.time end)
  local paths = {}
  for place = 1, math.min(50, #entries) do paths[place] = entries[place].path end
  return paths
end

-- The first and last place of a page in the text, from 1.
function notebook.page(text, number)
  local from, to, after = nil, nil, 1
  for _ = 1, number do
    from = text:find("<page[%s>]", after)
    if not from then return nil end
    _, to = text:find("</page>", from, true)
    if not to then return nil end
    after = to + 1
  end
  return from, to
end

-- The pen strokes of a page: x, y, colour and their place in the text.
function notebook.strokes(text, from, to)
  local found, after = {}, from
  while true do
    local first, last, attributes, points = text:find("<stroke%s([^>]*)>([^<]*)</stroke>", after)
    if not first or last > to then return found end
    after = last + 1
    if attributes:find('tool="pen"', 1, true) then
      local stroke = { x = {}, y = {}, first = first, last = last }
      stroke.color = attributes:match('color="([^"]*)"') or "black"
      for x, y in points:gmatch("(%S+)%s+(%S+)") do
        x, y = tonumber(x), tonumber(y)
        if x and y then
          stroke.x[#stroke.x + 1] = x
          stroke.y[#stroke.y + 1] = y
        end
      end
      if #stroke.x > 0 then found[#found + 1] = stroke end
    end
  end
end

-- One line of JSON for 'ductus recognize -'.
function notebook.request(strokes)
  local parts = {}
  for index, stroke in ipairs(strokes) do
    local x, y = {}, {}
    for point = 1, #stroke.x do
      x[point], y[point] = ("%.3f"):format(stroke.x[point]), ("%.3f"):format(stroke.y[point])
    end
    parts[index] = '{"x":[' .. table.concat(x, ",") .. '],"y":[' .. table.concat(y, ",") .. "]}"
  end
  return '{"layout":"page","spans":true,"candidates":1,"strokes":['
    .. table.concat(parts, ",") .. "]}\n"
end

-- What a JSON text holds; an error if it is none. null is nil.
function notebook.decoded(text)
  local place = 1
  local escapes = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
  local function skip()
    place = text:find("[^ \t\r\n]", place) or #text + 1
    return text:sub(place, place)
  end
  local function string()
    local parts = {}
    place = place + 1
    while true do
      local plain, to, mark = text:match('^([^"\\]*)()(["\\])', place)
      if not plain then error("a string without an end") end
      parts[#parts + 1] = plain
      place = to + 1
      if mark == '"' then return table.concat(parts) end
      local letter = text:sub(place, place)
      if letter == "u" then
        local high, low = text:match("^u([dD][89abAB]%x%x)\\u([dD][c-fC-F]%x%x)", place)
        if high then
          local code = (tonumber(high, 16) - 0xD800) * 0x400 + tonumber(low, 16) - 0xDC00 + 0x10000
          parts[#parts + 1] = utf8.char(code)
          place = place + 11
        else
          parts[#parts + 1] = utf8.char(tonumber(text:match("^u(%x%x%x%x)", place), 16))
          place = place + 5
        end
      else
        parts[#parts + 1] = escapes[letter] or letter
        place = place + 1
      end
    end
  end
  local value
  local function list()
    local found = {}
    place = place + 1
    if skip() == "]" then place = place + 1 return found end
    while true do
      found[#found + 1] = value()
      local mark = skip()
      place = place + 1
      if mark == "]" then return found end
      if mark ~= "," then error("a list without an end") end
    end
  end
  local function object()
    local found = {}
    place = place + 1
    if skip() == "}" then place = place + 1 return found end
    while true do
      if skip() ~= '"' then error("an object without a name") end
      local name = string()
      if skip() ~= ":" then error("a name without a value") end
      place = place + 1
      found[name] = value()
      local mark = skip()
      place = place + 1
      if mark == "}" then return found end
      if mark ~= "," then error("an object without an end") end
    end
  end
  function value()
    local start = skip()
    if start == "{" then return object() end
    if start == "[" then return list() end
    if start == '"' then return string() end
    local word = text:match("^[%w+.-]+", place)
    if not word then error("no value") end
    place = place + #word
    if word == "true" then return true end
    if word == "false" then return false end
    if word == "null" then return nil end
    return tonumber(word) or error("no number")
  end
  return value()
end

-- Asks Ductus to read strokes: its answer, or nil and what went wrong. The ink is in a file of the
-- user alone until the answer is there.
function notebook.answer(ductus, strokes)
  local name = os.tmpname()
  local file = io.open(name, "w")
  if not file then return nil, "No temporary file can be written." end
  file:write(notebook.request(strokes))
  file:close()
  local text, message = notebook.output(ductus .. " recognize - < " .. notebook.quoted(name))
  os.remove(name)
  if not text then return nil, "Ductus did not read the page. " .. message end
  local whole, answer = pcall(notebook.decoded, text)
  if not whole or type(answer) ~= "table" then return nil, "Ductus gave no answer: " .. text:sub(1, 200) end
  if answer.error then
    return nil, type(answer.error) == "table" and answer.error.message or tostring(answer.error)
  end
  return answer
end

-- The lowest and highest number of lists.
local function range(strokes, indices, axis)
  local low, high = math.huge, -math.huge
  for _, index in ipairs(indices) do
    for _, number in ipairs(strokes[index + 1][axis]) do
      low, high = math.min(low, number), math.max(high, number)
    end
  end
  return low, high
end

local function median(numbers)
  local sorted = { table.unpack(numbers) }
  table.sort(sorted)
  return sorted[(#sorted + 1) // 2]
end

-- A text box for each line: text, x, y of its upper edge, size, colour and strokes from 1.
function notebook.boxes(answer, strokes)
  local boxes, sizes = {}, {}
  for _, line in ipairs(answer.lines or {}) do
    if #line.strokes > 0 and line.text:find("%S") then
      local left, right = range(strokes, line.strokes, "x")
      local top, bottom = range(strokes, line.strokes, "y")
      -- The baseline is where words without a tail end.
      local ends = {}
      for _, word in ipairs(line.words or {}) do
        if #word.strokes > 0 and not word.text:find("[gjpqyQ,;_]") then
          local _, low = range(strokes, word.strokes, "y")
          ends[#ends + 1] = low
        end
      end
      local tail = line.text:find("[gjpqyQ,;_]") and 0.22 or 0
      local box = { text = line.text, x = left, strokes = {} }
      box.baseline = #ends > 0 and median(ends) or bottom - tail * (bottom - top)
      -- A letter of a sans serif font is 0.55 of its size wide, a capital 0.73 high.
      local wide = (right - left) / (0.55 * utf8.len(line.text))
      box.size = math.max(6, math.min(72, wide, (box.baseline - top) / 0.73))
      for place, index in ipairs(line.strokes) do box.strokes[place] = index + 1 end
      box.color = strokes[box.strokes[1]].color
      boxes[#boxes + 1] = box
      sizes[#sizes + 1] = box.size
    end
  end
  -- Lines of about one size get one size; headings keep theirs.
  local usual = #sizes > 0 and median(sizes)
  for _, box in ipairs(boxes) do
    if box.size < 1.4 * usual and box.size > 0.6 * usual then box.size = usual end
    box.size = math.floor(box.size * 2 + 0.5) / 2
    box.y = box.baseline - 0.93 * box.size
  end
  return boxes
end

local function escaped(text)
  return (text:gsub("[&<>]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }))
end

-- The notebook with the strokes of each box replaced by its text, in their layer.
function notebook.replaced(text, strokes, boxes)
  local changes = {}
  for _, box in ipairs(boxes) do
    local order = { table.unpack(box.strokes) }
    table.sort(order)
    for place, index in ipairs(order) do
      changes[#changes + 1] = { stroke = strokes[index], new = "" }
      if place == 1 then
        changes[#changes].new = ('<text font="Sans" size="%g" x="%.2f" y="%.2f" color="%s">%s</text>'):format(
          box.size, box.x, box.y, box.color, escaped(box.text))
      end
    end
  end
  table.sort(changes, function(a, b) return a.stroke.first < b.stroke.first end)
  local parts, after = {}, 1
  for _, change in ipairs(changes) do
    parts[#parts + 1] = text:sub(after, change.stroke.first - 1)
    parts[#parts + 1] = change.new
    after = change.stroke.last + 1
  end
  parts[#parts + 1] = text:sub(after)
  return table.concat(parts)
end

return notebook
