import Console
import System

extension LoadedHooks {
    /// Returns a message for each missing program of a hook, with the key that names it and a similar name that exists.
    ///
    /// - Parameters:
    ///   - variables: The environment of hooks. PATH is their search path, HOME their working directory.
    ///   - owner: The owner of the environment: `the service`.
    public func missingPrograms(in variables: Environment, of owner: String) -> [String] {
        let (path, home) = (SearchPath(variables), variables.workingDirectory)
        let named = hooks.flatMap { hook in hook.programs.map { (hook, $0.key, $0.program) } }
        let missing = named.filter { !path.finds($0.2, in: home) }
        if missing.isEmpty { return [] }
        let names = path.programs
        return missing.map { hook, key, program in
            let place = "hook \(hook.name.quoted): \(key): "
            if program.hasPrefix("~") {
                return
                    "\(place)only a shell expands the ~ of \(program.description.quoted): write the whole path"
            }
            if program.bytes.contains(UInt8(ascii: "/")) {
                return "\(place)\(program.description.quoted) does not exist or is not executable"
            }
            let near = NearestWord.to(program.description, among: names)
            let meant = near.map { " (did you mean \($0.quoted)?)" } ?? ""
            return
                "\(place)there is no program \(program.description.quoted)\(meant) in the PATH of \(owner), \(path)"
        }
    }
}

extension Hook {
    /// The programs that the hook names, each with its key.
    fileprivate var programs: [(key: String, program: SystemString)] {
        let parts: [(String, Program?)] =
            switch reaction {
            case .run(let program): [("run", program)]
            case .pair(let pair): [("enter", pair.enter), ("leave", pair.leave)]
            }
        return (parts + [("unless", unless)]).compactMap { key, program in
            guard case .arguments(let words) = program, let first = words.first else { return nil }
            return (key, first)
        }
    }
}
