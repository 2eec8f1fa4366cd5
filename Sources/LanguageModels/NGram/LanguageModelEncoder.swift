import Files
import Foundation

/// Encodes an automaton as the bytes of a language-model file.
struct LanguageModelEncoder {
  private let automaton: BackoffAutomaton
  private let layout: NGramFileLayout
  private let probabilities: ProbabilityCodebook
  private let weights: ProbabilityCodebook
  private let codes: [UInt8]
  private let lexicon: [UInt8]

  /// Quantises the automaton's probabilities, then sets its weights so that it stays normalised.
  init(
    _ automaton: BackoffAutomaton, lexicon: [UInt8]
  ) throws(LanguageModelTrainingError) {
    var automaton = automaton
    probabilities = .logarithms(covering: automaton.probabilities)
    let exact = automaton.probabilities
    var codes = [UInt8](repeating: 0, count: exact.count)
    for arc in exact.indices {
      codes[arc] = probabilities.code(of: log(exact[arc]))
      automaton.probabilities[arc] = exp(probabilities.values[Int(codes[arc])])
    }
    automaton.normalize(exact: exact)
    weights = .logarithms(ofWeights: automaton.weight)
    layout = NGramFileLayout(
      symbolCount: automaton.table.count, stateCount: automaton.stateCount,
      arcCount: automaton.symbols.count, lexiconBytes: lexicon.count)
    guard max(layout.arcBits, layout.stateBits) <= NGramFileLayout.maximumIndexBits else {
      throw .tooManyNGrams(
        found: automaton.symbols.count, maximum: 1 << NGramFileLayout.maximumIndexBits - 1)
    }
    self.automaton = automaton
    self.codes = codes
    self.lexicon = lexicon
  }

  /// The bytes of the file.
  func encode() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: layout.fileBytes)
    bytes.withUnsafeMutableBytes { raw in
      writeHeader(raw)
      for (index, scalar) in automaton.table.scalars.enumerated() {
        raw.storeBytes(
          of: scalar.value.littleEndian,
          toByteOffset: layout.scalars + 4 * (index + SymbolTable.specialCount), as: UInt32.self)
      }
      for index in 0..<256 {
        raw.storeBytes(
          of: probabilities.values[index].bitPattern.littleEndian,
          toByteOffset: layout.probabilities + 4 * index, as: UInt32.self)
        raw.storeBytes(
          of: weights.values[index].bitPattern.littleEndian,
          toByteOffset: layout.weights + 4 * index, as: UInt32.self)
      }
      raw.baseAddress.map {
        ($0 + layout.arcSymbols).copyMemory(from: automaton.symbols, byteCount: layout.arcCount)
      }
      raw.baseAddress.map {
        ($0 + layout.arcCodes).copyMemory(from: codes, byteCount: layout.arcCount)
      }
      writeStates(raw)
      raw.baseAddress.map {
        ($0 + layout.lexicon).copyMemory(from: lexicon, byteCount: lexicon.count)
      }
    }
    return bytes
  }

  private func writeHeader(_ raw: UnsafeMutableRawBufferPointer) {
    raw.copyBytes(from: NGramFileLayout.magic)
    let words = [
      NGramFileLayout.version, UInt32(automaton.order), UInt32(layout.symbolCount),
      UInt32(layout.stateCount), UInt32(layout.arcCount), state(after: SymbolTable.startOfText),
      state(after: SymbolTable.startOfLine),
      UInt32(layout.arcBits) | UInt32(layout.stateBits) << 8,
    ]
    for (index, word) in words.enumerated() {
      raw.storeBytes(of: word.littleEndian, toByteOffset: 8 + 4 * index, as: UInt32.self)
    }
    for (index, length) in [layout.lexiconBytes, layout.fileBytes].enumerated() {
      raw.storeBytes(
        of: UInt64(length).littleEndian, toByteOffset: 40 + 8 * index, as: UInt64.self)
    }
  }

  /// The state after a single symbol.
  private func state(after symbol: SymbolTable.Symbol) -> UInt32 {
    let internalCount = Int(automaton.firstChild[1]) - 1
    let place = automaton.symbols[..<internalCount].firstIndex(of: symbol)
    return place.map { UInt32($0 + 1) } ?? 0
  }

  private func writeStates(_ raw: UnsafeMutableRawBufferPointer) {
    layout.writeStates(to: raw) { state in
      var stored = NGramFileLayout.StoredState(
        arcStart: automaton.arcStart[state], firstChild: automaton.firstChild[state])
      if state < automaton.stateCount {
        stored.backoff = automaton.backoff[state]
        stored.weight = weights.code(of: log(automaton.weight[state]))
      }
      return stored
    }
  }
}

/// Writing language-model files.
package enum LanguageModelWriter {
  /// Writes a complete model file or none.
  ///
  /// The bytes are written to another file in the same folder, which begins with the magic of an
  /// unfinished file. Once they are on the disk, the magic is set and the file renamed.
  ///
  /// - Throws: ``LanguageModelError`` with the operation that failed.
  package static func write(_ bytes: [UInt8], to path: String) throws(LanguageModelError) {
    let temporary = "\(path).\(getpid()).unfinished"
    do throws(LanguageModelError.Reason) {
      try writeUnfinished(bytes, to: temporary)
      do throws(FileError) {
        try AtomicFile.move(temporary, to: path)
      } catch {
        throw .system(operation: error.operation.rawValue, code: error.code)
      }
    } catch {
      unlink(temporary)
      throw LanguageModelError(error, file: path)
    }
    // A failure does no harm: the file is complete under either name.
    try? AtomicFile.syncFolder(of: path)
  }

  private static func writeUnfinished(
    _ bytes: [UInt8], to path: String
  ) throws(LanguageModelError.Reason) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .system(operation: "creating", code: errno) }
    defer { close(descriptor) }
    let magicCount = NGramFileLayout.magic.count
    try write(NGramFileLayout.unfinishedMagic[...], to: descriptor, at: 0)
    try write(bytes[min(magicCount, bytes.count)...], to: descriptor, at: magicCount)
    guard fsync(descriptor) == 0 else { throw .system(operation: "syncing", code: errno) }
    try write(bytes[..<min(magicCount, bytes.count)], to: descriptor, at: 0)
    guard fsync(descriptor) == 0 else { throw .system(operation: "syncing", code: errno) }
  }

  private static func write(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32, at offset: Int
  ) throws(LanguageModelError.Reason) {
    let code = bytes.withUnsafeBytes { Descriptor.writeAll(descriptor, $0, at: offset) }
    guard code == 0 else { throw .system(operation: "writing", code: code) }
  }
}
