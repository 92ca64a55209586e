import { Stream } from "effect"
import type { ByteRange } from "../../http/ByteRange.ts"

/** The bytes of a range among those of a stream, which is read no further than the range's end. */
export const sliced = <E, R>(
  whole: Stream.Stream<Uint8Array<ArrayBuffer>, E, R>,
  { end, from }: ByteRange
): Stream.Stream<Uint8Array<ArrayBuffer>, E, R> =>
  Stream.suspend(() => {
    let read = 0
    return whole.pipe(
      Stream.map((bytes) => {
        const begin = read
        read += bytes.length
        return bytes.subarray(Math.max(0, from - begin), Math.max(0, end - begin))
      }),
      Stream.takeUntil(() => read >= end),
      Stream.filter((bytes) => bytes.length > 0)
    )
  })
