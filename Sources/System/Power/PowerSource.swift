import CLinux
import Glibc

/// What the machine runs on, followed as long as a hook asks for it. Nothing is asked again and again: the kernel tells of it.
public final class PowerSource {
    private static let mostSupplies = 64
    /// How many messages are read at once: the loop has others to serve.
    private static let mostMessages = 64
    private static let subject = Array("SUBSYSTEM=power_supply".utf8)

    private let directory: SystemString
    private let open: () throws(SystemError) -> Descriptor
    private var events: Descriptor?
    public private(set) var now = Power.mains

    /// - Parameters:
    ///   - directory: Where the kernel shows what feeds the machine.
    ///   - open: Opens what tells of changes.
    public init(
        directory: SystemString,
        open: @escaping () throws(SystemError) -> Descriptor = { () throws(SystemError) in
            try Descriptor("netlink", linux_uevents())
        }
    ) {
        self.directory = directory
        self.open = open
    }

    /// For poll(2); nil as long as nobody asks.
    public var descriptor: Int32? { events?.number }

    /// - Throws: Where changes cannot be followed. What is so now is known all the same.
    public func follow(_ loop: EventLoop) throws(SystemError) {
        defer { now = Power(supplies()) }
        if events != nil { return }
        // First, so that no change is missed.
        let events = try open()
        loop.watch(events.number)
        self.events = events
    }

    public func forget(_ loop: EventLoop?) {
        if let events { loop?.forget(events.number) }
        events = nil
    }

    /// Reads what the kernel tells.
    ///
    /// - Returns: Whether the machine runs on something else now.
    public func read() -> Bool {
        guard let events else { return false }
        var isNews = false
        var message = [UInt8](repeating: 0, count: 8192)
        for _ in 1...Self.mostMessages {
            let count = recv(events.number, &message, message.count, Int32(MSG_DONTWAIT))
            // Messages that were lost may have been of it. What they say counts for nothing but this.
            if count < 0 && errno == ENOBUFS { isNews = true }
            if count <= 0 { break }
            isNews =
                isNews || message[..<count].split(separator: 0).contains { $0.elementsEqual(Self.subject) }
        }
        guard isNews else { return false }
        let old = now
        now = Power(supplies())
        return now != old
    }

    private func supplies() -> [PowerSupply] {
        var supplies: [PowerSupply] = []
        for name in directory.entryNames ?? []
        where !name.hasPrefix(".") && supplies.count < Self.mostSupplies {
            let supply = self.directory.entry(name)
            func fact(_ name: SystemString) -> String? { supply.entry(name).firstLine }
            guard let type = fact("type") else { continue }
            supplies.append(
                PowerSupply(
                    type: type, online: fact("online"), status: fact("status"), scope: fact("scope"),
                    present: fact("present")))
        }
        return supplies
    }
}
