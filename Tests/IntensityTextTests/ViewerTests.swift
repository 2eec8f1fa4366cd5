import Foundation
import IntensityText
import Testing

@Suite("Viewing")
struct ViewerTests {
  private func sample() throws -> IntensityString {
    var text = IntensityString("one two three four five six seven", intensity: 20)
    try text.attach(Attachment(image: .reference("x"), width: 30, height: 30), at: 4)
    text.options.scheme = "hue"
    return text
  }

  @Test("The height is that of the layout for three widths, and nothing is laid out twice")
  func sizes() throws {
    var viewer = IntensityViewer(try sample(), sizes: HalfSizes())
    let heights = [1000, 200, 100].map { viewer.size(fitting: $0).height }
    #expect(heights == [35, 55, 95])
    #expect(viewer.layoutCount == 3)
    _ = viewer.size(fitting: 100)
    _ = viewer.layers(fitting: 100)
    #expect(viewer.layoutCount == 3)
    viewer.text = try sample()
    _ = viewer.size(fitting: 100)
    #expect(viewer.layoutCount == 3)
    viewer.preferences.viewer.override.scheme = "size"
    let small = viewer.size(fitting: 100).height
    #expect(viewer.layoutCount == 4 && small < heights[2])
    viewer.text = IntensityString("a")
    #expect(viewer.size(fitting: 100).height == 20 && viewer.layoutCount == 5)
  }

  @Test("The selection is over the images, they over the top and that over the bottom text")
  func layers() throws {
    var viewer = IntensityViewer(try sample(), sizes: HalfSizes())
    viewer.selection = 0..<3
    let begin = viewer.layers(fitting: 1000, at: 0)
    #expect(begin.map(\.kind) == [.bottomText, .topText, .attachments, .selection])
    #expect(begin[3].frames == [TextBox(x: 0, y: 0, width: 30, height: 35)])
    #expect(begin[2].frames == [TextBox(x: 40, y: 0, width: 30, height: 30)])
    // The text fades, the image does not change.
    let later = viewer.layers(fitting: 1000, at: 1)
    #expect(begin[1].opacity == 0 && later[1].opacity == 0.5)
    #expect(begin[2] == later[2] && begin[0].opacity == 1)
    viewer.preferences.viewer.override.animates = false
    #expect(viewer.layers(fitting: 1000).map(\.kind) == [.topText, .attachments, .selection])
    viewer.text = IntensityString("plain")
    viewer.selection = nil
    #expect(viewer.layers(fitting: 1000).map(\.kind) == [.topText])
  }

  @Test("The loupe shows the text at the caret, above the finger, and below it at the edge")
  func loupe() throws {
    let text = IntensityString("abcdefghijklmnopqrst\nuvw")
    let layout = TextLayout(text.rendered(), width: 200, sizes: HalfSizes())
    var loupe = Loupe(magnification: 2, width: 100, height: 40)
    #expect(loupe.state == .hidden)
    #expect(loupe.move(toX: 52, y: 10, in: layout) == 5)
    #expect(
      loupe.state
        == .shown(
          caret: 5, source: TextBox(x: 25, y: 0, width: 50, height: 20),
          target: TextBox(x: 2, y: 30, width: 100, height: 40)))
    #expect(loupe.move(toX: 190, y: 90, in: layout) == 24)
    guard case .shown(_, _, let target) = loupe.state else { throw CancellationError() }
    #expect(target == TextBox(x: 100, y: 30, width: 100, height: 40))
    loupe.end()
    #expect(loupe.state == .hidden)
  }

  @Test("Messages are viewed, composed and sent, and the sizes of cells are kept")
  func messages() throws {
    var list = MessageList(sizes: HalfSizes())
    #expect(list.send() == nil)
    list.receive(IntensityString("hello there", intensity: 90))
    list.draft.intensity = 30
    list.draft.setOptions(IntensityOptions(scheme: "hue"))
    list.draft.type("hi")
    #expect(list.send()?.isOwn == true)
    #expect(list.messages.map(\.text.string) == ["hello there", "hi"])
    #expect(list.draft.text.isEmpty && list.draft.intensity == 30)
    #expect(list.draft.text.options.scheme == "hue")
    for _ in 0..<3 {
      #expect(list.cellSize(of: 1, fitting: 60)?.height == 40)
      #expect(list.cellSize(of: 2, fitting: 60)?.height == 20)
    }
    #expect(list.layoutCount == 2)
    _ = list.cellSize(of: 1, fitting: 500)
    #expect(list.layoutCount == 3)
    list.preferences.viewer.override.smoothing = .message
    _ = list.cellSize(of: 2, fitting: 60)
    #expect(list.layoutCount == 4)
    #expect(list.cellSize(of: 3, fitting: 60) == nil)
    #expect(list.theme == .light)
    list.switchTheme()
    #expect(list.theme == .dark)
  }
}
