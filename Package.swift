// swift-tools-version: 6.2
import PackageDescription

/// TOMLKit imports Foundation. An accidental use of Foundation adds 40 MB of ICU to the static program.
let ownImports: [SwiftSetting] = [.enableUpcomingFeature("MemberImportVisibility")]

/// packaging/build sets the variable. `Context.gitInformation` would also work, but SwiftPM caches what a manifest
/// once returned.
let commit: [CSetting] =
    Context.environment["XPHASE_COMMIT"].map { [.define("XPHASE_COMMIT", to: "\"\($0)\"")] } ?? []

/// With `traits: []`, users of the library do not fetch the dependencies of the program. SwiftPM skips a dependency only
/// if each use of it has the condition.
let program = "Program"

/// Only the documentation needs the plugin, and no other build resolves it. The Swift Package Index sets the variable.
let documentation: [Package.Dependency] =
    Context.environment["SPI_BUILDER"] == nil
    ? [] : [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")]

let package = Package(
    name: "xphase",
    products: [
        .library(name: "PhaseWatch", targets: ["PhaseWatch", "PhaseModels"]),
        .executable(name: "xphase", targets: ["xphase"]),
    ],
    traits: [
        .trait(name: program, description: "The program xphase and its modules"),
        .default(enabledTraits: [program]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ] + documentation,
    targets: [
        .systemLibrary(name: "CXlib", pkgConfig: "xcb", providers: [.apt(["libx11-dev"])]),
        .target(name: "CXPipeline", dependencies: ["CXlib"]),
        .target(name: "CLinux", cSettings: commit),
        .target(name: "System", dependencies: ["CLinux"]),
        // Scenes uses no pointers and nothing else that a mistake could turn into a read of foreign memory.
        .target(name: "Scenes", swiftSettings: [.strictMemorySafety()]),
        .target(name: "X11", dependencies: ["Scenes", "CXlib", "CXPipeline", "System", "CLinux"]),
        .target(name: "Recording", dependencies: ["Scenes", "System"]),
        .target(name: "PhaseWatch", dependencies: ["Scenes", "Recording", "X11", "System"]),
        // A separate module, since the command line must not link the Observation library.
        .target(name: "PhaseModels", dependencies: ["PhaseWatch"]),
        .target(name: "Console", dependencies: ["PhaseWatch", "System", "CLinux"]),
        .target(
            name: "Hooks",
            dependencies: [
                "Console", "PhaseWatch", "System", "CLinux",
                // Used for its module CTOML, since TOMLKit's Swift types free nothing; see TOML.
                .product(name: "TOMLKit", package: "TOMLKit", condition: .when(traits: [program])),
            ],
            swiftSettings: ownImports
        ),
        .target(
            name: "Service", dependencies: ["Hooks", "Console", "PhaseWatch", "X11", "System", "CLinux"],
            swiftSettings: ownImports),
        .target(
            name: "Journal", dependencies: ["Console", "PhaseWatch", "System"], swiftSettings: ownImports),
        .executableTarget(
            name: "xphase",
            dependencies: [
                "Journal", "Service", "Hooks", "Console", "PhaseWatch", "Recording", "System", "CLinux",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser",
                    condition: .when(traits: [program])),
            ],
            swiftSettings: ownImports
        ),
        // The program calls no function of libX11 or libXext, and must not be linked with them.
        .systemLibrary(
            name: "CXext", path: "Tests/CXext", pkgConfig: "xext", providers: [.apt(["libxext-dev"])]),
        .target(
            name: "TestDesktop", dependencies: ["System", "CLinux", "CXlib", "CXext"],
            path: "Tests/TestDesktop"),
        .testTarget(name: "SystemTests", dependencies: ["System", "CLinux", "TestDesktop"]),
        .testTarget(
            name: "ScenesTests", dependencies: ["PhaseWatch", "Recording", "System", "Scenes", "TestDesktop"]),
        .testTarget(
            name: "PhaseWatchTests",
            dependencies: ["PhaseWatch", "PhaseModels", "X11", "Scenes", "TestDesktop"]),
        .testTarget(
            name: "HooksTests",
            dependencies: ["Service", "Hooks", "Console", "PhaseWatch", "System", "Scenes", "TestDesktop"]),
        .testTarget(
            name: "JournalTests",
            dependencies: ["Journal", "Console", "PhaseWatch", "System", "CLinux", "TestDesktop"]),
        .testTarget(
            name: "X11Tests", dependencies: ["X11", "Scenes", "CXlib", "CXPipeline", "TestDesktop"]),
        .testTarget(
            name: "ManagerTests",
            dependencies: ["xphase", "PhaseWatch", "X11", "Scenes", "CXlib", "TestDesktop"],
            exclude: ["README.md"]),
        .testTarget(
            name: "xphaseTests",
            dependencies: [
                "xphase", "Journal", "Service", "Hooks", "Console", "PhaseWatch", "System", "Scenes", "CXlib",
                "TestDesktop",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// packaging/faults/fuzzers builds this target with a compiler that includes libFuzzer.
if Context.environment["XPHASE_FUZZERS"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzzers",
            dependencies: ["Service", "Hooks", "X11", "System", "CLinux"],
            path: "Tests/Fuzzers",
            exclude: ["bus", "configuration.dict", "control", "record"]))
}
