import { expect } from "bun:test"
import { Effect } from "effect"
import { type Attempt, attempt } from "./CommitmentLoad.ts"
import { checkLedgerToNow, type LedgerReport } from "./LedgerCheck.ts"
import { embeddedDatabase } from "./ServerProcess.ts"

/** Requests sent again at the same time. */
const RETRIES = 16

interface Receipt {
  readonly data: { readonly commitment_id: string; readonly transaction_hash: string }
}

const isAccepted = ({ answer }: Attempt): boolean => answer?.status === 200
const isCommitment = ({ path }: Attempt): boolean => path.endsWith("/commitments")
const isUnknown = ({ answer }: Attempt): boolean => answer === undefined || answer.status >= 500

/** What the answers of accepted commitments say of each: its id and the hash of its event. */
const receipts = (attempts: ReadonlyArray<Attempt>): ReadonlyArray<Receipt["data"]> =>
  attempts
    .filter((one) => isAccepted(one) && isCommitment(one))
    .flatMap(({ answer }) => (answer === undefined ? [] : [(answer.json as Receipt).data]))

/** Nothing contradicts anything, and everything that was acknowledged or told on the stream is there. */
const checkKept = (report: LedgerReport, attempts: ReadonlyArray<Attempt>, heard: ReadonlySet<string>): void => {
  expect(report.violations).toEqual([])
  expect([...heard].filter((id) => !report.commitments.has(id))).toEqual([])
  const lost = receipts(attempts).filter(
    ({ commitment_id: id, transaction_hash: hash }) => `0x${report.commitments.get(id)?.hash}` !== hash
  )
  expect(lost).toEqual([])
  expect(report.answers).toBeGreaterThanOrEqual(attempts.filter(isAccepted).length)
}

/** What is there is exactly what was acknowledged: one commitment or mint for each key, none without. */
const checkExact = (report: LedgerReport, attempts: ReadonlyArray<Attempt>): void => {
  const accepted = attempts.filter(isAccepted).length
  const ids = receipts(attempts).map(({ commitment_id: id }) => id)
  expect([...report.commitments.keys()].toSorted()).toEqual(ids.toSorted())
  expect(report.answers).toBe(accepted)
  expect(report.mints).toBe(accepted - ids.length)
}

/**
 * What must hold when the server is back: all that was acknowledged is there and nothing by half; then each request
 * whose answer was lost is sent again under its key, and there is one result for each key that has an answer.
 *
 * @returns how many requests had no answer, and how many of these had been written all the same
 */
export const checkRecovery = Effect.fnUntraced(function* (
  url: string,
  dataDir: string,
  attempts: ReadonlyArray<Attempt>,
  heard: ReadonlySet<string>
) {
  const database = embeddedDatabase(dataDir)
  checkKept(yield* checkLedgerToNow(database), attempts, heard)
  const unknown = attempts.filter(isUnknown)
  const answers = yield* Effect.forEach(unknown, (one) => attempt(url, one), { concurrency: RETRIES })
  expect(unknown.filter(isUnknown).map(({ answer }) => answer?.text ?? "no answer")).toEqual([])
  const report = yield* checkLedgerToNow(database)
  checkKept(report, attempts, heard)
  checkExact(report, attempts)
  const replayed = answers.filter((answer) => answer?.headers.get("idempotency-replayed") === "true")
  return { unknown: unknown.length, written: replayed.length, report }
})
