import FlyingFox
import Foundation
import InkEditor

/// An open page: one editor and one package, which all clients of the page share.
///
/// Everything runs on one queue, which may block on the disk. Clients get only as many messages as
/// they confirm. A client on a slow connection gets fewer and larger changes, and no memory grows.
package final class PageSession: EditorDelegate, @unchecked Sendable {
  // Unchecked because all mutable members are used on the queue only.

  /// The queue of the page.
  private let queue: DispatchQueue
  private let engine: Engine
  /// A text that no other session has, also after a restart.
  private let epoch = UUID().uuidString
  private let makePackage: @Sendable () throws -> PagePackage
  private var package: PagePackage?
  private var document: PageDocument?
  /// The reason why the page cannot be used.
  private var failure: StudioError?
  private var snapshot = PageSnapshot()
  /// Earlier complete states, oldest first.
  private var remembered: [PageSnapshot] = []
  /// The blocks that changed since the last state; nil for all.
  private var changed: Set<String>? = nil
  private var notices: [String] = []
  private var isDue = false
  private var clients: [Int: PageClient] = [:]
  private var lastClient = 0
  private var isClosed = false

  /// Makes a session, which opens the page when it is first used.
  ///
  /// - Parameters:
  ///   - engine: The engine that all pages share.
  ///   - package: Opens the package that keeps the page.
  init(engine: Engine, package: @escaping @Sendable () throws -> PagePackage) {
    self.engine = engine
    makePackage = package
    queue = DispatchQueue(label: "ductus.studio.page", qos: .userInitiated)
    queue.async { self.open() }
  }

  private func open() {
    do {
      let package = try makePackage()
      let document = try PageDocument(
        engine: engine, part: package.part, ids: package.ids, language: package.language)
      (self.package, self.document) = (package, document)
      changed = nil
      document.editor.callbackExecutor = .queue(queue)
      document.editor.delegate = self
      refresh()
    } catch {
      failure = StudioError.of(error)
    }
  }

  /// Opens the page again from its package, because the editor has changes that were not kept.
  private func reopen(after error: StudioError) {
    leaveDocument()
    package = nil
    snapshot = PageSnapshot(revision: snapshot.revision + 1)
    remembered = []
    notices = []
    for id in clients.keys { clients[id]?.base = nil }
    open()
    if let failure {
      for client in clients.values { client.send(.failure(failure, id: nil)) }
    }
  }

  // MARK: - Calls from outside

  /// Runs a body with the page on its queue.
  ///
  /// - Throws: ``StudioError`` if the page cannot be opened, and the errors of the body.
  package func with<Value: Sendable>(
    _ body: @escaping @Sendable (PageDocument) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try body(self.opened()) })
      }
    }
  }

  /// Applies and keeps a command.
  ///
  /// - Returns: The first revision with its effect.
  /// - Throws: ``StudioError``.
  package func apply(_ command: PageCommand) async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try self.perform(command) })
      }
    }
  }

  /// Closes the page and its connections.
  ///
  /// - Parameter farewell: The last message to the clients.
  package func close(_ farewell: PageAnswer? = nil) async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.isClosed = true
        for client in self.clients.values {
          if let farewell { client.send(farewell) }
          client.finish()
        }
        self.clients = [:]
        self.leaveDocument()
        // A page that cannot be saved is continued from its unsaved work.
        try? self.package?.close()
        self.package = nil
        self.failure = StudioError(.busy, "the page was closed; open it again")
        continuation.resume()
      }
    }
  }

  /// Takes the part from its editor.
  private func leaveDocument() {
    document?.editor.delegate = nil
    document?.liftPens()
    // No pen is down, so the part can be taken away.
    try? document?.editor.setPart(nil)
    document = nil
  }

  private func opened() throws(StudioError) -> PageDocument {
    if let failure { throw failure }
    guard let document else { throw StudioError(.busy, "the page was closed; open it again") }
    return document
  }

  // MARK: - Clients

  /// Adds a client.
  ///
  /// - Parameter messages: Takes the messages to the client.
  /// - Returns: The number of the client; nil if the page was closed in the meantime.
  func connect(_ messages: AsyncStream<WSMessage>.Continuation) async -> Int? {
    await withCheckedContinuation { continuation in
      queue.async {
        guard !self.isClosed else { return continuation.resume(returning: nil) }
        self.removeSilentClients()
        let client = PageClient(messages)
        guard self.clients.count < PageLimits.clients else {
          client.send(
            .failure(
              StudioError(
                .busy, "expected at most \(PageLimits.clients) open tabs of a page; close one"),
              id: nil))
          client.finish()
          return continuation.resume(returning: nil)
        }
        self.lastClient += 1
        self.clients[self.lastClient] = client
        continuation.resume(returning: self.lastClient)
      }
    }
  }

  /// Removes a client.
  ///
  /// - Returns: true if no client is left.
  func disconnect(_ client: Int) async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async {
        self.remove(client)
        continuation.resume(returning: self.clients.isEmpty)
      }
    }
  }

  /// True unless the page could not be opened, or was closed.
  var isUsable: Bool {
    get async {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: self.failure == nil) }
      }
    }
  }

  /// True if the page has clients.
  var isUsed: Bool {
    get async {
      await withCheckedContinuation { continuation in
        queue.async {
          self.removeSilentClients()
          continuation.resume(returning: !self.clients.isEmpty)
        }
      }
    }
  }

  /// Handles a message of a client.
  func receive(_ text: String, from client: Int) {
    queue.async { self.handle(text, from: client) }
  }

  /// Removes clients whose connection was cut without notice: clients send something every 20 s.
  private func removeSilentClients() {
    let now = ContinuousClock.now
    for (id, client) in clients where now - client.heard > .seconds(90) { remove(id) }
  }

  private func remove(_ id: Int) {
    clients.removeValue(forKey: id)?.finish()
    document?.liftPens(of: id)
  }

  private func handle(_ text: String, from id: Int) {
    guard clients[id] != nil else { return }
    clients[id]?.heard = .now
    do throws(PageMessage.Refusal) {
      switch try PageMessage(parsing: text) {
      case .ping: clients[id]?.send(PageAnswer(.pong))
      case .pen(let movement): document?.follow(movement, of: id)
      case .seen(let serial):
        clients[id]?.confirm(serial)
        update(id)
      case .hello(let epoch, let revision):
        guard document != nil else {
          let error = failure ?? StudioError(.busy, "the page was closed; open it again")
          clients[id]?.send(.failure(error, id: nil))
          return
        }
        let known = epoch == self.epoch ? revision : nil
        clients[id]?.greet(
          known.flatMap { known in
            known == snapshot.revision ? snapshot : remembered.first { $0.revision == known }
          })
        update(id)
      case .command(let command):
        do {
          let revision = try perform(command)
          clients[id]?.send(.done(command.id, revision: revision))
        } catch {
          clients[id]?.send(.failure(StudioError.of(error), id: command.id))
        }
      }
    } catch {
      clients[id]?.send(.failure(error.error, id: error.id))
    }
  }

  /// Applies a command, shows its effect, and returns once it is kept.
  private func perform(_ command: PageCommand) throws(StudioError) -> Int {
    let document = try opened()
    guard let package else { throw StudioError(.busy, "the page was closed; open it again") }
    guard try document.apply(command) else {
      refresh()
      return snapshot.revision
    }
    // The ink is read by other threads while the command is written to the disk.
    refresh()
    do throws(StudioError) {
      try package.append(command)
    } catch {
      reopen(after: error)
      throw error
    }
    return snapshot.revision
  }

  // MARK: - Changes

  /// Handles events of the editor, on the queue.
  package func editor(_ editor: Editor, didEmit event: EditorEvent) {
    switch event {
    case .contentChanged(let added, let removed, let updated):
      changed?.formUnion(added)
      changed?.formUnion(removed)
      changed?.formUnion(updated)
    case .notice(let notice):
      guard !notices.contains(notice.code.rawValue) else { return }
      notices.append(notice.code.rawValue)
    case .selectionChanged: break
    default: return
    }
    guard !isDue else { return }
    isDue = true
    queue.async {
      self.isDue = false
      self.refresh()
      self.package?.settle()
    }
  }

  /// Makes the next state if something has changed, and sends it.
  private func refresh() {
    guard let document,
      let next = snapshot.next(document, changed: changed, notices: notices)
    else { return }
    changed = []
    remembered.append(snapshot)
    if remembered.count > PageLimits.rememberedStates { remembered.removeFirst() }
    snapshot = next
    for id in clients.keys { update(id) }
  }

  /// Sends what a client does not know, as far as it confirms what it got.
  private func update(_ id: Int) {
    guard let document else { return }
    while let client = clients[id], client.wants(snapshot) {
      clients[id]?.send(snapshot, document, epoch: epoch)
    }
  }
}
