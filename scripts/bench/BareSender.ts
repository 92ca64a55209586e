/** A process with nothing but a loop of requests of `node:http`, over kept connections: the most that a sender sends. */
import { Agent, request } from "node:http"
import { serve } from "./Worker.ts"

export interface BarePosts {
  readonly port: number
  readonly concurrency: number
  readonly millis: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Posted {
  readonly perSecond: number
}

const agents = new Map<number, Agent>()

const agentFor = (concurrency: number): Agent => {
  const known = agents.get(concurrency) ?? new Agent({ keepAlive: true, maxSockets: concurrency })
  agents.set(concurrency, known)
  return known
}

const post = ({ body, concurrency, headers, port }: BarePosts): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, path: "/bare", method: "POST", headers, agent: agentFor(concurrency) },
      (response) => {
        response.on("data", () => {})
        response.on("end", resolve)
      }
    )
    sent.on("error", reject)
    sent.end(body)
  })

serve(async (plan: BarePosts): Promise<Posted> => {
  const begun = performance.now()
  let answered = 0
  const lane = async (): Promise<void> => {
    while (performance.now() - begun < plan.millis) {
      await post(plan)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: plan.concurrency }, lane))
  return { perSecond: answered / ((performance.now() - begun) / 1_000) }
})
