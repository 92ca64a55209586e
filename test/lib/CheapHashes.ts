import { Layer } from "effect"
import { PasswordCost } from "../../src/identity/sessions/Passwords.ts"

/** Passwords of tests guard nothing: hashing one would take longer than most of what is done with it. */
export const cheapHashes = Layer.succeed(PasswordCost, { memoryCost: 64, timeCost: 1, parallelism: 1 })
