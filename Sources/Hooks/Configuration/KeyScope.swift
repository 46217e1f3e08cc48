/// What a hook does, which decides the keys that it may have.
enum HookKind {
    /// Runs a program at a change.
    case run
    /// A pair of programs.
    case programs
    /// A pair of built-in reactions.
    case reactions

    init(_ reader: TableReader) {
        self = reader.has("do") ? .reactions : reader.has("while") ? .programs : .run
    }
}

/// The hooks that may have a key.
enum KeyScope {
    case every
    /// Names a change, at which no pair begins or ends.
    case change
    /// Names a program that runs at a change.
    case run
    /// Names a program of a pair.
    case half
    /// Selects some of the windows of an application, whose processes may have others.
    case window
    /// The same, for a property that only scenes have.
    case scene
    case reaction

    /// Returns why a hook of a kind cannot have the key; nil if it can.
    func refusal(in kind: HookKind) -> String? {
        switch (self, kind) {
        case (.every, _), (.change, .run), (.run, .run), (.half, .programs), (.reaction, .reactions): nil
        case (.window, .run), (.window, .programs), (.scene, .run), (.scene, .programs): nil
        case (.change, .programs), (.change, .reactions):
            "it cannot be combined with while, which determines when the pair begins and ends"
        case (.run, .programs): "it cannot be combined with while, which runs enter and leave"
        case (.half, .run): "it needs while"
        case (.run, .reactions), (.half, .reactions): "it cannot be combined with do: write two hooks"
        case (.window, .reactions), (.scene, .reactions):
            "it cannot be combined with do: a built-in reaction applies to whole applications"
        case (.reaction, .run), (.reaction, .programs): "it needs do"
        }
    }
}
