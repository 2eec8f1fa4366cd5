import Distributed
import Testing

// Messages between processes are tested by Tests/Doors/ranks.py, which starts mpirun.
@Suite("Ranks before they train")
struct DistributedTests {
  @Test("The environment tells Open MPI from others and from a process alone")
  func environments() {
    #expect(MPIEnvironment([:]) == .alone)
    #expect(MPIEnvironment(["OMPI_COMM_WORLD_SIZE": "3"]) == .openMPI(ranks: 3))
    #expect(MPIEnvironment(["OMPI_COMM_WORLD_SIZE": "x"]) == .alone)
    #expect(MPIEnvironment(["PMI_SIZE": "4"]) == .other(variable: "PMI_SIZE"))
    // One task of Slurm is a process alone.
    #expect(MPIEnvironment(["PMI_SIZE": "1"]) == .alone)
    #expect(MPIEnvironment(["PMIX_RANK": "0", "SLURM_NTASKS": "1"]) == .alone)
    #expect(
      MPIEnvironment(["PMIX_RANK": "0", "SLURM_NTASKS": "2"]) == .other(variable: "PMIX_RANK"))
  }

  @Test("Without mpirun there are no ranks, and another MPI is refused")
  func joining() throws {
    let ranks = try MPIRanks.joined(.alone, limit: .seconds(1))
    #expect(ranks === nil)
    let error = #expect(throws: DistributedError.self) {
      try MPIRanks.joined(.other(variable: "PMI_SIZE"), limit: .seconds(1))
    }
    #expect(error?.description.contains("scripts/setup --mpi") == true)
  }

  private func facts(blas: String = "a", epochs: Int = 3) throws -> RankFacts {
    struct Settings: Encodable {
      var precision = "single"
      var rates = [0.5]
      var epochs: Int
    }
    var facts = RankFacts()
    facts.add(bitsDependOn: "BLAS", blas)
    facts.add(needed: "training data", "12ab")
    try facts.add(settings: Settings(epochs: epochs), except: ["precision"])
    return facts
  }

  @Test("Equal ranks have no table")
  func equal() throws {
    let all = try [facts(), facts(), facts()]
    #expect(try RankFacts.compare(all, hosts: ["a", "b", "c"], allowMixed: false) == nil)
  }

  @Test("A difference of the last bits is refused with a table, or accepted if asked for")
  func mixed() throws {
    let all = try [facts(), facts(blas: "b"), facts()]
    let table = """
                ranks        value
        BLAS  0, 2 (x, z)  a
              1 (y)        b
      """
    let error = #expect(throws: DistributedError.self) {
      try RankFacts.compare(all, hosts: ["x", "y", "z"], allowMixed: false)
    }
    guard case .differing(let found, let mayMix) = error else {
      Issue.record("found \(String(describing: error))")
      return
    }
    #expect(Self.words(found) == Self.words(table))
    #expect(mayMix)
    #expect(try RankFacts.compare(all, hosts: ["x", "y", "z"], allowMixed: true) == found)
  }

  @Test("Other settings are refused even if differences are accepted")
  func otherSettings() throws {
    let all = try [facts(), facts(epochs: 4)]
    let error = #expect(throws: DistributedError.self) {
      try RankFacts.compare(all, hosts: ["x", "x"], allowMixed: true)
    }
    #expect(error?.description.contains("epochs") == true)
    #expect(error?.description.contains("--allow-mixed") == false)
  }

  @Test("The error of a silent rank names it, its machine and what to do")
  func silence() {
    let error = DistributedError.silent([.init(rank: 2, host: "node7")], seconds: 120)
    #expect(error.description.hasPrefix("rank 2 on node7 sent nothing for 120 s"))
    #expect(error.description.contains("--resume"))
  }

  private static func words(_ text: String) -> [[Substring]] {
    text.split(separator: "\n").map { $0.split(separator: " ") }
  }
}
