import { Context, Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { hexOf, type KeyedHash } from "../../engine/arena/KeyedHash.ts"
import { Settings } from "../Config.ts"
import { secretHash } from "../SecretHash.ts"

const TIE_KEY_BYTES = 32

/** The secrets of orders, each under a label of its own: what draws their terms and ids, and what breaks their ties. */
export class OrderKeys extends Context.Service<
  OrderKeys,
  {
    /** Draws ids and terms. */
    readonly hash: KeyedHash
    /** 32 bytes in hex; secret until the order settles. */
    readonly tieKey: (orderId: string) => string
    /** SHA-256 of the key's bytes in hex; public from the opening. */
    readonly tieKeyHash: (orderId: string) => string
    /** SHA-256(tie key ‖ UTF-8 of the owner) in hex. */
    readonly tieHash: (tieKey: string, owner: string) => string
  }
>()("emporion/arena/OrderKeys") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Settings, ({ secretKey }) => {
      const ties = secretHash(secretKey, "emporion/ties")
      const tieKey = (orderId: string): string => hexOf(ties, `tie/${orderId}`, TIE_KEY_BYTES)
      return OrderKeys.of({
        hash: secretHash(secretKey, "emporion/orders"),
        tieKey,
        tieKeyHash: (orderId) => createHash("sha256").update(tieKey(orderId), "hex").digest("hex"),
        tieHash: (key, owner) => createHash("sha256").update(key, "hex").update(owner, "utf8").digest("hex")
      })
    })
  )
}
