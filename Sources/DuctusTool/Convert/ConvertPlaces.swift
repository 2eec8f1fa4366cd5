import Exports
import Foundation
import InkDatasets
import InkFormats

/// Ink to convert, and the file that it becomes.
struct ConvertJob: Hashable {
  /// A file, or data with its format.
  var input: String
  /// The file to write; nil for standard output.
  var output: String?
  /// The name of the document.
  var title: String
  /// True if the files of its pages keep the ending of the input, because another one has their
  /// names: `a.xopp-1.png` beside `a-1.png`.
  var keepsEnding = false

  /// Returns the file of a page, from 1, of a format with one page in a file.
  func path(ofPage page: Int) -> String {
    guard let output else { return "" }
    guard keepsEnding else { return ExportFile.numbered(output, page) }
    let stem = ConvertPlaces.withoutEnding(output)
    let name = input.split(separator: "/").last ?? ""
    let ending = name.dropFirst(ConvertPlaces.withoutEnding(String(name)).count)
    return "\(stem)\(ending)-\(page)\(output.dropFirst(stem.count))"
  }
}

/// Finds the ink in the arguments of `ductus convert`, and where it goes.
struct ConvertPlaces {
  /// The ink and its files, in the order of the arguments.
  private(set) var jobs: [ConvertJob] = []
  /// The files of folders that hold no ink.
  private(set) var leftOut = 0

  /// Plans the conversion of inputs.
  ///
  /// - Parameters:
  ///   - inputs: Files, folders and data.
  ///   - output: A file, a folder, `-` for standard output, or nil to write beside each file.
  ///   - ending: The ending of new files, without the dot.
  /// - Throws: ``ToolError`` if an input is not there, or the output cannot hold what there is.
  init(_ inputs: [String], output: String?, ending: String) throws {
    // Several files, or those of a folder, go into a folder.
    var isMany = inputs.count > 1
    var found: [(input: String, name: String, folder: String?)] = []
    for input in inputs {
      let place = DataSpecification.locate(input)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) else {
        guard input.contains(":") else {
          throw ToolError.badInput(
            "\(input): there is no such file; name a file or folder of ink, or data as FORMAT:PATH")
        }
        let name = try DataSpecification(parsing: input).path
        found.append((input, Self.lastComponent(name), nil))
        continue
      }
      guard isFolder.boolValue else {
        found.append((place, Self.lastComponent(place), Self.folder(of: place)))
        continue
      }
      isMany = true
      let all = StoredNotebooks.withoutPages(FolderListing(of: place).files, in: place)
      let files = all.sorted().filter { file in
        let isInk = (try? InkFileFormat.of(path: place + "/" + file)) != nil
        if !isInk { leftOut += 1 }
        return isInk
      }
      guard !files.isEmpty else {
        throw ToolError.badInput("\(input): expected files of ink in the folder, found none")
      }
      found += files.map { (place + "/" + $0, $0, place) }
    }
    try plan(found, isMany, output, ending)
  }

  private mutating func plan(
    _ found: [(input: String, name: String, folder: String?)], _ isMany: Bool, _ output: String?,
    _ ending: String
  ) throws {
    let isFolder = output.map { Self.isFolder($0) || $0.hasSuffix("/") } ?? false
    if isMany, let output, !isFolder,
      output == "-" || FileManager.default.fileExists(atPath: output)
    {
      throw ToolError.badInput("--output \(output): expected a folder for several files")
    }
    var taken: Set<String> = []
    let inputs = Set(found.map { URL(fileURLWithPath: $0.input).standardizedFileURL.path })
    for (input, name, folder) in found {
      let title = Self.withoutEnding(Self.lastComponent(name))
      guard let output else {
        guard let folder else {
          throw ToolError.badInput(
            "\(input): data has no place beside it; name a file with --output")
        }
        let target = Self.free(folder + "/" + name, ending, &taken)
        jobs.append(ConvertJob(input: input, output: target, title: title))
        continue
      }
      if output == "-" {
        jobs.append(ConvertJob(input: input, output: nil, title: title))
      } else if isMany || isFolder {
        let folder = output.hasSuffix("/") ? String(output.dropLast()) : output
        let target = Self.free(folder + "/" + name, ending, &taken)
        jobs.append(ConvertJob(input: input, output: target, title: title))
      } else {
        jobs.append(ConvertJob(input: input, output: output, title: title))
      }
    }
    separatePages()
    for job in jobs {
      guard let target = job.output,
        inputs.contains(URL(fileURLWithPath: target).standardizedFileURL.path)
      else { continue }
      throw ToolError.badInput(
        "\(target): is the ink itself; name another file or a folder with --output")
    }
  }

  /// Keeps the files of pages apart from those of other inputs: `a.xopp` and `a-1.xopp`.
  private mutating func separatePages() {
    let taken = jobs.compactMap(\.output).map { Self.withoutEnding($0) }
    // The stems that pages of another file would have: all before a number at the end.
    let stems = Set(
      taken.compactMap { stem -> String? in
        let digits = stem.reversed().prefix { $0.isASCII && $0.isNumber }.count
        guard digits > 0, stem.dropLast(digits).last == "-" else { return nil }
        return String(stem.dropLast(digits + 1))
      })
    for index in jobs.indices {
      guard let output = jobs[index].output else { continue }
      jobs[index].keepsEnding = stems.contains(Self.withoutEnding(output))
    }
  }

  /// Returns the path with the ending of the new format. A second file of the same name keeps its own
  /// ending: `page.svg.pdf`. A third has a number.
  private static func free(_ path: String, _ ending: String, _ taken: inout Set<String>) -> String {
    var target = withoutEnding(path) + "." + ending
    var number = 1
    while !taken.insert(target).inserted {
      target = number == 1 ? "\(path).\(ending)" : "\(path)-\(number).\(ending)"
      number += 1
    }
    return target
  }

  /// True for a PDF that another program wrote: the sheets below the notes, or its own export.
  static func isForeignPDF(_ path: String) -> Bool {
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    else { return false }
    return bytes.range(of: Data(PDFWriter.producer.utf8), options: .backwards) == nil
  }

  /// Removes the ending of the last component, unless it is all of it.
  static func withoutEnding(_ path: String) -> String {
    let name = lastComponent(path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return path }
    return String(path.dropLast(name.distance(from: dot, to: name.endIndex)))
  }

  private static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "" : String(path[..<$0]) } ?? "."
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
