import type { NamedSending } from "../../engine/cluster/RequestName.ts"

const sendings = new WeakMap<Request, NamedSending>()

/** Says that another node sent a request, under a name by which it is executed once. Callers cannot say so. */
export const nameRequest = (request: Request, sending: NamedSending): void => void sendings.set(request, sending)

/** How another node named a request; undefined where none did. */
export const namedSendingOf = (request: Request): NamedSending | undefined => sendings.get(request)
