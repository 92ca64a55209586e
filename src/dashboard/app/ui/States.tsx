import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { refusedBy } from "../Refused.ts"
import type { Refused } from "../Refused.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"
import type { IconName } from "./Icon.tsx"

interface EmptyProps {
  readonly icon?: IconName
  /** What there is none of: "No API clients yet". */
  readonly title: string
  /** Why one would want some, and what to do. */
  readonly children?: ReactNode
  /** The button that makes the first. */
  readonly action?: ReactNode
}

/** What is seen where there is nothing yet. */
export const Empty = ({ icon = "box", title, children, action }: EmptyProps) => (
  <div className="state">
    <span className="state-icon">
      <Icon name={icon} size={20} />
    </span>
    <p className="state-title">{title}</p>
    {children !== undefined && <p className="state-text">{children}</p>}
    {action}
  </div>
)

interface FailedProps {
  readonly error: unknown
  readonly retry?: () => void
}

/** What is seen where something could not be loaded: the server's own sentence, and a second try where one may help. */
export const Failed = ({ error, retry }: FailedProps) => {
  const { code, message, passes, requestId } = refusedBy(error)
  return (
    <div className="state failed" role="alert">
      <span className="state-icon">
        <Icon name="alert" size={20} />
      </span>
      <p className="state-title">{message}</p>
      <p className="state-text">
        <code>{code}</code>
        {requestId !== undefined && (
          <>
            {" "}
            · request{" "}
            <Link href={`/requests/${encodeURIComponent(requestId)}`}>
              <code>{requestId}</code>
            </Link>
          </>
        )}
      </p>
      {retry !== undefined && passes && (
        <Button icon="refresh" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** A failure in one line, above the buttons of a form. Nothing where there is none. */
export const Problem = ({ error }: { readonly error: Refused | null | undefined }) =>
  error === null || error === undefined ? null : (
    <p className="problem" role="alert">
      <Icon name="alert" />
      <span>{refusedBy(error).message}</span>
    </p>
  )

/** Grey lines in place of what is on its way. */
export const Waiting = ({ lines = 3 }: { readonly lines?: number }) => (
  <div className="waiting" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} className="waiting-line" />
    ))}
  </div>
)

interface LoadedProps<A> {
  readonly of: UseQueryResult<A, Refused>
  readonly lines?: number
  readonly children: (data: A) => ReactNode
}

/** What a read answered, or that it waits, or why it failed: `<Loaded of={funds}>{(data) => …}</Loaded>` */
export const Loaded = <A,>({ of, lines = 3, children }: LoadedProps<A>) => {
  if (of.data !== undefined) return <>{children(of.data)}</>
  if (of.error !== null) return <Failed error={of.error} retry={() => void of.refetch()} />
  return <Waiting lines={lines} />
}

interface NoticeProps {
  readonly tone?: "info" | "wait" | "bad"
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** A message at the head of a page that stays, such as that an endpoint was disabled. */
export const Notice = ({ tone = "info", title, children, action }: NoticeProps) => (
  <div className={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
    <Icon name={tone === "info" ? "info" : "alert"} />
    <div>
      <p className="notice-title">{title}</p>
      {children !== undefined && <div className="notice-text">{children}</div>}
    </div>
    {action}
  </div>
)
