import Foundation

/// A message of a client.
package enum PageMessage: Sendable {
  /// The client wants the state of the page; with what it knows from an earlier connection.
  case hello(epoch: String?, revision: Int?)
  /// The client has got a message with changes.
  case seen(serial: Int)
  /// The client checks the connection.
  case ping
  /// The samples of a pen that is down.
  case pen(PenMovement)
  case command(PageCommand)

  private struct Envelope: Decodable {
    var type: String
    var id: String?
    var epoch: String?
    var revision: Int?
    var serial: Int?
  }

  /// A message that cannot be used, with the id of its command if it has one.
  package struct Refusal: Error {
    package var id: String?
    package var error: StudioError
  }

  /// Reads a message.
  ///
  /// - Throws: ``Refusal``.
  package init(parsing text: String) throws(Refusal) {
    guard text.utf8.count <= PageLimits.messageBytes else {
      throw Refusal(
        id: nil,
        error: StudioError(
          .tooLarge, "expected a message of at most \(PageLimits.messageBytes) bytes, found more"))
    }
    let bytes = Data(text.utf8)
    var id: String?
    do {
      let decoder = JSONDecoder()
      let envelope = try decoder.decode(Envelope.self, from: bytes)
      id = envelope.id
      switch envelope.type {
      case "hello": self = .hello(epoch: envelope.epoch, revision: envelope.revision)
      case "ping": self = .ping
      case "pen": self = .pen(try decoder.decode(PenMovement.self, from: bytes))
      case "seen":
        guard let serial = envelope.serial else {
          throw StudioError(.invalidValue, "expected a whole number", field: "serial")
        }
        self = .seen(serial: serial)
      default: self = .command(try decoder.decode(PageCommand.self, from: bytes).checked())
      }
    } catch {
      throw Refusal(id: id, error: StudioError.of(error))
    }
  }
}

/// An answer to a client that is not a change of the page.
package struct PageAnswer: Encodable, Sendable {
  /// The kind of answer.
  enum Kind: String, Encodable, Sendable {
    /// The command was applied and is kept, or was known already.
    case done
    /// The command or message was refused.
    case error
    case pong
    /// The page has another name.
    case renamed
    /// The page was deleted.
    case deleted
  }

  var type: Kind
  /// The id of the command.
  var id: String?
  /// The first state of the page that has the effect of the command.
  var revision: Int?
  var code: String?
  var message: String?
  var field: String?
  var name: String?

  /// Makes an answer without values.
  init(_ type: Kind) { self.type = type }

  /// Reports that a command is kept.
  static func done(_ id: String, revision: Int) -> PageAnswer {
    var answer = PageAnswer(.done)
    answer.id = id
    answer.revision = revision
    return answer
  }

  /// Reports why a command or message was refused.
  static func failure(_ error: StudioError, id: String?) -> PageAnswer {
    var answer = PageAnswer(.error)
    answer.id = id
    answer.code = error.code.rawValue
    answer.message = error.message
    answer.field = error.field
    return answer
  }

  /// Reports the new name of the page.
  static func renamed(_ name: String) -> PageAnswer {
    var answer = PageAnswer(.renamed)
    answer.name = name
    return answer
  }
}
