import ArgumentParser
import Foundation
import ModelFormat
import ModelStore
import Recognition

/// `ductus models verify`.
package struct ModelsVerifyCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check the parts and the signature of a model.",
    discussion: """
      Prints one line about integrity and one about the signer. Exits with 1 if the files are \
      damaged, the signature is wrong, or, with --trust, no trusted key has signed the model.

      Example:
        ductus models verify latin-lines --trust publisher.pub
      """)

  @Argument(help: ArgumentHelp("A bundle, or an installed model.", valueName: "model"))
  var model: String

  @OptionGroup var options: ModelStoreOptions

  package func run() throws {
    let url = try location()
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw ModelFormatError(.missing, path: model)
    }
    let isWhole = checkFiles(url)
    let isSigned = try checkSigner(url)
    if !isWhole || !isSigned { throw ExitCode(Outcome.Code.failed) }
  }

  private func location() throws -> URL {
    guard options.store != nil else { return try ModelLibrary.local.url(of: model) }
    return try options.manager().installedModel(model)?.url ?? URL(fileURLWithPath: model)
  }

  private func checkFiles(_ url: URL) -> Bool {
    do {
      let bundle = try ModelBundle.openIgnoringSignature(url)
      _ = try OpenModel(bundle).recognizer()
      let manifest = bundle.manifest
      print(
        "integrity: good; \(manifest.identifier) version \(manifest.modelVersion), "
          + "\(manifest.parts.count) parts, \(bundle.byteCount) bytes, all matching the manifest")
      return true
    } catch {
      print("integrity: BAD; \(error)")
      return false
    }
  }

  private func checkSigner(_ url: URL) throws -> Bool {
    let keys = try options.trustedKeys()
    do {
      guard let signature = try ModelBundle.signature(of: url) else {
        print("signer: none; the model is not signed")
        return keys.isEmpty
      }
      let isTrusted = keys.contains(signature.key)
      let trust =
        keys.isEmpty
        ? "add --trust KEY.pub to check the signer" : isTrusted ? "trusted" : "NOT trusted"
      print("signer: \(signature.key.fingerprint); \(trust)")
      return keys.isEmpty || isTrusted
    } catch {
      print("signer: BAD; \(error)")
      return false
    }
  }
}
