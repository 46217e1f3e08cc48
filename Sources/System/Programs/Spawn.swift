import CLinux
import Glibc

/// The start of programs with posix_spawn(3), which waits for the disk of the program.
public enum Spawn {
    /// Starts a program, and returns its pid once it runs. It is a child, which the caller must wait for. It has a process
    /// group of its own, an empty signal mask, default signal actions, and only the descriptors 0 to 2.
    ///
    /// - Parameters:
    ///   - arguments: The program and its arguments. A name without a slash is looked up in the PATH of this process.
    ///   - environment: Entries of the form NAME=VALUE.
    ///   - descriptors: The descriptors for its stdin, stdout and stderr; all above 2.
    ///   - directory: Its working directory.
    public static func start(
        _ arguments: [SystemString], environment: [SystemString], descriptors: [Descriptor],
        directory: SystemString
    ) throws(SystemError) -> pid_t {
        var (pid, actions, attributes) = (pid_t(), posix_spawn_file_actions_t(), posix_spawnattr_t())
        var error = posix_spawn_file_actions_init(&actions)
        guard error == 0 else { throw SystemError("posix_spawn", error) }
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // sigfillset(3) omits 32 and 33, which glibc reserves; posix_spawn(3) would set them to be ignored.
        memset(&signals, 0xFF, MemoryLayout<sigset_t>.size)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        for (number, descriptor) in descriptors.enumerated() where error == 0 {
            error = posix_spawn_file_actions_adddup2(&actions, descriptor.number, Int32(number))
        }
        if error == 0 { error = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1) }
        // After the descriptors are closed: the disk of the directory may not answer, and the child would keep them.
        if error == 0 { error = posix_spawn_file_actions_addchdir_np(&actions, directory.cString) }
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

    /// Replaces this program by the one that is installed in its place, with the same process, directory and descriptors 0
    /// to 2: all others must be closed on exec.
    public static func replaceThisProgram(
        arguments: [SystemString], environment: [SystemString]
    ) throws(SystemError) -> Never {
        let path = SystemString("/proc/self/exe").linkTarget ?? "/proc/self/exe"
        let deleted = " (deleted)"
        let name =
            path.hasSuffix(deleted) ? SystemString(bytes: path.bytes.dropLast(deleted.utf8.count)) : path
        // execve(2) keeps the mask.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        try SystemError.check(
            "cannot start \(name)",
            withCStrings([name] + arguments) { arguments in
                withCStrings(environment) { execve(name.cString, arguments, $0) }
            })
        // Not reached: execve(2) returns only -1.
        throw .refused("cannot start \(name)")
    }
}

/// Passes strings to C as a NULL-terminated array of pointers.
private func withCStrings<Result>(
    _ strings: [SystemString], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    // Uses one block of memory: each run passes all variables of the session.
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
