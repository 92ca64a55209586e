import { Effect } from "effect"
import { type Answer, sendAsync } from "./Requests.ts"

interface Kept {
  readonly name: string
  readonly value: string
  readonly origin: string
  readonly path: string
}

const readCookie = (header: string, url: URL): Kept & { readonly removed: boolean } => {
  const [pair = "", ...attributes] = header.split(";").map((part) => part.trim())
  const at = pair.indexOf("=")
  const named = new Map(
    attributes.map((attribute): [string, string] => {
      const [name = "", value = ""] = attribute.split("=")
      return [name.toLowerCase(), value]
    })
  )
  const expires = named.get("expires")
  return {
    name: pair.slice(0, at),
    value: pair.slice(at + 1),
    origin: url.origin,
    path: named.get("path") ?? "/",
    removed: named.get("max-age") === "0" || (expires !== undefined && Date.parse(expires) <= Date.now())
  }
}

/** A browser as far as a redirect login needs one: it keeps cookies by origin and path, and follows no redirect by itself. */
export class Browser {
  readonly #cookies: Array<Kept> = []

  /** The `Cookie` header that a request to the address carries. */
  cookieHeader(url: URL): string | undefined {
    const sent = this.#cookies.filter(({ origin, path }) => origin === url.origin && url.pathname.startsWith(path))
    return sent.length === 0 ? undefined : sent.map(({ name, value }) => `${name}=${value}`).join("; ")
  }

  #keep(headers: Headers, url: URL): void {
    for (const header of headers.getSetCookie()) {
      const { removed, ...cookie } = readCookie(header, url)
      const at = this.#cookies.findIndex(({ name, origin, path }) =>
        [name, origin, path].every((value, index) => value === [cookie.name, cookie.origin, cookie.path][index])
      )
      if (at !== -1) this.#cookies.splice(at, 1)
      if (!removed) this.#cookies.push(cookie)
    }
  }

  /** Sends a request with its cookies, and keeps those that are set. */
  ask(address: string | URL, init: RequestInit = {}): Effect.Effect<Answer> {
    const url = new URL(address)
    const cookie = this.cookieHeader(url)
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...(cookie === undefined ? {} : { cookie }) }
    return Effect.promise((signal) => sendAsync(url.href, { signal, ...init, headers })).pipe(
      Effect.tap((answer) => Effect.sync(() => this.#keep(answer.headers, url)))
    )
  }

  /** Where an answer leads. */
  static location(answer: Answer, from: string | URL): URL {
    return new URL(answer.headers.get("location") ?? "", from)
  }

  /** Goes to an address and on, as long as it is sent on, until it is sent to a page that is not asked for. */
  follow(address: string | URL, until: (url: URL) => boolean = () => false): Effect.Effect<Visit> {
    return Effect.gen({ self: this }, function* () {
      let url = new URL(address)
      for (let hops = 0; hops < 20; hops++) {
        if (until(url)) return { url, answer: undefined }
        const answer = yield* this.ask(url)
        if (answer.status < 300 || answer.status >= 400) return { url, answer }
        url = Browser.location(answer, url)
      }
      return yield* Effect.die(new Error(`redirected without end, at last to ${url.href}`))
    })
  }

  /** Fills in the page's form, sends it, and goes on. */
  submit(page: Visit, fields: Readonly<Record<string, string>>, until?: (url: URL) => boolean): Effect.Effect<Visit> {
    return Effect.gen({ self: this }, function* () {
      const html = page.answer?.text ?? ""
      const action = /<form[^>]*action="([^"]*)"/.exec(html)?.[1] ?? ""
      const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
      const body = new URLSearchParams([
        ...hidden.map(([, name = "", value = ""]): [string, string] => [name, value]),
        ...Object.entries(fields)
      ])
      const url = new URL(action, page.url)
      const answer = yield* this.ask(url, { method: "POST", body, headers: { origin: url.origin } })
      return answer.status >= 300 && answer.status < 400
        ? yield* this.follow(Browser.location(answer, url), until)
        : { url, answer }
    })
  }
}

/** Where a browser has arrived. Without an answer it was not asked for. */
export interface Visit {
  readonly url: URL
  readonly answer: Answer | undefined
}
