import { Result } from "effect"
import { addressGuard, namedGuard } from "./AddressGuard.ts"
import { refusedLiteral } from "./GuardedLookup.ts"

/** Longest URL of an endpoint, in characters. */
export const MAX_URL = 2_048

/** The settings that decide about endpoints' URLs. */
export interface WebhookUrlRules {
  readonly mode: "sandbox" | "production"
  readonly webhooks: { readonly allowedNetworks: ReadonlyArray<string> }
}

/** Whether plain http may be sent at all: in the sandbox, to the networks that are named. */
export const mayBePlain = ({ mode, webhooks }: WebhookUrlRules): boolean =>
  mode === "sandbox" && webhooks.allowedNetworks.length > 0

/** The hint for a developer who enters a server of their own machine. */
const LOCALLY =
  '; "emporion webhooks listen" brings events to your own machine, and WEBHOOK_ALLOWED_NETWORKS lets http in'

const isOwnMachine = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.")

/**
 * Reads an endpoint's URL. Fails with a sentence for its owner. It does not resolve names: addresses are judged at each
 * connection.
 */
export const webhookUrl = (text: string, rules: WebhookUrlRules): Result.Result<URL, string> => {
  if (text.length > MAX_URL) return Result.fail(`expected at most ${MAX_URL} characters`)
  if (!URL.canParse(text)) return Result.fail("expected an https URL such as https://example.com/webhooks")
  const url = new URL(text)
  if (url.protocol !== "https:" && !(url.protocol === "http:" && mayBePlain(rules))) {
    return Result.fail(
      `expected a URL that starts with https://${isOwnMachine(url) && rules.mode === "sandbox" ? LOCALLY : ""}`
    )
  }
  if (url.username !== "" || url.password !== "") return Result.fail("expected a URL without a user and password")
  const isPlain = url.protocol === "http:"
  const { allowedNetworks } = rules.webhooks
  const refused = refusedLiteral(url, isPlain ? namedGuard(allowedNetworks) : addressGuard(allowedNetworks))
  return refused === undefined
    ? Result.succeed(url)
    : Result.fail(`expected ${isPlain ? "an allowed" : "a public"} address: ${refused.message}`)
}
