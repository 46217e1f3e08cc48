import ArgumentParser
import Console
import Service

struct BusCommand: Command {
    static let configuration = CommandConfiguration(
        command: "bus",
        abstract: "Print where programs ask a running 'xphase run', and what they can ask.",
        usage: "xphase bus [options]",
        discussion: """
            'xphase run' is a Varlink service (https://varlink.org): a message is a JSON object and a NUL byte on a \
            Unix socket. Below the address stand its interfaces. It exits 69 where no 'xphase run' serves a display \
            and none is named.

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
