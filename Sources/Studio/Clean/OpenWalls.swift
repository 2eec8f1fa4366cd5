import Files
import Foundation
import InkDatasets
import WebServer

/// The walls that were used last. Thread-safe.
final class OpenWalls: Sendable {
  private let project: Project
  private let data: ProjectData
  /// The walls, the one used last at the end.
  private let walls = Guarded<[InkWall]>([])
  /// The most walls that are kept.
  private static let most = 3

  init(_ project: Project, _ data: ProjectData) {
    self.project = project
    self.data = data
  }

  /// Opens data, or returns its wall if its files have not changed.
  ///
  /// - Throws: `DataError` for a malformed text, ``StudioError`` for files outside the project.
  func open(_ text: String) throws -> InkWall {
    let named = try DataSpecification(parsing: text)
    let file = try DecisionPlace(of: named, in: project)
    let resolved = try data.specification(text)
    let stamp = DataStamp(of: resolved)
    let (wall, closed) = walls.withLock { (walls) -> (InkWall, [InkWall]) in
      if let place = walls.firstIndex(where: { $0.text == text && $0.stamp == stamp }),
        walls[place].opening.current.error == nil
      {
        let known = walls.remove(at: place)
        walls.append(known)
        return (known, [])
      }
      let new = InkWall(
        id: String(AccessToken.random().prefix(12)), text: text, data: resolved, file: file,
        stamp: stamp)
      // An older wall of the same data is of no use.
      let old = walls.filter { $0.text == text }
      walls.removeAll { $0.text == text }
      walls.append(new)
      let first = Array(walls.prefix(max(0, walls.count - Self.most)))
      walls.removeFirst(first.count)
      new.start()
      return (new, old + first)
    }
    closed.forEach { $0.close() }
    return wall
  }

  /// Returns an open wall.
  ///
  /// - Throws: ``StudioError`` of code `notFound`: it was closed, or the studio started again.
  func wall(_ id: String) throws(StudioError) -> InkWall {
    let found = walls.withLock { (walls) -> InkWall? in
      guard let place = walls.firstIndex(where: { $0.id == id }) else { return nil }
      let wall = walls.remove(at: place)
      walls.append(wall)
      return wall
    }
    guard let found else {
      throw StudioError(.notFound, "this data is no longer open; open it again", field: "wall")
    }
    return found
  }
}
