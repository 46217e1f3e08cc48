import FoundationEssentials

/// The true phases at one moment of a recording, from pixels and typed keys, and the causes that xphase must report.
public struct RecordedTruth: Codable, Sendable {
    /// A scene, or an application.
    public struct Subject: Codable, Sendable {
        /// The id of the scene's window, or the name of the application.
        public var name: String
        /// The application of a scene; nil for an application.
        public var application: String?
        /// The phases that are right under the policy `focus`; `gone` stands for no phase.
        public var right: [String]

        public init(_ name: String, of application: String? = nil, right: Set<String?>) {
            (self.name, self.application) = (name, application)
            self.right = right.map { $0 ?? "gone" }.sorted()
        }
    }

    /// The causes that xphase must report for scenes since the previous moment; nil where no change is expected.
    public struct Causes: Codable, Sendable {
        public var opened, closed, fall, rise: String?

        public init(opened: String?, closed: String?, fall: String?, rise: String?) {
            (self.opened, self.closed, self.fall, self.rise) = (opened, closed, fall, rise)
        }
    }

    public var step: String
    /// The moment on CLOCK_REALTIME.
    public var seconds, nanoseconds: Int
    public var scenes: [Subject]
    public var applications: [Subject]
    /// nil after a takeover and under a slowed manager, where the causes are not known.
    public var causes: Causes?
    /// Whether wholly covered windows are in the background, too; nil means no.
    public var seesCovered: Bool?

    public init(
        _ step: String, at time: (seconds: Int, nanoseconds: Int), scenes: [Subject], applications: [Subject],
        causes: Causes?, seesCovered: Bool
    ) {
        self.step = step
        self.seesCovered = seesCovered ? true : nil
        (seconds, nanoseconds) = time
        (self.scenes, self.applications, self.causes) = (scenes, applications, causes)
    }

    /// Decodes a line.
    public init(line: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(line.utf8))
    }

    /// Returns the encoded line, without its newline.
    public func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
