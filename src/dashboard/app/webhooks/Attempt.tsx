import type { Answer } from "../Contract.ts"
import { Badge } from "../ui/Badge.tsx"
import { Code } from "../ui/Code.tsx"
import { Icon } from "../ui/Icon.tsx"
import { duration } from "../ui/Format.ts"
import { When } from "../ui/Time.tsx"
import { failureReason } from "./FailureReason.ts"

/** One attempt at a delivery. */
export type Attempted = Answer<"GET /v1/webhooks/deliveries/:id">["attempts"][number]

/** Whether the receiver answered 2xx. */
export const succeeded = ({ status }: Attempted): boolean => status !== null && status >= 200 && status < 300

const headersText = (headers: Attempted["request_headers"]): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")

/** One attempt: its outcome, and inside what was sent and answered. */
export const Attempt = ({ attempt, isOpen }: { readonly attempt: Attempted; readonly isOpen: boolean }) => {
  const isGood = succeeded(attempt)
  const { what, advice } = failureReason(attempt)
  return (
    <details className="attempt" open={isOpen}>
      <summary>
        <Icon name="chevron" />
        <span className="attempt-name">Attempt {attempt.number}</span>
        <Badge tone={isGood ? "good" : "bad"}>{attempt.status ?? "No answer"}</Badge>
        <span className="attempt-took">{duration(attempt.duration_ms)}</span>
        <span className="attempt-when">
          <When at={attempt.started_at} />
        </span>
      </summary>
      <div className="attempt-body">
        {!isGood && (
          <p>
            {what} <span className="soft">{advice}</span>
          </p>
        )}
        <p className="field-label">
          Request: <code>POST {attempt.url}</code>
        </p>
        <Code label={`Request headers of attempt ${attempt.number}`} text={headersText(attempt.request_headers)} />
        {attempt.status !== null && (
          <>
            <p className="field-label">Answer: {attempt.status}</p>
            {attempt.answer === null || attempt.answer === "" ? (
              <p className="soft">It had no body.</p>
            ) : (
              <Code label={`Answer to attempt ${attempt.number}`} text={attempt.answer} />
            )}
          </>
        )}
      </div>
    </details>
  )
}
