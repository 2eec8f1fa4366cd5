/// A parser to fuzz.
enum FuzzTarget: String, CaseIterable {
  case catalog
  case dataSpecification = "data-specification"
  case excalidraw
  case exchange
  case fileFormat = "file-format"
  case gestureXML = "gesture-xml"
  case inkML = "inkml"
  case iamStrokes = "iam-strokes"
  case iamTask = "iam-task"
  case iamTexts = "iam-texts"
  case iamWriters = "iam-writers"
  case inkJSONLines = "ink-jsonl"
  case intensityJSON = "intensity-json"
  case languageModel = "language-model"
  case languageTag = "language-tag"
  case isf
  case jiix
  case manifest
  case omniglot
  case onnx
  case quickDraw = "quickdraw"
  case safeTensors = "safetensors"
  case splitFile = "split-file"
  case strictJSON = "strict-json"
  case strokeJSON = "stroke-json"
  case strokeNDJSON = "ndjson"
  case svg
  case tegaki
  case tldraw
  case unipen
  case xournal
  case remarkable
  case rnote
  case uim
  case will
  case saber
  case butterfly
  case supernote
  case pdfInk = "pdf-ink"
  case penTable = "pen-table"
  case programAnswer = "program-answer"
  case zinnia
  case zip

  /// Parses an input and passes the result to the canary. Typed errors are the correct reaction to
  /// bad input and are ignored; a trap is a bug.
  func run(_ bytes: [UInt8], canary: Canary) {
    switch self {
    case .catalog: Self.catalog(bytes, canary)
    case .dataSpecification: Self.dataSpecification(bytes, canary)
    case .excalidraw: Self.excalidraw(bytes, canary)
    case .exchange: Self.exchange(bytes, canary)
    case .fileFormat: Self.fileFormat(bytes, canary)
    case .gestureXML: Self.gestureXML(bytes, canary)
    case .inkML: Self.inkML(bytes, canary)
    case .iamStrokes: Self.iamStrokes(bytes, canary)
    case .iamTask: Self.iamTask(bytes, canary)
    case .iamTexts: Self.iamTexts(bytes, canary)
    case .iamWriters: Self.iamWriters(bytes, canary)
    case .inkJSONLines: Self.inkJSONLines(bytes, canary)
    case .intensityJSON: Self.intensityJSON(bytes, canary)
    case .languageModel: Self.languageModel(bytes, canary)
    case .languageTag: Self.languageTag(bytes, canary)
    case .isf: Self.isf(bytes, canary)
    case .jiix: Self.jiix(bytes, canary)
    case .manifest: Self.manifest(bytes, canary)
    case .omniglot: Self.omniglot(bytes, canary)
    case .onnx: Self.onnx(bytes, canary)
    case .quickDraw: Self.quickDraw(bytes, canary)
    case .safeTensors: Self.safeTensors(bytes, canary)
    case .splitFile: Self.splitFile(bytes, canary)
    case .strictJSON: Self.strictJSON(bytes, canary)
    case .strokeJSON: Self.strokeJSON(bytes, canary)
    case .strokeNDJSON: Self.strokeNDJSON(bytes, canary)
    case .svg: Self.svg(bytes, canary)
    case .tegaki: Self.tegaki(bytes, canary)
    case .tldraw: Self.tldraw(bytes, canary)
    case .unipen: Self.unipen(bytes, canary)
    case .xournal: Self.xournal(bytes, canary)
    case .remarkable: Self.remarkable(bytes, canary)
    case .rnote: Self.rnote(bytes, canary)
    case .uim: Self.uim(bytes, canary)
    case .will: Self.will(bytes, canary)
    case .saber: Self.saber(bytes, canary)
    case .butterfly: Self.butterfly(bytes, canary)
    case .supernote: Self.supernote(bytes, canary)
    case .pdfInk: Self.pdfInk(bytes, canary)
    case .penTable: Self.penTable(bytes, canary)
    case .programAnswer: Self.programAnswer(bytes, canary)
    case .zinnia: Self.zinnia(bytes, canary)
    case .zip: Self.zip(bytes, canary)
    }
  }
}
