/** How long the secret before goes on signing after a rotation, in milliseconds: 24 hours. */
export const ROTATION_OVERLAP = 86_400_000

/** The secrets of one endpoint. */
export interface SigningSecrets {
  readonly current: string
  readonly previous: { readonly secret: string; readonly until: number } | null
}

/** Puts a new secret in place; the one before signs beside it for {@link ROTATION_OVERLAP}, the one before that no more. */
export const rotated = ({ current }: SigningSecrets, secret: string, at: number): SigningSecrets => ({
  current: secret,
  previous: { secret: current, until: at + ROTATION_OVERLAP }
})

/** The secrets that sign an attempt, the newest first. */
export const signing = ({ current, previous }: SigningSecrets, at: number): ReadonlyArray<string> =>
  previous !== null && at < previous.until ? [current, previous.secret] : [current]

/** HMAC-SHA-256 of a text under a secret's text, in hex. */
export type HexHmac = (secret: string, text: string) => string

/**
 * The value of `X-Service-Signature`: `t=<Unix seconds>,v1=<hex>` over `<t>.<body>`, one `v1` for each secret.
 * Specification 6.2; the signed text is that of Stripe's signatures.
 */
export const signatureHeader = (secrets: SigningSecrets, body: string, at: number, hmac: HexHmac): string => {
  const seconds = Math.floor(at / 1_000)
  const signatures = signing(secrets, at).map((secret) => `v1=${hmac(secret, `${seconds}.${body}`)}`)
  return [`t=${seconds}`, ...signatures].join(",")
}
