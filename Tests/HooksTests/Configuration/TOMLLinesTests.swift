import Testing

@testable import Hooks

/// Table names, braces and times at which toml++ would terminate the process.
@Suite struct TOMLLinesTests {
    @Test(arguments: [
        "[!a]", "[[!a]]", " [ =]", "[\n]", "[ü]", "[[[a]]]", "\u{FEFF}[!]", "[.a]", "[[ ,]]", "a = 1\r\n[!]",
        "a = [\n1]\n[!]", "a = '''[\n'''\n[!]", "a = \"\"\"[\\\"\"\"\"\"\"\n[!]", "a = '[' # [\n[!]",
        "a = [ '\"', # [\n]\n[!]", "[[#", "[", "[ # a\n]", "a = \"\\\\\" \n[!]", "[a]\n[b]\n[/]",
        // What is no value in an array.
        "a = [}", "a = [1, }", "a = [\n# ]\n }", "a = [{b = [1,} ]", "a = [{b = 1}, [ ], '[', }]", "a = [[]}",
        "a = [\u{2028}]", "a = ['x', \u{2029}'y']", "a = [{b = 1},\n[\u{85}1]]", "a = [ü]",
        // Times.
        "a = 1979-05-27Trom07:32:00Z", "a = 07:32:00", "a = [1979-05-27 07:3", "a: 1",
    ])
    func isRefused(_ text: String) {
        #expect(throws: TOML.SyntaxError.self) { try TOML.Lines(text) }
    }

    @Test(arguments: [
        "a = [{b = [{}]}, {c = '}'}]\n[d]", "a = {b = [ '[' ]}\n[c]", "[a]\nb = 1", "[[a]]", " [ a ] ",
        "['!']", "[\"!\"]", "[-_]", "a = [\n[ 1], [0]\n]", "a = [\n[ +1 ],\n[ {b = [ ]} ]]",
        "a = '''\n[!]\n'''",
        "a = \"\"\"\n[!]\\\n[!]\"\"\"", "a = [ '\u{2028}', \"ü\" # \u{85}\n]", "# [!]\n#\n  # [!]",
        "a = '[!' # '\n[b]", "\u{FEFF}[a]", "", "a = \"\"\"\"\"\"\"\" # 2 quotes\n",
    ])
    func isLeftToTheParser(_ text: String) {
        #expect(throws: Never.self) { try TOML.document(text) }
    }

    @Test func thePlaceIsReported() {
        let error = #expect(throws: TOML.SyntaxError.self) { try TOML.document("a = 1\n  [[ !x]]") }
        #expect(error?.line == 2 && error?.column == 6)
    }
}
