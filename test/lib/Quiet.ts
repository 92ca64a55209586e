import { Layer, References } from "effect"

/** Tests provoke failures on purpose: the log is shown only when `TEST_LOG=1` asks for it. */
export const quiet = Layer.succeed(References.MinimumLogLevel, process.env["TEST_LOG"] === "1" ? "Debug" : "None")
