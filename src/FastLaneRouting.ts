import { Effect, Layer } from "effect"
import { haltRpcs } from "./bots/HaltRpcs.ts"
import { arenaRpcs } from "./arena/ArenaRpcs.ts"
import { botRpcs } from "./bots/BotRpcs.ts"
import { fundsRpcs } from "./funds/FundsRpcs.ts"
import * as HttpConventions from "./http/HttpConventions.ts"
import { WebSocketRoutes } from "./http/WebSocketRoutes.ts"
import * as TokenVerification from "./identity/tokens/TokenVerification.ts"
import { FastLaneServer } from "./rpc/FastLaneServer.ts"
import { RpcHandlers } from "./rpc/RpcHandler.ts"
import { ArenaStream } from "./stream/ArenaStream.ts"
import { streamRpcs } from "./stream/StreamRpcs.ts"
import { webhookRpcs } from "./webhooks/WebhookRpcs.ts"

const handlers = Layer.effect(
  RpcHandlers,
  Effect.map(Effect.all([arenaRpcs, haltRpcs, botRpcs, fundsRpcs, streamRpcs, webhookRpcs]), (groups) => groups.flat())
)

/** The fast lane with the handlers of every context. It counts its messages where HTTP counts its requests. */
const fastLane = FastLaneServer.layer.pipe(
  Layer.provide(handlers),
  Layer.provide(HttpConventions.services),
  Layer.provide(TokenVerification.layer)
)

/** The server's WebSocket routes. Needs the arena's stream. */
export const layer = Layer.effect(
  WebSocketRoutes,
  Effect.map(Effect.all([ArenaStream, FastLaneServer]), (faces) => faces.map(({ route }) => route))
).pipe(Layer.provideMerge(fastLane))
