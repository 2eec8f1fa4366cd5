import Foundation
import Studio
import Testing

@Suite("The folder of a project") struct ProjectTests {
  private func code(_ action: () throws -> Void) -> StudioError.Code? {
    do {
      try action()
      return nil
    } catch {
      return (error as? StudioError)?.code
    }
  }

  @Test("Paths inside are found, whether they exist or not")
  func inside() throws {
    let temporary = try TemporaryProject()
    let project = try Project(at: temporary.folder)
    for path in ["a.jsonl", "collect/a.jsonl", "collect/a b/é.jsonl", "x..y", "a..", "a/b/c/d/e"] {
      let url = try project.url(of: path)
      #expect(url.path == project.root.path + "/" + path)
    }
  }

  @Test(
    "Paths that are absolute, go up, are hidden or malformed are refused",
    arguments: [
      "", "/", "/etc/passwd", "..", ".", "../x", "a/../b", "a/..", "./a", "a/./b", "a//b", "a/",
      ".studio/token", "collect/.hidden", "~", "~root/x", "a/~", "a\0b", "\0", "...",
    ])
  func outside(_ path: String) throws {
    let temporary = try TemporaryProject()
    let project = try Project(at: temporary.folder)
    #expect(code { _ = try project.url(of: path) } == .forbidden)
  }

  @Test("Links that lead out of the project are refused, also to what does not exist")
  func links() throws {
    let temporary = try TemporaryProject()
    let files = FileManager.default
    let project = try Project(at: temporary.folder)
    let secret = temporary.outside.appendingPathComponent("secret.txt")
    try Data("secret".utf8).write(to: secret)
    func link(_ name: String, to target: String) throws {
      try files.createSymbolicLink(
        atPath: project.root.appendingPathComponent(name).path, withDestinationPath: target)
    }
    try link("file", to: secret.path)
    try link("folder", to: temporary.outside.path)
    try link("relative", to: "../secret.txt")
    try link("nothing", to: temporary.outside.appendingPathComponent("none").path)
    try link("loop", to: "loop")
    try link("chain", to: "folder")
    for path in [
      "file", "folder", "folder/secret.txt", "folder/none", "folder/none/none", "relative",
      "nothing", "nothing/x", "loop", "loop/x", "chain/secret.txt",
    ] {
      #expect(code { _ = try project.url(of: path) } == .forbidden, "\(path)")
    }
    #expect(code { _ = try project.folder("folder/made") } == .forbidden)
    #expect(!files.fileExists(atPath: temporary.outside.appendingPathComponent("made").path))
    // A link that stays inside may be used.
    try Data("x".utf8).write(to: project.root.appendingPathComponent("own.txt"))
    try link("inside", to: "own.txt")
    #expect(code { _ = try project.url(of: "inside") } == nil)
  }

  @Test("A folder beside the project whose name begins like its name is outside")
  func similarName() throws {
    let temporary = try TemporaryProject()
    let project = try Project(at: temporary.folder)
    let similar = temporary.outside.appendingPathComponent("project2")
    try FileManager.default.createDirectory(at: similar, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: project.root.appendingPathComponent("similar"), withDestinationURL: similar)
    #expect(code { _ = try project.url(of: "similar/x") } == .forbidden)
  }

  @Test("A project may be opened over a link, and where a file is, it cannot")
  func opening() throws {
    let temporary = try TemporaryProject()
    let link = temporary.outside.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: temporary.folder)
    let project = try Project(at: link)
    #expect(project.root.lastPathComponent == "project")
    let file = temporary.outside.appendingPathComponent("file")
    try Data().write(to: file)
    #expect(code { _ = try Project(at: file) } == .unusableFile)
  }

  @Test("Names of users become names of files, or are refused")
  func names() throws {
    for (text, name) in [
      ("mine", "mine"), (" mine ", "mine"), ("Meine Häuser 2", "Meine Häuser 2"), ("字", "字"),
      ("a.b", "a.b"), (String(repeating: "a", count: 100), String(repeating: "a", count: 100)),
    ] {
      #expect(try Project.name(text) == name)
    }
    for text in [
      "", "  ", ".", "..", ".x", "-x", "a/b", "a\\b", "a?b", "a&b", "a%b", "a\0b", "a\nb",
      "a\u{7F}b", "a\u{202E}b", "a\u{85}b", String(repeating: "a", count: 101),
      String(repeating: "字", count: 40),
    ] {
      #expect(code { _ = try Project.name(text) } == .invalidValue, "\(text.debugDescription)")
    }
  }

  @Test("The token is made once, and only its owner can read it")
  func token() throws {
    let temporary = try TemporaryProject()
    let project = try Project(at: temporary.folder)
    let token = try project.token()
    #expect(token.utf8.count == 48)
    #expect(try Project(at: temporary.folder).token() == token)
    let file = project.state.appendingPathComponent("token").path
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let folder = try FileManager.default.attributesOfItem(atPath: project.state.path)
    #expect((folder[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    // A damaged token is replaced.
    try Data("short".utf8).write(to: URL(fileURLWithPath: file))
    let second = try project.token()
    #expect(second.utf8.count == 48 && second != token)
    let other = try TemporaryProject()
    #expect(try Project(at: other.folder).token() != second)
  }

  @Test("Data outside of the project is opened only if the command line named it")
  func data() throws {
    let temporary = try TemporaryProject()
    let project = try Project(at: temporary.folder)
    let data = ProjectData(project: project, allowed: ["ink:/data/mine.jsonl"])
    #expect(try data.specification("ink:/data/mine.jsonl?limit=3").path == "/data/mine.jsonl")
    #expect(
      try data.specification("ink:collect/a.jsonl").path == project.root.path + "/collect/a.jsonl")
    for text in [
      "ink:/data/other.jsonl", "inkml:/data/mine.jsonl", "ink:../a.jsonl", "ink:.studio/token",
      "starter:digits?words=/etc/passwd", "ink:collect/a.jsonl?texts=/etc/passwd",
      "ink:collect/a.jsonl?splits=../x.tsv", "ink:collect/a.jsonl?splits=/etc/passwd",
      "unipen:/home", "ink:/data/mine.jsonl?texts=/etc/passwd",
    ] {
      #expect(code { _ = try data.specification(text) } == .forbidden, "\(text)")
    }
  }
}
