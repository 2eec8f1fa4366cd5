import InkCore
import InkDatasets
import Testing
import Training

/// Virtual writers of Japanese who are not in the training of the models.
enum JapaneseWriters {
  private static let assembler = Result {
    try CharacterAssembler(
      characters: DataSpecification(
        parsing: "starter:japanese?seed=4712&split=test&limit=4000"
      ).records().compactMap { try $0.get().labeled })
  }

  /// A row or a column by the first of them who writes all of its characters.
  static func line(
    _ text: String, seed: UInt64 = 1, isColumn: Bool = false
  ) throws -> LabeledInk {
    let assembler = try assembler.get()
    let lines = assembler.writers.indices.lazy.compactMap {
      assembler.line(text, writer: $0, isColumn: isColumn, seed: seed)
    }
    return try #require(lines.first, "nobody writes \(text)")
  }
}
