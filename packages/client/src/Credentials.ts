import { apiErrorOf } from "./ApiError.ts"
import type { TokenResponse } from "./Contract.ts"

/** An access token, or what gives one that is valid now: it is asked whenever one is needed anew. */
export type TokenSource = string | (() => string | PromiseLike<string>)

/** How a client says who it is. */
export interface CredentialOptions {
  readonly token?: TokenSource
  /** An API client of the company, with {@link clientSecret} in place of a token. */
  readonly clientId?: string
  readonly clientSecret?: string
  /** The scopes to ask for, between spaces; all that the API client has by default. */
  readonly scope?: string
}

/** A token that ends within so many milliseconds is replaced before it is used. */
const RENEW_BEFORE = 60_000

interface Held {
  readonly text: string
  /** Milliseconds of the platform's clock. */
  readonly until: number
}

type Send = (url: string, init: RequestInit) => Promise<{ readonly response: Response; readonly body: unknown }>

/** The access token of a client, asked for once for all calls that need it at the same time. */
export class Credentials {
  readonly #options: CredentialOptions
  readonly #url: string
  readonly #send: Send
  readonly #now: () => number
  #held: Held | undefined
  #renewal: Promise<string> | undefined

  constructor(options: CredentialOptions, url: string, send: Send, now: () => number) {
    this.#options = options
    this.#url = new URL("/api/v1/auth/token", url).href
    this.#send = send
    this.#now = now
  }

  /** Whether a token that was refused can be replaced by another. */
  get isRenewable(): boolean {
    const { clientId, token } = this.#options
    return typeof token === "function" || (token === undefined && clientId !== undefined)
  }

  /** A token that is valid for a while; undefined for a client that says of nobody that it is them. */
  async token(): Promise<string | undefined> {
    const { clientId, token } = this.#options
    if (typeof token === "string") return token
    if (token === undefined && clientId === undefined) return undefined
    if (this.#held !== undefined && this.#held.until - this.#now() > RENEW_BEFORE) return this.#held.text
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  /** Forgets a token that was refused, unless another one took its place. */
  forget(text: string | undefined): void {
    if (this.#held?.text === text) this.#held = undefined
  }

  async #renew(): Promise<string> {
    const { token } = this.#options
    const { access_token: text, expires_in: seconds } =
      typeof token === "function" ? { access_token: await token(), expires_in: 0 } : await this.#granted()
    this.#held = { text, until: this.#now() + seconds * 1000 }
    return text
  }

  async #granted(): Promise<TokenResponse> {
    const { clientId: client_id, clientSecret: client_secret, scope } = this.#options
    const { body, response } = await this.#send(this.#url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ grant_type: "client_credentials", client_id, client_secret, scope })
    })
    if (!response.ok) throw apiErrorOf(response, body)
    return body as TokenResponse
  }
}
