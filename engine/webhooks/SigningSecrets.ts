/** How long a secret goes on signing once another takes its place, in milliseconds: 24 hours. */
export const ROTATION_OVERLAP = 86_400_000

/** Secrets that sign one delivery at most, the present one included. */
export const MOST_SIGNING = 5

/** A secret that was replaced and signs beside the present one until a time, in milliseconds since 1970. */
export interface PreviousSecret {
  readonly secret: string
  readonly until: number
}

/** The secrets of one endpoint. */
export interface SigningSecrets {
  readonly current: string
  /** The newest first. */
  readonly previous: ReadonlyArray<PreviousSecret>
}

/** Puts a new secret in place; each before it goes on signing until its own {@link ROTATION_OVERLAP} is over. */
export const rotated = ({ current, previous }: SigningSecrets, secret: string, at: number): SigningSecrets => ({
  current: secret,
  previous: [{ secret: current, until: at + ROTATION_OVERLAP }, ...previous.filter(({ until }) => at < until)]
})

/** The secrets that sign an attempt, the newest first. */
export const signing = ({ current, previous }: SigningSecrets, at: number): ReadonlyArray<string> => [
  current,
  ...previous.flatMap(({ secret, until }) => (at < until ? [secret] : []))
]

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
