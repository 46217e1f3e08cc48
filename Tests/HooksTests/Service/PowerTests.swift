import Glibc
import Hooks
import TestDesktop
import Testing

@testable import Service
@testable import System

@Suite struct PowerTests {
    private static func battery(_ status: String?, scope: String? = nil, present: String? = "1")
        -> PowerSupply
    {
        PowerSupply(type: "Battery", status: status, scope: scope, present: present)
    }

    private static func mains(_ online: String?) -> PowerSupply { PowerSupply(type: "Mains", online: online) }

    @Test(
        arguments: [
            ([], .mains),
            ([mains("1")], .mains), ([mains("0")], .mains),
            ([battery("Discharging")], .battery), ([battery("Charging")], .mains),
            ([battery("Full")], .mains),
            ([battery(nil)], .mains),
            ([mains("0"), battery("Discharging")], .battery), ([battery("Discharging"), mains("1")], .mains),
            ([mains("0"), battery("Full")], .battery), ([mains("0"), battery("Unknown")], .battery),
            // Power from USB-C, which some machines do not report as mains.
            ([mains("0"), battery("Charging")], .mains),
            ([battery("Full"), battery("Discharging")], .battery),
            // The battery of a mouse, and an empty battery bay.
            ([battery("Discharging", scope: "Device")], .mains),
            ([battery("Discharging", present: "0")], .mains),
            ([PowerSupply(type: "USB", online: "1"), battery("Discharging")], .battery),
        ] as [([PowerSupply], Power)])
    func whatFeedsTheMachine(supplies: [PowerSupply], power: Power) {
        #expect(Power(supplies) == power)
    }

    /// A folder in place of the kernel's power_supply directory, and a socket in place of the kernel's uevent socket.
    private final class Machine {
        let folder: TemporaryFolder
        let source: PowerSource
        let loop: EventLoop
        private let receiver: Descriptor
        private let sender: Descriptor

        init() throws {
            folder = try TemporaryFolder()
            mkdir("\(folder.path)/AC", 0o755)
            mkdir("\(folder.path)/BAT0", 0o755)
            _ = try folder.write("AC/type", "Mains\n")
            _ = try folder.write("BAT0/type", "Battery\n")
            var ends: [Int32] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &ends) == 0)
            receiver = try Descriptor("socketpair", ends[0])
            sender = try Descriptor("socketpair", ends[1])
            source = PowerSource(directory: SystemString(folder.path))
            loop = try EventLoop(display: -1, output: nil, signals: [])
        }

        func follow() throws { try source.follow(loop) { () throws(SystemError) in receiver } }

        func set(online: Bool, _ status: String) throws {
            _ = try folder.write("AC/online", online ? "1\n" : "0\n")
            _ = try folder.write("BAT0/status", "\(status)\n")
        }

        func report(_ message: String) { _ = send(sender.number, message, message.utf8.count, 0) }
    }

    @Test func aChangeIsReportedOnce() throws {
        let machine = try Machine()
        try machine.set(online: true, "Charging")
        #expect(machine.source.descriptor == nil)
        try machine.follow()
        #expect(machine.source.now == .mains)
        try machine.set(online: false, "Discharging")
        #expect(!machine.source.read())
        // Events of other subsystems are ignored.
        machine.report("add@/devices/x\0ACTION=add\0SUBSYSTEM=usb\0NAME=SUBSYSTEM=power_supply\0")
        #expect(!machine.source.read())
        machine.report("change@/devices/x\0ACTION=change\0SUBSYSTEM=power_supply\0")
        #expect(try machine.loop.wait() == .ready(machine.source.descriptor ?? -1))
        #expect(machine.source.read())
        #expect(machine.source.now == .battery)
        machine.report("change@/devices/x\0ACTION=change\0SUBSYSTEM=power_supply\0")
        #expect(!machine.source.read())
        machine.source.forget(machine.loop)
        #expect(machine.source.descriptor == nil)
    }

    @Test func whatCannotBeFollowedIsReadAllTheSame() throws {
        let machine = try Machine()
        try machine.set(online: false, "Discharging")
        #expect(throws: SystemError("socket", EPERM)) {
            try machine.source.follow(machine.loop) { () throws(SystemError) in
                throw SystemError("socket", EPERM)
            }
        }
        #expect(machine.source.now == .battery)
    }

    @Test func aMachineThatShowsNothingIsOnMains() throws {
        let loop = try EventLoop(display: -1, output: nil, signals: [])
        let folder = try TemporaryFolder()
        let source = PowerSource(directory: SystemString(folder("none")))
        try source.follow(loop)
        #expect(source.now == .mains && source.descriptor != nil)
        source.forget(loop)
    }
}
