import InkCore
import PenInput

/// Converts any ink to the events of a pen: deliveries of several samples, predictions of samples
/// to come, forces that are estimated first and corrected later.
///
/// Its behaviour follows measurements of real logs: 240 samples per second delivered at 60 Hz,
/// updates 22 to 40 ms late on average, no updates for the last three to six samples of a stroke, a
/// last sample with force 0, and predictions with the key of the last real sample. Equal seeds give
/// equal events.
struct PenSimulator: Sendable {
  /// An event with the time of its delivery in milliseconds.
  struct TimedEvent: Hashable, Sendable {
    /// Milliseconds.
    var time: Double
    /// The event.
    var event: PenEvent
  }

  /// The most samples in one delivery.
  var samplesPerDelivery = 4
  /// Milliseconds between samples without a time.
  var sampleInterval = 1000.0 / 240
  /// Probability that a delivery has predictions.
  var predictionRate = 0.8
  /// The number of samples at the end of each stroke without an update.
  var unansweredSamples = 3...6
  /// The force of samples without one.
  var defaultForce = 0.5
  private let seed: UInt64
  private static let firstForce = 1.0 / 3

  /// Makes a simulator.
  init(seed: UInt64) {
    self.seed = seed
  }

  /// The events of an ink in the order of their delivery. O(points log points).
  func events(of ink: Ink) -> [TimedEvent] {
    var generator = SeededGenerator(seed: seed, 0x9E)
    var events: [(TimedEvent, Int)] = []
    var clock = 0.0
    var key = 1
    for stroke in ink.strokes where !stroke.points.isEmpty {
      let times = Self.times(of: stroke, from: clock, interval: sampleInterval)
      append(stroke, times, &key, &events, &generator)
      clock = (times.last ?? clock) + 60
    }
    return events.sorted { ($0.0.time, $0.1) < ($1.0.time, $1.1) }.map(\.0)
  }

  /// The stroke's own times if they increase and begin after `start`; otherwise synthetic times.
  private static func times(of stroke: Stroke, from start: Double, interval: Double) -> [Double] {
    let own = stroke.points.compactMap(\.t)
    let isOwn =
      own.count == stroke.points.count && (own.first ?? 0) >= start
      && zip(own, own.dropFirst()).allSatisfy { $0 < $1 }
    return isOwn ? own : stroke.points.indices.map { start + Double($0) * interval }
  }

  private func append(
    _ stroke: Stroke, _ times: [Double], _ key: inout Int,
    _ events: inout [(TimedEvent, Int)], _ generator: inout SeededGenerator
  ) {
    func add(_ time: Double, _ event: PenEvent) {
      events.append((TimedEvent(time: time, event: event), events.count))
    }
    let last = stroke.points.count - 1
    let span = unansweredSamples.count
    let answered =
      last - unansweredSamples.lowerBound - generator.index(below: span)
    var start = 0
    while start < last || start == 0 {
      let end = start == 0 ? 1 : min(last, start + 1 + generator.index(below: samplesPerDelivery))
      let delivered = times[end - 1] + 2
      var samples: [PenSample] = []
      for index in start..<end {
        samples.append(sample(stroke.points[index], times[index], isFirst: index == 0, key + index))
        guard index <= answered else { continue }
        let late = 22 + 18 * Double(generator.uniform())
        add(
          max(delivered, times[index] + late), .updated(update(stroke.points[index], key + index)))
      }
      if start == 0, let first = samples.first {
        add(delivered, .began(first))
      } else {
        let guesses =
          Double(generator.uniform()) < predictionRate
          ? predictions(stroke, from: end, times, key + end - 1) : []
        add(delivered, .moved(coalesced: samples, predicted: guesses))
      }
      start = end
    }
    let final = stroke.points[last]
    add(
      times[last] + 2,
      .ended(
        last == 0
          ? nil
          : PenSample(
            point: StrokePoint(
              x: final.x, y: final.y, t: times[last], force: 0, azimuth: final.azimuth,
              altitude: final.altitude))))
    key += stroke.points.count
  }

  private func sample(
    _ point: StrokePoint, _ time: Double, isFirst: Bool, _ key: Int
  ) -> PenSample {
    var guess = point
    guess.t = time
    guess.force = isFirst ? Self.firstForce : (point.force ?? defaultForce) * 1.2
    return PenSample(
      point: guess, estimated: .force, expectingUpdates: .force, updateIndex: key)
  }

  private func update(_ point: StrokePoint, _ key: Int) -> PenUpdate {
    PenUpdate(index: key, force: point.force ?? defaultForce)
  }

  /// The next points with small errors, with the key of the last real sample.
  private func predictions(
    _ stroke: Stroke, from start: Int, _ times: [Double], _ key: Int
  ) -> [PenSample] {
    (start..<min(start + 2, stroke.points.count)).map { index in
      let point = stroke.points[index]
      return PenSample(
        point: StrokePoint(x: point.x + 0.7, y: point.y - 0.4, t: times[index], force: 0.9),
        estimated: [.force, .azimuth, .altitude, .location], expectingUpdates: .force,
        updateIndex: key)
    }
  }
}
