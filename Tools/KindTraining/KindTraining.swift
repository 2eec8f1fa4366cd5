import Foundation
import InkCore
import InkFormats
import InkSynthesis
import Layout

/// Trains and measures the model of stroke kinds.
///
///     swift run -c release KindTraining --data FOLDER [--pages N] [--seed N] [--weights FILE]
///     swift run -c release KindTraining --data FOLDER --measure
@main
struct KindTraining {
  static func main() throws {
    let options = try Options(CommandLine.arguments.dropFirst())
    for path in options.files { try measure(file: path, options) }
    guard options.files.isEmpty else { return }
    let reader = MaterialReader(folder: options.data)
    var model = KindModel.standard
    if options.isTraining {
      let material = try reader.material(of: .train)
      let trainer = KindTrainer(
        composer: PageComposer(material, seed: options.seed), pages: options.pages)
      let start = Date()
      let network = trainer.train(seed: options.seed) { page, loss in
        print(
          String(format: "page %d: loss %.4f, %.0f s", page, loss, Date().timeIntervalSince(start)))
        fflush(nil)
      }
      model = KindModel(network: network, surety: 0.5)
    }
    try report(model, reader, options)
  }

  /// The seeds of validation and test pages.
  private static let seeds: [MaterialReader.Part: UInt64] = [.val: 1001, .test: 2002]

  private static func report(
    _ trained: KindModel, _ reader: MaterialReader, _ options: Options
  ) throws {
    var model = trained
    if options.isTraining {
      let file = WeightsFile(network: model.network, surety: 0.5, command: options.command)
      model = KindModel(network: file.packed, surety: 0.5)
      // Validation chooses how sure the model must be.
      let pages = composer(try reader.material(of: .val), .val)
      let found = probabilities(model, pages, options.measured)
      for surety in [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as [Float] {
        let figures = figures(KindModel(network: model.network, surety: surety), found)
        let least =
          StrokeKind.allCases.dropFirst().map {
            min(figures.recall($0), figures.precision($0))
          }.min() ?? 0
        print(
          String(
            format: "surety %.1f: text recall %.2f %%, precision %.2f %%, least other %.2f %%",
            surety, 100 * figures.recall(.text), 100 * figures.precision(.text), 100 * least))
      }
      model = KindModel(network: model.network, surety: options.surety)
      print("\nValidation:\n\(figures(model, found).table())")
      let weights = WeightsFile(
        network: trained.network, surety: options.surety, command: options.command)
      if let path = options.weights {
        try weights.source().write(toFile: path, atomically: true, encoding: .utf8)
      }
    }
    let pages = composer(try reader.material(of: .test), .test)
    let found = probabilities(model, pages, options.measured)
    print("\nTest:\n\(figures(model, found).table())")
    guard let folder = options.pictures else { return }
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    let ranked = found.map { page, values in
      let kinds = values.map(model.kind)
      return (page, kinds, zip(kinds, page.kinds).count { $0 != $1 })
    }
    let worst = ranked.sorted { $0.2 > $1.2 }.prefix(options.drawn)
    for (index, entry) in (Array(ranked.prefix(options.drawn)) + worst).enumerated() {
      let name = index < options.drawn ? "page" : "worst"
      try PagePicture.svg(entry.0.ink, kinds: entry.1, truth: entry.0.kinds).write(
        toFile: "\(folder)/\(name)-\(index % options.drawn).svg", atomically: true,
        encoding: .utf8)
    }
  }

  private static func composer(
    _ material: PageMaterial, _ part: MaterialReader.Part
  ) -> PageComposer {
    PageComposer(material, seed: seeds[part] ?? 0)
  }

  private typealias Found = [(page: ComposedPage, probabilities: [[Float]])]

  private static func probabilities(
    _ model: KindModel, _ composer: PageComposer, _ count: Int
  ) -> Found {
    parallel(count) { number in
      let page = composer.page(number)
      return (page, model.probabilities(page.ink))
    }
  }

  private static func figures(_ model: KindModel, _ found: Found) -> KindFigures {
    var figures = KindFigures()
    for (page, values) in found {
      for (truth, value) in zip(page.kinds, values) { figures.add(truth, model.kind(value)) }
    }
    return figures
  }

  // MARK: - Files

  /// A line of a file of pages; `kinds` may be missing.
  private struct FilePage: Decodable {
    struct FileStroke: Decodable {
      let x: [Double]
      let y: [Double]
    }
    let strokes: [FileStroke]
    let kinds: [StrokeKind]?

    var ink: Ink {
      Ink(
        strokes: strokes.map { stroke in
          Stroke(points: zip(stroke.x, stroke.y).map { StrokePoint(x: $0, y: $1) })
        })
    }
  }

  /// Measures the pages of a file.
  private static func measure(file path: String, _ options: Options) throws {
    let model = KindModel(network: KindModel.standard.network, surety: options.suretyOrStandard)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let pages = try text.split(separator: "\n").map {
      try JSONDecoder().decode(FilePage.self, from: Data($0.utf8))
    }
    var figures = KindFigures()
    var (time, strokes) = (0.0, 0)
    for (number, page) in pages.enumerated() {
      let ink = page.ink
      let start = clock()
      let kinds = model.kinds(ink)
      time += Double(clock() - start) / Double(CLOCKS_PER_SEC)
      strokes += kinds.count
      for (index, kind) in kinds.enumerated() { figures.add(page.kinds?[index] ?? .text, kind) }
      if let folder = options.pictures, number < options.drawn {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
        try PagePicture.svg(ink, kinds: kinds, truth: page.kinds).write(
          toFile: "\(folder)/file-\(number).svg", atomically: true, encoding: .utf8)
      }
    }
    print(
      String(
        format: "%@: %d pages, text or not %.2f %%, %.2f ms for 500 strokes", path, pages.count,
        100 * figures.textAgreement, 1e3 * time / Double(max(strokes, 1)) * 500))
    print(figures.table())
  }
}

/// The options of the command line.
private struct Options {
  var data = "."
  var pages = 24000
  var measured = 1000
  var seed: UInt64 = 1
  var surety: Float = 0.6
  var weights: String?
  var pictures: String?
  var drawn = 20
  var files: [String] = []
  var isTraining = true
  private var hasSurety = false
  let command: String

  var suretyOrStandard: Float { hasSurety ? surety : KindModel.standard.surety }

  struct Misuse: Error, CustomStringConvertible {
    let description: String
  }

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    func value(_ name: String) throws -> String {
      guard let value = rest.popFirst() else {
        throw Misuse(description: "\(name): expected a value")
      }
      return value
    }
    func number<Value: LosslessStringConvertible>(_ name: String) throws -> Value {
      let text = try value(name)
      guard let number = Value(text) else {
        throw Misuse(description: "\(name): expected a number, found '\(text)'")
      }
      return number
    }
    while let name = rest.popFirst() {
      switch name {
      case "--data": data = try value(name)
      case "--pages": pages = try number(name)
      case "--measured": measured = try number(name)
      case "--seed": seed = try number(name)
      case "--surety":
        surety = try number(name)
        hasSurety = true
      case "--weights": weights = try value(name)
      case "--pictures": pictures = try value(name)
      case "--drawn": drawn = try number(name)
      case "--measure": isTraining = false
      case "--file": files.append(try value(name))
      default: throw Misuse(description: "\(name): unknown option")
      }
    }
    command =
      "swift run -c release KindTraining --data FOLDER --seed \(seed) --pages \(pages) "
      + "--surety \(surety) --weights FILE"
  }
}
