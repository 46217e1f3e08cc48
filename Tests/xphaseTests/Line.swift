import FoundationEssentials

/// A line of JSON that xphase wrote, read as a program would read it.
struct Line: Decodable, CustomStringConvertible {
    struct Counts: Decodable, Equatable {
        var active, inactive, background: Int
    }

    var v: Int
    var seq: Int
    var time: String
    var kind: String
    var change: String?
    var application: String?
    var group: String?
    var scene: String?
    var from: String?
    var to: String?
    var cause: String?
    var held: Double?
    var title: String?
    var pid: Int?
    var desktop: Int?
    var scenes: Counts?
    var pids: [Int]?
    var notice: String?
    var text: String?
    /// As it was written.
    private(set) var json = ""

    private enum CodingKeys: CodingKey {
        case v, seq, time, kind, change, application, group, scene, from, to, cause, held, title, pid
        case desktop, scenes, pids, notice, text
    }

    init(_ json: String) throws {
        self = try JSONDecoder().decode(Line.self, from: Data(json.utf8))
        self.json = json
    }

    /// The number of `held` as it was written.
    var heldText: String {
        json.firstRange(of: "\"held\":").map { json[$0.upperBound...].prefix { $0 != "," } }.map(String.init)
            ?? ""
    }

    /// It tells of the session's own window, not of one that a test made.
    var isOfMarker: Bool { application?.hasPrefix("Marker") == true }

    /// `Alpha active→background iconify`, the scene's lines with its id in place of the name.
    var description: String {
        if kind == "notice" { return "notice \(notice ?? "")" }
        let name =
            kind == "application"
            ? application : kind == "group" ? "\(application ?? "")/\(group ?? "")" : scene
        let steps = "\(from ?? "")→\(to ?? "")"
        return "\(name ?? "") \(steps) \(cause ?? "")"
    }
}
