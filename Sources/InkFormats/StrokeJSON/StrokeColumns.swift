import Files
import Foundation
import InkCore

/// A point as a document states it; NaN for what it lacks.
struct RawPoint {
  var x: Double
  var y: Double
  var t = Double.nan
  var force = Double.nan

  /// Reads an object with a position; nil for other values.
  init?(_ value: JSONValue) {
    guard let object = value.object else { return nil }
    let members = StrokeMembers(object)
    if let x = members["x"]?.coordinate, let y = members["y"]?.coordinate {
      (self.x, self.y) = (x, y)
    } else {
      guard let place = members.first(of: StrokeKeys.places) else { return nil }
      if let numbers = place.array {
        guard numbers.count == 2 || numbers.count == 3, let x = numbers[0].coordinate,
          let y = numbers[1].coordinate
        else { return nil }
        (self.x, self.y) = (x, y)
      } else if let inner = place.object.map(StrokeMembers.init), let x = inner["x"]?.coordinate,
        let y = inner["y"]?.coordinate
      {
        (self.x, self.y) = (x, y)
      } else {
        return nil
      }
    }
    t = members.first(of: StrokeKeys.time).flatMap(Self.time) ?? .nan
    force = members.first(of: StrokeKeys.force)?.coordinate ?? .nan
  }

  /// Reads a time: a number, a number as a text, or a date (ISO 8601), which gives milliseconds.
  static func time(_ value: JSONValue) -> Double? {
    if let number = value.coordinate { return number }
    guard let text = value.string, text.count >= 10 else { return nil }
    let fraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let date = (try? Date(text, strategy: fraction)) ?? (try? Date(text, strategy: .iso8601))
    return date.map { $0.timeIntervalSince1970 * 1000 }
  }
}

/// A stroke as a document states it.
struct RawStroke {
  /// The points in the form of the document.
  enum Shape {
    case columns(StrokeColumns)
    /// A list of lists of numbers: rows of points, or columns.
    case grid([[Double]])
  }

  var shape: Shape
  var frame: StrokeFrame

  /// Reads lists of numbers; nil for other values. Null becomes NaN.
  static func grid(_ elements: ArraySlice<JSONValue>) -> [[Double]]? {
    StrokeTree.all(elements) { element in
      guard let numbers = element.array, !numbers.isEmpty else { return nil }
      return StrokeTree.all(numbers) { value in
        if case .null = value { return .nan }
        return value.double
      }
    }
  }
}

/// The points of a stroke by columns of equal length; NaN for a value that a point lacks.
///
/// Columns without a name are told by their values over all strokes: the first that never decreases
/// within a stroke is the time, the first other one without a value below 0 the pressure. Pressures
/// that are all equal come from a device without a sensor and are left out; those above 2 are divided
/// by their median. Times whose steps are below half a unit are seconds, others milliseconds.
struct StrokeColumns {
  var x: [Double]
  var y: [Double]
  var t: [Double] = []
  var force: [Double] = []
  /// Columns without a name.
  var rest: [[Double]] = []

  init(x: [Double], y: [Double]) {
    self.x = x
    self.y = y
  }

  init(points: [RawPoint]) {
    self.init(x: points.map(\.x), y: points.map(\.y))
    t = points.map(\.t)
    force = points.map(\.force)
  }

  init(flat numbers: [Double]) {
    self.init(
      x: stride(from: 0, to: numbers.count, by: 2).map { numbers[$0] },
      y: stride(from: 1, to: numbers.count, by: 2).map { numbers[$0] })
  }

  /// Reads `{x: […], y: […]}`; nil for other objects, and for columns of different lengths.
  init?(_ members: StrokeMembers) {
    func column(_ keys: some Sequence<String>) -> [Double]? {
      guard let values = members.first(of: keys)?.array, !values.isEmpty else { return nil }
      return values.map { RawPoint.time($0) ?? .nan }
    }
    guard let x = column(StrokeKeys.x), let y = column(StrokeKeys.y), x.count == y.count else {
      return nil
    }
    self.init(x: x, y: y)
    t = column(StrokeKeys.time) ?? []
    force = column(StrokeKeys.force) ?? []
    if t.count != x.count { t = [] }
    if force.count != x.count { force = [] }
  }

  private init(rows: [[Double]]) {
    self.init(x: rows.map { $0[0] }, y: rows.map { $0[1] })
    let most = rows.map(\.count).max() ?? 0
    rest = (2..<max(2, most)).map { column in
      rows.map { column < $0.count ? $0[column] : .nan }
    }
  }

  // MARK: - Rows or columns

  private enum Form: Hashable {
    case rows, columns, flat, either
  }

  /// Returns the form of lists of numbers, or nil if they have none.
  private static func form(of grid: [[Double]]) -> Form? {
    let lengths = Set(grid.map(\.count))
    guard let shortest = lengths.min(), let longest = lengths.max() else { return nil }
    let mayBeRows = shortest >= 2 && longest <= 5
    let mayBeColumns = (2...4).contains(grid.count) && lengths.count == 1
    // A few numbers are a point, many are points.
    let mayBeFlat = shortest >= 4 && longest > 5 && lengths.allSatisfy { $0.isMultiple(of: 2) }
    if mayBeRows { return mayBeColumns ? .either : .rows }
    if mayBeColumns { return .columns }
    return mayBeFlat ? .flat : nil
  }

  /// Returns the strokes of each shape of a document.
  static func resolve(
    _ shapes: [RawStroke.Shape]
  ) throws(StrokeTreeError) -> [[[StrokePoint]]] {
    var forms: Set<Form> = []
    for case .grid(let grid) in shapes {
      guard let form = form(of: grid) else { throw .noInk }
      forms.insert(form)
    }
    let isUndecided = forms.remove(.either) != nil
    guard forms.count <= 1, !(isUndecided && forms.isEmpty) else { throw .rowsOrColumns }
    let form = forms.first
    let strokes = shapes.map { shape -> [StrokeColumns] in
      switch shape {
      case .columns(let columns): [columns]
      case .grid(let grid): form == .flat ? grid.map { StrokeColumns(flat: $0) } : [of(grid, form)]
      }
    }
    var points = points(of: strokes.flatMap { $0 })[...]
    return strokes.map { shape in
      defer { points = points.dropFirst(shape.count) }
      return Array(points.prefix(shape.count))
    }
  }

  private static func of(_ grid: [[Double]], _ form: Form?) -> StrokeColumns {
    guard form == .columns else { return StrokeColumns(rows: grid) }
    var columns = StrokeColumns(x: grid[0], y: grid[1])
    columns.rest = Array(grid[2...])
    return columns
  }

  // MARK: - Times and pressures

  private static func points(of strokes: [StrokeColumns]) -> [[StrokePoint]] {
    var strokes = strokes
    let columns = strokes.map(\.rest.count).max() ?? 0
    var isTimed = strokes.contains { $0.t.contains { !$0.isNaN } }
    var isPressed = strokes.contains { $0.force.contains { !$0.isNaN } }
    for column in 0..<columns {
      let values = strokes.map { column < $0.rest.count ? $0.rest[column] : [] }
      if !isTimed, isTime(values) {
        isTimed = true
        for index in strokes.indices { strokes[index].t = values[index] }
      } else if !isPressed, values.allSatisfy({ $0.allSatisfy { !($0 < 0) } }) {
        isPressed = true
        for index in strokes.indices { strokes[index].force = values[index] }
      }
    }
    let timeUnit = unit(ofTimes: strokes.map(\.t))
    let forceUnit = unit(ofForces: strokes.map(\.force))
    return strokes.map { stroke in
      stroke.x.indices.map { index in
        let t = index < stroke.t.count ? stroke.t[index] * timeUnit : .nan
        let force = index < stroke.force.count ? stroke.force[index] / forceUnit : .nan
        return StrokePoint(
          x: stroke.x[index], y: stroke.y[index], t: t.isFinite ? t : nil,
          force: force.isFinite ? force : nil)
      }
    }
  }

  /// Returns true for a column that never decreases within a stroke, and somewhere increases.
  private static func isTime(_ values: [[Double]]) -> Bool {
    var grows = false
    for stroke in values {
      let known = stroke.filter { !$0.isNaN }
      for (first, second) in zip(known, known.dropFirst()) {
        if second < first { return false }
        if second > first { grows = true }
      }
    }
    return grows
  }

  /// Returns the milliseconds of a unit of the times.
  private static func unit(ofTimes times: [[Double]]) -> Double {
    let steps = times.flatMap { stroke -> [Double] in
      let known = stroke.filter { $0.isFinite }
      return zip(known, known.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }
    }.sorted()
    return !steps.isEmpty && steps[steps.count / 2] < 0.5 ? 1000 : 1
  }

  /// Returns the force of an average touch in the unit of the pressures; infinite if they say
  /// nothing, so that quotients are 0 and are left out, too.
  private static func unit(ofForces forces: [[Double]]) -> Double {
    let known = forces.flatMap { $0.filter { $0.isFinite && $0 > 0 } }.sorted()
    let all = forces.flatMap { $0.filter { $0.isFinite } }
    guard let most = known.last, let least = all.min(), least < most else { return .nan }
    return most > 2 ? known[known.count / 2] : 1
  }
}
