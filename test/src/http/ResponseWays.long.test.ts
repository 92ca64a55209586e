import { compareWays } from "../../lib/ResponseWaysTests.ts"

compareWays(1)
