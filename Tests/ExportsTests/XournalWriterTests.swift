import Exports
import Foundation
import InkCore
import InkEditor
import InkFormats
import Testing

@Suite("Notes of Xournal++")
struct XournalWriterTests {
  private func read(_ bytes: [UInt8]) throws -> [InkRecord] {
    try InkReader(.xournal, bytes: bytes, name: "a.xopp", unit: .page).map { try $0.get() }
  }

  @Test("A note comes back with its sheets, strokes, colours, widths and forces")
  func thereAndBack() throws {
    let point = 25.4 / 72
    let ink = Ink(strokes: [
      Stroke(points: [
        StrokePoint(x: 123.456, y: 20.1, force: 0.5), StrokePoint(x: 130.25, y: 25.125, force: 1.5),
        StrokePoint(x: 140, y: 30, force: 1.5),
      ]),
      Stroke(points: [StrokePoint(x: 10, y: 700), StrokePoint(x: 20, y: 710)]),
    ])
    let page = PageInk(
      ink,
      looks: [
        PageInk.Look(color: InkColor("#3333CC80"), width: 1.41), PageInk.Look(width: 2.26),
      ], sheet: BoundingBox(minX: 0, minY: 0, maxX: 612, maxY: 792), scale: point)
    let records = try read(try XournalWriter.bytes(of: [page, page], title: "a & b"))
    #expect(records.count == 2)
    for record in records {
      let sheet = try #require(record.sheet)
      #expect(abs(sheet.maxX - 612) < 1e-6 && abs(sheet.maxY - 792) < 1e-6)
      #expect(record.pens.map(\.color) == ["#3333CC80", "#000000FF"])
      #expect(
        zip(record.pens.compactMap(\.width), [1.41, 2.26]).allSatisfy { abs($0 - $1) < 1e-7 })
      #expect(record.labeled.ink.strokes.map(\.points.count) == [3, 2])
      for (own, other) in zip(record.labeled.ink.strokes, ink.strokes) {
        for (a, b) in zip(own.points, other.points) {
          #expect(abs(a.x - b.x) < 1e-7 && abs(a.y - b.y) < 1e-7)
          #expect((a.force == nil) == (b.force == nil))
          #expect(abs((a.force ?? 0) - (b.force ?? 0)) < 1e-6)
        }
      }
    }
  }

  @Test("A dot has two points, and ink of no sheet gets one")
  func dots() throws {
    let ink = Ink(strokes: [Stroke(points: [StrokePoint(x: 5, y: 5)])])
    let record = try #require(try read(try XournalWriter.bytes(of: [PageInk(ink, scale: 1)])).first)
    #expect(record.labeled.ink.strokes.map(\.points.count) == [2])
    #expect(record.sheet != nil)
  }

  @Test("A long note is packed in pieces, and comes back whole")
  func longNote() throws {
    let strokes = (0..<200).map { index in
      Stroke(
        points: (0..<60).map { step in
          StrokePoint(x: Double(index) + sin(Double(step)), y: Double(step) + cos(Double(index)))
        })
    }
    let page = PageInk(Ink(strokes: strokes), scale: 1)
    let bytes = try XournalWriter.bytes(of: Array(repeating: page, count: 6))
    // Each member begins with its own head.
    let heads = bytes.indices.dropLast(2).filter {
      bytes[$0..<$0 + 3].elementsEqual([0x1F, 0x8B, 0x08])
    }
    #expect(heads.count > 1)
    let records = try read(bytes)
    #expect(records.map(\.labeled.ink.strokes.count) == Array(repeating: 200, count: 6))
  }
}
