/// Something for each writer, in the order in which they were first named.
struct ByWriter<Value> {
  private(set) var values: [Value] = []
  private var places: [String: Int] = [:]

  /// What a writer has; `initial` where they are named for the first time.
  subscript(writer: String, default initial: @autoclosure () -> Value) -> Value {
    get { places[writer].map { values[$0] } ?? initial() }
    _modify {
      let place = places[writer] ?? values.count
      if place == values.count {
        places[writer] = place
        values.append(initial())
      }
      yield &values[place]
    }
  }
}
