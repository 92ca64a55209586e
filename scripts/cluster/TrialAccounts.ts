import type { NodeProcess } from "./NodeProcess.ts"
import type { Account } from "./TrialClient.ts"

/** How long a sign-in may take while nodes come and go, in milliseconds, and the pause before another one. */
const LIMIT = 60_000
const AGAIN = 100

interface Credentials {
  readonly name: string
  readonly secret: string
}

/** What one of the nodes showed when the sandbox was made. */
const shown = (nodes: ReadonlyArray<NodeProcess>, line: string): Credentials => {
  for (const { said } of nodes) {
    const [, name, secret] = new RegExp(`^${line} +(\\S+)  (\\S+)$`, "m").exec(said) ?? []
    if (name !== undefined && secret !== undefined) return { name, secret }
  }
  throw new Error(`no node showed ${line}`)
}

const tokenFor = async (url: string, body: object): Promise<string> => {
  const until = performance.now() + LIMIT
  while (performance.now() < until) {
    try {
      const headers = { "content-type": "application/json" }
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
      if (response.ok) return ((await response.json()) as { readonly access_token: string }).access_token
    } catch {
      // The node ended meanwhile.
    }
    await Bun.sleep(AGAIN)
  }
  throw new Error(`no token from ${url}`)
}

const subjectOf = (token: string): string => {
  const claims = Buffer.from(token.split(".")[1] ?? "", "base64url").toString()
  return (JSON.parse(claims) as { readonly sub: string }).sub
}

const account = async (signIn: () => Promise<string>): Promise<Account> => {
  const token = await signIn()
  return { userId: subjectOf(token), token, signIn }
}

/** Signs in as the sandbox's API client and as the demo's person. */
export const trialAccounts = (url: string, nodes: ReadonlyArray<NodeProcess>): Promise<readonly [Account, Account]> => {
  const client = shown(nodes, "API client")
  const person = shown(nodes, "Demo login")
  return Promise.all([
    account(() =>
      tokenFor(`${url}/api/v1/auth/token`, {
        grant_type: "client_credentials",
        client_id: client.name,
        client_secret: client.secret
      })
    ),
    account(() => tokenFor(`${url}/api/v1/auth/login`, { email: person.name, password: person.secret }))
  ])
}
