import { describe } from "bun:test"
import { stoppedAndReplaced } from "../../lib/StoppedWriter.ts"

describe("a server that is stopped, replaced and continued", () => stoppedAndReplaced(4))
