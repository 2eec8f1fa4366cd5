import InkEditor
import Testing

@Suite("Configuration")
struct ConfigurationTests {
  private let engine = Configuration()
  private let editor: Configuration

  init() { editor = Configuration(parent: engine) }

  @Test("values set on the engine are read in the editor")
  func inheritance() throws {
    try engine.set("math.solver.angle-unit", to: "rad")
    #expect(try editor.string("math.solver.angle-unit") == "rad")
  }

  @Test("4 on the editor and 2 on the engine read 4 and 2")
  func override() throws {
    try editor.set("math.solver.fractional-part-digits", to: 4)
    try engine.set("math.solver.fractional-part-digits", to: 2)
    #expect(try editor.number("math.solver.fractional-part-digits") == 4)
    #expect(try engine.number("math.solver.fractional-part-digits") == 2)
  }

  @Test("a key that is not set here follows the engine at every read, and again after a reset")
  func live() throws {
    #expect(try editor.number("math.solver.fractional-part-digits") == 3)
    try engine.set("math.solver.fractional-part-digits", to: 5)
    #expect(try editor.number("math.solver.fractional-part-digits") == 5)
    try editor.set("math.solver.fractional-part-digits", to: 1)
    editor.reset()
    #expect(try editor.number("math.solver.fractional-part-digits") == 5)
    engine.reset()
    #expect(try editor.number("math.solver.fractional-part-digits") == 3)
  }

  @Test("defaults refer to other keys, live")
  func interpolation() throws {
    #expect(try editor.string("text.configuration.bundle") == "en_US")
    try engine.set("lang", to: "fr_FR")
    #expect(try editor.string("text.configuration.bundle") == "fr_FR")
    try editor.set("lang", to: "de_DE")
    #expect(try editor.string("text.configuration.bundle") == "de_DE")
    #expect(try engine.string("text.configuration.bundle") == "fr_FR")
    try editor.set("greeting", to: "${lang}-${lang}/${lang")
    #expect(try editor.string("greeting") == "de_DE-de_DE/${lang")
    try editor.set("lists", to: ["${lang}", "x"])
    #expect(try editor.strings("lists") == ["de_DE", "x"])
  }

  @Test("missing, numeric and cyclic references are errors that name them")
  func badReferences() throws {
    try editor.set("a", to: "${b}")
    #expect(throws: ConfigurationError.unresolvedReference(key: "a", reference: "b")) {
      try editor.string("a")
    }
    try editor.set("b", to: "${a}")
    #expect(throws: ConfigurationError.unresolvedReference(key: "a", reference: "a")) {
      try editor.string("a")
    }
    try editor.set("c", to: "${text.margin.left}")
    #expect(throws: ConfigurationError.self) { try editor.string("c") }
  }

  @Test("a missing key without a default is an error, with one it is the default")
  func missing() throws {
    #expect(throws: ConfigurationError.missingKey("no.such")) { try editor.string("no.such") }
    #expect(try editor.string("no.such", default: "x") == "x")
    #expect(try editor.boolean("no.such", default: true))
    #expect(try editor.number("no.such", default: 7) == 7)
    #expect(try editor.strings("no.such", default: ["y"]) == ["y"])
    #expect(try editor.numbers("no.such", default: [1]) == [1])
    #expect(!editor.hasValue("no.such"))
  }

  @Test("another type on read or write is an error that names key, expected and found")
  func kinds() throws {
    #expect(
      throws: ConfigurationError.wrongKind(key: "lang", expected: .number, found: .string)
    ) { try editor.number("lang", default: 1) }
    #expect(
      throws: ConfigurationError.wrongKind(key: "text.margin", expected: .string, found: .section)
    ) { try editor.string("text.margin") }
    #expect(
      throws: ConfigurationError.wrongKind(
        key: "text.margin.left", expected: .number, found: .string)
    ) { try editor.set("text.margin.left", to: "wide") }
    #expect(
      throws: ConfigurationError.wrongKind(key: "text.margin", expected: .section, found: .number)
    ) { try editor.set("text.margin", to: 1) }
    #expect(
      throws: ConfigurationError.wrongKind(key: "lang", expected: .section, found: .string)
    ) { try editor.set("lang.variant", to: "x") }
    #expect(throws: ConfigurationError.self) {
      try editor.set("raw-content.classification.types", to: [1.0])
    }
    let text = ConfigurationError.wrongKind(key: "k", expected: .number, found: .section)
      .description
    #expect(text.contains("k") && text.contains("number") && text.contains("section"))
  }

  @Test("keys with empty parts and numbers out of range are refused")
  func badKeys() throws {
    for key in ["", ".", "a..b", ".a", "a."] {
      #expect(throws: ConfigurationError.malformedKey(key)) { try editor.set(key, to: 1) }
    }
    #expect(throws: ConfigurationError.self) { try editor.set("x", to: Double.nan) }
    #expect(throws: ConfigurationError.self) { try editor.set("x", to: [1, .infinity]) }
    #expect(throws: ConfigurationError.self) {
      try editor.set("max-recognition-thread-count", to: 0)
    }
    #expect(throws: ConfigurationError.self) { try editor.set("text.guides.spacing", to: -1) }
  }

  @Test("JSON sets nested keys, all or none")
  func inject() throws {
    try editor.inject(
      #"{"text": {"margin": {"left": 5}, "guides": {"enable": false}}, "mine": ["a"], "n": [1, 2.5]}"#
    )
    #expect(try editor.number("text.margin.left") == 5)
    #expect(try !editor.boolean("text.guides.enable"))
    #expect(try editor.strings("mine") == ["a"])
    #expect(try editor.numbers("n") == [1, 2.5])
    #expect(try engine.number("text.margin.left") == 15)
    #expect(throws: ConfigurationError.self) {
      try editor.inject(#"{"text": {"margin": {"right": 7, "top": "x"}}}"#)
    }
    #expect(try editor.number("text.margin.right") == 15)
    for bad in ["", "[]", "1", "{\"a\":null}", "{\"a\":[1,\"b\"]}", "{\"a\":[{}]}", "{"] {
      #expect(throws: ConfigurationError.self) { try editor.inject(bad) }
    }
  }

  @Test("sections list the keys below them")
  func sections() throws {
    #expect(editor.keys(inSection: "text.margin") == ["left", "right", "top"])
    #expect(editor.keys(inSection: "math") == ["configuration", "solver"])
    #expect(editor.keys(inSection: "nothing").isEmpty)
  }
}
