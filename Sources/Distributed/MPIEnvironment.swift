import Foundation

/// The way in which this process was started, by its environment.
package enum MPIEnvironment: Hashable, Sendable {
  /// It was started alone.
  case alone
  /// It is one of the ranks that mpirun of Open MPI started.
  case openMPI(ranks: Int)
  /// It is one of several processes of another MPI or of `srun`; the variable says so.
  case other(variable: String)

  /// Reads the environment of this process.
  package static var current: MPIEnvironment {
    MPIEnvironment(ProcessInfo.processInfo.environment)
  }

  /// Reads an environment.
  package init(_ variables: [String: String]) {
    if let text = variables["OMPI_COMM_WORLD_SIZE"], let ranks = Int(text), ranks > 0 {
      self = .openMPI(ranks: ranks)
    } else if let variable = Self.sizesOfOthers.first(where: {
      Int(variables[$0] ?? "").map { $0 > 1 } ?? false
    }) {
      self = .other(variable: variable)
    } else if variables["PMIX_RANK"] != nil, Int(variables["SLURM_NTASKS"] ?? "") ?? 1 > 1 {
      self = .other(variable: "PMIX_RANK")
    } else {
      self = .alone
    }
  }

  /// The number of processes of MPICH, Intel MPI and PMI of Slurm, and of MVAPICH.
  private static let sizesOfOthers = ["PMI_SIZE", "MV2_COMM_WORLD_SIZE"]
}
