import { Layer } from "effect"
import { type Module, nothing } from "../Module.ts"
import { ArenaStream } from "./ArenaStream.ts"
import * as PriceFeed from "./PriceFeed.ts"
import { ReplayRepository } from "./ReplayRepository.ts"
import { StreamAuthentication } from "./StreamAuthentication.ts"
import { streamRpcs } from "./StreamRpcs.ts"
import { TicketHandlers } from "./TicketHandlers.ts"
import { TicketRepository } from "./TicketRepository.ts"
import { Tickets } from "./Tickets.ts"

/** The arena's event stream, and the authentication of its clients. */
export const module = {
  ...nothing,
  services: ArenaStream.layer.pipe(
    Layer.provideMerge(Tickets.layer),
    Layer.provideMerge(StreamAuthentication.layer),
    Layer.provide(Layer.merge(ReplayRepository.layer, TicketRepository.layer))
  ),
  handlers: TicketHandlers,
  rpcs: streamRpcs,
  background: PriceFeed.layer
} satisfies Module
