@testable import Scenes

extension Desktop {
    /// Returns the slots, old and new, of the windows that differ from those of an earlier desktop.
    func touched(since earlier: Desktop) -> [Int32] {
        let ids = Set(windows.windows.map(\.id.xid)).union(earlier.windows.windows.map(\.id.xid))
        return ids.filter { windows[$0] != earlier.windows[$0] }
            .flatMap { [earlier.windows.slot(of: $0), windows.slot(of: $0)] }
            .compactMap { $0.map { Int32($0) } }
    }
}
