import Testing

@testable import Hooks

extension ConfigurationError {
    /// Returns the faults of a configuration in the file `f`.
    static func faults(of text: String) -> [String] {
        do {
            _ = try Configuration(text: text, file: "f")
            return []
        } catch {
            return error.faults
        }
    }
}

/// The syntax, and what is refused although it is TOML.
@Suite struct TOMLTests {
    @Test(arguments: [
        ("a = ", "1:5: the file ends before this is complete"),
        ("a = \n", "1:5: the line ends where a value is expected"),
        ("journal\n", "1:8: the line ends where '=' is expected"),
        ("a 'b'", "1:3: ''' stands where '=' is expected"),
        ("a = [1, 2\nb = 3", "2:1: 'b' stands where a comma or ']' is expected"),
        ("a = 1 b = 2", "1:7: 'b' stands where the end of the line is expected"),
        ("a = { b = 1, }", "1:14: '}' stands where a key is expected"),
        ("[[hook]]\nname = 'a'\n[hook]", "3:1: '[hook]' stands where '[[hook]]' is expected"),
        ("\n  [[hook]\n", "2:10: "), ("a = 1\na = 2", "2:5: "), ("a = \"\u{1B}[31m\"", "1:6: "),
        ("a = 1\n  [[ !x]]", "2:6: the name of a table begins with a letter"),
        ("a = 10s", "1:5: this is not a decimal number: put text and times in quotes"),
        ("a = [20%]", "1:6: this is not a decimal number"),
        ("name = a", "1:8: put quotes around a"), ("a = trueish # b", "1:5: put quotes around trueish"),
        ("a = true\nb = [\n'c', all of it ]", "3:6: put quotes around all of it"),
        ("a = { b = \u{E9} }", "1:11: non-ASCII"), ("a = { b = c }", "1:11: put quotes around c"),
        ("a = ~/b", "1:5: put quotes around ~/b"), ("a == 1", "1:4: unexpected '='"),
        // No string is cut at a NUL.
        ("\nrun = ['a', \"b\\u0000c\"]", "2:15: a NUL character is not allowed"),
        ("a = \"\"\"a\\U00000000\"\"\"", "1:9: a NUL"), ("\"a\\u0000\" = 1", "1:3: a NUL"),
        ("[\"a\\u0000\"]", "1:4: a NUL"), ("a = \"\\\\\\u0000\"", "1:8: a NUL"), ("\n# \0\na", "2:3: a NUL"),
        ("a = 1\nb = \"c\nd = 'e'", "2:5: this string is not closed"),
        ("a = 'b", "1:5: this string"), ("a = \"\"\"b\n", "1:5: this string"),
        ("a = '''b\n", "1:5: this string"),
        // A key nests a table at each dot, and a list may contain tables, more of which than the stack holds.
        (
            String(repeating: "a.", count: 200_000) + "a = 1",
            "1:34: more than 16 nested tables or arrays"
        ),
        ("[" + String(repeating: "a.", count: 200_000) + "a]", "1:35: more than 16"),
        ("a = " + String(repeating: "[", count: 10_000), "1:21: more than 16"),
        ("a = " + String(repeating: "{ a = [", count: 10_000), "1:61: more than 16"),
    ])
    func aFaultHasLineAndColumn(text: String, start: String) {
        let reported = ConfigurationError.faults(of: text)
        #expect(reported.count == 1)
        #expect(reported.first?.hasPrefix("f:\(start)") == true, "\(reported)")
        #expect(reported.first?.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
    }

    /// Table names, braces and times at which toml++ would terminate the process.
    @Test(arguments: [
        "[!a]", "[[!a]]", " [ =]", "[\n]", "[ü]", "[[[a]]]", "\u{FEFF}[!]", "[.a]", "[[ ,]]", "a = 1\r\n[!]",
        "a = [\n1]\n[!]", "a = '''[\n'''\n[!]", "a = \"\"\"[\\\"\"\"\"\"\"\n[!]", "a = '[' # [\n[!]",
        "a = [ '\"', # [\n]\n[!]", "[[#", "[", "[ # a\n]", "a = \"\\\\\" \n[!]", "[a]\n[b]\n[/]",
        // What is no value in an array.
        "a = [}", "a = [1, }", "a = [\n# ]\n }", "a = [{b = [1,} ]", "a = [{b = 1}, [ ], '[', }]", "a = [[]}",
        "a = [\u{2028}]", "a = ['x', \u{2029}'y']", "a = [{b = 1},\n[\u{85}1]]", "a = [ü]",
        // Times.
        "a = 1979-05-27Trom07:32:00Z", "a = 07:32:00", "a = [1979-05-27 07:3", "a = 1979-05-27 0\n",
        "a = 1979-05-27T's'0:1 'b'", "a = [\n1979-05-27T[':']]", "a = 1979-05-27T=':'",
    ])
    func wrongTOMLIsRefused(_ text: String) {
        #expect(throws: ConfigurationError.self) { try TOML.Scan(text, file: "f") }
    }

    @Test(arguments: [
        "a = [{b = [{}]}, {c = '}'}]\n[d]", "a = {b = [ '[' ]}\n[c]", "[a]\nb = 1", "[[a]]", " [ a ] ",
        "['!']", "[\"!\"]", "[-_]", "a = [\n[ 1], [0]\n]", "a = [\n[ +1 ],\n[ {b = [ ]} ]]",
        "a = '''\n[!]\n'''", "a = \"\"\"\n[!]\\\n[!]\"\"\"", "a = [ '\u{2028}', \"ü\" # \u{85}\n]",
        "# [!]\n#\n  # [!]", "a = '[!' # '\n[b]", "\u{FEFF}[a]", "", "a = \"\"\"\"\"\"\"\" # 2 quotes\n",
        "1979-05-27T07 = 1", "a = [1.5, 1_0, 1e-3, 1979-05-27, -2]",
        String(repeating: "a.", count: 16) + "a = " + String(repeating: "[\n{b.c = ", count: 8) + "1"
            + String(repeating: "}]", count: 8),
        "a = [\(String(repeating: "1.5, ", count: 99))]",
    ])
    func validTOMLIsRead(_ text: String) {
        #expect(throws: Never.self) { try TOML(document: text, file: "f") }
    }

    /// A file may be truncated at any point while it is written.
    @Test func everyBeginningOfAFileIsReadOrRefused() {
        let example = #"""
            # [a] = 'é'
            [[hook]]
            name = 'a "b"'
            application = [ "/[vV]lc/",  # "}]
                'mpv\' ]
            while = ["background"]
            do = 'freeze'
            wake = { every = "3m", for = "5\u0073" }
            [[ "hook" ]]
            "name" = "\"]"
            initial = true
            shell = """
            it's [x] # "y"
            \"""""\
            """
            """#
        for end in example.indices {
            for fault in ConfigurationError.faults(of: String(example[..<end])) {
                #expect(fault.hasPrefix("f:"))
            }
        }
    }
}
