import ArgumentParser
import CLinux
import Console
import Glibc
import Hooks
import PhaseWatch
import System

extension CompletionKind {
    /// The applications that are on the display now.
    static var application: CompletionKind {
        .custom { words, index, _ in
            let applications = RunningApplications.names(on: words.value(of: "--display"))
            return applications.map { CompletedGlob(matching: $0).after(words.word(at: index)) }
        }
    }

    /// The names of hooks, except those that look like options.
    static var hook: CompletionKind {
        .custom { words, _, _ in
            let loaded = try? LoadedHooks(
                HookLocations(config: words.value(of: "--config").map { SystemString($0) }, environment: .own)
            )
            return (loaded?.hooks ?? []).map(\.name).filter { !$0.hasPrefix("-") }.map(\.quotedForCompletion)
        }
    }

    static var phases: CompletionKind { .commaSeparated(PhaseSet.words) }

    /// Completes the words of a list, also after a comma.
    static func commaSeparated(_ valid: [String]) -> CompletionKind {
        .custom { words, index, _ in
            var earlier = words.word(at: index).split(separator: ",", omittingEmptySubsequences: false)
            _ = earlier.popLast()
            let start = earlier.map { "\($0)," }.joined()
            return valid.filter { !earlier.contains(Substring($0)) }.map { start + $0 }
        }
    }
}

/// The applications on a display, for the completion of a command line.
private enum RunningApplications {
    /// Returns the names of the applications. Suppresses stderr: messages would appear in the line that is being typed.
    static func names(on display: String?) -> [String] {
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        dup2(nowhere, STDERR_FILENO)
        close(nowhere)
        var watch = PhaseMonitor.Options()
        watch.display = display
        let events = try? OpenDisplay.watcher(watch, nil).update()
        return Set((events ?? []).compactMap { $0.change?.application }).sorted()
    }
}

extension [String] {
    fileprivate func word(at index: Int) -> String { indices.contains(index) ? self[index] : "" }

    fileprivate func value(of option: String) -> String? {
        firstIndex(of: option).map { word(at: $0 + 1) }
    }
}

/// A glob that completes a word.
private struct CompletedGlob {
    let text: String

    /// - Parameter name: The name that the glob matches. Control characters become wildcards, since no shell accepts
    ///   them in a command line.
    init(matching name: String) {
        let glob = name.unicodeScalars.map { scalar in
            if String(scalar).escapedForTerminal != String(scalar) { return "?" }
            return "*?[\\,".unicodeScalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
        }.joined()
        // Without the backslash, the glob would be parsed as an option.
        text = glob.hasPrefix("-") ? "\\" + glob : glob
    }

    /// Returns the completion of a word. It keeps the case of the typed letters: globs ignore case, shells do not.
    func after(_ word: String) -> String {
        let start = text.prefix(word.count)
        let isContinued = start.lowercased() == word.lowercased()
        return (isContinued ? word + text.dropFirst(word.count) : text).quotedForCompletion
    }
}

extension String {
    /// The text, quoted for ArgumentParser's scripts. In these, bash expands completions like a command line, and zsh
    /// reads the text after a colon as a description.
    fileprivate var quotedForCompletion: String {
        switch CompletionShell.requesting {
        case CompletionShell.bash: quotedForShell
        case CompletionShell.zsh: replacing("\\", with: "\\\\").replacing(":", with: "\\:")
        default: self
        }
    }
}
