// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "RecognizeOnly",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "ductus", path: "../..")],
  targets: [
    .executableTarget(
      name: "RecognizeOnly", dependencies: [.product(name: "DuctusKit", package: "ductus")])
  ])
