import ArgumentParser

/// The options of commands for several processes that mpirun starts.
package struct RankOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Under mpirun: the longest wait for another process.", valueName: "seconds"))
  var rankTimeout = 120

  @Flag(
    help: """
      Under mpirun: accept processes that differ in version, BLAS, processor or precision; the \
      result may then differ in its last bits.
      """)
  var allowMixed = false

  package func validate() throws {
    guard (1...86_400).contains(rankTimeout) else {
      throw ValidationError("--rank-timeout: expected 1 to 86400")
    }
  }
}
