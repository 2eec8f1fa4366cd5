import Foundation

extension IntensityString {
  /// Returns a part of the text with all that belongs to it. O(log n).
  ///
  /// - Throws: ``IntensityTextError`` for a range that lies outside of the text or cuts a surrogate
  ///   pair.
  public func substring(_ range: Range<Int>) throws(IntensityTextError) -> IntensityString {
    try check(range)
    var result = IntensityString()
    result.options = options
    result.text = text.part(range)
    result.attributeRuns = attributeRuns.part(range)
    result.linkRuns = linkRuns.part(range)
    result.attachmentRuns = attachmentRuns.part(range)
    // A part may begin inside of a composed character, which then ends as another one.
    result.settle(at: 0)
    return result
  }

  /// Appends a text; the options stay. O(log n).
  public mutating func append(_ other: IntensityString) {
    change(count..<count, to: other)
  }

  /// Inserts a text; the options stay. O(log n).
  ///
  /// - Throws: ``IntensityTextError`` for an index outside of the text or in a surrogate pair.
  public mutating func insert(_ other: IntensityString, at index: Int) throws(IntensityTextError) {
    try replace(index..<index, with: other)
  }

  /// Removes a range. O(log n).
  ///
  /// - Throws: ``IntensityTextError`` for a range that lies outside of the text or cuts a surrogate
  ///   pair.
  public mutating func remove(_ range: Range<Int>) throws(IntensityTextError) {
    try replace(range, with: IntensityString())
  }

  /// Replaces a range; the options stay. A link continues through text that replaces a part of it
  /// only where that text has the link itself. O(log n).
  ///
  /// - Throws: ``IntensityTextError`` for a range that lies outside of the text or cuts a surrogate
  ///   pair.
  public mutating func replace(
    _ range: Range<Int>, with other: IntensityString
  ) throws(IntensityTextError) {
    try check(range)
    change(range, to: other)
  }

  /// Inserts an attachment, which takes the place of one character, U+FFFC. O(log n).
  ///
  /// - Throws: ``IntensityTextError`` for an index outside of the text or in a surrogate pair, or an
  ///   intensity outside of 0 ... 100.
  public mutating func attach(
    _ attachment: Attachment, at index: Int, intensity: Int = IntensityString.defaultIntensity,
    attributes: BaseAttributes = BaseAttributes()
  ) throws(IntensityTextError) {
    try IntensityTextError.check(intensity: intensity)
    var piece = IntensityString(
      units: [Self.attachmentUnit], intensities: [UInt8(intensity)], attributes: attributes)
    piece.place(attachment, at: 0)
    try replace(index..<index, with: piece)
  }

  // MARK: - Values

  /// Sets the intensity of a range. A character of which only a later part lies in the range keeps
  /// its own. O(log n + range).
  ///
  /// - Throws: ``IntensityTextError`` for a range that lies outside of the text or cuts a surrogate
  ///   pair, or an intensity outside of 0 ... 100.
  public mutating func setIntensity(
    _ intensity: Int, in range: Range<Int>
  ) throws(IntensityTextError) {
    try check(range)
    try IntensityTextError.check(intensity: intensity)
    fill(range, with: UInt8(intensity))
    settle(at: range.lowerBound)
    settle(at: range.upperBound)
  }

  /// Sets the base attributes of a range. O(log n).
  ///
  /// - Throws: ``IntensityTextError`` for a range that lies outside of the text or cuts a surrogate
  ///   pair.
  public mutating func setAttributes(
    _ attributes: BaseAttributes, in range: Range<Int>
  ) throws(IntensityTextError) {
    try check(range)
    attributeRuns.replace(range, with: Rope([ValueRun(count: range.count, value: attributes)]))
  }

  /// Changes the base attributes of a range, such as to make all of it bold. O(log n + runs).
  ///
  /// - Throws: ``IntensityTextError`` for a range that lies outside of the text or cuts a surrogate
  ///   pair.
  public mutating func changeAttributes(
    in range: Range<Int>, _ change: (inout BaseAttributes) -> Void
  ) throws(IntensityTextError) {
    try check(range)
    let runs = attributeRuns.part(range).chunks.map { run in
      var value = run.value
      change(&value)
      return ValueRun(count: run.count, value: value)
    }
    attributeRuns.replace(range, with: Rope(runs))
  }

  /// Links a range, or takes its links away. Links never overlap: the new one replaces what it
  /// covers. O(log n).
  ///
  /// - Throws: ``IntensityTextError`` for a range that lies outside of the text or cuts a surrogate
  ///   pair.
  public mutating func setLink(_ url: URL?, in range: Range<Int>) throws(IntensityTextError) {
    try check(range)
    linkRuns.replace(range, with: Rope([ValueRun(count: range.count, value: LinkValue(url: url))]))
  }

  // MARK: - Without checks

  /// Checks that a range lies in the text and cuts no surrogate pair.
  func check(_ range: Range<Int>) throws(IntensityTextError) {
    try IntensityTextError.check(range, count: count, "range")
    for index in [range.lowerBound, range.upperBound] where cutsPair(index) {
      throw IntensityTextError(
        .insideSurrogatePair, "range", at: index, expected: "the start or end of a character",
        found: "the middle of a surrogate pair")
    }
  }

  /// True if an index lies between the two units of a character.
  package func cutsPair(_ index: Int) -> Bool {
    guard let low = unit(at: index), UTF16.isTrailSurrogate(low) else { return false }
    return unit(at: index - 1).map(UTF16.isLeadSurrogate) ?? false
  }

  private mutating func change(_ range: Range<Int>, to other: IntensityString) {
    text.replace(range, with: other.text)
    attributeRuns.replace(range, with: other.attributeRuns)
    linkRuns.replace(range, with: other.linkRuns)
    attachmentRuns.replace(range, with: other.attachmentRuns)
    settle(at: range.lowerBound)
    if !other.isEmpty { settle(at: range.lowerBound + other.count) }
  }

  /// Gives all units of the characters at a seam the intensity of their first one. Characters after
  /// the seam may have begun before it.
  private mutating func settle(at seam: Int) {
    var (low, high) = (seam, min(seam + 1, count))
    while !isSafe(low) { low -= 1 }
    while !isSafe(high) { high += 1 }
    guard high > low + 1 else { return }
    let piece = String(decoding: units(in: low..<high), as: UTF16.self)
    for character in CharacterCounts(piece) where character.count > 1 {
      unify(low + character.start..<low + character.start + character.count)
    }
  }

  /// Gives a range the intensity of its first unit.
  mutating func unify(_ range: Range<Int>) {
    guard let (chunk, start) = text.chunk(at: range.lowerBound) else { return }
    let number = chunk.intensities[range.lowerBound - start]
    let end = range.upperBound - start
    if end <= chunk.count,
      chunk.intensities[range.lowerBound - start..<end].allSatisfy({ $0 == number })
    {
      return
    }
    fill(range, with: number)
  }

  private mutating func fill(_ range: Range<Int>, with number: UInt8) {
    let numbers = [UInt8](repeating: number, count: range.count)
    let chunks = TextChunk.chunks(units: units(in: range), intensities: numbers)
    text.replace(range, with: Rope(chunks))
  }

  /// Makes the unit at an index, which must be U+FFFC, an attachment.
  mutating func place(_ attachment: Attachment, at index: Int) {
    let run = ValueRun(count: 1, value: AttachmentValue(attachment: attachment))
    attachmentRuns.replace(index..<index + 1, with: Rope([run]))
  }

  /// True if a character ends at an index, whatever else the text holds.
  private func isSafe(_ index: Int) -> Bool {
    guard index > 0, index < count, let before = unit(at: index - 1), let after = unit(at: index)
    else { return true }
    if before < 0x80, after < 0x80 { return !(before == 0x0D && after == 0x0A) }
    guard !cutsPair(index), let left = scalar(endingAt: index), let right = scalar(at: index) else {
      return false
    }
    switch left.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark, .format: return false
    default: break
    }
    // Regional indicators pair up from the beginning of their row.
    if Self.isRegional(left), Self.isRegional(right) { return false }
    var pair = String.UnicodeScalarView()
    pair.append(left)
    pair.append(right)
    return String(pair).count == 2
  }

  private static func isRegional(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  private func scalar(at index: Int) -> Unicode.Scalar? {
    guard let unit = unit(at: index) else { return nil }
    guard UTF16.isLeadSurrogate(unit), let low = self.unit(at: index + 1) else {
      return Unicode.Scalar(unit)
    }
    return String(decoding: [unit, low], as: UTF16.self).unicodeScalars.first
  }

  private func scalar(endingAt index: Int) -> Unicode.Scalar? {
    guard let unit = unit(at: index - 1) else { return nil }
    return UTF16.isTrailSurrogate(unit) ? scalar(at: index - 2) : Unicode.Scalar(unit)
  }
}

extension IntensityString {
  /// True if the trees are balanced, all counts agree, no runs could be one, and each attachment is
  /// at a U+FFFC. For tests. O(n).
  package var isConsistent: Bool {
    func merged<Value>(_ rope: Rope<ValueRun<Value>>) -> Bool {
      let runs = rope.chunks
      return rope.isConsistent && rope.count == count
        && zip(runs, runs.dropFirst()).allSatisfy { $0.merged(with: $1) == nil }
    }
    guard text.isConsistent, merged(attributeRuns), merged(linkRuns), merged(attachmentRuns)
    else { return false }
    return attachments.allSatisfy { unit(at: $0.index) == Self.attachmentUnit }
  }

  /// The nodes on the way to a unit, over all trees: the cost of an edit. For tests.
  package var editCost: Int {
    [text.height, attributeRuns.height, linkRuns.height, attachmentRuns.height].reduce(0, +)
  }
}
