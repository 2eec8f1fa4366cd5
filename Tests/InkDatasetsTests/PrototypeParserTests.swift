import InkDatasets
import InkSynthesis
import Testing

@Suite("Prototype notation")
struct PrototypeParserTests {
  @Test("A line gives label, weight, joining form, corners and pen lifts")
  func line() throws {
    let text = "// a comment\n\nt *2.5 ~ -10,2 18,88! 26,0 | 0,56! 38,60"
    let prototypes = try PrototypeParser.parse(text, name: "text")
    let expected = Prototype(
      label: "t", weight: 2.5, joints: .both,
      strokes: [
        [Knot(-10, 2), Knot(18, 88, isCorner: true), Knot(26, 0)],
        [Knot(0, 56, isCorner: true), Knot(38, 60)],
      ])
    #expect(prototypes == [expected])
  }

  @Test("Weight and joining form have defaults, and any character can be a label")
  func defaults() throws {
    let prototypes = try PrototypeParser.parse("| 0,0 1,1\n* 0,0 1,1\n/ 0,0 1,1", name: "text")
    #expect(prototypes.map(\.label) == ["|", "*", "/"])
    #expect(prototypes.allSatisfy { $0.weight == 1 && $0.joints == .none && $0.strokes.count == 1 })
  }

  @Test(
    "Malformed lines are typed errors with the line",
    arguments: [
      ("  ", PrototypeError.Code.missingLabel), ("a *0 0,0 1,1", .invalidWeight),
      ("a *x 0,0 1,1", .invalidWeight),
      ("a *inf 0,0 1,1", .invalidWeight), ("a *-1 0,0 1,1", .invalidWeight),
      ("a 0,0 1", .invalidKnot), ("a 0,0 1,2,3", .invalidKnot), ("a 0,0 1.5,2", .invalidKnot),
      ("a 0,0 401,2", .invalidKnot), ("a 0,0 1,2!!", .invalidKnot), ("a 0,0 ,", .invalidKnot),
      ("a", .degenerateStroke), ("a 0,0", .degenerateStroke), ("a 0,0 1,1 |", .degenerateStroke),
      ("a | 0,0 1,1", .degenerateStroke), ("a 0,0 0,0!", .degenerateStroke),
    ])
  func malformed(line: String, code: PrototypeError.Code) {
    let error = #expect(throws: PrototypeError.self) {
      try PrototypeParser.parse("b 0,0 1,1\n" + line, name: "text")
    }
    #expect(error?.code == code)
    #expect(error?.description.hasPrefix("text:2: expected ") == true)
  }

  @Test("Every printable ASCII character has at least three prototypes")
  func characters() throws {
    let library = try PrototypeLibrary.characters.get()
    #expect(Set(library.labels) == Set((33...126).map { String(UnicodeScalar(UInt8($0))) }))
    for label in library.labels {
      #expect(library.prototypes[label, default: []].count >= 3, "\(label)")
    }
  }

  @Test("Every small letter has a joining form that leads from left to right")
  func joiningForms() throws {
    let library = try PrototypeLibrary.characters.get()
    for label in "abcdefghijklmnopqrstuvwxyz" {
      let forms = library.prototypes[String(label), default: []].filter { $0.joints == .both }
      #expect(forms.count >= 1, "\(label)")
      for form in forms {
        let main = try #require(form.strokes.first)
        #expect(main[0].x < 0 && main[main.count - 1].x > 30, "\(label)")
      }
    }
  }

  @Test("Shapes and gestures have at least two prototypes each")
  func shapesAndGestures() throws {
    let shapes = try PrototypeLibrary.shapes.get()
    #expect(
      Set(shapes.labels + ShapeComposer.labels) == [
        "rectangle", "square", "ellipse", "circle", "triangle", "parallelogram", "capsule",
        "arrow", "double-arrow", "line", "polyline", "arch", "star", "diamond", "cloud", "cross",
        "tick",
      ])
    let gestures = try PrototypeLibrary.gestures.get()
    #expect(
      Set(gestures.labels) == [
        "scratch-out", "strike-through", "underline", "surround", "join", "insert", "tick",
        "caret",
      ])
    for library in [shapes, gestures] {
      for label in library.labels {
        #expect(library.prototypes[label, default: []].count >= 2, "\(label)")
      }
    }
  }

  @Test("No two prototypes of a label are the same")
  func noRepetition() throws {
    for library in try [
      PrototypeLibrary.characters.get(), PrototypeLibrary.shapes.get(),
      PrototypeLibrary.gestures.get(),
    ] {
      for (label, prototypes) in library.prototypes {
        #expect(Set(prototypes.map(\.strokes)).count == prototypes.count, "\(label)")
      }
    }
  }

  @Test("Letters keep to the ruled frame")
  func frame() throws {
    let library = try PrototypeLibrary.characters.get()
    let heights: [(labels: String, range: ClosedRange<Double>)] = [
      ("acemnorsuvwx", 40...62), ("ABCDEFGHIKLMNOPRSTUVWXYZ0123456789bdhkl", 84...140),
    ]
    for (labels, range) in heights {
      for label in labels {
        for prototype in library.prototypes[String(label), default: []] {
          #expect(range.contains(prototype.box.height), "\(label)")
          #expect((-12...8).contains(prototype.box.minY) || label == "Z", "\(label)")
        }
      }
    }
    for label in "gpqy" {
      for prototype in library.prototypes[String(label), default: []] {
        #expect(prototype.box.minY < -25 && prototype.box.maxY < 62, "\(label)")
      }
    }
  }
}
