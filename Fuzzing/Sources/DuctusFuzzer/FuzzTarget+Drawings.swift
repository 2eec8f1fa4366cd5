@testable import InkFormats

extension FuzzTarget {
  private static let path = "input"

  private static func drawing(_ bytes: [UInt8], _ canary: Canary, _ parse: DrawnFiles.Parse) {
    // Groups are the units that have ids, labels and writers.
    for unit in [nil, InkUnit.file, .group, .stroke] {
      let records = DrawnFiles.records(
        of: bytes, path: path, source: path, unit: unit, parse: parse)
      see(records, canary)
      for case .success(let record) in records { canary.see(record.id ?? "") }
    }
  }

  static func xournal(_ bytes: [UInt8], _ canary: Canary) {
    guard let bytes = try? ByteFile.unpacked(bytes, path: path) else { return }
    drawing(bytes, canary, XournalReader.parse)
  }

  static func svg(_ bytes: [UInt8], _ canary: Canary) {
    drawing(bytes, canary, SVGReader.parse)
  }

  static func excalidraw(_ bytes: [UInt8], _ canary: Canary) {
    drawing(bytes, canary, ExcalidrawReader.parse)
  }

  static func tldraw(_ bytes: [UInt8], _ canary: Canary) {
    drawing(bytes, canary, TldrawReader.parse)
  }

  static func zinnia(_ bytes: [UInt8], _ canary: Canary) {
    see(ZinniaReader.records(of: bytes, path: path, source: path, yAxis: .down), canary)
  }

  static func tegaki(_ bytes: [UInt8], _ canary: Canary) {
    see(TegakiReader.records(of: bytes, path: path, source: path, yAxis: .down), canary)
  }

  static func fileFormat(_ bytes: [UInt8], _ canary: Canary) {
    guard InkFileFormat.of(bytes: bytes) != nil else { return }
    canary.see(String(decoding: bytes, as: UTF8.self))
  }
}
