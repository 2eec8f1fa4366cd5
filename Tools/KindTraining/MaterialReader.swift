import DatasetFiles
import Foundation
import InkCore
import InkFormats
import InkSynthesis

/// Reads the ink of one part of the data. Writers, drawings and symbols are in one part only.
struct MaterialReader {
  /// The parts of the data.
  enum Part: String { case train, val, test }

  /// The folder with the datasets `unipen`, `quickdraw` and `detypify`.
  let folder: String

  func material(of part: Part) throws -> PageMaterial {
    let files = try unipenFiles(of: part)
    var (words, characters): ([LabeledInk], [LabeledInk]) = ([], [])
    for (category, every) in [("1a", 1), ("1b", 1), ("1c", 1), ("1d", 1), ("7", 1), ("8", 1)] {
      let own = files.filter { $0.hasPrefix(category + "/") }
      let reader = UNIPENReader(folder: "\(folder)/unipen", segmentFiles: own)
      var number = 0
      for case .success(let record) in reader where record.isLabelled {
        number += 1
        guard number % every == 0 else { continue }
        if category.hasPrefix("1") {
          characters.append(record.labeled)
        } else if record.level == .word || category == "8" {
          words.append(record.labeled)
        }
      }
    }
    return PageMaterial(
      words: words, characters: characters,
      symbols: try records("\(folder)/detypify/samples.jsonl", .jsonLines, of: part),
      drawings: try records("\(folder)/quickdraw", .quickDraw, of: part))
  }

  /// The segment files of a part, by the table of the writers.
  private func unipenFiles(of part: Part) throws -> [String] {
    let table = try DatasetFiles.text("unipen.tsv", in: .splits)
    return table.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count > 2, fields[2] == part.rawValue else { return nil }
      return String(fields[0])
    }
  }

  /// The records of a part: eight of ten for training, one each for validation and test.
  private func records(_ path: String, _ format: InkFileFormat, of part: Part) throws
    -> [LabeledInk]
  {
    var result: [LabeledInk] = []
    var number = 0
    for case .success(let record) in try InkReader(format, path: path) {
      let place: Part = number % 10 == 8 ? .val : number % 10 == 9 ? .test : .train
      number += 1
      if place == part { result.append(record.labeled) }
    }
    return result
  }
}
