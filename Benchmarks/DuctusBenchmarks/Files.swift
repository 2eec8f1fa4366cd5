import Benchmark
import Foundation
import InkFormats
import SafeTensors

/// Weights, and UNIPEN if it is installed.
func fileBenchmarks() {
  Benchmark("safetensors, 300,000 numbers in half precision") { benchmark in
    let tensor = SafeTensors.Tensor(
      name: "weight", dataType: .float16, shape: [600, 500],
      values: (0..<300_000).map { Float($0 % 17) / 16 })
    let data = try SafeTensors(tensors: [tensor]).serialized()
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations { blackHole(try SafeTensors(bytes: data)) }
  }
  let environment = ProcessInfo.processInfo.environment
  let folder =
    environment["INK_DATASETS"]
    ?? FileManager.default.homeDirectoryForCurrentUser
    .appendingPathComponent(".cache/ink-datasets").path
  guard let reader = try? UNIPENReader(folder: folder + "/unipen", categories: ["1a"]),
    let file = reader.segmentFiles.first
  else {
    FileHandle.standardError.write(Data("no UNIPEN in \(folder): not measured\n".utf8))
    return
  }
  let one = UNIPENReader(folder: reader.folder, segmentFiles: [file])
  Benchmark("UNIPEN, one file of digits") { benchmark in
    for _ in benchmark.scaledIterations {
      for record in one { blackHole(record) }
    }
  }
}
