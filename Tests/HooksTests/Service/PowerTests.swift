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

    /// A folder is in place of the kernel's power_supply directory, and a socket in place of its uevent socket.
    @Test func aChangeIsReportedOnce() throws {
        let folder = try TemporaryFolder()
        for (name, type) in [("AC", "Mains"), ("BAT0", "Battery")] {
            mkdir(folder(name), 0o755)
            try folder.write("\(name)/type", "\(type)\n")
        }
        func set(online: Int, _ status: String) throws {
            try folder.write("AC/online", "\(online)\n")
            try folder.write("BAT0/status", "\(status)\n")
        }
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &ends) == 0)
        let receiver = try Descriptor("socketpair", ends[0])
        let sender = try Descriptor("socketpair", ends[1])
        func report(_ message: String) { _ = send(sender.number, message, message.utf8.count, 0) }
        let loop = try EventLoop(display: -1, output: nil, signals: [])
        let source = PowerSource(directory: SystemString(folder.path))
        try set(online: 0, "Discharging")
        #expect(throws: SystemError("socket", EPERM)) {
            try source.follow(loop) { () throws(SystemError) in throw SystemError("socket", EPERM) }
        }
        // What cannot be followed is read all the same.
        #expect(source.now == .battery && source.descriptor == nil)
        try set(online: 1, "Charging")
        try source.follow(loop) { () throws(SystemError) in receiver }
        #expect(source.now == .mains)
        try set(online: 0, "Discharging")
        #expect(!source.read())
        // Events of other subsystems are ignored.
        report("add@/devices/x\0ACTION=add\0SUBSYSTEM=usb\0NAME=SUBSYSTEM=power_supply\0")
        #expect(!source.read())
        report("change@/devices/x\0ACTION=change\0SUBSYSTEM=power_supply\0")
        #expect(try loop.wait() == .ready(receiver.number))
        #expect(source.read() && source.now == .battery)
        report("change@/devices/x\0ACTION=change\0SUBSYSTEM=power_supply\0")
        #expect(!source.read())
        source.forget(loop)
        #expect(source.descriptor == nil)
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
