import { Fragment } from "react"

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

/** A code such as `not_found`, which goes on in the next line only behind its underscores. */
export const CodeWord = ({ code }: { readonly code: string }) => (
  <span className="code-word soft">
    {code.split("_").map((part, index) => (
      <Fragment key={`${part}-${index}`}>
        {index > 0 && (
          <>
            _<wbr />
          </>
        )}
        {part}
      </Fragment>
    ))}
  </span>
)
