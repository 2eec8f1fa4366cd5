import Foundation
import InkCore
import InkEditor
import Recognition
import TestSamples
import Testing

@Suite("Shape fit")
struct ShapeFitTests {
  private func ink(_ points: [(Double, Double)]) -> Ink {
    Ink(strokes: [Stroke(points: points.map { StrokePoint(x: $0.0, y: $0.1) })])
  }

  @Test("ideal shapes fit their own form and not others")
  func ideal() throws {
    let circle = ink(
      (0...40).map { step in
        let angle = Double(step) * .pi / 20
        return (30 + 10 * cos(angle), 40 + 10 * sin(angle))
      })
    let fit = try #require(ShapeFit(circle))
    #expect(fit.form(of: "circle").deviation < 0.01)
    #expect(fit.form(of: "rectangle").deviation > 0.03)
    #expect(fit.form(of: "line").deviation > 0.1)
    let half = try #require(
      ShapeFit(
        ink(
          (0...20).map { step in
            let angle = Double(step) * .pi / 20
            return (30 + 10 * cos(angle), 40 + 10 * sin(angle))
          })))
    #expect(half.form(of: "circle").deviation > 0.05)
    let triangle = try #require(ShapeFit(ink([(0, 0), (20, 0), (10, 15), (0, 0)])))
    guard case .polygon("triangle", let corners) = triangle.form(of: "triangle").form else {
      Issue.record("no triangle")
      return
    }
    #expect(corners.count == 3)
    #expect(triangle.form(of: "triangle").deviation < 0.01)
  }

  @Test("a capsule is rectangle and circle in one, lying or upright")
  func capsule() throws {
    for (width, height) in [(30.0, 10.0), (10, 30)] {
      let radius = min(width, height) / 2
      let drawn = ink(
        (0...64).map { step in
          // The last place is the first again.
          let angle = Double(step % 64) * .pi / 32
          let (c, s) = (cos(angle), sin(angle))
          return (
            50 + radius * c + (c < 0 ? -1 : 1) * (width / 2 - radius),
            50 + radius * s + (s < 0 ? -1 : 1) * (height / 2 - radius)
          )
        })
      let fit = try #require(ShapeFit(drawn))
      #expect(fit.form(of: "capsule").deviation < 0.02)
      #expect(fit.form(of: "ellipse").deviation > fit.form(of: "capsule").deviation)
      #expect(fit.farthestStroke(from: fit.form(of: "capsule").form) < 0.05)
    }
  }

  @Test("an arrow points where its head is")
  func arrow() throws {
    let ink = Ink(
      strokes: [
        Stroke(points: (0...20).map { StrokePoint(x: 40 - Double($0) * 2, y: 10) }),
        Stroke(points: [(6.0, 6.0), (0, 10), (6, 14)].map { StrokePoint(x: $0.0, y: $0.1) }),
      ])
    let fit = try #require(ShapeFit(ink))
    guard case .line(let from, let to, false, true) = fit.form(of: "arrow").form else {
      Issue.record("no arrow")
      return
    }
    #expect(from.x > 35 && to.x < 5)
  }

  @Test("points, dots and ink without extent never crash")
  func degenerate() {
    #expect(ShapeFit(Ink()) == nil)
    #expect(ShapeFit(ink([(1, 1)])) == nil)
    #expect(ShapeFit(ink([(1, 1), (1, 1)])) == nil)
    for label in [
      "rectangle", "square", "circle", "ellipse", "triangle", "diamond", "parallelogram", "line",
      "arrow", "double-arrow", "polyline", "cloud", "star", "unheard-of",
    ] {
      for points in [[(0.0, 0.0), (1, 0)], [(0, 0), (0, 1), (0, 0)], [(0, 0), (1e9, 1e-9)]] {
        let form = ShapeFit(ink(points))?.form(of: label)
        #expect(form?.deviation.isNaN != true)
      }
    }
  }
}
