import System

extension Environment: ExpressibleByDictionaryLiteral {
    public init(_ variables: [String: String]) {
        self.init(entries: variables.map { "\($0.key)=\($0.value)" })
    }

    public init(dictionaryLiteral variables: (String, String)...) {
        self.init(entries: variables.map { "\($0.0)=\($0.1)" })
    }
}
