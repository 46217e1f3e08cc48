import Glibc

/// What inotify(7) told in one read(2).
struct FileEvents: Sequence, IteratorProtocol {
    struct Event: Hashable {
        var watch: Int32
        var mask: UInt32
        /// The entry of the watched directory; empty for the directory itself.
        var name: String
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func next() -> Event? {
        let headSize = MemoryLayout<inotify_event>.size
        guard rest.count >= headSize else { return nil }
        let head = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
        rest = rest.dropFirst(headSize)
        let name = rest.prefix(Int(head.len)).prefix { $0 != 0 }
        rest = rest.dropFirst(Int(head.len))
        return Event(watch: head.wd, mask: head.mask, name: String(decoding: name, as: UTF8.self))
    }
}
