import Foundation
import Recognition

/// The failure of an outside program that recognises ink. It ends the evaluation, because the
/// figures of a program that loses answers mean nothing.
package struct ExternalModelError: RecognizerFault, Hashable, CustomStringConvertible {
  /// The way in which a program fails. It holds nothing of the ink and of the answer's text.
  package enum Problem: Hashable, Sendable {
    /// The system did not start the program.
    case notStarted(reason: String)
    /// The answer is not one of the protocol.
    case malformed(String)
    /// No answer came within the time limit.
    case late(seconds: Double)
    /// An answer came that no request asked for.
    case twice
    /// The answer has the identifier of no request.
    case otherIdentifier
    /// The program ended, with its exit code.
    case exited(code: Int32)
    /// A signal ended the program.
    case killed(signal: Int32)
    /// The program closed its output and went on running.
    case closed
  }

  /// The command, as given.
  package var command: String
  /// The place of the ink in the data; nil if no ink was being read.
  package var place: String?
  /// The way in which the program failed.
  package var problem: Problem

  /// Makes an error.
  package init(_ problem: Problem, command: String, place: String? = nil) {
    self.problem = problem
    self.command = command
    self.place = place
  }

  package func at(_ place: String) -> ExternalModelError {
    ExternalModelError(problem, command: command, place: place)
  }

  /// The command, the place and the problem.
  package var description: String {
    let place = place.map { ", \($0)" } ?? ""
    return "exec:\(command)\(place): \(text)"
  }

  private var text: String {
    switch problem {
    case .notStarted(let reason): "cannot be started: \(reason)"
    case .malformed(let problem):
      "expected one line of JSON with the id of the request and its candidates, found another "
        + "answer: \(problem); 'ductus recognize --json-schema' describes answers"
    case .late(let seconds):
      String(format: "expected an answer within %g seconds, found none; ", seconds)
        + "look whether the program writes its output after each line, or raise --time-limit"
    case .twice:
      "expected one line for each request, found a second answer; write one line and then wait "
        + "for the next request"
    case .otherIdentifier:
      "expected an answer with the id of the request, found another id; copy the id of the request"
    case .exited(code: 0):
      "expected an answer, but the program ended before (exit code 0); it must read requests until "
        + "its input ends"
    case .exited(let code):
      "expected an answer, but the program ended (exit code \(code)); its own messages are above"
        + (code == 127 ? "; the shell found no such command" : "")
    case .killed(let signal):
      "expected an answer, but signal \(signal) ended the program (\(Self.name(of: signal)))"
    case .closed:
      "expected an answer, but the program closed its output; it must answer until its input ends"
    }
  }

  private static func name(of signal: Int32) -> String { String(cString: strsignal(signal)) }
}

extension ExternalModelError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  package var errorDescription: String? { description }
}
