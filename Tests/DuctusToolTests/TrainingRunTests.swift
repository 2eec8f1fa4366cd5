import Foundation
import InkCore
import InkDatasets
import ModelFormat
import Testing

/// Whole runs of the built tool on synthetic ink.
@Suite(
  "Training, evaluating and recognising with the built tool", .serialized,
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
final class TrainingRunTests {
  let tool: BuiltTool
  let folder: URL

  init() throws {
    tool = try #require(BuiltTool.found)
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-runs-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try SyntheticInk.write(SyntheticInk.records(count: 480), to: path("ink.jsonl"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func training(_ name: String, epochs: Int = 6, _ more: String...) -> [String] {
    [
      "train", "glyphs", "--data", "ink:\(path("ink.jsonl"))?licence=CC0%201.0&attribution=us",
      "--output", path(name), "--preset", "small", "--batch-size", "32", "--epochs", "\(epochs)",
    ] + more
  }

  private func weights(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name) + "/network.safetensors"))
  }

  private func metrics(_ name: String) throws -> [String: Double] {
    let metrics = try ModelBundle.open(URL(fileURLWithPath: path(name))).manifest.metrics
    return Dictionary(uniqueKeysWithValues: metrics.map { ($0.name, $0.value) })
  }

  @Test("Train, evaluate, recognise: from labelled ink to candidates")
  func endToEnd() throws {
    let trained = try tool.run(training("shapes.ductus"))
    #expect(trained.exitCode == 0, "\(trained.errors)")
    #expect(trained.output.hasPrefix("\(path("shapes.ductus")): "))
    #expect(trained.output.contains("validation top-1"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["ink.jsonl", "shapes.ductus"])
    try checkBundle()
    try checkEvaluation()
    try checkRecognition()
  }

  private func checkBundle() throws {
    let bundle = try ModelBundle.open(URL(fileURLWithPath: path("shapes.ductus")))
    #expect(bundle.manifest.labels == SyntheticInk.labels.sorted())
    #expect(bundle.manifest.name == "shapes")
    let source = try #require(bundle.manifest.data.first)
    #expect(source.name == "ink:\(path("ink.jsonl"))" && bundle.manifest.data.count == 1)
    #expect(source.licence == "CC0 1.0" && source.attribution == "us")
    #expect(bundle.byteCount < 1_500_000)
    let record = try #require(bundle.manifest.training)
    #expect(record.seed == 1)
    #expect(record.epochs == 6)
    #expect(record.dataHash.count == 64)
    #expect(record.command.hasPrefix("ductus train glyphs --data 'ink:"))
    #expect(!record.blas.contains("("))
    let metric = try #require(bundle.manifest.metrics.first)
    #expect(metric.name == "top1")
    #expect(metric.value > 0.9)
    // The command beside the figure measures that figure.
    #expect(metric.command.hasPrefix("ductus evaluate --model "))
    let again = try tool.run(
      "evaluate", "--model", path("shapes.ductus"), "--data",
      "ink:\(path("ink.jsonl"))?split=val", "--json", "-")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(again.output.utf8)) as? [String: Any])
    #expect(metric.command.contains("'ink:\(path("ink.jsonl"))?split=val'"))
    #expect(object["top1"] as? Double == metric.value)
    #expect(object["dataHash"] as? String == metric.dataHash)
  }

  private func checkEvaluation() throws {
    let data = "ink:\(path("ink.jsonl"))?split=test"
    let arguments = ["evaluate", "--model", path("shapes.ductus"), "--data", data]
    let text = try tool.run(arguments)
    #expect(text.exitCode == 0)
    for word in ["top-1", "top-3, top-5", "latency", "peak memory", "calibration error"] {
      #expect(text.output.contains(word), "\(word)")
    }
    let file = path("report.json")
    #expect(try tool.run(arguments + ["--json", file]).exitCode == 0)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file)))
        as? [String: Any])
    #expect(try #require(object["top1"] as? Double) > 0.9)
    #expect(try #require(object["samples"] as? Int) > 10)
    #expect(object["cer"] is NSNull)
    #expect(object["data"] as? [String] == [data])
    try checkReport(arguments)
    try checkPredictions(arguments, object)
  }

  /// The answers to the inks give the figures that are written with them.
  private func checkPredictions(_ arguments: [String], _ figures: [String: Any]) throws {
    let file = path("answers.jsonl")
    let written = try tool.run(arguments + ["--predictions", file])
    #expect(written.exitCode == 0, "\(written.errors)")
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    let answers = try lines.map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(answers.map { $0["index"] as? Int } == answers.indices.map { $0 })
    #expect(answers.count == figures["samples"] as? Int)
    let right = answers.count { answer in
      let candidates = answer["candidates"] as? [[String: Any]]
      return candidates?.first?["text"] as? String == answer["label"] as? String
    }
    #expect(Double(right) / Double(answers.count) == figures["top1"] as? Double)
    #expect(answers.allSatisfy { $0["language"] is NSNull })
    for place in ["-", folder.path, path("none/answers.jsonl")] {
      let refused = try tool.run(arguments + ["--predictions", place])
      #expect(refused.exitCode == 2 && refused.errors.contains("--predictions"), "\(place)")
    }
    let editor = try tool.run(arguments + ["--through", "editor", "--predictions", file])
    #expect(editor.exitCode == 2 && editor.errors.contains("--predictions"))
  }

  private func checkReport(_ arguments: [String]) throws {
    let written = try tool.run(arguments + ["--json", "-", "--report", path("page/of/it")])
    #expect(written.exitCode == 0, "\(written.errors)")
    #expect(written.errors == "report: \(path("page/of/it"))/index.html\n")
    // Standard output is only the JSON.
    #expect(throws: Never.self) {
      try JSONSerialization.jsonObject(with: Data(written.output.utf8))
    }
    let page = try String(contentsOfFile: path("page/of/it/index.html"), encoding: .utf8)
    #expect(page.contains("<title>shapes.ductus</title>"))
    #expect(!page.contains(folder.path))
    let refused = try tool.run(arguments + ["--report", path("ink.jsonl")])
    #expect(refused.exitCode == 2)
    #expect(refused.output.isEmpty)
    #expect(refused.errors.hasPrefix("ductus: error: \(path("ink.jsonl")): expected a folder"))
  }

  @Test("A dataset is inspected into a page; a place that cannot take it ends with 2")
  func inspectionReport() throws {
    let data = "ink:\(path("ink.jsonl"))"
    let named = try tool.run("data", "inspect", "--data", data)
    #expect(named.exitCode == 0 && named.output.contains("480 good, 0 bad"), "\(named.errors)")
    #expect(try tool.run("data", "inspect").exitCode == 2)
    let result = try tool.run("data", "inspect", data, "--report", path("page"))
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.contains("480 good, 0 bad"))
    let page = try String(contentsOfFile: path("page/index.html"), encoding: .utf8)
    #expect(page.contains("<title>ink.jsonl</title>"))
    for label in SyntheticInk.labels {
      let shown = label.replacingOccurrences(of: "\"", with: "&quot;")
      #expect(page.contains("<bdi>\(shown)</bdi>"), "\(label)")
    }
    #expect(!page.contains(folder.path))
    let refused = try tool.run("data", "inspect", data, "--report", path("ink.jsonl/below"))
    #expect(refused.exitCode == 2)
    #expect(refused.output.isEmpty)
  }

  private func checkRecognition() throws {
    let records = Array(SyntheticInk.records(count: 8, seed: 9))
    try SyntheticInk.write(records, to: path("few.jsonl"))
    let arguments = ["recognize", "--model", path("shapes.ductus"), path("few.jsonl")]
    let text = try tool.run(arguments + ["--area", "400x120+-20+-20"])
    #expect(text.exitCode == 0)
    let lines = text.output.split(separator: "\n")
    #expect(lines.count == 8)
    for (index, record) in records.enumerated() {
      #expect(lines[index].hasPrefix("\(index)  \(record.label) "), "\(lines[index])")
    }
    let json = try tool.run(arguments + ["--candidates", "2", "--json", "-"])
    let readings = try #require(
      JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
    #expect(readings.count == 8)
    let candidates = try #require(readings[0]["candidates"] as? [[String: Any]])
    #expect(candidates.count == 2)
    #expect(candidates[0]["text"] as? String == records[0].label)
    // Ink that is not labelled yet.
    let line = #"{"strokes":[{"x":[0,20,40,60],"y":[60,40,20,0]}]}"# + "\n"
    try Data(line.utf8).write(to: URL(fileURLWithPath: path("new.jsonl")))
    let new = try tool.run("recognize", "--model", path("shapes.ductus"), path("new.jsonl"))
    #expect(new.exitCode == 0, "\(new.errors)")
    #expect(new.output.hasPrefix("0  line "))
  }

  @Test("Data is converted to JSON Lines that hold the same records")
  func convert() throws {
    let result = try tool.run(
      "data", "convert", "--data", "ink:\(path("ink.jsonl"))?limit=20", "--output", path("a.jsonl"))
    #expect(result.exitCode == 0)
    let before = try String(contentsOfFile: path("ink.jsonl"), encoding: .utf8)
    let after = try String(contentsOfFile: path("a.jsonl"), encoding: .utf8)
    #expect(after.split(separator: "\n") == Array(before.split(separator: "\n").prefix(20)))
  }

  @Test("Licence and attribution follow ink through converting to the model that is trained on it")
  func origins() throws {
    let converted = try tool.run(
      "data", "convert", "--data", "ink:\(path("ink.jsonl"))?licence=CC0%201.0&attribution=us",
      "--output", path("b.jsonl"))
    #expect(converted.exitCode == 0, "\(converted.errors)")
    let origin = try #require(DuctusToolTests.origins(besideInk: path("b.jsonl")).first)
    #expect(origin.licence == "CC0 1.0" && origin.attribution == "us")
    let trained = try tool.run(
      "train", "glyphs", "--data", "ink:\(path("b.jsonl"))", "--output", path("b.ductus"),
      "--preset", "small", "--epochs", "1")
    #expect(trained.exitCode == 0, "\(trained.errors)")
    let manifest = try ModelBundle.open(URL(fileURLWithPath: path("b.ductus"))).manifest
    #expect(manifest.data.map(\.licence) == ["CC0 1.0"])
    #expect(manifest.data.map(\.attribution) == ["us"])
  }

  @Test("The ink of one person can be trained on, with a warning")
  func oneWriter() throws {
    let records = SyntheticInk.records(count: 200).map { record in
      var record = record
      record.writer = "me"
      return record
    }
    try SyntheticInk.write(records, to: path("mine.jsonl"))
    let arguments = [
      "train", "glyphs", "--data", "ink:\(path("mine.jsonl"))", "--output", path("mine.ductus"),
      "--preset", "small", "--epochs", "1",
    ]
    let alone = try tool.run(arguments)
    #expect(alone.exitCode == 0, "\(alone.errors)")
    #expect(alone.errors.contains("too few writers"))
    #expect(alone.errors.contains("mine.jsonl?split=test&split-by=ink"), "\(alone.errors)")
    let empty = try tool.run(
      "evaluate", "--model", path("mine.ductus"), "--data", "ink:\(path("mine.jsonl"))?split=test")
    #expect(empty.exitCode == 2)
    #expect(empty.errors.contains("split-by=ink") && empty.errors.contains("fold="))
    let manifest = try ModelBundle.open(URL(fileURLWithPath: path("mine.ductus"))).manifest
    let metric = try #require(manifest.metrics.first)
    #expect(metric.data.hasSuffix("mine.jsonl?split=val&split-by=ink"))
    let again = try tool.run(
      "evaluate", "--model", path("mine.ductus"), "--data", metric.data, "--json", "-")
    let figures = try #require(
      JSONSerialization.jsonObject(with: Data(again.output.utf8)) as? [String: Any])
    #expect(figures["dataHash"] as? String == metric.dataHash && figures["writers"] as? Int == 1)

    let same = try tool.run(
      arguments + ["--validation", "ink:\(path("mine.jsonl"))?split=all", "--restart"])
    #expect(same.exitCode == 0 && same.errors.contains("1 validation writer"), "\(same.errors)")
  }

  @Test("With few writers, none of the test writers is used in training")
  func fewWriters() throws {
    // Two writers for training and one for test, who begins behind nine tenths of the ink: none for
    // validation.
    let names = (0..<20).map { "writer \($0)" }
    let shares = WriterSplit(counts: Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }))
    let last = try #require(names.first { shares.parts[$0] == .test })
    let others = names.filter { shares.parts[$0] == .train }.prefix(2)
    try #require(others.count == 2)
    let records = SyntheticInk.records(count: 200).enumerated().map { index, record in
      var record = record
      record.writer = index < 190 ? others[index % 2] : last
      return record
    }
    let parts = WriterSplit(counts: [others[0]: 95, others[1]: 95, last: 10]).parts
    #expect(parts[last] == .test && !parts.values.contains(.val))
    try SyntheticInk.write(records, to: path("three.jsonl"))
    let data = "ink:\(path("three.jsonl"))"
    let trained = try tool.run(
      "train", "glyphs", "--data", data, "--output", path("three.ductus"), "--preset", "small",
      "--epochs", "1")
    #expect(trained.exitCode == 0, "\(trained.errors)")
    #expect(trained.errors.contains("split-by=mixed"))
    #expect(trained.errors.contains("left for test: 10 inks of 1 writer"), "\(trained.errors)")
    let record = try #require(
      ModelBundle.open(URL(fileURLWithPath: path("three.ductus"))).manifest.training)
    #expect(record.writers == 2 && record.samples < 190)
    let scored = try tool.run(
      "evaluate", "--model", path("three.ductus"), "--data", "\(data)?split=test", "--json", "-")
    let figures = try #require(
      JSONSerialization.jsonObject(with: Data(scored.output.utf8)) as? [String: Any])
    #expect(figures["samples"] as? Int == 10)
  }

  @Test("Bad input exits with 2 and a message of one line")
  func badInput() throws {
    let data = "ink:\(path("ink.jsonl"))"
    try Data("not JSON\n".utf8).write(to: URL(fileURLWithPath: path("bad.jsonl")))
    let one = SyntheticInk.records(count: 40).filter { $0.label == "vee" }
    try SyntheticInk.write(one, to: path("one.jsonl"))
    let output = path("x.ductus")
    let cases: [(arguments: [String], says: String)] = [
      (["train", "glyphs", "--data", data], "--output"),
      (["train", "glyphs", "--output", output], "--data"),
      (["train", "glyphs", "--data", "nonsense:x", "--output", output], "nonsense"),
      (
        ["train", "glyphs", "--data", "ink:\(path("none.jsonl"))", "--output", output], "none.jsonl"
      ),
      (["train", "glyphs", "--data", data, "--output", output, "--epochs", "0"], "--epochs"),
      (["train", "glyphs", "--data", data, "--output", path("ink.jsonl")], "model bundle"),
      (
        ["train", "glyphs", "--data", data, "--output", path("ink.jsonl") + "/x.ductus"], "x.ductus"
      ),
      (
        ["train", "glyphs", "--data", "ink:\(path("one.jsonl"))", "--output", output],
        "at least 2 classes"
      ),
      (
        ["train", "glyphs", "--data", "ink:\(path("bad.jsonl"))", "--output", output],
        "no training inks"
      ),
      (
        ["train", "glyphs", "--data", data, "--output", output, "--resume", "--restart"],
        "--restart"
      ),
      (["evaluate", "--model", output, "--data", data], "x.ductus"),
      (["recognize", "--model", output, path("ink.jsonl")], "x.ductus"),
      (["recognize", "--model", output], "expected a file"),
      (["recognize", "--model", "nope", path("ink.jsonl")], "latin-lines"),
      (["evaluate", "--model", "shapes", "--data", "a.jsonl"], "no file at the path"),
      (["recognize", "--model", output, path("ink.jsonl"), "--area", "3by4"], "writing area"),
    ]
    for (arguments, says) in cases {
      let result = try tool.run(arguments)
      #expect(result.exitCode == 2, "\(arguments)")
      #expect(result.output.isEmpty, "\(arguments)")
      let lines = result.errors.split(separator: "\n").filter { $0 != "reading data" }
      #expect(lines.count == 1, "\(arguments): \(result.errors)")
      #expect(lines.first?.hasPrefix("ductus: error: ") == true, "\(result.errors)")
      #expect(result.errors.contains(says), "\(arguments): \(result.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  #if os(Linux)
    @Test("Training does not begin if nothing can be written", arguments: ["glyphs", "lines"])
    func unwritable(kind: String) throws {
      let result = try tool.run(
        "train", kind, "--data", "starter:\(kind == "glyphs" ? "shapes" : "words")?limit=200",
        "--output", "/proc/x.ductus")
      #expect(result.exitCode == 2)
      #expect(result.output.isEmpty)
      #expect(
        result.errors.hasPrefix(
          "ductus: error: --output /proc/x.ductus: the folder /proc cannot be written to: "))
      #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
    }
  #endif

  @Test("Training that diverges exits with 1 and names a cure")
  func diverged() throws {
    let result = try tool.run(training("d.ductus", epochs: 20, "--learning-rate", "1e6"))
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("--learning-rate"))
    #expect(!FileManager.default.fileExists(atPath: path("d.ductus")))
  }

  @Test("One and two workers give the same weights, byte for byte")
  func workers() throws {
    for name in ["1", "2", "3"] {
      let result = try tool.run(training("\(name).ductus", epochs: 3, "--workers", name))
      #expect(result.exitCode == 0, "\(result.errors)")
    }
    #expect(try weights("1.ductus") == weights("2.ductus"))
    #expect(try weights("1.ductus") == weights("3.ductus"))
  }

  @Test("Ctrl-C saves, exits with 1 and says how to continue; an unfinished run is not overwritten")
  func interrupted() throws {
    let whole = try tool.run(training("whole.ductus", epochs: 12))
    #expect(whole.exitCode == 0, "\(whole.errors)")
    let checkpoint = path("i.ductus.training/checkpoint.safetensors")
    let stopped = try tool.run(training("i.ductus", epochs: 12)) { process in
      try waitForFile(checkpoint)
      kill(process, SIGINT)
    }
    #expect(stopped.exitCode == 1)
    #expect(stopped.errors.contains("i.ductus.training; go on with:"))
    #expect(stopped.errors.contains("--resume\n"))
    #expect(!FileManager.default.fileExists(atPath: path("i.ductus")))

    let refused = try tool.run(training("i.ductus", epochs: 12))
    #expect(refused.exitCode == 2)
    #expect(refused.errors.contains("--resume"))
    #expect(refused.errors.contains("--restart"))
    let otherOptions = try tool.run(training("i.ductus", epochs: 13, "--resume"))
    #expect(otherOptions.exitCode == 2)
    #expect(otherOptions.errors.contains("other options"))

    let finished = try tool.run(training("i.ductus", epochs: 12, "--resume"))
    #expect(finished.exitCode == 0, "\(finished.errors)")
    #expect(try weights("i.ductus") == weights("whole.ductus"))
    #expect(!FileManager.default.fileExists(atPath: path("i.ductus.training")))
  }

  private func waitForFile(_ path: String) throws {
    let end = ContinuousClock.now + .seconds(300)
    while !FileManager.default.fileExists(atPath: path) {
      try #require(ContinuousClock.now < end, "no \(path) within 300 s")
      usleep(2_000)
    }
  }

  @Test("A run killed at random moments and resumed ends with the weights of one never killed")
  func killed() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("killed(): seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let started = ContinuousClock.now
    let whole = try tool.run(training("whole.ductus", epochs: 12))
    #expect(whole.exitCode == 0, "\(whole.errors)")
    let milliseconds = Float((ContinuousClock.now - started) / .milliseconds(1))

    var kills = 0
    for attempt in 0..<6 {
      let pause = generator.uniform(0...(attempt < 2 ? 0.9 : 0.5)) * milliseconds
      let result = try tool.run(training("k.ductus", epochs: 12, "--resume")) { process in
        usleep(UInt32(1000 * pause))
        kill(process, SIGKILL)
      }
      if result.exitCode == SIGKILL { kills += 1 }
      // A bundle is complete or missing.
      if FileManager.default.fileExists(atPath: path("k.ductus")) {
        #expect(try weights("k.ductus") == weights("whole.ductus"), "seed \(seed)")
      }
    }
    print("killed(): \(kills) kills")
    let finished = try tool.run(training("k.ductus", epochs: 12, "--resume"))
    #expect(finished.exitCode == 0, "seed \(seed): \(finished.errors)")
    #expect(try weights("k.ductus") == weights("whole.ductus"), "seed \(seed)")
    #expect(try metrics("k.ductus") == metrics("whole.ductus"), "seed \(seed)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["ink.jsonl", "k.ductus", "whole.ductus"], "seed \(seed)")
  }
}
