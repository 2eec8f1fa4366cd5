import Files
import Foundation
import InkCore
import Recognition

/// A program of others that recognises ink: it reads one request per line from its standard input
/// and answers each with one line, in the protocol of `ductus recognize -`.
///
/// The program never gets labels or writers. One ink is read at a time; calls from several threads
/// wait for each other. An answer with an error object concerns one ink. A program that ends, hangs,
/// or answers out of order fails with ``ExternalModelError``, and reads nothing afterwards.
///
///     let model = try ExternalRecognizer("ductus recognize - --model shapes", labels: labels)
///     let result = try model.recognize(ink)
///     let figures = try model.finish()
package final class ExternalRecognizer: Recognizer {
  /// The time and the memory of the program.
  package struct Figures: Hashable, Sendable {
    /// Seconds from its start to its first answer; nil if it gave none.
    package var firstAnswerSeconds: Double?
    /// Processor time of all its processes.
    package var cpuSeconds: Double
    /// The sum of the largest resident sets of its processes; nil if the system does not say.
    package var peakResidentBytes: Int?
  }

  /// The time that an answer may take by default, in seconds. The first includes the program's
  /// start.
  package static let usualTimeLimit = 30.0
  /// The most candidates that the protocol allows to ask for.
  private static let mostCandidates = ExchangeLimits().candidates

  /// The command, as the shell gets it.
  package let command: String
  /// The labels of a program that reads glyphs; nil for one that reads texts.
  package let labels: [String]?
  /// The time that an answer may take.
  package let timeLimit: Duration

  private struct State {
    var connection: ProgramConnection?
    var fault: ExternalModelError?
    var requests = 0
    var started = ContinuousClock.now
    var firstAnswerSeconds: Double?
  }
  private let state = Guarded(State())

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - command: A command of the shell.
  ///   - labels: The labels that the program may answer with, if it reads glyphs; nil for texts.
  ///   - timeLimit: The seconds that an answer may take.
  /// - Throws: ``ExternalModelError``.
  package init(
    _ command: String, labels: [String]? = nil, timeLimit: Double = usualTimeLimit
  ) throws(ExternalModelError) {
    self.command = command
    self.labels = labels
    self.timeLimit = .seconds(timeLimit)
    try state.withLock { state throws(ExternalModelError) in
      do throws(ProgramFault) {
        state.connection = try ProgramConnection(starting: command)
      } catch {
        throw self.error(of: error)
      }
    }
  }

  deinit {
    state.withLock { $0.connection?.stop() }
  }

  package func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    try ink.validate()
    var request = RecognitionRequest(ink: ink)
    request.writingArea = context.writingArea
    request.preContext = context.preContext
    request.layout = context.layout
    request.maximumCandidates = min(max(1, maximumCandidates), Self.mostCandidates)
    request.includesSpans = labels == nil
    let answer = try answer(request)
    switch answer.content {
    case .failure(let error): throw error
    case .reading(let reading):
      var result = reading.result
      // A program may answer with more than it was asked for.
      result.candidates = Array(result.candidates.prefix(max(1, maximumCandidates)))
      return result
    }
  }

  /// Sends a request and waits for its answer.
  private func answer(_ request: RecognitionRequest) throws(ExternalModelError) -> RecognitionAnswer
  {
    try state.withLock { state throws(ExternalModelError) in
      if let fault = state.fault { throw fault }
      do throws(ExternalModelError) {
        return try exchange(request, &state)
      } catch {
        state.fault = error
        state.connection?.stop()
        state.connection = nil
        throw error
      }
    }
  }

  private func exchange(
    _ request: RecognitionRequest, _ state: inout State
  ) throws(ExternalModelError) -> RecognitionAnswer {
    guard var connection = state.connection else { throw failure(.closed) }
    defer { if state.connection != nil { state.connection = connection } }
    guard !connection.hasUnaskedAnswer() else { throw failure(.twice) }
    state.requests += 1
    var request = request
    request.id = .number("\(state.requests)")
    let deadline = ContinuousClock.now + timeLimit
    let line: [UInt8]
    do throws(ProgramFault) {
      try connection.send(request.json, until: deadline)
      line = try connection.receive(until: deadline)
    } catch {
      throw self.error(of: error)
    }
    if state.firstAnswerSeconds == nil {
      state.firstAnswerSeconds = (ContinuousClock.now - state.started) / .seconds(1)
    }
    let answer: RecognitionAnswer
    do throws(ExchangeError) {
      answer = try RecognitionAnswer(parsing: line)
    } catch {
      throw failure(.malformed(error.description))
    }
    guard answer.id == request.id else {
      // The answer before, once more.
      throw failure(answer.id.map { isEarlier($0, state) } == true ? .twice : .otherIdentifier)
    }
    return answer
  }

  private func isEarlier(_ id: RecognitionRequest.Identifier, _ state: State) -> Bool {
    guard case .number(let digits) = id, let number = Int(digits) else { return false }
    return number >= 1 && number < state.requests
  }

  /// Ends the input of the program, and waits until it ends.
  ///
  /// - Returns: Its time and memory.
  /// - Throws: ``ExternalModelError`` if it failed before, or answers what nobody asked.
  package func finish() throws(ExternalModelError) -> Figures {
    try state.withLock { state throws(ExternalModelError) in
      if let fault = state.fault { throw fault }
      guard var connection = state.connection else { throw failure(.closed) }
      state.connection = nil
      let end: (usage: ProgramConnection.Usage, hasUnaskedAnswer: Bool)
      do throws(ProgramFault) {
        end = try connection.finish(until: .now + timeLimit)
      } catch {
        throw self.error(of: error)
      }
      guard !end.hasUnaskedAnswer else { throw failure(.twice) }
      return Figures(
        firstAnswerSeconds: state.firstAnswerSeconds, cpuSeconds: end.usage.cpuSeconds,
        peakResidentBytes: end.usage.peakResidentBytes)
    }
  }

  private func failure(_ problem: ExternalModelError.Problem) -> ExternalModelError {
    ExternalModelError(problem, command: command)
  }

  private func error(of fault: ProgramFault) -> ExternalModelError {
    switch fault {
    case .notStarted(let code): failure(.notStarted(reason: String(cString: strerror(code))))
    case .late: failure(.late(seconds: timeLimit / .seconds(1)))
    case .tooLong(let bytes): failure(.malformed("more than \(bytes) bytes without a line break"))
    case .exited(let code): failure(.exited(code: code))
    case .killed(let signal): failure(.killed(signal: signal))
    case .closed: failure(.closed)
    }
  }
}
