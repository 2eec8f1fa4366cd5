import Evaluation
import Foundation
import IntensityText

/// The processor times of a long text with intensities, in milliseconds.
enum IntensityTimes {
  /// UTF-16 units.
  private static let length = 100_000
  private static let edits = 5000
  /// How many times as long the longer text is, whose time is compared.
  private static let longer = 10

  static func measured(rounds: Int) throws -> ProgramReport.Intensity {
    let words = ["hello ", "world. ", "Größe, ", "it's ", "3.5 ", "line\n", "😀 "]
    func makeText(_ length: Int) -> String {
      var (plain, count, index) = ("", 0, 0)
      while count < length {
        plain += words[index % words.count]
        count += words[index % words.count].utf16.count
        index += 1
      }
      return plain
    }
    let plain = makeText(length)
    var seed: UInt64 = 1
    func next(_ count: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % count
    }
    let numbers = plain.utf16.map { _ in next(101) }
    let text = try IntensityString(plain, intensities: numbers)
    let piece = IntensityString("xy", intensity: 3, attributes: BaseAttributes(isBold: true))
    let long = makeText(longer * length)
    let longText = try IntensityString(long, intensities: long.utf16.map { _ in next(101) })
    var growth: [Double] = []
    var (worst, mean, smoothing, html, json): ([Double], [Double], [Double], [Double], [Double]) =
      ([], [], [], [], [])
    for _ in 0..<rounds {
      var copy = text
      var (slowest, sum) = (0.0, 0.0)
      for _ in 0..<edits {
        let place = next(copy.count)
        let start = clock()
        // A place within a surrogate pair is refused.
        try? copy.insert(piece, at: place)
        let time = Double(clock() - start) / 1000
        slowest = max(slowest, time)
        sum += time
      }
      worst.append(slowest)
      mean.append(sum / Double(edits))
      smoothing.append(milliseconds { _ = text.smoothedIntensities(by: .word) })
      html.append(
        milliseconds {
          _ = text.rendered(scheme: HueScheme(), smoothing: .word, animates: false).html()
        })
      func render(_ text: IntensityString) -> Double {
        milliseconds {
          _ = text.rendered(scheme: HueScheme(), smoothing: .character, animates: false)
        }
      }
      growth.append(render(longText) / render(text))
      json.append(try milliseconds { _ = try IntensityString(json: text.json()) })
    }
    return ProgramReport.Intensity(
      units: length, worstEdit: Spread(worst), meanEdit: Spread(mean),
      smoothing: Spread(smoothing), html: Spread(html), json: Spread(json),
      growth: Spread(growth))
  }

  private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = clock()
    try body()
    return Double(clock() - start) / 1000
  }
}
