// swift-tools-version: 6.1
import PackageDescription

// Modules and walls: imports go down only. `scripts/test` enforces the walls with
// `--explicit-target-dependency-import-check error`.

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let flyingFox = Target.Dependency.product(name: "FlyingFox", package: "FlyingFox")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")

let package = Package(
  name: "ductus",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    // What an app imports to recognise.
    .library(name: "DuctusKit", targets: ["DuctusKit"]),
    // The modules one by one, for those who read formats, train or evaluate.
    .library(name: "InkCore", targets: ["InkCore"]),
    .library(name: "InkFormats", targets: ["InkFormats"]),
    .library(name: "PenInput", targets: ["PenInput"]),
    .library(name: "InkSynthesis", targets: ["InkSynthesis"]),
    .library(name: "InkDatasets", targets: ["InkDatasets"]),
    .library(name: "LinearAlgebra", targets: ["LinearAlgebra"]),
    .library(name: "Features", targets: ["Features"]),
    .library(name: "SafeTensors", targets: ["SafeTensors"]),
    .library(name: "Networks", targets: ["Networks"]),
    .library(name: "LanguageModels", targets: ["LanguageModels"]),
    .library(name: "Metrics", targets: ["Metrics"]),
    .library(name: "ModelFormat", targets: ["ModelFormat"]),
    .library(name: "Recognition", targets: ["Recognition"]),
    .library(name: "ModelStore", targets: ["ModelStore"]),
    .library(name: "ModelServer", targets: ["ModelServer"]),
    .library(name: "PretrainedModels", targets: ["PretrainedModels"]),
    .library(name: "InkEditor", targets: ["InkEditor"]),
    .library(name: "Training", targets: ["Training"]),
    .library(name: "Evaluation", targets: ["Evaluation"]),
    .library(name: "RunLog", targets: ["RunLog"]),
    .library(name: "Reports", targets: ["Reports"]),
    .library(name: "DataDoctor", targets: ["DataDoctor"]),
    .executable(name: "ductus", targets: ["DuctusTool"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-crypto", "3.0.0"..<"5.0.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .target(name: "InkCore"),
    .target(name: "InkFormats", dependencies: ["Files", "InkCore"]),
    .target(name: "PenInput", dependencies: ["InkCore"]),
    .target(name: "Files"),
    .target(
      name: "DatasetFiles", dependencies: ["Files"], path: "Datasets", exclude: ["README.md"],
      resources: [.copy("cards"), .copy("splits"), .copy("starter")]),
    .target(name: "InkSynthesis", dependencies: ["DatasetFiles", "InkCore"]),
    .target(
      name: "InkDatasets",
      dependencies: ["DatasetFiles", "InkCore", "InkFormats", "InkSynthesis", crypto]),

    .target(
      name: "CBLAS",
      linkerSettings: [
        .linkedLibrary("blas", .when(platforms: [.linux])),
        .linkedLibrary("lapack", .when(platforms: [.linux])),
        .linkedFramework(
          "Accelerate", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])),
      ]),
    .target(
      name: "CKernels",
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "LinearAlgebra", dependencies: ["CBLAS", "CKernels"]),
    .target(name: "Layout", dependencies: ["InkCore"]),
    .target(name: "Features", dependencies: ["InkCore", "Layout", "LinearAlgebra"]),
    .target(name: "StrictJSON"),
    .target(name: "SafeTensors", dependencies: ["Files", "StrictJSON"]),
    .target(name: "Networks", dependencies: ["LinearAlgebra"]),
    .target(name: "LanguageModels", dependencies: ["Files"]),
    .target(name: "Metrics"),
    .target(name: "ModelFormat", dependencies: ["Files", "StrictJSON", crypto]),
    .target(
      name: "Recognition",
      dependencies: [
        "InkCore", "Features", "LinearAlgebra", "Networks", "LanguageModels", "ModelFormat",
        "SafeTensors",
      ]),
    .target(name: "ModelStore", dependencies: ["Files", "ModelFormat", "Recognition", crypto]),
    .target(name: "ModelServer", dependencies: ["ModelStore", flyingFox]),
    .target(
      name: "PretrainedModels", dependencies: ["Files", "ModelFormat", "Recognition"],
      resources: [.copy("Models")]),

    .target(
      name: "InkEditor",
      dependencies: [
        "InkCore", "InkFormats", "Layout", "PenInput", "LanguageModels", "ModelFormat",
        "Recognition",
      ]),
    .target(
      name: "Training",
      dependencies: [
        "Files", "InkCore", "InkFormats", "InkDatasets", "InkSynthesis", "LanguageModels",
        "LinearAlgebra", "Features", "Networks", "Metrics", "ModelFormat", "Recognition",
        "SafeTensors", crypto,
      ]),
    .target(
      name: "Evaluation",
      dependencies: [
        "Files", "InkCore", "InkEditor", "InkFormats", "InkDatasets", "InkSynthesis",
        "LanguageModels", "Metrics", "Recognition", histogram,
      ]),
    .target(
      name: "RunLog", dependencies: ["ModelFormat", "Training", grdb]),
    .target(
      name: "Reports",
      dependencies: [
        "Evaluation", "InkCore", "InkDatasets", "InkFormats", "Metrics", "Recognition", histogram,
        mustache,
      ]),
    .target(
      name: "DataDoctor",
      dependencies: [
        "Evaluation", "Features", "InkCore", "InkDatasets", "Metrics", "Recognition", "Training",
      ]),
    .target(
      name: "DuctusKit",
      dependencies: [
        "InkCore", "InkEditor", "InkFormats", "LanguageModels", "ModelFormat", "ModelStore",
        "PenInput", "Recognition",
      ]),
    .executableTarget(
      name: "DuctusTool",
      dependencies: [
        "CBLAS", "Files", "InkCore", "InkFormats", "InkDatasets", "LinearAlgebra", "Features",
        "Networks",
        "LanguageModels", "Metrics", "ModelFormat", "ModelServer", "ModelStore", "PretrainedModels",
        "SafeTensors",
        "Recognition", "Training", "Evaluation", "InkEditor", "RunLog", "Reports", "DataDoctor",
        argumentParser, histogram, logging,
      ],
      plugins: ["SourceRevision"]),
    .plugin(name: "SourceRevision", capability: .buildTool()),

    .testTarget(name: "FilesTests", dependencies: ["Files"]),
    .testTarget(name: "InkCoreTests", dependencies: ["InkCore"]),
    .testTarget(name: "InkFormatsTests", dependencies: ["InkCore", "InkFormats"]),
    .testTarget(
      name: "InkDatasetsTests",
      dependencies: [
        "Features", "InkCore", "InkFormats", "InkDatasets", "InkSynthesis", crypto,
      ]),
    .testTarget(name: "SafeTensorsTests", dependencies: ["InkCore", "SafeTensors"]),
    .testTarget(name: "PenInputTests", dependencies: ["InkCore", "PenInput"]),
    .testTarget(name: "LanguageModelsTests", dependencies: ["LanguageModels"]),
    .testTarget(name: "MetricsTests", dependencies: ["InkCore", "Metrics"]),
    .testTarget(
      name: "ModelFormatTests", dependencies: ["ModelFormat"], exclude: ["Fixtures"]),
    .testTarget(name: "CKernelsTests", dependencies: ["CKernels", "InkCore"]),
    .testTarget(name: "LinearAlgebraTests", dependencies: ["InkCore", "LinearAlgebra"]),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .testTarget(
      name: "FeaturesTests",
      dependencies: ["AllocationCounter", "Features", "InkCore", "LinearAlgebra", "Networks"]),
    .testTarget(
      name: "NetworksTests",
      dependencies: ["CKernels", "InkCore", "LinearAlgebra", "Networks", "Training"]),
    .testTarget(
      name: "TrainingTests",
      dependencies: [
        "AllocationCounter", "Features", "Files", "InkCore", "InkDatasets", "InkFormats",
        "LanguageModels", "LinearAlgebra", "Metrics", "Networks", "Recognition", "SafeTensors",
        "Training",
      ]),
    .testTarget(
      name: "RecognitionTests",
      dependencies: [
        "InkCore", "LanguageModels", "LinearAlgebra", "Features", "Networks", "ModelFormat",
        "Recognition", "SafeTensors",
        "DuctusKit",
      ]),
    .testTarget(
      name: "ModelStoreTests",
      dependencies: [
        "InkCore", "LinearAlgebra", "Features", "Networks", "ModelFormat", "ModelStore",
        "ModelServer", "Recognition",
      ]),
    .testTarget(
      name: "PretrainedModelsTests",
      dependencies: [
        "DuctusKit", "Evaluation", "InkCore", "InkDatasets", "InkEditor", "LanguageModels",
        "Metrics", "ModelFormat", "PretrainedModels", "Recognition", "Training",
      ]),
    .testTarget(name: "DuctusKitTests", dependencies: ["DuctusKit"]),
    .testTarget(
      name: "InkEditorTests",
      dependencies: [
        "InkCore", "InkEditor", "InkFormats", "InkDatasets", "ModelFormat", "PenInput",
        "Recognition",
        "Training",
      ],
      exclude: ["jiix-3.schema.json"]),
    .target(
      name: "TestSamples",
      dependencies: [
        "Features", "InkCore", "InkDatasets", "InkFormats", "LinearAlgebra", "Networks",
        "Recognition", "Training",
      ],
      path: "Tests/TestSamples"),
    .testTarget(
      name: "EvaluationTests",
      dependencies: [
        "Evaluation", "InkCore", "InkDatasets", "InkEditor", "InkFormats", "Recognition", "Reports",
        "TestSamples",
      ]),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "Evaluation", "InkCore", "InkDatasets", "InkFormats", "Metrics", "TestSamples",
        "Recognition", "Reports",
      ]),
    .testTarget(name: "RunLogTests", dependencies: ["RunLog", "Training", grdb]),
    .testTarget(
      name: "DataDoctorTests",
      dependencies: [
        "DataDoctor", "Evaluation", "InkCore", "InkDatasets", "InkFormats", "TestSamples",
        "Recognition",
      ]),
    .testTarget(
      name: "DuctusToolTests",
      dependencies: [
        "DuctusTool", "Evaluation", "InkCore", "InkFormats", "InkDatasets", "RunLog",
        "LinearAlgebra",
        "ModelFormat", "Training",
        argumentParser,
      ]),
  ]
)
