import { useState } from "react"
import { after } from "../Platform.ts"
import { Button, IconButton } from "./Button.tsx"
import { shortId } from "./Format.ts"

/** Milliseconds that "Copied" is said. */
const SAID = 1_500

const useCopy = (text: string) => {
  const [copied, setCopied] = useState(false)
  const copy = () => {
    void navigator.clipboard?.writeText(text)
    setCopied(true)
    after(SAID, () => setCopied(false))
  }
  return { copied, copy }
}

interface CopyFieldProps {
  readonly label: string
  readonly value: string
  /** Said below, such as that a secret is shown this once. */
  readonly hint?: string
}

/** A value to be taken along, such as a secret that is shown once. */
export const CopyField = ({ label, value, hint }: CopyFieldProps) => {
  const { copied, copy } = useCopy(value)
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <div className="copy-field">
        <code>{value}</code>
        <Button size="small" icon={copied ? "check" : "copy"} onClick={copy} aria-label={`Copy ${label}`}>
          {copied ? "Copied" : "Copy"}
        </Button>
      </div>
      {hint !== undefined && <p className="hint">{hint}</p>}
    </div>
  )
}

/** An id in a table or a list, shortened in the middle, with a button that copies it whole. */
export const CopyId = ({ value }: { readonly value: string }) => {
  const { copied, copy } = useCopy(value)
  return (
    <span className="copy-id">
      <code title={value}>{shortId(value)}</code>
      <IconButton icon={copied ? "check" : "copy"} label={copied ? "Copied" : `Copy ${value}`} onClick={copy} />
    </span>
  )
}
