import { Button } from "../ui/Button.tsx"
import { Code } from "../ui/Code.tsx"
import { CopyField } from "../ui/CopyField.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Actions } from "../ui/Field.tsx"

interface SecretDialogProps {
  readonly title: string
  readonly secret: string
  /** What else is to be known, such as that the secret before still signs. */
  readonly note?: string
  readonly onClose: () => void
}

const SNIPPET = `import { Webhook } from "standardwebhooks"

const webhook = new Webhook(process.env.SECRET)
const event = webhook.verify(body, request.headers)`

/** Shows a signing secret, which is shown this once. */
export const SecretDialog = ({ title, secret, note, onClose }: SecretDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <CopyField
      label="Signing secret"
      value={secret}
      hint="Shown this once. Keep it where your receiver reads its settings, never in its code."
    />
    {note !== undefined && <p className="prose">{note}</p>}
    <div className="field">
      <span className="field-label">Verify each delivery by it</span>
      <Code label="How to verify" text={SNIPPET} />
      <p className="hint">
        <code>body</code> is the text as it came. The libraries <code>stripe</code> (header{" "}
        <code>X-Service-Signature</code>) and <code>svix</code> verify as well.
      </p>
    </div>
    <Actions>
      <Button look="main" onClick={onClose}>
        I have kept it
      </Button>
    </Actions>
  </Dialog>
)
