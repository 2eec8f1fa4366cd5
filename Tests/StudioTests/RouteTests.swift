import Foundation
import Studio
import Testing

@Suite("Routes") struct RouteTests {
  private func route(_ path: String) -> StudioRoute { StudioRoute(.GET, path) { _ in .nothing } }

  @Test("A pattern matches paths of its length and gives the parameters")
  func parameters() {
    let samples = route("/v1/collect/:name/samples/:index")
    #expect(
      samples.parameters(of: ["v1", "collect", "mine", "samples", "3"])
        == ["name": "mine", "index": "3"])
    #expect(samples.parameters(of: ["v1", "collect", "mine", "samples"]) == nil)
    #expect(samples.parameters(of: ["v1", "collect", "mine", "samples", "3", "x"]) == nil)
    #expect(samples.parameters(of: ["v1", "collect", "mine", "other", "3"]) == nil)
  }

  @Test("The last part may match all that is left, but not nothing")
  func rest() {
    let files = route("/reports/*path")
    #expect(files.parameters(of: ["reports", "a", "index.html"]) == ["path": "a/index.html"])
    #expect(files.parameters(of: ["reports"]) == nil)
  }
}
