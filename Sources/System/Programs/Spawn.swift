import CLinux
import Glibc

/// Starts programs by posix_spawn(3).
public enum Spawn {
    /// What a program gets of this process.
    public enum Inheritance {
        /// Nothing but the descriptors 0 to 2: a process group of its own, an empty signal mask and default signal actions.
        case none(directory: SystemString)
        /// The process group, the signals and what has no FD_CLOEXEC.
        case all
    }

    /// Returns the number of the process once its program runs. It is a child, to be waited for.
    ///
    /// - Parameters:
    ///   - arguments: The program and its arguments. A name without a slash is looked for in the PATH of this process.
    ///   - environment: Each NAME=VALUE.
    ///   - descriptors: What becomes its stdin, stdout and stderr; all above 2.
    /// - Throws: Where nothing of the program has run.
    public static func start(
        _ arguments: [SystemString], environment: [SystemString], descriptors: [Descriptor],
        inheriting inheritance: Inheritance
    ) throws(SystemError) -> pid_t {
        var (pid, actions, attributes) = (pid_t(), posix_spawn_file_actions_t(), posix_spawnattr_t())
        var error = posix_spawn_file_actions_init(&actions)
        guard error == 0 else { throw SystemError("posix_spawn", error) }
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        for (number, descriptor) in descriptors.enumerated() where error == 0 {
            error = posix_spawn_file_actions_adddup2(&actions, descriptor.number, Int32(number))
        }
        if case .none(let directory) = inheritance, error == 0 {
            error = separate(&actions, &attributes, directory)
        }
        if error == 0 {
            let name = arguments.first?.cString ?? [0]
            error = withCStrings(arguments) { arguments in
                withCStrings(environment) {
                    posix_spawnp(&pid, name, &actions, &attributes, arguments, $0)
                }
            }
        }
        guard error == 0 else { throw SystemError("posix_spawn", error) }
        return pid
    }

    private static func separate(
        _ actions: inout posix_spawn_file_actions_t, _ attributes: inout posix_spawnattr_t,
        _ directory: SystemString
    ) -> Int32 {
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // sigfillset(3) leaves out 32 and 33, which glibc keeps for itself, and which posix_spawn(3) would have ignored.
        memset(&signals, 0xFF, MemoryLayout<sigset_t>.size)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let error = posix_spawn_file_actions_addchdir_np(&actions, directory.cString)
        return error != 0 ? error : posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    }
}

/// Hands strings to C as an array of pointers that ends with a NULL.
private func withCStrings<Result>(
    _ strings: [SystemString], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    // In one piece of memory: with each run go all the variables of the session.
    var bytes: [CChar] = []
    var starts: [Int] = []
    for string in strings {
        starts.append(bytes.count)
        bytes.append(contentsOf: string.cString)
    }
    return bytes.withUnsafeMutableBytes { bytes in
        body(starts.map { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) } + [nil])
    }
}
