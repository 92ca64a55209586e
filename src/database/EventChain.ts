import { createHash } from "node:crypto"
import type { ChainHash } from "../../engine/actor/EventChain.ts"

/** SHA-256(previous hash ‖ UTF-8 of the event's bytes). */
export const link: ChainHash = (previous, data) => createHash("sha256").update(previous).update(data, "utf8").digest()
