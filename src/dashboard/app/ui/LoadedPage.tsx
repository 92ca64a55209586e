import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { Refused } from "../Refused.ts"
import { PageHead } from "./PageHead.tsx"
import { Loaded } from "./States.tsx"

interface LoadedPageProps<A> {
  readonly of: UseQueryResult<A, Refused>
  /** What the page shows one of, as its title until that one is there: "Request". */
  readonly title: string
  /** The list that leads here. */
  readonly parent: { readonly to: string; readonly title: string }
  readonly lines?: number
  readonly children: (data: A) => ReactNode
}

/** A page of one thing. It has a title and the way back also while the thing is on its way, and where there is none. */
export const LoadedPage = <A,>({ of, title, parent, lines = 8, children }: LoadedPageProps<A>) => (
  <>
    {of.data === undefined && <PageHead title={title} parent={parent} />}
    <Loaded of={of} lines={lines}>
      {children}
    </Loaded>
  </>
)
