import type { ReactNode } from "react"
import { TextArea } from "./Field.tsx"
import { type Metadata, readMetadata } from "./MetadataText.ts"

interface MetadataFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** What is to be kept with a thing, as text that `readMetadata` reads. */
export const MetadataField = ({ value, onChange }: MetadataFieldProps) => (
  <TextArea
    label="Metadata (optional)"
    rows={2}
    hint="Keys of your own, one a line, such as project: mill."
    error={readMetadata(value) === undefined ? "A key, a colon and a text on each line, each key once." : undefined}
    value={value}
    onChange={onChange}
  />
)

/** A line of facts for each key: none where nothing is kept. */
export const metadataFacts = (metadata: Metadata): ReadonlyArray<readonly [string, ReactNode]> =>
  Object.entries(metadata).map(([key, value]) => [key, value] as const)
