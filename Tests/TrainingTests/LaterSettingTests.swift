import Foundation
import Testing
import Training

@Suite("Settings that older files do not have")
struct LaterSettingTests {
  /// Decodes settings that are written without `sparse` and `coarse`, and then without `shear`, too.
  private func check<Settings: Codable & Equatable>(_ settings: Settings) throws {
    let data = try JSONEncoder().encode(settings)
    var object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Double])
    #expect(object.removeValue(forKey: "sparse") == 0 && object.removeValue(forKey: "coarse") == 0)
    let old = try JSONSerialization.data(withJSONObject: object)
    #expect(try JSONDecoder().decode(Settings.self, from: old) == settings)
    object["shear"] = nil
    let wrong = try JSONSerialization.data(withJSONObject: object)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Settings.self, from: wrong) }
  }

  @Test("Settings from before there was coarse ink open, and other missing ones are errors")
  func older() throws {
    try check(Augmentation())
    try check(LineAugmentation())
  }
}
