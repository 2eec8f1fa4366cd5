import Foundation
import InkCore
import InkFormats
import Testing

@Suite("Folders of datasets")
struct FolderListingTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/" + name, withIntermediateDirectories: true)
  }

  /// Files of each format of folders, below `here`.
  private func writeDatasets() throws {
    try folder.write("<Gesture Name='g'><Point X='1' Y='2'/></Gesture>", to: "here/dollar/a.xml")
    try folder.write(
      "<ink><annotation type='truth'>i</annotation><trace>1 2</trace></ink>",
      to: "here/inkml/a.inkml")
    try folder.write(
      #"{"type":"Node","version":"3","kind":"j","items":[{"type":"stroke","X":[1],"Y":[2]}]}"#,
      to: "here/jiix/a.jiix")
    try folder.write(#"{"label":"l","strokes":[{"x":[1],"y":[2]}]}"#, to: "here/ink/a.jsonl")
    try folder.write("START\n1,-2,0\nBREAK\n", to: "here/omniglot/A/character01/0001_01.txt")
    try folder.write("CSR:\n\nt\n", to: "here/iam/texts/a01-001.txt")
    try folder.write(
      "<S><Stroke><Point x='1' y='2' time='3'/></Stroke></S>",
      to: "here/iam/strokes/a01-001-01.xml")
    try folder.write(".COORD X Y\n.PEN_DOWN\n0 0\n1 1\n", to: "here/unipen/pens/a.dat")
    try folder.write(
      ".INCLUDE a.dat\n.SEGMENT CHARACTER 0 ? \"u\"\n", to: "here/unipen/segments/x/a.dat")
  }

  @Test("A folder that is a link, and links in a folder, are read like folders")
  func links() throws {
    try writeDatasets()
    try folder.link("linked", to: "here")
    try folder.link("here/iam/lineStrokes", to: "strokes")
    try folder.link("here/iam/ascii", to: "texts")
    try folder.link("here/unipen/include", to: "pens")
    try makeFolder("here/unipen/data")
    try folder.link("here/unipen/data/1a", to: "../segments")
    for name in ["dollar", "inkml", "jiix", "ink", "omniglot"] {
      try folder.link(name, to: "linked/" + name)
      try makeFolder("outer-" + name)
      try folder.link("outer-" + name + "/inner", to: "../here/" + name)
    }
    func path(_ name: String) -> String { folder.path + "/" + name }
    for prefix in ["", "outer-"] {
      #expect(Outcome(try InkReader(.gestureXML, path: path(prefix + "dollar"))).labels == ["g"])
      #expect(Outcome(try InkReader(.inkML, path: path(prefix + "inkml"))).labels == ["i"])
      #expect(Outcome(try InkReader(.jiix, path: path(prefix + "jiix"))).labels == ["j"])
      #expect(Outcome(try InkReader(.jsonLines, path: path(prefix + "ink"))).labels == ["l"])
      #expect(Outcome(try OmniglotReader(folder: path(prefix + "omniglot"))).labels == ["A/01"])
    }
    #expect(Outcome(try IAMOnDBReader(folder: path("linked/iam"))).labels == ["t"])
    #expect(Outcome(try UNIPENReader(folder: path("linked/unipen"))).labels == ["u"])
    let category = try UNIPENReader(folder: path("linked/unipen"), categories: ["1a"])
    #expect(category.segmentFiles == ["1a/x/a.dat"] && Outcome(category).labels == ["u"])
  }

  @Test("A folder is read once: links in a circle end, and files keep the paths they have")
  func circle() throws {
    try folder.write("<Gesture Name='g'><Point X='1' Y='2'/></Gesture>", to: "z/a.xml")
    try folder.link("a", to: "z")
    try folder.link("z/up", to: "..")
    try folder.link("gone", to: "nowhere")
    let outcome = Outcome(try InkReader(.gestureXML, path: folder.path))
    #expect(outcome.records.map(\.source) == ["z/a.xml"] && outcome.failures.isEmpty)
  }

  @Test("A folder without files of the format is an error that says which are expected")
  func empty() throws {
    for name in ["empty", "iam/lineStrokes", "iam/ascii", "unipen/data/1a"] {
      try makeFolder(name)
    }
    try folder.write("none of ours", to: "empty/README.md")
    let path = folder.path + "/empty"
    let (iam, unipen) = (folder.path + "/iam", folder.path + "/unipen")
    for (suffix, open) in [
      (".xml", { _ = try InkReader(.gestureXML, path: path) }),
      (".inkml", { _ = try InkReader(.inkML, path: path) }),
      (".jiix", { _ = try InkReader(.jiix, path: path) }),
      (".jsonl", { _ = try InkReader(.jsonLines, path: path) }),
      (".ndjson", { _ = try InkReader(.strokeLines, path: path) }),
      (".ndjson", { _ = try InkReader(.quickDraw, path: path) }),
      (".txt", { _ = try OmniglotReader(folder: path) }),
      (".xml", { _ = try IAMOnDBReader(folder: iam) }),
      (".dat", { _ = try UNIPENReader(folder: unipen) }),
      (".dat", { _ = try UNIPENReader(folder: unipen, categories: ["1a"]) }),
    ] as [(String, () throws -> Void)] {
      let error = #expect(throws: InkFormatError.self) { try open() }
      #expect(error?.code == .missingFile)
      #expect(error?.expected.contains(suffix) == true, "\(suffix)")
    }
  }
}
