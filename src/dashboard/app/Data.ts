import { QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { UseMutationResult, UseQueryResult } from "@tanstack/react-query"
import { call } from "./ApiCalls.ts"
import type { Answer, CallOf, Operation, Read, ReadPage, RowOf, Write } from "./Contract.ts"
import { refusedBy } from "./Refused.ts"
import type { Refused } from "./Refused.ts"
import { useToasts } from "./ui/Toasts.tsx"

/** How long an answer is shown again without being asked for anew, in milliseconds. */
const FRESH_FOR = 5_000

/** Times that a read which may pass is tried again. */
const MOST_RETRIES = 2

/** What the pages have been answered. One for the whole dashboard. */
export const makeQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_FOR,
        retry: (count, error) => count < MOST_RETRIES && refusedBy(error).passes
      }
    }
  })

/** How a read behaves. */
export interface Reading {
  /** Asked again every so many milliseconds while the page is seen. */
  readonly every?: number
  /** Not asked while false, such as before an id is known. */
  readonly enabled?: boolean
}

const options = ({ enabled = true, every }: Reading) => ({ enabled, refetchInterval: every ?? (false as const) })

/**
 * What an operation answers: `const funds = useApi("GET /v1/funds/:id", { params: { id } })`, then `funds.data`. Show
 * it through `Loaded` of ui/States.tsx, which has the waiting and the failure.
 */
export const useApi = <O extends Read>(
  operation: O,
  given: CallOf<O>,
  reading: Reading = {}
): UseQueryResult<Answer<O>, Refused> =>
  useQuery<Answer<O>, Refused>({
    queryKey: [operation, given],
    queryFn: async () => (await call(operation, given)).body,
    ...options(reading)
  })

/** One page of a list. */
export interface Rows<Row> {
  readonly rows: ReadonlyArray<Row>
  /** Rows of the whole list. */
  readonly total: number
  /** What the next page begins behind, in lists that are long; undefined on the last one. */
  readonly next: string | undefined
}

/** A page of a list with its length, for `Table` and `Pager`. The page before stays to be seen while the next comes. */
export const useRows = <O extends ReadPage>(
  operation: O,
  given: CallOf<O>,
  reading: Reading = {}
): UseQueryResult<Rows<RowOf<O>>, Refused> =>
  useQuery<Rows<RowOf<O>>, Refused>({
    queryKey: [operation, given, "rows"],
    queryFn: async () => {
      const { body, next, total } = await call(operation, given)
      const rows = body as ReadonlyArray<RowOf<O>>
      return { rows, total: total ?? rows.length, next }
    },
    placeholderData: (before) => before,
    ...options(reading)
  })

/** What follows from a write that went well. */
export interface Writing<O extends Operation> {
  /** Said in a toast, such as "Client deleted". */
  readonly done?: string
  /** Reads whose answers are now old. */
  readonly changes?: ReadonlyArray<Read>
  readonly onDone?: (answer: Answer<O>) => void
  /** Whether the page shows the failure itself, as a form does. Else it is said in a toast. */
  readonly quiet?: boolean
}

/** An operation to be run by a button or a form: `const remove = useAct("DELETE …", {…})`, then `remove.mutate({…})`. */
export const useAct = <O extends Write>(
  operation: O,
  { changes = [], done, quiet = false, onDone }: Writing<O> = {}
): UseMutationResult<Answer<O>, Refused, CallOf<O>> => {
  const queries = useQueryClient()
  const { say } = useToasts()
  return useMutation<Answer<O>, Refused, CallOf<O>>({
    mutationFn: async (given) => (await call(operation, given)).body,
    onSuccess: async (answer) => {
      onDone?.(answer)
      if (done !== undefined) say("good", done)
      await Promise.all(changes.map((read) => queries.invalidateQueries({ queryKey: [read] })))
    },
    onError: (error) => {
      if (!quiet) say("bad", refusedBy(error).message)
    }
  })
}
