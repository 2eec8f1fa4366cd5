import Foundation
import InkEditor

/// The blocks of a part, as far as an editor tells of them.
final class BlockMirror: EditorDelegate, @unchecked Sendable {
  // Unchecked because the lock guards the members.
  private let lock = NSLock()
  private var ids: Set<String> = []
  private var firstFault: String?

  var blocks: Set<String> { lock.withLock { ids } }
  /// The first event that does not fit those before it.
  var fault: String? { lock.withLock { firstFault } }

  func editor(_ editor: Editor, didEmit event: EditorEvent) {
    lock.withLock {
      switch event {
      case .partChanged: ids = []
      case .contentChanged(let added, let removed, let updated):
        if !ids.isDisjoint(with: added) { firstFault = firstFault ?? "added twice: \(event)" }
        if !ids.isSuperset(of: removed) { firstFault = firstFault ?? "removed twice: \(event)" }
        ids.formUnion(added)
        ids.subtract(removed)
        if !ids.isSuperset(of: updated) { firstFault = firstFault ?? "updated unknown: \(event)" }
      default: break
      }
    }
  }
}
