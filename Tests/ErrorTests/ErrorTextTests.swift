import Downloads
import EditorStorage
import Evaluation
import Exports
import Features
import Files
import Foundation
import InkCore
import InkDatasets
import InkEditor
import InkFormats
import InkSearch
import IntensityText
import LanguageModels
import ModelFormat
import ModelStore
import Networks
import PretrainedModels
import Recognition
import Reports
import RunLog
import SafeTensors
import Studio
import SystemFonts
import Testing
import Training
import WebAPI

/// Apps show `error.localizedDescription`: for every public error type it is the type's own text. These
/// tests do not import DuctusKit: each module makes its errors readable by itself.
@Suite("Texts of errors")
struct ErrorTextTests {
  /// An error of each public type, by the name of the type.
  static let samples: [String: any Error & CustomStringConvertible] = [
    "DownloadError": DownloadError.notFound(url: "https://example.org"),
    "PackageError": PackageError.notFound(path: "a"),
    "ComparisonRuleError": ComparisonRuleError.unreadable(rule: "a", problem: "b"),
    "FeatureError": FeatureError(what: "a", expected: "b", found: "c"),
    "Gzip.Fault": Gzip.Fault.tooLarge(limit: 10),
    "Zstandard.Fault": Zstandard.Fault.missingLibrary,
    "InkError": InkError.malformedWritingArea,
    "DatasetInstallError": DatasetInstallError.unknown(name: "a", known: ["b"]),
    "DataError": DataError(.unknownFormat, in: "a", expected: "b", found: "c"),
    "ConfigurationError": ConfigurationError.missingKey("a"),
    "EditorError": EditorError.notIdle,
    "ExportError": ExportError.noCairo,
    "EditorNotice": EditorNotice(block: "a", code: .modelNotFound, message: "b"),
    "MissingModel": MissingModel(name: "a"),
    "StyleSheetError": StyleSheetError(line: 1, expected: "a", found: "b"),
    "InkFormatError": InkFormatError(
      .missingFile, at: SourceLocation(path: "a"), expected: "b", found: "c", advice: "d"),
    "IntensityTextError": IntensityTextError(.outside, "a", expected: "b", found: "c"),
    "SystemFonts.MissingLibrary": SystemFonts.MissingLibrary(),
    "TextConstraintError": TextConstraintError.emptyAlphabet,
    "LanguageModelError": LanguageModelError(.wrongMagic, file: "a"),
    "LanguageModelError.Reason": LanguageModelError.Reason.wrongMagic,
    "LanguageModelTrainingError": LanguageModelTrainingError.noText(scalars: 1, minimumCount: 2),
    "LanguageRulesError": LanguageRulesError.malformed(expected: "a"),
    "ModelFormatError": ModelFormatError(.missing, path: "a"),
    "ModelFormatError.Reason": ModelFormatError.Reason.missing,
    "ModelStoreError": ModelStoreError.notFound("a"),
    "NetworkError": NetworkError(what: "a", expected: "b", found: "c"),
    "PretrainedModelsError": PretrainedModelsError.noModels(path: "a"),
    "ModelError": ModelError.missingPart(path: "a", part: "b"),
    "ExchangeError": ExchangeError(.malformedJSON, "a text"),
    "RecognitionError": RecognitionError.modelNotDownloaded("a"),
    "ReportError": ReportError.unwritableFolder(path: "a", reason: "b"),
    "InkSearchError": InkSearchError.missing(path: "a"),
    "RunLogError": RunLogError.newer(path: "a"),
    "SafeTensorsError": SafeTensorsError(.tooShort(bytes: 3), file: "a"),
    "SafeTensorsError.Reason": SafeTensorsError.Reason.tooShort(bytes: 3),
    "StudioError": StudioError(.notFound, "a text"),
    "LanguagePackError": LanguagePackError.unknownLetters(tag: "a"),
    "TrainingError": TrainingError.noTrainingData,
    "WebAPIError": WebAPIError.malformedHost("a"),
  ]

  @Test("localizedDescription is the text of the error", arguments: samples.keys.sorted())
  func text(name: String) throws {
    let error = try #require(Self.samples[name])
    #expect("\(type(of: error))" == name.split(separator: ".").last.map(String.init))
    #expect(!error.description.isEmpty)
    #expect((error as any Error).localizedDescription == error.description)
  }

  @Test("Every public error type of Sources is a sample here")
  func complete() throws {
    let found = try PublicErrors.all()
    #expect(found.count > 30)
    let names = Set(found.map(\.name))
    #expect(found.filter { $0.isPublic && Self.samples[$0.name] == nil }.map(\.name) == [])
    #expect(Self.samples.keys.filter { !names.contains($0) } == [])
  }

  @Test("Each error type conforms in its own module")
  func conformances() throws {
    for type in try PublicErrors.all()
    where !type.isLocalized && (type.isPublic || Self.samples[type.name] != nil) {
      Issue.record("\(type.name): expected LocalizedError in \(type.module), found no conformance")
    }
  }
}

/// The public error types, as the sources declare them.
private enum PublicErrors {
  struct Found {
    var name: String
    var module: String
    var isPublic: Bool
    var isLocalized: Bool
  }

  static func all() throws -> [Found] {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
    var found: [Found] = []
    for module in try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted() {
      let files = FileManager.default.enumerator(
        at: sources.appendingPathComponent(module), includingPropertiesForKeys: nil)
      var declared: [String: (isPublic: Bool, isLocalized: Bool)] = [:]
      var localized: Set<String> = []
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension == "swift" else { continue }
        let text = try String(contentsOf: file, encoding: .utf8)
        read(text, &declared, &localized)
      }
      found += declared.map { name, type in
        Found(
          name: name, module: module, isPublic: type.isPublic,
          isLocalized: type.isLocalized || localized.contains(name))
      }
    }
    return found
  }

  /// Adds the types of a file. A type within another one has the name of both.
  private static func read(
    _ text: String, _ declared: inout [String: (isPublic: Bool, isLocalized: Bool)],
    _ localized: inout Set<String>
  ) {
    let type =
      /(?m)^(?<indent> *)(?:@\w+ )*(?:(?<access>public|package) )?(?:indirect |final )*(?:struct|enum|class|extension) (?<name>[\w.]+)(?:\s*:(?<bases>[^{]*))?\s*\{/
    var outer = ""
    for match in text.matches(of: type) {
      let name = String(match.output.name)
      let isExtension = match.output.0.contains("extension ")
      if match.output.indent.isEmpty { outer = name }
      let bases = (match.output.bases ?? "").split { !$0.isLetter && $0 != "." }.map(String.init)
      let fullName = match.output.indent.isEmpty ? name : "\(outer).\(name)"
      let isError = bases.contains("Error") || bases.contains("LocalizedError")
      if isExtension {
        if bases.contains("LocalizedError") { localized.insert(fullName) }
      } else if isError, let access = match.output.access {
        declared[fullName] = (access == "public", bases.contains("LocalizedError"))
      }
    }
  }
}
