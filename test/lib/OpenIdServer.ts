import { Effect } from "effect"
import type { Scope } from "effect"
import { createServer } from "node:http"
import type { Server } from "node:http"
import Provider from "oidc-provider"

/** A person that the provider knows, by what is typed as login. */
interface KnownPerson {
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

export interface OpenIdServer {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What is told of who signs in with a login. */
  readonly people: Map<string, KnownPerson>
}

/** Life of whatever the provider gives, in seconds. */
const LIFE = 600

const CLIENT = { id: "emporion", secret: "a secret of the provider's client" } as const

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })

/** A real OpenID Connect provider with its own pages for login and consent, which takes any login. */
export const openIdServer = (callback: string): Effect.Effect<OpenIdServer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const people = new Map<string, KnownPerson>()
      const server = createServer()
      const issuer = `http://127.0.0.1:${await listening(server)}`
      const provider = new Provider(issuer, {
        clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [callback] }],
        claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
        pkce: { required: () => true },
        ttl: { AccessToken: LIFE, AuthorizationCode: 60, Grant: LIFE, IdToken: LIFE, Interaction: LIFE, Session: LIFE },
        cookies: { keys: ["a key of the provider's cookies"] },
        findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) })
      })
      server.on("request", provider.callback())
      return { server, issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, people }
    }),
    ({ server }) =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.closeAllConnections()
            server.close(() => resolve())
          })
      )
  )
