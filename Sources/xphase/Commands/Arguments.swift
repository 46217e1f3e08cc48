import ArgumentParser
import CLinux
import Hooks
import PhaseWatch
import System

/// The arguments of the process, as strings for ArgumentParser that keep every byte.
///
/// A byte that is not UTF-8 is encoded as a NUL, which no argument contains, and the Unicode scalar with its value.
/// Arguments of the type `SystemString` decode it. Text arguments have the transform `text` or `pattern`.
enum Arguments {
    /// The arguments without the name of the program.
    static var own: [String] {
        var arguments: [String] = []
        var next = linux_arguments()
        while let argument = next?.pointee {
            arguments.append(encode(SystemString(cString: argument)))
            next = next?.advanced(by: 1)
        }
        return Array(arguments.dropFirst())
    }

    /// Returns an argument if it is UTF-8.
    static func text(_ argument: String) throws -> String {
        guard argument.utf8.contains(0) else { return argument }
        throw CommandFailure.misuse("it is not UTF-8")
    }

    /// Parses a glob, or a regular expression between slashes.
    static func pattern(_ argument: String) throws -> Pattern {
        let text = try text(argument)
        if let fault = Pattern.fault(in: text) { throw CommandFailure.misuse("it \(fault)") }
        return Pattern(text)
    }

    /// Returns an argument such as `-dash` if it alone has requested help: ArgumentParser reads -d, -a, -s and -h.
    static func unintendedHelpOption(in arguments: [String]) -> String? {
        let options = arguments.prefix { $0 != "--" }
        let isAsked = options.contains { ["help", "-h", "-help", "--help"].contains($0) }
        return isAsked ? nil : options.first { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("h") }
    }

    static func encode(_ bytes: SystemString) -> String {
        if let text = bytes.text { return text }
        var text = String.UnicodeScalarView()
        var rest = bytes.bytes[...]
        while let first = rest.first {
            var parser = Unicode.UTF8.ForwardParser()
            var next = rest.makeIterator()
            if case .valid(let encoded) = parser.parseScalar(from: &next) {
                text.append(Unicode.UTF8.decode(encoded))
                rest = rest.dropFirst(encoded.count)
            } else {
                text.append("\0")
                text.append(Unicode.Scalar(first))
                rest = rest.dropFirst()
            }
        }
        return String(text)
    }

    static func decode(_ argument: String) -> SystemString {
        var bytes: [UInt8] = []
        var isByte = false
        for scalar in argument.unicodeScalars {
            if isByte {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
                isByte = false
            } else if scalar == "\0" {
                isByte = true
            } else {
                bytes += String(scalar).utf8
            }
        }
        return SystemString(bytes: bytes)
    }
}

extension SystemString: ExpressibleByArgument {
    public init?(argument: String) {
        self = Arguments.decode(argument)
    }
}
