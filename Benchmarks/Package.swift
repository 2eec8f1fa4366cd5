// swift-tools-version: 6.1
import PackageDescription

// A separate package, so that users of the library do not get the benchmark library in their
// dependency graph.

let package = Package(
  name: "ductus-benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "ductus", path: ".."),
    // No traits: building does not need jemalloc, which counts allocations.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "DuctusBenchmarks",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "InkDatasets", package: "ductus"),
        .product(name: "InkFormats", package: "ductus"),
        .product(name: "LanguageModels", package: "ductus"),
        .product(name: "PretrainedModels", package: "ductus"),
        .product(name: "Recognition", package: "ductus"),
        .product(name: "Training", package: "ductus"),
      ],
      path: "DuctusBenchmarks",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
  ]
)
