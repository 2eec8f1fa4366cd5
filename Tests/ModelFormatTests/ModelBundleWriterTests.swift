import Foundation
import ModelFormat
import Testing

@Suite("ModelBundleWriter")
struct ModelBundleWriterTests {
  @Test("A bundle is replaced by a new one, and nothing else is left")
  func replaces() throws {
    let folder = try TemporaryFolder()
    try Samples.writer(name: "old").write(to: folder.bundle)
    try Data().write(to: folder.bundle.appendingPathComponent("stale"))
    try Samples.writer(name: "new").write(to: folder.bundle)
    #expect(try ModelBundle.open(folder.bundle).manifest.name == "new")
    #expect(try folder.names() == ["m.ductus"])
    #expect(
      !FileManager.default.fileExists(
        atPath: folder.bundle.appendingPathComponent("stale").path))
  }

  @Test("A folder that is not a bundle is not changed")
  func leavesFolders() throws {
    let folder = try TemporaryFolder()
    let precious = folder.bundle.appendingPathComponent("precious")
    try FileManager.default.createDirectory(
      at: folder.bundle, withIntermediateDirectories: false)
    try Data([1]).write(to: precious)
    #expect(throws: ModelFormatError(.destinationNotABundle, path: folder.bundle.path)) {
      try Samples.writer().write(to: folder.bundle)
    }
    #expect(try Data(contentsOf: precious) == Data([1]))
    #expect(try folder.names() == ["m.ductus"])
  }

  @Test("A file and a link at the destination are not changed")
  func leavesFiles() throws {
    let folder = try TemporaryFolder()
    try Data([1]).write(to: folder.bundle)
    #expect(throws: ModelFormatError(.destinationNotABundle, path: folder.bundle.path)) {
      try Samples.writer().write(to: folder.bundle)
    }
    let link = folder.url.appendingPathComponent("link.ductus")
    let real = folder.url.appendingPathComponent("real.ductus")
    try Samples.writer().write(to: real)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
    #expect(throws: ModelFormatError(.destinationNotABundle, path: link.path)) {
      try Samples.writer().write(to: link)
    }
    #expect(try ModelBundle.open(link).manifest.name == "Digits")
  }

  @Test("A missing parent folder of the destination is an error")
  func missingParent() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("none/m.ductus")
    let error = #expect(throws: ModelFormatError.self) { try Samples.writer().write(to: url) }
    guard case .system(_, ENOENT)? = error?.reason else {
      Issue.record("found \(String(describing: error))")
      return
    }
  }

  @Test("A manifest that is refused leaves the old bundle and no temporary folder")
  func refusedManifest() throws {
    let folder = try TemporaryFolder()
    try Samples.writer(name: "old").write(to: folder.bundle)
    var manifest = Samples.manifest(name: "new")
    manifest.calibration.temperature = .nan
    #expect(throws: ModelFormatError.self) {
      try ModelBundleWriter(manifest: manifest).write(to: folder.bundle)
    }
    #expect(try ModelBundle.open(folder.bundle).manifest.name == "old")
    #expect(try folder.names() == ["m.ductus"])
  }

  @Test("A bundle moved aside and not replaced is named on opening, and restored by a writer")
  func movedAside() throws {
    let folder = try TemporaryFolder()
    try Samples.writer(name: "old").write(to: folder.bundle)
    let aside = ModelBundleWriter.asidePath(of: folder.bundle)
    try FileManager.default.moveItem(atPath: folder.bundle.path, toPath: aside)
    #expect(throws: ModelFormatError(.movedAside(to: aside), path: folder.bundle.path)) {
      try ModelBundle.open(folder.bundle)
    }
    try ModelBundleWriter.clean(folder.bundle)
    #expect(try ModelBundle.open(folder.bundle).manifest.name == "old")
  }

  @Test("A writer keeps the temporary folder of a running writer and removes that of a dead one")
  func locks() throws {
    let folder = try TemporaryFolder()
    let dead = folder.url.appendingPathComponent(".m.ductus.writing-dead")
    let other = folder.url.appendingPathComponent(".n.ductus.writing-dead")
    for url in [dead, other] {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }
    try Samples.writer(name: "outer").write(to: folder.bundle, modelCard: nil) { step in
      guard step == .writeManifest else { return }
      #expect(throws: Never.self) { try Samples.writer(name: "inner").write(to: folder.bundle) }
    }
    #expect(try ModelBundle.open(folder.bundle).manifest.name == "outer")
    #expect(try folder.names() == [".n.ductus.writing-dead", "m.ductus"])
  }

  #if compiler(>=6.3) && (os(Linux) || os(macOS))
    @Test(
      "Killed before any step, a writer loses no bundle, and the next one cleans up",
      arguments: ModelBundleWriter.Step.allCases)
    func killed(step: ModelBundleWriter.Step) async throws {
      let folder = try TemporaryFolder()
      let path = folder.bundle.path
      let number = step.rawValue
      try Samples.writer(name: "old").write(to: folder.bundle)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, number = number as Int] in
        try Samples.writer(name: "new").write(
          to: URL(fileURLWithPath: path), modelCard: nil
        ) { step in
          if step.rawValue == number { kill(getpid(), SIGKILL) }
        }
      }
      let names = try folder.names()
      switch step {
      case .moveIntoPlace: #expect(!names.contains("m.ductus"))
      case .finish: #expect(names == ["m.ductus"])
      default: #expect(names.count == 2, "\(names)")
      }
      try ModelBundleWriter.clean(folder.bundle)
      let survivor = try ModelBundle.open(folder.bundle).manifest.name
      #expect(survivor == (number >= ModelBundleWriter.Step.removeOld.rawValue ? "new" : "old"))
      #expect(try folder.names() == ["m.ductus"])
      try Samples.writer(name: "newest").write(to: folder.bundle)
      #expect(try ModelBundle.open(folder.bundle).manifest.name == "newest")
      #expect(try folder.names() == ["m.ductus"])
    }
  #endif
}
