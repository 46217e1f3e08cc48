@testable import Scenes

extension Desktop {
    /// The windows of which anything is new since an earlier moment.
    func touched(since earlier: Desktop) -> Set<UInt32> {
        let all = Set(windows.keys).union(earlier.windows.keys)
        return all.filter { windows[$0] != earlier.windows[$0] }
    }
}
