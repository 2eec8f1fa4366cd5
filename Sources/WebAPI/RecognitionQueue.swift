import Dispatch
import Foundation
import Recognition

/// Runs work on its own threads, so that a long page does not delay other requests. Refuses work
/// that would wait too long.
///
/// Thread-safe.
final class RecognitionQueue: @unchecked Sendable {
  // Unchecked because the lock guards the counts and the waiting jobs.

  /// One piece of work. It ends once: with its result, or after its time.
  private final class Job: @unchecked Sendable {
    private let lock = NSLock()
    private var finish: (@Sendable (Bool) -> Void)?
    private var timer: (any DispatchSourceTimer)?
    let work: @Sendable () -> Void

    init(work: @escaping @Sendable () -> Void, finish: @escaping @Sendable (Bool) -> Void) {
      self.work = work
      self.finish = finish
    }

    var isOver: Bool { lock.withLock { finish == nil } }

    /// Ends the job after a time. The timer goes with the job, not after that time.
    func end(after seconds: Double, on queue: DispatchQueue) {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + seconds)
      timer.setEventHandler { [weak self] in self?.end(inTime: false) }
      lock.withLock { if finish != nil { self.timer = timer } }
      timer.resume()
      if isOver { timer.cancel() }
    }

    /// Reports the end; the second call has no effect.
    func end(inTime: Bool) {
      let (finish, timer) = lock.withLock {
        defer { (self.finish, self.timer) = (nil, nil) }
        return (self.finish, self.timer)
      }
      timer?.cancel()
      finish?(inTime)
    }
  }

  private let queue = DispatchQueue(label: "ductus.recognition", attributes: .concurrent)
  private let lock = NSLock()
  private let workers: Int
  private let capacity: Int
  private var running = 0
  private var jobs: [Job] = []

  init(workers: Int, waiting: Int) {
    self.workers = workers
    capacity = waiting
  }

  /// The number of jobs that run or wait.
  var load: Int { lock.withLock { running + jobs.count } }

  /// Runs a piece of work.
  ///
  /// - Parameter seconds: The time to wait for the result. The work may continue after that, but
  ///   its result is dropped.
  /// - Throws: ``ExchangeError`` of code `busy` or `timedOut`.
  func run<Value: Sendable>(
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
    let starts = lock.withLock { () -> Bool? in
      if running < workers {
        running += 1
        return true
      }
      guard jobs.count < capacity else { return nil }
      jobs.append(job)
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
        next = lock.withLock {
          if jobs.isEmpty {
            running -= 1
            return nil
          }
          return jobs.removeFirst()
        }
      }
    }
  }
}

/// A value that one thread writes before another reads it.
private final class ResultBox<Value: Sendable>: @unchecked Sendable {
  // Unchecked because the lock guards the value.
  private let lock = NSLock()
  private var stored: Value?

  var value: Value? {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }
}
