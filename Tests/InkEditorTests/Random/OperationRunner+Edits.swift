import Foundation
import InkCore
import InkEditor
import InkFormats
import PenInput
import TestSamples

/// Changes of blocks and ink by commands.
extension OperationRunner {
  /// A block by number; 0 is often the root.
  func block(_ number: Int) -> ContentBlock? {
    guard let root = editor.rootBlock else { return nil }
    func all(_ block: ContentBlock) -> [ContentBlock] { [block] + block.children.flatMap(all) }
    let blocks = all(root)
    return blocks[number % blocks.count]
  }

  func chosen(_ numbers: [Int]) -> [Int] {
    let items = model.items
    return items.isEmpty ? [] : numbers.map { items[$0 % items.count] }
  }

  mutating func edit(_ operation: EditorOperation) throws {
    switch operation {
    case .removeItems(let numbers):
      let gone = Set(chosen(numbers))
      if (try? editor.removeItems(gone)) != nil { effects.append(.removed(gone)) }
    case .removeBlock(let number):
      guard let block = block(number) else { return }
      let before = block.items
      guard (try? editor.removeBlock(block)) != nil else { return }
      effects.append(settles ? .removed(Set(before)) : .mayHaveRemoved)
    case .copy(let number):
      guard let block = block(number) else { return }
      let before = block.items
      guard (try? editor.copy(block)) != nil else { return }
      model.copiedCount = before.count
      model.clipboard =
        before == block.items && settles ? before.compactMap { model.places(of: $0) } : nil
      let places = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1, $0) })
      model.copiedMarks = model.clipboard.map { _ in editor.decorations.mapped(places) }
    case .paste(let place): try paste(place)
    case .force(let type, let numbers, let asOneBlock):
      try? editor.set(type: type, for: chosen(numbers), asOneBlock: asOneBlock)
    case .choose(let word, let candidate): choose(word, candidate)
    case .importChoice(let word, let candidate): importChoice(word, candidate)
    case .importText(let text): _ = try? editor.importCandidates(text)
    case .addInk(let type, let text, let place):
      let strokes = Pen.strokes(text, x: place.x, y: place.y)
      guard
        let block = try? editor.addBlock(
          type: type, ink: Ink(strokes: strokes.map { Stroke(points: $0) }))
      else { return }
      let added = presentItems.suffix(strokes.count)
      _ = block
      effects.append(
        .appended(zip(added, strokes).map { ($0, $1.map { Place(x: $0.x, y: $0.y) }) }))
    case .addFrame(let type, let place, let width, let height):
      _ = try? editor.addBlock(type: type, x: place.x, y: place.y, width: width, height: height)
    case .decorate, .undecorate: try decorate(operation)
    case .clear:
      let before = Set(model.items)
      if (try? editor.clear()) != nil {
        effects.append(.removed(before))
      } else if !model.isDown, model.current != nil {
        throw Violation("clear was refused")
      }
    default: break
    }
  }

  mutating func paste(_ place: Place) throws {
    // Otherwise a part that is pasted into itself again and again doubles each time.
    guard model.items.count + model.copiedCount < Self.mostItems else { return }
    guard let pasted = try? editor.paste(x: place.x, y: place.y) else { return }
    let items = Dictionary(uniqueKeysWithValues: pasted.items.enumerated().map { ($0, $1) })
    effects.append(.pastedMarks(model.copiedMarks?.mapped(items)))
    guard let clipboard = model.clipboard else {
      effects.append(
        .appended(try pasted.items.map { ($0, try places(of: $0)) }))
      return
    }
    guard clipboard.count == pasted.items.count else {
      throw Violation("\(pasted.items.count) items pasted, \(clipboard.count) copied")
    }
    let corner = millimetres(place, editor.viewTransform)
    let (x, y) = (
      clipboard.joined().map(\.x).min() ?? 0, clipboard.joined().map(\.y).min() ?? 0
    )
    effects.append(
      .appended(
        zip(pasted.items, clipboard).map { ($0, $1.moved(dx: corner.x - x, dy: corner.y - y)) }))
  }

  var texts: [ContentBlock] {
    func all(_ block: ContentBlock) -> [ContentBlock] { [block] + block.children.flatMap(all) }
    return (editor.rootBlock.map(all) ?? []).filter { $0.type == .text && !$0.words.isEmpty }
  }

  func choose(_ number: Int, _ candidate: Int) {
    let texts = texts
    guard !texts.isEmpty else { return }
    let block = texts[number % texts.count]
    let words = block.words
    guard !words.isEmpty else { return }
    let word = words[number % words.count]
    guard !word.candidates.isEmpty else { return }
    let text = word.candidates[candidate % word.candidates.count].text
    try? editor.choose(text, for: word, in: block)
  }

  func importChoice(_ number: Int, _ candidate: Int) {
    guard let json = try? editor.export(as: .jiix),
      var document = try? JIIXBlock(parsing: Data(json.utf8))
    else { return }
    func change(_ block: inout JIIXBlock) -> Bool {
      if let words = block.words, !words.isEmpty {
        let place = number % words.count
        if let candidates = words[place].candidates, !candidates.isEmpty {
          block.words?[place].label = candidates[candidate % candidates.count]
        }
        return true
      }
      var elements = block.elements ?? []
      for index in elements.indices where change(&elements[index]) {
        block.elements = elements
        return true
      }
      return false
    }
    guard change(&document), let changed = try? document.json() else { return }
    _ = try? editor.importCandidates(String(decoding: changed, as: UTF8.self))
  }
}
