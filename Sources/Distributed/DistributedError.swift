import Foundation

/// A reason why several ranks cannot train together.
package enum DistributedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The process was started by mpirun, but the library of Open MPI is not installed.
  case noLibrary
  /// The process was started by an MPI that is not Open MPI, or by `srun` alone.
  case otherMPI(variable: String)
  /// A call of the library failed.
  case failed(call: String, reason: String)
  /// Ranks sent nothing within the time limit.
  case silent([RankName], seconds: Double)
  /// Ranks differ in settings or data; the text is a table.
  case differing(table: String, mayMix: Bool)

  /// A rank and its host.
  package struct RankName: Hashable, Sendable, CustomStringConvertible {
    /// The rank, from 0.
    package var rank: Int
    /// The name of the machine; nil before it is known.
    package var host: String?

    package init(rank: Int, host: String?) {
      self.rank = rank
      self.host = host
    }

    /// `rank 1 on node7`.
    package var description: String { "rank \(rank)" + (host.map { " on \($0)" } ?? "") }
  }

  /// The message: what happened, where, and what to do.
  package var description: String {
    switch self {
    case .noLibrary:
      "mpirun started this process, but Open MPI's library libmpi.so.40 was not found; install it "
        + "with 'scripts/setup --mpi' (Debian: apt-get install openmpi-bin) on every machine, or "
        + "train without mpirun"
    case .otherMPI(let variable):
      "\(variable) is set: several processes were started by another MPI than Open MPI, or by srun "
        + "alone; install Open MPI with 'scripts/setup --mpi' (Debian: apt-get install "
        + "openmpi-bin) and start with its mpirun"
    case .failed(let call, let reason):
      "\(call) of Open MPI failed: \(reason); check the network between the machines, and continue "
        + "with --resume"
    case .silent(let names, let seconds):
      "\(names.map(\.description).joined(separator: ", ")) sent nothing for "
        + "\(String(format: "%.0f", seconds)) s; check the machine, or give slow ones more time "
        + "with --rank-timeout, and continue with --resume"
    case .differing(let table, let mayMix):
      "the ranks differ:\n\(table)\n"
        + (mayMix
          ? "give all the same, or use --allow-mixed, which gives up equal bits"
          : "give all the same data and options")
    }
  }
}

extension DistributedError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  package var errorDescription: String? { description }
}
