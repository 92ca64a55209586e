import { useState } from "react"
import type { Refused } from "../Refused.ts"
import { Button } from "../ui/Button.tsx"
import { Actions, Form, TextField } from "../ui/Field.tsx"
import { MetadataField } from "../ui/MetadataField.tsx"
import { readMetadata } from "../ui/MetadataText.ts"
import { Problem } from "../ui/States.tsx"
import { EventChoice } from "./EventChoice.tsx"
import type { Wanted } from "./EventChoice.tsx"

/** What a person says of an endpoint. */
export interface WebhookFields {
  readonly url: string
  readonly description: string
  readonly events: ReadonlyArray<Wanted>
  /** As `readMetadata` reads it. */
  readonly metadata: string
}

interface WebhookFormProps {
  readonly start: WebhookFields
  /** The button's word. */
  readonly act: string
  readonly busy: boolean
  readonly error: Refused | null
  readonly onSubmit: (fields: WebhookFields) => void
  readonly onClose: () => void
}

/** The fields of an endpoint, new or old. */
export const WebhookForm = ({ start, act, busy, error, onSubmit, onClose }: WebhookFormProps) => {
  const [fields, setFields] = useState(start)
  const [missing, setMissing] = useState(false)
  const submit = () => {
    if (fields.events.length === 0) setMissing(true)
    else onSubmit(fields)
  }
  return (
    <Form onSubmit={submit}>
      <TextField
        label="URL"
        type="url"
        required
        placeholder="https://example.com/webhooks"
        hint="Takes POST with JSON and answers 2xx within 5 seconds."
        value={fields.url}
        onChange={(url) => setFields({ ...fields, url })}
      />
      <TextField
        label="Description (optional)"
        maxLength={500}
        value={fields.description}
        onChange={(description) => setFields({ ...fields, description })}
      />
      <EventChoice chosen={fields.events} onChoose={(events) => setFields({ ...fields, events })} />
      {missing && fields.events.length === 0 && (
        <p className="field-error" role="alert">
          Choose at least one event.
        </p>
      )}
      <MetadataField value={fields.metadata} onChange={(metadata) => setFields({ ...fields, metadata })} />
      <Problem error={error} />
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="main" type="submit" busy={busy} disabled={readMetadata(fields.metadata) === undefined}>
          {act}
        </Button>
      </Actions>
    </Form>
  )
}
