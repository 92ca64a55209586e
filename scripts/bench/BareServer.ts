/** A process with nothing but `Bun.serve`, which answers ready texts: the most that this machine serves. */
import { serve } from "./Worker.ts"

/** Texts by path, whatever the method. */
export type BarePlan = Readonly<Record<string, string>>

const pathOf = (url: string): string => url.slice(url.indexOf("/", "http://".length))

const start = (answers: BarePlan): number => {
  const known = new Map(Object.entries(answers))
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) =>
      new Response(known.get(pathOf(request.url)) ?? null, { headers: { "content-type": "application/json" } })
  })
  return server.port ?? 0
}

serve(start)
