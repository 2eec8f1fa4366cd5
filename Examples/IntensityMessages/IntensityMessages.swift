import DuctusKit
import Foundation

/// Messages in intensity text: one arrives, one is typed on a pressure keyboard and sent, and all are
/// shown. Everything but the drawing is here.
@main
struct IntensityMessages {
  static func main() throws {
    var list = MessageList()
    var greeting = IntensityString("Are you ", intensity: 30)
    greeting.append(IntensityString("really", intensity: 95))
    greeting.append(IntensityString(" coming?", intensity: 40))
    greeting.options = IntensityOptions(scheme: "hue", smoothing: .word)
    list.receive(greeting)

    // A log of touches: each key with the force of the finger.
    var keyboard = KeyboardMachine(keys: try KeySet.basicLatin())
    for (row, key, force) in [(0, 5, 0.3), (0, 2, 0.6), (1, 1, 0.95)] {
      let sample = TouchSample(time: 0, force: force, maximumForce: 1)
      for touch in [KeyTouch.down(row: row, key: key, sample: sample), .up(sample)] {
        for effect in try keyboard.handle(touch) { list.draft.apply(effect) }
      }
    }
    var accessory = AccessoryMachine()
    for effect in try accessory.handle(.scheme("hue")) { list.draft.apply(effect) }
    list.send()
    list.switchTheme()

    for message in list.messages {
      let size = list.cellSize(of: message.id, fitting: 200)
      print(message.isOwn ? "me:  " : "you: ", terminator: "")
      print(message.text.rendered().ansi(), "(\(Int(size?.height ?? 0)) points high)")
    }
    // The second time, nothing is laid out.
    let layouts = list.layoutCount
    for message in list.messages { _ = list.cellSize(of: message.id, fitting: 200) }
    guard list.layoutCount == layouts, list.messages.last?.text.string == "yes" else {
      throw CocoaError(.featureUnsupported)
    }
  }
}
