import Glibc
import System

/// The audio server, as its clients find it.
enum AudioServer {
    /// The message if pactl is not installed.
    static let clientLack = "pactl is missing; install pulseaudio-utils"
    static let lack = SystemError.refused("no audio server is running")

    @Sendable static func check() throws(SystemError) {
        if !runs(in: .own) { throw lack }
    }

    /// Whether an audio server runs. Without one, pactl would start it.
    static func runs(in environment: Environment) -> Bool {
        isNamed(in: environment) || hasSocket(sessionDirectory(environment)) || hasSocket("/run/pulse")
            || privateDirectory(environment) != nil
    }

    /// The variables with which clients find a server that was started without a runtime directory, though they have
    /// one.
    static func variables(_ environment: Environment) -> [SystemString] {
        guard !isNamed(in: environment), !hasSocket(sessionDirectory(environment)),
            let path = privateDirectory(environment)?.resolved
        else { return [] }
        return ["PULSE_RUNTIME_PATH=\(path)"]
    }

    private static func isNamed(in environment: Environment) -> Bool {
        environment["PULSE_SERVER"] != nil || environment["PULSE_RUNTIME_PATH"] != nil
    }

    private static func sessionDirectory(_ environment: Environment) -> SystemString? {
        environment.absolutePath("XDG_RUNTIME_DIR").map { $0 + "/pulse" }
    }

    /// The directory of a server without a runtime directory, as a symbolic link; nil if there is no such server.
    private static func privateDirectory(_ environment: Environment) -> SystemString? {
        guard let own = environment.configurationHome.map({ $0 + "/pulse" }) else { return nil }
        let links = (own.entryNames ?? []).filter { $0.hasSuffix("-runtime") }
        return links.map(own.entry).first(where: hasSocket)
    }

    private static func hasSocket(_ directory: SystemString?) -> Bool {
        directory.map { access($0.entry("native").cString, F_OK) == 0 } ?? false
    }
}
