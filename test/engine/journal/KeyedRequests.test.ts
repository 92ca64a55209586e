import { describe, expect } from "bun:test"
import { Deferred, Effect, Fiber } from "effect"
import { findKept, KeyedRequests, type KeptResponse, type KeyRunning } from "../../../engine/journal/KeyedRequests.ts"
import { interruptedAfter, itEffect } from "../../lib/Effects.ts"

/** Requests under one key, whose answers are kept in memory unless that fails. */
const keyed = (isAway: () => boolean = () => false) => {
  const requests = new KeyedRequests()
  const state = { kept: undefined as KeptResponse | undefined, runs: 0 }
  const serve = (fingerprint: string, status: number, run: Effect.Effect<void> = Effect.void) =>
    requests.serve(
      { key: "k", fingerprint },
      {
        find: Effect.sync(() => state.kept),
        replay: (kept) => ({ status: kept.status, isReplayed: true }),
        run: Effect.as(
          Effect.andThen(
            Effect.sync(() => void (state.runs += 1)),
            run
          ),
          { status, isReplayed: false }
        ),
        keepable: (answer) => (answer.status >= 500 ? undefined : { status: answer.status, body: "" }),
        keep: (kept) =>
          isAway()
            ? Effect.fail("away")
            : Effect.sync(() => {
                const earlier = state.kept
                state.kept = earlier ?? kept
                return earlier
              })
      }
    )
  return { requests, serve, state }
}

/** Turns within which a request has begun, whatever it waits for. */
const MAX_TURNS = 40

describe("A keyed request", () => {
  itEffect("runs once, and its retries get what was answered", () =>
    Effect.gen(function* () {
      const { serve, state } = keyed()
      expect(yield* serve("f", 200)).toEqual({ status: 200, isReplayed: false })
      expect(yield* serve("f", 422)).toEqual({ status: 200, isReplayed: true })
      expect((yield* Effect.flip(serve("other", 200))) as unknown).toMatchObject({ _tag: "KeyReused" })
      expect(state.runs).toBe(1)
    })
  )

  itEffect("holds no key once it is interrupted, wherever that is", () =>
    Effect.gen(function* () {
      for (let turns = 0; turns < MAX_TURNS; turns += 1) {
        const { serve } = keyed()
        yield* interruptedAfter(turns, serve("f", 503, Effect.never))
        expect((yield* serve("f", 200)).status).toBe(200)
      }
    })
  )

  itEffect("is not run while it runs, and again where nothing was to be kept", () =>
    Effect.gen(function* () {
      const { serve, state } = keyed()
      const end = Deferred.makeUnsafe<void>()
      const first = yield* Effect.forkChild(serve("f", 503, Deferred.await(end)), { startImmediately: true })
      expect((yield* Effect.flip(serve("f", 200))) as unknown).toMatchObject({ _tag: "KeyRunning" })
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(first)
      expect(yield* serve("f", 200)).toMatchObject({ status: 200 })
      expect(state.runs).toBe(2)
    })
  )

  itEffect("is refused only where the refusal is kept, and done where it was done", () =>
    Effect.gen(function* () {
      const { serve } = keyed(() => true)
      expect((yield* Effect.flip(serve("f", 422))) as unknown).toBe("away")
      expect(yield* serve("f", 200)).toEqual({ status: 200, isReplayed: false })
    })
  )

  itEffect("that was done runs once though its answer could not be kept, which its next retry keeps", () =>
    Effect.gen(function* () {
      let away = true
      const { serve, state } = keyed(() => away)
      yield* serve("f", 200)
      expect(yield* serve("f", 422)).toEqual({ status: 200, isReplayed: true })
      expect((yield* Effect.flip(serve("other", 200))) as unknown).toMatchObject({ _tag: "KeyReused" })
      expect(state.kept).toBeUndefined()
      away = false
      expect(yield* serve("f", 422)).toEqual({ status: 200, isReplayed: true })
      expect(state).toEqual({ kept: { fingerprint: "f", status: 200, body: "" }, runs: 1 })
    })
  )

  itEffect("that is refused gets what an earlier one was answered, if that was kept while it ran", () =>
    Effect.gen(function* () {
      const { serve, state } = keyed()
      const earlier = Effect.sync(() => void (state.kept = { fingerprint: "f", status: 200, body: "" }))
      expect(yield* serve("f", 409, earlier)).toEqual({ status: 200, isReplayed: true })
    })
  )

  itEffect("that has begun runs alone until its end, which counts once", () =>
    Effect.gen(function* () {
      const { requests, serve, state } = keyed()
      const end = requests.begin("k")
      expect(requests.begin("k")).toBeUndefined()
      expect((yield* Effect.flip(serve("f", 200))) as unknown).toMatchObject({ _tag: "KeyRunning" })
      end?.()
      const again = requests.begin("k")
      expect(again).toBeDefined()
      end?.()
      expect((yield* Effect.flip(serve("f", 200))) as unknown).toMatchObject({ _tag: "KeyRunning" })
      again?.()
      expect(yield* serve("f", 200)).toEqual({ status: 200, isReplayed: false })
      expect(state.runs).toBe(1)
    })
  )

  itEffect("does not begin while its answer waits to be kept", () =>
    Effect.gen(function* () {
      const { requests, serve } = keyed(() => true)
      yield* serve("f", 200)
      expect(requests.begin("k")).toBeUndefined()
      expect(requests.begin("other")).toBeDefined()
    })
  )

  itEffect("is looked for where it may be kept, and nowhere else", () =>
    Effect.gen(function* () {
      const kept = { fingerprint: "f", status: 200, body: "" }
      const told = { ...kept, key: "k", seq: 1 }
      const find = (isTold: boolean, isSurelyNew: boolean) =>
        findKept(
          { find: () => (isTold ? told : undefined), isSurelyNew: () => isSurelyNew },
          "k",
          1,
          Effect.succeed(kept)
        )
      expect(yield* find(true, false)).toBe(told)
      expect(yield* find(false, true)).toBeUndefined()
      expect(yield* find(false, false)).toBe(kept)
    })
  )
})

describe("A request that another node names", () => {
  const named = () => {
    const requests = new KeyedRequests()
    const sentAgain = new Set<string>()
    const state = { runs: 0, looks: 0, kept: undefined as KeptResponse | undefined, isNew: true, isAwaited: true }
    const serve = (
      isFirst: boolean,
      run: Effect.Effect<void> = Effect.void,
      answer = "run"
    ): Effect.Effect<string, KeyRunning> =>
      requests.serveNamed(
        { name: "n", isFirst, isAwaited: () => state.isAwaited },
        { sentAgain },
        {
          isUnavailable: (given) => given === "unavailable",
          find: Effect.sync(() => {
            state.looks += 1
            return state.kept
          }),
          replay: ({ body }) => body,
          run: Effect.as(
            Effect.andThen(
              Effect.sync(() => {
                state.runs += 1
                state.isNew = !sentAgain.has("n")
              }),
              run
            ),
            answer
          )
        }
      )
    return { sentAgain, serve, state }
  }

  itEffect("runs at once the first time, and again only where it was not executed", () =>
    Effect.gen(function* () {
      const { sentAgain, serve, state } = named()
      expect([yield* serve(true), state.runs, state.looks, state.isNew]).toEqual(["run", 1, 0, true])
      expect([yield* serve(false), state.runs, state.looks, state.isNew]).toEqual(["run", 2, 1, false])
      state.kept = { fingerprint: "", status: 200, body: "kept" }
      expect([yield* serve(false), state.runs, state.looks, sentAgain.size]).toEqual(["kept", 2, 2, 0])
    })
  )

  itEffect("is answered with what landed late, which refused it as it was decided", () =>
    Effect.gen(function* () {
      const { serve, state } = named()
      const lands = Effect.sync(() => void (state.kept = { fingerprint: "", status: 200, body: "late" }))
      expect([yield* serve(false, Effect.void, "unavailable"), state.looks]).toEqual(["unavailable", 2])
      expect([yield* serve(false, lands, "unavailable"), state.looks]).toEqual(["late", 4])
    })
  )

  itEffect("does not begin once its node has given that sending up", () =>
    Effect.gen(function* () {
      const { sentAgain, serve, state } = named()
      state.isAwaited = false
      for (const isFirst of [true, false]) {
        expect(yield* Effect.flip(serve(isFirst))).toMatchObject({ _tag: "KeyRunning" })
      }
      expect([state.runs, state.looks, sentAgain.size]).toEqual([0, 0, 0])
      state.isAwaited = true
      expect(yield* serve(false)).toBe("run")
    })
  )

  itEffect("holds no name once it is interrupted, wherever that is", () =>
    Effect.gen(function* () {
      for (let turns = 0; turns < MAX_TURNS; turns += 1) {
        for (const isFirst of [true, false]) {
          const { sentAgain, serve } = named()
          yield* interruptedAfter(turns, serve(isFirst, Effect.never))
          expect([yield* serve(isFirst), sentAgain.size]).toEqual(["run", 0])
        }
      }
    })
  )

  itEffect("does not run while it runs", () =>
    Effect.gen(function* () {
      const { sentAgain, serve, state } = named()
      const end = Deferred.makeUnsafe<void>()
      const first = yield* Effect.forkChild(serve(true, Deferred.await(end)), { startImmediately: true })
      for (const isFirst of [true, false]) {
        expect(yield* Effect.flip(serve(isFirst))).toMatchObject({ _tag: "KeyRunning" })
      }
      expect([state.runs, sentAgain.size]).toEqual([1, 0])
      yield* Deferred.succeed(end, undefined)
      expect(yield* Fiber.join(first)).toBe("run")
    })
  )
})
