import { Data, Result } from "effect"
import { createCipheriv, createDecipheriv } from "node:crypto"

/** The box was made under another key or for another purpose, or was changed since. */
export class Unsealable extends Data.TaggedError("Unsealable")<{ readonly purpose: string }> {}

/** Bytes of a key of AES-256. */
export const KEY_LENGTH = 32

/** Bytes of a nonce of GCM, never used twice under one key. */
export const NONCE_LENGTH = 12

const VERSION = 1
const TAG_LENGTH = 16
const HEAD = 1 + NONCE_LENGTH

const options = { authTagLength: TAG_LENGTH }

/** Encrypts with AES-256-GCM. The box is version (1 byte) ‖ nonce (12) ‖ ciphertext ‖ tag (16); the purpose is bound to it. */
export const seal = (key: Uint8Array, nonce: Uint8Array, purpose: string, plain: Uint8Array): Uint8Array => {
  const cipher = createCipheriv("aes-256-gcm", key, nonce, options)
  cipher.setAAD(Buffer.from(purpose))
  const sealed = [cipher.update(plain), cipher.final()]
  return new Uint8Array(Buffer.concat([Buffer.of(VERSION), nonce, ...sealed, cipher.getAuthTag()]))
}

/** Opens a box that {@link seal} made with the same key and purpose. */
export const open = (key: Uint8Array, purpose: string, box: Uint8Array): Result.Result<Uint8Array, Unsealable> => {
  if (box.length < HEAD + TAG_LENGTH || box[0] !== VERSION) return Result.fail(new Unsealable({ purpose }))
  const end = box.length - TAG_LENGTH
  return Result.try({
    try: () => {
      const decipher = createDecipheriv("aes-256-gcm", key, box.subarray(1, HEAD), options)
      decipher.setAAD(Buffer.from(purpose))
      decipher.setAuthTag(box.subarray(end))
      return new Uint8Array(Buffer.concat([decipher.update(box.subarray(HEAD, end)), decipher.final()]))
    },
    catch: () => new Unsealable({ purpose })
  })
}
