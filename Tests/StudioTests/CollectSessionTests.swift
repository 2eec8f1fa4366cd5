import Files
import Foundation
import InkCore
import InkFormats
import Studio
import Testing

private func plan(_ count: Int = 4) throws -> CollectPlan {
  try CollectPlan(
    writer: "w1", options: .init(), prompts: (0..<count).map { CollectPrompt(label: "word\($0)") })
}

/// A session in a folder of its own.
private func withSession(
  _ count: Int = 4, _ body: (CollectSession, CollectFolder) throws -> Void
) throws {
  let folder = try CollectFolder()
  try body(try CollectSession(in: folder.url, name: "mine", creating: try plan(count)), folder)
}

private func labels(_ folder: CollectFolder) throws -> [String] {
  try InkReader(.jsonLines, path: folder.file("mine.jsonl").path).map { try $0.get().labeled.label }
}

@Suite("Sessions that collect ink") struct CollectSessionTests {
  @Test("A stored sample is in the file before the answer, and after opening again")
  func storing() throws {
    let folder = try CollectFolder()
    do {
      let session = try CollectSession(in: folder.url, name: "mine", creating: try plan())
      #expect(session.state().next?.index == 0)
      #expect(try session.put(try collectSample("a"), at: 0).warnings.isEmpty)
      #expect(try labels(folder) == ["word0"])
      try session.put(try collectSample("c", 5), at: 2)
      try session.skip(1, true)
    }
    let session = try CollectSession(in: folder.url, name: "mine")
    let state = session.state()
    #expect((state.written, state.skipped, state.next?.index) == (2, 1, 3))
    #expect(session.prompts(0..<9).map(\.sample) == ["a", nil, "c", nil])
  }

  @Test("A repeated request stores the sample once")
  func idempotent() throws {
    try withSession { session, folder in
      let first = try session.put(try collectSample("a"), at: 0)
      #expect(!first.isRepeated)
      #expect(try session.put(try collectSample("a"), at: 0).isRepeated)
      #expect(try labels(folder) == ["word0"])
    }
  }

  @Test("A sample of a prompt that another page wrote is stale")
  func conflict() throws {
    try withSession { session, folder in
      try session.put(try collectSample("a"), at: 0)
      #expect(throws: CollectSession.Stale.self) {
        try session.put(try collectSample("b", 2), at: 0)
      }
      #expect(throws: CollectSession.Stale.self) {
        try session.put(try collectSample("b", 2, replaces: "x"), at: 0)
      }
      #expect(session.prompt(0).sample == "a")
      #expect(try labels(folder).count == 1)
    }
  }

  @Test("A sample is replaced only by one that names it")
  func redo() throws {
    try withSession { session, folder in
      try session.put(try collectSample("a"), at: 0)
      try session.put(try collectSample("b", 1), at: 1)
      try session.put(try collectSample("a2", 2, replaces: "a"), at: 0)
      #expect(session.prompts(0..<2).map(\.sample) == ["a2", "b"])
      #expect(try labels(folder) == ["word0", "word1"])
      // The answer was lost and the request is sent again.
      #expect(try session.put(try collectSample("a2", 2, replaces: "a"), at: 0).isRepeated)
    }
  }

  @Test("A deleted sample does not come back with a late repetition of its request")
  func deletion() throws {
    let folder = try CollectFolder()
    do {
      let session = try CollectSession(in: folder.url, name: "mine", creating: try plan())
      try session.put(try collectSample("a"), at: 0)
      try session.put(try collectSample("b", 1), at: 1)
      #expect(throws: CollectSession.Stale.self) { try session.delete(0, id: "b") }
      try session.delete(0, id: "a")
      try session.delete(0, id: "a")
      #expect(try labels(folder) == ["word1"])
    }
    let session = try CollectSession(in: folder.url, name: "mine")
    #expect(throws: CollectSession.Stale.self) { try session.put(try collectSample("a"), at: 0) }
    try session.put(try collectSample("a3"), at: 0)
    #expect(try labels(folder).sorted() == ["word0", "word1"])
  }

  @Test("The identifier of another prompt's sample is refused")
  func usedIdentifier() throws {
    try withSession { session, _ in
      try session.put(try collectSample("a"), at: 0)
      #expect(collectCode { _ = try session.put(try collectSample("a"), at: 1) } == .conflict)
    }
  }

  @Test("Skipped prompts come last, and a sample takes the mark away")
  func skipping() throws {
    try withSession { session, _ in
      try session.skip(0, true)
      try session.skip(0, true)
      #expect(session.state().next?.index == 1)
      #expect(session.state(after: 2).next?.index == 3)
      #expect(session.state(after: 3).next?.index == 1)
      try session.put(try collectSample("a"), at: 0)
      #expect(session.state().skipped == 0)
      #expect(collectCode { try session.skip(0, true) } == .conflict)
      #expect(collectCode { try session.skip(4, true) } == .notFound)
      #expect(collectCode { try session.skip(-1, true) } == .notFound)
    }
  }

  @Test("A second studio cannot open the session until the first one ends")
  func lock() throws {
    let folder = try CollectFolder()
    do {
      let session = try CollectSession(in: folder.url, name: "mine", creating: try plan())
      #expect(collectCode { _ = try CollectSession(in: folder.url, name: "mine") } == .busy)
      _ = session.name
    }
    #expect(try CollectSession(in: folder.url, name: "mine").state().prompts == 4)
  }

  @Test("A new session never takes the name of a session or of ink")
  func names() throws {
    try withSession { session, folder in
      _ = session.name
      #expect(
        collectCode {
          _ = try CollectSession(in: folder.url, name: "other", creating: try plan())
          _ = try CollectSession(in: folder.url, name: "other", creating: try plan())
        } == .conflict)
      let ink = try collectLine("one", prompt: 0)
      try ink.write(to: folder.file("ink.jsonl"))
      #expect(
        collectCode {
          _ = try CollectSession(in: folder.url, name: "ink", creating: try plan())
        } == .conflict)
      #expect(try Data(contentsOf: folder.file("ink.jsonl")) == ink)
      #expect(collectCode { _ = try CollectSession(in: folder.url, name: "none") } == .notFound)
    }
  }

  @Test(
    "A damaged session file is an error, and the file stays unchanged",
    arguments: [
      "", "{", #"{"version":1}"#,
      #"{"version":2,"writer":"","options":{"guides":true,"area":true,"line":0.6},"#
        + #""prompts":[{"label":"a"}],"skipped":[],"deleted":[]}"#,
      #"{"version":1,"writer":"","options":{"guides":true,"area":true,"line":0.6},"#
        + #""prompts":[{"label":"a"}],"skipped":[7],"deleted":[]}"#,
    ])
  func damagedPlan(_ text: String) throws {
    let folder = try CollectFolder()
    let file = folder.file("mine.session.json")
    try Data(text.utf8).write(to: file)
    #expect(collectCode { _ = try CollectSession(in: folder.url, name: "mine") } == .unusableFile)
    #expect(try Data(contentsOf: file) == Data(text.utf8))
  }

  @Test("Options and writer change without touching samples, prompts or marks")
  func options() throws {
    try withSession { session, folder in
      try session.put(try collectSample("a"), at: 0)
      try session.skip(1, true)
      try session.change(.init(guides: false, area: false, line: 0.3), writer: "w2")
      try session.put(try collectSample("b", 4), at: 2)
      let writers = try InkReader(.jsonLines, path: folder.file("mine.jsonl").path)
        .map { try $0.get().labeled.writer }
      #expect(writers == ["w1", "w2"])
      #expect(session.state().skipped == 1)
      for line in [0.1, 1, .nan, .infinity] {
        #expect(
          collectCode {
            try session.change(.init(guides: true, area: true, line: line), writer: nil)
          } == .invalidValue)
      }
    }
  }

  @Test("Equal points are reported as a duplicate, a replacement of the same ink is not")
  func duplicates() throws {
    try withSession { session, _ in
      try session.put(try collectSample("a"), at: 0)
      #expect(try session.put(try collectSample("b"), at: 1).warnings == [.duplicate])
      #expect(try session.put(try collectSample("c", 3), at: 2).warnings == [])
      #expect(try session.put(try collectSample("c2", 3, replaces: "c"), at: 2).warnings == [])
      // A repeated request gets the same answer.
      #expect(try session.put(try collectSample("b"), at: 1).warnings == [.duplicate])
    }
  }
}
