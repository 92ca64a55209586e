import { describe, expect } from "bun:test"
import { Duration, Effect, Exit } from "effect"
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { WatchedThreads } from "../../../../src/bots/programs/BusyThreads.ts"
import { type ProgramLimits, startProgram } from "../../../../src/bots/programs/ProgramThread.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { temporaryFolder } from "../../../lib/TemporaryFolder.ts"

const MOMENT = {
  at: 1_000,
  events: [{ type: "woken", data: {}, timestamp: "1970-01-01T00:00:01.000Z" } as const]
}

const written = Effect.fnUntraced(function* (text: string) {
  const folder = yield* temporaryFolder
  const path = join(folder, "my.ts")
  writeFileSync(path, text)
  return { name: "my.ts", path, folder, digest: createHash("sha256").update(text).digest("hex") }
})

/** What a module comes to that is loaded and told of moments. */
const played = Effect.fnUntraced(function* (text: string, moments = 1, limits?: Partial<ProgramLimits>) {
  const program = yield* startProgram(yield* written(text), limits)
  for (let left = moments; left > 1; left--) yield* program.take(MOMENT, 1)
  return yield* program.take(MOMENT, 12.5)
})

const toldUntilItFails = Effect.fnUntraced(function* (text: string, limits: Partial<ProgramLimits>) {
  const program = yield* startProgram(yield* written(text), limits)
  return yield* Effect.forever(Effect.andThen(program.take(MOMENT, 1), Effect.sleep("10 millis")))
})

/** What its owner reads where it fails. */
const failureOf = Effect.fnUntraced(function* (...given: Parameters<typeof played>) {
  const exit = yield* Effect.exit(Effect.scoped(played(...given)))
  return Exit.isFailure(exit)
    ? String(exit.cause.reasons.map((each) => "error" in each && each.error.message))
    : "went on"
})

const on = (body: string): string => `export default { onEvent(event, market) { ${body} } }`

/** Deno may end a thread that takes too much without a word. */
const OVER = typeof Bun === "undefined" ? /more than 8 MiB|^It gave no answer within 5s/ : /more than 8 MiB/

/** Deno may be the first to see it. */
const GROWN =
  typeof Bun === "undefined"
    ? expect.stringMatching(/256 MiB/)
    : "The server's memory grew by more than 256 MiB while it gave no answer."

const GIB = 1_073_741_824

/** It takes 3 GB where nothing ends it, and not all that there is. */
const KEEPS = `const kept = []
  const keep = () => {
    while (kept.length < 4_000) kept.push(new Array(100_000).fill({ a: 1 }))
    throw new Error("It took 3 GB.")
  }
`

/** The most that the process takes from now on until the scope ends, more than now, in bytes. */
const growth = Effect.gen(function* () {
  const before = process.memoryUsage.rss()
  const grown = { most: 0 }
  const look = Effect.sync(() => {
    grown.most = Math.max(grown.most, process.memoryUsage.rss() - before)
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(look, Effect.sleep("10 millis"))))
  return grown
})

const SHORT = Duration.millis(100)

describe("a program in a worker", () => {
  const itLive = withLayer(WatchedThreads.layer)

  itLive("keeps what it knows, hears the channels that it asks for, and answers as in a replay", () =>
    Effect.gen(function* () {
      const text = `
        interface Heard { readonly count: number }
        export default (): object => {
          let heard: Heard = { count: 0 }
          return {
            channels: ["prices"],
            async onEvent({ type }, market) {
              heard = { count: heard.count + 1 }
              await new Promise((resolve) => setTimeout(resolve, 1))
              market.commit({ ...heard, type, now: market.now, free: market.free })
              market.wakeAt("1970-01-01T00:00:02Z")
            }
          }
        }`
      const program = yield* startProgram(yield* written(text))
      expect([...program.channels]).toEqual(["prices"])
      yield* program.take(MOMENT, 1)
      expect(yield* program.take(MOMENT, 12.5)).toEqual({
        commitments: [{ count: 2, type: "woken", now: "1970-01-01T00:00:01.000Z", free: 12.5 }],
        wakeAt: 2_000
      })
    })
  )

  itLive("does not see the server's environment", () =>
    Effect.gen(function* () {
      const { commitments } = yield* played(on("market.commit({ names: Object.keys(process.env) })"))
      expect(commitments).toEqual([{ names: [] }])
    })
  )

  itLive("fails by what it threw, told without the folder's place", () =>
    Effect.gen(function* () {
      expect(yield* failureOf(on(`throw new Error("no luck")`))).toMatch(/^Error: no luck \(my\.ts:1:\d+\)$/)
      expect(yield* failureOf("const = 1")).not.toContain("/emporion-")
      expect(yield* failureOf("export const onEvent = 1")).toContain("its default export has to be")
      expect(yield* failureOf(`export default { channels: ["all"], onEvent() {} }`)).toContain("channels: ")
      expect(yield* failureOf(on(`market.wakeAt("soon")`))).toContain("wakeAt: expected")
      expect(yield* failureOf(on("market.commit({ quantity: 1n })"))).toContain("BigInt")
    })
  )

  itLive("fails where its file changes while it is loaded, or goes", () =>
    Effect.gen(function* () {
      const meanwhile = (act: string) =>
        `import { appendFileSync, unlinkSync } from "node:fs"\n${act}\n${on("market.commit({})")}`
      const changed = "my.ts changed while it was loaded."
      expect(yield* failureOf(meanwhile(`appendFileSync(import.meta.filename, " ")`))).toBe(changed)
      expect(yield* failureOf(meanwhile("unlinkSync(import.meta.filename)"))).toBe(changed)
      expect(yield* failureOf(meanwhile(""))).toBe("went on")
    })
  )

  itLive("is ended where it loops, ends, never answers, or fails behind its answer", () =>
    Effect.gen(function* () {
      const limits = { decision: SHORT }
      expect(yield* failureOf(on("for (;;) {}"), 1, limits)).toBe("It gave no answer within 100ms.")
      expect(yield* failureOf(on("return new Promise(() => {})"), 1, limits)).toBe("It gave no answer within 100ms.")
      expect(yield* failureOf(`for (;;) {}; export default {}`, 1, { load: SHORT })).toBe(
        "It gave no answer within 100ms."
      )
      expect(yield* failureOf(on("process.exit(0)"))).toBe("It ended by itself.")
      const behind = `setTimeout(() => { throw new Error("behind") }, 1); return new Promise(() => {})`
      expect(yield* failureOf(on(behind))).toContain("behind")
    })
  )

  itLive("has limits of memory and of an answer's length", () =>
    Effect.gen(function* () {
      const keeping = `const kept = []
        ${on("for (let at = 0; at < 2_000; at++) kept.push(new Array(1_000).fill(at + 0.5))")}`
      expect(yield* failureOf(keeping, 1, { heapMib: 8 })).toMatch(OVER)
      expect(yield* failureOf(on(`market.commit("x".repeat(2_000_000))`))).toContain("It answered more than")
      const forged = `import { parentPort } from "node:worker_threads"
        ${on(`parentPort.postMessage("{"); parentPort.postMessage('{"number":7}')`)}`
      expect(yield* failureOf(forged)).toBe("It said something that is no answer.")
    })
  )

  itLive(
    "is ended where it takes memory without an answer, in whatever it does, and no other beside it is",
    () =>
      Effect.gen(function* () {
        const limits = { decision: Duration.minutes(1), load: Duration.minutes(1) }
        const beside = yield* startProgram(yield* written(on("market.commit({})")))
        const silent = on("return new Promise((resolve) => setTimeout(resolve, 60_000))")
        const waiting = yield* startProgram(yield* written(silent), limits)
        const waits = yield* Effect.forkScoped(waiting.take(MOMENT, 1))
        const behind = on("if (kept.length === 0) setTimeout(keep, 1); kept.push(0)")
        for (const text of [on("keep()"), `keep()\n${on("")}`, behind]) {
          const { failed, grown } = yield* Effect.scoped(
            Effect.gen(function* () {
              const meanwhile = yield* growth
              return { failed: yield* Effect.flip(toldUntilItFails(KEEPS + text, limits)), grown: meanwhile.most }
            })
          )
          expect([failed.message, failed.isMemory]).toEqual([GROWN, true])
          expect(grown).toBeLessThan(GIB)
          expect((yield* beside.take(MOMENT, 1)).commitments).toEqual([{}])
        }
        expect(waits.pollUnsafe()).toBeUndefined()
      }).pipe(Effect.scoped),
    120_000
  )
})
