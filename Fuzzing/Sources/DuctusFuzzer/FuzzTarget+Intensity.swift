import Foundation
import IntensityText

extension FuzzTarget {
  /// Text with intensities: what is read is written and read again as the same, and its parts agree.
  /// An input of another form is tried as an archive.
  static func intensityJSON(_ bytes: [UInt8], _ canary: Canary) {
    let data = Data(bytes)
    let read: IntensityString
    do {
      read = try IntensityString(json: data)
    } catch {
      _ = error.description
      guard let archived = try? IntensityString(archive: data) else { return }
      check(archived, canary)
      return
    }
    check(read, canary)
  }

  private static func check(_ text: IntensityString, _ canary: Canary) {
    precondition(text.isConsistent, "the parts of a text do not agree")
    precondition(text.count == text.string.utf16.count, "the counts differ")
    precondition(text.intensities.allSatisfy((0...100).contains), "an intensity is out of range")
    canary.see(text.string)
    precondition((try? IntensityString(json: text.json())) == text, "JSON differs")
    precondition((try? IntensityString(archive: text.archive())) == text, "an archive differs")
    for smoothing in IntensitySmoothing.allCases {
      precondition(
        text.smoothedIntensities(by: smoothing).count == text.count, "smoothing lost a unit")
    }
    let runs = text.rendered().runs
    precondition(runs.map(\.range.count).reduce(0, +) == text.count, "runs do not cover the text")
  }
}
