import Files
import Foundation

extension IntensityString {
  /// Returns the text as JSON with sorted keys.
  ///
  /// | Key | Holds |
  /// |---|---|
  /// | `text` | the text |
  /// | `intensities` | a number of 0 ... 100 for each UTF-16 unit |
  /// | `iaBaseAttributes` | `[start, end, bits]` for each run |
  /// | `linkRVPs` | `[start, end, "url"]` for each link |
  /// | `options` | `renderScheme`, `preferedSmoothing` (in this spelling), `animates`, `animation` |
  /// | `iaTextAttachments` | an object with `index` and `type` for each attachment |
  ///
  /// An option that the text does not have is left out; `animates` is null then, because readers
  /// take a missing one for true. O(n).
  public func json() -> Data {
    var writer = JSONTextWriter()
    writer.object { writer in
      writer.key("iaBaseAttributes")
      writer.array(attributes) { writer, run in
        writer.range(run.range) { $0.number(run.attributes.rawValue) }
      }
      writer.key("iaTextAttachments")
      writer.array(attachments) { $0.attachment($1) }
      writer.key("intensities")
      writer.array(intensities) { $0.number($1) }
      writer.key("linkRVPs")
      writer.array(links) { writer, link in
        writer.range(link.range) { $0.string(link.url.absoluteString) }
      }
      writer.key("options")
      writer.options(options)
      writer.key("text")
      writer.string(string)
    }
    return Data(writer.bytes)
  }
}

/// Writes JSON piece by piece.
struct JSONTextWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func object(_ members: (inout JSONTextWriter) -> Void) {
    begin()
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    members(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  mutating func array<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JSONTextWriter, Element) -> Void
  ) {
    begin()
    bytes.append(UInt8(ascii: "["))
    needsComma = false
    for element in elements { write(&self, element) }
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func number(_ value: Int) {
    begin()
    bytes += String(value).utf8
    needsComma = true
  }

  mutating func number(_ value: Double) {
    begin()
    bytes += "\(value)".utf8
    needsComma = true
  }

  mutating func word(_ text: String) {
    begin()
    bytes += text.utf8
    needsComma = true
  }

  mutating func string(_ text: String) {
    begin()
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes += "\\n".utf8
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes += "\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  private mutating func begin() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }
}

extension JSONTextWriter {
  mutating func range(_ range: Range<Int>, _ value: (inout JSONTextWriter) -> Void) {
    array([0]) { writer, _ in
      writer.number(range.lowerBound)
      writer.number(range.upperBound)
      value(&writer)
    }
  }

  mutating func options(_ options: IntensityOptions) {
    object { writer in
      writer.key("animates")
      writer.word(options.animates.map { $0 ? "true" : "false" } ?? "null")
      if let animation = options.animation {
        writer.key("animation")
        writer.object { writer in
          writer.key("duration")
          writer.number(animation.duration)
          writer.key("offset")
          writer.number(animation.offset)
        }
      }
      if let smoothing = options.smoothing {
        writer.key("preferedSmoothing")
        writer.string(smoothing.shortName)
      }
      if let scheme = options.scheme {
        writer.key("renderScheme")
        writer.string(scheme)
      }
    }
  }

  mutating func attachment(_ placed: PlacedAttachment) {
    let attachment = placed.attachment
    object { writer in
      if case .image(let full, _, _, _) = attachment.kind { writer.content(full, "") }
      if case .file(let content) = attachment.kind { writer.content(content, "") }
      if case .image(_, _, _, let height) = attachment.kind {
        writer.key("height")
        writer.number(height)
      }
      writer.key("index")
      writer.number(placed.index)
      if case .place(let latitude, let longitude, _) = attachment.kind {
        writer.key("latitude")
        writer.number(latitude)
        writer.key("longitude")
        writer.number(longitude)
      }
      writer.key("mimeType")
      writer.string(attachment.mimeType)
      writer.key("name")
      writer.string(attachment.name)
      if case .place(_, _, let span) = attachment.kind {
        writer.key("span")
        writer.number(span)
      }
      if case .image(_, let thumbnail?, _, _) = attachment.kind {
        writer.content(thumbnail, "thumbnail-")
      }
      writer.key("type")
      writer.string(attachment.typeName)
      if case .image(_, _, let width, _) = attachment.kind {
        writer.key("width")
        writer.number(width)
      }
    }
  }

  private mutating func content(_ content: Attachment.Content, _ prefix: String) {
    switch content {
    case .data(let bytes):
      key(prefix + "data")
      string(bytes.base64EncodedString())
    case .reference(let text):
      key(prefix + "reference")
      string(text)
    }
  }
}

extension Attachment {
  /// The name of the kind in JSON.
  var typeName: String {
    switch kind {
    case .image: "image"
    case .place: "place"
    case .file: "file"
    }
  }
}
