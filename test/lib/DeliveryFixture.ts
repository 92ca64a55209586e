import { Effect } from "effect"
import type { Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { DeliveryStatus } from "../../engine/webhooks/Delivery.ts"
import { Companies } from "../../src/identity/companies/Companies.ts"
import type { User } from "../../src/identity/users/User.ts"
import { DeliveryTimes } from "../../src/webhooks/DeliveryTimes.ts"
import { DeliveryDispatcher } from "../../src/webhooks/DeliveryDispatcher.ts"
import { OutboxReader } from "../../src/webhooks/OutboxReader.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { TestServer, type Variables } from "./TestServer.ts"

/** How often a test looks for what goes through the network and the database, and the milliseconds between. */
const POLLS = 2_000
const POLL = 5

/** A delivery as it is kept. */
interface KeptDelivery {
  readonly id: string
  readonly webhookId: string
  readonly type: string
  readonly status: DeliveryStatus
  readonly round: number
  readonly attempts: number
  readonly dueAt: number | null
  readonly body: string
}

/** An application that sends to this machine, and delivers when the test lets it. */
export class DeliveryFixture {
  readonly server: TestServer

  private constructor(server: TestServer) {
    this.server = server
  }

  static readonly make = (variables: Variables = {}): Effect.Effect<DeliveryFixture, never, Scope.Scope> =>
    Effect.map(
      TestServer.make({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8", ...variables }),
      (server) => new DeliveryFixture(server)
    )

  /** A webhook of the user's company: its id. */
  webhook(user: User, url: string, events: ReadonlyArray<string> = ["company.updated"]): Effect.Effect<string> {
    const { companyId, id: userId } = user
    return this.server.run(
      Effect.flatMap(Webhooks, ({ create }) =>
        create({ userId, companyId, isAdmin: false }, { url, events, description: null })
      ).pipe(Effect.map(({ state }) => state.webhookId))
    )
  }

  /** Something that the company is told of: `company.updated`. */
  happens({ companyId, id: userId }: User, name: string): Effect.Effect<void> {
    return this.server.run(
      Effect.flatMap(Companies, ({ change }) =>
        change({ userId, companyId, isAdmin: false, scopes: [], requestId: undefined }, companyId, { name })
      )
    )
  }

  /** Tells all that happened, without sending anything. */
  tell(): Effect.Effect<void> {
    return this.server.run(Effect.flatMap(OutboxReader, ({ catchUp }) => catchUp))
  }

  /** Lets those look whose time has come. */
  round(): Effect.Effect<void> {
    return this.server.run(Effect.flatMap(DeliveryDispatcher, ({ round }) => round))
  }

  /** Does what a start does. */
  recall(): Effect.Effect<void> {
    return this.server.run(Effect.flatMap(DeliveryDispatcher, ({ recall }) => recall))
  }

  /** Ends once an endpoint is to be looked at. */
  called(): Effect.Effect<void> {
    return this.server.run(Effect.flatMap(DeliveryTimes, ({ due }) => due))
  }

  /** All of them, in the order of the journal. */
  deliveries(): Effect.Effect<ReadonlyArray<KeptDelivery>> {
    return this.server.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const rows = yield* sql<Omit<KeptDelivery, "dueAt"> & { readonly dueAt: bigint | null }>`
          SELECT d.id, d.webhook_id AS "webhookId", e.type, d.status, d.round, d.attempts, d.due_at AS "dueAt", e.body
          FROM webhook_deliveries AS d JOIN webhook_events AS e ON e.id = d.event_id
          ORDER BY d.event_seq, d.event_id, d.webhook_id`
        return rows.map((row) => ({ ...row, dueAt: row.dueAt === null ? null : Number(row.dueAt) }))
      })
    )
  }

  /** Waits until the deliveries are as they should be; dies with what they are when they are not in time. */
  until(
    are: (deliveries: ReadonlyArray<KeptDelivery>) => boolean,
    left = POLLS
  ): Effect.Effect<ReadonlyArray<KeptDelivery>> {
    return Effect.flatMap(this.deliveries(), (deliveries) => {
      if (are(deliveries)) return Effect.succeed(deliveries)
      if (left === 0) return Effect.die(new Error(`the deliveries stay ${JSON.stringify(deliveries)}`))
      return Effect.andThen(
        Effect.sleep(POLL),
        Effect.suspend(() => this.until(are, left - 1))
      )
    })
  }
}
