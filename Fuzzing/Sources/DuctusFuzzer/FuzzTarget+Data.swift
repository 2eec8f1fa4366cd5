import InkDatasets

extension FuzzTarget {
  static func dataSpecification(_ bytes: [UInt8], _ canary: Canary) {
    do {
      let data = try DataSpecification(parsing: String(decoding: bytes, as: UTF8.self))
      _ = try? data.withDefaultSplit(.test).resolvedSplit()
      canary.see(data.splits ?? "")
    } catch {
      _ = error.description
    }
  }

  static func splitFile(_ bytes: [UInt8], _ canary: Canary) {
    do {
      let text = String(decoding: bytes, as: UTF8.self)
      let file = try SplitFile(parsing: text, name: "input")
      for name in file.sources.keys { canary.see(name) }
    } catch {
      _ = error.description
    }
  }
}
