import { Effect } from "effect"
import { createServer } from "node:net"

/** A port that nobody listened on a moment ago. */
export const freePort: Effect.Effect<number> = Effect.promise(
  () =>
    new Promise<number>((resolve) => {
      const server = createServer()
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
      })
    })
)
