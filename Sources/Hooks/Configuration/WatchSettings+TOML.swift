import Console
import PhaseWatch

extension WatchSettings {
    static let keys = ["policy", "settle", "session", "occlusion", "idle"]

    /// Reads the keys of a configuration.
    init(_ reader: inout TableReader) {
        self.init()
        policy = reader.word("policy")
        settle = reader.duration("settle")
        session = reader.session("session")
        occlusion = reader.limit("occlusion")
        idle = reader.limit("idle")
        if idle == .after(.zero) { reader.fault("idle", "it must be longer than 0") }
    }
}

extension TableReader {
    /// Returns the session states of a word or a list; an empty set for an empty list or the word `none`.
    fileprivate mutating func session(_ key: String) -> Set<SessionState>? {
        let wanted = "a session state"
        let items = value(key, "\(wanted), or a list of them") { $0.string == nil ? $0.array : [$0] }
        guard let items else { return nil }
        let (states, faults) = Set<SessionState>.named(strings(key, items, wanted))
        for reason in faults { fault(key, reason) }
        return states
    }
}
