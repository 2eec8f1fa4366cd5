import Crypto
import Foundation
import LinearAlgebra
import Networks
import SafeTensors

/// The state of a training run on disk, in `NAME.ductus.training/`.
///
/// One file holds everything and is replaced by rename, so that a run killed at any moment leaves
/// the last checkpoint intact. Weights and moments are stored as 32-bit floats: a resumed run
/// continues with the same bits.
public struct TrainingCheckpoint: Sendable {
  /// The folder.
  public let folder: URL

  /// Names the folder. Nothing is read or written.
  public init(folder: URL) {
    self.folder = folder
  }

  private var file: URL { folder.appendingPathComponent("checkpoint.safetensors") }
  private static let stateKey = "ductus.training"
  private static let digestKey = "ductus.training.sha256"

  /// The part of a checkpoint that is not a tensor.
  private struct Record<Configuration: Codable>: Codable {
    var version = 1
    var configuration: Configuration
    var data: DataIdentity
    var labels: [String]
    var state: TrainingState
  }

  /// True if there is a checkpoint.
  package var exists: Bool { FileManager.default.fileExists(atPath: file.path) }

  /// Saves a trainer's state.
  ///
  /// - Throws: `SafeTensorsError`, or Foundation's error if the folder cannot be made.
  public func save<Task>(_ trainer: Trainer<Task>, data: DataIdentity) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var state = trainer.state
    state.seconds = trainer.seconds
    let record = Record(
      configuration: trainer.configuration, data: data, labels: trainer.labels, state: state)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(record), as: UTF8.self)
    let tensors = trainer.buffers.map { name, buffer in
      SafeTensors.Tensor(name: name, shape: [buffer.count], values: buffer.values)
    }
    let metadata = [Self.stateKey: text, Self.digestKey: Self.digest(of: text, tensors)]
    try SafeTensors(tensors: tensors, metadata: metadata).write(to: file)
  }

  /// Restores a trainer to the state of the checkpoint.
  ///
  /// - Throws: ``TrainingError/unusableCheckpoint(path:reason:)`` if the checkpoint is damaged or
  ///   belongs to other data or options.
  package func restore<Task>(
    _ trainer: Trainer<Task>, data: DataIdentity
  ) throws(TrainingError) {
    let (tensors, record): (SafeTensors, Record<Task.Configuration>) = try read()
    guard record.configuration == trainer.configuration else {
      throw unusable("it was started with other options than this command")
    }
    guard record.data == data, record.labels == trainer.labels else {
      throw unusable("it was started with other data than this command")
    }
    guard record.state.isConsistent(stepsPerEpoch: trainer.stepsPerEpoch) else {
      throw unusable("its state contradicts itself")
    }
    for (name, buffer) in trainer.buffers {
      guard let tensor = tensors[name], tensor.shape == [buffer.count] else {
        throw unusable("its tensor \(name) is missing or of another size")
      }
      tensor.values.withUnsafeBufferPointer { values in
        if let base = values.baseAddress { buffer.pointer.update(from: base, count: values.count) }
      }
    }
    trainer.state = record.state
  }

  /// Returns the SHA-256 of a state and tensors, which detects even a single changed bit.
  private static func digest(of text: String, _ tensors: [SafeTensors.Tensor]) -> String {
    var hash = SHA256()
    hash.update(data: Data(text.utf8))
    for tensor in tensors { tensor.values.withUnsafeBytes { hash.update(bufferPointer: $0) } }
    return hash.finalize().map { String(format: "%02x", $0) }.joined()
  }

  /// Removes the folder, if there is one.
  public func remove() throws {
    if FileManager.default.fileExists(atPath: folder.path) {
      try FileManager.default.removeItem(at: folder)
    }
  }

  private func read<Configuration>() throws(TrainingError) -> (
    SafeTensors, Record<Configuration>
  ) {
    let tensors: SafeTensors
    do {
      tensors = try SafeTensors(contentsOf: file)
    } catch {
      throw unusable("\(error)")
    }
    guard let text = tensors.metadata[Self.stateKey],
      let record = try? JSONDecoder().decode(Record<Configuration>.self, from: Data(text.utf8)),
      record.version == 1
    else {
      throw unusable("it holds no training state of this version")
    }
    // Checkpoints of older versions have no digest.
    if let digest = tensors.metadata[Self.digestKey],
      digest != Self.digest(of: text, tensors.tensors)
    {
      throw unusable("its checksum does not match: it was damaged or changed")
    }
    return (tensors, record)
  }

  private func unusable(_ reason: String) -> TrainingError {
    .unusableCheckpoint(path: folder.path, reason: reason)
  }
}
