import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { FREE_TEXT, freeTextInClear } from "../../../engine/erasure/FreeText.ts"
import { exportEvents } from "../../../src/cli/Exporting.ts"
import { replayLog } from "../../../src/cli/Replaying.ts"
import { verify } from "../../../src/cli/Verifying.ts"
import { recordedOf } from "../../../engine/replay/EventCodec.ts"
import { backUp } from "../../lib/BackupDrill.ts"
import { archived, arenaDay, BIDDING, journalArchiveIn, settledHalf } from "../../lib/BothArchives.ts"
import { itLive } from "../../lib/Effects.ts"
import { transferBody } from "../../lib/MoneyFixture.ts"
import { SHORT_SLOTS, usd } from "../../lib/OpenedArena.ts"
import { filesOf, rowsOf } from "../../lib/PlantedPerson.ts"
import { TEXTS, textsIn, typedTexts } from "../../lib/PlantedTexts.ts"
import { PlayedLog } from "../../lib/PlayedLog.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { TestServer } from "../../lib/TestServer.ts"

type Typed = Effect.Success<ReturnType<typeof typedTexts>>

/** Everything that shows what somebody typed, as they read it themselves, each with what it shows. */
const readings = ({ bot, orders: [first, second], payment, subscription, webhook }: Typed) =>
  [
    ["/v1/transfers/typed", "transfer transferKey transferValue"],
    [`/v1/transfers?metadata=${TEXTS.transferKey}:${TEXTS.transferValue}`, "transfer transferKey transferValue"],
    [`/v1/orders/${second}`, "orderKey orderValue"],
    [`/v1/orders/${first}/history`, "cancellation"],
    [`/v1/orders?metadata=${TEXTS.orderKey}:${TEXTS.orderValue}`, "orderKey orderValue"],
    [`/v1/payments/${payment}`, "paymentKey paymentValue"],
    [`/v1/payments?metadata=${TEXTS.paymentKey}:${TEXTS.paymentValue}`, "paymentKey paymentValue"],
    [`/v1/subscriptions/${subscription}`, "subscriptionKey subscriptionValue"],
    [
      `/v1/subscriptions?metadata=${TEXTS.subscriptionKey}:${TEXTS.subscriptionValue}`,
      "subscriptionKey subscriptionValue"
    ],
    [`/v1/webhooks/${webhook}`, "hookChanged hookText hookKey hookValue hookAdded"],
    [`/v1/webhooks?metadata=more:${TEXTS.hookAdded}`, "hookChanged hookText hookKey hookValue hookAdded"],
    [`/api/arena/machine-traders/${bot}`, "botRenamed"]
  ] as const

const eventsOf = (server: TestServer) =>
  server.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const stored = yield* sql<{ seq: bigint; stream: string; version: number; type: string; data: string }>`
        SELECT seq, stream, version, type, data FROM events ORDER BY seq`
      return stored.map((row) => recordedOf({ ...row, seq: Number(row.seq), hash: "" }).event)
    })
  )

describe("What people type", () => {
  itLive(
    "is sealed wherever it is kept, is read and found by those who may, and by nobody after an erasure",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const backups = join(folder, "backups")
        const server = yield* TestServer.make(SHORT_SLOTS)
        const log = new PlayedLog(server, journalArchiveIn(folder))
        const typed = yield* typedTexts(server)
        const { admin, orders, seller, userId } = typed
        const bid = yield* arenaDay(server, userId)
        const sent = yield* server.post("/v1/transfers", transferBody(userId, seller, `${BIDDING}`), { as: userId })
        expect(sent.status).toBe(200)
        for (const [path, names] of readings(typed)) {
          expect([path, textsIn((yield* server.get(path, userId)).text)]).toEqual([path, names.split(" ")])
        }
        expect(textsIn((yield* server.get(`/v1/orders/${orders[1]}`, seller)).text)).toEqual(["orderKey", "orderValue"])
        expect(textsIn((yield* server.get("/v1/transfers/typed", seller)).text)).toEqual(["transfer"])
        expect((yield* server.get(`/v1/orders?metadata=${TEXTS.orderKey}:other`, userId)).json).toEqual([])

        const events = yield* eventsOf(server)
        expect(events.flatMap(freeTextInClear)).toEqual([])
        expect([...FREE_TEXT.keys()].filter((tag) => events.every(({ _tag }) => _tag !== tag))).toEqual([])
        expect(textsIn(yield* server.run(rowsOf))).toEqual(["paymentKey", "paymentValue"])
        yield* server.run(backUp(log, backups))
        const files = yield* archived(log, folder, settledHalf)
        // They have what stays, so what is not found is not there.
        expect([files.journal.includes("MoneyTransferred"), files.history.includes(bid)]).toEqual([true, true])
        expect([textsIn(files.journal), textsIn(files.history)]).toEqual([[], []])

        const erased = yield* server.post<{ readonly company_erased: boolean }>(
          `/v1/users/${userId}/erasure`,
          {},
          { as: admin }
        )
        expect([erased.status, erased.json.company_erased]).toEqual([200, true])
        yield* server.run(backUp(log, backups))
        const file = join(folder, "events.jsonl")
        yield* Effect.orDie(exportEvents(log.source, file))
        expect({
          tables: textsIn(yield* server.run(rowsOf)),
          exported: textsIn(readFileSync(file, "utf8")),
          backups: textsIn(filesOf(backups))
        }).toEqual({ tables: [], exported: [], backups: [] })
        // The journal's last row is never archived.
        yield* server.mint(seller, usd(1n))
        const all = yield* archived(log, folder)
        expect([all.journal.includes("UserErased"), textsIn(all.journal), textsIn(all.history)]).toEqual([true, [], []])

        expect((yield* server.get(`/v1/orders/${orders[1]}`, seller)).json).toMatchObject({ metadata: {} })
        expect((yield* server.get("/v1/transfers/typed", seller)).json).toMatchObject({ description: "erased" })
        expect((yield* server.get(`/v1/webhooks/${typed.webhook}`, admin)).json).toMatchObject({
          url: "erased",
          description: "erased",
          metadata: {}
        })
        expect((yield* Effect.orDie(verify(log.source))).finding).toBeUndefined()
        const { ok, state } = yield* Effect.orDie(replayLog(log.source))
        expect([ok, state.derived]).toEqual([true, state.stored ?? ""])
      }),
    40_000
  )
})
