import Foundation
import ModelFormat
import ModelStore
import Testing

@Suite("Stores whose process was killed")
struct CrashTests {
  #if compiler(>=6.3) && (os(Linux) || os(macOS))
    @Test(
      "Killed before any step, an installation leaves the old or the new model, and no litter",
      arguments: ModelStorage.Step.allCases)
    func killed(step: ModelStorage.Step) async throws {
      let folder = try TemporaryFolder()
      let store = folder.url.appendingPathComponent("store")
      let manager = try ModelManager(storage: store)
      try manager.install(from: try Samples.write("m", version: 1, to: folder.url))
      let new = try Samples.write(
        "m", version: 2, seed: 2, extra: Samples.bytes(1000, seed: 1), to: folder.url)
      let number = step.rawValue
      let paths = [store.path, new.path]
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [paths = paths as [String], number = number as Int] in
        let storage = try ModelStorage(URL(fileURLWithPath: paths[0]))
        let bundle = try ModelBundle.open(URL(fileURLWithPath: paths[1]))
        for part in bundle.manifest.parts {
          try bundle.data(for: part.name).write(to: storage.blob(part.sha256))
        }
        _ = try storage.commit(
          .init(manifest: bundle.manifestBytes),
          willPerform: { if $0.rawValue == number { kill(getpid(), SIGKILL) } },
          check: { _ in })
      }
      let expected = number >= ModelStorage.Step.collect.rawValue ? 2 : 1
      #expect(manager.downloadedModels.map(\.description.version) == [expected])
      #expect(try manager.verify("m").damage == nil)
      try manager.install(from: new)
      #expect(try manager.verify("m").damage == nil)
      #expect(manager.models.map(\.version) == [2])
      let bundles = try FileManager.default.contentsOfDirectory(
        atPath: store.appendingPathComponent("bundles").path)
      #expect(bundles.count == 1, "\(bundles)")
    }
  #endif
}
