import Evaluation
import Foundation
import InkCore
import InkDatasets
import Recognition
import Studio
import TestSamples
import Testing

@Suite("Evaluations of a page") struct EvaluateTests {
  private let data = #""data": ["ink:mine.jsonl?split=test"]"#

  private func request(_ json: String) throws -> EvaluationRequest {
    try JSONDecoder().decode(EvaluationRequest.self, from: Data("{\(json)}".utf8))
  }

  @Test("Each model becomes a job with a report and its figures in a folder of its own")
  func arguments() throws {
    let place = try JobsProject(models: ["a", "b"])
    let jobs = try request(#""models": ["a", "b"], \#(data), "name": "mine", "robustness": true"#)
      .jobs(in: place.context)
    #expect(jobs.map(\.output) == ["reports/mine a", "reports/mine b"])
    #expect(
      jobs[0].arguments == [
        "evaluate", "--model=models/a.ductus", "--data=ink:mine.jsonl?split=test",
        "--report=reports/mine a", "--json=reports/mine a/evaluation.json",
        "--predictions=reports/mine a/answers.jsonl", "--robustness",
      ])
    var isFolder: ObjCBool = false
    #expect(
      FileManager.default.fileExists(atPath: place.path("reports/mine b"), isDirectory: &isFolder)
        && isFolder.boolValue)
  }

  @Test("Two models are compared in one job, whose paths cannot be taken for options")
  func comparison() throws {
    let place = try JobsProject(models: ["a", "b", "lines-c"])
    let jobs = try request(#""models": ["a", "b"], \#(data), "compares": true, "name": "x""#)
      .jobs(in: place.context)
    #expect(jobs.count == 1 && jobs[0].kind == .compare)
    #expect(jobs[0].arguments.prefix(3) == ["compare", "models/a.ductus", "models/b.ductus"])
    for models in [#"["a"]"#, #"["a", "lines-c"]"#, #"["a", "b", "lines-c"]"#] {
      let wrong = try request(#""models": \#(models), \#(data), "compares": true"#)
      #expect(code { _ = try wrong.jobs(in: place.context) } == .invalidValue, "\(models)")
    }
  }

  @Test(
    "Unknown models, too many, names of reports outside and foreign data are refused",
    arguments: [
      (#""models": [], "data": ["ink:x.jsonl"]"#, StudioError.Code.invalidValue),
      (#""models": ["a", "a"], "data": ["ink:x.jsonl"]"#, .invalidValue),
      (#""models": ["exec:true"], "data": ["ink:x.jsonl"]"#, .notFound),
      (#""models": ["--help"], "data": ["ink:x.jsonl"]"#, .notFound),
      (#""models": ["../../x"], "data": ["ink:x.jsonl"]"#, .notFound),
      (#""models": ["a"], "data": []"#, .invalidValue),
      (#""models": ["a"], "data": ["ink:/etc/passwd"]"#, .forbidden),
      (#""models": ["a"], "data": ["ink:x.jsonl"], "name": "../x""#, .invalidValue),
      (#""models": ["a"], "data": ["ink:x.jsonl"], "name": "--x""#, .invalidValue),
      (#""models": ["a"], "data": "ink:x.jsonl""#, .invalidValue),
    ])
  func refused(json: String, expected: StudioError.Code) throws {
    let place = try JobsProject(models: ["a"])
    #expect(code { _ = try request(json).jobs(in: place.context) } == expected)
  }

  // MARK: - Reports

  @Test("Reports are listed with the figures of their JSON, and removed by name only")
  func store() throws {
    let place = try JobsProject()
    let store = EvaluationStore(place.project)
    #expect(store.list().isEmpty)
    for name in ["first", "a b#1"] {
      let folder = place.path("reports/\(name)")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data("<p>".utf8).write(to: URL(fileURLWithPath: folder + "/index.html"))
    }
    let summary = try EvaluationSummary(
      GlyphEvaluation(TableRecognizer(answers: [2: [("a", 0.9)]]), on: []),
      model: "models/a.ductus",
      data: ["ink:x"], modelBytes: 5, peakResidentBytes: nil)
    try JSONEncoder().encode(summary).write(
      to: URL(fileURLWithPath: place.path("reports/first/evaluation.json")))
    try Data("{".utf8).write(to: URL(fileURLWithPath: place.path("reports/a b#1/evaluation.json")))
    let entries = store.list().sorted { $0.name < $1.name }
    #expect(entries.map(\.name) == ["a b#1", "first"])
    #expect(entries[0].page == "/reports/a%20b%231/index.html" && entries[0].figures == nil)
    #expect(entries[1].figures?.model == "a" && entries[1].figures?.modelBytes == 5)
    for name in ["..", "", "first/..", "/etc", "missing", ".studio"] {
      #expect(code { try store.remove(name) } != nil, "\(name)")
    }
    try store.remove("first")
    #expect(store.list().map(\.name) == ["a b#1"])
    #expect(FileManager.default.fileExists(atPath: place.project.state.path))
  }

  // MARK: - Confusion matrices

  private func set() -> PredictionSet {
    var set = PredictionSet(isOfLines: false)
    for (label, answer, confidence) in [
      ("a", "a", 0.9), ("a", "b", 0.6), ("a", "b", 0.8), ("b", "b", 0.7), ("c", nil, 0.0),
    ] as [(String, String?, Double)] {
      set.add(
        TemporaryInk.line(4, label: label, writer: "w"), answer: answer, confidence: confidence)
    }
    return set
  }

  @Test("A matrix counts pairs, and puts the labels with the most errors first")
  func matrix() {
    let matrix = set().matrix(size: 10)
    #expect(matrix.labels.map(\.label) == ["a", "b", "c"])
    #expect(matrix.labels.map(\.count) == [3, 1, 1])
    #expect(matrix.labels.map(\.recall) == [1 / 3, 1, 0])
    #expect(matrix.records == 5 && matrix.wrong == 3 && matrix.labelCount == 3)
    #expect(matrix.errors.map { "\($0.label)\($0.answer)\($0.count)" } == ["ab2", "c1"])
    #expect(matrix.cells.reduce(0) { $0 + $1.count } == 5)
    let small = set().matrix(size: 1)
    #expect(small.labels.map(\.label) == ["a"] && small.labelCount == 3)
    #expect(small.errors.count == 2, "errors of all labels are listed")
  }

  @Test("The inks behind a cell are those of the pair, the most confident first, in parts")
  func inks() {
    let (count, inks) = set().inks(of: .init(label: "a", answer: "b"), from: 0)
    #expect(count == 2 && inks.map(\.confidence) == [0.8, 0.6])
    #expect(inks[0].strokes.first?.x == [0, 1, 2, 3] && inks[0].writer == "w")
    #expect(set().inks(of: .init(label: "a", answer: "b"), from: 1).inks.map(\.confidence) == [0.6])
    #expect(set().inks(of: .init(label: "a", answer: "b"), from: 9).inks.isEmpty)
    #expect(set().inks(of: .init(label: "z", answer: "b"), from: 0).count == 0)
  }

  @Test("For lines, the pairs are characters: replaced, missing and added ones")
  func lines() {
    var set = PredictionSet(isOfLines: true)
    set.add(TemporaryInk.line(4, label: "hello"), answer: "hallo!", confidence: 0.5)
    set.add(TemporaryInk.line(4, label: "ab"), answer: "b", confidence: .nan)
    func count(_ label: String, _ answer: String) -> Int {
      set.inks(of: .init(label: label, answer: answer), from: 0).count
    }
    #expect(count("e", "a") == 1 && count("l", "l") == 1 && count("", "!") == 1)
    #expect(count("a", "") == 1 && count("b", "b") == 1 && count("e", "e") == 0)
    #expect(set.matrix(size: 60).labels.allSatisfy { !$0.label.isEmpty })
  }

  /// Writes a file of answers, and removes it afterwards.
  private func withAnswers(
    _ answers: [(label: String, answer: String?)], _ body: (URL) throws -> Void
  ) throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-answers-\(UInt64.random(in: 0 ... .max)).jsonl")
    var lines = Data()
    for (index, each) in answers.enumerated() {
      let candidates = each.answer.map { [Prediction.Candidate(text: $0, score: log(0.5))] } ?? []
      lines += try Prediction(index: index, label: each.label, candidates: candidates).line()
    }
    try lines.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file)
  }

  @Test("Answers are joined with the inks in the order of the data, and a cancelled join ends")
  func joining() throws {
    let records = (1...6).map { TemporaryInk.line($0, label: $0 < 4 ? "a" : "b") }
    let answers = (1...6).map { ($0 < 4 ? "a" : "b", $0 == 6 ? nil : "a") }
    try TemporaryInk.with(records, extraLines: ["{"]) { data in
      try withAnswers(answers) { file in
        let all = try PredictionSet(answers: file, isOfLines: false, on: [data]) { _ in true }
        #expect(all.records.count == 6 && all.malformed == 1 && all.records[5].answer == nil)
        #expect(all.records.map(\.x.count) == [1, 2, 3, 4, 5, 6])
        #expect(abs(all.records[0].confidence - 0.5) < 1e-9)
        #expect(all.matrix(size: 5).wrong == 3)
        let some = try PredictionSet(answers: file, isOfLines: false, on: [data]) { $0 < 2 }
        #expect(some.records.count == 2)
      }
    }
  }

  @Test("Answers to other data, missing and damaged ones are refused")
  func otherData() throws {
    let records = (1...3).map { TemporaryInk.line($0, label: "a") }
    try TemporaryInk.with(records) { data in
      for answers in [["a", "a"], ["a", "a", "a", "a"], ["a", "b", "a"], []] {
        try withAnswers(answers.map { ($0, "a") }) { file in
          #expect(
            code {
              _ = try PredictionSet(answers: file, isOfLines: false, on: [data]) { _ in true }
            }
              == .conflict)
        }
      }
      try withAnswers([]) { file in
        try Data("{\n".utf8).write(to: file)
        #expect(
          code { _ = try PredictionSet(answers: file, isOfLines: false, on: [data]) { _ in true } }
            == .unusableFile)
      }
      let missing = URL(fileURLWithPath: "/nonexistent.jsonl")
      #expect(
        code { _ = try PredictionSet(answers: missing, isOfLines: false, on: [data]) { _ in true } }
          == .unusableFile)
    }
  }

  @Test("The answers of the latest report of a model and its data are found, unless one changed")
  func foundAnswers() throws {
    let place = try JobsProject()
    let store = EvaluationStore(place.project)
    func find(_ model: String, _ data: [String], since: Date = .distantPast) -> String? {
      store.answers(model: model, data: data, since: since)?.deletingLastPathComponent()
        .lastPathComponent
    }
    #expect(find("models/a.ductus", ["ink:x"]) == nil)
    for (name, model) in [("one", "models/a.ductus"), ("two", "models/b.ductus")] {
      let folder = place.path("reports/\(name)")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let summary = try EvaluationSummary(
        GlyphEvaluation(TableRecognizer(answers: [2: [("a", 0.9)]]), on: []), model: model,
        data: ["ink:x"], modelBytes: 5, peakResidentBytes: nil)
      try JSONEncoder().encode(summary).write(
        to: URL(fileURLWithPath: folder + "/evaluation.json"))
      if name == "one" { try Data().write(to: URL(fileURLWithPath: folder + "/answers.jsonl")) }
    }
    #expect(find("models/a.ductus", ["ink:x"]) == "one")
    #expect(find("models/a.ductus", ["ink:y"]) == nil)
    #expect(find("models/b.ductus", ["ink:x"]) == nil)
    #expect(find("models/a.ductus", ["ink:x"], since: Date() + 60) == nil)
  }

  @Test("A matrix is made once for a model and its data, and one that fails tells why")
  func confusions() async throws {
    let confusions = Confusions()
    func key(_ model: String) -> Confusions.Key {
      .init(model: model, bundle: "", data: ["x"], files: [])
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-confusion-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (ink, answers) = (
      folder.appendingPathComponent("ink.jsonl"), folder.appendingPathComponent("answers.jsonl")
    )
    try TemporaryInk.with([TemporaryInk.line(2, label: "a")]) { data in
      try FileManager.default.copyItem(at: URL(fileURLWithPath: data.path), to: ink)
    }
    try Prediction(index: 0, label: "a", candidates: [.init(text: "b", score: -0.5)]).line()
      .write(to: answers)
    let data = [try DataSpecification(parsing: "ink:\(ink.path)")]
    let id = await confusions.begin(key("a"), isOfLines: false, data: data) { _ in answers }
    while try await confusions.state(id, size: 9).isRunning { await Task.yield() }
    #expect(try await confusions.state(id, size: 9).matrix?.wrong == 1)
    #expect(
      await confusions.begin(key("a"), isOfLines: false, data: data) { _ in answers } == id)
    let bad = await confusions.begin(key("b"), isOfLines: false, data: data) { _ in
      throw StudioError(.failed, "the evaluation did not finish")
    }
    while try await confusions.state(bad, size: 9).isRunning { await Task.yield() }
    #expect(try await confusions.state(bad, size: 9).problem != nil)
    await #expect(throws: StudioError.self) { try await confusions.state("unknown", size: 9) }
    await #expect(throws: StudioError.self) {
      try await confusions.inks(bad, of: .init(label: "a", answer: "b"), from: 0)
    }
  }
}
