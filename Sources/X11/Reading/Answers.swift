import CXPipeline
import CXlib
import Scenes

/// What GetWindowAttributes answers, as far as it is used.
struct Attributes {
    let mapState: WindowFacts.MapState
    let isOverrideRedirect: Bool
    let isInputOnly: Bool
    /// The events that any client has asked for.
    let allEvents: Int

    init(_ answer: cxp_answer) {
        mapState =
            switch Int32(answer.attributes.map_state) {
            case IsViewable: .viewable
            case IsUnviewable: .unviewable
            default: .unmapped
            }
        isOverrideRedirect = answer.attributes.override_redirect
        isInputOnly = answer.attributes.input_only
        allEvents = Int(answer.attributes.all_events)
    }
}

/// What QueryTree answers.
struct Tree {
    let root: UInt32
    /// 0 for a root window.
    let parent: UInt32
    /// The lowest first.
    let children: [UInt32]

    init(_ answer: cxp_answer) {
        root = answer.tree.root
        parent = answer.tree.parent
        children =
            answer.tree.children.map {
                Array(UnsafeBufferPointer(start: $0, count: Int(answer.tree.count)))
            } ?? []
    }
}
