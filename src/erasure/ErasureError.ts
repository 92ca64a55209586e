import { refusal } from "../../engine/wire/Refusal.ts"

/** The user cannot be forgotten now. `reason` is a sentence for the caller. */
export class ErasureRefused extends refusal(
  "ErasureRefused",
  "conflict",
  ({ reason }: { readonly reason: string }) => reason
) {}
