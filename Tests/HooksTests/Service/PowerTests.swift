import Glibc
import Hooks
import TestDesktop
import Testing

@testable import Service
@testable import System

@Suite struct PowerTests {
    typealias Supply = [String: String]

    private static func battery(_ status: String?) -> Supply {
        ["type": "Battery", "present": "1", "status": status ?? ""]
    }

    private static func mains(_ online: String) -> Supply { ["type": "Mains", "online": online] }

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
            ([["type": "Battery", "status": "Discharging", "scope": "Device"]], .mains),
            ([["type": "Battery", "status": "Discharging", "present": "0"]], .mains),
            ([["type": "USB", "online": "1"], battery("Discharging")], .battery),
        ] as [([Supply], Power)])
    func whatFeedsTheMachine(supplies: [Supply], power: Power) throws {
        let folder = try TemporaryFolder()
        for (number, facts) in supplies.enumerated() {
            mkdir(folder("\(number)"), 0o755)
            for (name, value) in facts { try folder.write("\(number)/\(name)", "\(value)\n") }
        }
        #expect(Power.source(in: SystemString(folder.path)) == power)
    }

    @Test func aMachineThatShowsNothingIsOnMains() {
        #expect(Power.source(in: "/nowhere") == .mains)
    }
}
