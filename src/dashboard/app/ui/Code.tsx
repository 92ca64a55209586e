interface CodeProps {
  /** What it is, for screen readers: "Request body". */
  readonly label: string
  /** JSON is set out over lines; everything else is shown as it is. */
  readonly text: string
}

const setOut = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** A body, an answer or a command, as it was written. */
export const Code = ({ label, text }: CodeProps) => (
  <pre className="code" role="region" aria-label={label} tabIndex={0}>
    <code>{setOut(text)}</code>
  </pre>
)
