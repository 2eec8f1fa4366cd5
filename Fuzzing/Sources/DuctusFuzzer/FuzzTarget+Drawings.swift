import Files
import InkFormats

extension FuzzTarget {
  private static let path = "input"

  private static func drawing(_ bytes: [UInt8], _ canary: Canary, _ format: InkFileFormat) {
    // Groups are the units that have ids, labels and writers.
    for unit in [nil, InkUnit.file, .group, .stroke] {
      let records = Array(InkReader(format, bytes: bytes, name: path, unit: unit))
      see(records, canary)
      for case .success(let record) in records {
        canary.see(record.id ?? "")
        for text in record.texts { canary.see(text.text) }
        // Some formats hold numbers alone.
        for stroke in record.labeled.ink.strokes {
          for point in stroke.points { canary.see(point.x) }
        }
      }
    }
  }

  static func xournal(_ bytes: [UInt8], _ canary: Canary) { drawing(bytes, canary, .xournal) }

  static func svg(_ bytes: [UInt8], _ canary: Canary) { drawing(bytes, canary, .svg) }

  static func excalidraw(_ bytes: [UInt8], _ canary: Canary) {
    drawing(bytes, canary, .excalidraw)
  }

  static func tldraw(_ bytes: [UInt8], _ canary: Canary) { drawing(bytes, canary, .tldraw) }

  static func strokeJSON(_ bytes: [UInt8], _ canary: Canary) {
    drawing(bytes, canary, .strokeJSON)
  }

  static func remarkable(_ bytes: [UInt8], _ canary: Canary) { drawing(bytes, canary, .remarkable) }

  static func rnote(_ bytes: [UInt8], _ canary: Canary) { drawing(bytes, canary, .rnote) }

  static func uim(_ bytes: [UInt8], _ canary: Canary) { drawing(bytes, canary, .uim) }

  static func will(_ bytes: [UInt8], _ canary: Canary) { drawing(bytes, canary, .will) }

  static func saber(_ bytes: [UInt8], _ canary: Canary) { drawing(bytes, canary, .saber) }

  static func butterfly(_ bytes: [UInt8], _ canary: Canary) { drawing(bytes, canary, .butterfly) }

  static func supernote(_ bytes: [UInt8], _ canary: Canary) { drawing(bytes, canary, .supernote) }

  static func isf(_ bytes: [UInt8], _ canary: Canary) { drawing(bytes, canary, .isf) }

  static func pdfInk(_ bytes: [UInt8], _ canary: Canary) { drawing(bytes, canary, .pdf) }

  static func penTable(_ bytes: [UInt8], _ canary: Canary) { drawing(bytes, canary, .penTable) }

  /// An archive: what is read has the length and the checksum of its directory.
  static func zip(_ bytes: [UInt8], _ canary: Canary) {
    guard let archive = try? ZipArchive(ByteSource(bytes)) else { return }
    for entry in archive.entries {
      precondition(ZipName.isSafe(entry.name), "an unsafe name was read")
      canary.see(entry.name)
      guard let content = try? archive.bytes(of: entry, limit: 1 << 20) else { continue }
      precondition(content.count == entry.count, "an entry has another length")
      canary.see(String(decoding: content, as: UTF8.self))
    }
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
