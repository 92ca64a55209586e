/** The server, from its bundle: `bun scripts/start.ts`. */
import { launch } from "./launch/Launch.ts"

await launch("main")
