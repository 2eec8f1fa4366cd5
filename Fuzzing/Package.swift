// swift-tools-version: 6.1
import PackageDescription

// The readers under a fuzzer: `scripts/soak` builds and runs this package, see CONTRIBUTING.md.
//
// The sources are those of the parent package, through links, and only those that parse: a
// dependency on the parent would build its libraries under the sanitizers, too.
let package = Package(
  name: "ductus-fuzzing",
  platforms: [.macOS(.v14)],
  targets: [
    .target(name: "InkCore"),
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "CZstd"),
    .target(name: "Files", dependencies: ["CZlib", "CZstd"]),
    .target(
      name: "IntensityText", dependencies: ["Files"], exclude: ["Borders/UNICODE-LICENSE.txt"]),
    .target(name: "Layout", dependencies: ["InkCore"]),
    .target(name: "InkFormats", dependencies: ["Files", "InkCore", "Layout"]),
    .target(name: "InkDatasets", dependencies: ["InkCore", "InkFormats"]),
    .target(name: "SafeTensors", dependencies: ["Files"]),
    .target(name: "ModelFormat", dependencies: ["Files"]),
    .target(name: "LanguageModels", dependencies: ["Files", "InkCore"]),
    .target(
      name: "Recognition",
      dependencies: ["Files", "InkCore", "InkFormats", "Layout", "ModelFormat"]),
    .target(name: "ModelStore", dependencies: ["ModelFormat", "Recognition"]),
    .target(name: "OnnxFormat", dependencies: ["Files"]),
    .executableTarget(
      name: "DuctusFuzzer",
      dependencies: [
        "Files", "InkCore", "InkFormats", "InkDatasets", "IntensityText", "SafeTensors",
        "ModelFormat", "LanguageModels",
        "OnnxFormat", "Recognition", "ModelStore",
      ],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
  ]
)
