import { Effect } from "effect"

const answered = async (address: string, method: string, token: string, body: unknown): Promise<unknown> => {
  const response = await fetch(address, {
    method,
    headers: {
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${address} answered ${response.status}: ${text}`)
  return JSON.parse(text) as unknown
}

/** Somebody who uses a running platform by its HTTP interface. */
export class Somebody {
  readonly #url: string
  readonly #token: string
  readonly id: string

  private constructor(url: string, token: string, id: string) {
    this.#url = url
    this.#token = token
    this.id = id
  }

  /** Signs in. */
  static readonly signIn = (url: string, email: string, password: string): Effect.Effect<Somebody> =>
    Effect.gen(function* () {
      const stranger = new Somebody(url, "", "")
      const answer = yield* stranger.send("POST", "/api/v1/auth/login", { email, password })
      const { access_token: token, user } = answer as { access_token: string; user: { id: string } }
      return new Somebody(url, token, user.id)
    })

  /** Registers a company, and signs in as its first user. */
  static readonly register = (url: string, company: string, email: string, password: string): Effect.Effect<Somebody> =>
    Effect.gen(function* () {
      const stranger = new Somebody(url, "", "")
      yield* stranger.send("POST", "/api/v1/auth/register", { email, password, company_name: company })
      return yield* Somebody.signIn(url, email, password)
    })

  /** Sends a request, and dies where it is refused: what is to be seen would be missing. */
  send(method: string, path: string, body?: unknown): Effect.Effect<unknown> {
    return Effect.promise(() => answered(`${this.#url}${path}`, method, this.#token, body))
  }

  /** Sends a request whose answer has this text field, such as an id. */
  made(path: string, body: unknown, field = "id"): Effect.Effect<string> {
    return Effect.map(this.send("POST", path, body), (answer) =>
      String((answer as Readonly<Record<string, unknown>>)[field])
    )
  }
}
