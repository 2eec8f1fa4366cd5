import InkCore

extension RecognitionResult {
  /// Replaces the strokes and points of a cleaned ink by those of the ink that it was made from.
  ///
  /// - Parameter origins: For each stroke of the cleaned ink the stroke and points it comes from.
  mutating func mapStrokes(to origins: [CleanedInk.Origin]) {
    for index in candidates.indices { candidates[index].mapStrokes(to: origins) }
    // A stroke whose pieces are in two places belongs to the first: a line rather than the drawing.
    var seen: Set<Int> = []
    func strokes(_ pieces: [Int]) -> [Int] {
      pieces.map { origins[$0].stroke }.filter { seen.insert($0).inserted }
    }
    for index in lines.indices {
      lines[index].strokes = strokes(lines[index].strokes)
      for candidate in lines[index].candidates.indices {
        lines[index].candidates[candidate].mapStrokes(to: origins)
      }
    }
    drawing = strokes(drawing)
    // A stroke whose pieces have several kinds belongs to the first of them.
    var placed: Set<Int> = []
    mapPage { pieces in
      Set(pieces.map { origins[$0].stroke }).filter { placed.insert($0).inserted }.sorted()
    }
    // The last strokes were not read: those of which no piece was.
    if unreadStrokes > 0, origins.count >= unreadStrokes {
      let read = Set(origins.dropLast(unreadStrokes).map(\.stroke))
      let unread = Set(origins.suffix(unreadStrokes).map(\.stroke))
      unreadStrokes = unread.subtracting(read).count
    }
  }
}

extension RecognitionCandidate {
  fileprivate mutating func mapStrokes(to origins: [CleanedInk.Origin]) {
    for index in characters.indices {
      characters[index].parts = characters[index].parts.compactMap { part in
        // Dropped points between two of the character's belong to it.
        let points = origins[part.stroke].points[part.points]
        guard let first = points.min(), let last = points.max() else { return nil }
        return CharacterInk.Part(stroke: origins[part.stroke].stroke, points: first..<(last + 1))
      }
    }
    mapFormulas { pieces in Set(pieces.map { origins[$0].stroke }).sorted() }
  }
}

extension RecognitionResult {
  /// Puts strokes that repeat another beside it: in its line, and in its character.
  ///
  /// - Parameter repeats: The origin of each repeated stroke, and of the one that it repeats.
  mutating func addRepeats(_ repeats: [(stroke: CleanedInk.Origin, of: CleanedInk.Origin)]) {
    guard !repeats.isEmpty else { return }
    var copies: [Int: [CleanedInk.Origin]] = [:]
    for (copy, original) in repeats { copies[original.stroke, default: []].append(copy) }
    func withCopies(_ strokes: [Int]) -> [Int] {
      strokes.flatMap { [$0] + (copies[$0] ?? []).map(\.stroke).sorted() }
    }
    for index in candidates.indices { candidates[index].add(copies) }
    for index in lines.indices {
      lines[index].strokes = withCopies(lines[index].strokes)
      for candidate in lines[index].candidates.indices {
        lines[index].candidates[candidate].add(copies)
      }
    }
    drawing = withCopies(drawing).sorted()
    mapPage { withCopies($0).sorted() }
  }

  /// Replaces the strokes of blocks, edges and marks.
  private mutating func mapPage(_ map: ([Int]) -> [Int]) {
    for index in blocks.indices { blocks[index].strokes = map(blocks[index].strokes) }
    for index in edges.indices { edges[index].strokes = map(edges[index].strokes) }
    for index in marks.indices { marks[index].strokes = map(marks[index].strokes) }
  }
}

extension RecognitionCandidate {
  fileprivate mutating func add(_ copies: [Int: [CleanedInk.Origin]]) {
    for index in characters.indices {
      characters[index].parts = characters[index].parts.flatMap { part in
        [part]
          + (copies[part.stroke] ?? []).compactMap { copy in
            guard let first = copy.points.min(), let last = copy.points.max() else { return nil }
            return CharacterInk.Part(stroke: copy.stroke, points: first..<(last + 1))
          }
      }
    }
    mapFormulas { strokes in
      strokes.flatMap { [$0] + (copies[$0] ?? []).map(\.stroke) }.sorted()
    }
  }
}

extension RecognitionCandidate {
  /// Replaces the strokes of the symbols of its formulas.
  mutating func mapFormulas(_ map: ([Int]) -> [Int]) {
    for word in words.indices {
      words[word].formula = words[word].formula?.mappingStrokes(map)
      words[word].formulas = words[word].formulas.map { $0.mappingStrokes(map) }
    }
  }

  /// True if it has formulas among its words.
  package var hasFormulas: Bool { words.contains { $0.formula != nil } }
}
