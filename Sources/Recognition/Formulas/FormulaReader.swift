import Formulas
import Foundation
import InkCore

/// Reads formulas: groups of strokes, their symbols, and the structure, with one score for all.
///
/// The best segmentations of the strokes are found first (a semi-Markov model over groups, Sarawagi
/// and Cohen 2004). Each is then given a structure and classes, which decide between them.
/// Thread-safe; a call allocates its own memory.
///
///     let reader = try FormulaReader(FormulaModel(contentsOf: url))
///     let candidates = try reader.read(ink)
///     print(candidates.first?.latex ?? "")
package struct FormulaReader: Sendable {
  /// The model in use.
  package let model: FormulaModel
  let classifier: SymbolClassifier
  private let kinds: SymbolKinds
  /// The segmentations that get a structure.
  package var segmentations = 8
  /// The rounds of structure and classes for each of them.
  private static let rounds = 2
  /// The readings of a segmentation with another class of one symbol.
  private static let variants = 4
  /// The most candidates of a symbol, and the least probability of one.
  private static let symbolCandidates = (most: 5, least: Float(0.005))
  /// The log-probability that a segmentation may be behind the best: a likelier one decides.
  private static let widestMargin: Float = 12

  /// Makes a reader.
  ///
  /// - Throws: ``FormulaError/malformedModel(path:what:)`` for a glyph model without the class of
  ///   groups that are not symbols.
  package init(_ model: FormulaModel) throws(FormulaError) {
    classifier = try SymbolClassifier(checking: model.symbols)
    self.model = model
    kinds = SymbolKinds(labels: model.symbols.labels)
  }

  /// Reads an ink.
  ///
  /// - Parameters:
  ///   - ink: The strokes of one formula, in any unit and order, y down.
  ///   - known: The labels of strokes that are known to be a symbol each.
  ///   - maximumCandidates: The most candidates.
  /// - Returns: Candidates, best first. Empty for an ink without strokes.
  /// - Throws: ``FormulaError/tooManyStrokes(found:limit:)`` or
  ///   ``FormulaError/nonFiniteCoordinate(stroke:)``.
  package func read(
    _ ink: Ink, known: [Int: String] = [:], maximumCandidates: Int = 5
  ) throws(FormulaError) -> [FormulaCandidate] {
    let kept = ink.strokes.indices.filter { !ink.strokes[$0].points.isEmpty }
    guard !kept.isEmpty else { return [] }
    var labels: [Int: String] = [:]
    for (index, stroke) in kept.enumerated() { labels[index] = known[stroke] }
    let measured = try FormulaInk(Ink(strokes: kept.map { ink.strokes[$0] }), known: labels)
    let groups = classified(measured)
    let joint = readings(of: measured, groups, strokes: kept)
    let others = try tables(in: measured, groups, strokes: kept, joint: joint)
    return ranked(others.isEmpty ? joint : others, maximumCandidates)
  }

  /// Reads an ink as one formula without tables.
  ///
  /// - Throws: As ``read(_:maximumCandidates:)``.
  package func readPlain(
    _ ink: Ink, maximumCandidates: Int
  ) throws(FormulaError) -> [FormulaCandidate] {
    let kept = ink.strokes.indices.filter { !ink.strokes[$0].points.isEmpty }
    guard !kept.isEmpty else { return [] }
    let measured = try FormulaInk(Ink(strokes: kept.map { ink.strokes[$0] }))
    return ranked(readings(of: measured, classified(measured), strokes: kept), maximumCandidates)
  }

  /// The groups of strokes that may be symbols.
  func classified(_ ink: FormulaInk) -> ClassifiedGroups {
    ClassifiedGroups(GroupHypotheses(ink), ink, classifier)
  }

  /// The readings of an ink as one formula without tables, in no order.
  ///
  /// - Parameters:
  /// - Parameter strokes: The names of the strokes in the candidates.
  func readings(
    of measured: FormulaInk, _ groups: ClassifiedGroups, strokes kept: [Int]
  ) -> [FormulaCandidate] {
    let scores = model.groupNetwork.forward(GroupFeatures.input(groups, measured)).outputs
    let paths = Self.segmentations(groups, scores, measured, count: segmentations)
    let best = paths.first?.score ?? 0
    var candidates: [FormulaCandidate] = []
    for path in paths where path.score > best - Self.widestMargin {
      let placed = path.groups.map { groups.groups[$0] }
      let reading = read(placed, labels: path.groups.map(groups.labelScores), in: measured)
      for variant in [reading] + reading.variants(Self.variants) {
        if let candidate = candidate(variant, path.score, measured, strokes: kept) {
          candidates.append(candidate)
        }
      }
    }
    return candidates
  }

  /// The best segmentations. Their scores are log-probabilities.
  package static func segmentations(
    _ groups: ClassifiedGroups, _ scores: [Float], _ ink: FormulaInk, count: Int
  ) -> [StrokeLattice.Path] {
    let lattice = StrokeLattice(
      groups.groups, isAllowed: allowed(groups), strokes: ink.strokes.count)
    let (logSum, _) = lattice.marginals(scores: scores, groups: groups.groups.count)
    return lattice.best(count, scores: scores).map {
      StrokeLattice.Path(score: $0.score - logSum, groups: $0.groups)
    }
  }

  /// The groups that a segmentation may use: all single strokes and runs of two, and others unless
  /// the glyph model is sure that they are not symbols.
  package static func allowed(_ groups: ClassifiedGroups) -> [Bool] {
    groups.groups.indices.map { index in
      let group = groups.groups[index]
      let isRun = (group.last ?? 0) - group[0] == group.count - 1
      return group.count == 1 || groups.none(index) < (isRun ? -0.005 : -0.1)
    }
  }

  /// The structure and the classes of given groups.
  package struct Reading {
    package var groups: [[Int]]
    package var labels: [Int]
    package var confidences: [Float]
    /// The log-probabilities of the classes of each symbol.
    package var scores: [[Float]]
    package var links: [SymbolLayout.Link?]
    package var labelScore: Float
    package var relationScore: Float

    /// The likeliest readings that differ in the class of one symbol.
    package func variants(_ count: Int) -> [Reading] {
      var seconds: [(symbol: Int, label: Int, loss: Float)] = []
      for (symbol, row) in scores.enumerated() {
        let others = row.indices.filter { $0 != labels[symbol] }
        guard let label = others.max(by: { row[$0] < row[$1] }) else { continue }
        seconds.append((symbol, label, row[labels[symbol]] - row[label]))
      }
      return seconds.sorted { $0.loss < $1.loss }.prefix(count).map { second in
        var copy = self
        copy.labels[second.symbol] = second.label
        copy.confidences[second.symbol] -= second.loss
        copy.labelScore -= second.loss
        return copy
      }
    }
  }

  /// Reads given groups.
  ///
  /// - Parameter labels: The log-probabilities of the classes of each group.
  package func read(_ groups: [[Int]], labels: [[Float]], in ink: FormulaInk) -> Reading {
    let classes = classifier.classes
    var chosen = labels.map(Self.best)
    var symbols = PlacedSymbols(groups, labels: chosen, in: ink, kinds: kinds)
    var links: [SymbolLayout.Link?] = []
    var relationScore: Float = 0
    var corrected = labels
    for _ in 0..<Self.rounds {
      (links, relationScore) = structure(of: symbols)
      let outputs = model.labelNetwork.forward(
        LabelFeatures.input(symbols, links, scores: labels, classes: classes)
      ).outputs
      corrected = LabelFeatures.corrected(labels, outputs)
      chosen = corrected.map(Self.best)
      // The same classes have the same structure.
      guard chosen != symbols.labels else { break }
      symbols = symbols.relabeled(chosen)
    }
    let confidences = zip(corrected, chosen).map { $0[$1] }
    return Reading(
      groups: groups, labels: chosen, confidences: confidences, scores: corrected, links: links,
      labelScore: confidences.reduce(0, +), relationScore: relationScore)
  }

  /// The best structure of symbols with its log-probability.
  package func structure(of symbols: PlacedSymbols) -> (links: [SymbolLayout.Link?], score: Float) {
    let (count, classes) = (symbols.groups.count, classifier.classes)
    let pairs = RelationFeatures.input(symbols, classes: classes)
    let first = StructureSearch(
      RelationScores.choices(model.relationNetwork.forward(pairs).outputs, count: count)
    ).best()
    guard let network = model.contextNetwork else { return first }
    let input = RelationContext.input(pairs, symbols, first.links, classes: classes)
    return StructureSearch(
      RelationScores.choices(network.forward(input).outputs, count: count)
    ).best()
  }

  /// Reads the symbols and the structure of given groups.
  ///
  /// - Throws: As ``read(_:maximumCandidates:)``, and ``FormulaError/notATree(symbol:)``.
  package func read(_ ink: Ink, groups: [[Int]]) throws(FormulaError) -> SymbolLayout {
    let measured = try FormulaInk(ink)
    let reading = read(
      groups, labels: classifier.labelScores(of: groups, in: measured), in: measured)
    return try SymbolLayout(
      symbols: groups.indices.map {
        FormulaSymbol(
          model.symbols.labels[reading.labels[$0]], strokes: groups[$0],
          confidence: Double(exp(reading.confidences[$0])))
      }, links: reading.links)
  }

  /// Reads the structure of given symbols. A label that the model does not have counts as its first.
  ///
  /// - Throws: As ``read(_:maximumCandidates:)``, and ``FormulaError/notATree(symbol:)``.
  package func read(_ ink: Ink, symbols: [FormulaSymbol]) throws(FormulaError) -> SymbolLayout {
    let measured = try FormulaInk(ink)
    let labels = symbols.map { model.symbols.labels.firstIndex(of: $0.label) ?? 0 }
    let placed = PlacedSymbols(
      symbols.map(\.strokes), labels: labels, in: measured, kinds: kinds)
    return try SymbolLayout(symbols: symbols, links: structure(of: placed).links)
  }

  private static func best(_ scores: [Float]) -> Int {
    scores.indices.max { scores[$0] < scores[$1] } ?? 0
  }

  private func candidate(
    _ reading: Reading, _ groupScore: Float, _ ink: FormulaInk, strokes: [Int]
  ) -> FormulaCandidate? {
    let symbols = reading.groups.indices.map { index in
      FormulaSymbol(
        ink.known[reading.groups[index][0]] ?? model.symbols.labels[reading.labels[index]],
        strokes: reading.groups[index].map { strokes[$0] },
        confidence: Double(exp(reading.confidences[index])))
    }
    guard let layout = try? SymbolLayout(symbols: symbols, links: reading.links),
      let formula = try? Formula(layout)
    else { return nil }
    let parts = FormulaCandidate.Parts(
      groups: groupScore, labels: reading.labelScore, relations: reading.relationScore,
      faults: Float(
        FormulaFaults.count(in: formula, knowsAccents: model.contextNetwork != nil)))
    return FormulaCandidate(
      layout: layout,
      symbols: zip(layout.symbols, labels(reading, layout)).map {
        FormulaCandidate.Symbol(symbol: $0, candidates: $1)
      },
      formula: formula, parts: parts, score: model.weights.score(of: parts))
  }

  /// Returns the labels that each symbol of a reading may have; see ``FormulaCandidate/Symbol``.
  private func labels(_ reading: Reading, _ layout: SymbolLayout) -> [[String]] {
    let parents = Set(
      reading.links.compactMap(\.self).filter { [.above, .below, .inside].contains($0.relation) }
        .map(\.parent))
    return reading.groups.indices.map { index in
      let label = layout.symbols[index].label
      // Another label would change the structure.
      let isStructure =
        label == "-" || AccentSigns.accent(of: label, isSingle: true) != nil
      guard label != #"\sqrt"#, !isStructure || !parents.contains(index) else { return [] }
      let row = reading.scores[index]
      let least = log(Self.symbolCandidates.least)
      let labels = row.indices.filter { row[$0] > least || $0 == reading.labels[index] }
        .sorted { row[$0] > row[$1] }.map { model.symbols.labels[$0] }
        .filter { $0 != SymbolClassifier.none && $0 != #"\sqrt"# }
      guard labels.count > 1 else { return [] }
      return Array(labels.prefix(Self.symbolCandidates.most))
    }
  }

  private func ranked(_ candidates: [FormulaCandidate], _ count: Int) -> [FormulaCandidate] {
    // Readings with the same LaTeX are one candidate.
    var seen: Set<String> = []
    var sorted = candidates.sorted { $0.score > $1.score }.filter {
      seen.insert($0.latex).inserted
    }
    let temperature = max(model.weights.temperature, 0.01)
    let best = sorted.first?.score ?? 0
    let total = sorted.reduce(0) { $0 + exp(Double(($1.score - best) / temperature)) }
    for index in sorted.indices {
      sorted[index].probability = exp(Double((sorted[index].score - best) / temperature)) / total
    }
    return Array(sorted.prefix(max(1, count)))
  }
}

/// Converts the outputs of the relation network to log-probabilities of choices.
package enum RelationScores {
  /// The choices of each symbol: a softmax over all parents and relations, and over being first.
  ///
  /// - Parameter outputs: [N, K] in the order of ``RelationFeatures/input(_:classes:)``.
  package static func choices(_ outputs: [Float], count: Int) -> [[StructureSearch.Choice]] {
    let width = RelationFeatures.outputs
    return (0..<count).map { child in
      var choices = [
        StructureSearch.Choice(
          link: nil, score: outputs[child * count * width + RelationFeatures.rootOutput])
      ]
      for parent in 0..<count where parent != child {
        let row = RelationFeatures.row(child: child, parent: parent, count: count)
        for relation in FormulaRelation.allCases {
          choices.append(
            StructureSearch.Choice(
              link: SymbolLayout.Link(parent, relation),
              score: outputs[row * width + relation.rawValue]))
        }
      }
      let largest = choices.map(\.score).max() ?? 0
      let normalizer = largest + log(choices.reduce(0) { $0 + exp($1.score - largest) })
      for index in choices.indices { choices[index].score -= normalizer }
      return choices
    }
  }
}
