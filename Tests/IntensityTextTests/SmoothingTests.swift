import IntensityText
import Testing

@Suite("Smoothing and bins")
struct SmoothingTests {
  static let text = "\"Hi you. Go.\nNow\u{2028}on\r\nend"

  /// A text whose units have the intensities 0, 2, 4, and so on.
  static func sample() throws -> IntensityString {
    let count = text.utf16.count
    // CR and LF are one character, which has one intensity.
    return try IntensityString(text, intensities: (0..<count).map { 2 * $0 })
  }

  @Test("Each unit has the cut mean of its text with the separators")
  func units() throws {
    let text = try Self.sample()
    func means(_ ends: [Int]) -> [Int] {
      let numbers = text.intensities
      var result: [Int] = []
      var start = 0
      for end in ends {
        let mean = numbers[start..<end].reduce(0, +) / (end - start)
        result += [Int](repeating: mean, count: end - start)
        start = end
      }
      return result
    }
    #expect(text.smoothedIntensities(by: .character) == text.intensities)
    // `"Hi `, `you. `, `Go.` with its line end, `Now` with its own, `on` with both, `end`.
    #expect(text.smoothedIntensities(by: .word) == means([4, 9, 13, 17, 21, 24]))
    #expect(text.smoothedIntensities(by: .sentence) == means([9, 13, 17, 21, 24]))
    #expect(text.smoothedIntensities(by: .line) == means([13, 17, 21, 24]))
    #expect(text.smoothedIntensities(by: .paragraph) == means([13, 21, 24]))
    #expect(text.smoothedIntensities(by: .message) == means([24]))
  }

  @Test("Separators alone are one unit, and no text has none")
  func separators() throws {
    for smoothing in IntensitySmoothing.allCases {
      #expect(IntensityString().smoothedIntensities(by: smoothing) == [])
    }
    let spaces = try IntensityString(" . ", intensities: [0, 30, 60])
    #expect(spaces.smoothedIntensities(by: .word) == [30, 30, 30])
    let emoji = try IntensityString("a 😀", intensities: [10, 20, 90, 90])
    #expect(emoji.smoothedIntensities(by: .word) == [15, 15, 90, 90])
  }

  @Test("Bins are steps times the intensity by 100, kept in range")
  func bins() {
    let scheme = WeightScheme()
    #expect([0, 11, 12, 99, 100].map { scheme.bin(of: $0) } == [0, 0, 1, 8, 8])
    #expect(scheme.bin(of: -5) == 0 && scheme.bin(of: 900) == 8)
    #expect([0, 9, 10, 100].map { SizeScheme().bin(of: $0) } == [0, 0, 1, 9])
  }

  @Test("Smoothing comes before bins")
  func order() throws {
    let text = try IntensityString("abc", intensities: [0, 11, 33])
    // Mean 14: bin 1. The bins 0, 0 and 2 have the cut mean 0.
    let three = text.rendered(scheme: WeightScheme(), smoothing: .word, animates: false)
    #expect(three.runs.map(\.style.font.weight) == [.thin])
  }

  @Test("Smoothings have short and long names")
  func names() {
    let short = ["Char", "Word", "S", "L", "P", "M"]
    let long = ["Character", "Word", "Sentence", "Line", "Paragraph", "Message"]
    #expect(IntensitySmoothing.allCases.map(\.shortName) == short)
    #expect(short.map { IntensitySmoothing(name: $0) } == IntensitySmoothing.allCases)
    #expect(long.map { IntensitySmoothing(name: $0) } == IntensitySmoothing.allCases)
    #expect(IntensitySmoothing(name: "X") == nil)
  }
}
