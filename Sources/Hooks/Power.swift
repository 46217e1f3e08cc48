/// The power source of the machine.
public enum Power: String, CaseIterable, Codable, Hashable, Sendable {
    case battery, mains
}
