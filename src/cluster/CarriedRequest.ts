/** A caller's request as it shares a message with others. */

import type { NamedSending } from "../../engine/cluster/RequestName.ts"
import { POSITION } from "../http/AnswerPosition.ts"
import { bearerOf } from "../http/Callers.ts"
import type { CarriedRequest as Carried } from "../runtime/ServerRuntime.ts"
import type { HeardRequest, Open } from "./ForwardedFrame.ts"
import { HOP_BY_HOP, OWN } from "./ForwardedRequest.ts"
import { fieldsOf, isKept, type MadeOutline, type Outlined, outlineOf, valuesBy } from "./Outlines.ts"

const AUTHORIZATION = "authorization"
const KEY = "idempotency-key"
const LENGTH = "content-length"

/** What a message says otherwise than by headers, or its sender knows better. */
const UNSENT: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...OWN, LENGTH])

/** What differs from one request of a caller to the next. */
const VARYING: ReadonlySet<string> = new Set([KEY, POSITION, LENGTH, "x-request-id", "traceparent", "tracestate"])

/** Characters at the end of what says who asks that tell callers apart: a token is some 700 of them. */
const HINT_LENGTH = 16

/** Callers whose last outline is remembered; beyond them all are forgotten. */
const MAX_REMEMBERED = 4_096

/** What a node adds to its caller's headers. */
export interface Addition {
  /** The node's own key, where the caller gave none. */
  readonly key: string | undefined
  /** The position that the answer must have, where one is known. */
  readonly position: string | undefined
  /** Bytes of the body. */
  readonly length: number
}

/** The outlines of requests as they are made: most have that of the one before of their caller. */
export class RequestOutlines {
  /** By the end of what says who asks, which is no more than a hint. */
  readonly #last = new Map<string, MadeOutline>()

  /** The headers of a request that shares a message with others. */
  of(given: Headers, port: number, { key, length, position }: Addition): Outlined {
    const names: Array<string> = []
    const values: Array<string> = []
    const add = (value: string, name: string): void => {
      names.push(name)
      values.push(value)
    }
    given.forEach((value, name) => {
      if (!UNSENT.has(name) && (name !== POSITION || position === undefined)) add(value, name)
    })
    if (key !== undefined) add(key, KEY)
    if (position !== undefined) add(position, POSITION)
    add(String(length), LENGTH)
    return this.#outlined(names, values, given.get(AUTHORIZATION)?.slice(-HINT_LENGTH) ?? String(port))
  }

  #outlined(names: ReadonlyArray<string>, values: ReadonlyArray<string>, caller: string): Outlined {
    const last = this.#last.get(caller)
    const own = last === undefined ? undefined : valuesBy(last, names, values)
    if (last !== undefined && own !== undefined) return { outline: last.outline, values: own }
    const made = outlineOf(names, values, VARYING)
    if (isKept(made.outline)) this.#remember(caller, made)
    return { outline: made.outline, values: valuesBy(made, names, values) ?? [] }
  }

  #remember(caller: string, made: MadeOutline): void {
    if (this.#last.size >= MAX_REMEMBERED) this.#last.clear()
    this.#last.set(caller, made)
  }
}

/** The outline of requests as it is kept: where the value of a name is. */
export class RequestOutline implements Open {
  readonly open: number
  /** The token of its requests, which is one and the same text for all of them, so that it is hashed once. */
  readonly bearer: string | undefined
  /** A value, or the place of a request's own among its values. */
  readonly #places = new Map<string, string | number>()

  constructor(outline: string) {
    let open = 0
    for (const [name, value] of fieldsOf(outline)) {
      const before = this.#places.get(name)
      if (value === undefined) this.#places.set(name, (open += 1) - 1)
      else this.#places.set(name, typeof before === "string" ? `${before}, ${value}` : value)
    }
    this.open = open
    const authorization = this.#places.get(AUTHORIZATION)
    this.bearer = typeof authorization === "string" ? bearerOf(authorization) : undefined
  }

  get(name: string, values: ReadonlyArray<string>): string | null {
    const place = this.#places.get(name)
    return (typeof place === "number" ? values[place] : place) ?? null
  }

  *fields(values: ReadonlyArray<string>): Generator<[string, string]> {
    for (const [name, place] of this.#places) yield [name, typeof place === "number" ? (values[place] ?? "") : place]
  }
}

/** The headers of one request. */
class CarriedHeaders {
  readonly #outline: RequestOutline
  readonly #values: ReadonlyArray<string>

  constructor(outline: RequestOutline, values: ReadonlyArray<string>) {
    this.#outline = outline
    this.#values = values
  }

  get(name: string): string | null {
    return this.#outline.get(name, this.#values)
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#outline.fields(this.#values)
  }
}

const BYTE_ORDER_MARK = "\uFEFF"

const encoder = new TextEncoder()

/** A request that came in a message. The runtime makes nothing of it: that, and reading it again, cost as much as its answer's way. */
export class CarriedRequest implements Carried {
  readonly method = "POST"
  readonly url: string
  readonly headers: CarriedHeaders
  readonly whole: string
  readonly bearer: string | undefined
  readonly sending: NamedSending | undefined
  readonly #body: string

  constructor({ body, outline, path, values }: HeardRequest<RequestOutline>, sending: NamedSending | undefined) {
    this.url = `http://node${path}`
    this.headers = new CarriedHeaders(outline, values)
    this.whole = body.startsWith(BYTE_ORDER_MARK) ? body.slice(BYTE_ORDER_MARK.length) : body
    this.bearer = outline.bearer
    this.sending = sending
    this.#body = body
  }

  text(): Promise<string> {
    return Promise.resolve(this.whole)
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(encoder.encode(this.#body).buffer)
  }

  get body(): ReadableStream<Uint8Array> {
    return new Blob([this.#body]).stream()
  }

  /** The library reads no more of a request than is here. */
  get source(): Request {
    return this as unknown as Request
  }
}
