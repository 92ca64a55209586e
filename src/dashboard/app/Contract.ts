import type { Schema } from "effect"
import type { HttpApi, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import type { Api } from "../../api/Api.ts"

type EndpointsOf<A> = A extends HttpApi.HttpApi<infer _Id, infer Groups> ? HttpApiGroup.Endpoints<Groups> : never

type Endpoint = EndpointsOf<typeof Api>

type NameOf<E> = E extends { readonly method: infer M extends string; readonly path: infer P extends string }
  ? `${M} ${P}`
  : never

type Named = { readonly [E in Endpoint as NameOf<E>]: E }

/** Every operation of the contract by its method and path, such as `GET /v1/clients/:clientId`. */
export type Operation = keyof Named

type Wire<S> = [S] extends [never]
  ? undefined
  : S extends HttpApiSchema.WithHeaders<infer Body, infer _Headers>
    ? Wire<Body>
    : S extends Schema.toCodecJson<infer Inner> | Schema.toCodecStringTree<infer Inner>
      ? Inner["Encoded"]
      : S extends { readonly Encoded: infer E }
        ? E
        : undefined

/** What an operation answers, as JSON. */
export type Answer<O extends Operation> = Wire<Named[O]["~Success"]>

/** One row of an operation that answers a list. */
export type RowOf<O extends Operation> = Answer<O> extends ReadonlyArray<infer Row> ? Row : never

/** The body that an operation takes, as JSON. */
export type Payload<O extends Operation> = Wire<Named[O]["~Payload"]>

/** A text of a query may be given as the number or the yes or no that it says, and left undefined. */
type Loose<Q> = Q extends undefined
  ? undefined
  : { readonly [K in keyof Q]: (string extends Q[K] ? string | number | boolean : Q[K]) | undefined }

/** The query that an operation takes. */
export type Query<O extends Operation> = Loose<Wire<Named[O]["~Query"]>>

type Params<O extends Operation> = Wire<Named[O]["~Params"]>

type Part<Key extends string, Value, Optional extends boolean> = [Value] extends [undefined]
  ? Readonly<Record<never, never>>
  : Optional extends true
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value }

/** What a call of the operation needs: `params` of the path, `query` and `payload`, each where it has such. */
export type CallOf<O extends Operation> = Part<"params", Params<O>, false> &
  Part<"query", Query<O>, true> &
  Part<"payload", Payload<O>, false>

/** Operations that only read. */
export type Read = Extract<Operation, `GET ${string}`>

/** Reads that answer a page of a list. */
export type ReadPage = { [O in Read]: Answer<O> extends ReadonlyArray<unknown> ? O : never }[Read]

/** Operations that change something. */
export type Write = Exclude<Operation, Read>
