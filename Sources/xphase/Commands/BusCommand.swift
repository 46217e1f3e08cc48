import ArgumentParser
import Console
import Service

struct BusCommand: Command {
    static let configuration = CommandConfiguration(
        command: "bus",
        abstract: "Print the address and the interfaces of the Varlink service.",
        usage: "xphase bus [options]",
        discussion: """
            'xphase run' is a Varlink service (https://varlink.org): a message is a JSON object and a NUL byte on a \
            Unix socket. The descriptions of its interfaces follow the address. It exits 69 where DISPLAY is not set, \
            no display is named and no 'xphase run' serves one.

            EXAMPLES
              xphase bus
              varlinkctl call "$(xphase bus --address)" org.xphase.Phases.Active '{}'
            """
    )

    @Flag(help: "Print the address only.")
    var address = false

    @OptionGroup var service: ServiceOptions

    func run(_ io: CommandIO) throws {
        let text = try service.ask(io) { $0.address } + "\n"
        let interfaces = [PhasesInterface.description, HooksInterface.description]
        try io.write(address ? text : text + interfaces.map { "\n\($0)" }.joined())
    }
}
