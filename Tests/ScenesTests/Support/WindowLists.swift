@testable import Scenes

extension WindowList {
    mutating func insert(_ xid: UInt32) {
        remove(xid)
        _ = replace(with: order + [xid])
    }

    mutating func remove(_ xid: UInt32) {
        _ = replace(with: order.filter { $0 != xid })
    }
}
