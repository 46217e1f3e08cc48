extension SceneTracker {
    /// The scenes that are believed to be of a process, in the order of their ids.
    package func scenes(ofProcess pid: Int32) -> [SceneReading] {
        believed.scenes.values.map(\.reading).filter { $0.pid == pid }.sorted { $0.id < $1.id }
    }
}
