import type { LoggedRequest, RequestPhases } from "./LoggedRequest.ts"

const MICROS = 1_000

const phasesAnswer = ({ answer, append, checks, decision, projection }: RequestPhases) => ({
  checks_ms: checks / MICROS,
  decision_ms: decision / MICROS,
  append_ms: append / MICROS,
  answer_ms: answer / MICROS,
  projection_ms: projection === undefined ? null : projection / MICROS
})

/** One row as it is listed. */
export const requestAnswer = (request: LoggedRequest) => ({
  id: String(request.id),
  request_id: request.requestId,
  at: request.at,
  company_id: request.companyId ?? null,
  user_id: request.userId ?? null,
  client_id: request.clientId ?? null,
  address: request.address,
  operation: request.operation,
  path: request.path,
  status: request.status,
  code: request.code ?? null,
  duration_ms: request.durationMicros / MICROS,
  request_bytes: request.requestBytes ?? null,
  response_bytes: request.responseBytes ?? null,
  trace_id: request.traceId ?? null,
  event_seqs: request.eventSeqs
})

/** The same with what is shown of one alone. */
export const requestDetail = (request: LoggedRequest) => ({
  ...requestAnswer(request),
  query: request.query ?? null,
  body: request.body ?? null,
  phases: request.phases === undefined ? null : phasesAnswer(request.phases)
})
