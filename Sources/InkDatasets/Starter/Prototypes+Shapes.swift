extension Prototypes {
  /// The shapes that ``ShapeComposer`` does not draw, upright in a box of 100 by 100.
  static let shapes = """
    cross *3 0,100! 100,0! | 100,100! 0,0
    cross *2 100,100! 0,0! | 0,100! 100,0
    cross 0,100! 100,0! 100,100! 0,0
    tick *3 0,40! 34,0! 100,100
    tick 0,40 20,6 34,2! 100,100
    tick 100,100! 34,0! 0,40
    """
}
