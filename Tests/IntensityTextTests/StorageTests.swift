import Foundation
import IntensityText
import Testing

@Suite("JSON and archives")
struct StorageTests {
  static func sample() throws -> IntensityString {
    var text = try RenderingTests.sample()
    text.options = IntensityOptions(
      scheme: "hue", smoothing: .sentence, animates: false,
      animation: try AnimationOptions(duration: 2, offset: 0.25))
    try text.attach(Attachment(latitude: 48.2, longitude: 16.4, name: "Vienna"), at: 0)
    try text.attach(
      Attachment(
        image: .reference("full.png"), thumbnail: .data(Data([9])), width: 10, height: 20), at: 2)
    try text.attach(
      Attachment(file: .data(Data([7, 8])), mimeType: "application/pdf", name: "a.pdf"), at: 5)
    text.append(IntensityString("😀 e\u{301}\u{1} \" \\", intensity: 77))
    return text
  }

  @Test("JSON has the documented keys in order, and ranges of three")
  func keys() throws {
    var text = IntensityString("ab", intensity: 7)
    try text.changeAttributes(in: 1..<2) { $0.isBold = true }
    try text.setLink(URL(string: "https://example.org"), in: 0..<1)
    text.options.smoothing = .word
    text.options.scheme = "alpha"
    let json = String(decoding: text.json(), as: UTF8.self)
    #expect(
      json == """
        {"iaBaseAttributes":[[0,1,20],[1,2,276]],"iaTextAttachments":[],"intensities":[7,7],\
        "linkRVPs":[[0,1,"https://example.org"]],"options":{"animates":null,\
        "preferedSmoothing":"Word","renderScheme":"alpha"},"text":"ab"}
        """)
  }

  @Test("A text is the same after JSON and after an archive")
  func roundTrips() throws {
    for text in [IntensityString(), try Self.sample(), IntensityString("x")] {
      #expect(try IntensityString(json: text.json()) == text)
      #expect(try IntensityString(archive: text.archive()) == text)
      #expect(try IntensityString(json: text.json()).isConsistent)
      #expect(try IntensityString(archive: text.archive()).isConsistent)
    }
  }

  @Test("Foundation reads the JSON")
  func foundation() throws {
    let object = try JSONSerialization.jsonObject(with: Self.sample().json())
    let members = try #require(object as? [String: Any])
    let text = members["text"] as? String
    #expect(text == (try Self.sample()).string)
  }

  private func read(_ json: String) throws -> IntensityString {
    try IntensityString(json: Data(json.utf8))
  }

  @Test("Smoothings are read by short and long names")
  func smoothings() throws {
    for smoothing in IntensitySmoothing.allCases {
      for name in [smoothing.shortName, smoothing.rawValue] {
        let json = "{\"text\":\"\",\"options\":{\"preferedSmoothing\":\"\(name)\"}}"
        #expect(try read(json).options.smoothing == smoothing)
      }
    }
  }

  @Test("A missing animates is true, null is the reader's preference")
  func animates() throws {
    #expect(try read("{\"text\":\"\",\"options\":{}}").options.animates == true)
    #expect(try read("{\"text\":\"\",\"options\":{\"animates\":null}}").options.animates == nil)
    #expect(try read("{\"text\":\"\",\"options\":{\"animates\":false}}").options.animates == false)
    #expect(try read("{\"text\":\"\"}").options == IntensityOptions())
  }

  @Test("Missing intensities are 0, too many are an error")
  func counts() throws {
    #expect(try read("{\"text\":\"abc\",\"intensities\":[9]}").intensities == [9, 0, 0])
    do {
      _ = try read("{\"text\":\"a\",\"intensities\":[9,9]}")
      Issue.record("too many numbers were read")
    } catch let error as IntensityTextError {
      #expect(error.code == .wrongCount && error.field == "intensities" && error.position == 1)
    }
  }

  @Test("Unknown keys are ignored, and gaps of attributes are the standard")
  func lenient() throws {
    let text = try read(
      "{\"text\":\"abcd\",\"x\":[{}],\"iaBaseAttributes\":[[1,2,10]],\"linkRVPs\":[[3,4,\"a:b\"]]}")
    #expect(text.attributes.map(\.attributes.size) == [20, 10, 20])
    #expect(text.links.map(\.range) == [3..<4] && text.isConsistent)
  }

  /// Each malformed text with the key that the error names.
  static let malformed: [(json: String, field: String)] = [
    ("", "the whole"), ("[]", "the whole"), ("{\"text\":\"\"} x", "the whole"), ("{}", "text"),
    ("{\"text\":1}", "text"), ("{\"text\":\"\\ud800\"}", "text"),
    ("{\"text\":\"a\",\"text\":\"b\"}", "text"),
    ("{\"text\":\"a\",\"intensities\":{}}", "intensities"),
    ("{\"text\":\"a\",\"intensities\":[\"1\"]}", "intensities"),
    ("{\"text\":\"a\",\"intensities\":[1.5]}", "intensities"),
    ("{\"text\":\"a\",\"intensities\":[101]}", "intensities"),
    ("{\"text\":\"a\",\"intensities\":[-1]}", "intensities"),
    ("{\"text\":\"a\",\"intensities\":[NaN]}", "intensities"),
    ("{\"text\":\"a\",\"iaBaseAttributes\":[[0,1]]}", "iaBaseAttributes"),
    ("{\"text\":\"a\",\"iaBaseAttributes\":[[0,1,2,3]]}", "iaBaseAttributes"),
    ("{\"text\":\"a\",\"iaBaseAttributes\":[[]]}", "iaBaseAttributes"),
    ("{\"text\":\"a\",\"iaBaseAttributes\":[[0,2,20]]}", "iaBaseAttributes"),
    ("{\"text\":\"a\",\"iaBaseAttributes\":[[-1,1,20]]}", "iaBaseAttributes"),
    ("{\"text\":\"a\",\"iaBaseAttributes\":[[1,0,20]]}", "iaBaseAttributes"),
    ("{\"text\":\"a\",\"iaBaseAttributes\":[[0,1,4096]]}", "iaBaseAttributes"),
    ("{\"text\":\"ab\",\"iaBaseAttributes\":[[0,2,1],[1,2,2]]}", "iaBaseAttributes"),
    ("{\"text\":\"😀\",\"iaBaseAttributes\":[[0,1,1]]}", "iaBaseAttributes"),
    ("{\"text\":\"a\",\"iaBaseAttributes\":[[0,1e30,1]]}", "iaBaseAttributes"),
    ("{\"text\":\"a\",\"linkRVPs\":[[0,1,\"\"]]}", "linkRVPs"),
    ("{\"text\":\"a\",\"linkRVPs\":[[0,1,\"a b<\"]]}", "linkRVPs"),
    ("{\"text\":\"a\",\"linkRVPs\":[[0,1,1]]}", "linkRVPs"),
    ("{\"text\":\"a\",\"linkRVPs\":[[0,9,\"a:b\"]]}", "linkRVPs"),
    ("{\"text\":\"a\",\"options\":[]}", "options"),
    ("{\"text\":\"a\",\"options\":{\"animates\":1}}", "options.animates"),
    ("{\"text\":\"a\",\"options\":{\"renderScheme\":1}}", "options.renderScheme"),
    ("{\"text\":\"a\",\"options\":{\"preferedSmoothing\":\"Q\"}}", "options.preferedSmoothing"),
    ("{\"text\":\"a\",\"options\":{\"animation\":{\"duration\":0}}}", "duration"),
    ("{\"text\":\"a\",\"iaTextAttachments\":{}}", "iaTextAttachments"),
    ("{\"text\":\"a\",\"iaTextAttachments\":[1]}", "iaTextAttachments"),
    ("{\"text\":\"a\",\"iaTextAttachments\":[{}]}", "iaTextAttachments.index"),
    (
      "{\"text\":\"a\",\"iaTextAttachments\":[{\"index\":0,\"type\":\"x\"}]}",
      "iaTextAttachments.type"
    ),
    (
      "{\"text\":\"a\",\"iaTextAttachments\":[{\"index\":0,\"type\":\"file\",\"reference\":\"f\"}]}",
      "iaTextAttachments"
    ),
    (
      "{\"text\":\"\u{FFFC}\",\"iaTextAttachments\":[{\"index\":0,\"type\":\"file\",\"data\":\"?\"}]}",
      "iaTextAttachments.data"
    ),
    (
      "{\"text\":\"\u{FFFC}\",\"iaTextAttachments\":[{\"index\":0,\"type\":\"place\",\"latitude\":99,\"longitude\":0,\"span\":1}]}",
      "iaTextAttachments.latitude"
    ),
    (
      "{\"text\":\"\u{FFFC}\",\"iaTextAttachments\":[{\"index\":0,\"type\":\"image\",\"reference\":\"f\",\"width\":0,\"height\":1}]}",
      "iaTextAttachments.width"
    ),
  ]

  @Test("Malformed JSON is an error that names the key", arguments: malformed.indices)
  func refusals(index: Int) throws {
    let (json, field) = Self.malformed[index]
    do {
      _ = try read(json)
      Issue.record("read: \(json)")
    } catch let error as IntensityTextError {
      #expect(error.field == field, "\(json): \(error)")
      #expect(!error.description.isEmpty)
    }
  }

  @Test("Every cut and every changed byte of an archive is an error")
  func damage() throws {
    let bytes = try Self.sample().archive()
    for count in 0..<bytes.count {
      #expect(throws: IntensityTextError.self) { try IntensityString(archive: bytes.prefix(count)) }
      var changed = bytes
      changed[count] ^= 0x41
      #expect(throws: IntensityTextError.self) { try IntensityString(archive: changed) }
    }
    #expect(throws: IntensityTextError.self) { try IntensityString(archive: bytes + [0]) }
  }

  @Test("A newer version of an archive is told as such")
  func newer() throws {
    var bytes = IntensityString("a").archive()
    bytes[5] = 2
    do {
      _ = try IntensityString(archive: bytes)
      Issue.record("a newer version was read")
    } catch {
      #expect(error.code == .newerVersion && error.found == "version 2")
    }
  }

  @Test("Attachments fit into a width, and a small one shows the thumbnail")
  func attachments() throws {
    let image = try Attachment(
      image: .reference("full"), thumbnail: .reference("small"), width: 400, height: 200)
    #expect(image.size(fitting: 100).width == 100 && image.size(fitting: 100).height == 50)
    #expect(image.size(fitting: 1000).width == 400 && image.size(fitting: 1000).height == 200)
    #expect(image.content(fitting: 100) == .reference("small"))
    #expect(image.content(fitting: 300) == .reference("full"))
    #expect(try Attachment(latitude: 0, longitude: 0).size(fitting: 100).width == 100)
    for number in [0, -1, Double.nan, .infinity] {
      #expect(throws: IntensityTextError.self) {
        try Attachment(image: .reference(""), width: number, height: 1)
      }
      #expect(throws: IntensityTextError.self) {
        try Attachment(latitude: number == 0 ? 91 : number * 200, longitude: 0)
      }
    }
  }
}
