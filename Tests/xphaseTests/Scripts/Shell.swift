import TestDesktop

/// A shell whose completions a test can query.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// Returns the completions that the shell offers for each line.
    ///
    /// - Parameter environment: The variables that differ from those of a shell with an empty home.
    func completions(
        of lines: [String], on display: VirtualDisplay, environment: [String: String?] = [:]
    ) throws -> [Set<String>] {
        _ = try Program.find(rawValue, package: rawValue)
        let folder = try TemporaryFolder()
        let script = try XPhase.run(["--generate-completion-script", rawValue], on: display)
        guard script.code == 0 else { throw Failure("no script for \(rawValue)") }
        try folder.write("_xphase", script.output.joined(separator: "\n") + "\n")
        try folder.write("lines", lines.map { $0 + "\n" }.joined())
        try folder.write(startFile, start)
        // zsh and fish complete only on a terminal.
        let terminal = try Terminal()
        let shell = try Program(
            rawValue, arguments,
            environment: display.environment.merging(
                [
                    "FOLDER": folder.path, "ZDOTDIR": folder.path, "HOME": folder.path,
                    "XDG_CONFIG_HOME": folder.path, "PATH": XPhase.searchPath, "TERM": "dumb",
                    "LC_ALL": "C.UTF-8",
                ]) { $1 }.merging(environment) { $1 }, terminal: terminal)
        guard try shell.exitCode(within: .seconds(60)) == 0 else {
            throw Failure("\(rawValue) failed: \(try terminal.text())")
        }
        return try answers(Program.run("cat", ["\(folder.path)/answers"]).output, to: lines)
    }

    /// Parses the answers: each line is followed by its completions, prefixed with a plus sign.
    private func answers(_ text: [String], to lines: [String]) throws -> [Set<String>] {
        var answers: [Set<String>] = []
        for line in text {
            if line.first != "+" {
                answers.append([])
            } else {
                answers[answers.count - 1].insert(String(line.dropFirst()))
            }
        }
        guard answers.count == lines.count else { throw Failure("\(rawValue) does not answer: \(text)") }
        return answers
    }

    private var startFile: String { self == .zsh ? ".zshrc" : "start" }

    private var arguments: [String] {
        switch self {
        case .bash: ["--norc", "-c", #"source "$FOLDER/start""#]
        case .zsh: ["-i"]
        case .fish: ["--no-config", "--init-command", "source $FOLDER/start"]
        }
    }

    private var start: String {
        switch self {
        case .bash:
            // Calls the function as readline does.
            #"""
            source "$FOLDER/_xphase"
            while IFS= read -r line; do
                printf '%s\n' "$line"
                COMP_LINE=$line COMP_POINT=${#line} COMPREPLY=()
                read -ra COMP_WORDS <<<"$line"
                [[ $line == *' ' ]] && COMP_WORDS+=('')
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _xphase xphase "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                ((${#COMPREPLY[@]} == 0)) || printf '+%s\n' "${COMPREPLY[@]}"
            done <"$FOLDER/lines" >"$FOLDER/answers"
            """#
        case .zsh:
            #"""
            fpath=($FOLDER $fpath)
            autoload -Uz compinit && compinit -u -d $FOLDER/dump
            compadd() {
                local -a found
                builtin compadd -A found "$@"
                (( $#found )) && print -rl -- "+${(Q)^found[@]}" >>$FOLDER/answers
                builtin compadd "$@"
            }
            zle -C complete-word complete-word _main_complete
            zle-line-init() {
                for line in ${(f)"$(<$FOLDER/lines)"}; do
                    BUFFER=$line CURSOR=$#line
                    print -r -- $line >>$FOLDER/answers
                    zle complete-word
                done
                BUFFER=exit
                zle accept-line
            }
            zle -N zle-line-init
            """#
        case .fish:
            #"""
            source $FOLDER/_xphase
            function answer --on-event fish_prompt
                while read --local line
                    printf '%s\n' $line
                    set -l found (complete -C $line | string replace --regex '\t.*' '')
                    # fish 4 also lists what only contains the typed letters. Its pager shows that where nothing begins
                    # with them.
                    set -l typed (string escape --style=regex -- (string split ' ' -- $line)[-1])
                    set -l begun (string match --entire --regex "^$typed" -- $found)
                    and set found $begun
                    string replace --regex '^' '+' -- $found
                end <$FOLDER/lines >$FOLDER/answers
                exit
            end
            """#
        }
    }
}
