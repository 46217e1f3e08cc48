/// The power source of the machine.
public enum Power: String, CaseIterable, Codable, Hashable, Sendable {
    case battery, mains
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
