import Hooks

/// What tests write as text.
extension SystemString: @retroactive ExpressibleByStringInterpolation {}

extension Environment: @retroactive ExpressibleByDictionaryLiteral {
    init(_ variables: [String: String]) {
        self.init(entries: variables.map { "\($0.key)=\($0.value)" })
    }

    public init(dictionaryLiteral variables: (String, String)...) {
        self.init(entries: variables.map { "\($0.0)=\($0.1)" })
    }
}
