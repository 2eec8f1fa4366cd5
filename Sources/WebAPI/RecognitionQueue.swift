import Dispatch
import Files
import Foundation
import Recognition

/// Runs work on its own threads, so that a long page does not delay other requests. Refuses work
/// that would wait too long.
///
/// Thread-safe.
package final class RecognitionQueue: Sendable {
  /// One piece of work. It ends once: with its result, or after its time.
  private final class Job: Sendable {
    private struct State: @unchecked Sendable {
      // Unchecked because any thread may use a timer.
      var finish: (@Sendable (Bool) -> Void)?
      var timer: (any DispatchSourceTimer)?
    }
    private let state: Guarded<State>
    let work: @Sendable () -> Void

    init(work: @escaping @Sendable () -> Void, finish: @escaping @Sendable (Bool) -> Void) {
      self.work = work
      state = Guarded(State(finish: finish))
    }

    var isOver: Bool { state.withLock { $0.finish == nil } }

    /// Ends the job after a time. The timer goes with the job, not after that time.
    func end(after seconds: Double, on queue: DispatchQueue) {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + seconds)
      timer.setEventHandler { [weak self] in self?.end(inTime: false) }
      state.withLock { state in if state.finish != nil { state.timer = timer } }
      timer.resume()
      if isOver { timer.cancel() }
    }

    /// Reports the end; the second call has no effect.
    func end(inTime: Bool) {
      let (finish, timer) = state.withLock { state in
        defer { (state.finish, state.timer) = (nil, nil) }
        return (state.finish, state.timer)
      }
      timer?.cancel()
      finish?(inTime)
    }
  }

  private let queue = DispatchQueue(label: "ductus.recognition", attributes: .concurrent)
  private struct State {
    var running = 0
    var jobs: [Job] = []
  }
  private let state = Guarded(State())
  private let workers: Int
  private let capacity: Int

  init(workers: Int, waiting: Int) {
    self.workers = workers
    capacity = waiting
  }

  /// The number of jobs that run or wait.
  package var load: Int { state.withLock { $0.running + $0.jobs.count } }

  /// Runs a piece of work.
  ///
  /// - Parameter seconds: The time to wait for the result. The work may continue after that, but
  ///   its result is dropped.
  /// - Throws: ``ExchangeError`` of code `busy` or `timedOut`.
  package func run<Value: Sendable>(
    seconds: Double, _ body: @escaping @Sendable () -> Value
  ) async throws(ExchangeError) -> Value {
    let box = ResultBox<Value>()
    let isAccepted: Bool? = await withCheckedContinuation { continuation in
      let job = Job {
        box.value = body()
      } finish: {
        continuation.resume(returning: $0)
      }
      guard enqueue(job) else { return continuation.resume(returning: nil) }
      job.end(after: seconds, on: queue)
    }
    guard let isAccepted else {
      throw ExchangeError(.busy, "too many requests at once; try again in a second")
    }
    guard isAccepted, let value = box.value else {
      throw ExchangeError(
        .timedOut, "the request was not read within \(seconds) s; send fewer points")
    }
    return value
  }

  /// Starts a job or lets it wait; returns false if too many are waiting.
  private func enqueue(_ job: Job) -> Bool {
    let starts = state.withLock { (state) -> Bool? in
      if state.running < workers {
        state.running += 1
        return true
      }
      guard state.jobs.count < capacity else { return nil }
      state.jobs.append(job)
      return false
    }
    if starts == true { start(job) }
    return starts != nil
  }

  private func start(_ job: Job) {
    queue.async { [self] in
      var next: Job? = job
      while let job = next {
        if !job.isOver {
          job.work()
          job.end(inTime: true)
        }
        next = state.withLock { state in
          if state.jobs.isEmpty {
            state.running -= 1
            return nil
          }
          return state.jobs.removeFirst()
        }
      }
    }
  }
}

/// A value that one thread writes before another reads it.
private final class ResultBox<Value: Sendable>: Sendable {
  private let stored = Guarded<Value?>(nil)

  var value: Value? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
