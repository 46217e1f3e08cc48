import FoundationEssentials

/// A line of `xphase watch --json`, as far as these tests need it.
struct Told: Decodable, CustomStringConvertible {
    var kind: String
    var change: String?
    var application: String?
    var scene: String?
    var from: String?
    var to: String?
    var cause: String?
    var text: String?
    var time: String

    init(_ json: String) throws {
        self = try JSONDecoder().decode(Told.self, from: Data(json.utf8))
    }

    /// What it is about.
    var subject: String? { kind == "scene" ? scene : kind == "application" ? application : nil }

    var description: String {
        time.suffix(11) + " " + (text ?? "\(subject ?? kind) \(from ?? "")→\(to ?? "") \(cause ?? "")")
    }
}
