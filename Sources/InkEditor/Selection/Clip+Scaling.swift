import InkCore

extension Clip {
  /// Returns the clip at another size. The map has no rotation.
  func scaled(_ map: PlaneTransform) -> Clip {
    let block = block.copy()
    for node in block.withDescendants {
      node.box = node.box.map(map.applied)
      node.shape = node.shape?.scaled(map)
      for line in node.lines {
        line.box = map.applied(line.box)
        for run in line.runs {
          run.box = map.applied(run.box)
          for index in run.words.indices { run.words[index].scale(map) }
        }
      }
    }
    let strokes = strokes.map { stroke in
      var stroke = stroke
      stroke.put(
        points: stroke.points.map { point in
          var point = point
          let place = map.applied(x: point.x, y: point.y)
          (point.x, point.y) = (place.x, place.y)
          return point
        })
      return stroke
    }
    return Clip(block: block, strokes: strokes, decorations: decorations, spacings: spacings)
  }
}

extension TextWord {
  fileprivate mutating func scale(_ map: PlaneTransform) {
    box = map.applied(box)
    for index in characters.indices {
      characters[index].box = characters[index].box.map(map.applied)
    }
  }
}

extension RecognizedShape {
  /// Returns the shape at another size. A circle that is scaled unevenly becomes an ellipse.
  fileprivate func scaled(_ map: PlaneTransform) -> RecognizedShape {
    func scaled(_ point: Point) -> Point {
      let place = map.applied(x: point.x, y: point.y)
      return Point(x: place.x, y: place.y)
    }
    var copy = self
    switch form {
    case .rectangle(let box): copy.form = .rectangle(map.applied(box))
    case .circle(let center, let radius) where map.a == map.d:
      copy.form = .circle(center: scaled(center), radius: radius * map.a)
    case .circle(let center, let radius):
      copy.form = .ellipse(
        center: scaled(center), radiusX: radius * map.a, radiusY: radius * map.d)
    case .ellipse(let center, let radiusX, let radiusY):
      copy.form = .ellipse(
        center: scaled(center), radiusX: radiusX * map.a, radiusY: radiusY * map.d)
    case .polygon(let kind, let corners):
      copy.form = .polygon(kind: kind, corners.map(scaled))
    case .line(let from, let to, let start, let end):
      copy.form = .line(from: scaled(from), to: scaled(to), startArrow: start, endArrow: end)
    case .polyline(let corners): copy.form = .polyline(corners.map(scaled))
    }
    return copy
  }
}
