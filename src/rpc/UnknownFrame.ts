import type { FromClientEncoded } from "effect/rpc/RpcMessage"
import { ApiError } from "../api/ApiError.ts"

/** The kinds of frames that clients send. */
export const FRAMES: ReadonlySet<string> = new Set<FromClientEncoded["_tag"]>([
  "Request",
  "Ack",
  "Interrupt",
  "Ping",
  "Eof"
])

/** Characters of a name nobody knows that its refusal repeats. */
export const MAX_SHOWN = 64

/** A frame of a kind that there is not. */
export class UnknownFrame {
  readonly kind: string

  constructor(kind: string) {
    this.kind = kind
  }

  /** What its sender is told. */
  get refusal(): ApiError {
    const shown = JSON.stringify(this.kind.slice(0, MAX_SHOWN))
    return new ApiError("invalid_request", `There is no frame ${shown}: send one of ${[...FRAMES].join(", ")}.`)
  }
}
