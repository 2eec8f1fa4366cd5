import Foundation
import InkCore
import PenInput

/// One record of a log of touch events, in the format of tools that record an Apple Pencil: a JSON
/// array of objects with the names of UIKit's properties.
struct PenLogEntry: Hashable, Sendable, Decodable {
  /// The touch of the record.
  var touch: String
  /// The phase of the touch.
  var phase: TouchPhase
  /// True if the touch was made by a pen, false for a finger.
  var isPen: Bool
  /// True if the record holds better values of an earlier one.
  var isUpdate: Bool
  /// True if the record predicts one to come.
  var isPrediction: Bool
  /// The largest force of the device.
  var maximumForce: Double
  /// The sample; time in milliseconds.
  var sample: PenSample

  private enum CodingKeys: String, CodingKey {
    case touchIdentifier, phase, type, isUpdate, isPrediction, maximumPossibleForce, timestamp
    case location, force, azimuth, altitudeAngle, estimatedProperties
    case estimatedPropertiesExpectingUpdates, estimationUpdateIndex
  }

  private static let penType = 2

  /// Makes a record of a pen.
  init(touch: String, phase: TouchPhase, sample: PenSample, maximumForce: Double = 0) {
    self.touch = touch
    self.phase = phase
    self.sample = sample
    self.maximumForce = maximumForce
    isPen = true
    isUpdate = false
    isPrediction = false
  }

  /// Reads a record.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    touch = try values.decode(String.self, forKey: .touchIdentifier)
    phase = try values.decode(TouchPhase.self, forKey: .phase)
    isPen = try values.decode(Int.self, forKey: .type) == Self.penType
    isUpdate = try values.decodeIfPresent(Bool.self, forKey: .isUpdate) ?? false
    isPrediction = try values.decodeIfPresent(Bool.self, forKey: .isPrediction) ?? false
    maximumForce = try values.decodeIfPresent(Double.self, forKey: .maximumPossibleForce) ?? 0
    let location = try values.decode([Double].self, forKey: .location)
    guard location.count == 2 else {
      throw DecodingError.dataCorruptedError(
        forKey: .location, in: values, debugDescription: "expected two numbers")
    }
    sample = PenSample(
      point: StrokePoint(
        x: location[0], y: location[1],
        t: try values.decode(Double.self, forKey: .timestamp) * 1000,
        force: try values.decodeIfPresent(Double.self, forKey: .force),
        azimuth: try values.decodeIfPresent(Double.self, forKey: .azimuth),
        altitude: try values.decodeIfPresent(Double.self, forKey: .altitudeAngle)),
      estimated: PenProperties(
        rawValue: try values.decodeIfPresent(Int.self, forKey: .estimatedProperties) ?? 0),
      expectingUpdates: PenProperties(
        rawValue: try values.decodeIfPresent(
          Int.self, forKey: .estimatedPropertiesExpectingUpdates) ?? 0),
      updateIndex: try values.decodeIfPresent(Int.self, forKey: .estimationUpdateIndex))
  }

  /// The records of a log.
  ///
  /// - Throws: `DecodingError`.
  static func entries(of json: Data) throws -> [PenLogEntry] {
    try JSONDecoder().decode([PenLogEntry].self, from: json)
  }
}

/// Plays a log into a ``StrokeAssembler``.
///
/// A log does not mark the end of a delivery. A run of real samples of one touch, with the
/// following predictions, counts as one delivery. A value: copies are independent.
struct PenLogReplay: Hashable, Sendable {
  /// The strokes so far, without the current delivery.
  private(set) var assembler: StrokeAssembler
  /// The number of deliveries passed to the assembler.
  private(set) var deliveries = 0

  private var coalesced: [PenSample] = []
  private var predicted: [PenSample] = []
  private var touch = ""
  private var pointers: [String: Int] = [:]

  /// Makes a replay without events.
  init(assembler: StrokeAssembler = StrokeAssembler()) {
    self.assembler = assembler
  }

  /// Plays one record.
  mutating func play(_ entry: PenLogEntry) {
    let pointer = pointers[entry.touch] ?? pointers.count
    pointers[entry.touch] = pointer
    if entry.isUpdate {
      deliver()
      let sample = entry.sample
      send(
        .updated(
          PenUpdate(
            index: sample.updateIndex ?? -1,
            location: PenUpdate.Location(x: sample.point.x, y: sample.point.y),
            force: sample.point.force, azimuth: sample.point.azimuth,
            altitude: sample.point.altitude, estimated: sample.estimated,
            expectingUpdates: sample.expectingUpdates)), pointer)
      return
    }
    if entry.isPrediction {
      if touch != entry.touch { deliver() }
      touch = entry.touch
      predicted.append(entry.sample)
      return
    }
    // A real sample after predictions, or of another touch, begins a delivery.
    if !predicted.isEmpty || touch != entry.touch || entry.phase != .moved { deliver() }
    touch = entry.touch
    switch entry.phase {
    case .began: send(.began(entry.sample), pointer)
    case .moved, .stationary: coalesced.append(entry.sample)
    case .ended: send(.ended(entry.sample), pointer)
    case .cancelled: send(.cancelled, pointer)
    }
  }

  /// Passes the current delivery to the assembler, for example at the end of a log.
  mutating func deliver() {
    guard !coalesced.isEmpty || !predicted.isEmpty else { return }
    send(.moved(coalesced: coalesced, predicted: predicted), pointers[touch] ?? 0)
    coalesced = []
    predicted = []
  }

  private mutating func send(_ event: PenEvent, _ pointer: Int) {
    deliveries += 1
    assembler.handle(event, pointer: pointer)
  }
}

extension PenLogEntry: TouchLike {
  /// The phase of the touch.
  var touchPhase: TouchPhase { phase }
  /// The position of the sample.
  var place: (x: Double, y: Double) { (sample.point.x, sample.point.y) }
  /// The time of the sample in seconds.
  var seconds: Double { (sample.point.t ?? 0) / 1000 }
  /// The force of the sample.
  var touchForce: Double? { sample.point.force }
  /// The altitude of the sample.
  var altitude: Double? { sample.point.altitude }
  /// The azimuth of the sample.
  var azimuth: Double? { sample.point.azimuth }
  /// The roll of the sample.
  var roll: Double? { sample.point.roll }
  /// The guesses of the sample.
  var estimatedBits: Int { sample.estimated.rawValue }
  /// The promises of the sample.
  var expectedBits: Int { sample.expectingUpdates.rawValue }
  /// The key of the sample.
  var updateIndex: Int? { sample.updateIndex }
}
