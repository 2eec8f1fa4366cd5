import ArgumentParser
import Features
import Foundation
import Training

/// One change to a training configuration, in the form `--set KEY=VALUE`.
///
/// KEY is the path of the value in the configuration's JSON, with dots between names and array
/// indices; VALUE is JSON.
package struct ConfigurationChange: ExpressibleByArgument {
  let key: String
  let value: String

  package init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
    key = String(argument[..<sign])
    value = String(argument[argument.index(after: sign)...])
  }

  /// Applies all changes to the configuration, in order.
  ///
  /// - Throws: ``ToolError`` if one does not fit the configuration.
  package static func apply<Configuration: Codable>(
    _ changes: [ConfigurationChange], to configuration: Configuration
  ) throws -> Configuration {
    var result = configuration
    for change in changes { result = try change.applied(to: result) }
    return result
  }

  private func applied<Configuration: Codable>(
    to configuration: Configuration
  ) throws -> Configuration {
    guard
      let changed = try? JSONSerialization.jsonObject(
        with: Data(value.utf8), options: .fragmentsAllowed)
    else { throw unusable("expected a number, true, false, or other JSON") }
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(configuration))
    let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let data = try JSONSerialization.data(
      withJSONObject: replace(path[...], in: object, by: changed))
    do {
      return try JSONDecoder().decode(Configuration.self, from: data)
    } catch let error as FeatureError {
      throw TrainingError.unusableConfiguration(
        name: error.what, expected: error.expected, found: error.found)
    } catch {
      throw unusable("the type differs from that of the current value")
    }
  }

  /// Returns the object with the value at the end of the path replaced.
  private func replace(_ path: ArraySlice<String>, in object: Any, by value: Any) throws -> Any {
    guard let name = path.first else { return value }
    if var fields = object as? [String: Any] {
      guard let old = fields[name] else {
        throw unusable(
          "there is no \(name); known are \(fields.keys.sorted().joined(separator: ", "))")
      }
      fields[name] = try replace(path.dropFirst(), in: old, by: value)
      return fields
    }
    if var items = object as? [Any] {
      guard let index = Int(name), items.indices.contains(index) else {
        throw unusable("expected 0 to \(items.count - 1) as an index, found \(name)")
      }
      items[index] = try replace(path.dropFirst(), in: items[index], by: value)
      return items
    }
    throw unusable("there are no values below \(key.dropLast(name.count + 1))")
  }

  private func unusable(_ problem: String) -> ToolError {
    .badInput("--set \(key)=\(value): \(problem)")
  }
}
