import InkCore

/// A path that draws a part of a decoration, for hosts that draw the ink themselves.
public struct DecorationPath: Hashable, Sendable {
  /// The id of the decoration.
  public let decoration: Int
  /// The kind.
  public let kind: DecorationKind
  /// The path in millimetres.
  public let path: DrawPath
  /// The colour.
  public let color: InkColor
  /// The width of the line in millimetres; nil if the path is filled.
  public let width: Double?
}

extension Editor {
  /// The paths that draw the decorations of the page, in the order they were made. Those of highlights
  /// belong behind the ink. O(decorated ink).
  public var decorationPaths: [DecorationPath] {
    read { state -> [DecorationPath] in
      guard let document = state.document, !document.decorations.isEmpty else { return [] }
      let pictures = document.decorationPictures(state.rendering.styleSheet)
      return document.decorations.all.flatMap { decoration -> [DecorationPath] in
        guard case .group(let group)? = pictures[decoration.id]?.command else { return [] }
        return group.commands.compactMap { command in
          switch command {
          case .fill(let path, let color):
            DecorationPath(
              decoration: decoration.id, kind: decoration.kind, path: path, color: color, width: nil
            )
          case .stroke(let path, let color, let style):
            DecorationPath(
              decoration: decoration.id, kind: decoration.kind, path: path, color: color,
              width: style.width)
          default: nil
          }
        }
      }
    }
  }
}
