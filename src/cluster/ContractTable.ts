import { Api } from "../api/Api.ts"
import { make as endpointTable } from "../http/EndpointTable.ts"
import { pathOf } from "../http/RequestRules.ts"

/** The endpoints of the contract by method and path. */
export const table = endpointTable(Api, [])

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

const targetOf = (url: string): string => url.slice(url.indexOf("/", url.indexOf("//") + 2))

/** Whether a request changes nothing, so that it may be asked again. HEAD runs what GET runs. */
export const isReading = ({ method, url }: Request): boolean =>
  SAFE.has(method) && table.find("GET", pathOf(targetOf(url)))?.entry.changes !== true
