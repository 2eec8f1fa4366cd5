import Foundation
import RunLog

/// A temporary folder for a log.
final class LogFolder {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("ductus-run-log-\(UUID().uuidString)")

  /// The log's file, in a folder that is not there yet.
  var log: URL { url.appendingPathComponent("deep/runs.sqlite") }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// Made-up runs for tests of the log.
enum RunSamples {
  /// Settings of a training, of several types and depths.
  private struct Settings: Encodable {
    struct Layers: Encodable {
      var hidden = [64, 64, 64]
      var dropout = 0.2
    }

    var seed: UInt64
    var epochs: Int
    var peakRate = 0.004
    var layers = Layers()
  }

  static func run(
    output: String = "/models/a.ductus", seed: UInt64 = 1, epochs: Int = 3, data: String = "d",
    kind: RunKind = .lines
  ) throws -> RunRecord {
    return try RunRecord(
      kind, output: URL(fileURLWithPath: output), command: "ductus train lines",
      settings: Settings(seed: seed, epochs: epochs), epochs: epochs,
      data: (["ink:\(data).jsonl"], []), hashes: (data, "v"), workers: 2, blas: "BLAS",
      version: "1")
  }

  static func record(_ number: Int, cer: Double) -> RunEpoch.Figures {
    RunEpoch.Figures(
      epoch: number, trainingLoss: 0.5, validationAccuracy: 1 - cer, validationLoss: 0.25,
      rate: 0.001)
  }

  static func epoch(_ number: Int, cer: Double, seconds: Double? = 1) -> RunEpoch {
    RunEpoch(figures: record(number, cer: cer), seconds: seconds)
  }

  /// A run with epochs whose character error rates are these.
  static func logged(_ run: RunRecord, cer: [Double]) -> LoggedRun {
    LoggedRun(run: run, epochs: cer.indices.map { epoch($0, cer: cer[$0]) })
  }

  /// The identity of an ended process whose number now belongs to this process.
  static var endedProcess: String {
    var parts = ProcessIdentity.own.split(separator: " ").map(String.init)
    if parts.count == 3 { parts[1] += "0" } else { parts[0] = "\(Int32.max)" }
    return parts.joined(separator: " ")
  }
}
