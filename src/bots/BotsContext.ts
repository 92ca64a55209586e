import { BotProjectionRepository } from "./BotProjectionRepository.ts"

/** The tables that recorded events write. */
export const projected = BotProjectionRepository.layer
