import Evaluation
import Foundation
import InkCore
import Metrics
import Reports
import Testing

@Suite("Parts of reports")
struct ReportPartsTests {
  @Test("A missing folder is created, and an existing page is replaced")
  func folder() throws {
    let base = FileManager.default.temporaryDirectory
      .appendingPathComponent("report-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: base) }
    let folder = try ReportFolder(preparing: base.path + "/a/b")
    #expect(try folder.write("one") == 3)
    try ReportFolder(preparing: base.path + "/a/b/").write("two")
    #expect(try String(contentsOfFile: folder.page, encoding: .utf8) == "two")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["index.html"])
  }

  @Test("A file in the way is a typed error that names the path")
  func fileInTheWay() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("report-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data().write(to: file)
    for path in [file.path, file.path + "/below"] {
      let error = #expect(throws: ReportError.self) { try ReportFolder(preparing: path) }
      #expect(error?.description.hasPrefix(path) == true)
    }
  }

  @Test("Every template parses; two braces escape and three do not")
  func templates() throws {
    let templates = try ReportTemplates()
    let head = ReportHead(
      kind: "x", title: "<&>\"\u{301}", hash: "1234abcd", links: [(id: "part", name: "Part")])
    for page in ReportTemplates.Page.allCases {
      let text = try templates.render(page, head, [:])
      #expect(text.contains("<title>&lt;&amp;&gt;&quot;\u{301}</title>"))
      #expect(text.contains("<a href=\"#part\">Part</a>"))
      #expect(text.contains("<code>1234abcd</code></p></footer>"))
      #expect(text.contains("prefers-color-scheme:dark"))
      #expect(!text.contains("{{"))
    }
  }

  @Test("A report of formulas typesets them, escapes texts, and counts what it leaves out")
  func formulas() throws {
    let ink = LabeledInk(
      ink: Ink(strokes: [Stroke(points: [StrokePoint(x: 0, y: 0), StrokePoint(x: 9, y: 9)])]),
      label: "x", writer: "w<1>")
    let mathML = #"<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>"#
    let wrong = FormulaReport.Misreading(
      ink: ink, name: "a&b.inkml", truth: .init(latex: "x", mathML: mathML),
      reading: .init(latex: "<x", mathML: nil), wrongSymbols: 1)
    func html(_ worst: [FormulaReport.Misreading]) throws -> String {
      try FormulaReport(
        model: "/home/someone/formulas.ductus", data: ["inkml:/data/x?unit=formula"],
        figures: [("Formulas right", "50 %")],
        tables: [.init(title: "By source", columns: ["Source", "Right"], rows: [["<a>", "1 %"]])],
        worst: worst
      ).html()
    }
    let text = try html([wrong])
    #expect(text.contains("<bdi class=\"truth\">\(mathML)</bdi>"))
    #expect(text.contains("<bdi class=\"read\">&lt;x</bdi> <bdi>1 symbol wrong</bdi>"))
    #expect(text.contains("<th scope=\"row\">&lt;a&gt;</th><td>1 %</td>"))
    #expect(text.contains("a&amp;b.inkml") && text.contains("w&lt;1&gt;"))
    #expect(text.contains("<title>formulas.ductus</title>") && !text.contains("/home/someone"))
    #expect(try html([]).contains("None: every formula was read correctly."))
    let many = Array(repeating: wrong, count: FormulaReport.mostErrors + 3)
    #expect(try html(many).contains("And 3 more."))
  }

  @Test("Intervals name the clusters that they resample")
  func clusters() {
    #expect(ClusterText.text(writers: 1, clusters: 1) == "1 writer")
    #expect(ClusterText.text(writers: 12, clusters: 12) == "12 writers")
    #expect(ClusterText.text(writers: 0, clusters: 40) == "40 pages or inks of unknown writers")
    #expect(
      ClusterText.text(writers: 2, clusters: 3) == "2 writers and 1 page or ink of unknown writers")
  }

  @Test("Differences of rates have a sign if two digits show one")
  func points() {
    #expect(
      [0.0123, -0.1, 0.00004, -0.00004, 0].map(ReportText.points)
        == ["+1.23", "−10.00", "±0.00", "±0.00", "±0.00"])
  }

  @Test("Escaping works on scalars, and shows controls as pictures")
  func escaping() {
    #expect(HTMLEscaping.escape("a\"\u{301}<\u{338}'&") == "a&quot;\u{301}&lt;\u{338}&#39;&amp;")
    #expect(HTMLEscaping.escape("\u{0}\u{9}\u{7F}\u{202E}") == "\u{2400}\u{2409}\u{FFFD}\u{FFFD}")
    #expect(HTMLEscaping.escape("\r\n") == "\u{240D}\u{21B5}\n")
  }

  @Test("Numbers are written with few digits, and a label can always be seen")
  func text() {
    #expect(ReportText.percent(0.97231) == "97.23\u{202F}%")
    #expect(ReportText.percent(nil) == "–")
    #expect(CountText.count(1_234_567) == "1\u{202F}234\u{202F}567")
    #expect(CountText.count(-12_345) == "−12\u{202F}345")
    #expect(CountText.count(1, "ink") == "1 ink" && CountText.count(0, "ink") == "0 inks")
    #expect(ReportText.latency(0.1454) == "145\u{202F}µs")
    #expect(ReportText.latency(2.5) == "2.50\u{202F}ms")
    #expect(ReportText.label("") == "(empty)" && ReportText.label("  ") == "␣␣")
    #expect(ReportText.label(String(repeating: "x", count: 100)).count == 40)
  }

  @Test("Ticks are round, at most six, and whole where they count")
  func ticks() {
    #expect(ChartTick.percent(0...1).map(\.text).last == "100\u{202F}%")
    #expect(ChartTick.counts(0.5...3.5).map(\.value) == [1, 2, 3])
    #expect(ChartTick.counts(0...1).map(\.value) == [0, 1])
    for upper in [1e-6, 0.3, 7, 99, 12_345, 1e12] {
      let ticks = ChartTick.round(0...upper) { "\($0)" }
      #expect((2...6).contains(ticks.count), "\(upper): \(ticks.map(\.value))")
    }
    #expect(ChartTick.round(5...5) { "\($0)" }.map(\.value) == [5])
    let logarithmic = ChartTick.logarithmic(-1...1) { "\($0)" }
    #expect(logarithmic.count == 7)
  }

  @Test("A histogram contains every count, with outliers in its last column")
  func histogram() {
    var counts: [Int: Int] = [:]
    for value in 1...100 { counts[value] = 10 }
    counts[1_000_000] = 1
    let columns = HistogramChart.columns(of: counts)
    #expect(columns.map(\.count).reduce(0, +) == 1001)
    #expect(columns.count <= 41)
    #expect(columns.last?.name.hasSuffix("and more") == true)
    #expect(HistogramChart.columns(of: [:]).isEmpty)
    #expect(HistogramChart.columns(of: [5: 2]).map(\.name) == ["5"])
  }

  @Test("The matrix shows every label up to its limit, then those with the most errors")
  func heatMap() {
    var matrix = ConfusionMatrix()
    for index in 0..<200 {
      matrix.add(label: "l\(index)", predicted: index < 40 ? "l0" : "l\(index)")
    }
    matrix.add(label: "l0", predicted: nil)
    let map = ConfusionHeatMap(matrix)
    #expect(map.labels.count == ConfusionHeatMap.mostLabels)
    #expect(map.omitted == 200 - ConfusionHeatMap.mostLabels)
    #expect(Set(map.labels).isSuperset(of: (0..<40).map { "l\($0)" }))
    #expect(map.svg.contains("l0 read as nothing: 1 of 2"))
    #expect(ConfusionHeatMap(ConfusionMatrix()).svg.isEmpty)
  }

  @Test("Absolute paths are left out of texts, other slashes stay")
  func paths() {
    let paths = ReportPaths(
      dataset: "unipen", environment: ["INK_DATASETS": "/d/my ink", "HOME": "/home/someone"])
    #expect(paths.redact("/d/my ink/unipen/data/a.dat:3") == "…/unipen/data/a.dat:3")
    #expect(
      paths.redact("the included file /home/someone/x/y.inc") == "the included file …/x/y.inc")
    #expect(paths.redact("found '/etc/secret/file'") == "found '…/file'")
    #expect(paths.redact("K/N or 1/2 and /") == "K/N or 1/2 and /")
    #expect(ReportPaths.name(of: "a/b") == "a/b" && ReportPaths.name(of: "/a/b/") == "…/b")
    #expect(ReportPaths.name(ofData: "ink:~/x.jsonl?limit=3") == "ink:…/x.jsonl?limit=3")
  }
}
