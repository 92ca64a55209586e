import { Schema } from "effect"
import { eventDecoder } from "../actor/EventBytes.ts"
import { CompanyActor } from "../company/CompanyEvent.ts"

/** What identifies a user was forgotten. It says who did it, and nothing of the person. */
export const UserErased = Schema.TaggedStruct("UserErased", {
  at: Schema.Int,
  by: CompanyActor,
  userId: Schema.String,
  companyId: Schema.String,
  /** Whether the user was the company's last person, so that what identifies the company was forgotten too. */
  companyErased: Schema.Boolean
})
export type UserErased = typeof UserErased.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeUserErased = eventDecoder(UserErased)

/** Where a user's erasure is recorded: once. */
export const erasureStream = (userId: string): string => `user/${userId}`
