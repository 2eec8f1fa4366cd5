import Foundation
import Testing

@Suite(
  "ductus language",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
final class LanguageCommandTests {
  let tool: BuiltTool
  let folder: URL

  init() throws {
    tool = try #require(BuiltTool.found)
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("language-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Writes a text fifty times over, and returns the path of the file.
  private func write(_ text: String) throws -> String {
    try String(repeating: text, count: 50)
      .write(toFile: path("text.txt"), atomically: true, encoding: .utf8)
    return path("text.txt")
  }

  @Test("Training writes a model that evaluation scores")
  func trainAndEvaluate() throws {
    let text = try write("the cat sat on the mat\n")
    let model = path("m.ngram")
    let trained = try tool.run("train", "language", text, "--output", model, "--order", "3")
    #expect(trained.exitCode == 0, "\(trained.errors)")
    #expect(trained.output.hasPrefix("\(model): "))
    let result = try tool.run(
      "language", "evaluate", "--language-model", model, text, "--speed", "--json", "-")
    #expect(result.exitCode == 0, "\(result.errors)")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(object["characters"] as? Int == 50 * 23 - 1)
    #expect(object["unknownCharacters"] as? Int == 0)
    #expect(try #require(object["bitsPerCharacter"] as? Double) < 1.5)
    let speed = try #require(object["speed"] as? [String: [String: Double]])
    #expect(try #require(speed["advances"]?["low"]) > 0 && speed["successors"] != nil)
    let size = try FileManager.default.attributesOfItem(atPath: model)[.size] as? Int
    #expect(object["languageBytes"] as? Int == size)
  }

  @Test("Completions come as a table and as JSON, most probable first, after the context")
  func complete() throws {
    let text = try write("the cat sat on the mat\n\nthe cat can catch\n\n")
    let model = path("m.ngram")
    let trained = try tool.run("train", "language", text, "--output", model, "--order", "6")
    #expect(trained.exitCode == 0, "\(trained.errors)")
    let complete = ["language", "complete", "--language-model", model, "--context", "the "]
    let shown = try tool.run(complete + ["--limit", "2", "c"])
    #expect(shown.exitCode == 0, "\(shown.errors)")
    let rows = shown.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(rows.count == 3 && rows[0] == ["completion", "probability"])
    #expect(rows[1][0] == "cat" && rows[1].last == "%")
    let written = try tool.run(complete + ["--limit", "4", "--json", "-", "c"])
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(written.output.utf8)) as? [String: Any])
    #expect(object["prefix"] as? String == "c" && object["context"] as? String == "the ")
    let words = try #require(object["completions"] as? [[String: Any]])
    let probabilities = words.compactMap { $0["probability"] as? Double }
    #expect(probabilities.count == 4 && probabilities == probabilities.sorted(by: >))
    #expect(probabilities.reduce(0, +) <= 1 && probabilities[0] > 0.5)
    #expect(words.allSatisfy { ($0["text"] as? String)?.hasPrefix("c") == true })
    let list = path("words.txt")
    try "catch\nmat\n".write(toFile: list, atomically: true, encoding: .utf8)
    let listed = try tool.run(
      "train", "language", text, "--output", model, "--order", "6", "--words", list)
    #expect(listed.exitCode == 0, "\(listed.errors)")
    let confined = try tool.run(complete + ["c"])
    #expect(confined.output.contains("catch") && !confined.output.contains("cat "))
    #expect(try tool.run(complete + ["s"]).output == "no completions\n")
    try "cat 1\ncan 9\n".write(toFile: list, atomically: true, encoding: .utf8)
    let ofList = try tool.run(
      "train", "language", "--output", model, "--order", "4", "--words", list)
    #expect(ofList.exitCode == 0, "\(ofList.errors)")
    let ranked = try tool.run(complete + ["c"]).output.split(separator: "\n").dropFirst()
    #expect(ranked.map { $0.split(separator: " ").first } == ["can", "cat"])
    let capital = try tool.run("language", "complete", "--language-model", model, "C")
    #expect(capital.output.contains("Can") && !capital.output.contains("can"))
    #expect(try tool.run("train", "language", "--output", model).exitCode == 2)
    let refused = try tool.run(complete + ["--limit", "0", "c"])
    #expect(refused.exitCode == 2 && refused.errors.contains("--limit"))
    let missing = try tool.run("language", "complete", "--language-model", text, "c")
    #expect(missing.exitCode == 2)
  }

  @Test("Missing text, a bound that holds nothing and a damaged model exit with 2")
  func badInput() throws {
    let text = try write("abc ")
    let model = path("m.ngram")
    let runs = [
      ["train", "language", path("none.txt"), "--output", model],
      ["train", "language", text, "--output", model, "--max-bytes", "10"],
      ["train", "language", text, "--output", model, "--order", "1"],
      ["train", "language", text, "--output", model, "--order", "60"],
      ["train", "language", text, "--output", model, "--words", path("none")],
      ["language", "evaluate", "--language-model", text, text],
      ["language", "evaluate", "--language-model", folder.path, text],
      ["language", "evaluate", "--language-model", path("none"), text],
    ]
    for arguments in runs {
      let result = try tool.run(arguments)
      #expect(result.exitCode == 2, "\(arguments)")
      #expect(result.errors.hasPrefix("ductus: error: "))
      #expect(result.errors.filter { $0 == "\n" }.count == 1)
    }
    #expect(!FileManager.default.fileExists(atPath: model))
  }

  @Test("The suffix of the output chooses the kind of model, which refuses options of the other")
  func kinds() throws {
    let text = try write("the cat sat on the mat\n\n")
    let (ngram, recurrent) = (path("m.ngram"), path("m.safetensors"))
    let foreign = [
      (ngram, ["--epochs", "1"]), (ngram, ["--seed", "2"]), (ngram, ["--resume"]),
      (ngram, ["--set", "hidden=[8]"]), (ngram, ["--no-log"]), (recurrent, ["--order", "3"]),
      (recurrent, ["--minimum-count", "2"]), (recurrent, ["--words", text]),
      (recurrent, ["--max-bytes", "1000"]),
    ]
    for (output, option) in foreign {
      let refused = try tool.run(["train", "language", text, "--output", output] + option)
      #expect(refused.exitCode == 2, "\(option)")
      #expect(refused.errors.hasPrefix("ductus: error: \(option[0]): "), "\(refused.errors)")
      #expect(refused.errors.contains(output))
      #expect(!FileManager.default.fileExists(atPath: output))
    }
    for output in ["m", "m.ductus"] {
      let refused = try tool.run("train", "language", text, "--output", path(output))
      #expect(refused.exitCode == 2 && refused.errors.contains("NAME.ngram"), "\(refused.errors)")
    }
    let wordless = try tool.run("train", "language", "--output", recurrent)
    #expect(wordless.exitCode == 2 && wordless.errors.contains("text"), "\(wordless.errors)")
  }

  @Test("A model that cannot be written exits with 1")
  func unwritable() throws {
    let text = try write("abc ")
    let result = try tool.run(
      "train", "language", text, "--output", path("none/m.ngram"))
    #expect(result.exitCode == 1)
  }

  @Test("A pack is made from sentences, installed and read with by its tag")
  func pack() throws {
    let sentences = (0..<60).map { "věta číslo \($0 % 7) a ještě slovo \($0)" }
    let text = path("cs.txt")
    try sentences.joined(separator: "\n").write(toFile: text, atomically: true, encoding: .utf8)
    let pack = path("cs.ductus")
    let made = try tool.run([
      "language", "new", "cs", "--text", text, "--tuning-lines", "0", "--test-lines", "4",
      "--output", pack, "--json", path("cs.json"),
    ])
    #expect(made.exitCode == 0, "\(made.errors)")
    let summary = try #require(
      JSONSerialization.jsonObject(
        with: Data(contentsOf: URL(fileURLWithPath: path("cs.json")))) as? [String: Any])
    #expect(summary["language"] as? String == "cs" && summary["name"] as? String == "Czech")
    let bytes = try #require(summary["bytes"] as? Int)
    #expect(bytes < 2_000_000)
    #expect((summary["figures"] as? [String: Any])?["lines"] as? Int == 4)
    #expect(!FileManager.default.fileExists(atPath: pack + "/network.safetensors"))
    let store = path("store")
    let installed = try tool.run(["models", "install", pack, "--store", store])
    #expect(installed.exitCode == 0, "\(installed.errors)")
    let verified = try tool.run(["models", "verify", pack])
    #expect(verified.exitCode == 0, "\(verified.output)")
    let whole = try tool.run(["models", "pack", pack, "--output", path("whole.ductus")])
    #expect(whole.exitCode == 0, "\(whole.errors)")
    #expect(
      FileManager.default.fileExists(atPath: path("whole.ductus") + "/network.safetensors"))
    let read = try tool.run([
      "recognize", "--model", pack, "starter:words?limit=1", "--json", "-",
    ])
    #expect(read.exitCode == 0, "\(read.errors)")
    let readings = try #require(
      JSONSerialization.jsonObject(with: Data(read.output.utf8)) as? [[String: Any]])
    #expect(readings.first?["language"] as? String == "cs")
  }

  @Test("A pack without text has letters; a language that nobody knows needs text or letters")
  func packWithoutText() throws {
    let made = try tool.run(["language", "new", "mi", "--output", path("mi.ductus")])
    #expect(made.exitCode == 0, "\(made.errors)")
    #expect(made.output.contains("No text"))
    #expect(try tool.run(["models", "verify", path("mi.ductus")]).exitCode == 0)
    let unknown = try tool.run(["language", "new", "qaa", "--output", path("qaa.ductus")])
    #expect(unknown.exitCode == 2, "\(unknown.errors)")
    let given = try tool.run([
      "language", "new", "qaa", "--letters", "abcé", "--output", path("qaa.ductus"),
    ])
    #expect(given.exitCode == 0, "\(given.errors)")
    for arguments in [
      ["language", "new", "c!", "--output", path("x.ductus")],
      ["language", "new", "cs", "--text", path("none.txt"), "--output", path("x.ductus")],
      ["language", "new", "cs", "--max-bytes", "7", "--output", path("x.ductus")],
      ["recognize", "--language", "de,en,fr", "starter:words?limit=1"],
    ] {
      #expect(try tool.run(arguments).exitCode == 2, "\(arguments)")
    }
    #expect(!FileManager.default.fileExists(atPath: path("x.ductus")))
  }

  @Test("The known languages are listed without a network, by region and script")
  func knownLanguages() throws {
    let list = try tool.run(["models", "list", "--languages", "--region", "CH", "--json", "-"])
    #expect(list.exitCode == 0, "\(list.errors)")
    let rows = try #require(
      JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]])
    #expect(rows.compactMap { $0["tag"] as? String } == ["de", "fr", "it"])
    #expect(try tool.run(["models", "list", "--region", "CH"]).exitCode == 2)
  }
}
