import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { startEmporion } from "../../lib/CliProcess.ts"
import { signIn } from "../../lib/CommitmentLoad.ts"
import { itLive } from "../../lib/Effects.ts"
import { freePort } from "../../lib/FreePort.ts"
import { post, send } from "../../lib/Requests.ts"
import { eventually, type ServerProcess, startServer } from "../../lib/ServerProcess.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { type Received, webhookReceiver } from "../../lib/WebhookReceiver.ts"

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`

/** How servers end: killed on the spot, or told to. */
const ENDS = ["SIGKILL", "SIGTERM"] as const

const CHANGES = 5

/** How long the command may take to begin, and to tell everything after the last start, in milliseconds. */
const PATIENCE = 30_000

interface Session {
  readonly token: string
  readonly companyId: string
}

const sessionOf = Effect.fnUntraced(function* (server: ServerProcess) {
  const token = (yield* signIn(server))[1]?.token ?? ""
  const { json } = yield* send(`${server.url}/v1/companies`, { headers: { authorization: `Bearer ${token}` } })
  const [company] = json as ReadonlyArray<{ readonly id: string }>
  return { token, companyId: company?.id ?? "" } satisfies Session
})

/** Renames the company some times, each acknowledged; answers the names. */
const changes = Effect.fnUntraced(function* ({ url }: ServerProcess, { companyId, token }: Session, label: string) {
  const names = Array.from({ length: CHANGES }, (_, change) => `${label}, change ${change}`)
  for (const name of names) {
    const request = { ...post({ name }, {}, token), method: "PATCH" }
    expect((yield* send(`${url}/v1/companies/${companyId}`, request)).status).toBe(200)
  }
  return names
})

const makeClient = Effect.fnUntraced(function* ({ url }: ServerProcess, { token }: Session) {
  const { json } = yield* send(`${url}/v1/clients`, post({ name: "listener", scopes: ["orders:read"] }, {}, token))
  return json as { readonly client_id: string; readonly client_secret: string }
})

/** Everything that the command said so far. */
const listening = Effect.fnUntraced(function* (server: ServerProcess, session: Session, forwardTo: string) {
  const client = yield* makeClient(server, session)
  const flags = { "--forward-to": forwardTo, "--url": server.url, "--client-id": client.client_id, "--secret": SECRET }
  const child = yield* startEmporion(
    ["webhooks", "listen", "--events", "company.updated", ...Object.entries(flags).flat()],
    { env: { EMPORION_CLIENT_SECRET: client.client_secret } }
  )
  const said = { stdout: "", stderr: "" }
  const gather = async (name: "stdout" | "stderr"): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of child[name]) said[name] += decoder.decode(chunk, { stream: true })
  }
  void Promise.all([gather("stdout"), gather("stderr")])
  yield* eventually("the command listens", PATIENCE, () => (said.stdout.startsWith("listening") ? true : undefined))
  return said
})

const nameIn = ({ body }: Received): string => JSON.parse(body).data.object.name

describe("emporion webhooks listen", () => {
  itLive(
    "forwards every event through restarts of the server, whether it was killed or told to end",
    () =>
      Effect.gen(function* () {
        const DATA_DIR = yield* temporaryFolder
        const variables = { DATA_DIR, PORT: String(yield* freePort), ARENA_SLOT_SECONDS: "86400" }
        const receiver = yield* webhookReceiver()
        const acknowledged: Array<string> = []
        let command: { readonly stdout: string; readonly stderr: string } | undefined

        const life = Effect.fnUntraced(function* (number: number, end: NodeJS.Signals) {
          const server = yield* startServer(variables)
          const session = yield* sessionOf(server)
          // What happens before the command is there again is told as well.
          command ??= yield* listening(server, session, `${receiver.url}/hook`)
          acknowledged.push(...(yield* changes(server, session, `Life ${number}`)))
          server.send(end)
          yield* server.ended
        })
        for (const [number, end] of ENDS.entries()) yield* life(number, end)
        yield* startServer(variables)

        const missing = () => {
          const names = new Set(receiver.received.map(nameIn))
          return acknowledged.filter((name) => !names.has(name))
        }
        yield* eventually("every change is forwarded", PATIENCE, () =>
          missing().length === 0 ? true : undefined
        ).pipe(Effect.ensuring(Effect.sync(() => expect(missing()).toEqual([]))))
        expect(acknowledged).toHaveLength(ENDS.length * CHANGES)
        const ids = new Map<string, Set<string>>()
        for (const received of receiver.received) {
          const headers = Object.entries(received.headers).map(([name, value]) => [name, String(value)])
          const { id } = new Webhook(SECRET).verify(received.body, Object.fromEntries(headers)) as {
            readonly id: string
          }
          ids.set(nameIn(received), (ids.get(nameIn(received)) ?? new Set()).add(id))
        }
        expect([...ids.values()].map(({ size }) => size)).toEqual(acknowledged.map(() => 1))
        expect(command?.stderr).toStartWith("The connection is lost; trying again.")
        expect(command?.stderr).toContain("Connected again: what happened meanwhile follows.")
      }),
    120_000
  )
})
