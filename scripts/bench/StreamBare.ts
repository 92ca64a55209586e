/** A process with nothing but Bun's own publish: the most that this machine sends to many. */
import { messageOf } from "../../src/stream/ArenaMessage.ts"
import { commitmentAt } from "./StreamEvents.ts"
import { microsNow, paced, type PublishPlan, type Published } from "./StreamPublishing.ts"
import { serve } from "./Worker.ts"

const TOPIC = "all"

/** As the program's server has it. */
const BACKPRESSURE_BYTES = 1_048_576

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request, own) => (own.upgrade(request) ? undefined : new Response(null, { status: 400 })),
  websocket: {
    backpressureLimit: BACKPRESSURE_BYTES,
    open: (socket) => void socket.subscribe(TOPIC),
    message: () => {}
  }
})

let sent = 0

serve((request: PublishPlan | { readonly kind: "start" }): Promise<Published | number> | number => {
  if (request.kind === "start") return server.port ?? 0
  return paced(request, (count) => {
    const micros = microsNow()
    for (let index = 0; index < count; index++) {
      sent += 1
      server.publish(TOPIC, JSON.stringify(messageOf(commitmentAt(sent, micros, "ord_bare"))))
    }
  })
})
