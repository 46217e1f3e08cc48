/// The search for the intended word in place of a mistyped one.
public enum NearestWord {
    private static let mostEdits = 3
    /// The words of other programs, and what they are here, which depends on the valid words.
    private static let others: KeyValuePairs = [
        "hidden": "background", "minimized": "background", "minimised": "background",
        "iconified": "background",
        "focused": "active", "quit": "closed", "exit": "closed", "exited": "closed", "ended": "closed",
        "gone": "closed", "closes": "closed", "minimize": "iconify", "minimise": "iconify",
        "minimized": "iconify", "iconified": "iconify", "class": "application", "app": "application",
        "window": "scene", "command": "run", "unfreeze": "thaw", "pause": "freeze", "stop": "freeze",
        "suspend": "freeze", "sound": "audio", "music": "audio", "mic": "microphone", "ac": "mains",
        "plugged": "mains", "locked": "lock", "screensaver": "lock", "blank": "display-off",
        "off": "display-off", "last": "since",
    ]

    /// Returns the word that is, or has the meaning of, the one nearest to an unknown word, ignoring case; nil if there is
    /// none.
    public static func to(_ word: String, among words: some Sequence<String>) -> String? {
        let words = Array(words)
        let known =
            words.map { ($0, $0) } + others.filter { words.contains($0.value) }
        let typed = Array(word.lowercased())
        let limit = min(mostEdits, max(1, typed.count / 3))
        var best: (word: String, edits: Int)?
        for (candidate, meaning) in known {
            let letters = Array(candidate.lowercased())
            guard abs(letters.count - typed.count) <= limit else { continue }
            let edits = edits(from: typed, to: letters)
            if edits <= limit && edits < best?.edits ?? .max { best = (meaning, edits) }
        }
        return best?.word
    }

    /// Returns the number of letters to add, remove, replace or swap with the next one.
    private static func edits(from old: [Character], to new: [Character]) -> Int {
        var last: [Int] = []
        var row = Array(0...new.count)
        for (i, letter) in old.enumerated() {
            let beforeLast = last
            last = row
            row = [i + 1]
            for (j, other) in new.enumerated() {
                var edits = min(last[j] + (letter == other ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0 && j > 0 && letter == new[j - 1] && old[i - 1] == other {
                    edits = min(edits, beforeLast[j - 1] + 1)
                }
                row.append(edits)
            }
        }
        return row[new.count]
    }
}
