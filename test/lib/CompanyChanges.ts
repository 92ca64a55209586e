import { Effect } from "effect"
import { signIn } from "./CommitmentLoad.ts"
import { post, send, sendAsync } from "./Requests.ts"
import type { ServerProcess } from "./ServerProcess.ts"

/** Somebody who changes a company at a server's process. */
export interface Session {
  readonly url: string
  readonly token: string
  readonly companyId: string
}

/** The demo's person. */
export const sessionOf = Effect.fnUntraced(function* (server: ServerProcess) {
  const token = (yield* signIn(server))[1]?.token ?? ""
  const companies = yield* send(`${server.url}/v1/companies`, { headers: { authorization: `Bearer ${token}` } })
  const [company] = companies.json as ReadonlyArray<{ readonly id: string }>
  return { url: server.url, token, companyId: company?.id ?? "" } satisfies Session
})

/** Renames the company: the name where that was acknowledged, undefined where the server was gone before. */
export const rename = async ({ companyId, token, url }: Session, name: string): Promise<string | undefined> => {
  try {
    const request = { ...post({ name }, {}, token), method: "PATCH" }
    const { status } = await sendAsync(`${url}/v1/companies/${companyId}`, request)
    return status === 200 ? name : undefined
  } catch {
    return undefined
  }
}

/** Kills the server so many milliseconds from now, wherever it is by then. */
export const killAfter = (server: ServerProcess, millis: number): void => {
  setTimeout(() => server.send("SIGKILL"), millis)
}
