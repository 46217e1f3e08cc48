import ArgumentParser
import CLinux
import Console
import Glibc
import Hooks
import PhaseWatch

extension CompletionKind {
    /// The applications that are on the display now.
    static var application: CompletionKind {
        .custom { words, index, _ in
            let applications = Present.applications(on: words.value(of: "--display"))
            return applications.map { Answer(glob: $0).after(words.word(at: index)) }
        }
    }

    /// The hooks that can be named: a name that looks like an option cannot.
    static var hook: CompletionKind {
        .custom { words, _, _ in
            let loaded = try? LoadedHooks.load(
                Locations(config: words.value(of: "--config").map(Arguments.decode), environment: .own))
            return (loaded?.hooks ?? []).map(\.name).filter { !$0.hasPrefix("-") }.map(\.quotedForAnswer)
        }
    }

    /// Phases, also behind a comma.
    static var phases: CompletionKind {
        .custom { words, index, _ in
            var earlier = words.word(at: index).split(separator: ",", omittingEmptySubsequences: false)
            _ = earlier.popLast()
            let start = earlier.map { "\($0)," }.joined()
            return PhaseSet.words.filter { !earlier.contains(Substring($0)) }.map { start + $0 }
        }
    }
}

/// What is there while a command line is typed.
private enum Present {
    /// What is written now would land in the middle of the line that is being typed.
    static func applications(on display: String?) -> [String] {
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        dup2(nowhere, STDERR_FILENO)
        close(nowhere)
        var watch = PhaseMonitor.Options()
        watch.display = display
        let events = try? OpenDisplay.watcher(watch, saysLimits: false).update()
        return Set((events ?? []).compactMap { $0.change?.application }).sorted()
    }
}

extension [String] {
    fileprivate func word(at index: Int) -> String { indices.contains(index) ? self[index] : "" }

    fileprivate func value(of option: String) -> String? {
        firstIndex(of: option).map { word(at: $0 + 1) }
    }
}

/// A name as it completes a word.
private struct Answer {
    let text: String

    /// - Parameter glob: A name, to be written as a glob that matches it. No shell takes a control character on
    /// its command line, so that these become wildcards.
    init(glob name: String) {
        let glob = name.unicodeScalars.map { scalar in
            if String(scalar).escapedForTerminal != String(scalar) { return "?" }
            return "*?[\\".unicodeScalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
        }.joined()
        // Else it would be an option.
        text = glob.hasPrefix("-") ? "\\" + glob : glob
    }

    /// The answer to what was typed: in the letters that were typed, since globs know no case and shells do.
    func after(_ word: String) -> String {
        let start = text.prefix(word.count)
        let isContinued = start.lowercased() == word.lowercased()
        return (isContinued ? word + text.dropFirst(word.count) : text).quotedForAnswer
    }
}

extension String {
    /// The scripts of ArgumentParser have bash expand what is answered, as it expands a command line, and zsh look
    /// for a description behind a colon.
    fileprivate var quotedForAnswer: String {
        switch CompletionShell.requesting {
        case CompletionShell.bash: quotedForShell
        case CompletionShell.zsh: replacing("\\", with: "\\\\").replacing(":", with: "\\:")
        default: self
        }
    }
}
