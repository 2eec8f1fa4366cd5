import Downloads
import FaultServer
import Foundation
import InkDatasets
import Testing

@Suite("Installing public datasets", .timeLimit(.minutes(5)))
final class DatasetInstallTests {
  private let folder: URL
  private let server: FaultServer
  private var root: String { folder.appendingPathComponent("datasets").path }
  private var site: URL { folder.appendingPathComponent("site") }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-install-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("site"), withIntermediateDirectories: true)
    server = try FaultServer(folder: folder.appendingPathComponent("site"))
  }

  deinit {
    server.close()
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: - Help

  /// Makes a file below a folder of the test.
  private func write(_ path: String, _ text: String = "ink") throws {
    let url = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// Runs a program of the system in a folder of the test.
  private func run(_ command: String, in place: String = "") throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = folder.appendingPathComponent(place)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  /// The bytes and the hash of a file on the server.
  private func facts(_ name: String) throws -> (bytes: Int, sha256: String) {
    try run("sha256sum site/\(name) | cut -c1-64 > sum || shasum -a 256 site/\(name) > sum")
    let sum = try String(contentsOf: folder.appendingPathComponent("sum"), encoding: .utf8)
    return (try Data(contentsOf: site.appendingPathComponent(name)).count, String(sum.prefix(64)))
  }

  /// An archive with two files of ink in a folder.
  private func makeArchive(_ kind: String) throws {
    try write("content/top/a.xml", String(repeating: "<Gesture/>", count: 20_000))
    try write("content/top/sub/b.xml")
    switch kind {
    case "zip": try run("zip -q -r ../site/ink.zip top", in: "content")
    default: try run("tar -czf ../site/ink.tar top", in: "content")
    }
  }

  private struct CardArchive {
    var name: String
    var kind: String
    var bytes: Int?
    var sha256: String?
    var root: String?
    var path: String?
  }

  /// A dataset with a card like those of `Datasets/cards`.
  private func dataset(_ archives: [CardArchive], files: Int? = 2) throws -> PublicDataset {
    let list = archives.map { archive in
      var members = [
        "\"address\": \"\(server.url)/\(archive.name)\"", "\"kind\": \"\(archive.kind)\"",
      ]
      if let bytes = archive.bytes { members.append("\"bytes\": \(bytes)") }
      if let sha256 = archive.sha256 { members.append("\"sha256\": \"\(sha256)\"") }
      if let root = archive.root { members.append("\"root\": \"\(root)\"") }
      if let path = archive.path { members.append("\"path\": \"\(path)\"") }
      return "{\(members.joined(separator: ", "))}"
    }.joined(separator: ", ")
    let card = """
      {"place": 1, "name": "Test", "content": "ink", "owner": "us", "origin": "example.org",
       "citation": "none", "licence": "MIT", "shipping": "yes", "split": "none",
       "specification": "dollar:FOLDER", "folder": "test-ink", "layout": "XML", "counts": {},
       "files": [{"path": "", "suffix": ".xml"\(files.map { ", \"count\": \($0)" } ?? "")}],
       "archives": [\(list)], "access": "Register on the page and unpack it by hand."}
      """
    return try JSONDecoder().decode(PublicDataset.self, from: Data(card.utf8))
  }

  private func installer(attempts: Int = 1, stallTimeout: Double = 20) -> DatasetInstaller {
    DatasetInstaller(
      root: root,
      configuration: DownloadConfiguration(
        maximumAttempts: attempts, retryPause: .milliseconds(1), stallTimeout: stallTimeout))
  }

  private var installed: String { "\(root)/test-ink" }

  private func expectNothingInstalled() {
    #expect(!FileManager.default.fileExists(atPath: installed))
    let rest = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/.downloads")) ?? []
    #expect(rest.allSatisfy { !$0.hasPrefix("test-ink") })
  }

  // MARK: - Tests

  @Test("An archive is downloaded, checked, unpacked and compared", arguments: ["zip", "tar"])
  func installing(kind: String) async throws {
    try makeArchive(kind)
    let facts = try facts("ink.\(kind)")
    let dataset = try dataset([
      CardArchive(
        name: "ink.\(kind)", kind: kind, bytes: facts.bytes, sha256: facts.sha256, root: "top")
    ])
    let outcome = try await installer().install(dataset)
    #expect(outcome.check.state == .present)
    #expect(outcome.sources.map(\.wasChecked) == [true])
    #expect(FileManager.default.fileExists(atPath: "\(installed)/sub/b.xml"))
    _ = server.takeLog()
    #expect(try await installer().install(dataset).sources.isEmpty)
    #expect(server.takeLog().isEmpty)
  }

  @Test("A card without length and hash says so, and what was found is recorded")
  func unchecked() async throws {
    try makeArchive("zip")
    let facts = try facts("ink.zip")
    let outcome = try await installer().install(
      dataset([CardArchive(name: "ink.zip", kind: "zip")]))
    let source = try #require(outcome.sources.first)
    #expect(!source.wasChecked)
    #expect(source.sha256 == facts.sha256)
    #expect(source.bytes == facts.bytes)
    let record = try Data(
      contentsOf: URL(fileURLWithPath: "\(installed)/\(DatasetInstaller.recordName)"))
    #expect(try JSONDecoder().decode([DatasetInstaller.Source].self, from: record) == [source])
  }

  @Test("Several files make one dataset, each in its folder")
  func severalFiles() async throws {
    try makeArchive("tar")
    try write("site/extra.xml")
    let outcome = try await installer().install(
      dataset(
        [
          CardArchive(name: "ink.tar", kind: "tar"),
          CardArchive(name: "extra.xml", kind: "file", path: "more"),
        ], files: 3))
    #expect(outcome.check.state == .present)
    #expect(FileManager.default.fileExists(atPath: "\(installed)/more/extra.xml"))
  }

  @Test("An installation that was cut off resumes")
  func resuming() async throws {
    try makeArchive("tar")
    try write("content/top/noise.bin", (0..<50_000).map { "\($0 &* 7919)" }.joined())
    try run("tar -cf ../site/ink.tar top", in: "content")
    let dataset = try dataset([CardArchive(name: "ink.tar", kind: "tar")])
    server.fail { _ in .cut(after: 100_000) }
    await #expect(throws: DatasetInstallError.self) { try await installer().install(dataset) }
    expectNothingInstalled()
    server.failNothing()
    _ = server.takeLog()
    _ = try await installer().install(dataset)
    #expect(server.takeLog().first?.offset ?? 0 > 0)
  }

  @Test(
    "A server that stalls, lies about the length or sends another file installs nothing",
    arguments: [
      FaultServer.Fault.stall(after: 100), .tooMuch(10, isAnnounced: true), .otherBytes,
      .status(503),
    ])
  func faults(_ fault: FaultServer.Fault) async throws {
    try makeArchive("zip")
    let facts = try facts("ink.zip")
    let dataset = try dataset([
      CardArchive(name: "ink.zip", kind: "zip", bytes: facts.bytes, sha256: facts.sha256)
    ])
    server.fail { _ in fault }
    await #expect(throws: DatasetInstallError.self) {
      try await installer(stallTimeout: 1).install(dataset)
    }
    expectNothingInstalled()
  }

  @Test("Another file of an unknown hash is refused when it is unpacked, and fetched again")
  func wrongFile() async throws {
    try makeArchive("zip")
    let dataset = try dataset([CardArchive(name: "ink.zip", kind: "zip")])
    server.fail { _ in .otherBytes }
    await #expect(throws: DatasetInstallError.self) { try await installer().install(dataset) }
    expectNothingInstalled()
    server.failNothing()
    #expect(try await installer().install(dataset).check.state == .present)
  }

  @Test(
    "Paths that leave the folder and links are refused",
    arguments: [
      ("tar", "tar -cPf site/ink.tar ../$(basename $PWD)/content/top/a.xml"),
      ("tar", "tar -cPf site/ink.tar $PWD/content/top/a.xml"),
      ("tar", "ln -s /etc content/top/link; tar -cf site/ink.tar -C content top"),
      ("tar", "ln content/top/a.xml content/top/hard; tar -cf site/ink.tar -C content top"),
      ("zip", "ln -s /etc content/top/link; cd content; zip -q -y -r ../site/ink.zip top"),
      ("zip", "cd content/top; zip -q ../../site/ink.zip ../top/a.xml"),
    ])
  func unsafe(kind: String, command: String) async throws {
    try makeArchive("tar")
    try FileManager.default.removeItem(at: site.appendingPathComponent("ink.tar"))
    try run(command)
    let error = await #expect(throws: DatasetInstallError.self) {
      try await installer().install(
        dataset([CardArchive(name: "ink.\(kind)", kind: kind)], files: 1))
    }
    guard case .unsafeEntry? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    expectNothingInstalled()
  }

  @Test("Archives without the files of the card install nothing")
  func incomplete() async throws {
    try makeArchive("zip")
    let dataset = try dataset([CardArchive(name: "ink.zip", kind: "zip")], files: 3)
    let error = await #expect(throws: DatasetInstallError.self) {
      try await installer().install(dataset)
    }
    guard case .incomplete? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    expectNothingInstalled()
  }

  @Test("A folder that is not the dataset is left alone")
  func folderInTheWay() async throws {
    try makeArchive("zip")
    try write("datasets/test-ink/mine.txt")
    let error = await #expect(throws: DatasetInstallError.self) {
      try await installer().install(dataset([CardArchive(name: "ink.zip", kind: "zip")]))
    }
    guard case .folderInTheWay? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: installed) == ["mine.txt"])
    #expect(server.takeLog().isEmpty)
  }

  @Test("If the owner must be asked, the error says what to do")
  func registration() async throws {
    let dataset = try PublicDataset.named("iam-ondb")
    let error = await #expect(throws: DatasetInstallError.self) {
      try await installer().install(dataset)
    }
    #expect(
      error
        == .needsOwner(dataset: dataset.name, origin: dataset.origin, access: dataset.access))
    #expect(error?.description.contains("register") == true)
  }

  @Test("An unknown name is refused with those that are known")
  func unknownName() throws {
    #expect(try PublicDataset.named("Omniglot").folder == "omniglot")
    let error = #expect(throws: DatasetInstallError.self) { try PublicDataset.named("nothing") }
    #expect(error?.description.contains("omniglot") == true)
  }
}
