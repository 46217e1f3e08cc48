import CLinux

/// The interface of every service: its identity and its interfaces.
extension VarlinkServer: VarlinkInterface {
    private struct Info: Encodable {
        let vendor = "The xphase authors"
        let product = "xphase"
        let version = String(cString: xphase_version())
        // The project has no web page.
        let url = ""
        var interfaces: [String]
    }

    private struct Named: Decodable { var interface: String }

    public func handle(_ call: VarlinkCall) throws(VarlinkError) {
        switch call.method {
        case "GetInfo": call.reply(Info(interfaces: interfaces.map { type(of: $0).name }))
        case "GetInterfaceDescription":
            let interface = try interface(call.parameters(Named.self).interface)
            call.reply(["description": type(of: interface).description])
        default: throw .methodNotFound(call.method)
        }
    }

    public static let name = "org.varlink.service"

    public static let description = """
        # What every Varlink service has.
        interface org.varlink.service

        method GetInfo() -> (vendor: string, product: string, version: string, url: string, interfaces: []string)
        method GetInterfaceDescription(interface: string) -> (description: string)

        error InterfaceNotFound (interface: string)
        error MethodNotFound (method: string)
        error MethodNotImplemented (method: string)
        # The text, for the user, says what is wrong.
        error InvalidParameter (parameter: string, text: ?string)
        error PermissionDenied ()
        error ExpectedMore ()

        """
}
