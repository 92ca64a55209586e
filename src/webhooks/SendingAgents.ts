import { Context, Effect } from "effect"
import { Agent as PlainAgent } from "node:http"
import { Agent as SecureAgent } from "node:https"
import { rootCertificates } from "node:tls"
import type { AddressGuard } from "./AddressGuard.ts"
import { guardedLookup } from "./GuardedLookup.ts"
import type { Resolve } from "./NameResolver.ts"

/** Connections that are kept open for later, of all endpoints. */
export const MAX_FREE_SOCKETS = 1_024

/** Connections to one host, which may serve several endpoints, that are kept open for later. */
const MAX_FREE_SOCKETS_EACH = 64

/** How long a connection is kept open unused, in milliseconds: less than servers do, which close theirs unasked. */
const KEPT_FOR = 4_000

/** Certificates of authorities in PEM that are trusted beside the usual ones. */
export class TrustedAuthorities extends Context.Service<
  TrustedAuthorities,
  { readonly certificates: ReadonlyArray<string> }
>()("emporion/webhooks/TrustedAuthorities") {}

/** The guards of connections with TLS and without. */
export interface Guards {
  readonly secure: AddressGuard
  readonly plain: AddressGuard
}

/** The pools of connections. They never use a proxy, which would connect in their place and past the guard. */
export interface SendingAgents {
  readonly plain: PlainAgent
  readonly secure: SecureAgent
}

const options = (resolve: Resolve, guard: AddressGuard) => ({
  keepAlive: true,
  maxFreeSockets: MAX_FREE_SOCKETS_EACH,
  maxTotalSockets: Infinity,
  timeout: KEPT_FOR,
  lookup: guardedLookup(resolve, guard)
})

const make = (resolve: Resolve, guards: Guards, { certificates }: TrustedAuthorities["Service"]) =>
  Effect.acquireRelease(
    Effect.sync((): SendingAgents => {
      const trusted = certificates.length === 0 ? {} : { ca: [...rootCertificates, ...certificates] }
      return {
        plain: new PlainAgent(options(resolve, guards.plain)),
        secure: new SecureAgent({ ...options(resolve, guards.secure), ...trusted, rejectUnauthorized: true })
      }
    }),
    ({ plain, secure }) =>
      Effect.sync(() => {
        plain.destroy()
        secure.destroy()
      })
  )

/** Pools for as long as the scope lasts. */
export const SendingAgents = { make }
