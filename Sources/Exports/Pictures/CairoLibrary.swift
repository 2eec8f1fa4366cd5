import CCairo
import Foundation

/// The library Cairo, which makes pictures of pixels. It is opened at the first use.
package struct CairoLibrary: @unchecked Sendable {
  // Unchecked because the table never changes after it was made.
  let functions: UnsafePointer<ductus_cairo_functions>

  /// The library of this machine; nil if there is none.
  package static let shared = CairoLibrary(names: names)

  /// The names of the library on Linux and macOS.
  private static let names = [
    "libcairo.so.2", "libcairo.2.dylib", "/opt/homebrew/lib/libcairo.2.dylib",
    "/usr/local/lib/libcairo.2.dylib",
  ]

  /// Opens the first library of some names; nil if there is none.
  package init?(names: [String]) {
    for name in names {
      if let functions = ductus_cairo_open(name) {
        self.functions = functions
        return
      }
    }
    return nil
  }
}
