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

/** Ports that nobody listened on a moment ago, none of them twice, and that nobody else is likely to take meanwhile. */
export const freePorts = async (count: number): Promise<ReadonlyArray<number>> => {
  const found = new Set<number>()
  while (found.size < count) {
    const port = randomInt(FIRST, END)
    if (await isFree(port)) found.add(port)
  }
  return [...found]
}
