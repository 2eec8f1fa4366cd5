import Foundation

/// A text that knows how strongly each of its characters was written, 0 ... 100.
///
///     var text = IntensityString("Hello ", intensity: 40)
///     text.append(IntensityString("world", intensity: 90))
///     print(text.averageIntensity)  // 62
///
/// It has one intensity for each UTF-16 unit, base attributes in runs, links and attachments. Every
/// index counts UTF-16 units. All units of one composed character share the intensity of the first
/// one. Each edit keeps everything in step and checks its arguments before it changes anything.
///
/// The content is a balanced tree: a copy is O(1), an edit is O(log n) and the edited characters.
public struct IntensityString: Sendable {
  /// The look that the whole text asks for.
  public var options = IntensityOptions()

  var text = Rope<TextChunk>()
  var attributeRuns = Rope<ValueRun<BaseAttributes>>()
  var linkRuns = Rope<ValueRun<LinkValue>>()
  var attachmentRuns = Rope<ValueRun<AttachmentValue>>()

  /// The intensity of text that nothing is known of.
  public static let defaultIntensity = 50
  /// The character that an attachment takes the place of.
  static let attachmentUnit: UInt16 = 0xFFFC

  /// Makes an empty text.
  public init() {}

  /// Makes a text with one intensity, which is kept in 0 ... 100. O(n).
  public init(
    _ text: String, intensity: Int = IntensityString.defaultIntensity,
    attributes: BaseAttributes = BaseAttributes()
  ) {
    let units = Array(text.utf16)
    let number = UInt8(min(max(intensity, 0), 100))
    self.init(
      units: units, intensities: [UInt8](repeating: number, count: units.count),
      attributes: attributes)
  }

  /// Makes a text with an intensity for each UTF-16 unit. O(n).
  ///
  /// - Throws: ``IntensityTextError`` for another count than that of the units, or for an intensity
  ///   outside of 0 ... 100.
  public init(
    _ text: String, intensities: [Int], attributes: BaseAttributes = BaseAttributes()
  ) throws(IntensityTextError) {
    let units = Array(text.utf16)
    guard intensities.count == units.count else {
      throw IntensityTextError(
        .wrongCount, "intensities", expected: "\(units.count)", found: "\(intensities.count)")
    }
    for (index, number) in intensities.enumerated() {
      try IntensityTextError.check(intensity: number, at: index, "intensities")
    }
    var numbers = intensities.map { UInt8($0) }
    for character in CharacterCounts(text) where character.count > 1 {
      for index in character.start + 1..<character.start + character.count {
        numbers[index] = numbers[character.start]
      }
    }
    self.init(units: units, intensities: numbers, attributes: attributes)
  }

  init(units: [UInt16], intensities: [UInt8], attributes: BaseAttributes) {
    text = Rope(TextChunk.chunks(units: units, intensities: intensities))
    attributeRuns = Rope([ValueRun(count: units.count, value: attributes)])
    linkRuns = Rope([ValueRun(count: units.count, value: LinkValue())])
    attachmentRuns = Rope([ValueRun(count: units.count, value: AttachmentValue())])
  }

  // MARK: - Reading

  /// The number of UTF-16 units. O(1).
  public var count: Int { text.count }

  /// True if there is no text.
  public var isEmpty: Bool { count == 0 }

  /// The text. O(n).
  public var string: String { String(decoding: units(in: 0..<count), as: UTF16.self) }

  /// The intensity of each UTF-16 unit. O(n).
  public var intensities: [Int] {
    var result: [Int] = []
    result.reserveCapacity(count)
    text.forEach { chunk, _ in for number in chunk.intensities { result.append(Int(number)) } }
    return result
  }

  /// The mean of the intensities of all units, cut to an integer; 0 for no text. O(1).
  public var averageIntensity: Int { count == 0 ? 0 : text.sum / count }

  /// Returns the mean intensity of a range, cut to an integer; 0 for an empty range. O(log n).
  ///
  /// - Throws: ``IntensityTextError`` for a range outside of the text.
  public func averageIntensity(in range: Range<Int>) throws(IntensityTextError) -> Int {
    try IntensityTextError.check(range, count: count, "range")
    return range.isEmpty ? 0 : text.part(range).sum / range.count
  }

  /// Returns the intensity of a unit. O(log n).
  ///
  /// - Throws: ``IntensityTextError`` for an index outside of the text.
  public func intensity(at index: Int) throws(IntensityTextError) -> Int {
    try checkUnit(index)
    return text.chunk(at: index).map { Int($0.chunk.intensities[index - $0.start]) } ?? 0
  }

  /// Returns the base attributes of a unit. O(log n).
  ///
  /// - Throws: ``IntensityTextError`` for an index outside of the text.
  public func attributes(at index: Int) throws(IntensityTextError) -> BaseAttributes {
    try checkUnit(index)
    return attributeRuns.chunk(at: index)?.chunk.value ?? BaseAttributes()
  }

  /// The runs of equal base attributes; neighbours differ. O(runs).
  public var attributes: [(range: Range<Int>, attributes: BaseAttributes)] {
    var result: [(Range<Int>, BaseAttributes)] = []
    attributeRuns.forEach { run, start in result.append((start..<start + run.count, run.value)) }
    return result
  }

  /// The links, in the order of the text. O(links).
  public var links: [(range: Range<Int>, url: URL)] {
    var result: [(Range<Int>, URL)] = []
    linkRuns.forEach { run, start in
      if let url = run.value.url { result.append((start..<start + run.count, url)) }
    }
    return result
  }

  /// The attachments, in the order of the text. O(attachments).
  public var attachments: [PlacedAttachment] {
    var result: [PlacedAttachment] = []
    attachmentRuns.forEach { run, start in
      if let attachment = run.value.attachment {
        result.append(PlacedAttachment(index: start, attachment: attachment))
      }
    }
    return result
  }

  private func checkUnit(_ index: Int) throws(IntensityTextError) {
    guard index >= 0, index < count else {
      throw IntensityTextError(
        .outside, "index", at: index, expected: "an index in 0 ..< \(count)", found: "\(index)")
    }
  }

  /// The UTF-16 units of a range, which must lie in the text. O(log n + range).
  func units(in range: Range<Int>) -> [UInt16] {
    var result: [UInt16] = []
    result.reserveCapacity(range.count)
    text.forEach(in: range) { chunk, start in
      let low = max(range.lowerBound - start, 0)
      let high = min(range.upperBound - start, chunk.count)
      if low < high { result += chunk.units[low..<high] }
    }
    return result
  }

  /// The UTF-16 unit at an index, nil outside of the text. O(log n).
  func unit(at index: Int) -> UInt16? {
    text.chunk(at: index).map { $0.chunk.units[index - $0.start] }
  }
}

extension IntensityString: Hashable {
  /// Compares the contents. O(n).
  public static func == (left: IntensityString, right: IntensityString) -> Bool {
    guard left.count == right.count, left.options == right.options else { return false }
    let all = 0..<left.count
    return left.units(in: all) == right.units(in: all) && left.intensities == right.intensities
      && left.attributeRuns.chunks == right.attributeRuns.chunks
      && left.linkRuns.chunks == right.linkRuns.chunks
      && left.attachmentRuns.chunks == right.attachmentRuns.chunks
  }

  /// Hashes the text and the options. O(n).
  public func hash(into hasher: inout Hasher) {
    hasher.combine(units(in: 0..<count))
    hasher.combine(options)
  }
}

/// The characters of a text, as counts of UTF-16 units.
struct CharacterCounts: Sequence {
  private let text: String

  init(_ text: String) { self.text = text }

  func makeIterator() -> AnyIterator<(start: Int, count: Int)> {
    var rest = text.makeIterator()
    var start = 0
    return AnyIterator {
      guard let character = rest.next() else { return nil }
      let count = character.utf16.count
      defer { start += count }
      return (start, count)
    }
  }
}
