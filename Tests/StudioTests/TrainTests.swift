import Foundation
import InkCore
import InkDatasets
import InkFormats
import ModelFormat
import Studio
import Testing

@Suite("Starting trainings from a page") struct TrainTests {
  private func place(models: [String] = []) throws -> JobsProject {
    let place = try JobsProject(models: models)
    try FileManager.default.createDirectory(
      atPath: place.path("collect"), withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: place.path("collect/mine.jsonl")))
    return place
  }

  private func request(_ json: String) throws -> TrainingRequest {
    try JSONDecoder().decode(TrainingRequest.self, from: Data(json.utf8))
  }

  private func request(
    name: String = "mine", data: String = "ink:collect/mine.jsonl", preset: String = "quick",
    more: String = ""
  ) throws -> TrainingRequest {
    func quoted(_ text: String) throws -> String {
      String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }
    return try request(
      """
      {"data": [\(try quoted(data))], "kind": "glyphs", "preset": \(try quoted(preset)),
       "name": \(try quoted(name)) \(more)}
      """)
  }

  @Test("A request becomes the arguments of 'ductus train', each option one argument")
  func arguments() throws {
    let place = try place()
    let job = try request(more: #", "inks": 100, "seed": 7"#).job(in: place.context, rates: [:])
    #expect(
      job.arguments == [
        "train", "glyphs", "--data=ink:collect/mine.jsonl", "--output=models/mine.ductus",
        "--preset=small", "--epochs=60", "--batch-size=16", "--seed=7", "--watch={watch}",
      ])
    #expect(job.output == "models/mine.ductus" && job.kind == .train)
  }

  @Test(
    "Names that are options, paths or hidden are refused",
    arguments: [
      "--workers=99", "-x", "../mine", "a/b", "", " ", ".hidden", "a\u{0}b", "a\nb",
      String(repeating: "a", count: 101), "\u{202E}enim", "..", "-.ductus", ".ductus",
    ])
  func names(_ name: String) throws {
    let place = try place()
    let request = try self.request(name: name)
    #expect(code { _ = try request.job(in: place.context, rates: [:]) } == .invalidValue)
  }

  @Test("A name may end like the file of a model, which is not doubled")
  func suffix() throws {
    let place = try place()
    let job = try request(name: "mine.ductus").job(in: place.context, rates: [:])
    #expect(job.output == "models/mine.ductus" && job.title == "mine")
  }

  @Test(
    "Data outside of the project and texts that are no data are refused",
    arguments: [
      "ink:/etc/passwd", "ink:../other.jsonl", "ink:collect/../../x", "--output=x", "-x", "",
      "nonsense:x", "ink:~/x.jsonl", "ink:.studio/token", "ink:collect/mine.jsonl?texts=../x.tsv",
      "ink:collect/mine.jsonl?splits=/etc/passwd", "ink:a\u{0}b",
      "ink:" + String(repeating: "a", count: 3000),
    ])
  func data(_ data: String) throws {
    let place = try place()
    let request = try self.request(data: data)
    let found = code { _ = try request.job(in: place.context, rates: [:]) }
    #expect(found == .invalidValue || found == .forbidden)
  }

  @Test("A link that leads out of the project is no data, and no place for a model")
  func links() throws {
    let place = try place()
    try FileManager.default.createSymbolicLink(
      atPath: place.path("collect/link.jsonl"), withDestinationPath: "/etc/passwd")
    let linked = try request(data: "ink:collect/link.jsonl")
    #expect(code { _ = try linked.job(in: place.context, rates: [:]) } == .forbidden)
    try FileManager.default.createDirectory(
      atPath: place.path("models"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: place.path("models/out.ductus"), withDestinationPath: "/tmp/elsewhere")
    let output = try request(name: "out")
    #expect(code { _ = try output.job(in: place.context, rates: [:]) } == .forbidden)
  }

  @Test("An unknown preset or kind, and numbers out of range, are refused")
  func values() throws {
    let place = try place()
    for text in ["huge", "--epochs=1", ""] {
      #expect(code { _ = try self.request(preset: text) } == .invalidValue)
    }
    for more in [
      #", "epochs": 0"#, #", "epochs": 10001"#, #", "inks": -1"#, #", "from": "mine""#,
    ] {
      let request = try self.request(more: more)
      #expect(
        code { _ = try request.job(in: place.context, rates: [:]) } == .invalidValue, "\(more)")
    }
    #expect(code { _ = try self.request(more: #", "epochs": 1.5"#) } == .invalidValue)
    #expect(code { _ = try self.request(more: #", "seed": -1"#) } == .invalidValue)
    #expect(code { _ = try self.request(#"{"data": "ink:x", "kind": "glyphs"}"#) } == .invalidValue)
    let many = String(repeating: #""ink:collect/mine.jsonl","#, count: 17).dropLast()
    let request = try self.request(
      #"{"data": [\#(many)], "kind": "glyphs", "preset": "good", "name": "x"}"#)
    #expect(code { _ = try request.job(in: place.context, rates: [:]) } == .invalidValue)
  }

  @Test("A model or an unfinished training of the same name is kept unless the page decides")
  func existing() throws {
    let place = try place(models: ["mine"])
    let keep = try request()
    #expect(code { _ = try keep.job(in: place.context, rates: [:]) } == .conflict)
    let replace = try request(more: #", "existing": "replace""#)
    #expect(try !replace.job(in: place.context, rates: [:]).arguments.contains("--restart"))
    try FileManager.default.createDirectory(
      atPath: place.path("models/new.ductus.training"), withIntermediateDirectories: true)
    let new = try request(name: "new")
    #expect(code { _ = try new.job(in: place.context, rates: [:]) } == .conflict)
    for (text, option) in [("replace", "--restart"), ("resume", "--resume")] {
      let decided = try request(name: "new", more: #", "existing": "\#(text)""#)
      #expect(try decided.job(in: place.context, rates: [:]).arguments.last == option)
    }
  }

  @Test("Lines start from a model of the studio, by the path of its bundle")
  func start() throws {
    let place = try place(models: ["lines-own"])
    func lines(_ from: String) throws -> TrainingRequest {
      try request(
        #"""
        {"data": ["ink:collect/mine.jsonl"], "kind": "lines", "preset": "good", "name": "x",
         "from": "\#(from)"}
        """#)
    }
    let arguments = try lines("lines-own").job(in: place.context, rates: [:]).arguments
    #expect(arguments.contains("--from=models/lines-own.ductus"))
    #expect(arguments.contains("--preset=base") && arguments.contains("--epochs=20"))
    for name in ["exec:true", "../x", "--x", "unknown", "/tmp/x.ductus"] {
      let request = try lines(name)
      #expect(code { _ = try request.job(in: place.context, rates: [:]) } == .notFound)
    }
  }

  @Test("Data of the command line is named by its whole path, because jobs run in the project")
  func allowed() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-allowed-\(UInt64.random(in: 0 ... .max)).jsonl")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let text = "ink:\(file.path)"
    let place = try JobsProject(allowed: [text])
    let arguments = JobArguments(place.context)
    #expect(try arguments.data([text + "?split=test"], field: "data") == [text + "?split=test"])
    #expect(code { _ = try arguments.data([text + "x"], field: "data") } == .forbidden)
  }

  // MARK: - The plan

  private func write(
    _ place: JobsProject, inks: Int, labels: Int, writers: Int, text: (Int) -> String = { "l\($0)" }
  ) throws -> DataSpecification {
    let file = place.path("plan.jsonl")
    let writer = try InkJSONLinesWriter(path: file)
    for index in 0..<inks {
      let points = (0..<5).map { StrokePoint(x: Double($0), y: Double(index)) }
      try writer.write(
        LabeledInk(
          ink: Ink(strokes: [Stroke(points: points)]), label: text(index % labels),
          writer: writers > 0 ? "w\(index % writers)" : nil))
    }
    try writer.finish()
    return try DataSpecification(parsing: "ink:\(file)")
  }

  private func plan(_ data: DataSpecification, kind: TrainedKind? = nil) throws -> TrainingPlan {
    try TrainingPlan([data], hasValidation: false, kind: kind, isStarted: true) { _ in [:] }
  }

  @Test("A newcomer's twenty symbols, five inks each by one writer, are split by ink and quick")
  func newcomer() throws {
    let place = try place()
    let plan = try plan(write(place, inks: 100, labels: 20, writers: 1))
    #expect(plan.inks == 100 && plan.labels == 20 && plan.writers == 1 && plan.thinLabels == 0)
    #expect(plan.split == .inks && plan.suggestedKind == .glyphs && !plan.isPartial)
    #expect(plan.choices.map(\.preset) == [.quick, .good, .best])
    for choice in plan.choices {
      #expect(choice.settings.batchSize == 16 && choice.settings.seconds < 120)
    }
  }

  @Test(
    "The split depends on the number of named writers",
    arguments: [
      (0, TrainingPlan.Split.inks), (2, .inks), (3, .fewWriters), (9, .fewWriters), (10, .writers),
    ])
  func split(writers: Int, expected: TrainingPlan.Split) throws {
    let place = try place()
    let data = try write(place, inks: 60, labels: 3, writers: writers)
    #expect(try plan(data).split == expected)
    #expect(try plan(data.withSplit(.train)).split == .named)
  }

  @Test("Many different long labels suggest lines; labels with few inks are counted")
  func kinds() throws {
    let place = try place()
    let lines = try write(place, inks: 40, labels: 40, writers: 4) { "a line of text \($0)" }
    #expect(try plan(lines).suggestedKind == .lines)
    let thin = try write(place, inks: 12, labels: 4, writers: 1)
    #expect(try plan(thin).thinLabels == 4)
    let choices = try plan(thin, kind: .lines).choices
    #expect(choices.allSatisfy { $0.settings.network == "base" && $0.settings.batchSize == nil })
  }

  @Test("A quick look at much data has few passes, and a measured rate changes the time")
  func amounts() {
    let much = TrainingSettings(.quick, .glyphs, inks: 1_000_000, isStarted: false)
    #expect(much.epochs == 3 && much.batchSize == nil && much.network == "small")
    let slow = TrainingSettings(
      .good, .glyphs, inks: 10_000, isStarted: false, rates: ["standard ": 10])
    let fast = TrainingSettings(
      .good, .glyphs, inks: 10_000, isStarted: false,
      rates: ["standard ": 10_000, "standard 16": 1])
    #expect(slow.seconds > 100 * fast.seconds && slow.epochs == fast.epochs)
    #expect(TrainingSettings(.best, .glyphs, inks: 10_000, isStarted: false).network == "large")
  }
}
