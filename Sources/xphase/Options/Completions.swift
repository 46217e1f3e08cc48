import ArgumentParser
import CLinux
import Console
import Glibc
import Hooks
import PhaseWatch
import Service
import System

extension CompletionKind {
    /// The applications that are on the display now.
    static var application: CompletionKind { .custom { words, index, _ in words.applications(at: index) } }

    /// The applications, or for a hook on the session what begins and ends its states.
    static var firedSubject: CompletionKind {
        .custom { words, index, _ in
            let hooks = (try? LoadedHooks(CommandIO().locations))?.hooks ?? []
            let hook = hooks.first { $0.name == words.word(at: index - 1) }
            let changes = hook?.sessionChanges ?? []
            return changes.isEmpty ? words.applications(at: index) : changes.compactMap(\.cause?.rawValue)
        }
    }

    /// The names of hooks, except those that look like options.
    static var hook: CompletionKind {
        .custom { _, _, _ in
            var io = CommandIO()
            // Messages would appear in the line that is being typed.
            io.say = { _ in }
            let service = try? io.ask(patience: .seconds(1)) { try $0.status() }
            let hooks = (try? LoadedHooks(io.locations(of: service)))?.hooks ?? []
            return hooks.map(\.name).filter { !$0.hasPrefix("-") }.map(\.quotedForCompletion)
        }
    }

    static var phases: CompletionKind { .commaSeparated(PhaseOrClosed.allCases.map(\.rawValue)) }

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

extension [String] {
    /// Returns the applications on the display that complete a word.
    fileprivate func applications(at index: Int) -> [String] {
        // Messages would appear in the line that is being typed.
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        dup2(nowhere, STDERR_FILENO)
        close(nowhere)
        let display = firstIndex(of: "--display").map { word(at: $0 + 1) }
        let events = try? DisplayPhases.use(on: display, CommandIO()) { try $0.present() }
        let names = Set(events?.compactMap { $0.change?.application } ?? [])
        return names.sorted().map { $0.completedAsGlob(after: word(at: index)).quotedForCompletion }
    }

    fileprivate func word(at index: Int) -> String { indices.contains(index) ? self[index] : "" }
}

extension String {
    /// Returns a glob for this text that completes a word. It keeps the case of the typed letters: globs ignore case,
    /// shells do not. Control characters become wildcards, since no shell accepts them in a command line.
    fileprivate func completedAsGlob(after word: String) -> String {
        // Without the backslash, the glob would be an option.
        let glob = ((hasPrefix("-") ? "\\" : "") + Pattern.exactly(self).text).unicodeScalars.map { scalar in
            let text = String(scalar)
            return text.escapedForTerminal == text ? text : "?"
        }.joined()
        let isContinued = glob.prefix(word.count).lowercased() == word.lowercased()
        return isContinued ? word + glob.dropFirst(word.count) : glob
    }

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
