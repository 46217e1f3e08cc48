import ArgumentParser
import Console
import Service

struct BusCommand: Command {
    static let configuration = CommandConfiguration(
        command: "bus",
        abstract: "Print the address of the Varlink service.",
        usage: "xphase bus [options]",
        discussion: """
            'xphase run' serves Varlink (https://varlink.org) on a Unix socket: each message is a JSON object and a \
            NUL byte. Prints the address, then the interface descriptions. Exits 69 if no display is named, DISPLAY \
            is not set, and no 'xphase run' is running.

            EXAMPLES
              xphase bus
              varlinkctl call "$(xphase bus --address)" org.xphase.Phases.Active '{}'
            """
    )

    @Flag(help: "Print only the address.")
    var address = false

    @OptionGroup var service: ServiceOptions

    func run(_ io: CommandIO) throws {
        let text = try service.ask(io) { $0.address } + "\n"
        let interfaces = [PhasesInterface.description, HooksInterface.description]
        try io.write(address ? text : text + interfaces.map { "\n\($0)" }.joined())
    }
}
