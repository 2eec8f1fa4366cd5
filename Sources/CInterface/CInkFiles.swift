import CDuctus
import Foundation
import InkCore
import InkFormats

/// The inks of a file.
final class CInks: Sendable {
  let inks: [Ink]
  let labels: [CText]
  let rejected: Int

  /// Reads a file. Its format is found by its content.
  ///
  /// - Throws: `InkFormatError` if it cannot be read or has no ink.
  init(path: String) throws {
    var inks: [Ink] = []
    var labels: [CText] = []
    var rejected = 0
    var first: InkFormatError?
    for record in try InkReader(path: path) {
      switch record {
      case .success(let record):
        inks.append(record.labeled.ink)
        labels.append(CText(record.labeled.label))
      case .failure(let error):
        rejected += 1
        first = first ?? error
      }
    }
    if inks.isEmpty, let first { throw first }
    self.inks = inks
    self.labels = labels
    self.rejected = rejected
  }
}

/// `ductus_inks_read`.
@_cdecl("ductus_inks_read")
package func ductusInksRead(
  _ path: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  guard let path = CText.read(path), !path.isEmpty else {
    Handle.report(.argument("path: expected a path in UTF-8, found none"), error)
    return nil
  }
  do {
    return Handle.make(try CInks(path: path))
  } catch let fault {
    Handle.report(CError(fault), error)
  }
  return nil
}

/// `ductus_inks_count`.
@_cdecl("ductus_inks_count")
package func ductusInksCount(_ inks: OpaquePointer?) -> Int64 {
  Int64(Handle.object(inks, CInks.self)?.inks.count ?? 0)
}

/// `ductus_inks_rejected`.
@_cdecl("ductus_inks_rejected")
package func ductusInksRejected(_ inks: OpaquePointer?) -> Int64 {
  Int64(Handle.object(inks, CInks.self)?.rejected ?? 0)
}

/// `ductus_inks_label`.
@_cdecl("ductus_inks_label")
package func ductusInksLabel(_ inks: OpaquePointer?, _ index: Int64) -> UnsafePointer<CChar>? {
  Handle.object(inks, CInks.self)?.labels[safe: index]?.pointer
}

/// `ductus_inks_ink`.
@_cdecl("ductus_inks_ink")
package func ductusInksInk(_ inks: OpaquePointer?, _ index: Int64) -> OpaquePointer? {
  Handle.object(inks, CInks.self)?.inks[safe: index].map { Handle.make(CInk($0)) }
}

/// `ductus_inks_free`.
@_cdecl("ductus_inks_free")
package func ductusInksFree(_ inks: OpaquePointer?) { Handle.free(inks, CInks.self) }

extension Array {
  /// The element at an index from C; nil if the index is out of range.
  subscript(safe index: Int64) -> Element? {
    guard let index = Int(exactly: index), indices.contains(index) else { return nil }
    return self[index]
  }
}
