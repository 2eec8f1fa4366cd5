// swift-tools-version: 6.1
import PackageDescription

// A separate package, so that users of the library do not get the benchmark library in their
// dependency graph.

// The benchmarks measure what apps do not see: the target is compiled as one of the parent package,
// whose name the compiler knows by its folder.
let parent = String(
  (Context.packageDirectory.split(separator: "/").dropLast().last ?? "ductus").lowercased().map {
    $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_"
  })

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
        .product(name: "DuctusKit", package: "ductus"),
        .product(name: "InkFormats", package: "ductus"),
        .product(name: "PretrainedModels", package: "ductus"),
        .product(name: "Training", package: "ductus"),
      ],
      path: "DuctusBenchmarks",
      packageAccess: false,
      swiftSettings: [.unsafeFlags(["-package-name", parent])],
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
  ]
)
