import { Effect } from "effect"
import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/** Below the ports that a system gives to outgoing connections, which come and go all the time. */
const FIRST = 10_000
const END = 32_000

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })

const found = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FIRST, END)
    if (await isFree(port)) return port
  }
}

/** A port that nobody listened on a moment ago, and that no other test is likely to take meanwhile. */
export const freePort: Effect.Effect<number> = Effect.promise(found)
