/// The identity of a scene, a group or an application across its changes.
public struct SubjectID: Hashable, Sendable {
    /// The name of the application.
    public var application: String
    /// The name of the group; nil for applications.
    public var group: String?
    /// The window; nil for groups and applications.
    public var scene: WindowID?

    /// Creates the identity of an application, or of one of its groups or scenes.
    public init(application: String, group: String? = nil, scene: WindowID? = nil) {
        self.application = application
        self.group = group
        self.scene = scene
    }
}
