import { describe, expect } from "bun:test"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { make as makeCredential } from "../../../src/cluster/NodeCredential.ts"
import { Nodes } from "../../../src/cluster/Nodes.ts"
import { MAX_ASKING, makeWriterInquiry } from "../../../src/cluster/WriterInquiry.ts"
import { itEffect } from "../../lib/Effects.ts"
import { NO_NEWS } from "../../lib/WritingNodes.ts"

const statusAt = (address: string) => fetch(`http://${address}`).then(({ status }) => status)

describe("What a node asks the one that writes", () => {
  itEffect("waits where too much is asked already, and is given up in time", () =>
    Effect.gen(function* () {
      const full = yield* Deferred.make<void>()
      let arrived = 0
      const writer = yield* Effect.acquireRelease(
        Effect.sync(() =>
          Bun.serve({
            port: 0,
            fetch: ({ method }) => {
              if (method === "GET") return new Response("there")
              arrived += 1
              if (arrived === MAX_ASKING) Deferred.doneUnsafe(full, Effect.void)
              return new Promise<Response>(() => undefined)
            }
          })
        ),
        (server) => Effect.promise(() => server.stop(true))
      )
      const address = `127.0.0.1:${writer.port}`
      const nodes = Nodes.of({
        writer: () => ({ address, holder: address, term: 1n, isServing: true }),
        serving: Effect.never,
        servingNow: () => undefined,
        isAlive: () => true,
        ...NO_NEWS
      })
      const credential = makeCredential(Redacted.make("a secret of thirty-two characters"))
      const ask = makeWriterInquiry(nodes, credential, "/asked")
      const many = Array.from({ length: 2 * MAX_ASKING }, () => ask("text"))
      const all = yield* Effect.forkChild(Effect.all(many, { concurrency: "unbounded" }))
      yield* Deferred.await(full)
      const there = yield* Effect.promise(() => statusAt(address))
      expect([there, arrived]).toEqual([200, MAX_ASKING])
      yield* TestClock.adjust("3 seconds")
      expect(new Set(yield* Fiber.join(all))).toEqual(new Set([""]))
    })
  )
})
