import Foundation
import IntensityText

/// An intensity string of plain arrays: slow and obvious. After each edit, the whole text is put in
/// order again.
struct PlainModel {
  var units: [UInt16] = []
  var numbers: [Int] = []
  var attributes: [BaseAttributes] = []
  var links: [URL?] = []
  var attachments: [Attachment?] = []

  init() {}

  init(_ text: IntensityString) {
    units = Array(text.string.utf16)
    numbers = text.intensities
    attributes = units.indices.map { (try? text.attributes(at: $0)) ?? BaseAttributes() }
    links = units.map { _ in nil }
    for link in text.links { for index in link.range { links[index] = link.url } }
    attachments = units.map { _ in nil }
    for item in text.attachments { attachments[item.index] = item.attachment }
  }

  mutating func replace(_ range: Range<Int>, with other: PlainModel) {
    units.replaceSubrange(range, with: other.units)
    numbers.replaceSubrange(range, with: other.numbers)
    attributes.replaceSubrange(range, with: other.attributes)
    links.replaceSubrange(range, with: other.links)
    attachments.replaceSubrange(range, with: other.attachments)
    unify()
  }

  func part(_ range: Range<Int>) -> PlainModel {
    var result = PlainModel()
    result.units = Array(units[range])
    result.numbers = Array(numbers[range])
    result.attributes = Array(attributes[range])
    result.links = Array(links[range])
    result.attachments = Array(attachments[range])
    result.unify()
    return result
  }

  /// Gives each character the intensity of its first unit.
  mutating func unify() {
    var start = 0
    for character in String(decoding: units, as: UTF16.self) {
      let end = start + character.utf16.count
      for index in start..<end { numbers[index] = numbers[start] }
      start = end
    }
  }

  /// True if an index is the start or end of a scalar.
  func isScalarBorder(_ index: Int) -> Bool {
    index == 0 || index == units.count || !UTF16.isTrailSurrogate(units[index])
  }
}
