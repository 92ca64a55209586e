import { Effect, Redacted } from "effect"
import * as Setting from "./Setting.ts"
import { SettingRefused } from "./Setting.ts"

/** Where a node of several is reached by the others. */
export interface NodeAddress {
  readonly host: string
  readonly port: number
}

/** One node of several that work on a database. */
export interface ClusterSettings {
  /** `NODE_ADDRESS`: by which the other nodes reach it. */
  readonly address: NodeAddress
  /** `NODE_LISTEN`: where it listens for them, by default there. */
  readonly listen: NodeAddress
  /** `CLUSTER_SECRET`: what the nodes know each other by. */
  readonly secret: Redacted.Redacted
}

const MIN_SECRET = 32
const MAX_HOST = 253

/** A name, an IPv4 address, or an IPv6 one in brackets. */
const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])$/

const nodeAddress: Setting.Reading<NodeAddress> = {
  expected: "a host and a port of this node for the other ones, such as 10.0.0.7:7100",
  parse: (text) => {
    const colon = text.lastIndexOf(":")
    const host = text.slice(0, Math.max(colon, 0))
    const port = Setting.integer(1, 65_535, "").parse(text.slice(colon + 1))
    return port !== undefined && host.length <= MAX_HOST && HOST.test(host) ? { host, port } : undefined
  }
}

/** As it is written: `host:port`. */
export const addressText = ({ host, port }: NodeAddress): string => `${host}:${port}`

const required = Effect.fnUntraced(function* <A>(variable: string, reading: Setting.Reading<A>) {
  const value = yield* Setting.optional(variable, reading)
  if (value !== undefined) return value
  return yield* new SettingRefused({
    variable,
    given: undefined,
    expected: `${reading.expected}, which CLUSTER=on requires`
  })
})

/** Reads what the nodes know each other by. */
export const readSecret = Effect.map(required("CLUSTER_SECRET", Setting.secretText(MIN_SECRET)), (secret) =>
  Redacted.make(secret)
)

/** Reads the settings of a node of several; undefined where it is to be alone. */
export const readCluster = Effect.fnUntraced(function* (): Effect.fn.Return<
  ClusterSettings | undefined,
  SettingRefused
> {
  if (!(yield* Setting.withDefault("CLUSTER", Setting.onOff, false))) return undefined
  const address = yield* required("NODE_ADDRESS", nodeAddress)
  const listen = yield* Setting.withDefault("NODE_LISTEN", nodeAddress, address)
  const secret = yield* readSecret
  yield* required("DATABASE_URL", { ...Setting.text, expected: "the database of all nodes", secret: true })
  // Tokens name it: those of one node are to hold on every other.
  yield* required("PUBLIC_URL", { ...Setting.text, expected: "the address that callers use" })
  yield* required("SECRET_KEY", { ...Setting.text, expected: "the same key on all nodes", secret: true })
  return { address, listen, secret }
})
