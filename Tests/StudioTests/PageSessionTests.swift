import FlyingFox
import Foundation
import InkEditor
import Studio
import Testing

@Suite("Sessions of pages") struct PageSessionTests {
  @Test("Two clients share a page and see each other's ink")
  func twoClients() async throws {
    let folder = try PageFolder()
    let name = try await folder.pages.create("two")
    let one = try await PageTestClient(folder.pages, name)
    let two = try await PageTestClient(folder.pages, name)
    for client in [one, two] {
      client.send(#"{"type": "hello"}"#)
      _ = try await client.first { $0.isFirst == true }
    }
    try one.send(PageCommand(id: "a", action: .strokes([PageStroke(x: [1, 5], y: [1, 5])])))
    #expect(try await two.first { $0.ink?.isEmpty == false }.ink?.map(\.x) == [[1, 5]])
    #expect(try await one.first { $0.type == "done" }.id == "a")
    // The other one undoes it.
    try two.send(PageCommand(id: "b", action: .undo))
    #expect(try await one.first { $0.gone?.isEmpty == false }.gone == [1])
    one.close()
    two.close()
  }

  @Test("Strokes come with the path to draw: a line, or an outline where the force changes")
  func paths() async throws {
    let folder = try PageFolder()
    let name = try await folder.pages.create("paths")
    let client = try await PageTestClient(folder.pages, name)
    client.send(#"{"type": "hello"}"#)
    _ = try await client.first { $0.isFirst == true }
    try client.send(
      PageCommand(
        id: "a",
        action: .strokes([
          PageStroke(x: [1, 5, 9], y: [1, 5, 1]),
          PageStroke(x: [1, 5, 9], y: [20, 20, 20], force: [0.1, 0.5, 1]),
          PageStroke(x: [3], y: [40]),
        ])))
    let ink = try #require(try await client.first { $0.ink?.isEmpty == false }.ink)
    #expect(ink.map(\.line) == [0.6, nil, nil])
    #expect(ink[0].path.hasPrefix("M1 1c") && !ink[0].path.contains("z"))
    #expect(ink.dropFirst().allSatisfy { $0.path.hasPrefix("M") && $0.path.hasSuffix("z") })
    client.close()
  }

  @Test("A malformed message is answered with an error, and the page goes on")
  func malformed() async throws {
    let folder = try PageFolder()
    let name = try await folder.pages.create("malformed")
    let client = try await PageTestClient(folder.pages, name)
    client.send(#"{"type": "hello"}"#)
    for text in ["{", "", #"{"type": "strokes", "id": "x", "strokes": [{"x": [1], "y": []}]}"#] {
      client.send(text)
      #expect(try await client.first { $0.type == "error" }.code == "invalidValue")
    }
    try client.send(PageCommand(id: "a", action: .strokes([PageStroke(x: [1], y: [1])])))
    #expect(try await client.first { $0.type == "done" }.id == "a")
    client.close()
  }

  @Test("A command that is sent again after a restart is applied once")
  func resend() async throws {
    let folder = try PageFolder()
    let name = try await folder.pages.create("again")
    let command = PageCommand(id: "a", action: .strokes([PageStroke(x: [1, 2], y: [1, 2])]))
    for round in 0..<2 {
      // New pages on the same folder are a new process.
      let pages = Pages(project: folder.project, engine: folder.engine)
      let client = try await PageTestClient(pages, name)
      client.send(#"{"type": "hello", "epoch": "of another process", "revision": 7}"#)
      let state = try await client.first { $0.type == "changes" }
      #expect(state.isFirst == true)
      #expect(state.ink?.count == round)
      try client.send(command)
      try client.send(command)
      for _ in 0..<2 { #expect(try await client.first { $0.type == "done" }.id == "a") }
      let count = try await pages.session(of: name).with { $0.strokeCount }
      #expect(count == 1)
      try await pages.session(of: name).close()
    }
  }

  @Test("A client that lost its connection gets only what it missed")
  func missed() async throws {
    let folder = try PageFolder()
    let name = try await folder.pages.create("missed")
    let one = try await PageTestClient(folder.pages, name)
    one.send(#"{"type": "hello"}"#)
    try one.send(PageCommand(id: "a", action: .strokes([PageStroke(x: [1, 2], y: [1, 2])])))
    let known = try await one.first { $0.unread == 0 && $0.revision ?? 0 > 0 }
    let (epoch, revision) = (try #require(known.epoch), try #require(known.revision))
    one.close()
    let session = try await folder.pages.session(of: name)
    _ = try await session.apply(
      PageCommand(id: "b", action: .strokes([PageStroke(x: [30, 31], y: [30, 40])])))
    let two = try await PageTestClient(folder.pages, name)
    two.send(#"{"type": "hello", "epoch": "\#(epoch)", "revision": \#(revision)}"#)
    let changes = try await two.first { $0.type == "changes" }
    #expect(changes.isFirst == false)
    #expect(changes.ink?.map(\.id) == [2])
    two.close()
  }

  @Test("A client that confirms nothing gets few messages, and the rest when it confirms")
  func slow() async throws {
    let folder = try PageFolder()
    let name = try await folder.pages.create("slow")
    let client = try await PageTestClient(folder.pages, name)
    client.send(#"{"type": "hello"}"#)
    let session = try await folder.pages.session(of: name)
    let total = 3 * PageLimits.unconfirmed
    for index in 0..<total {
      let y = Double(index) * 10
      _ = try await session.apply(
        PageCommand(id: "s-\(index)", action: .strokes([PageStroke(x: [1, 9], y: [y, y])])))
    }
    // The answer to the ping follows all changes that were sent.
    client.send(#"{"type": "ping"}"#)
    var (messages, strokes, serial) = (0, 0, 0)
    while let answer = try await client.next(), answer.type != "pong" {
      messages += 1
      strokes += answer.ink?.count ?? 0
      serial = answer.serial ?? serial
    }
    #expect(messages <= PageLimits.unconfirmed)
    client.send(#"{"type": "seen", "serial": \#(serial)}"#)
    while strokes < total {
      strokes += try await client.first { $0.ink?.isEmpty == false }.ink?.count ?? 0
    }
    #expect(strokes == total)
    client.close()
  }

  @Test("A page of many strokes comes in parts, and only the last is complete")
  func parts() async throws {
    let folder = try PageFolder()
    let name = try await folder.pages.create("parts")
    let session = try await folder.pages.session(of: name)
    let total = 2 * PageLimits.strokesPerMessage + 10
    let strokes = (0..<total).map { index -> PageStroke in
      let (x, y) = (Double(index % 30) * 7, Double(index / 30) * 9)
      return PageStroke(x: [x, x + 4], y: [y, y + 4])
    }
    for start in stride(from: 0, to: total, by: 500) {
      _ = try await session.apply(
        PageCommand(
          id: "s-\(start)", action: .strokes(Array(strokes[start..<min(total, start + 500)]))))
    }
    let client = try await PageTestClient(folder.pages, name)
    client.send(#"{"type": "hello"}"#)
    var ids: Set<Int> = []
    _ = try await client.first { answer in
      guard answer.type == "changes" else { return false }
      ids.formUnion(answer.ink?.map(\.id) ?? [])
      return answer.isComplete == true
    }
    #expect(ids.count == total)
    client.close()
  }

  @Test("More tabs than the limit are refused")
  func manyClients() async throws {
    let folder = try PageFolder()
    let name = try await folder.pages.create("many")
    var clients: [PageTestClient] = []
    for _ in 0..<PageLimits.clients {
      let client = try await PageTestClient(folder.pages, name)
      client.send(#"{"type": "hello"}"#)
      _ = try await client.first { $0.type == "changes" }
      clients.append(client)
    }
    let other = try await PageTestClient(folder.pages, name)
    #expect(try await other.next()?.code == "busy")
    #expect(try await other.next() == nil)
    for client in clients { client.close() }
  }

  @Test("A page with a malformed file is refused, and opens once the file is repaired")
  func repaired() async throws {
    let folder = try PageFolder()
    let name = try await folder.pages.create("repaired")
    let file = try folder.file(name)
    let bytes = try Data(contentsOf: file)
    try (bytes + Data("x\n".utf8)).write(to: file)
    let one = try await PageTestClient(folder.pages, name)
    one.send(#"{"type": "hello"}"#)
    #expect(try await one.first { $0.type == "error" }.code == "unusableFile")
    one.close()
    try bytes.write(to: file)
    let two = try await PageTestClient(folder.pages, name)
    two.send(#"{"type": "hello"}"#)
    #expect(try await two.first { $0.type == "changes" }.isComplete == true)
    two.close()
  }

  @Test("A page that does not exist is refused over its socket")
  func missing() async throws {
    let folder = try PageFolder()
    let client = try await PageTestClient(folder.pages, "none")
    #expect(try await client.next()?.code == "notFound")
    #expect(try await client.next() == nil)
  }
}

@Suite("Pages of a project") struct PagesTests {
  private func code(_ body: () async throws -> Void) async -> StudioError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? StudioError)?.code
    }
  }

  @Test("Pages are made, listed, renamed and deleted")
  func library() async throws {
    let folder = try PageFolder()
    #expect(try await folder.pages.create(nil) == "Page 1")
    #expect(try await folder.pages.create(nil) == "Page 2")
    #expect(await code { _ = try await folder.pages.create("Page 2") } == .conflict)
    let client = try await PageTestClient(folder.pages, "Page 1")
    client.send(#"{"type": "hello"}"#)
    try client.send(PageCommand(id: "a", action: .strokes([PageStroke(x: [1], y: [1])])))
    _ = try await client.first { $0.type == "done" }
    #expect(
      await code { _ = try await folder.pages.rename("Page 1", to: "Page 2") } == .conflict)
    #expect(try await folder.pages.rename("Page 1", to: "Notes") == "Notes")
    #expect(try await client.first { $0.type == "renamed" }.name == "Notes")
    let count = try await folder.pages.session(of: "Notes").with { $0.strokeCount }
    #expect(count == 1)
    try await folder.pages.delete("Notes")
    #expect(try await folder.pages.list().map(\.name) == ["Page 2"])
    #expect(await code { _ = try await folder.pages.session(of: "Notes") } == .notFound)
    let trash = folder.project.state.appendingPathComponent("trash")
    #expect(try FileManager.default.contentsOfDirectory(atPath: trash.path).count == 1)
  }

  @Test(
    "Names that leave the folder are refused",
    arguments: ["", "..", "../x", "a/b", ".hidden", "a\0b", "/etc/passwd", "a\\b", "-x"])
  func traversal(name: String) async throws {
    let folder = try PageFolder()
    _ = try await folder.pages.create("real")
    for action in [
      { _ = try await folder.pages.create(name) },
      { _ = try await folder.pages.rename("real", to: name) },
      { try await folder.pages.delete(name) },
      { _ = try await folder.pages.session(of: name) },
    ] as [() async throws -> Void] {
      #expect(await code(action) == .invalidValue)
    }
  }

  @Test("A page that nobody uses is closed, so that another process can open it")
  func release() async throws {
    let folder = try PageFolder(patience: 0)
    let name = try await folder.pages.create("free")
    let client = try await PageTestClient(folder.pages, name)
    client.send(#"{"type": "hello"}"#)
    _ = try await client.first { $0.type == "changes" }
    let file = try folder.file(name)
    let engine = try PageFolder.engine()
    #expect(
      await code { _ = try PagePackage(opening: file, name: name, engine: engine) } == .conflict)
    client.close()
    var opened: PagePackage?
    while opened == nil {
      opened = try? PagePackage(opening: file, name: name, engine: engine)
      await Task.yield()
    }
    #expect(opened != nil)
  }

  @Test("A page that is opened again has its text at once, and no ink is left to read")
  func reopened() throws {
    let folder = try PageFolder()
    let file = try folder.file("again")
    try PagePackage.create(file, engine: folder.engine)
    let strokes = PageInk.commands(try PageInk.hello())
    var text = ""
    for round in 0..<2 {
      let log = try PagePackage(opening: file, name: "again", engine: folder.engine)
      let document = try PageDocument(engine: folder.engine, part: log.part, ids: log.ids)
      if round == 0 {
        for command in strokes {
          #expect(try document.apply(command))
          try log.append(command)
        }
        try document.editor.waitUntilIdle()
        text = try document.editor.export(as: .text)
        #expect(text.contains("hello"))
      } else {
        #expect(document.editor.unreadCount == 0)
        #expect(try document.editor.export(as: .text) == text)
        // Commands of the earlier session are known, and its changes cannot be undone.
        #expect(document.has(strokes[0].id))
        #expect(document.steps.undo == 0)
      }
      try document.editor.setPart(nil)
      try log.close()
    }
  }

  @Test("The language of a page is remembered, and clients are told of it")
  func language() async throws {
    let folder = try PageFolder()
    let name = try await folder.pages.create("german")
    let client = try await PageTestClient(folder.pages, name)
    client.send(#"{"type": "hello"}"#)
    #expect(try await client.first { $0.isFirst == true }.language == nil)
    try client.send(PageCommand(id: "l", action: .language("de")))
    #expect(try await client.first { $0.language != nil }.language == "de")
    _ = try await client.first { $0.type == "done" }
    try client.send(PageCommand(id: "s", action: .strokes([PageStroke(x: [1, 5], y: [1, 5])])))
    _ = try await client.first { $0.id == "s" }
    client.close()
    try await folder.pages.session(of: name).close()
    let pages = Pages(project: folder.project, engine: try PageFolder.engine())
    let session = try await pages.session(of: name)
    #expect(try await session.with { $0.language } == "de")
    _ = try await session.apply(PageCommand(id: "m", action: .language(nil)))
    await session.close()
    let again = try await Pages(project: folder.project, engine: folder.engine).session(of: name)
    #expect(try await again.with { $0.language } == nil)
    await again.close()
  }

  @Test("A page is exported as text, JIIX and SVG once it is read")
  func exports() async throws {
    let folder = try PageFolder()
    let name = try await folder.pages.create("<a> b")
    let session = try await folder.pages.session(of: name)
    for command in PageInk.commands(try PageInk.hello()) { _ = try await session.apply(command) }
    let text = String(
      decoding: try await PageExport(.text).bytes(of: session, title: name), as: UTF8.self)
    #expect(text.contains("hello"))
    let jiix = try await PageExport(.jiix).bytes(of: session, title: name)
    #expect(try JSONSerialization.jsonObject(with: jiix) is [String: Any])
    let svg = String(
      decoding: try await PageExport(.svg).bytes(of: session, title: name), as: UTF8.self)
    #expect(svg.contains("<title>&lt;a&gt; b</title>"))
    #expect(svg.contains("<desc>hello"))
    #expect(svg.components(separatedBy: "<path").count > 3)
  }

  @Test("A message in many frames is ended at the limit")
  func frames() async throws {
    struct All: WSHandler {
      func makeFrames(
        for client: AsyncThrowingStream<WSFrame, any Error>
      ) async throws -> AsyncStream<WSFrame> {
        let (stream, continuation) = AsyncStream.makeStream(of: WSFrame.self)
        Task {
          do {
            for try await frame in client { continuation.yield(frame) }
          } catch {
            continuation.yield(WSFrame.close(message: "too long"))
          }
          continuation.finish()
        }
        return stream
      }
    }
    let part = Data(count: PageLimits.messageBytes / 4)
    let (input, continuation) = AsyncThrowingStream.makeStream(of: WSFrame.self)
    continuation.yield(WSFrame(fin: false, opcode: .text, mask: nil, payload: part))
    for _ in 0..<6 {
      continuation.yield(WSFrame(fin: false, opcode: .continuation, mask: nil, payload: part))
    }
    continuation.finish()
    var opcodes: [WSFrame.Opcode] = []
    for await frame in try await LimitedFrames(base: All()).makeFrames(for: input) {
      opcodes.append(frame.opcode)
    }
    #expect(opcodes == [.text, .continuation, .continuation, .continuation, .close])
  }

  @Test("Nothing is sent after the close of a connection")
  func closed() async throws {
    struct Late: WSHandler {
      func makeFrames(
        for client: AsyncThrowingStream<WSFrame, any Error>
      ) async throws -> AsyncStream<WSFrame> {
        AsyncStream { continuation in
          for opcode in [WSFrame.Opcode.text, .close, .text] {
            continuation.yield(WSFrame(fin: true, opcode: opcode, mask: nil, payload: Data()))
          }
          continuation.finish()
        }
      }
    }
    let client = AsyncThrowingStream<WSFrame, any Error> { $0.finish() }
    var opcodes: [WSFrame.Opcode] = []
    for await frame in try await LimitedFrames(base: Late()).makeFrames(for: client) {
      opcodes.append(frame.opcode)
    }
    #expect(opcodes == [.text, .close])
  }
}
