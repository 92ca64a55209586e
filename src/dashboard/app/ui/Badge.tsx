import type { ReactNode } from "react"

/** What a colour says: `good` went well, `wait` is under way or needs care, `bad` failed, `live` happens now. */
export type Tone = "plain" | "good" | "wait" | "bad" | "live"

interface BadgeProps {
  readonly tone?: Tone
  readonly children: ReactNode
}

/** A word in a small frame, such as a status. */
export const Badge = ({ tone = "plain", children }: BadgeProps) => <span className={`badge ${tone}`}>{children}</span>

const TONES: Readonly<Record<string, Tone>> = {
  active: "good",
  authorized: "live",
  cancelled: "plain",
  captured: "good",
  competing: "live",
  completed: "good",
  delivered: "good",
  disabled: "bad",
  enabled: "good",
  failed: "bad",
  fulfilled: "good",
  held: "wait",
  lost: "bad",
  open: "live",
  paid: "good",
  paused: "wait",
  past_due: "bad",
  pending: "wait",
  pending_kyc: "wait",
  processing: "wait",
  refunded: "plain",
  rejected: "bad",
  settled: "good",
  settling: "wait",
  succeeded: "good",
  suspended: "bad",
  terminated: "plain",
  verified: "good",
  void: "plain",
  voided: "plain",
  won: "good"
}

/** A status of the platform in its colour: `pending_kyc` becomes "Pending KYC". */
export const StatusBadge = ({ status }: { readonly status: string }) => (
  <Badge tone={TONES[status] ?? "plain"}>{wordsOf(status)}</Badge>
)

const ABBREVIATION = /\b(kyc|roi|fx|gpu|usd)\b/g

/** An identifier as words: `pending_kyc` → `Pending KYC`. */
export const wordsOf = (identifier: string): string => {
  const words = identifier.replaceAll(/[_-]/g, " ").replaceAll(ABBREVIATION, (short) => short.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
