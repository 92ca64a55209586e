/** Runs one file of tests on Deno, and tells of each test in a line of JSON: `deno run … DenoTestFile.ts file`. */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { runTests } from "./DenoTest.ts"

// A client of Deno sends no `Host` of the caller's own unless it is told that it may.
const { Deno } = globalThis as unknown as { readonly Deno: { readonly createHttpClient: (options: object) => object } }
const client = Deno.createHttpClient({ allowHost: true })
const send = globalThis.fetch
globalThis.fetch = Object.assign(
  (input: string | URL | Request, init?: RequestInit) => send(input, { client, ...init } as RequestInit),
  send
)

// A client of Deno says 0 where others say that the connection ended without a close frame. RFC 6455, 7.4.1.
const code = Object.getOwnPropertyDescriptor(CloseEvent.prototype, "code")?.get
Object.defineProperty(CloseEvent.prototype, "code", {
  get(this: CloseEvent) {
    return Number(code?.call(this)) || 1006
  }
})

await import("./ContractMonitor.ts")
const [file = ""] = process.argv.slice(2)
await import(pathToFileURL(resolve(file)).href)
await runTests((outcome) => process.stdout.write(`${JSON.stringify(outcome)}\n`))
process.exit(0)
