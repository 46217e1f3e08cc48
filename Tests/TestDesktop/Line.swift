import FoundationEssentials

/// A JSON line that xphase wrote, decoded as a consumer would decode it.
public struct Line: Decodable, Sendable, CustomStringConvertible {
    public struct Counts: Decodable, Equatable, Sendable {
        public var active, inactive, background: Int

        public init(active: Int, inactive: Int, background: Int) {
            self.active = active
            self.inactive = inactive
            self.background = background
        }
    }

    public var v: Int
    public var seq: Int
    public var time: String
    public var kind: String
    public var change: String?
    public var application: String?
    public var group: String?
    public var scene: String?
    public var from: String?
    public var to: String?
    public var cause: String?
    public var held: Double?
    public var title: String?
    public var pid: Int?
    public var desktop: Int?
    public var monitor: String?
    public var desktopName: String?
    public var extent: String?
    public var scenes: Counts?
    public var pids: [Int]?
    public var notice: String?
    public var text: String?
    /// The undecoded line.
    public private(set) var json = ""

    private enum CodingKeys: String, CodingKey {
        case v, seq, time, kind, change, application, group, scene, from, to, cause, held, title, pid
        case desktop, monitor, extent, scenes, pids, notice, text
        case desktopName = "desktop_name"
    }

    public init(_ json: String) throws {
        self = try JSONDecoder().decode(Line.self, from: Data(json.utf8))
        self.json = json
    }

    /// The digits of the `held` value in the line.
    public var heldText: String {
        json.firstRange(of: "\"held\":").map { json[$0.upperBound...].prefix { $0 != "," } }.map(String.init)
            ?? ""
    }

    /// Whether the line is about the session's own window instead of a window that a test made.
    public var isOfMarker: Bool { application?.hasPrefix("Marker") == true }

    /// The name of the application, group or scene that the line is about; nil for a notice.
    public var subject: String? {
        switch kind {
        case "application": application
        case "group": "\(application ?? "")/\(group ?? "")"
        case "scene": scene
        default: nil
        }
    }

    /// For example `Alpha active→background iconify`. The line of a scene has the scene's id in place of the name.
    public var description: String {
        guard let subject else { return "notice \(notice ?? "")" }
        return "\(subject) \(from ?? "")→\(to ?? "") \(cause ?? "")"
    }
}
