import InkCore
import InkEditor
import PenInput

/// One event or command for an editor, as a value, so that a sequence can be replayed and shrunk.
///
/// Blocks, words and items are named by numbers that count from those that exist at the time: a
/// number above their count begins again at 0. So each operation has an effect in any sequence.
enum EditorOperation: Hashable, Sendable {
  /// A place in the view, in pixels.
  struct Place: Hashable, Sendable {
    var x: Double
    var y: Double
  }

  /// A sample of a pen.
  struct Sample: Hashable, Sendable {
    var place: Place
    var force: Double?
    /// True if the position is an estimate that will be corrected.
    var isEstimate: Bool
  }

  /// The form of a gesture that is drawn over a word.
  enum GestureForm: Hashable, Sendable, CaseIterable {
    case zigzag, loop, lineThrough, lineBelow, downward, upward
  }

  /// The behaviour of a model.
  enum ModelState: Hashable, Sendable, CaseIterable {
    case works, late, missing, fails, readsNothing, garbles
  }

  // Pointers.
  case down(Int, PointerType, Place)
  case move(Int, PointerType, Place)
  case up(Int, PointerType, Place)
  case cancel(Int)
  case write(String, Place, gestures: Bool)
  case batch([[Place]], PointerType, interleaved: Bool)
  case stroke([Place], PointerType)

  // Pens.
  case penBegan(Int, PointerType, Sample)
  case penMoved(Int, [Sample], predicted: [Sample])
  case penEnded(Int, Sample?)
  case penCancelled(Int)
  case penUpdated(age: Int, Place)
  case penClock
  case hover(Place, HoverEvent.Phase)
  case gesture(PenGesture)
  case tool(PointerTool, PointerType)
  case draw(GestureForm, block: Int, word: Int, part: Double)
  case view(scale: Double)

  // Commands.
  case undo
  case redo
  case back(Int)
  case unwind
  case removeItems([Int])
  case removeBlock(Int)
  case moveBlock(Int, dx: Double, dy: Double)
  case copy(Int)
  case paste(Place)
  case force(SelectionType, [Int], asOneBlock: Bool)
  case choose(word: Int, candidate: Int)
  case importChoice(word: Int, candidate: Int)
  case importText(String)
  case addInk(String, text: String, Place)
  case addFrame(String, Place, width: Double, height: Double)
  case clear
  case decorate(block: Int, first: Int, count: Int, DecorationKind, styled: Bool)
  case lasso([Place])
  case moveSelection([Int], dx: Double, dy: Double)
  case scaleSelection([Int], Double, SelectionHandle)
  case eraseSelection([Int], half: Bool)
  case cutSelection([Int], half: Bool)
  case undecorate(block: Int, first: Int, count: Int, DecorationKind)

  // Parts, settings and models.
  case newPart(PartType)
  case setPart(Int?)
  case configure(String, ConfigurationValue)
  case resetConfiguration
  case models(text: ModelState, shapes: ModelState, told: Bool)

  // Reading.
  case recognize(again: Bool)
  case export(overrides: String?)
  case look(Place)
  case settle
}
