import InkFormats

/// A format that data can be named in.
public enum DataFormat: String, Hashable, Sendable, CaseIterable {
  /// A UNIPEN folder.
  case unipen
  /// A folder of gesture XML: $1 or MMG.
  case dollar
  /// Labelled strokes, one JSON object per line.
  case ndjson
  /// IAM-OnDB lines of text.
  case iamOnDB = "iam-ondb"
  /// Quick, Draw! raw drawings.
  case quickdraw
  /// InkML: a file, or all files of a folder.
  case inkML = "inkml"
  /// The flowcharts of FC_A: InkML files whose symbols and texts are records.
  case flowchart
  /// JIIX 3 documents with their ink: a file, or all files of a folder.
  case jiix
  /// Notes of Xournal and Xournal++: a file, or all of a folder.
  case xournal = "xopp"
  /// SVG drawings: a file, or all of a folder.
  case svg
  /// Drawings of Excalidraw: a file, or all of a folder.
  case excalidraw
  /// Drawings of tldraw: a file, or all of a folder.
  case tldraw
  /// Characters of Zinnia: a file, or all of a folder.
  case zinnia
  /// Character XML of Tegaki and Tomoe: a file, or all of a folder.
  case tegaki
  /// Strokes in JSON of any program: a file, or all of a folder.
  case json
  /// Pages and notebooks of reMarkable tablets: a file, a stored notebook, or all of a folder.
  case remarkable = "rm"
  /// Notes of Rnote: a file, or all of a folder.
  case rnote
  /// Wacom's Universal Ink Model: a file, or all of a folder.
  case uim
  /// Ink of Wacom's older format: a file, or all of a folder.
  case will
  /// Notes of Saber: a file, or all of a folder.
  case saber = "sbn2"
  /// Notes of Butterfly: a file, or all of a folder.
  case butterfly = "bfly"
  /// Notes of Supernote tablets: a file, or all of a folder.
  case supernote = "note"
  /// Windows ink: a file, or all of a folder.
  case isf
  /// Ink annotations of PDF files: a file, or all of a folder.
  case pdf
  /// Tables of ink: a file, or all of a folder.
  case penTable = "csv"
  /// The strokes of Omniglot.
  case omniglot
  /// The characters of Tomoe.
  case tomoe
  /// The characters of KanjiVG.
  case kanjivg
  /// Our own ink JSON Lines.
  case ink
  /// Ink made by the synthesiser of this package.
  case starter

  /// The keys that this format takes after `?`.
  package var keys: [String] {
    let common = [
      "area", "area-scale", "attribution", "decisions", "every", "fold", "labels", "licence",
      "limit", "relabel", "split", "split-by", "splits", "texts", "writers", "y",
    ]
    switch self {
    case .unipen: return ["category", "level", "unit"] + common
    case .starter:
      // Its people are made, as many as one wants; it is no file whose y may point elsewhere.
      return common.filter { $0 != "split-by" && $0 != "texts" && $0 != "y" }
        + ["count", "length", "population", "seed", "style", "words"]
    case .iamOnDB: return common + ["unit", "with-note", "without-note"]
    case .omniglot: return common + ["with-note", "without-note"]
    case .ink: return common + ["unit"] + Self.virtualKeys
    case .inkML, .flowchart, .jiix, .xournal, .svg, .excalidraw, .tldraw, .json, .ndjson,
      .remarkable, .rnote, .uim, .will, .saber, .butterfly, .supernote, .isf, .pdf, .penTable:
      return common + ["unit"]
    case .tomoe, .kanjivg, .zinnia, .tegaki: return common + Self.virtualKeys
    case .dollar, .quickdraw: return common
    }
  }

  /// The keys of characters that virtual writers write.
  private static let virtualKeys = ["compose", "population", "seed"]

  /// The values that `unit=` takes; none where the format has one level only.
  package var units: [InkUnit] {
    switch self {
    case .unipen, .inkML, .flowchart, .jiix: InkUnit.allCases
    case .iamOnDB: [.page, .line]
    case .xournal, .svg, .excalidraw, .tldraw, .json, .remarkable, .rnote, .uim, .will, .saber,
      .butterfly, .supernote, .isf, .pdf, .penTable:
      [.page, .file, .group, .line, .stroke]
    case .ndjson, .ink: [.page, .line]
    case .dollar, .quickdraw, .omniglot, .tomoe, .kanjivg, .starter, .zinnia, .tegaki: []
    }
  }

  /// True if `unit=line` cuts labelled pages into lines, because files of the format have no lines.
  package var cutsPages: Bool {
    switch self {
    case .xournal, .svg, .excalidraw, .tldraw, .json, .ndjson, .ink, .remarkable, .rnote, .uim,
      .will, .saber, .butterfly, .supernote, .isf, .pdf, .penTable:
      true
    case .unipen, .iamOnDB, .inkML, .flowchart, .jiix, .dollar, .quickdraw, .omniglot, .tomoe,
      .kanjivg, .starter, .zinnia, .tegaki:
      false
    }
  }

  /// True if ink without a writer is split by its page, or by its file if there are no pages. Files
  /// of these formats have one writer and one text, and must not be in two parts. Files of the
  /// other formats are collections.
  package var splitsByFile: Bool {
    switch self {
    case .unipen, .iamOnDB, .inkML, .flowchart, .jiix, .xournal, .svg, .excalidraw, .tldraw, .json,
      .remarkable, .rnote, .uim, .will, .saber, .butterfly, .supernote, .isf, .pdf, .penTable:
      true
    case .dollar, .ndjson, .quickdraw, .omniglot, .tomoe, .kanjivg, .ink, .starter, .zinnia,
      .tegaki:
      false
    }
  }

  /// The parts that `split=` takes.
  public var splits: [DataSplit] {
    self == .iamOnDB
      ? [.train, .val1, .val2, .val, .test, .all] : [.train, .val, .test, .all]
  }
}

extension DataFormat {
  /// The marks for crossed-out ink in the texts of this format, which are not part of the written
  /// text.
  package var crossedOutMarks: Set<Character> { self == .iamOnDB ? ["#", "%"] : [] }
}
