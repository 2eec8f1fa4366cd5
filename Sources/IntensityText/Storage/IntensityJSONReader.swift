import Files
import Foundation

extension IntensityString {
  /// Reads JSON as ``json()`` writes it.
  ///
  /// Smoothings are read by their short and long names. A missing `animates` is true. Intensities
  /// that are missing at the end are 0. Keys that are not known are ignored; of the known ones, only
  /// `text` must be there. Units without base attributes get the standard ones. O(n).
  ///
  /// - Parameters:
  ///   - json: The JSON.
  ///   - schemes: The schemes of which the text may name one; nil to keep every name.
  /// - Throws: ``IntensityTextError`` with the key, and the element or byte, for anything else.
  public init(
    json: Data, schemes: IntensitySchemes? = nil
  ) throws(IntensityTextError) {
    let fields = try IntensityJSONFields(json)
    try self.init(fields)
    if let schemes, let name = options.scheme { _ = try schemes.knownScheme(named: name) }
  }

  private init(_ fields: IntensityJSONFields) throws(IntensityTextError) {
    guard let text = fields.text else {
      throw IntensityTextError(
        .malformed, "text", expected: "the key text with a string", found: "no such key")
    }
    let count = text.utf16.count
    guard fields.intensities.count <= count else {
      throw IntensityTextError(
        .wrongCount, "intensities", at: count,
        expected: "at most \(count) numbers, one for each UTF-16 unit of the text",
        found: "\(fields.intensities.count)")
    }
    let padding = [Int](repeating: 0, count: count - fields.intensities.count)
    try self.init(text, intensities: fields.intensities + padding)
    options = fields.options
    let bits = try runs(fields.attributes, "iaBaseAttributes") { value throws(IntensityTextError) in
      ValueRun(count: value.range.count, value: value.value)
    }
    attributeRuns = Rope(filled(bits, with: BaseAttributes()))
    let links = try runs(fields.links, "linkRVPs") { value throws(IntensityTextError) in
      ValueRun(count: value.range.count, value: LinkValue(url: value.value))
    }
    linkRuns = Rope(filled(links, with: LinkValue()))
    try place(fields.attachments)
  }

  private mutating func place(_ attachments: [PlacedAttachment]) throws(IntensityTextError) {
    var taken: Set<Int> = []
    for (number, item) in attachments.enumerated() {
      guard item.index >= 0, item.index < count, unit(at: item.index) == Self.attachmentUnit,
        taken.insert(item.index).inserted
      else {
        throw IntensityTextError(
          .malformed, "iaTextAttachments", at: number,
          expected: "the index of a U+FFFC that has no other attachment", found: "\(item.index)")
      }
      place(item.attachment, at: item.index)
    }
  }

  /// Checks ranges and sorts them: each lies in the text, cuts no pair, and overlaps no other.
  private func runs<Value, Run>(
    _ values: [IntensityJSONFields.Ranged<Value>], _ field: String,
    _ make: (IntensityJSONFields.Ranged<Value>) throws(IntensityTextError) -> Run
  ) throws(IntensityTextError) -> [(start: Int, run: Run)] {
    var result: [(Int, Run)] = []
    var end = 0
    for item in values.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      let range = item.range
      guard range.lowerBound >= end, range.upperBound <= count else {
        let problem = range.upperBound > count ? "outside of the text" : "over another range"
        throw IntensityTextError(
          .outside, field, at: item.number,
          expected: "ranges of 0 ..< \(count) that do not overlap", found: "\(range), \(problem)")
      }
      for index in [range.lowerBound, range.upperBound] where cutsPair(index) {
        throw IntensityTextError(
          .insideSurrogatePair, field, at: item.number,
          expected: "the start or end of a character", found: "the middle of a surrogate pair")
      }
      end = range.upperBound
      result.append((range.lowerBound, try make(item)))
    }
    return result
  }

  /// Fills the gaps between runs.
  private func filled<Value>(
    _ runs: [(start: Int, run: ValueRun<Value>)], with value: Value
  ) -> [ValueRun<Value>] {
    var result: [ValueRun<Value>] = []
    var end = 0
    for (start, run) in runs {
      result.append(ValueRun(count: start - end, value: value))
      result.append(run)
      end = start + run.count
    }
    return result + [ValueRun(count: count - end, value: value)]
  }
}

/// The keys of the JSON, each checked by itself.
private struct IntensityJSONFields {
  /// A range with a value, and its number in the array.
  struct Ranged<Value> {
    var number: Int
    var range: Range<Int>
    var value: Value
  }

  var text: String?
  var intensities: [Int] = []
  var attributes: [Ranged<BaseAttributes>] = []
  var links: [Ranged<URL>] = []
  var options = IntensityOptions()
  var attachments: [PlacedAttachment] = []

  init(_ json: Data) throws(IntensityTextError) {
    let bytes = Array(json)
    let result = bytes.withUnsafeBufferPointer {
      (buffer) -> Result<IntensityJSONFields, IntensityTextError> in
      do throws(IntensityTextError) {
        return .success(try IntensityJSONFields(buffer))
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  private init(_ buffer: UnsafeBufferPointer<UInt8>) throws(IntensityTextError) {
    var reader = JSONReader(buffer, refusesDuplicateKeys: true)
    var field = "the whole"
    do throws(JSONProblem) {
      try reader.openObject("an object")
    } catch {
      throw Self.error(error, field)
    }
    while let key = try Self.reading(
      field,
      { () throws(JSONProblem) in
        try reader.nextKey(of: "an object")
      })
    {
      field = key
      switch key {
      case "text":
        text = try Self.reading(key) { () throws(JSONProblem) in try reader.string("a string") }
      case "intensities": try readIntensities(&reader)
      case "iaBaseAttributes":
        attributes = try Self.ranges(&reader, key) {
          (reader, number) throws(IntensityTextError) in
          let bits = try Self.integer(&reader, key, number)
          guard let value = BaseAttributes(rawValue: bits) else {
            throw IntensityTextError(
              .invalidNumber, key, at: number, expected: "bits of 0 ... 4095", found: "\(bits)")
          }
          return value
        }
      case "linkRVPs":
        links = try Self.ranges(&reader, key) { (reader, number) throws(IntensityTextError) in
          let text = try Self.reading(key) { () throws(JSONProblem) in
            try reader.string("a URL")
          }
          guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw IntensityTextError(
              .invalidURL, key, at: number, expected: "a URL", found: "another text")
          }
          return url
        }
      case "options": options = try Self.options(Self.value(&reader, key))
      case "iaTextAttachments":
        attachments = try Self.attachments(Self.value(&reader, key), key)
      default:
        // The names of keys that are not known stay out of errors.
        field = "an unknown key"
        try Self.reading(field) { () throws(JSONProblem) in try reader.skipValue() }
      }
    }
    try Self.reading("the whole") { () throws(JSONProblem) in try reader.end(of: "text") }
  }

  private mutating func readIntensities(_ reader: inout JSONReader) throws(IntensityTextError) {
    let key = "intensities"
    let numbers = try Self.reading(key) { () throws(JSONProblem) in
      try reader.numbers("an array of numbers")
    }
    intensities.reserveCapacity(numbers.count)
    for (index, number) in numbers.enumerated() {
      guard let whole = Int(exactly: number), (0...100).contains(whole) else {
        throw IntensityTextError(
          .invalidNumber, key, at: index, expected: "whole numbers of 0 ... 100",
          found: "\(number)")
      }
      intensities.append(whole)
    }
  }

  // MARK: - Pieces

  private static func error(_ problem: JSONProblem, _ field: String) -> IntensityTextError {
    IntensityTextError(
      .malformed, field, at: problem.offset, expected: problem.value, found: problem.found)
  }

  @discardableResult
  private static func reading<Value>(
    _ field: String, _ body: () throws(JSONProblem) -> Value
  ) throws(IntensityTextError) -> Value {
    do throws(JSONProblem) {
      return try body()
    } catch {
      throw Self.error(error, field)
    }
  }

  private static func value(
    _ reader: inout JSONReader, _ field: String
  ) throws(IntensityTextError) -> JSONValue {
    try reading(field) { () throws(JSONProblem) in try JSONValue(&reader) }
  }

  private static func integer(
    _ reader: inout JSONReader, _ field: String, _ position: Int
  ) throws(IntensityTextError) -> Int {
    let number = try reading(field) { () throws(JSONProblem) in try reader.number("a number") }
    guard let whole = Int(exactly: number) else {
      throw IntensityTextError(
        .invalidNumber, field, at: position, expected: "a whole number", found: "\(number)")
    }
    return whole
  }

  /// Reads `[[start, end, value], ...]`.
  private static func ranges<Value>(
    _ reader: inout JSONReader, _ field: String,
    _ read: (inout JSONReader, Int) throws(IntensityTextError) -> Value
  ) throws(IntensityTextError) -> [Ranged<Value>] {
    let shape = "[start, end, value]"
    var result: [Ranged<Value>] = []
    try reading(field) { () throws(JSONProblem) in try reader.openArray("an array of \(shape)") }
    func next(_ reader: inout JSONReader) throws(IntensityTextError) -> Bool {
      try reading(field) { () throws(JSONProblem) in try reader.nextElement(of: shape) }
    }
    while try next(&reader) {
      let number = result.count
      func malformed(_ found: String) -> IntensityTextError {
        IntensityTextError(.malformed, field, at: number, expected: shape, found: found)
      }
      try reading(field) { () throws(JSONProblem) in try reader.openArray(shape) }
      guard try next(&reader) else { throw malformed("an empty array") }
      let start = try integer(&reader, field, number)
      guard try next(&reader) else { throw malformed("1 element") }
      let end = try integer(&reader, field, number)
      guard try next(&reader) else { throw malformed("2 elements") }
      let value = try read(&reader, number)
      guard try !next(&reader) else { throw malformed("more than 3 elements") }
      guard start >= 0, start < end else {
        throw IntensityTextError(
          .outside, field, at: number, expected: "0 <= start < end", found: "\(start), \(end)")
      }
      result.append(Ranged(number: number, range: start..<end, value: value))
    }
    return result
  }

  private static func options(_ value: JSONValue) throws(IntensityTextError) -> IntensityOptions {
    guard let members = value.object else {
      throw IntensityTextError(
        .malformed, "options", expected: "an object", found: "another value")
    }
    func wrong(_ key: String, _ expected: String) -> IntensityTextError {
      IntensityTextError(
        .malformed, "options.\(key)", expected: expected, found: "another value")
    }
    var options = IntensityOptions()
    switch members["animates"] {
    case nil: options.animates = true
    case .null: break
    case .bool(let truth): options.animates = truth
    default: throw wrong("animates", "true, false or null")
    }
    switch members["renderScheme"] {
    case nil, .null: break
    case .string(let name): options.scheme = name
    default: throw wrong("renderScheme", "the name of a scheme")
    }
    switch members["preferedSmoothing"] {
    case nil, .null: break
    case .string(let name):
      guard let smoothing = IntensitySmoothing(name: name) else {
        let names = IntensitySmoothing.allCases.map(\.shortName).joined(separator: ", ")
        throw wrong("preferedSmoothing", "one of \(names) or a long name")
      }
      options.smoothing = smoothing
    default: throw wrong("preferedSmoothing", "the name of a smoothing")
    }
    switch members["animation"] {
    case nil, .null: break
    case .object(let animation):
      guard let duration = animation["duration", default: .integer(1)].double,
        let offset = animation["offset", default: .integer(0)].double
      else { throw wrong("animation", "duration and offset as numbers") }
      options.animation = try AnimationOptions(duration: duration, offset: offset)
    default: throw wrong("animation", "an object")
    }
    return options
  }

  private static func attachments(
    _ value: JSONValue, _ field: String
  ) throws(IntensityTextError) -> [PlacedAttachment] {
    guard let elements = value.array else {
      throw IntensityTextError(.malformed, field, expected: "an array", found: "another value")
    }
    var result: [PlacedAttachment] = []
    for (number, element) in elements.enumerated() {
      do throws(IntensityTextError) {
        result.append(try AttachmentFields(element, field, number).placed())
      } catch {
        guard !error.field.hasPrefix(field) else { throw error }
        throw IntensityTextError(
          error.code, "\(field).\(error.field)", at: number, expected: error.expected,
          found: error.found)
      }
    }
    return result
  }
}

/// The keys of one attachment.
private struct AttachmentFields {
  private let members: [String: JSONValue]
  private let field: String
  private let number: Int

  init(_ value: JSONValue, _ field: String, _ number: Int) throws(IntensityTextError) {
    guard let members = value.object else {
      throw IntensityTextError(
        .malformed, field, at: number, expected: "an object", found: "another value")
    }
    self.members = members
    self.field = field
    self.number = number
  }

  func placed() throws(IntensityTextError) -> PlacedAttachment {
    guard case .integer(let index)? = members["index"] else {
      throw wrong("index", "a whole number")
    }
    let name = try text("name", default: "")
    let attachment: Attachment
    switch try text("type") {
    case "image":
      attachment = try Attachment(
        image: content(""), thumbnail: hasContent("thumbnail-") ? content("thumbnail-") : nil,
        width: double("width"), height: double("height"),
        mimeType: text("mimeType", default: "image/png"), name: name)
    case "place":
      attachment = try Attachment(
        latitude: double("latitude"), longitude: double("longitude"), span: double("span"),
        name: name)
    case "file":
      attachment = try Attachment(
        file: content(""), mimeType: text("mimeType", default: "application/octet-stream"),
        name: name)
    default: throw wrong("type", "image, place or file")
    }
    return PlacedAttachment(index: index, attachment: attachment)
  }

  private func wrong(_ key: String, _ expected: String) -> IntensityTextError {
    IntensityTextError(
      .malformed, "\(field).\(key)", at: number, expected: expected,
      found: members[key] == nil ? "no such key" : "another value")
  }

  private func text(
    _ key: String, default standard: String? = nil
  ) throws(IntensityTextError) -> String {
    if members[key] == nil, let standard { return standard }
    guard let text = members[key]?.string else { throw wrong(key, "a string") }
    return text
  }

  private func double(_ key: String) throws(IntensityTextError) -> Double {
    guard let number = members[key]?.double else { throw wrong(key, "a number") }
    return number
  }

  private func hasContent(_ prefix: String) -> Bool {
    members[prefix + "data"] != nil || members[prefix + "reference"] != nil
  }

  private func content(_ prefix: String) throws(IntensityTextError) -> Attachment.Content {
    if members[prefix + "reference"] != nil { return .reference(try text(prefix + "reference")) }
    guard let bytes = Data(base64Encoded: try text(prefix + "data")) else {
      throw wrong(prefix + "data", "base64")
    }
    return .data(bytes)
  }
}
