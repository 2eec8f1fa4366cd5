import Foundation
import InkCore
import ModelFormat
import Testing

/// Whole runs of the built tool on lines of the starter set.
@Suite(
  "Training, tuning and reading lines with the built tool", .serialized,
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
final class LineRunTests {
  let tool: BuiltTool
  let folder: URL

  init() throws {
    tool = try #require(BuiltTool.found)
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-lines-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try "an\nin\non\nno\n".write(toFile: path("words.txt"), atomically: true, encoding: .utf8)
    let text = [String](repeating: "an in on no an on in no\n\nno in an\n", count: 60).joined()
    try text.write(toFile: path("text.txt"), atomically: true, encoding: .utf8)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func data(_ part: String, _ count: Int) -> String {
    "starter:words?words=\(path("words.txt"))&style=printed&split=\(part)&limit=\(count)"
  }

  private func json(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("Train, tune, evaluate, read: from labelled lines to texts")
  func endToEnd() throws {
    let model = path("lines.ductus")
    let trained = try tool.run(
      "train", "lines", "--data", data("train", 160), "--validation", data("val", 24), "--preset",
      "small", "--epochs", "2", "--output", model)
    #expect(trained.exitCode == 0, "\(trained.errors)")
    #expect(trained.output.contains("character error rate, greedy"))
    let manifest = try ModelBundle.open(URL(fileURLWithPath: model)).manifest
    #expect(manifest.kind == .line)
    #expect(manifest.labels == ["a", "i", "n", "o"])
    #expect(manifest.metrics.map(\.name) == ["cer", "wer"])
    #expect(manifest.decoding?.keys.map(\.self) == ["none"])

    let language = path("text.ngram")
    let learned = try tool.run(
      "train", "language", path("text.txt"), "--order", "3", "--output", language)
    #expect(learned.exitCode == 0, "\(learned.errors)")
    let tuned = try tool.run(
      "tune", "decoder", "--model", model, "--language-model", language, "--data",
      data("val", 12))
    #expect(tuned.exitCode == 0, "\(tuned.errors)")
    #expect(try ModelBundle.open(URL(fileURLWithPath: model)).manifest.decoding?.count == 2)
    try checkAverage(model)
    try checkSecondPass(model, language)
    try checkEvaluation(model, language)
    try checkCutting()
    try checkReading(model, language)
    try checkTuningAgain(model, language)
    try checkGoingOn(from: path("packed.ductus"), language)
  }

  /// The average of a model with itself reads the same; it has no decoder configurations.
  private func checkAverage(_ model: String) throws {
    let mean = path("mean.ductus")
    let averaged = try tool.run(
      "models", "average", model, model, "--validation", data("val", 24), "--output", mean)
    #expect(averaged.exitCode == 0, "\(averaged.errors)")
    let (first, second) = (
      try ModelBundle.open(URL(fileURLWithPath: model)).manifest,
      try ModelBundle.open(URL(fileURLWithPath: mean)).manifest
    )
    #expect(second.identifier == "mean" && second.data == first.data)
    #expect(second.metrics.map(\.value) == first.metrics.map(\.value))
    #expect(second.training?.command.contains("models average") == true)
    #expect(second.decoding?.keys.map(\.self) == ["none"])
    #expect(second.parts.map(\.sha256) == first.parts.map(\.sha256))
    let unlike = try tool.run(
      "models", "average", model, model, "--shares", "1", "--validation", data("val", 24),
      "--output", path("unlike.ductus"))
    #expect(unlike.exitCode == 2 && unlike.errors.contains("2 numbers"), "\(unlike.errors)")
    let alone = try tool.run(
      "models", "average", model, "--validation", data("val", 24), "--output", path("alone.ductus"))
    #expect(alone.exitCode == 2 && alone.errors.contains("two models or more"))
    let over = try tool.run(
      "models", "average", model, model, "--validation", data("val", 24), "--output", model)
    #expect(over.exitCode == 2 && over.errors.contains("one of the models"), "\(over.errors)")
    let unscored = try tool.run(
      "models", "average", model, model, "--validation", data("val", 0), "--output",
      path("unscored.ductus"))
    #expect(unscored.exitCode == 2 && unscored.errors.contains("expected labelled ink, found none"))
    #expect(!FileManager.default.fileExists(atPath: path("unscored.ductus")))
  }

  @Test("Training that diverges exits with 1, names a cure and leaves no model")
  func diverged() throws {
    let result = try tool.run(
      "train", "lines", "--data", data("train", 160), "--validation", data("val", 24), "--preset",
      "small", "--epochs", "2", "--learning-rate", "100", "--output", path("d.ductus"))
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("training diverged in epoch "), "\(result.errors)")
    #expect(result.errors.contains("--learning-rate"))
    #expect(!FileManager.default.fileExists(atPath: path("d.ductus")))
  }

  @Test(
    "Training that is killed at random moments and resumed ends with the weights of one never killed"
  )
  func killed() throws {
    try checkKilled(weights: "network.safetensors") { name in
      [
        "train", "lines", "--data", data("train", 160), "--validation", data("val", 16), "--preset",
        "small", "--epochs", "4", "--output", name, "--resume",
      ]
    }
  }

  /// - Parameters:
  ///   - weights: The file below the output that training writes; nil for the output itself.
  ///   - suffix: The end of the outputs' names.
  ///   - training: The arguments for an output.
  private func checkKilled(
    weights: String?, suffix: String = "", _ training: (String) -> [String]
  ) throws {
    let (wholeName, killedName) = ("whole" + suffix, "killed" + suffix)
    let seed = UInt64.random(in: 0 ... .max)
    print("checkKilled(): seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let started = ContinuousClock.now
    let whole = try tool.run(training(path(wholeName)))
    #expect(whole.exitCode == 0, "\(whole.errors)")
    let milliseconds = Float((ContinuousClock.now - started) / .milliseconds(1))
    for _ in 0..<3 {
      let pause = generator.uniform(0...0.8) * milliseconds
      _ = try tool.run(training(path(killedName))) { process in
        usleep(UInt32(1000 * pause))
        kill(process, SIGKILL)
      }
    }
    let finished = try tool.run(training(path(killedName)))
    #expect(finished.exitCode == 0, "seed \(seed): \(finished.errors)")
    let bytes = try [wholeName, killedName].map { name in
      let output = URL(fileURLWithPath: path(name))
      return try Data(contentsOf: weights.map(output.appendingPathComponent) ?? output)
    }
    #expect(bytes[0] == bytes[1], "seed \(seed)")
    #expect(!FileManager.default.fileExists(atPath: path(killedName + ".training")))
  }

  /// A recurrent language model is trained, measured, tuned for and packed beside the other.
  private func checkSecondPass(_ model: String, _ language: String) throws {
    let recurrent = path("text.safetensors")
    let sizes = ["--set", "hidden=[8]", "--set", "validationShare=10", "--batch-size", "8"]
    let learned = try tool.run(["train", "language", path("text.txt"), "-o", recurrent] + sizes)
    #expect(learned.exitCode == 0, "\(learned.errors)")
    #expect(learned.output.contains("bits per character"), "\(learned.output)")
    let measured = try json(
      try tool.run(
        "language", "evaluate", "--language-model", recurrent, "--lines", "--json", "-",
        path("text.txt")
      ).output)
    let bits = try #require(measured["bitsPerCharacter"] as? Double)
    #expect(bits > 0.1 && bits < 4, "\(bits)")
    let copy = path("second.ductus")
    let packed = try tool.run(
      "models", "pack", model, "--language-model", language, "--recurrent-model", recurrent,
      "--output", copy)
    #expect(packed.exitCode == 0, "\(packed.errors)")
    let data = ["--data", data("test", 4), "--json", "-"]
    let untuned = try tool.run(["evaluate", "--model", copy] + data)
    #expect(
      untuned.errors.contains("\(copy) is not tuned for these language models"),
      "\(untuned.errors)")
    let tuned = try tool.run("tune", "decoder", "--model", copy, "--data", self.data("val", 12))
    #expect(tuned.exitCode == 0, "\(tuned.errors)")
    #expect(tuned.output.contains("second pass: recurrent weight"), "\(tuned.output)")
    let manifest = try ModelBundle.open(URL(fileURLWithPath: copy)).manifest
    #expect(manifest.parts.map(\.role).contains("recurrent-language"))
    let both = try #require(manifest.decoding?.first { $0.key.contains("+") })
    guard case .object(let numbers) = both.value, case .object? = numbers["rescoring"] else {
      Issue.record("no numbers of a second pass: \(both.value)")
      return
    }
    let again = try tool.run(["evaluate", "--model", copy] + data)
    #expect(!again.errors.contains("not tuned") && again.exitCode == 0, "\(again.errors)")
    let bytes = manifest.parts.filter { $0.role.hasSuffix("language") }.map(\.length)
    #expect(bytes.count == 2)
    #expect(try json(again.output)["languageBytes"] as? Int == bytes.reduce(0, +))
    try Data("no model".utf8).write(to: URL(fileURLWithPath: recurrent))
    let refused = try tool.run(
      ["evaluate", "--model", model, "--language-model", language, "--recurrent-model", recurrent]
        + data)
    #expect(refused.exitCode == 2, "\(refused.errors)")
  }

  @Test("A language model whose training is killed and resumed ends with the same bytes")
  func killedLanguage() throws {
    try checkKilled(weights: nil, suffix: ".safetensors") { name in
      ["train", "language", path("text.txt"), "-o", name, "--resume", "--epochs", "3"]
        + ["--set", "hidden=[48]", "--set", "validationShare=10", "--batch-size", "4"]
    }
    for texts in [path("none.txt"), path("words.txt")] {
      let refused = try tool.run("train", "language", texts, "-o", path("r.safetensors"))
      #expect(refused.exitCode == 2 && !refused.errors.isEmpty, "\(refused.errors)")
    }
  }

  @Test(
    "A model of single characters is named for line models alone, and knows characters of theirs")
  func characterModel() throws {
    for (model, characters) in [("latin-lines", "shapes"), ("shapes", "latin-characters")] {
      let refused = try tool.run(
        "evaluate", "--model", model, "--character-model", characters, "--data",
        "starter:characters?labels=[a-c]&split=test&limit=4")
      #expect(refused.exitCode == 2 && refused.errors.contains("character"), "\(refused.errors)")
    }
    let read = try tool.run(
      "evaluate", "--model", "latin-lines", "--character-model", "latin-characters", "--data",
      "starter:characters?labels=[a-c]&split=test&limit=4", "--json", "-")
    #expect(try json(read.output)["samples"] as? Int == 4)
  }

  /// Tuning keeps the language model that a bundle holds.
  private func checkTuningAgain(_ model: String, _ language: String) throws {
    let packed = path("packed.ductus")
    let gathered = try tool.run(
      "models", "pack", model, "--language-model", language, "--output", packed)
    #expect(gathered.exitCode == 0, "\(gathered.errors)")
    let tuned = try tool.run(
      "tune", "decoder", "--model", packed, "--language-model", language, "--temperature-only",
      "--data", data("val", 12))
    #expect(tuned.exitCode == 0, "\(tuned.errors)")
    let manifest = try ModelBundle.open(URL(fileURLWithPath: packed)).manifest
    #expect(manifest.parts.map(\.role).contains("language"))
    let tunedTo = manifest.decoding?.first { $0.key != "none" }
    guard case .object(let decoding)? = tunedTo?.value else {
      Issue.record("no decoding: \(manifest.decoding ?? [:])")
      return
    }
    #expect(decoding["wordConfidences"] == .array([]))
    // Without another one, it is tuned for that model.
    let own = try tool.run("tune", "decoder", "--model", packed, "--data", data("val", 12))
    #expect(own.exitCode == 0, "\(own.errors)")
    #expect(own.output.contains("used for tuning"))
    #expect(own.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(own.output)")
    #expect(own.errors.split(separator: "\n").count < 20, "the search is for --verbose")
    let again = try ModelBundle.open(URL(fileURLWithPath: packed)).manifest.decoding
    #expect(again?.keys.sorted() == manifest.decoding?.keys.sorted())
    #expect(again?["none"] == manifest.decoding?["none"])
    #expect(again != manifest.decoding)
    try checkKnownWeights(packed)
  }

  /// Given weights are used, and confidences are fitted to them.
  private func checkKnownWeights(_ packed: String) throws {
    let command = ["tune", "decoder", "--model", packed, "--data", data("val", 12), "--weights"]
    let known = try tool.run(command + ["0.65,1.5,-0.5,0.25"])
    #expect(known.exitCode == 0, "\(known.errors)")
    #expect(known.output.contains("language weight 0.650, character bonus 1.50"))
    let decoding = try ModelBundle.open(URL(fileURLWithPath: packed)).manifest.decoding
    let tuned = try #require(decoding?.first { $0.key != "none" }?.value)
    #expect(tuned["characterBonus"] == .number(1.5) && tuned["wordBonus"] == .number(-0.5))
    #expect(tuned["priorWeight"] == .number(0.25) && tuned["logPriors"] != .array([]))
    let alone = try tool.run(
      "tune", "decoder", "--model", path("lines.ductus"), "--data", data("val", 2), "--weights",
      "0.6,2,-1,0.2")
    #expect(alone.exitCode == 2 && alone.errors.contains("--language-model"), "\(alone.errors)")
    for refused in ["0,1,1,1", "0.5,1,1,-1", "0.5,1,1", "0.5,nan,1,1", "much"] {
      let result = try tool.run(command + [refused])
      #expect(result.exitCode == 2 && result.errors.contains("--weights"), "\(refused)")
    }
  }

  /// A model trained from another one keeps its symbols and its language model, for any data.
  private func checkGoingOn(from start: String, _ language: String) throws {
    try "no\n".write(toFile: path("no.txt"), atomically: true, encoding: .utf8)
    let few = "starter:words?words=\(path("no.txt"))&style=printed&limit=12"
    let output = path("more.ductus")
    let lettered = path("lettered.ductus")
    let packed = try tool.run(
      "models", "pack", start, "--character-model", "latin-characters", "--output", lettered)
    #expect(packed.exitCode == 0, "\(packed.errors)")
    let trained = try tool.run(
      "train", "lines", "--from", lettered, "--preset", "small", "--epochs", "1", "--data",
      few + "&split=train", "--validation", data("val", 8), "--output", output)
    #expect(trained.exitCode == 0, "\(trained.errors)")
    let bundle = try ModelBundle.open(URL(fileURLWithPath: output))
    #expect(bundle.manifest.labels == ["a", "i", "n", "o"])
    #expect(Set(bundle.manifest.parts.map(\.role)) == ["network", "language", "characters"])
    #expect(bundle.manifest.decoding?.count == 2)
    // The origins of the first model's data are kept.
    let before = try ModelBundle.open(URL(fileURLWithPath: lettered)).manifest.data
    #expect(!before.isEmpty && before.allSatisfy(bundle.manifest.data.contains))
    // Another script starts from the weights alone.
    let other = path("other.ductus")
    let anew = try tool.run(
      "train", "lines", "--from", lettered, "--new-symbols", "--preset", "small", "--epochs", "1",
      "--data", few + "&split=train", "--validation", few + "&split=val", "--output", other)
    #expect(anew.exitCode == 0, "\(anew.errors)")
    let fresh = try ModelBundle.open(URL(fileURLWithPath: other))
    #expect(fresh.manifest.labels == ["n", "o"])
    #expect(Set(fresh.manifest.parts.map(\.role)) == ["network"])
    #expect(before.allSatisfy(fresh.manifest.data.contains))
    let unnamed = try tool.run(
      "tune", "decoder", "--model", "latin-lines", "--data", data("val", 2))
    #expect(unnamed.exitCode == 2 && unnamed.errors.contains("models pack"))
  }

  private func checkEvaluation(_ model: String, _ language: String) throws {
    let greedy = try tool.run(
      "evaluate", "--model", model, "--data", data("test", 10), "--greedy", "--json", "-")
    let first = try json(greedy.output)
    #expect(first["samples"] as? Int == 10)
    #expect(first["cer"] is Double && first["wer"] is Double && first["top1"] is NSNull)
    let second = try json(
      try tool.run(
        "evaluate", "--model", model, "--data", data("test", 10), "--language-model", language,
        "--json", "-", "--report", path("report")
      ).output)
    #expect(second["languageBytes"] is Int && second["nbestOracle"] is Double)
    let page = try String(contentsOfFile: path("report") + "/index.html", encoding: .utf8)
    #expect(page.contains("<svg") && !page.contains(folder.path))
    #expect(page.contains("<section id=\"confidence\">"))
  }

  @Test("Disturbed lines are scored beside whole ones")
  func robustness() throws {
    // A shipped model, because a model of two epochs reads nothing.
    let disturbed = try tool.run(
      "evaluate", "--model", "latin-lines", "--data", data("test", 10), "--greedy",
      "--robustness", "--json", "-", "--report", path("robust"))
    let page = try String(contentsOfFile: path("robust") + "/index.html", encoding: .utf8)
    for part in ["errors", "kinds", "writers", "speed", "robustness"] {
      #expect(page.contains("<section id=\"\(part)\">"), "\(part)")
    }
    let figures = try json(disturbed.output)
    let rates = try #require(figures["robustness"] as? [String: Double])
    #expect(rates["asWritten"] == figures["cer"] as? Double)
    #expect(rates.count > 10 && rates.values.allSatisfy { $0 >= 0 })
    #expect(Set(rates.values).count > 1, "every disturbance costs the same")
  }

  @Test("A reading that begins a new word shows its space; the network alone takes no ablation")
  func spacesAndRefusals() throws {
    try "lo\n".write(toFile: path("lo.txt"), atomically: true, encoding: .utf8)
    let ink = "starter:words?words=\(path("lo.txt"))&style=printed&split=all&limit=1"
    let read = try tool.run("recognize", "--pre-context", "hello", "--candidates", "3", ink)
    #expect(read.output.contains("␣lo "), "\(read.output)")
    let refused = try tool.run(
      "evaluate", "--model", "latin-lines", "--data", ink, "--greedy", "--ablation", "area,context")
    #expect(refused.exitCode == 2 && refused.errors.contains("--ablation"))
    for other in [["--greedy"], ["--through", "editor"]] {
      let refused = try tool.run(
        ["evaluate", "--model", "latin-lines", "--data", ink, "--running-text"] + other)
      #expect(refused.exitCode == 2 && refused.errors.contains("--running-text"))
    }
    let running = try tool.run(
      "evaluate", "--model", "latin-lines", "--data", ink, "--running-text", "--json", "-")
    #expect(try json(running.output)["runningText"] as? Bool == true, "\(running.errors)")
  }

  @Test("Writing areas and the ink of characters are scored as text, as JSON and on the page")
  func areasAndAlignment() throws {
    let scored = try tool.run(
      "evaluate", "--model", "latin-lines", "--data", data("test", 12), "--greedy", "--ablation",
      "area", "--alignment", "starter:words?length=3&limit=4", "--json", path("areas.json"),
      "--report", path("areas"))
    #expect(scored.exitCode == 0, "\(scored.errors)")
    #expect(scored.output.contains("two lines tall") && scored.output.contains(", as '"))
    let figures = try json(String(contentsOfFile: path("areas.json"), encoding: .utf8))
    let ablations = try #require(figures["ablations"] as? [String: Double])
    // The letters of the words an, in, on and no.
    let letters = try #require(ablations["lookalikes.small.count"])
    #expect(letters > 0 && ablations["area.twoLines.small"] != nil)
    #expect(ablations["area.line.cer"] == figures["cer"] as? Double)
    #expect((figures["alignment"] as? [String: Double])?["lines.count"] == 4)
    let page = try String(contentsOfFile: path("areas") + "/index.html", encoding: .utf8)
    #expect(page.contains("<th scope=\"row\">three lines tall</th>"))
    #expect(page.contains("lines.points"))
  }

  @Test("An alphabet of a property confines what is read, and an unknown one is told what is known")
  func propertyAlphabets() throws {
    let told = try tool.run(
      "recognize", "--alphabet", #"\p{Lu}"#, "--candidates", "1", "--json", "-", data("test", 3))
    #expect(told.exitCode == 0, "\(told.errors)")
    let readings = try #require(
      JSONSerialization.jsonObject(with: Data(told.output.utf8)) as? [[String: Any]])
    for reading in readings {
      let candidates = try #require(reading["candidates"] as? [[String: Any]])
      let text = try #require(candidates.first?["text"] as? String)
      #expect(text.allSatisfy { $0.isUppercase })
    }
    let refused = try tool.run("recognize", "--alphabet", #"\p{Klingon}"#, data("test", 1))
    #expect(refused.exitCode == 2 && refused.errors.contains("Uppercase_Letter"))
  }

  private func checkCutting() throws {
    let cut = try tool.run(
      "data", "cut", "--data", data("train", 20), "--model", "latin-lines", "--output",
      path("letters.jsonl"))
    #expect(cut.exitCode == 0, "\(cut.errors)")
    #expect(try origins(besideInk: path("letters.jsonl")).map(\.licence) == ["Apache-2.0"])
  }

  private func checkReading(_ model: String, _ language: String) throws {
    let words = try tool.run(
      "recognize", "--model", model, "--language-model", language, "--lexicon",
      path("words.txt"), "--candidates", "1", "--json", "-", data("test", 3))
    #expect(words.exitCode == 0, "\(words.errors)")
    let readings = try #require(
      JSONSerialization.jsonObject(with: Data(words.output.utf8)) as? [[String: Any]])
    for reading in readings {
      for candidate in try #require(reading["candidates"] as? [[String: Any]]) {
        let text = try #require(candidate["text"] as? String)
        #expect(text.split(separator: " ").allSatisfy { ["an", "in", "on", "no"].contains($0) })
      }
    }
    let refused = try tool.run(
      "recognize", "--model", model, "--alphabet", "7", data("test", 1))
    #expect(refused.exitCode == 2)
    #expect(refused.errors.contains("alphabet"))
    let confused = try tool.run(
      "evaluate", "--model", model, "--data", data("test", 1), "--greedy", "--language-model",
      language)
    #expect(confused.exitCode == 2)
  }
}
