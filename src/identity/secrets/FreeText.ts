import { Context, Effect, Exit, Layer, type Types } from "effect"
import type { Metadata, MetadataChange, MetadataPair } from "../../../engine/metadata/Metadata.ts"
import type { CurrentPrincipal } from "../../api/Authorization.ts"
import type { Page } from "../../api/Paging.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { directly, directOf } from "../../http/DirectHandler.ts"
import type { RequestServices } from "../../http/RouterPath.ts"
import { PersonalText } from "./PersonalText.ts"

type Sealed<A> = Effect.Effect<A, Unavailable>

type Seal = (text: string) => string

/** What may have metadata. */
interface Kept {
  readonly metadata?: Metadata | undefined
}

/** The names of a request's texts. */
type TextField<A> = { [K in keyof A]-?: A[K] extends string | null | undefined ? K : never }[keyof A]

type Handler = (request: object) => Effect.Effect<unknown, Types.unhandled, RequestServices | CurrentPrincipal>

/** A group of the contract that takes its handlers. */
interface Group {
  readonly handleAll: (handlers: never) => unknown
}

/** Nothing that was left out or is empty says anything. */
const isEmpty = (text: string | null | undefined): text is "" | null | undefined =>
  text === undefined || text === null || text === ""

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number => (one < other ? -1 : 1)

const sealedPairs = (seal: Seal, metadata: Metadata): Metadata =>
  Object.fromEntries(
    Object.entries(metadata)
      .map(([key, value]) => [seal(key), value === "" ? value : seal(value)] as const)
      .toSorted(byKey)
  )

const sealedPair = (seal: Seal, { key, value }: MetadataPair): MetadataPair => ({
  key: seal(key),
  value: value === "" ? value : seal(value)
})

/** Of before texts were sealed, what stands under a key in clear goes with what is put there. */
const changedPairs = (seal: Seal, change: Readonly<Record<string, string | null>>): MetadataChange =>
  Object.fromEntries(
    Object.entries(change).flatMap(([key, value]) => [
      [key, null],
      [seal(key), isEmpty(value) ? null : seal(value)]
    ])
  )

const hasTexts = <A extends object>(request: A & Kept, fields: ReadonlyArray<TextField<A>>): boolean =>
  request.metadata !== undefined || fields.some((field) => !isEmpty(request[field] as string | null | undefined))

const sealedTexts = <A extends object>(request: A & Kept, fields: ReadonlyArray<TextField<A>>, seal: Seal): A => {
  const { metadata } = request
  const sealed: Record<PropertyKey, unknown> = {}
  if (metadata !== undefined) sealed["metadata"] = sealedPairs(seal, metadata)
  for (const field of fields) {
    const text = request[field] as string | null | undefined
    if (!isEmpty(text)) sealed[field] = seal(text)
  }
  return { ...request, ...sealed }
}

/** The same handler, in each of its ways, whose answers are opened. */
const openedBy = (shown: PersonalText["Service"]["shown"]) => (handler: Handler) => {
  const opened = (request: object) => Effect.flatMap(handler(request), shown)
  const direct = directOf(handler)
  if (direct === undefined) return opened
  return directly(opened, (request, call, give) =>
    direct.begin(request, call, (answer) =>
      give(() => {
        const made = answer()
        return Exit.isExit(made) && Exit.isSuccess(made) ? shown(made.value) : Effect.flatMap(made, shown)
      })
    )
  )
}

const make = Effect.map(PersonalText, ({ knownSealers, seal, sealer, sealerNow, shown }) =>
  FreeText.of({
    text: (of, text) => (isEmpty(text) ? Effect.succeed(text) : seal(of, text)),
    texts: (of, request, fields = []) =>
      hasTexts(request, fields)
        ? Effect.map(sealer(of), (sealing) => sealedTexts(request, fields, sealing))
        : Effect.succeed(request),
    textsNow: (of, request, now, fields = []) => {
      if (!hasTexts(request, fields)) return request
      const sealing = sealerNow(of, now)
      return sealing && sealedTexts(request, fields, sealing)
    },
    change: (of, change) =>
      change === undefined || change === null
        ? Effect.succeed(change)
        : Effect.map(sealer(of), (sealing) => changedPairs(sealing, change)),
    page: (keepers, page) => {
      const { metadata } = page
      if (metadata === undefined) return Effect.succeed(page)
      return Effect.map(Effect.flatMap(keepers, knownSealers), (sealers): Page => ({
        ...page,
        sealedMetadata: sealers.map((sealing) => sealedPair(sealing, metadata))
      }))
    },
    opening: <G extends Group>(group: G): G => {
      const opened = openedBy(shown)
      const handleAll = (handlers: Readonly<Record<string, Handler>>) =>
        group.handleAll(
          Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, opened(handler)])) as never
        )
      return Object.create(group, { handleAll: { value: handleAll } }) as G
    }
  })
)

/**
 * What people type into what the journal records: sealed where a request comes in, opened where it is answered. Which
 * fields of which events that is, `engine/erasure/FreeText.ts` says.
 */
export class FreeText extends Context.Service<
  FreeText,
  {
    /** A text under the key of whoever it is of. An empty one stays. */
    readonly text: <T extends string | null | undefined>(of: string, text: T) => Sealed<T | string>
    /** A request with its metadata, and the texts of these names, under that key. One that has none costs nothing. */
    readonly texts: <A extends object>(of: string, request: A & Kept, fields?: ReadonlyArray<TextField<A>>) => Sealed<A>
    /**
     * The same without waiting, at a time in milliseconds since 1970: undefined where the key has to be read or drawn, and
     * nothing was sealed.
     */
    readonly textsNow: <A extends object>(
      of: string,
      request: A & Kept,
      now: number,
      fields?: ReadonlyArray<TextField<A>>
    ) => A | undefined
    /** A change of metadata under that key. */
    readonly change: <C extends MetadataChange | undefined>(of: string, change: C) => Sealed<C | MetadataChange>
    /**
     * The page of a list that is filtered by metadata: as it is sealed, and as it was before that.
     *
     * @param keepers - whose metadata the list shows; asked for only where it is filtered
     */
    readonly page: <E>(
      keepers: Effect.Effect<ReadonlyArray<string>, E>,
      page: Page
    ) => Effect.Effect<Page, E | Unavailable>
    /** The same group of the contract, whose handlers' answers show what is sealed in them. */
    readonly opening: <G extends Group>(group: G) => G
  }
>()("emporion/identity/FreeText") {
  static readonly layer: Layer.Layer<FreeText, never, PersonalText> = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}
