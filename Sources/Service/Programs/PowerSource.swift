import CLinux
import Glibc
import Hooks
import System

/// The power source of the machine, followed while a hook needs it. There is no polling: the kernel reports changes.
final class PowerSource {
    private static let subject = Array("SUBSYSTEM=power_supply".utf8)

    private var events: Descriptor?
    private(set) var now = Power.mains

    /// Calls a function whenever the source has changed.
    ///
    /// - Throws: `SystemError` if changes cannot be followed; `now` is current nevertheless.
    func follow(_ loop: EventLoop, changed: @escaping () -> Void) throws(SystemError) {
        defer { now = Power.source() }
        if events != nil { return }
        // Opened before the supplies are read, so no change is missed.
        let events = try Descriptor.deviceEvents()
        loop.watch(events.number) { [unowned self] in if read() { changed() } }
        self.events = events
    }

    func forget(_ loop: EventLoop) {
        if let events { loop.forget(events.number) }
        events = nil
    }

    /// Reads an event of the kernel.
    ///
    /// - Returns: Whether the power source has changed.
    private func read() -> Bool {
        guard let events else { return false }
        var message = [UInt8](repeating: 0, count: 8192)
        let isNews: Bool
        do throws(SystemError) {
            let count = try SystemError.check(
                "recv", recv(events.number, &message, message.count, Int32(MSG_DONTWAIT)))
            // Messages only trigger a reread; their other contents do not count.
            isNews = message[..<count].split(separator: 0).contains { $0.elementsEqual(Self.subject) }
        } catch {
            // Lost messages may have been about power supplies.
            isNews = error.code == ENOBUFS
        }
        let old = now
        if isNews { now = Power.source() }
        return now != old
    }
}

extension Descriptor {
    /// Opens a non-blocking socket that receives the kernel's device events.
    fileprivate static func deviceEvents() throws(SystemError) -> Descriptor {
        let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let events = try Descriptor("netlink", socket(AF_NETLINK, kind, NETLINK_KOBJECT_UEVENT))
        var name = sockaddr_nl()
        name.nl_family = sa_family_t(AF_NETLINK)
        // Group 1 receives the events of the kernel itself.
        name.nl_groups = 1
        let size = socklen_t(MemoryLayout<sockaddr_nl>.size)
        try SystemError.check(
            "netlink",
            withUnsafePointer(to: name) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(events.number, $0, size) }
            })
        return events
    }
}

extension Power {
    /// Determines the source from the files that sysfs-class-power describes. A machine without a battery is on mains.
    ///
    /// - Parameter directory: The kernel's directory of power supplies.
    static func source(in directory: SystemString = "/sys/class/power_supply") -> Power {
        let supplies = (directory.entryNames ?? []).map { name in
            { (fact: SystemString) in directory.entry(name).entry(fact).firstLine }
        }
        // The battery of a peripheral, such as a mouse, has the scope Device, and a bay without a battery is a battery, too.
        let batteries = supplies.filter {
            $0("type") == "Battery" && $0("scope") != "Device" && $0("present") != "0"
        }
        let mains = supplies.filter { $0("type") == "Mains" }
        if batteries.isEmpty || mains.contains(where: { $0("online") == "1" }) { return .mains }
        let states = batteries.map { $0("status") }
        if states.contains("Discharging") { return .battery }
        // A battery that neither charges nor discharges does not indicate the source by itself.
        return states.contains("Charging") || mains.isEmpty ? .mains : .battery
    }
}
