import { expect } from "bun:test"
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { lossAllowanceOf } from "../../engine/ledger/LossLimit.ts"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import { limitPrice } from "../../engine/arena/Commitment.ts"
import type { FairnessRule } from "../../engine/arena/Fairness.ts"
import { INSTRUMENTS } from "../../engine/arena/Instrument.ts"
import type { OrderTerms } from "../../engine/arena/OrderTerms.ts"
import { orderStream } from "../../engine/arena/Order.ts"
import type { Submission } from "../../engine/arena/Submission.ts"
import { accountId } from "../../engine/ledger/Account.ts"
import { type Amount, format, fromUnits, ONE, toNumber } from "../../engine/money/Amount.ts"
import type { Code } from "../../src/api/ApiError.ts"
import { MarketMaker } from "../../src/arena/MarketMaker.ts"
import { OrderKeys } from "../../src/arena/OrderKeys.ts"
import { KEY_RETENTION } from "../../engine/journal/KeyFilter.ts"
import type { Answer } from "./Requests.ts"
import { type Actors, actors, traderOf } from "./ArenaActors.ts"
import type { ArenaCommand, CommitCommand } from "./ArenaCommands.ts"
import { accountsOf } from "./ArenaState.ts"
import { ArenaModel, type ArenaTimes, type Decision } from "./ArenaModel.ts"
import { type TestDatabase, testDatabase } from "./TestDatabase.ts"
import { TestServer } from "./TestServer.ts"

const TIMES: ArenaTimes = { slot: 60, window: 90, delay: 60 }

const usd = (dollars: number): Amount => fromUnits(BigInt(dollars) * ONE)

const part = (whole: Amount, permille: number): Amount => fromUnits((whole * BigInt(permille)) / 1_000n)

/** What an answer must be: its status, and its whole body or its code. */
interface Expected {
  readonly status: number
  readonly body: object
}

const refused = (status: number, code: Code): Expected => ({ status, body: { code } })

/** What each refusal is on the wire. */
const REFUSALS = {
  CircuitBreakerOpen: [503, "ARENA_009"],
  OrderNotFound: [404, "ARENA_001"],
  OrderNotOpen: [409, "ARENA_003"],
  WindowClosed: [410, "ARENA_004"],
  MachineNotRegistered: [403, "ARENA_006"],
  AccessDenied: [403, "access_denied"],
  InvalidTerms: [422, "ARENA_005"],
  LossLimitReached: [422, "loss_limit"],
  VaultClosed: [503, "ARENA_008"],
  InsufficientCollateral: [422, "ARENA_002"],
  TooManyCommitments: [429, "rate_limited"],
  OrderFull: [429, "rate_limited"],
  AlreadyCommitted: [409, "conflict"],
  CommitmentsHalted: [409, "commitments_halted"]
} as const

const answerTo = (decision: Decision): Expected => {
  if (decision._tag === "Refused") {
    const [status, code] = REFUSALS[decision.error._tag]
    return refused(status, code)
  }
  const { event, hash, version } = decision
  const { collateral, commitmentId, orderId } = event.commitment
  return {
    status: 200,
    body: {
      success: true,
      message: "Commitment accepted",
      data: {
        commitment_id: commitmentId,
        onchain_commitment_id: `${orderStream(orderId)}:${version}`,
        transaction_hash: `0x${hash}`,
        collateral_required: toNumber(collateral),
        status: "active"
      }
    }
  }
}

/** An answer that a retry under the same key gets. */
interface Kept {
  readonly sent: string
  readonly text: string
  readonly at: number
}

/** The program and its model side by side: every command goes to both, and both must answer the same. */
export class ArenaModelComparison {
  readonly server: TestServer
  readonly model: ArenaModel
  readonly actors: Actors
  /** How often each answer was given, by its code. */
  readonly answers: Map<string, number> = new Map()
  readonly #admin: string
  readonly #kept = new Map<string, Kept>()

  private constructor(server: TestServer, model: ArenaModel, found: Actors, admin: string) {
    this.server = server
    this.model = model
    this.actors = found
    this.#admin = admin
  }

  /** On a fresh database, which by default goes with the scope. */
  static readonly make = (
    rule: FairnessRule,
    database: Effect.Effect<TestDatabase, SqlError, Scope.Scope> = testDatabase
  ): Effect.Effect<ArenaModelComparison, never, Scope.Scope> =>
    Effect.gen(function* () {
      const server = yield* TestServer.makeOn(yield* Effect.orDie(database), {
        ARENA_SLOT_SECONDS: String(TIMES.slot),
        ARENA_COMMIT_WINDOW_SECONDS: String(TIMES.window),
        ARENA_SETTLEMENT_DELAY_SECONDS: String(TIMES.delay),
        ARENA_FAIRNESS_RULE: rule
      })
      const startedAt = server.world.now
      const found = yield* actors(server)
      const maker = server.service(MarketMaker)
      const model = new ArenaModel({ keys: server.service(OrderKeys), maker, rule, times: TIMES, startedAt })
      model.begin(yield* accountsOf(server))
      return new ArenaModelComparison(server, model, found, yield* server.admin)
    })

  do(command: ArenaCommand): Effect.Effect<void> {
    switch (command._tag) {
      case "Commit":
        return this.#commit(command)
      case "Quote":
        return Effect.sync(() => this.#quote(command.type, command.permille))
      case "Pass":
        return Effect.sync(() => this.server.world.pass(command.millis))
      case "Tick":
        return this.#tick(0)
      case "Run":
        return Effect.forEach(Array.from({ length: command.rounds }), () => this.#tick(command.millis), {
          discard: true
        })
      case "Mint":
        return this.#mint(command)
      case "Register":
        return this.#register(command)
      case "Restart":
        return Effect.andThen(
          Effect.sync(() => this.model.restart()),
          this.server.restart()
        )
    }
  }

  /** Options follow their underlying. Quotes that were withdrawn come back with the next move. */
  #quote(type: AssetType, permille: number | null): void {
    const { prices } = this.server.world
    for (const { asset, assetType } of INSTRUMENTS.filter((each) => each.assetType === type)) {
      const before = prices.get(asset)
      if (permille === null) prices.delete(asset)
      else if (before !== undefined) prices.set(asset, part(before, permille))
      else prices.set(asset, usd(assetType === "fx" ? 1 : 100))
    }
  }

  #tick(millis: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      const { world } = this.server
      const ticked = this.server.tick(millis)
      this.model.tick(world.now, world.prices)
      return ticked
    })
  }

  #commit(command: CommitCommand): Effect.Effect<void> {
    const terms = [...this.model.orders.values()].toReversed()[command.order]?.terms
    const submission = this.#submission(command, terms)
    const body = JSON.stringify({
      order_id: terms?.orderId ?? "ord_000000000000000000000000",
      proposed_entry_price: toNumber(submission.proposedPrice),
      expected_exit_price: toNumber(submission.exitPrice),
      quantity: toNumber(submission.quantity),
      slippage_tolerance: toNumber(submission.slippage),
      swap_executor: submission.swapExecutor,
      ...(submission.trader.botId === null ? {} : { bot_id: submission.trader.botId })
    })
    return this.#send("/api/arena/commitments", body, command, () => this.#decide(terms?.orderId ?? "", submission))
  }

  #decide(orderId: string, submission: Submission): Expected {
    const { now } = this.server.world
    if (this.model.halt("global", now) !== null) return refused(503, "ARENA_009")
    const decision = this.model.submit(orderId, submission, now)
    return decision === undefined ? refused(404, "ARENA_001") : answerTo(decision)
  }

  #submission(command: CommitCommand, terms: OrderTerms | undefined): Submission {
    const { entryPrice, quantity } = terms ?? { entryPrice: ONE, quantity: ONE }
    const proposedPrice = part(entryPrice, command.price)
    const slippage = fromUnits(BigInt(command.slippage))
    const trader = traderOf(this.actors[command.trader])
    const machine = command.machine === null ? undefined : this.model.machines[command.machine]
    const botId = command.machine === null ? null : (machine?.id ?? "mtr_unknown")
    const isOwn = botId === null || machine?.userId === trader.userId
    return {
      proposedPrice,
      exitPrice: part(limitPrice(proposedPrice, slippage), command.exit),
      quantity: part(quantity, command.quantity),
      slippage,
      swapExecutor: "0xexecutor",
      trader: {
        ...trader,
        address: machine?.address ?? trader.address,
        type: botId === null ? trader.type : "machine",
        botId,
        allowance: machine === undefined ? null : lossAllowanceOf(machine.id)
      },
      barred: !isOwn ? "machine_not_active" : command.trader === "suspended" ? "suspended" : null
    }
  }

  #mint({ trader, dollars, key }: ArenaCommand & { _tag: "Mint" }): Effect.Effect<void> {
    const { userId } = this.actors[trader]
    const amount = usd(dollars)
    const body = JSON.stringify({ owner: userId, type: "USD", symbol: format(amount) })
    return this.#send("/v1/funds", body, { trader, key, copies: 1 }, () => {
      const failed = this.model.mint(userId, amount)
      if (failed !== undefined) return refused(422, "unprocessable")
      const { balance, held } = this.model.journal.book.account(accountId(userId, "USD", "wallet"))
      const available = format(fromUnits(balance - held))
      return { status: 200, body: { owner: userId, symbol: format(balance), held: format(held), available } }
    })
  }

  #register(command: ArenaCommand & { _tag: "Register" }): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const { companyId, userId, walletAddress } = this.actors[command.trader]
      const agentId = `agent-${command.agent}`
      const answer = yield* this.server.post<{ readonly trader_id: string }>(
        "/api/arena/machine-traders",
        {
          agent_id: agentId,
          agent_uri: "https://example.com/agent",
          wallet_address: walletAddress ?? `0x${"9".repeat(40)}`,
          capabilities: [command.capability],
          collateral_allocated: command.dollars,
          specs: { model: "m", risk_tolerance: "low" }
        },
        { as: this.#admin }
      )
      const isTaken = this.model.machines.some((machine) => machine.agentId === agentId)
      const expected = command.dollars === 0 ? 422 : isTaken ? 409 : 200
      expect(answer.status).toBe(expected)
      if (expected !== 200) return
      const isKnown = walletAddress !== undefined
      const machine = {
        id: answer.json.trader_id,
        agentId,
        owner: isKnown ? companyId : "nobody",
        userId: isKnown ? userId : "nobody",
        address: walletAddress ?? "",
        capabilities: [command.capability],
        activeFrom: this.server.world.now
      }
      this.model.register(machine, usd(command.dollars))
    })
  }

  /** Sends the same request so many times at once; `decide` is asked for each that reaches the arena. */
  #send(
    path: string,
    body: string,
    sent: Pick<CommitCommand, "trader" | "key" | "copies">,
    decide: () => Expected
  ): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const as = this.actors[sent.trader].userId
      const key = sent.key === null ? undefined : `key-${sent.key}`
      const copies = Array.from({ length: sent.copies })
      const answers = yield* Effect.forEach(copies, () => this.server.post(path, body, { as, key }), {
        concurrency: "unbounded"
      })
      for (const { status, json } of answers) {
        const code = (json as { readonly code?: string }).code ?? String(status)
        this.answers.set(code, (this.answers.get(code) ?? 0) + 1)
      }
      if (sent.trader === "suspended")
        this.#compare(
          answers,
          copies.map(() => refused(403, "access_denied"))
        )
      else if (key === undefined) this.#compare(answers, copies.map(decide))
      else this.#compareKeyed(`${as} ${path} ${key}`, body, answers, decide)
    })
  }

  /** Copies are alike, so that it does not matter which of them came first. */
  #compare(answers: ReadonlyArray<Answer>, expected: ReadonlyArray<Expected>): void {
    const inOrder = <T extends { readonly status: number }>(some: ReadonlyArray<T>, body: (one: T) => unknown) =>
      some.toSorted((one, other) => one.status - other.status || (idOf(body(one)) < idOf(body(other)) ? -1 : 1))
    const wanted = inOrder(expected, ({ body }) => body)
    for (const [index, answer] of inOrder(answers, ({ json }) => json).entries()) {
      expect({ status: answer.status, body: answer.json }).toMatchObject({ ...wanted[index] })
    }
  }

  /** Exactly one of the copies is the request, or none where it was answered before; the others are its retries, or came while it ran. */
  #compareKeyed(slot: string, body: string, answers: ReadonlyArray<Answer>, decide: () => Expected): void {
    const { now } = this.server.world
    const kept = this.#kept.get(slot)
    const valid = kept !== undefined && now - kept.at < KEY_RETENTION ? kept : undefined
    const early = valid === undefined ? answers.find((each) => !isReplay(each) && !isRunning(each)) : undefined
    expect({ isAnswered: answers.some((each) => !isRunning(each)) }).toEqual({ isAnswered: true })
    expect({ isExecuted: early !== undefined }).toEqual({ isExecuted: valid === undefined })
    if (early !== undefined) {
      this.#compare([early], [decide()])
      const isKept = early.status < 500 && early.status !== 429 && early.status !== 403
      if (isKept) this.#kept.set(slot, { sent: body, text: early.text, at: now })
      else this.#kept.delete(slot)
    }
    for (const answer of answers.filter((each) => each !== early)) {
      if (isRunning(answer)) continue
      const first = this.#kept.get(slot)
      if (first === undefined) this.#compare([answer], [decide()])
      else if (first.sent !== body) expect(answer).toMatchObject({ status: 422, json: { code: "unprocessable" } })
      else expect({ text: answer.text, replayed: isReplay(answer) }).toEqual({ text: first.text, replayed: true })
    }
  }
}

const isReplay = ({ headers }: Answer): boolean => headers.get("idempotency-replayed") === "true"

const isRunning = ({ status, json }: Answer): boolean =>
  status === 409 && /is still (running|being made)/.test((json as { readonly message?: string }).message ?? "")

const idOf = (body: unknown): string => {
  const { data } = body as { readonly data?: { readonly commitment_id: string } }
  return data?.commitment_id.padStart(200) ?? ""
}
