import Evaluation
import Foundation
import InkCore
import InkDatasets
import InkFormats

/// The time from starting the tool to its first result: the first answer of `recognize`, and the
/// first gradient of `train lines`. Both run the tool in a separate process.
final class BenchStart {
  private let folder: URL
  private let ink: String
  private let model: String
  private var start: [Double] = []
  private var opening: [Double] = []
  private var reading: [Double] = []
  private var answer: [Double] = []

  /// Starts the reader once without measuring it, so that its files are in memory.
  ///
  /// - Parameter model: The model, by path or name.
  /// - Throws: ``ToolError`` if the tool fails, or Foundation's error if it cannot be started.
  init(model: String) throws {
    self.model = model
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    ink = folder.appendingPathComponent("word.jsonl").path
    let word = try DataSpecification(parsing: "starter:words?split=all&limit=1")
    let writer = try InkJSONLinesWriter(path: ink)
    for record in try word.records() { try writer.write(record.get().labeled) }
    try writer.finish()
    try measure()
    (start, opening, reading, answer) = ([], [], [], [])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Starts the tool and waits for its answer.
  func measure() throws {
    let run = try Run(["recognize", "--model", model, ink]).finished()
    let begun = try run.milliseconds(of: .begun)
    let opened = try run.milliseconds(of: .opened)
    let answered = try run.milliseconds(of: .answered)
    start.append(begun)
    opening.append(opened - begun)
    reading.append(answered - opened)
    answer.append(answered)
  }

  /// Starts training, and stops it after the first step.
  ///
  /// - Returns: The training data, and the seconds until the first gradient.
  func firstGradient() throws -> (data: [String], seconds: Double) {
    let data = Self.trainingData
    // A stopped run leaves its state next to its output.
    let output = folder.appendingPathComponent("lines-\(UUID().uuidString).ductus").path
    let names = zip(["--data", "--validation"], data).flatMap { [$0, $1] }
    let run = try Run(
      ["train", "lines", "--preset", "small", "--epochs", "1", "--no-log", "--output", output]
        + names
    ).stopped(after: .answered)
    return (data, try run.milliseconds(of: .answered) / 1000)
  }

  /// IAM-OnDB if it is installed, training and validation part; otherwise the starter set.
  private static var trainingData: [String] {
    let path = DataSpecification.locate("iam-ondb")
    return FileManager.default.fileExists(atPath: path)
      ? ["iam-ondb:iam-ondb?split=train", "iam-ondb:iam-ondb?split=val1"]
      : ["starter:words?count=1000&split=train", "starter:words?count=1000&split=val"]
  }

  /// The figures of reading, and of training if it was measured.
  func report(training: [(data: [String], seconds: Double)]) -> BenchReport.Start {
    BenchReport.Start(
      model: model, milliseconds: Spread(answer), process: Spread(start),
      opening: Spread(opening), reading: Spread(reading),
      training: training.first.map { first in
        BenchReport.TrainingStart(data: first.data, seconds: Spread(training.map(\.seconds)))
      })
  }

  /// One start of the tool.
  private final class Run {
    private let process = Process()
    private let errors = Pipe()
    private let arguments: [String]
    private let started: UInt64
    private var text = ""

    init(_ arguments: [String]) throws {
      self.arguments = arguments
      process.executableURL =
        Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(
        [StartMark.variable: "1"]
      ) { $1 }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = errors
      started = StartMark.now
      try process.run()
    }

    /// Waits for the end of the command.
    func finished() throws -> Run {
      text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw ToolError.failedStart(arguments, text) }
      return self
    }

    /// Waits for a mark, then stops the command.
    func stopped(after mark: StartMark) throws -> Run {
      while StartMark.parsed(text)[mark] == nil {
        let bytes = errors.fileHandleForReading.availableData
        guard !bytes.isEmpty else { throw ToolError.failedStart(arguments, text) }
        text += String(decoding: bytes, as: UTF8.self)
      }
      process.terminate()
      // Read the remaining output, so that it does not fill the pipe.
      _ = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return self
    }

    /// The time from the start to a mark.
    func milliseconds(of mark: StartMark) throws -> Double {
      guard let time = StartMark.parsed(text)[mark], time >= started else {
        throw ToolError.failedStart(arguments, text)
      }
      return Double(time - started) / 1e6
    }
  }
}

extension ToolError {
  /// The error if the tool was started for a measurement and failed.
  fileprivate static func failedStart(_ arguments: [String], _ errors: String) -> ToolError {
    .failed(
      "ductus \(arguments.joined(separator: " ")): did not reach its first result: "
        + (errors.isEmpty ? "it ended early" : errors))
  }
}
