import { createHash } from "node:crypto"
import type { ReplayHashing } from "../../engine/replay/Replay.ts"
import type { TextHash } from "../../engine/replay/StateSum.ts"
import { link } from "../database/ChainLink.ts"
import { defaultFundId } from "../funds/Fund.ts"

/** SHA-256 of a text. */
export const sha256: TextHash = (text) => createHash("sha256").update(text, "utf8").digest()

/** The hashes of events, tie keys and ids, as the platform makes them. */
export const hashing: ReplayHashing = {
  link,
  defaultFundId,
  tieKeyHash: (tieKey) => createHash("sha256").update(tieKey, "hex").digest("hex"),
  tieHash: (tieKey, owner) => createHash("sha256").update(tieKey, "hex").update(owner, "utf8").digest("hex")
}
