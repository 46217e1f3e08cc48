import CLinux
import Glibc
import Hooks
import System

/// The power source of the machine, followed while a hook needs it. There is no polling: the kernel reports changes.
final class PowerSource {
    private static let subject = Array("SUBSYSTEM=power_supply".utf8)

    /// The kernel's directory of power supplies.
    private let directory: SystemString
    private var events: Descriptor?
    private(set) var now = Power.mains

    init(directory: SystemString) { self.directory = directory }

    /// For poll(2); nil while changes are not followed.
    var descriptor: Int32? { events?.number }

    /// - Parameter open: Opens the source of change events.
    /// - Throws: `SystemError` if changes cannot be followed; `now` is current nevertheless.
    func follow(
        _ loop: EventLoop, _ open: () throws(SystemError) -> Descriptor = Descriptor.deviceEvents
    ) throws(SystemError) {
        defer { now = Power(supplies) }
        if events != nil { return }
        // Opened before the supplies are read, so no change is missed.
        let events = try open()
        loop.watch(events.number)
        self.events = events
    }

    func forget(_ loop: EventLoop?) {
        if let events { loop?.forget(events.number) }
        events = nil
    }

    /// Reads an event of the kernel.
    ///
    /// - Returns: Whether the power source has changed.
    func read() -> Bool {
        guard let events else { return false }
        var message = [UInt8](repeating: 0, count: 8192)
        let count = recv(events.number, &message, message.count, Int32(MSG_DONTWAIT))
        // Lost messages may have been about power supplies. Messages only trigger a reread; their other contents do not
        // count.
        let isNews =
            count < 0
            ? errno == ENOBUFS
            : message[..<count].split(separator: 0).contains { $0.elementsEqual(Self.subject) }
        let old = now
        if isNews { now = Power(supplies) }
        return now != old
    }

    private var supplies: [PowerSupply] {
        (directory.entryNames ?? []).compactMap { PowerSupply(directory.entry($0)) }
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
        let result = withUnsafePointer(to: name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(events.number, $0, size) }
        }
        guard result == 0 else { throw SystemError("netlink", errno) }
        return events
    }
}

/// An entry of /sys/class/power_supply, as sysfs-class-power describes it.
struct PowerSupply: Hashable, Sendable {
    /// `Mains`, `Battery`, `USB`, …
    var type: String
    /// For an external supply: `1` or `0`.
    var online: String?
    /// For a battery: `Charging`, `Discharging`, `Not charging`, `Full` or `Unknown`.
    var status: String?
    /// `Device` for the battery of a peripheral, such as a mouse.
    var scope: String?
    /// `0` for a bay without a battery.
    var present: String?

    var isBattery: Bool { type == "Battery" && scope != "Device" && present != "0" }
}

extension PowerSupply {
    /// Reads the entry; nil if it is none.
    init?(_ entry: SystemString) {
        func fact(_ name: SystemString) -> String? { entry.entry(name).firstLine }
        guard let type = fact("type") else { return nil }
        self.init(
            type: type, online: fact("online"), status: fact("status"), scope: fact("scope"),
            present: fact("present"))
    }
}

extension Power {
    /// Determines the source from all supplies. A machine without a battery is on mains.
    init(_ supplies: [PowerSupply]) {
        let batteries = supplies.filter(\.isBattery)
        let mains = supplies.filter { $0.type == "Mains" }
        if batteries.isEmpty || mains.contains(where: { $0.online == "1" }) {
            self = .mains
        } else if batteries.contains(where: { $0.status == "Discharging" }) {
            self = .battery
        } else {
            // A battery that neither charges nor discharges does not indicate the source by itself.
            let isCharging = batteries.contains { $0.status == "Charging" }
            self = isCharging || mains.isEmpty ? .mains : .battery
        }
    }
}
