import CLinux
import Glibc
import Hooks
import System

/// The power source of the machine, followed while a hook needs it. There is no polling: the kernel reports changes.
///
/// A thread reads it: a battery is read by the firmware, which may take long.
final class PowerSource {
    private static let subject = Array("SUBSYSTEM=power_supply".utf8)

    private let source: @Sendable () -> Power
    private var events: Descriptor?
    private var readings: DiskQueue<Power>?
    /// Whether it may have changed since the reading that is under way began.
    private var isStale = false
    /// nil until it is read.
    private(set) var now: Power?
    /// Whether it is read, or about to be: a thread could be started.
    var isReadable: Bool { readings != nil }

    /// - Parameter source: Reads the source, on the thread.
    init(_ source: @escaping @Sendable () -> Power = { Power.source() }) { self.source = source }

    /// Calls a function once the source is known, and whenever it has changed, with the source before that.
    ///
    /// - Throws: `SystemError` if changes cannot be followed. The present source is read nevertheless, if a thread can be
    ///   started.
    func follow(_ loop: EventLoop, changed: @escaping (_ old: Power?) -> Void) throws(SystemError) {
        let answers = try readings.begun().answers
        loop.watch(answers.number) { [unowned self] in
            let old = now
            take()
            if now != old { changed(old) }
        }
        defer { read() }
        if events != nil { return }
        // Opened before the supplies are read, so no change is missed.
        let events = try Descriptor.deviceEvents()
        loop.watch(events.number) { [unowned self] in if hasChange() { read() } }
        self.events = events
    }

    func forget(_ loop: EventLoop) {
        for descriptor in [events, readings?.answers].compactMap(\.self) { loop.forget(descriptor.number) }
        events = nil
        readings = nil
        now = nil
    }

    private func read() {
        guard let readings else { return }
        isStale = readings.isBusy
        if !isStale { readings.submit(source) }
    }

    private func take() {
        now = readings?.takeAnswers().last ?? now
        if isStale { read() }
    }

    /// Reads an event of the kernel.
    ///
    /// - Returns: Whether the power source may have changed.
    private func hasChange() -> Bool {
        guard let events else { return false }
        var message = [UInt8](repeating: 0, count: 8192)
        do throws(SystemError) {
            let count = try SystemError.check(
                "recv", recv(events.number, &message, message.count, Int32(MSG_DONTWAIT)))
            // Messages only trigger a reread; their other contents do not count.
            return message[..<count].split(separator: 0).contains { $0.elementsEqual(Self.subject) }
        } catch {
            // Lost messages may have been about power supplies.
            return error.code == ENOBUFS
        }
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
