import { useState } from "react"
import type { ReactNode } from "react"
import type { CallOf, Read, Write } from "../Contract.ts"
import { useAct } from "../Data.ts"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Dialog.tsx"

interface TransitionProps<O extends Write> {
  readonly operation: O
  readonly given: CallOf<O>
  /** The button's word: "Suspend". */
  readonly act: string
  readonly look?: "main" | "usual" | "danger"
  /** Said when it is done. */
  readonly done: string
  readonly changes: ReadonlyArray<Read>
  /** What happens to whom, asked before it is done. */
  readonly question: string
  readonly children: ReactNode
}

/** A button for what an administrator does to others. It says what follows, and asks first. */
export const Transition = <O extends Write>(props: TransitionProps<O>) => {
  const { act, changes, children, done, given, look = "usual", operation, question } = props
  const [isAsked, setAsked] = useState(false)
  const run = useAct(operation, { done, changes, onDone: () => setAsked(false) })
  return (
    <>
      <Button look={look} onClick={() => setAsked(true)}>
        {act}
      </Button>
      {isAsked && (
        <Confirm
          title={question}
          act={act}
          danger={look === "danger"}
          busy={run.isPending}
          onConfirm={() => run.mutate(given)}
          onClose={() => setAsked(false)}
        >
          <p>{children}</p>
        </Confirm>
      )}
    </>
  )
}
