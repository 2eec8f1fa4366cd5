import DuctusTool
import Evaluation
import InkDatasets
import ModelFormat
import Testing

@Suite("Ink that a model knows")
struct KnownInkTests {
  private func known(
    _ scored: String..., learned: String = "ink:a.jsonl", hash: String = "0"
  ) throws -> KnownInk? {
    let manifest = ModelManifest(
      kind: .glyph, identifier: "m", name: "m", labels: ["a"],
      data: [ModelManifest.DataSource(name: learned, licence: "", attribution: "")],
      training: TrainingRecord(
        command: "", seed: 1, epochs: 1, samples: 1, dataHash: "t", validationHash: "v", blas: "",
        threads: 1, durationSeconds: 1, date: ""),
      architecture: .null, features: .null)
    return try KnownInk(
      of: manifest, on: scored.map { try DataSpecification(parsing: $0) }, hash: hash)
  }

  @Test("The hash of scored data identifies training and validation data, for any name")
  func hashes() throws {
    #expect(try known("ink:b.jsonl?split=test", hash: "t") == .training)
    #expect(try known("ink:b.jsonl", hash: "v") == .validation)
    #expect(try known("ink:b.jsonl") == nil)
  }

  @Test("Data that a model was trained on is known if no test part is named")
  func names() throws {
    #expect(try known("ink:a.jsonl") == .whole)
    #expect(try known("ink:./a.jsonl?split=all") == .whole)
    #expect(try known("ink:b.jsonl", "ink:a.jsonl?limit=9") == .whole)
    #expect(try known("ink:a.jsonl?split=train&limit=9") == .training)
    for part in ["split=test", "split=val", "fold=1/5&split=test", "writers=w"] {
      #expect(try known("ink:a.jsonl?\(part)") == nil, "\(part)")
    }
    #expect(try known("inkml:a.jsonl") == nil)
  }

  @Test("Names of origins contain the data in several forms")
  func origins() throws {
    let unipen = "UNIPEN (unipen:u?category=1a,1b&split=train)"
    #expect(try known("unipen:u?category=1a", learned: unipen) == .whole)
    #expect(try known("unipen:u?category=1c", learned: unipen) == nil)
    #expect(try known("ink:b (2).jsonl", learned: "Words as ink:b (2).jsonl") == .whole)
    let converted = "UNIPEN (unipen:u) as ink:b.jsonl"
    #expect(try known("ink:b.jsonl", learned: converted) == .whole)
    #expect(try known("ink:c.jsonl", learned: converted) == nil)
    let starter = "Ductus starter set (starter:shapes?split=train&count=5000)"
    #expect(try known("starter:shapes", learned: starter) == .whole)
    #expect(try known("starter:shapes?seed=9", learned: starter) == nil)
    #expect(try known("ink:a.jsonl", learned: "shrink:a.jsonl") == nil)
  }
}
