import CLinux

/// The interface of every service: its identity and its interfaces.
final class VarlinkService: VarlinkInterface {
    private struct Info: Encodable {
        let vendor = "The xphase authors"
        let product = "xphase"
        let version = String(cString: xphase_version())
        // The project has no web page.
        let url = ""
        var interfaces: [String]
    }

    private struct Named: Decodable { var interface: String }

    static let name = "org.varlink.service"

    private let interfaces: [any VarlinkInterface.Type]

    init(_ interfaces: [any VarlinkInterface.Type]) {
        self.interfaces = [Self.self] + interfaces
    }

    func handle(_ call: VarlinkCall, of peer: VarlinkPeer) throws(VarlinkError) {
        switch call.method {
        case "GetInfo": peer.reply(Info(interfaces: interfaces.map { $0.name }))
        case "GetInterfaceDescription":
            let name = try call.parameters(Named.self).interface
            guard let type = interfaces.first(where: { $0.name == name }) else {
                throw .interfaceNotFound(name)
            }
            peer.reply(["description": type.description])
        default: throw .methodNotFound(call.method)
        }
    }

    static let description = """
        # What every Varlink service has.
        interface org.varlink.service

        method GetInfo() -> (vendor: string, product: string, version: string, url: string, interfaces: []string)
        method GetInterfaceDescription(interface: string) -> (description: string)

        error InterfaceNotFound (interface: string)
        error MethodNotFound (method: string)
        error MethodNotImplemented (method: string)
        error InvalidParameter (parameter: string)
        error PermissionDenied ()
        error ExpectedMore ()

        """
}
