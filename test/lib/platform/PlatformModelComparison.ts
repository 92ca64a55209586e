import { expect } from "bun:test"
import { Effect } from "effect"
import { LedgerAudit } from "../../../src/funds/LedgerAudit.ts"
import type { Answer } from "../Requests.ts"
import type { TestServer } from "../TestServer.ts"
import { makeActors, type PlatformActors } from "./PlatformActors.ts"
import { PARTIES, type PlatformCommand, PRODUCTS } from "./PlatformCommands.ts"
import { asked } from "./PlatformMoves.ts"
import { PlatformPaper } from "./PlatformPaper.ts"
import { type Asked, numberUnits, type PlatformScenario, textUnits } from "./PlatformScenario.ts"

interface FundSeen {
  readonly type: string
  readonly symbol: string
  readonly available: string
}

interface ProductSeen {
  readonly quantity: string
  readonly reserved: string
}

interface ProfileSeen {
  readonly used: number
  readonly available: number
}

let keys = 0

/** The platform beside the one on paper. */
export class PlatformModelComparison {
  readonly actors: PlatformActors
  /** How often each kind of move was taken. */
  readonly taken = new Map<string, number>()
  readonly #scenario: PlatformScenario
  readonly #desk: ReadonlyMap<string, bigint>

  private constructor(actors: PlatformActors, desk: ReadonlyMap<string, bigint>) {
    this.actors = actors
    this.#desk = desk
    this.#scenario = { actors, paper: new PlatformPaper(), orders: [], subscriptions: [], desk: new Map() }
  }

  /** New companies on a server. */
  static readonly make = Effect.fnUntraced(function* (server: TestServer) {
    const actors = yield* makeActors(server)
    return new PlatformModelComparison(actors, yield* deskOf(actors))
  })

  /** Does it on both, and looks whether they agree. */
  do(command: PlatformCommand): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      if (command.tag === "pass") return this.actors.server.world.pass(command.seconds * 1_000)
      const requests: Array<Asked & { readonly act: string }> = []
      for (const move of command.moves) {
        const request = yield* asked(this.#scenario, move)
        if (request !== undefined) requests.push({ ...request, act: move.act })
      }
      const answers = yield* Effect.forEach(requests, (request) => this.#send(request, command.copies), {
        concurrency: "unbounded"
      })
      const isAlone = requests.length === 1
      for (const [index, request] of requests.entries()) {
        const answer = answers[index]
        if (answer === undefined) continue
        const said = answer.status === 200 ? "taken" : "refused"
        const told = { path: request.path, body: request.body, who: request.who, text: answer.text }
        if (isAlone && request.verdict !== "either")
          expect({ ...told, said }).toEqual({ ...told, said: request.verdict })
        if (said === "refused") continue
        this.taken.set(request.act, (this.taken.get(request.act) ?? 0) + 1)
        yield* request.settle(answer)
      }
      yield* this.audit
    })
  }

  /** Sends a request so many times at once under one key, and once more when it is answered. */
  #send({ body, path, who }: Asked, copies: number): Effect.Effect<Answer | undefined> {
    return Effect.gen({ self: this }, function* () {
      const { members, server } = this.actors
      keys += 1
      const options = { as: members[who].userId, key: `key-${keys}` }
      const send = server.post(path, body, options)
      const answers = yield* Effect.all(
        Array.from({ length: copies }, () => send),
        { concurrency: "unbounded" }
      )
      for (const { status, text } of answers)
        expect({ status: status < 500 || status === 503, text }).toEqual({ status: true, text })
      const decided = answers.filter(({ json, status }) => copies === 1 || status !== 409 || !isRunning(json))
      const again = yield* send
      for (const { status, text } of decided) {
        if (status < 500 && status !== 429) expect([again.status, again.text]).toEqual([status, text])
      }
      if (decided.some(({ status }) => status === 200)) expect(again.headers.get("idempotency-replayed")).toBe("true")
      return again
    })
  }

  /** Whether everything that can be read is what it is on paper. */
  get audit(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const { actors } = this
      const { paper } = this.#scenario
      for (const name of PARTIES) yield* this.#auditMember(name)
      for (const [index, { name }] of PRODUCTS.entries()) {
        const { json } = yield* actors.server.get<ProductSeen>(
          `/v1/commerce/products/${actors.products[index]}`,
          actors.admin
        )
        const free = paper.market.free(name)
        expect({ name, quantity: json.quantity, reserved: json.reserved }).toEqual({
          name,
          quantity: String(free),
          reserved: String(paper.reserved(name))
        })
        expect(free).toBeGreaterThanOrEqual(0)
      }
      const desk = yield* deskOf(actors)
      for (const [asset, before] of this.#desk) {
        expect([asset, desk.get(asset)]).toEqual([asset, before + (this.#scenario.desk.get(asset) ?? 0n)])
      }
      const report = yield* actors.server.run(Effect.flatMap(LedgerAudit, ({ check }) => check))
      expect(report).toEqual({ balanced: true, findings: [] })
    })
  }

  #auditMember(name: (typeof PARTIES)[number]): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const { members, server } = this.actors
      const { paper } = this.#scenario
      const { limits, money } = paper
      const { userId } = members[name]
      const { json: funds } = yield* server.get<ReadonlyArray<FundSeen>>("/v1/funds", userId)
      for (const asset of ["USD", "EUR"]) {
        const fund = funds.find(({ type }) => type === asset)
        const seen = [fund?.symbol ?? "0", fund?.available ?? "0"].map(textUnits)
        expect({ name, asset, seen }).toEqual({
          name,
          asset,
          seen: [money.total(name, asset), money.free(name, asset)]
        })
        expect(money.free(name, asset) >= 0n).toBe(true)
      }
      const used = paper.used(name)
      const limit = limits.get(name) ?? 0n
      if (limit === 0n) return expect(used).toBe(0n)
      const { json } = yield* server.get<ProfileSeen>(`/v1/credit/profile/${userId}`, userId)
      const free = limit > used ? limit - used : 0n
      expect([numberUnits(json.used), numberUnits(json.available)]).toEqual([used, free])
    })
  }
}

const isRunning = (json: unknown): boolean =>
  (json as { readonly message?: string }).message?.includes("is still running") === true

const deskOf = ({ admin, server }: PlatformActors) =>
  Effect.map(
    server.get<ReadonlyArray<{ readonly type: string; readonly symbol: string }>>("/v1/fx/desk", admin),
    ({ json }) => new Map(json.map(({ symbol, type }) => [type, textUnits(symbol)]))
  )
