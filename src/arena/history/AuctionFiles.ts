import { Context, Effect, Layer, Option, Stream } from "effect"
import { createHash } from "node:crypto"
import { HISTORY_FILES, type HistoryFileName } from "../../api/ArenaHistory.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import type { CommitmentRepository } from "../CommitmentRepository.ts"
import { paged, pageReader, type PublicOrder } from "../OrderPages.ts"
import type { OrderRepository } from "../OrderRepository.ts"
import { headOf, linesOf } from "./AuctionFile.ts"
import type { DayContents, FileDigest, UnchainedDay } from "./HistoryDay.ts"
import { HistoryRepository, type OrderPlace } from "./HistoryRepository.ts"

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

/** What one step in the making of files gives. */
interface Step {
  readonly orders: ReadonlyArray<PublicOrder>
  readonly parts: FileParts
}

const NO_BYTES = new Uint8Array(0)

type DayKey = Pick<UnchainedDay, "day" | "bids">

/** The files of days, made of what is recorded, page by page: no day is ever in memory as a whole. */
export class AuctionFiles extends Context.Service<
  AuctionFiles,
  {
    /** What all files of a day are. */
    readonly measure: (day: DayKey) => Effect.Effect<DayContents, Unavailable>
    /** The bytes of several files, which are made at once. */
    readonly parts: (day: DayKey, names: ReadonlyArray<HistoryFileName>) => Stream.Stream<FileParts, Unavailable>
    /** A file's bytes. */
    readonly contents: (day: DayKey, name: HistoryFileName) => Stream.Stream<Uint8Array<ArrayBuffer>, Unavailable>
  }
>()("emporion/arena/history/AuctionFiles") {
  static readonly layer: Layer.Layer<AuctionFiles, never, HistoryRepository | OrderRepository | CommitmentRepository> =
    Layer.effect(
      this,
      Effect.gen(function* () {
        const { placesAfter } = yield* HistoryRepository
        const readers = {
          open: yield* pageReader({ sealedBids: false, owner: null }),
          sealed: yield* pageReader({ sealedBids: true, owner: null })
        }
        const pages = ({ bids, day }: DayKey): Stream.Stream<ReadonlyArray<PublicOrder>, Unavailable> =>
          Stream.paginate<OrderPlace | undefined, ReadonlyArray<string>, Unavailable>(undefined, (last) =>
            Effect.map(placesAfter(day, last), (places) => {
              const end = places.at(-1)
              return end === undefined
                ? [[], Option.none<OrderPlace>()]
                : [paged(places), Option.some<OrderPlace | undefined>(end)]
            })
          ).pipe(Stream.rechunk(1), Stream.mapEffect(readers[bids]))

        const steps = (day: DayKey, names: ReadonlyArray<HistoryFileName>): Stream.Stream<Step, Unavailable> => {
          const encoded = (make: (name: HistoryFileName) => string) => names.map((name) => encoder.encode(make(name)))
          return Stream.concat(
            Stream.sync((): Step => ({ orders: [], parts: encoded(headOf) })),
            Stream.map(pages(day), (orders): Step => ({ orders, parts: encoded((name) => linesOf(name, orders)) }))
          )
        }

        return AuctionFiles.of({
          measure: (day) =>
            Effect.suspend(() => {
              const meters = HISTORY_FILES.map((name) => new FileMeter(name))
              let [orders, commitments] = [0, 0]
              const measured = Stream.runForEach(steps(day, HISTORY_FILES), (step) =>
                Effect.sync(() => {
                  for (const [index, meter] of meters.entries()) meter.add(step.parts[index] ?? NO_BYTES)
                  orders += step.orders.length
                  for (const order of step.orders) commitments += order.commitments.length
                })
              )
              return Effect.map(measured, () => ({
                orders,
                commitments,
                files: meters.map(({ digest }) => digest)
              }))
            }),
          parts: (day, names) => Stream.map(steps(day, names), ({ parts }) => parts),
          contents: (day, name) =>
            steps(day, [name]).pipe(
              Stream.map(({ parts: [bytes = NO_BYTES] }) => bytes),
              Stream.filter((bytes) => bytes.length > 0)
            )
        })
      })
    )
}
