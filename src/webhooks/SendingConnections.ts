import { Clock, Context, Duration, Effect } from "effect"
import { connect } from "node:net"
import type { LookupFunction, Socket } from "node:net"
import { connect as connectSecure, rootCertificates } from "node:tls"
import { elapsed } from "../../engine/journal/ElapsedTime.ts"
import { MAX_SENDING } from "../../engine/webhooks/EndpointActor.ts"
import type { AddressGuard } from "./AddressGuard.ts"
import { guardedLookup, literalAddress } from "./GuardedLookup.ts"
import type { Resolve } from "./NameResolver.ts"
import { SendingConnection } from "./SendingConnection.ts"
import * as Worker from "../Worker.ts"

/** Connections that are kept open for later, of all endpoints. */
export const MAX_FREE = 2_048

/**
 * Connections to one host that are kept open for later: as many as four endpoints have under way there. The answers to all
 * of them may come in one turn, before the next requests leave. What is closed then is opened anew for each request, at
 * twice the cost for both ends.
 */
const MAX_FREE_EACH = 4 * MAX_SENDING

/** How long an unused connection stays open: for less time than servers keep theirs. */
const KEPT_FOR = Duration.seconds(4)

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

/** What connections are made to. */
export interface Origin {
  /** Protocol, host and port in one, as a URL has them. */
  readonly key: string
  /** Begins to connect. */
  readonly connect: () => Socket
  /** The socket's event when it is connected. */
  readonly ready: "connect" | "secureConnect"
}

const SECURE_PORT = 443
const PLAIN_PORT = 80

/**
 * Connections for as long as the scope lasts. They use no proxy, which would connect in their place and past the guard.
 */
export class SendingConnections {
  readonly #clock: Clock.Clock
  readonly #lookups: { readonly plain: LookupFunction; readonly secure: LookupFunction }
  readonly #authorities: { readonly ca?: Array<string> }
  readonly #free = new Map<string, Array<SendingConnection>>()
  #countFree = 0

  private constructor(clock: Clock.Clock, resolve: Resolve, guards: Guards, certificates: ReadonlyArray<string>) {
    this.#clock = clock
    this.#lookups = { plain: guardedLookup(resolve, guards.plain), secure: guardedLookup(resolve, guards.secure) }
    this.#authorities = certificates.length === 0 ? {} : { ca: [...rootCertificates, ...certificates] }
  }

  static readonly make = (resolve: Resolve, guards: Guards, { certificates }: TrustedAuthorities["Service"]) =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const connections = new SendingConnections(clock, resolve, guards, certificates)
      yield* Effect.addFinalizer(() => Effect.sync(() => connections.#close(Number.POSITIVE_INFINITY)))
      const tidy = Effect.sync(() => connections.#close(elapsed(clock) - Duration.toMillis(KEPT_FOR)))
      yield* Worker.every(KEPT_FOR, "Idle connections", tidy)
      return connections
    })

  /** The target of a URL's requests. Each new connection resolves the name and judges its addresses. */
  origin(url: URL): Origin {
    const { hostname, port, protocol } = url
    const key = `${protocol}//${url.host}`
    const address = literalAddress(url)
    const host = address ?? hostname
    if (protocol === "http:") {
      const to = { host, port: Number(port || PLAIN_PORT), lookup: this.#lookups.plain, noDelay: true }
      return { key, ready: "connect", connect: () => connect(to) }
    }
    const named = address === undefined ? { servername: hostname } : {}
    const to = { host, port: Number(port || SECURE_PORT), lookup: this.#lookups.secure, noDelay: true }
    const trust = { ...this.#authorities, ...named, rejectUnauthorized: true }
    return { key, ready: "secureConnect", connect: () => connectSecure({ ...to, ...trust }) }
  }

  /** A connection that is free, or a new one. It is free again after its answer, or closed. */
  take(origin: Origin): SendingConnection {
    return this.#takeFree(origin.key) ?? this.open(origin)
  }

  #takeFree(key: string): SendingConnection | undefined {
    const connections = this.#free.get(key)
    const oldest = elapsed(this.#clock) - Duration.toMillis(KEPT_FOR)
    for (let last = connections?.pop(); last !== undefined; last = connections?.pop()) {
      this.#countFree -= 1
      if (last.freeSince > oldest) return last
      last.destroy()
    }
    return undefined
  }

  /** A new connection. It is free after its answer, or closed. */
  open({ connect: begin, key, ready }: Origin): SendingConnection {
    return new SendingConnection(
      begin(),
      ready,
      (connection) => this.#keep(key, connection),
      (connection) => this.#forget(key, connection)
    )
  }

  #keep(key: string, connection: SendingConnection): void {
    const connections = this.#free.get(key) ?? []
    if (connections.length >= MAX_FREE_EACH || this.#countFree >= MAX_FREE) return connection.destroy()
    if (connections.length === 0) this.#free.set(key, connections)
    connection.freeSince = elapsed(this.#clock)
    connections.push(connection)
    this.#countFree += 1
  }

  #forget(key: string, connection: SendingConnection): void {
    const connections = this.#free.get(key)
    const index = connections?.indexOf(connection) ?? -1
    if (index === -1) return
    connections?.splice(index, 1)
    this.#countFree -= 1
  }

  /** Closes those that have been free since a time. */
  #close(until: number): void {
    for (const [key, connections] of this.#free) {
      const kept = connections.filter(({ freeSince }) => freeSince > until)
      for (const connection of connections) if (connection.freeSince <= until) connection.destroy()
      this.#countFree -= connections.length - kept.length
      if (kept.length === 0) this.#free.delete(key)
      else this.#free.set(key, kept)
    }
  }
}
