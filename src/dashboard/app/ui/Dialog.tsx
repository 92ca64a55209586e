import { useEffect, useId, useRef } from "react"
import type { ReactNode } from "react"
import { Button, IconButton } from "./Button.tsx"
import { Actions } from "./Field.tsx"

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog over the page while it is rendered. The browser keeps the focus in it and gives it back after. */
export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <header className="dialog-head">
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      <div className="dialog-body">{children}</div>
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode
  /** The button's word: "Delete client". */
  readonly act: string
  readonly danger?: boolean
  readonly busy?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something that cannot be undone. */
export const Confirm = ({ title, children, act, danger = true, busy = false, onConfirm, onClose }: ConfirmProps) => (
  <Dialog title={title} onClose={onClose}>
    <div className="prose">{children}</div>
    <Actions>
      <Button onClick={onClose}>Cancel</Button>
      <Button look={danger ? "danger" : "main"} busy={busy} onClick={onConfirm}>
        {act}
      </Button>
    </Actions>
  </Dialog>
)
