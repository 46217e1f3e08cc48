import TestDesktop
import Testing

/// The lines of packaging/examples/bars.md. `ActiveTests` has what the command prints.
@Suite struct BarTests {
    @Test func everyBarReadsTheSameLines() throws {
        let root = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
        let command = "xphase active --follow --empty ' ' --format '{application}: {title}'"
        let found = try Program.run("grep", ["-Fc", command, "\(root)/packaging/examples/bars.md"])
        #expect(found.output == ["6"])
    }
}
