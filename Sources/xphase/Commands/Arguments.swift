import ArgumentParser
import CLinux
import Hooks
import PhaseWatch
import System

/// The conversion of arguments.
enum Arguments {
    /// Parses a glob, or a regular expression between slashes.
    static func pattern(_ argument: String) throws -> Pattern {
        if let fault = Pattern.fault(in: argument) { throw CommandFailure.misuse("it \(fault)") }
        return Pattern(argument)
    }

    /// The arguments of the process, without the name of the program. Each may have any bytes. Swift itself reads them
    /// from /proc, which a container may lack.
    static var own: [SystemString] {
        var arguments: [SystemString] = []
        var next = linux_arguments()
        while let argument = next?.pointee {
            arguments.append(SystemString(cString: argument))
            next = next?.advanced(by: 1)
        }
        return Array(arguments.dropFirst())
    }
}

extension SystemString: ExpressibleByArgument {
    /// Takes the bytes of the argument of the process, in which ArgumentParser replaces those that are not UTF-8.
    public init?(argument: String) {
        self = Arguments.own.first { $0.description == argument } ?? SystemString(argument)
    }
}
