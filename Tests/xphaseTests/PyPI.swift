/// The Python environment that packaging/test installs from PyPI.
enum PyPI {
    static let python =
        #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/.build/python/bin/python"
    /// The packages to install where they are missing.
    static let packages =
        "python3-venv, and varlink, aw-server and aw-client of PyPI: run packaging/test --all"
}
