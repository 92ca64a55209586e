import { Option } from "effect"
import { CATALOGUE } from "../api/ApiError.ts"
import type { CommitTimes } from "../database/CommitTimes.ts"
import type { Exchange } from "../http/Exchange.ts"
import { JSON_TYPE, type PlainResponse } from "../http/PlainResponse.ts"
import { hasBody, lengthOf } from "../http/RequestRules.ts"
import { exportedTrace, parentOf } from "../http/RequestTracing.ts"
import type { OwnCommit } from "../RequestState.ts"
import type { LoggedRequest, RequestPhases } from "./LoggedRequest.ts"
import { type Asked, MAX_KEPT_BODY, pathWithoutSecrets, queryWithoutSecrets, withoutSecrets } from "./SecretRemoval.ts"

/** Which requests are logged beside those that are refused. */
export type LoggedKinds = "all" | "changes" | "refused"

/** Longest path and operation that are kept. */
const MAX_PATH = 300

const MAX_ADDRESS = 64

const MICRO = 1_000n

/** A request as it is noted when it is answered: what costs time is left to when it is logged. */
export interface NotedRequest {
  /** Whose share of the log it is in. */
  readonly caller: string
  readonly logged: Omit<LoggedRequest, "query" | "body" | "eventSeqs" | "phases">
  readonly asked: Asked
  readonly query: string
  readonly body: string | undefined
  readonly commits: ReadonlyArray<OwnCommit>
  readonly startedAt: bigint
  readonly answeredAt: bigint
  /** It waits for its commits' place in the tables a second time. */
  readonly isHeld: boolean
}

const CODE = /"code":"([a-z_]{1,64})"/

/** Answers that refuse are short. */
const MAX_REFUSAL = 16_384

const codeOf = ({ body }: PlainResponse): string | undefined => {
  if (body === undefined || body.length > MAX_REFUSAL) return undefined
  return CODE.exec(typeof body === "string" ? body : Buffer.from(body).toString())?.[1]
}

const bytesOf = ({ body, headers, routed }: PlainResponse): number | undefined => {
  if (body !== undefined) return typeof body === "string" ? Buffer.byteLength(body) : body.length
  const length = Number(headers["content-length"] ?? (routed?.body._tag === "Empty" ? 0 : Number.NaN))
  return Number.isSafeInteger(length) ? length : undefined
}

/** The trace that the server made a span in, else that of the caller. */
const traceOf = ({ facts, request }: Pick<Exchange, "facts" | "request">): string | undefined =>
  exportedTrace(facts.traceId ?? Option.getOrUndefined(parentOf(request.headers))?.traceId)

const operationOf = ({ facts, match, request }: Exchange): string => {
  const route = match?.entry.endpoint?.path ?? facts.route
  return route === "unmatched" ? route : `${request.method} ${route.replaceAll(/:(\w+)/g, "{$1}")}`
}

/** The status that the caller got, who does not wait for an answer that comes too late. */
export const statusOf = ({ isLate }: Exchange, { status }: PlainResponse): number =>
  isLate ? CATALOGUE.unavailable.status : status

/** What the caller got. */
const toldOf = (exchange: Exchange, response: PlainResponse) => {
  const status = statusOf(exchange, response)
  if (exchange.isLate) return { status, code: "unavailable", responseBytes: undefined }
  return { status, code: status >= 400 ? codeOf(response) : undefined, responseBytes: bytesOf(response) }
}

/** Whether a request belongs into the log. */
export const isLogged = (kinds: LoggedKinds, method: string, status: number): boolean =>
  status >= 400 || kinds === "all" || (kinds === "changes" && hasBody(method) && method !== "OPTIONS")

/** A text of its own. One that was cut out of a message would keep all of that in memory until it is written. */
const copied = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le")

/** Notes an answered request under its id in the log. */
export const noted = (id: number, exchange: Exchange, response: PlainResponse, nanos: bigint): NotedRequest => {
  const { facts, match, now, request, sent, started, target } = exchange
  const { principal } = facts
  const told = toldOf(exchange, response)
  const isShort = told.status >= 400 && sent !== undefined && sent.length <= MAX_KEPT_BODY
  return {
    caller: facts.caller,
    logged: {
      id,
      requestId: facts.id,
      at: now,
      companyId: principal?.companyId,
      userId: principal?.userId,
      clientId: principal?.clientId,
      address: facts.address.slice(0, MAX_ADDRESS),
      operation: operationOf(exchange).slice(0, MAX_PATH),
      path: facts.path.slice(0, MAX_PATH),
      status: told.status,
      code: told.code,
      durationMicros: Number(nanos / MICRO),
      requestBytes: lengthOf(request),
      responseBytes: told.responseBytes,
      traceId: traceOf(exchange)
    },
    asked: match?.entry,
    query: told.status >= 400 ? target.slice(facts.path.length + 1) : "",
    body: isShort && request.headers.get("content-type")?.startsWith(JSON_TYPE) === true ? copied(sent) : undefined,
    commits: facts.commits ?? [],
    startedAt: started,
    answeredAt: started + nanos,
    isHeld: false
  }
}

/** By when they were asked for. */
const inOrder = (commits: ReadonlyArray<OwnCommit>): ReadonlyArray<OwnCommit> =>
  commits.length < 2 ? commits : commits.toSorted((one, other) => (one.askedAt < other.askedAt ? -1 : 1))

/**
 * Where the time of a request went that wrote something; undefined where that is not remembered. Time in which several
 * commits were on their way counts once, for the one that was asked for first.
 */
export const phasesOf = (
  { answeredAt, commits, startedAt }: Pick<NotedRequest, "answeredAt" | "commits" | "startedAt">,
  times: CommitTimes
): RequestPhases | undefined => {
  if (commits.length === 0) return undefined
  const started = Number(startedAt)
  const nanos = (at: bigint): number => Number(at) - started
  const answered = nanos(answeredAt)
  let [decision, append, known, projection] = [0, 0, 0, undefined as number | undefined]
  for (const { askedAt, knownAt, seq } of inOrder(commits)) {
    const group = times.of(seq)
    if (group === undefined || group.sentAt < askedAt || group.sentAt > knownAt) return undefined
    const sent = nanos(group.sentAt)
    const told = nanos(knownAt)
    decision += Math.max(sent, known) - Math.max(nanos(askedAt), known)
    append += Math.max(told, known) - Math.max(sent, known)
    known = Math.max(told, known)
    projection = group.projectedAt === undefined ? undefined : nanos(group.projectedAt) - sent
  }
  const answer = Math.max(answered, known) - known
  const checks = answered - decision - append - answer
  return {
    checks: microsOf(checks),
    decision: microsOf(decision),
    append: microsOf(append),
    answer: microsOf(answer),
    projection: projection === undefined ? undefined : microsOf(projection)
  }
}

const microsOf = (nanos: number): number => Math.max(0, Math.round(nanos / 1_000))

/** A noted request as it is logged. */
export const toLogged = (
  { asked, body, commits, logged, query, ...rest }: NotedRequest,
  times: CommitTimes
): LoggedRequest => ({
  ...logged,
  path: pathWithoutSecrets(logged.path),
  query: queryWithoutSecrets(query, asked),
  body: body === undefined ? undefined : withoutSecrets(body, asked),
  eventSeqs: commits.map(({ seq }) => seq),
  phases: phasesOf({ ...rest, commits }, times)
})
