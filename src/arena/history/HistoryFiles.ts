import { Context, Effect, Layer, Option, Stream } from "effect"
import { createHash } from "node:crypto"
import { type HistoryFileName, MEDIAN_FILES } from "../../api/ArenaHistory.ts"
import { Unavailable } from "../../database/DatabaseError.ts"
import { HorizonRepository } from "../../database/HorizonRepository.ts"
import type { CommitmentRepository } from "../CommitmentRepository.ts"
import { MedianRepository } from "../MedianRepository.ts"
import { paged, pageReader, type PublicOrder } from "../OrderPages.ts"
import type { OrderRepository } from "../OrderRepository.ts"
import { AUCTION_FORMS } from "./AuctionFile.ts"
import { MEDIANS_CLASS, pagesOfDay } from "./DailyMedians.ts"
import type { FileForm } from "./FileForm.ts"
import { DAY, type DayContents, type FileDigest, type UnchainedDay } from "./HistoryDay.ts"
import { HistoryRepository, type OrderPlace } from "./HistoryRepository.ts"
import { MEDIAN_FORMS } from "./MedianFile.ts"
import { YIELD_FORMS } from "./YieldFile.ts"
import { YieldRepository } from "./YieldRepository.ts"

const encoder = new TextEncoder()

/** Takes a file's bytes, and says what they are. */
class FileMeter {
  readonly #name: HistoryFileName
  readonly #hash = createHash("sha256")
  #bytes = 0

  constructor(name: HistoryFileName) {
    this.#name = name
  }

  add(bytes: Uint8Array): void {
    this.#bytes += bytes.length
    this.#hash.update(bytes)
  }

  get digest(): FileDigest {
    return { name: this.#name, bytes: this.#bytes, sha256: this.#hash.digest() }
  }
}

/** Some bytes of each of several files, in the sequence of their names. */
export type FileParts = ReadonlyArray<Uint8Array<ArrayBuffer>>

const NO_BYTES = new Uint8Array(0)

type DayKey = Pick<UnchainedDay, "day" | "bids">

type Pages<Item> = Stream.Stream<ReadonlyArray<Item>, Unavailable>

/** The parts of those files that have one of these forms; the others get nothing. */
const partsOf = <Item>(
  forms: Readonly<Partial<Record<HistoryFileName, FileForm<Item>>>>,
  names: ReadonlyArray<HistoryFileName>,
  pages: Pages<Item>
): Stream.Stream<FileParts, Unavailable> => {
  const own = names.map((name) => forms[name])
  if (own.every((form) => form === undefined)) return Stream.empty
  const made = (make: (form: FileForm<Item>) => string): FileParts =>
    own.map((form) => (form === undefined ? NO_BYTES : encoder.encode(make(form))))
  return Stream.concat(
    Stream.sync(() => made(({ head }) => head)),
    Stream.map(pages, (items) => made(({ linesOf }) => linesOf(items)))
  )
}

const ofMedians: ReadonlySet<HistoryFileName> = new Set(MEDIAN_FILES)

/** What the files of a day are made of, page by page. */
const reading = Effect.gen(function* () {
  const { placesAfter } = yield* HistoryRepository
  const { ofOrders } = yield* YieldRepository
  const medians = yield* MedianRepository
  const horizons = yield* HorizonRepository
  const readers = {
    open: yield* pageReader({ sealedBids: false, owner: null }),
    sealed: yield* pageReader({ sealedBids: true, owner: null })
  }
  const ids = (day: number): Pages<string> =>
    Stream.paginate<OrderPlace | undefined, ReadonlyArray<string>, Unavailable>(undefined, (last) =>
      Effect.map(placesAfter(day, last), (places) => {
        const end = places.at(-1)
        return end === undefined
          ? [[], Option.none<OrderPlace>()]
          : [paged(places), Option.some<OrderPlace | undefined>(end)]
      })
    ).pipe(Stream.rechunk(1))
  const isKept = (day: number) => Effect.map(horizons.of(MEDIANS_CLASS), (horizon) => horizon <= day * DAY)
  /** Prices that are removed while they are read would be missed in silence. */
  const kept = (day: number) =>
    Effect.flatMap(isKept(day), (is) =>
      is ? Effect.void : Effect.fail(new Unavailable({ reason: "recorded prices of the day are being removed" }))
    )
  return {
    isKept,
    orders: ({ bids, day }: DayKey) => Stream.mapEffect(ids(day), readers[bids]),
    yields: (day: number) => Stream.mapEffect(ids(day), ofOrders),
    medians: (day: number) => Stream.concat(pagesOfDay(medians, day), Stream.fromEffectDrain(kept(day)))
  }
})

/** The files of days, made of what is recorded, page by page: no day is ever in memory as a whole. */
export class HistoryFiles extends Context.Service<
  HistoryFiles,
  {
    /** Those of some files of a day that can be made: those of recorded prices as long as all of the day are kept. */
    readonly kept: (
      day: number,
      names: ReadonlyArray<HistoryFileName>
    ) => Effect.Effect<ReadonlyArray<HistoryFileName>, Unavailable>
    /** What some files of a day are, those of its auctions among them. */
    readonly measure: (day: DayKey, names: ReadonlyArray<HistoryFileName>) => Effect.Effect<DayContents, Unavailable>
    /** The bytes of several files, one kind after the other, and those of a kind at once. */
    readonly parts: (day: DayKey, names: ReadonlyArray<HistoryFileName>) => Stream.Stream<FileParts, Unavailable>
    /** A file's bytes. */
    readonly contents: (day: DayKey, name: HistoryFileName) => Stream.Stream<Uint8Array<ArrayBuffer>, Unavailable>
  }
>()("emporion/arena/history/HistoryFiles") {
  static readonly layer: Layer.Layer<
    HistoryFiles,
    never,
    HistoryRepository | OrderRepository | CommitmentRepository | MedianRepository | YieldRepository | HorizonRepository
  > = Layer.effect(
    this,
    Effect.map(reading, (read) => {
      const parts = (day: DayKey, names: ReadonlyArray<HistoryFileName>, orders: Pages<PublicOrder>) =>
        partsOf(AUCTION_FORMS, names, orders).pipe(
          Stream.concat(partsOf(MEDIAN_FORMS, names, read.medians(day.day))),
          Stream.concat(partsOf(YIELD_FORMS, names, read.yields(day.day)))
        )

      return HistoryFiles.of({
        kept: (day, names) =>
          names.some((name) => ofMedians.has(name))
            ? Effect.map(read.isKept(day), (is) => (is ? names : names.filter((name) => !ofMedians.has(name))))
            : Effect.succeed(names),
        measure: (day, names) =>
          Effect.suspend(() => {
            const meters = names.map((name) => new FileMeter(name))
            let [orders, commitments] = [0, 0]
            const counted = Stream.map(read.orders(day), (page) => {
              orders += page.length
              for (const order of page) commitments += order.commitments.length
              return page
            })
            const measured = Stream.runForEach(parts(day, names, counted), (bytes) =>
              Effect.sync(() => {
                for (const [index, meter] of meters.entries()) meter.add(bytes[index] ?? NO_BYTES)
              })
            )
            return Effect.map(measured, () => ({ orders, commitments, files: meters.map(({ digest }) => digest) }))
          }),
        parts: (day, names) => parts(day, names, read.orders(day)),
        contents: (day, name) =>
          parts(day, [name], read.orders(day)).pipe(
            Stream.map(([bytes = NO_BYTES]) => bytes),
            Stream.filter((bytes) => bytes.length > 0)
          )
      })
    })
  )
}
