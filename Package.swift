// swift-tools-version: 6.1
import PackageDescription

// Modules and walls: imports go down only. `scripts/test` enforces the walls with
// `--explicit-target-dependency-import-check error`.

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let flyingFox = Target.Dependency.product(name: "FlyingFox", package: "FlyingFox")
let flyingSocks = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")

let package = Package(
  name: "ductus",
  platforms: [.macOS(.v14), .iOS(.v17)],
  // Others may import these. The declarations of all other modules have `package` access, except
  // those that a signature of these modules shows.
  products: [
    // The module that an app imports for recognition and for the editor.
    .library(name: "DuctusKit", targets: ["DuctusKit"]),
    .library(name: "PretrainedModels", targets: ["PretrainedModels"]),
    .library(name: "EditorStorage", targets: ["EditorStorage"]),
    // Files of documents for other programs: PDF, docx, pictures and so on.
    .library(name: "Exports", targets: ["Exports"]),
    .library(name: "InkFormats", targets: ["InkFormats"]),
    .library(name: "InkSearch", targets: ["InkSearch"]),
    .library(name: "IntensityText", targets: ["IntensityText"]),
    .library(name: "Training", targets: ["Training"]),
    .library(name: "Evaluation", targets: ["Evaluation"]),
    // The functions of ductus.h, for programs in other languages.
    .library(name: "CInterface", targets: ["CInterface"]),
    .executable(name: "ductus", targets: ["DuctusTool"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-crypto", "3.0.0"..<"5.0.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .target(name: "InkCore", exclude: ["Scripts/UNICODE-LICENSE.txt"]),
    .target(name: "InkFormats", dependencies: ["Files", "InkCore", "Layout"]),
    .target(name: "PenInput", dependencies: ["InkCore"]),
    .target(
      name: "IntensityText", dependencies: ["Files"], exclude: ["Borders/UNICODE-LICENSE.txt"]),
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "CZstd"),
    .target(name: "Files", dependencies: ["CZlib", "CZstd"]),
    .target(
      name: "DatasetFiles", dependencies: ["Files"], path: "Datasets",
      exclude: ["README.md", "sketches"],
      resources: [.copy("cards"), .copy("splits"), .copy("starter"), .copy("languages")]),
    .target(name: "InkSynthesis", dependencies: ["DatasetFiles", "InkCore", "Layout"]),
    .target(
      name: "InkDatasets",
      dependencies: [
        "DatasetFiles", "Downloads", "Files", "InkCore", "InkFormats", "InkSynthesis", "Layout",
        crypto,
      ]),

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
    .target(name: "Downloads", dependencies: ["Files", crypto]),
    .target(name: "EventFiles", dependencies: ["Files"]),
    .target(name: "SafeTensors", dependencies: ["Files"]),
    .target(name: "Networks", dependencies: ["LinearAlgebra"]),
    .target(name: "LanguageModels", dependencies: ["Files", "InkCore"]),
    .target(name: "Metrics"),
    .target(name: "ModelFormat", dependencies: ["Files", crypto]),
    .target(name: "Formulas", dependencies: ["Files", "InkCore"]),
    .target(
      name: "Recognition",
      dependencies: [
        "InkCore", "InkFormats", "Features", "Formulas", "Layout", "LinearAlgebra", "Networks",
        "LanguageModels",
        "Files", "ModelFormat", "SafeTensors",
      ]),
    .target(
      name: "ModelStore", dependencies: ["Downloads", "Files", "ModelFormat", "Recognition"]),
    .target(
      name: "OnnxFormat",
      dependencies: [
        "Features", "Files", "InkCore", "LinearAlgebra", "ModelFormat", "Networks", "Recognition",
        "SafeTensors",
      ]),
    .target(name: "ExternalModels", dependencies: ["Files", "InkCore", "Recognition"]),
    .target(
      name: "InstalledModels",
      dependencies: ["ModelFormat", "ModelStore", "PretrainedModels", "Recognition"]),
    .target(name: "WebServer", dependencies: [flyingFox, flyingSocks]),
    .target(name: "ModelServer", dependencies: ["ModelStore", "WebServer", flyingFox]),
    .target(
      name: "PretrainedModels", dependencies: ["Files", "ModelFormat", "Recognition"],
      resources: [.copy("Models")]),

    .target(name: "Typesetting"),
    .target(name: "CHarfBuzz"),
    .target(name: "SystemFonts", dependencies: ["CHarfBuzz", "Typesetting"]),
    .target(
      name: "InkEditor",
      dependencies: [
        "Files", "Formulas", "InkCore", "InkFormats", "IntensityText", "Layout", "PenInput",
        "LanguageModels",
        "ModelFormat", "Recognition", "Typesetting",
      ]),
    .target(
      name: "InkSearch", dependencies: ["Files", "InkCore", "InkFormats", "Recognition", grdb]),
    .target(
      name: "Training",
      dependencies: [
        "DatasetFiles", "Files", "InkCore", "InkFormats", "InkDatasets", "InkSynthesis",
        "LanguageModels", "Layout",
        "LinearAlgebra", "Features", "Networks", "Metrics", "ModelFormat", "Recognition",
        "SafeTensors", crypto,
      ]),
    .target(
      name: "FormulaTraining",
      dependencies: [
        "DatasetFiles", "Files", "Formulas", "InkCore", "InkDatasets", "InkSynthesis",
        "ModelFormat", "Recognition", "SafeTensors", "Training",
      ]),
    .target(name: "CMPI"),
    .target(name: "Distributed", dependencies: ["CMPI", "Files", "Training"]),
    .target(
      name: "Evaluation",
      dependencies: [
        "Files", "InkCore", "InkEditor", "InkFormats", "InkDatasets", "InkSynthesis",
        "LanguageModels", "Layout", "Metrics", "ModelFormat", "Recognition", histogram,
      ]),
    .target(name: "CCairo"),
    .target(
      name: "Exports",
      dependencies: [
        "CCairo", "Files", "Formulas", "InkCore", "InkEditor", "InkFormats", "Recognition",
        "Typesetting",
      ]),
    .target(name: "RunLog", dependencies: ["ModelFormat", grdb]),
    .target(
      name: "EditorStorage",
      dependencies: ["Files", "InkCore", "InkEditor", "Recognition", "Typesetting", grdb]),
    .target(
      name: "Reports",
      dependencies: [
        "Evaluation", "Files", "InkCore", "InkDatasets", "InkFormats", "Layout", "Metrics",
        "Recognition", histogram, mustache,
      ]),
    .target(
      name: "DataDoctor",
      dependencies: [
        "Evaluation", "Features", "InkCore", "InkDatasets", "InkFormats", "Metrics", "Recognition",
        "Training",
      ]),
    .target(
      name: "DuctusKit",
      dependencies: [
        "InkCore", "InkEditor", "InkFormats", "IntensityText", "LanguageModels", "ModelFormat",
        "ModelStore", "PenInput", "Recognition", "SystemFonts", "Typesetting",
      ]),
    .target(name: "CDuctus"),
    .target(
      name: "CInterface",
      dependencies: [
        "CDuctus", "DuctusKit", "Exports", "Files", "InkCore", "InkFormats", "InstalledModels",
        "ModelFormat", "Recognition",
      ]),
    .target(
      name: "WebAPI", dependencies: ["Exports", "Files", "Recognition", "WebServer", flyingFox],
      resources: [.copy("Pages")]),
    .target(
      name: "Studio",
      dependencies: [
        "DataDoctor", "EditorStorage", "Evaluation", "Exports", "Files", "InkCore", "InkDatasets",
        "InkEditor", "InkFormats", "InkSearch", "InkSynthesis", "IntensityText", "Metrics",
        "ModelFormat", "ModelStore", "PenInput",
        "Recognition", "RunLog", "WebAPI", "WebServer", flyingFox,
      ],
      resources: [.copy("Web")]),
    .executableTarget(
      name: "DuctusTool",
      dependencies: [
        "CBLAS", "Distributed", "Downloads", "EventFiles", "ExternalModels", "Files",
        "FormulaTraining", "Formulas", "InkCore",
        "InkFormats", "InkDatasets", "IntensityText",
        "LinearAlgebra", "Features", "InstalledModels", "Networks",
        "LanguageModels", "Metrics", "ModelFormat", "ModelServer", "ModelStore", "PretrainedModels",
        "OnnxFormat", "SafeTensors",
        "Recognition", "Training", "Evaluation", "EditorStorage", "Exports", "InkEditor",
        "InkSearch", "RunLog",
        "Reports", "DataDoctor",
        "Studio", "SystemFonts", "WebAPI", "WebServer", argumentParser, histogram, logging,
      ],
      plugins: ["SourceRevision"]),
    .plugin(name: "SourceRevision", capability: .buildTool()),

    // Small programs that show the library; scripts/test builds and runs them. They see what an app
    // sees: the public declarations alone.
    .executableTarget(
      name: "RecognizeInApp", dependencies: ["DuctusKit", "PretrainedModels"],
      path: "Examples/RecognizeInApp", packageAccess: false),
    .executableTarget(
      name: "TrainFromSwift",
      dependencies: ["Evaluation", "InkCore", "InkDatasets", "Recognition", "Training"],
      path: "Examples/TrainFromSwift", packageAccess: false),
    .executableTarget(
      name: "EditorWithoutUI", dependencies: ["DuctusKit", "InkFormats", "PretrainedModels"],
      path: "Examples/EditorWithoutUI", packageAccess: false),
    .executableTarget(
      name: "DocumentOnDisk",
      dependencies: ["DuctusKit", "EditorStorage", "InkFormats", "PretrainedModels"],
      path: "Examples/DocumentOnDisk", packageAccess: false),
    .executableTarget(
      name: "OwnFormat",
      dependencies: ["InkCore", "InkFormats", "PretrainedModels", "Recognition"],
      path: "Examples/OwnFormat", packageAccess: false),
    .executableTarget(
      name: "ReplaceWord", dependencies: ["DuctusKit", "InkFormats", "PretrainedModels"],
      path: "Examples/ReplaceWord", packageAccess: false),

    .executableTarget(
      name: "IntensityMessages", dependencies: ["DuctusKit"], path: "Examples/IntensityMessages",
      packageAccess: false),
    .executableTarget(
      name: "Painter", dependencies: ["DuctusKit"], path: "Examples/Painter", packageAccess: false),

    // Measures the library itself; Benchmarks/README.md has its command.
    .executableTarget(
      name: "ProgramBenchmarks",
      dependencies: [
        "EditorStorage", "Evaluation", "Files", "InkCore", "InkDatasets", "InkEditor",
        "IntensityText", "LinearAlgebra", "ModelFormat", "ModelServer", "ModelStore", "Networks",
        "PretrainedModels", "Recognition", "Training", argumentParser,
      ],
      path: "Benchmarks/Program"),

    // Trains the model of stroke kinds; docs/StrokeKinds.md has its command.
    .executableTarget(
      name: "KindTraining",
      dependencies: ["DatasetFiles", "InkCore", "InkFormats", "InkSynthesis", "Layout"],
      path: "Tools/KindTraining"),

    .testTarget(name: "FilesTests", dependencies: ["Files"], exclude: ["Zip"]),
    .testTarget(name: "LayoutTests", dependencies: ["InkCore", "Layout"]),
    .testTarget(name: "InkCoreTests", dependencies: ["InkCore"]),
    .testTarget(
      name: "InkFormatsTests", dependencies: ["InkCore", "InkFormats", "Layout"],
      exclude: ["Cases"]),
    .testTarget(
      name: "InkDatasetsTests",
      dependencies: [
        "Downloads", "FaultServer", "Features", "InkCore", "InkFormats", "InkDatasets",
        "InkSynthesis", "Layout", crypto,
      ]),
    .testTarget(name: "SafeTensorsTests", dependencies: ["InkCore", "SafeTensors"]),
    .testTarget(name: "PenInputTests", dependencies: ["InkCore", "PenInput"]),
    .testTarget(
      name: "IntensityTextTests", dependencies: ["IntensityText"], exclude: ["Cases"]),
    .testTarget(name: "LanguageModelsTests", dependencies: ["Files", "LanguageModels"]),
    .testTarget(name: "MetricsTests", dependencies: ["InkCore", "Metrics"]),
    .testTarget(
      name: "ModelFormatTests", dependencies: ["Files", "ModelFormat"], exclude: ["Fixtures"]),
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
        "Features", "Files", "InkCore", "LanguageModels", "LinearAlgebra", "ModelFormat",
        "Networks", "Recognition", "SafeTensors",
      ]),
    .testTarget(
      name: "ExternalModelsTests",
      dependencies: ["Evaluation", "ExternalModels", "InkCore", "InkDatasets", "Recognition"],
      exclude: ["stand-in.py"]),
    .testTarget(
      name: "OnnxFormatTests",
      dependencies: [
        "Features", "InkCore", "LinearAlgebra", "ModelFormat", "Networks", "OnnxFormat",
        "PretrainedModels", "Recognition", "SafeTensors",
      ]),
    .testTarget(name: "EventFilesTests", dependencies: ["EventFiles", "Files"]),
    .testTarget(name: "ExchangeTests", dependencies: ["InkCore", "Recognition"]),
    .testTarget(
      name: "ModelStoreTests",
      dependencies: [
        "FaultServer", "InkCore", "LinearAlgebra", "Features", "Networks",
        "ModelFormat", "ModelStore",
        "ModelServer", "Recognition",
      ]),
    .testTarget(
      name: "PretrainedModelsTests",
      dependencies: [
        "DuctusKit", "Evaluation", "InkCore", "InkDatasets", "InkEditor", "InkFormats",
        "LanguageModels", "LinearAlgebra", "Metrics", "ModelFormat", "PretrainedModels",
        "Recognition", "Training",
      ]),
    .testTarget(name: "DuctusKitTests", dependencies: ["DuctusKit"]),
    // The examples of the documents, which see what an app sees.
    .testTarget(
      name: "DocsTests",
      dependencies: [
        "DuctusKit", "EditorStorage", "Evaluation", "Exports", "InkCore", "InkDatasets",
        "InkFormats", "InkSearch", "PretrainedModels", "Training",
      ],
      packageAccess: false),
    .testTarget(
      name: "FormulasTests",
      dependencies: [
        "FormulaTraining", "Formulas", "InkCore", "ModelFormat", "PretrainedModels", "Recognition",
        "Training",
      ]),
    .testTarget(name: "TypesettingTests", dependencies: ["SystemFonts", "Typesetting"]),
    .testTarget(
      name: "InkEditorTests",
      dependencies: [
        "InkCore", "InkEditor", "InkFormats", "IntensityText", "LanguageModels", "ModelFormat",
        "PenInput", "Recognition", "TestSamples", "Typesetting",
      ],
      exclude: ["jiix-3.schema.json"]),
    .target(name: "FaultServer", path: "Tests/FaultServer"),
    .testTarget(
      name: "DownloadsTests", dependencies: ["Downloads", "FaultServer", crypto]),
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
        "Evaluation", "InkCore", "InkDatasets", "InkEditor", "InkFormats", "Layout", "Metrics",
        "Recognition", "Reports", "TestSamples",
      ]),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "Evaluation", "InkCore", "InkDatasets", "InkFormats", "Layout", "Metrics", "TestSamples",
        "Reports",
      ]),
    .testTarget(
      name: "EditorStorageTests",
      dependencies: [
        "EditorStorage", "InkCore", "InkEditor", "PenInput", "Recognition", "TestSamples", grdb,
      ],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "ExportsTests",
      dependencies: ["Exports", "Files", "InkCore", "InkEditor", "InkFormats", "Recognition"]),
    .testTarget(
      name: "InkSearchTests",
      dependencies: ["Files", "InkCore", "InkFormats", "InkSearch", grdb]),
    .testTarget(name: "DistributedTests", dependencies: ["Distributed"]),
    .testTarget(name: "RunLogTests", dependencies: ["RunLog", grdb]),
    .testTarget(
      name: "DataDoctorTests",
      dependencies: [
        "DataDoctor", "Evaluation", "InkCore", "InkDatasets", "InkFormats", "TestSamples",
      ]),
    .testTarget(
      name: "CInterfaceTests", dependencies: ["CDuctus", "CInterface"]),
    .testTarget(
      name: "WebAPITests",
      dependencies: [
        "InkCore", "LanguageModels", "PretrainedModels", "Recognition", "WebAPI",
      ],
      exclude: ["openapi.json"]),
    .testTarget(
      name: "ErrorTests",
      dependencies: [
        "Downloads", "EditorStorage", "Evaluation", "Exports", "Features", "Files", "InkCore",
        "InkDatasets", "InkEditor", "InkFormats", "InkSearch", "IntensityText", "LanguageModels",
        "ModelFormat", "ModelStore", "Networks", "PretrainedModels", "Recognition", "Reports",
        "RunLog", "SafeTensors", "Studio", "SystemFonts", "Training", "WebAPI",
      ]),
    .testTarget(name: "WebServerTests", dependencies: ["WebServer", flyingFox, flyingSocks]),
    .testTarget(
      name: "StudioTests",
      dependencies: [
        "Evaluation", "Exports", "Files", "InkCore", "InkDatasets", "InkEditor", "InkFormats",
        "ModelFormat", "PenInput", "PretrainedModels", "Recognition", "Studio", "TestSamples",
        flyingFox,
      ]),
    // All ways into the library at once: the tool, the servers, C, Swift and the editor.
    .testTarget(
      name: "DoorTests",
      dependencies: [
        "CDuctus", "CInterface", "DuctusTool", "InkCore", "InkEditor", "InkFormats",
        "InstalledModels", "ModelFormat", "ModelStore", "Recognition", "Studio", "WebAPI",
        argumentParser,
      ]),
    .testTarget(
      name: "DuctusToolTests",
      dependencies: [
        "DuctusTool", "Evaluation", "EventFiles", "Files", "InkCore", "InkDatasets", "InkFormats",
        "InkSearch", "IntensityText", "LinearAlgebra",
        "ModelFormat", "Recognition", "RunLog", "Training", argumentParser,
      ]),
  ]
)
