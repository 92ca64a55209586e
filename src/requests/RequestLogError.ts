import { refusal } from "../../engine/wire/Refusal.ts"

/** No request in the log has this id, or none that the caller may know of. */
export class RequestNotFound extends refusal(
  "RequestNotFound",
  "not_found",
  ({ id }: { readonly id: string }) => `There is no request ${id} in the log that you may see.`
) {}
