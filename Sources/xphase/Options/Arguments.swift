import ArgumentParser
import CLinux
import Console
import Hooks
import PhaseWatch
import System

/// The conversion of arguments.
enum Arguments {
    /// Parses a glob, or a regular expression between slashes.
    static func pattern(_ argument: String) throws -> Pattern {
        if argument.contains("\u{FFFD}") { throw CommandFailure.misuse("it is not UTF-8") }
        if let fault = Pattern.fault(in: argument) { throw CommandFailure.misuse("it \(fault)") }
        return Pattern(argument)
    }

    /// Splits a list with commas.
    static func words(_ argument: String) -> [String] {
        argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// Parses a list of words with commas.
    static func list<Word: ConfigurationWord>(_ argument: String) throws -> [Word] {
        try words(argument).map { word in
            if let value = Word(rawValue: word) { return value }
            throw CommandFailure.misuse(Word.refusal(of: word))
        }
    }

    /// Returns the values of an option that may be `none`; nil if it was not given.
    static func chosen<Word: ConfigurationWord>(_ words: [[String]], _ option: String) throws -> Set<Word>? {
        if words.isEmpty { return nil }
        let (values, faults) = Set<Word>.named(words.flatMap(\.self))
        if !faults.isEmpty { throw ValidationError("\(option): \(faults.joined(separator: "; "))") }
        return values
    }

    /// Parses a list of patterns with commas.
    static func patterns(_ argument: String) throws -> [Pattern] {
        try Pattern.list(argument).map { try pattern($0.text) }
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
    /// Takes the bytes of the argument of the process, in which ArgumentParser replaces those that are not UTF-8. Refuses
    /// such an argument if it may be one of several, or is a part of one.
    public init?(argument: String) {
        let same = Set(Arguments.own.filter { $0.description == argument })
        if let only = same.first, same.count == 1 {
            self = only
        } else {
            if argument.contains("\u{FFFD}") { return nil }
            self = SystemString(argument)
        }
    }
}

extension PhasePolicy: ExpressibleByArgument {}
extension Change.Level: ConfigurationWord { public static var noun: String { "level" } }
extension PhaseOrClosed: ExpressibleByArgument {}

extension Duration {
    /// Parses an argument.
    static func argument(_ text: String) throws -> Duration {
        guard let duration = Duration(text: text) else {
            // `1h30`
            let unit = text.last(where: \.isLetter).flatMap { ["d": "h", "h": "m", "m": "s"][$0] }
            if let unit, text.last?.isNumber ?? false, Duration(text: text + unit) != nil {
                throw CommandFailure.misuse("the last number has no unit: write \(text)\(unit)")
            }
            let isClock = LocalTime(ReportTime.now).at(clock: text) != nil
            let reason = isClock ? "it is a time of day; " : ""
            throw CommandFailure.misuse(
                "\(reason)write a duration such as 250ms, 1.5s, 30s, 5m or 1h30m")
        }
        return duration
    }

    /// Parses an argument that must not be 0.
    static func positive(_ text: String) throws -> Duration {
        let duration = try argument(text)
        if duration == .zero { throw CommandFailure.misuse("it must be longer than 0") }
        return duration
    }
}

extension ArgumentHelp {
    static let subject = ArgumentHelp(
        "The class or instance name of applications (a glob or a /regex/), or a window ID such as 0x2c00007; also several with commas.",
        valueName: "app")
    static let display = ArgumentHelp(
        "The X display. (default: $DISPLAY)", valueName: "display")
    static let force = ArgumentHelp("Overwrite an existing file.")
    static let pick = ArgumentHelp("Choose a window by a click; Escape or another button cancels.")
    static let titles = ArgumentHelp("Also print title changes, at most one per second.")
}

/// The exceptions that prevent a freeze and other reactions.
struct ExceptionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What prevents the reaction: audio, microphone, inhibit, selection, fullscreen; or none. (for freeze: audio, microphone, selection)",
            valueName: "exception,…"), completion: .commaSeparated(Set<Exception>.words),
        transform: Arguments.words)
    var except: [[String]] = []

    func validate() throws { _ = try Arguments.chosen(except, "--except") as Set<Exception>? }

    /// The chosen exceptions; nil for the usual ones.
    var chosen: Set<Exception>? { try? Arguments.chosen(except, "--except") }
}
