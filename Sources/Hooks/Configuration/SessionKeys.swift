/// The keys of a hook that is about the session.
extension Hook {
    /// Reports keys that cannot be combined with `session`, and keys that are missing beside it.
    func checkSession(_ reader: inout TableReader) {
        let isPair = reader.has("enter") || reader.has("leave")
        reader.refuse(
            [
                "application", "exclude", "instance", "group", "process", "desktop", "role", "monitor",
                "extent", "title", "level",
            ], if: true,
            "it cannot be combined with session, which is about no application; "
                + "the setting session stands above the first [[hook]]")
        reader.refuse(
            ["from", "to", "cause", "while"], if: true,
            "it cannot be combined with session, whose states determine when the hook begins and ends")
        reader.refuse(
            ["do", "except", "cap", "wake"], if: true,
            "it cannot be combined with session: reactions apply to applications; write enter and leave")
        reader.refuse(
            ["every", "run", "shell"], if: isPair, "it cannot be combined with enter and leave")
        reader.refuse(
            ["shell"], if: reader.has("run") && !isPair,
            "it cannot be combined with run: choose one of them")
        for key in ["enter", "leave"] where isPair && !reader.has(key) {
            reader.fault(key, "it is missing: enter and leave go together")
        }
        if !isPair && !reader.has("run") && !reader.has("shell") {
            reader.fault(nil, "it does nothing: add run or shell, or enter and leave")
        }
    }
}
