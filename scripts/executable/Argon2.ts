/** Argon2id by the runtime itself, in the place of the package with machine code for each system. */

interface Cost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** The encoded hash, `$argon2id$…`. The runtime has one lane. */
export const hash = (password: string | Uint8Array, { memoryCost, parallelism, timeCost }: Cost): Promise<string> => {
  if (parallelism !== 1) throw new Error(`the runtime hashes in one lane, not in ${parallelism}`)
  return Bun.password.hash(password as Bun.StringOrBuffer, { algorithm: "argon2id", memoryCost, timeCost })
}

/** Whether it is the password that was hashed. The runtime takes no empty one, which nobody has. */
export const verify = async (encoded: string, password: string | Uint8Array): Promise<boolean> =>
  password.length > 0 && (await Bun.password.verify(password as Bun.StringOrBuffer, encoded))
