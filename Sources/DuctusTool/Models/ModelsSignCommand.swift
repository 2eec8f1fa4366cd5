import ArgumentParser
import Foundation
import ModelFormat

/// `ductus models keygen`.
package struct ModelsKeygenCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "keygen",
    abstract: "Create a key pair that signs models and catalogues.",
    discussion: """
      Writes the private key to the file, readable by you alone, and the public key to the same \
      name with .pub. Keep the private key secret; give the public key to those who install. \
      Both are Ed25519 keys in PEM.

      Example:
        ductus models keygen --output publisher
      """)

  @Option(help: ArgumentHelp("The file of the private key; must not exist.", valueName: "key"))
  var output: String

  package func run() throws {
    let key = SigningKey()
    let publicURL = URL(fileURLWithPath: output + ".pub")
    guard !FileManager.default.fileExists(atPath: publicURL.path) else {
      throw ModelFormatError(.exists, path: publicURL.path)
    }
    try key.write(to: URL(fileURLWithPath: output))
    try key.verifyingKey.write(to: publicURL)
    print("\(output), \(output).pub: \(key.verifyingKey.fingerprint)")
  }
}

/// `ductus models sign`.
package struct ModelsSignCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign a model: write its manifest.sig.",
    discussion: """
      Example:
        ductus models sign latin-lines.ductus --key publisher
      """)

  @Argument(help: ArgumentHelp("The bundle, NAME.ductus.", valueName: "model"))
  var model: String

  @Option(help: ArgumentHelp("The private key.", valueName: "key"))
  var key: String

  package func run() throws {
    let signing = try SigningKey(contentsOf: URL(fileURLWithPath: key))
    let bundle = try ModelBundle.sign(URL(fileURLWithPath: model), with: signing)
    print(
      "\(model): \(bundle.manifest.identifier) version \(bundle.manifest.modelVersion) signed by "
        + signing.verifyingKey.fingerprint)
  }
}
