import Glibc
import Hooks
import System

/// The units of the user's service manager (systemd), which answers on its own socket, without a bus.
struct UserUnits {
    private static let (path, name) = ("/org/freedesktop/systemd1", "org.freedesktop.systemd1")
    /// The interfaces of units with a control group, by suffix.
    private static let interfaces = ["scope": "Scope", "service": "Service", "slice": "Slice"]
    /// The value of a weight or a quota that is not set.
    private static let unset = UInt64.max
    /// The reactions that need the service manager.
    static let reactions: Set<BuiltIn> = [.slow, .cap]

    let buses: Buses

    /// The reason why the service manager cannot be called; nil if it can.
    static func lack(_ environment: Environment) -> String? {
        BusAddress.serviceManager(environment) == nil
            ? "systemd --user is not running" : nil
    }

    static func manager(_ member: String) -> BusMethod { BusMethod(nil, path, "\(name).Manager", member) }

    /// Returns the method that reads a property, and its arguments.
    ///
    /// - Parameters:
    ///   - property: Its name.
    ///   - unit: nil for the service manager itself.
    ///   - interface: The last word of its name; nil for that of the unit's kind.
    static func property(
        _ property: String, of unit: String?, interface: String? = nil
    ) -> (method: BusMethod, arguments: [BusValue]) {
        let kind = unit?.split(separator: ".").last.map { interfaces[String($0)] ?? "Unit" } ?? "Manager"
        let object = path + (unit.map { "/unit/\(escaped($0))" } ?? "")
        let method = BusMethod(nil, object, "org.freedesktop.DBus.Properties", "Get")
        return (method, [.text("\(name).\(interface ?? kind)"), .text(property)])
    }

    /// The method that reads the variables of the service manager, and its arguments.
    static var environment: (method: BusMethod, arguments: [BusValue]) { property("Environment", of: nil) }

    /// Passes on what undoes a reaction later, or why this is not known.
    ///
    /// - Parameter group: The control group of the unit, which must be the one that the service manager has for it.
    func hold(
        for builtIn: BuiltIn, of group: ControlGroup?, then: @escaping (Result<Hold, SystemError>) -> Void
    ) {
        func refuse(_ reason: String) { then(.failure(.refused(reason))) }
        guard let group else { return refuse("it has no systemd unit of its own") }
        guard let bus = buses.connect(.serviceManager(.own)) else { return refuse(Self.silence) }
        let unit = group.name
        var (values, failure): ([String: BusValue], BusError?) = ([:], nil)
        let answers = Answers {
            if let failure { return refuse("\(unit): \(failure)") }
            guard let path = values["ControlGroup"]?.text, path.count > 1, group.path.hasSuffix(path) else {
                return refuse("\(unit) is not a unit of systemd --user")
            }
            let former = builtIn.properties.map { values[$0]?.number ?? Self.unset }
            then(.success(.limited(unit: unit, by: builtIn, former: former)))
        }
        for name in ["ControlGroup"] + builtIn.properties {
            let (method, arguments) = Self.property(name, of: unit)
            let take = answers.awaiting { (answer: Bus.Answer) in
                values[name] = (try? answer.get())?.first
                failure = failure ?? answer.failure
            }
            bus.call(method, "ss", arguments, then: take)
        }
        answers.end()
    }

    /// Sets the properties of a reaction until the next boot, and passes on the failure.
    ///
    /// - Parameter isUndo: Whether the values are former ones. A unit that no longer exists needs none.
    func set(
        _ values: [UInt64], of unit: String, by builtIn: BuiltIn, isUndo: Bool,
        then: @escaping (BusError?) -> Void
    ) {
        let list = zip(builtIn.properties, values).map { name, value in
            BusValue.list([.text(name), .variant("t", .number(value))])
        }
        call("SetUnitProperties", "sba(sv)", [.text(unit), .number(1), .list(list)]) { error in
            then(isUndo && error?.name == "\(Self.name).NoSuchUnit" ? nil : error)
        }
    }

    /// Calls a method of the service manager, and passes on the failure.
    func call(
        _ member: String, _ signature: String, _ arguments: [BusValue], then: @escaping (BusError?) -> Void
    ) {
        guard let bus = buses.connect(.serviceManager(.own)) else {
            return then(BusError(name: "", text: Self.silence))
        }
        bus.call(Self.manager(member), signature, arguments, within: .seconds(5)) { then($0.failure) }
    }

    private static let silence = "systemd --user does not answer"

    /// Escapes the name of a unit for an object path.
    static func escaped(_ name: String) -> String {
        name.utf8.enumerated().map { index, byte in
            byte.isLetter || index > 0 && byte.isDigit
                ? String(Unicode.Scalar(byte)) : "_" + byte.hexadecimal
        }.joined()
    }
}

extension UInt8 {
    /// Whether it is an ASCII letter or digit.
    var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    var isDigit: Bool { (0x30...0x39).contains(self) }
    /// Two digits.
    var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}
