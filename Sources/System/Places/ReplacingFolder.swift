import Glibc

/// A folder whose files are replaced as a whole. Tests simulate one that loses what is not on disk.
protocol ReplacingFolder {
    /// A file that is being written.
    associatedtype Draft

    /// Creates a file that only this user may use.
    func makeDraft(_ name: SystemString) throws(SystemError) -> Draft
    func write(_ bytes: [UInt8], to draft: Draft, _ name: SystemString, mode: mode_t) throws(SystemError)
    /// Waits until the contents of a file are on disk.
    func sync(_ draft: Draft, _ name: SystemString) throws(SystemError)
    func rename(_ name: SystemString, to newName: SystemString) throws(SystemError)
    /// Removes a file, if it exists.
    func remove(_ name: SystemString) throws(SystemError)
    /// Waits until the names of the files are on disk.
    func sync() throws(SystemError)
}

extension ReplacingFolder {
    /// Writes a file atomically, and waits until it is on disk: it appears complete or not at all.
    func replaceFile(_ name: SystemString, with bytes: [UInt8], mode: mode_t) throws(SystemError) {
        let draftName: SystemString = ".\(name).new"
        try remove(draftName)
        do throws(SystemError) {
            let draft = try makeDraft(draftName)
            try write(bytes, to: draft, draftName, mode: mode)
            // Before the rename: otherwise, the name might be on disk earlier than the contents.
            try sync(draft, draftName)
            try rename(draftName, to: name)
        } catch {
            try? remove(draftName)
            throw error
        }
        try sync()
    }
}

extension OwnDirectory: ReplacingFolder {
    /// Writes a file atomically, and waits until it is on disk: it appears complete or not at all.
    public func replace(_ name: SystemString, with bytes: [UInt8], mode: mode_t) throws(SystemError) {
        try replaceFile(name, with: bytes, mode: mode)
    }

    func makeDraft(_ name: SystemString) throws(SystemError) -> Descriptor {
        try create(name, O_WRONLY | O_EXCL, mode: 0o600)
    }

    func write(_ bytes: [UInt8], to draft: Descriptor, _ name: SystemString, mode: mode_t) throws(SystemError)
    {
        try draft.writeAll(path(of: name), bytes)
        try SystemError.check("fchmod", fchmod(draft.number, mode), path: path(of: name))
    }

    func sync(_ draft: Descriptor, _ name: SystemString) throws(SystemError) {
        try SystemError.check("fsync", fsync(draft.number), path: path(of: name))
    }

    func sync() throws(SystemError) {
        // Some file systems, such as vboxsf, do not support fsync(2) on directories.
        try SystemError.check("fsync", fsync(descriptor.number), path: path, unless: EINVAL)
    }
}
