// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that nothing a user of the library resolves has the benchmark library
// in its graph.

let package = Package(
  name: "ductus-benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "ductus", path: ".."),
    // No traits: jemalloc, for counting allocations, is not needed to build this.
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
